package ruling

import (
	"fmt"
	"maps"
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/past"
	"berthier/engine"
	"berthier/orders/phrase"
)

// Make judges an act of the game master in the game of a turn, and plans what it would do.
// It changes nothing. The error is a [game.RefusedError] or [orders.Problems] if the act can't
// be done.
func Make(t *game.Turn, kept past.Kept, a *Act) (*Plan, error) {
	m := &maker{turn: t, past: past.Of(t, kept), act: a, plan: &Plan{Act: a}}
	var err error
	if m.branch, err = m.past.Branch(); err != nil {
		return nil, err
	}
	if len(m.branch) == 0 {
		return nil, game.Refuse("office.rule.no-history")
	}
	if a.Dispute != 0 && !slices.Contains(t.Game.Disputes, a.Dispute) {
		return nil, game.Refuse("office.rule.no-dispute", phrase.Number("entry", int(a.Dispute)))
	}
	m.ruling = &log.Ruling{Dispute: a.Dispute, About: a.Entry, Kind: a.Kind, Reason: a.Reason, Tell: a.Tell, From: t.Game.Head}
	if err := m.judge(); err != nil {
		return nil, err
	}
	return m.plan, m.list()
}

// A maker makes a plan.
type maker struct {
	turn   *game.Turn // as the game stands
	past   *past.History
	act    *Act
	branch []log.Checkpoint // that led to the present position

	plan     *Plan
	ruling   *log.Ruling                 // to be noted, but for a rewind
	back     *log.Checkpoint             // the position gone back to, or the present one that is changed; nil: no position is touched
	position engine.Position             // in its place; nil: itself
	die      *SetDie                     // of the first stop that is done again; nil: none
	later    []Change                    // of the past, to be done again from there
	others   []log.Given                 // answers that stay in force at the stop gone back to
	restore  map[engine.Side]*log.Former // answers that were in force at the position gone back to
	stay     bool                        // the answers in force at present stay so where they fit
	force    Change                      // of the answer of a side at the open stop; nil: none
	decided  *engine.Outcome
}

// judge finds out what the act means.
func (m *maker) judge() error {
	switch m.act.Kind {
	case log.ActRewind:
		return m.rewind()
	case log.ActDie:
		return m.replaceDie()
	case log.ActPosition, log.ActOption:
		return m.change()
	case log.ActAccept, log.ActRefuse:
		return m.orders()
	case log.ActOutcome:
		return m.decide(m.act.Winners)
	case log.ActOverrule:
		return m.overrule()
	}
	return nil // the disputed event stands
}

// list writes down the changes in the order in which they are made.
func (m *maker) list() error {
	p, a := m.plan, m.act
	had, stay, err := m.inForce()
	if err != nil {
		return err
	}
	anew, err := m.newSeed()
	if err != nil {
		return err
	}
	if anew {
		p.Changes = append(p.Changes, NewSeed{})
	}
	if a.Kind == log.ActRewind {
		p.Changes = append(p.Changes, Enter{Rewind: &log.Rewound{From: m.turn.Game.Head, To: m.back.Seq, Stop: m.back.Stop, Reason: a.Reason,
			Same: a.Same, Dispute: a.Dispute, InForce: had}})
	} else {
		m.ruling.InForce = had
		p.Changes = append(p.Changes, Enter{Ruling: m.ruling})
	}
	if m.turn.Game.Fault != "" && (m.back != nil || m.force != nil) {
		p.Changes = append(p.Changes, GoOn{})
	}
	if m.back != nil {
		p.Changes = append(p.Changes, setting(m.back.Seq, m.position, m.noted())...)
		p.Changes = append(p.Changes, m.again(anew)...)
		if m.stay || a.Same || len(m.later) > 0 {
			p.Changes = append(p.Changes, stay...)
		}
	}
	if m.force != nil {
		p.Changes = append(p.Changes, m.force)
	}
	if m.decided != nil {
		p.Changes = append(p.Changes, Decide{*m.decided})
	}
	return m.disputes()
}

