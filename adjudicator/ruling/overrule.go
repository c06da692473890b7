package ruling

import (
	"cmp"
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/orders/phrase"
)

// overrule plans that an earlier ruling, or rewind, is no longer in force. If nothing
// new was done since then, the game is as it was before it. Otherwise the stop that
// it changed is done as it was before, and then what came since, as long as it fits.
func (m *maker) overrule() error {
	about := m.act.Entry
	r, err := readRuling(m.turn, about)
	if err != nil {
		return err
	}
	none := game.Refuse("office.rule.not-in-force", phrase.Number("entry", int(about)))
	first, holds, err := inTheEnd(m.turn, r)
	if err != nil {
		return err
	}
	if gone, err := m.overruled(about); err != nil || gone {
		return cmp.Or(err, none)
	}
	switch {
	case first.Kind == log.ActStands:
		return nil // the dispute is open again, or settled again
	case first.Kind == log.ActOutcome && holds:
		if m.turn.Game.DecidedBy != about {
			return none
		}
		if m.back, err = m.past.Checkpoint(m.turn.Game.Head); err == nil {
			m.ruling.To = m.back.Seq
		}
		return err
	case first.Kind == log.ActOutcome:
		if m.turn.Game.Decided != nil || !slices.ContainsFunc(m.branch, func(c log.Checkpoint) bool { return c.Seq == about }) {
			return none
		}
		return m.decide(first.Winners)
	case r.Seat != "":
		return m.restoreAnswer(r)
	}
	return m.undo(r)
}

// undo plans that the game is as if a ruling that touched a position had not been made.
func (m *maker) undo(r *log.Ruling) error {
	about, trail := m.act.Entry, m.branch
	at := slices.IndexFunc(trail, func(c log.Checkpoint) bool { return m.stems(c, about) })
	if at < 1 {
		return game.Refuse("office.rule.not-in-force", phrase.Number("entry", int(about)))
	}
	since, err := m.changesAfter(trail, trail[at].Seq)
	if err != nil {
		return err
	}
	from := r.From
	if trail[at].Seq != about {
		from = trail[at-1].Seq // it was done again here
	}
	old, err := m.past.BranchTo(from)
	if err != nil {
		return err
	}
	var was []Change
	if slices.ContainsFunc(old, func(c log.Checkpoint) bool { return c.Seq == trail[at-1].Seq }) {
		if was, err = m.changesAfter(old, trail[at-1].Seq); err != nil {
			return err
		}
	}
	back := from
	if r.Kind != log.ActRewind && !follows(since, was) {
		back = trail[at-1].Seq
		m.later = since
		if len(was) > 0 && len(since) > 0 {
			m.later = append(was[:1:1], since[1:]...)
		}
	}
	if back == from && trail[at].Seq == about {
		m.restore = r.InForce
	}
	m.back, err = m.past.Checkpoint(back)
	m.ruling.To = back
	return err
}

// stems tells whether a checkpoint comes from a ruling, or from the same ruling done again.
func (m *maker) stems(c log.Checkpoint, ruling uint64) bool {
	if c.Seq == ruling {
		return true
	}
	var again log.Ruling
	if c.Kind != log.KindRuling {
		return false
	}
	_, err := m.past.Entry(c.Seq, &again)
	return err == nil && again.Repeats == ruling
}

