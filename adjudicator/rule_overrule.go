package adjudicator

import (
	"cmp"
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/orders/phrase"
)

// planOverrule plans that an earlier ruling, or rewind, no longer holds. If nothing
// new was done since then, the game is as it was before it. Otherwise the stop that
// it changed is done as it was before, then what came since, as long as it fits.
func (d *desk) planOverrule(a *act, p *plan, trail []log.Checkpoint, to func(int) error) error {
	r, err := d.ruling(a.Entry)
	if err != nil {
		return err
	}
	none := game.Refuse("office.rule.not-in-force", phrase.Number("entry", int(a.Entry)))
	first, holds, err := d.overrules(r)
	if err != nil {
		return err
	}
	if gone, err := d.overruled(a.Entry); err != nil || gone {
		return cmp.Or(err, none)
	}
	switch {
	case first.Kind == log.ActStands:
		return nil // the dispute is open again, or settled again
	case first.Kind == log.ActOutcome && holds:
		if d.Game.DecidedBy != a.Entry {
			return none
		}
		p.back, err = d.past.Checkpoint(d.Game.Head)
		if err == nil {
			p.ruling.To = p.back.Seq
		}
		return err
	case first.Kind == log.ActOutcome:
		if d.Game.Decided != nil || !slices.ContainsFunc(trail, func(m log.Checkpoint) bool { return m.Seq == a.Entry }) {
			return none
		}
		return d.decide(p, first.Winners)
	case r.Seat != "":
		return d.planRestore(a, p, r, trail, to)
	}
	at := slices.IndexFunc(trail, func(m log.Checkpoint) bool { return d.stems(m, a.Entry) })
	if at < 1 {
		return none
	}
	since, err := d.deedsAfter(trail, trail[at].Seq)
	if err != nil {
		return err
	}
	from := r.From
	if trail[at].Seq != a.Entry {
		from = trail[at-1].Seq // it was done again here
	}
	old, err := d.past.BranchTo(from)
	if err != nil {
		return err
	}
	var was []deedOfThePast
	if slices.ContainsFunc(old, func(m log.Checkpoint) bool { return m.Seq == trail[at-1].Seq }) {
		if was, err = d.deedsAfter(old, trail[at-1].Seq); err != nil {
			return err
		}
	}
	back := from
	if r.Kind != log.ActRewind && !follows(since, was) {
		back = trail[at-1].Seq
		p.deeds = since
		if len(was) > 0 && len(since) > 0 {
			p.deeds = append(was[:1:1], since[1:]...)
		}
	}
	if back == from && trail[at].Seq == a.Entry {
		p.restore = r.InForce
	}
	p.back, err = d.past.Checkpoint(back)
	p.ruling.To = back
	return err
}

// stems tells whether a checkpoint is a ruling's, or of the same ruling done again.
func (d *desk) stems(m log.Checkpoint, ruling uint64) bool {
	if m.Seq == ruling {
		return true
	}
	var again log.Ruling
	if m.Kind != log.KindRuling {
		return false
	}
	_, err := d.Entry(m.Seq, &again)
	return err == nil && again.Repeats == ruling
}