// noted is the ruling as it is noted; nil: it is a rewind.
func (m *maker) noted() *log.Ruling {
	if m.act.Kind == log.ActRewind {
		return nil
	}
	return m.ruling
}

// again lists what is done again from the position gone back to, and the answers that are
// in force again there. If the seed is another by now, dice stay as they fell.
func (m *maker) again(anew bool) (all []Change) {
	if m.die != nil {
		all = append(all, *m.die)
	}
	for i, change := range m.later {
		if d, ok := change.(Redo); ok {
			d.Must, d.AsFell = i == 0 && m.die != nil, anew
			change = d
		}
		all = append(all, change)
	}
	for _, given := range m.others {
		if given.By != log.ByDefault {
			all = append(all, Count{given})
		}
	}
	for _, side := range slices.Sorted(maps.Keys(m.restore)) {
		all = append(all, PutBack{side, *m.restore[side]})
	}
	return all
}

// inForce lists the answers in force as the log has them, if a position is touched, and the
// changes by which they stay so.
func (m *maker) inForce() (had map[engine.Side]*log.Former, stay []Change, err error) {
	had = map[engine.Side]*log.Former{}
	for _, s := range m.turn.Game.Seats {
		if s.Owes == nil || s.Owes.Answer == nil {
			continue
		}
		f, err := m.former(s)
		if err != nil {
			return nil, nil, err
		}
		if f != nil && m.back != nil {
			had[s.Side] = f
		}
		file, err := m.turn.AnswerFile(s.Side)
		if err != nil {
			return nil, nil, err
		}
		stay = append(stay, Stay{Player: s.BookOf(), Stop: s.Owes.Stop, Decision: s.Owes.Decision, File: string(file), As: *s.Owes.Answer})
	}
	return had, stay, nil
}

// newSeed tells whether the game needs a new seed: it is to go on although its seed is known.
func (m *maker) newSeed() (bool, error) {
	if m.back == nil || m.turn.Game.Phase == game.Running {
		return false, nil
	}
	next := m.position
	if next == nil {
		var err error
		if next, err = m.turn.Rules.Load(m.back.Snapshot); err != nil {
			return false, err
		}
	}
	_, ended := next.Outcome()
	return !ended, nil
}

// disputes adds the disputes that the act opens again, since the ruling that settled them no
// longer holds, and those that it settles.
func (m *maker) disputes() error {
	var opened, settled []uint64
	if m.act.Kind == log.ActOverrule {
		r, err := readRuling(m.turn, m.act.Entry)
		if err != nil {
			return err
		}
		first, holds, err := inTheEnd(m.turn, r)
		if err != nil {
			return err
		}
		if holds {
			opened = append(opened, first.Dispute)
		} else {
			settled = append(settled, first.Dispute)
			opened = append(opened, r.Dispute)
		}
	}
	settled = append(settled, m.act.Dispute)
	for _, n := range opened {
		if n != 0 && !slices.Contains(m.turn.Game.Disputes, n) && !slices.Contains(settled, n) {
			m.plan.Changes = append(m.plan.Changes, Dispute{n})
		}
	}
	for _, n := range settled {
		if n != 0 {
			m.plan.Changes = append(m.plan.Changes, Settle{n})
		}
	}
	return nil
}

// before finds the place in the branch of the position at which a stop was resolved, and
// how; or that of the present one.
func (m *maker) before(stop int) (int, *log.Resolved, error) {
	g := m.turn.Game
	if stop == 0 || stop == g.Stop && g.Phase == game.Running || stop == g.Stop && g.Phase == game.Closed {
		return len(m.branch) - 1, nil, nil
	}
	i, r, err := m.past.Resolved(m.branch, func(e log.Entry, _ *log.Resolved) bool { return e.Stop == stop })
	if err == nil && i < 0 {
		err = game.Refuse("office.rule.no-such-stop", phrase.Number("stop", stop))
	}
	return i - 1, r, err
}