// restoreAnswer plans that an answer that was ruled on while its stop was open is
// again what it was before. What the player himself has sent since then stays, because the
// ruling is then no longer in force.
func (m *maker) restoreAnswer(r *log.Ruling) error {
	about := m.act.Entry
	none := game.Refuse("office.rule.not-in-force", phrase.Number("entry", int(about)))
	m.plan.Orders = &RuledOrders{Side: r.Seat, Stop: r.SeatStop, Counts: r.Was != nil}
	s := m.turn.Game.Seat(r.Seat)
	if s != nil && s.Owes != nil && s.Owes.Stop == r.SeatStop && m.turn.Game.Phase == game.Running {
		answer, ok, err := m.turn.Answer(s)
		if err != nil {
			return err
		}
		anew := slices.ContainsFunc(m.branch, func(c log.Checkpoint) bool { return c.Seq > about && c.Kind == log.KindRewound })
		switch {
		case r.Orders == "" && (ok || anew),
			r.Orders != "" && (!ok || game.Normal(m.turn, answer) != r.Orders || s.Owes.Answer.Entry > about):
			return none
		}
		return m.swap(s, r.Was)
	}
	at, resolved, err := m.past.Resolved(m.branch, func(_ log.Entry, done *log.Resolved) bool {
		g := done.Of(r.Seat)
		return g.Decision.Side == r.Seat && g.SeatStop == r.SeatStop
	})
	if err != nil || at < 0 {
		return cmp.Or(err, none)
	}
	given := resolved.Of(r.Seat)
	silent := given.By == log.ByDefault || given.By == log.ByBot
	if r.Orders == "" && !silent || r.Orders != "" && given.Orders != r.Orders {
		return none
	}
	if r.Was == nil {
		return m.takeOut(at, resolved, r.Seat)
	}
	return m.putIn(at, log.Given{Decision: given.Decision, By: cmp.Or(r.Was.By, "player"), Orders: r.Was.Orders, Files: r.Was.Files, Aside: r.Was.Aside})
}

// overruled tells whether a ruling was overruled by one that was not overruled
// itself. For rulings that changed a position the history of positions tells more.
func (m *maker) overruled(seq uint64) (bool, error) {
	var by []uint64
	err := m.past.EachFrom(seq+1, func(e chain.Entry) error {
		if entry, err := log.Decode(e.Body, nil); err != nil || entry.Kind != log.KindRuling {
			return err
		}
		var r log.Ruling
		_, err := log.Decode(e.Body, &r)
		if err == nil && r.Kind == log.ActOverrule && r.About == seq && r.To == 0 {
			by = append(by, e.Seq)
		}
		return err
	})
	for _, n := range by {
		if gone, err := m.overruled(n); err != nil || !gone {
			return true, err
		}
	}
	return false, err
}

// readRuling reads a ruling, or a rewind as if it were one, from the log.
func readRuling(t *game.Turn, seq uint64) (*log.Ruling, error) {
	none := game.Refuse("office.rule.no-ruling", phrase.Number("entry", int(seq)))
	if seq == 0 || seq > t.Last.Seq {
		return nil, none
	}
	e, err := t.Entry(seq, nil)
	if err != nil {
		return nil, err
	}
	r := &log.Ruling{}
	switch e.Kind {
	case log.KindRewound:
		var w log.Rewound
		if _, err := t.Entry(seq, &w); err != nil {
			return nil, err
		}
		r.From, r.Kind, r.Dispute, r.InForce = w.From, log.ActRewind, w.Dispute, w.InForce
		return r, nil
	case log.KindRuling:
		_, err := t.Entry(seq, r)
		return r, err
	}
	return nil, none
}

// inTheEnd finds the ruling that matters in the end: this one or, if it overrules
// another (which may have overruled a third), the first of them; and whether that
// one is in force because of it.
func inTheEnd(t *game.Turn, r *log.Ruling) (first *log.Ruling, holds bool, err error) {
	first, holds = r, true
	for first.Kind == log.ActOverrule && err == nil {
		holds = !holds
		first, err = readRuling(t, first.About)
	}
	return first, holds, err
}

// follows tells whether some changes are only other changes done again.
func follows(again, were []Change) bool {
	if len(again) > len(were) {
		return false
	}
	for i := range again {
		if !alike(again[i], were[i], i == 0) {
			return false
		}
	}
	return true
}

// alike tells whether a change is another one done again. The first may have other
// orders: these are what was ruled on.
func alike(again, was Change, first bool) bool {
	switch x := again.(type) {
	case Redo:
		y, ok := was.(Redo)
		return ok && slices.EqualFunc(x.Answers, y.Answers, func(a, b log.Given) bool {
			return a.Decision == b.Decision && (first || a.Orders == b.Orders)
		})
	case Instruct:
		y, ok := was.(Instruct)
		return ok && x.Side == y.Side && x.File == y.File
	case Repeat:
		y, ok := was.(Repeat)
		return ok && x.Ruling.Set == y.Ruling.Set
	}
	return false
}