// planRestore plans that an answer that was ruled on while its stop was open is
// again what it was before. What the player himself has sent since then stays: the
// ruling is in force no longer.
func (d *desk) planRestore(a *act, p *plan, r *log.Ruling, trail []log.Checkpoint, to func(int) error) error {
	none := game.Refuse("office.rule.not-in-force", phrase.Number("entry", int(a.Entry)))
	p.of, p.ofStop, p.counts = r.Seat, r.SeatStop, r.Was != nil
	s := d.Game.Seat(r.Seat)
	if s != nil && s.Owes != nil && s.Owes.Stop == r.SeatStop && d.Game.Phase == game.Running {
		answer, ok, err := d.Answer(s)
		if err != nil {
			return err
		}
		anew := slices.ContainsFunc(trail, func(m log.Checkpoint) bool { return m.Seq > a.Entry && m.Kind == log.KindRewound })
		switch {
		case r.Orders == "" && (ok || anew),
			r.Orders != "" && (!ok || game.Normal(d.Turn, answer) != r.Orders || s.Owes.Answer.Entry > a.Entry):
			return none
		}
		return d.swap(p, s, r.Was)
	}
	at, resolved, err := d.past.Resolved(trail, func(_ log.Entry, done *log.Resolved) bool {
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
		return d.takeOut(p, at, resolved, r.Seat, to)
	}
	by := r.Was.By
	if by == "" {
		by = "player"
	}
	return d.putIn(p, at, r.Seat, r.Was.Orders, by, to)
}

// ruling reads a ruling, or a rewind as if it were one, from the log.
func (d *desk) ruling(seq uint64) (*log.Ruling, error) {
	none := game.Refuse("office.rule.no-ruling", phrase.Number("entry", int(seq)))
	if seq == 0 || seq > d.Last.Seq {
		return nil, none
	}
	e, err := d.Entry(seq, nil)
	if err != nil {
		return nil, err
	}
	r := &log.Ruling{}
	switch e.Kind {
	case log.KindRewound:
		var w log.Rewound
		if _, err := d.Entry(seq, &w); err != nil {
			return nil, err
		}
		r.From, r.Kind, r.Dispute, r.InForce = w.From, log.ActRewind, w.Dispute, w.InForce
		return r, nil
	case log.KindRuling:
		_, err := d.Entry(seq, r)
		return r, err
	}
	return nil, none
}

// overrules finds what a ruling is about in the end: itself, or, if it overrules
// another, perhaps one that overruled a third, the first of them; and whether that
// one holds by it.
func (d *desk) overrules(r *log.Ruling) (first *log.Ruling, holds bool, err error) {
	first, holds = r, true
	for first.Kind == log.ActOverrule && err == nil {
		holds = !holds
		first, err = d.ruling(first.About)
	}
	return first, holds, err
}

// overruled tells whether a ruling was overruled by one that was not overruled in
// its turn. Of those that changed a position the history of positions tells more.
func (d *desk) overruled(seq uint64) (bool, error) {
	var by []uint64
	err := d.past.Each(func(e chain.Entry) error {
		if e.Seq <= seq {
			return nil
		}
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
		if gone, err := d.overruled(n); err != nil || !gone {
			return true, err
		}
	}
	return false, err
}

// follows tells whether deeds are only others done again.
func follows(again, were []deedOfThePast) bool {
	if len(again) > len(were) {
		return false
	}
	for i := range again {
		x, y := again[i], were[i]
		same := x.standing == y.standing && (x.ruling == nil) == (y.ruling == nil) &&
			slices.EqualFunc(x.resolved.Answers, y.resolved.Answers, func(a, b log.Given) bool {
				return i == 0 && a.Decision == b.Decision || a.Decision == b.Decision && a.Orders == b.Orders
			})
		if x.ruling != nil && y.ruling != nil {
			same = same && x.ruling.Set == y.ruling.Set
		}
		if !same {
			return false
		}
	}
	return true
}

// disputes lists the disputes that an act opens again, since the ruling that settled
// them no longer holds, and those that it settles.
func (d *desk) disputes(a *act) (opened, settled []uint64, err error) {
	if a.Kind == log.ActOverrule {
		r, err := d.ruling(a.Entry)
		if err != nil {
			return nil, nil, err
		}
		first, holds, err := d.overrules(r)
		if err != nil {
			return nil, nil, err
		}
		if holds {
			opened = append(opened, first.Dispute)
		} else {
			settled = append(settled, first.Dispute)
			opened = append(opened, r.Dispute)
		}
	}
	settled = append(settled, a.Dispute)
	none := func(n uint64) bool { return n == 0 || slices.Contains(d.Game.Disputes, n) }
	opened = slices.DeleteFunc(opened, func(n uint64) bool { return none(n) || slices.Contains(settled, n) })
	settled = slices.DeleteFunc(settled, func(n uint64) bool { return n == 0 })
	return opened, settled, nil
}

// still tells whether an act changes nothing in the game: it lets what is disputed
// stand, or overrules a ruling that did.
func (d *desk) still(a *act) (bool, error) {
	if a.Kind != log.ActOverrule {
		return a.Kind == log.ActStands, nil
	}
	r, err := d.ruling(a.Entry)
	if err != nil {
		return false, err
	}
	first, _, err := d.overrules(r)
	return err == nil && first.Kind == log.ActStands, err
}

// hisDispute tells whether a player disputes what one of the entries says.
func (d *desk) hisDispute(s *game.Seat, entries []uint64) bool {
	return slices.ContainsFunc(entries, func(n uint64) bool {
		e, err := d.Entry(n, nil)
		return err == nil && d.SideAt(s, n) == e.Seat
	})
}