// to plans to go back to a place in the branch, and to do again what came after it.
func (m *maker) to(i int) (err error) {
	if m.back, err = m.past.Checkpoint(m.branch[i].Seq); err != nil {
		return err
	}
	if i < len(m.branch)-1 {
		m.ruling.To = m.back.Seq
	}
	m.later, err = m.changesAfter(m.branch, m.back.Seq)
	return err
}

// rewind plans to go back to a stop.
func (m *maker) rewind() error {
	i, _, err := m.before(m.act.Stop)
	if err != nil {
		return err
	}
	if i == len(m.branch)-1 && m.turn.Game.Phase == game.Running && m.turn.Game.Fault == "" {
		return game.Refuse("office.rule.here-already", phrase.Number("stop", m.act.Stop))
	}
	if err := m.to(i); err != nil {
		return err
	}
	if !m.act.Same {
		m.later = nil
	}
	return nil
}

// replaceDie plans that a stop is resolved again with another result of a die.
func (m *maker) replaceDie() error {
	a := m.act
	i, r, err := m.before(a.Stop)
	if a.First {
		i, r, err = m.past.Resolved(m.branch, func(e log.Entry, _ *log.Resolved) bool { return e.Stop == 0 })
		i--
	}
	if err != nil {
		return err
	}
	switch {
	case r == nil:
		return game.Refuse("office.rule.not-resolved", phrase.Number("stop", a.Stop))
	case a.Roll < 1 || a.Roll > len(r.Rolls):
		return game.Refuse("office.rule.no-roll", phrase.Number("stop", a.Stop), phrase.Number("roll", a.Roll), phrase.Number("n", len(r.Rolls)))
	case a.Result < 1 || a.Result > r.Rolls[a.Roll-1].Sides:
		return game.Refuse("office.rule.no-result", phrase.Number("roll", a.Roll), phrase.Number("result", a.Result), phrase.Number("sides", r.Rolls[a.Roll-1].Sides))
	case a.Result == r.Rolls[a.Roll-1].Result:
		return game.Refuse("office.rule.same-result", phrase.Number("roll", a.Roll), phrase.Number("result", a.Result))
	}
	m.ruling.Roll, m.ruling.Result, m.die = a.Roll, a.Result, &SetDie{a.Roll, a.Result}
	return m.to(i)
}

// decide plans that the game is over, with an outcome.
func (m *maker) decide(winners []engine.Side) error {
	if m.turn.Game.Phase == game.Closed {
		return game.Refuse("office.gm.ended")
	}
	m.decided = &engine.Outcome{Winners: winners, Reason: phrase.Say("office.decided")}
	m.ruling.Winners = winners
	return nil
}

// changesAfter lists what changed the game after a checkpoint of its branch, the oldest
// first: resolved stops, and what game masters changed in the position in between.
func (m *maker) changesAfter(branch []log.Checkpoint, seq uint64) ([]Change, error) {
	var all []Change
	i := slices.IndexFunc(branch, func(m log.Checkpoint) bool { return m.Seq == seq })
	if i < 0 {
		return nil, fmt.Errorf("read history of %s: entry %d is not of this branch", m.turn.Game.ID, seq)
	}
	for _, c := range branch[i+1:] {
		switch c.Kind {
		case log.KindResolved:
			var r log.Resolved
			if _, err := m.past.Entry(c.Seq, &r); err != nil {
				return nil, err
			}
			all = append(all, Redo{Entry: c.Seq, Answers: r.Answers, Ruled: r.Ruled, Rolls: r.Rolls, Asked: r.Asked})
		case log.KindStanding:
			var f log.Taken
			e, err := m.past.Entry(c.Seq, &f)
			if err != nil {
				return nil, err
			}
			all = append(all, Instruct{e.Seat, f.File, e.By != "office" || f.Aside})
			if f.Ahead != "" {
				all = append(all, FileAhead{c.Seq})
			}
		case log.KindAhead:
			all = append(all, FileAhead{c.Seq})
		case log.KindRuling:
			r := &log.Ruling{}
			if _, err := m.past.Entry(c.Seq, r); err != nil {
				return nil, err
			}
			if r.Set != "" {
				all = append(all, Repeat{c.Seq, r})
			}
		}
	}
	return all, nil
}
