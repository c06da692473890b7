package verify

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/engine/course"
)

// carry notes which answers may be in force again when an entry takes the game back: those
// that were in force up to it, for as long as what was undone is done again.
func (fd *filed) carry(e numbered) {
	if !fd.redoing || fd.carried == nil {
		fd.carried = map[engine.Side][]*pending{}
	}
	for side, p := range fd.pending {
		if p.entry != 0 || p.orders != "" || p.unknown {
			fd.carried[side] = append(slices.Clone(fd.carried[side]), p)
		}
	}
	if m := fd.r.now(); m != nil {
		for side, p := range (aheads{fd.r}).inForce(m) {
			fd.carried[side] = append(slices.Clone(fd.carried[side]), p)
		}
	}
	fd.former[e.n] = maps.Clone(fd.carried)
	fd.back = nil
	fd.pending, fd.redoing, fd.plain = map[engine.Side]*pending{}, true, false
}

// redone notes after a stop whether the next stop may still be one that is done
// again: that happens at the moment at which the game goes back, before any new file. (In
// a log of the first scheme this was never checked.)
func (fd *filed) redone(e numbered) {
	if fd.r.made.DiceScheme() == log.FirstScheme || fd.redoing && e.at.Equal(fd.r.atOf(fd.r.back)) && len(fd.pending) == 0 {
		return
	}
	fd.redoing, fd.carried = false, nil
}

// overruled tells whether a ruling no longer holds.
func (r *replay) overruled(n uint64) bool {
	for by, g := range r.rulings {
		if by > n && g.Kind == log.ActOverrule && g.About == n && !r.overruled(by) {
			return true
		}
	}
	return false
}

// An ownership is what an entry that takes the game back says of whose it must be what was filed ahead and waits again.
type ownership struct {
	own   bool // as [log.Ruling] has it
	moved bool // as [log.Ruling] has it
}

// goBack puts the game back to an earlier moment, with another position if one is
// given. The answers in force are no longer in force, but may be put in force again.
func (r *replay) goBack(e numbered, to uint64, position engine.Position, changed bool, whose ownership, promised string) *waypoint {
	target := r.moments[to]
	if target == nil {
		r.stops.fault("entry %d goes back to entry %d, after which no position is known", e.n, to)
		return nil
	}
	r.files.carry(e)
	r.files.silent, r.back, r.own, r.decided = map[engine.Side]int{}, e.n, whose.own, nil
	r.openAt(e.at)
	if promised != "" && !r.over {
		r.dice.fault("entry %d promises a new seed, and that of the game was not told", e.n)
	}
	m := &waypoint{place: target.place, asked: maps.Clone(target.asked), seats: maps.Clone(target.seats), kept: promised != "", ahead: cloneWaiting(target.ahead)}
	maps.DeleteFunc(m.ahead, func(side engine.Side, w *waiting) bool {
		n, known := m.seats[side]
		if file := r.files.ahead[w.entry]; whose.moved && known && (file.player != n || file.term != r.terms[n]) {
			return true
		}
		return !(whose.moved && known) && w.epoch != r.epochs[side] || whose.own && known && r.gone[n]
	})
	if promised != "" {
		r.over = false // it goes on with a new seed
	}
	switch {
	case !changed && target.position != nil:
		m.position = target.position.Clone()
	case changed:
		m.position = position
	}
	if m.asked != nil && target.position != nil && m.position != nil {
		if _, ended := m.position.Outcome(); !ended {
			before, owed := target.position.Owed(), m.position.Owed()
			for _, d := range owed {
				if slices.ContainsFunc(before, func(b engine.Decision) bool { return b.Side == d.Side }) {
					m.asked[d.Side]--
				}
			}
			m.opens(owed)
		}
	} else {
		m.asked = nil
	}
	r.head64 = to
	r.move(e, m)
	return m
}

// rewound goes back to where a game master took the game.
func (r *replay) rewound(e numbered) {
	var w log.Rewound
	if err := json.Unmarshal(e.data, &w); err != nil {
		r.stops.fault("entry %d can't be read: %v", e.n, err)
		return
	}
	r.rulings[e.n] = &log.Ruling{Kind: log.ActRewind, From: w.From, InForce: w.InForce}
	r.ruledOn(e, log.ActRewind, w.Reason)
	r.goBack(e, w.To, nil, false, ownership{w.Own, w.Moved}, w.Commitment)
	if r.made.DiceScheme() != log.FirstScheme && !w.Same {
		r.files.redoing, r.files.carried, r.files.plain = false, nil, true
	}
}

// ruling does again what a ruling did.
func (r *replay) ruling(e numbered) {
	var g log.Ruling
	if err := json.Unmarshal(e.data, &g); err != nil {
		r.stops.fault("entry %d can't be read: %v", e.n, err)
		return
	}
	r.rulings[e.n] = &g
	r.ruledOn(e, g.Kind, g.Reason)
	r.decides(e.n, &g)
	if g.Seat != "" {
		r.files.ruledAnswer(e, &g)
		return
	}
	if g.To == 0 && g.Set == "" {
		return
	}
	to := g.To
	if to == 0 {
		to = r.head64
	}
	var next engine.Position
	if target := r.moments[to]; g.Set != "" && target != nil && target.position != nil {
		var err error
		if next, err = r.changed(target.position, &g); err != nil {
			r.otherwise(&r.stops, e, "%v", err)
		}
	}
	decided := r.decided
	kept := g.Repeats != 0 && r.now().kept
	m := r.goBack(e, to, next, g.Set != "", ownership{g.Own, g.Moved}, g.Commitment)
	if m == nil {
		return
	}
	m.kept = m.kept || kept
	if g.Kind == log.ActOverrule {
		r.decided = decided
		if about := r.rulings[g.About]; about != nil {
			r.files.back = about.InForce
		}
		for side, all := range r.files.former[g.About] {
			r.files.carried[side] = append(r.files.carried[side], all...)
		}
	}
	switch {
	case g.Kind == log.ActDie:
		m.die, m.dieBy = &g, e.n
	case g.Put != "":
		if m.put = &g; g.Ahead != "" {
			r.files.accepted(g.About, g.PutSide, g.Ahead)
		}
	}
}

// changed is a position as a ruling changed it.
func (r *replay) changed(was engine.Position, g *log.Ruling) (engine.Position, error) {
	next, problems, err := course.Edited(r.rules, was, g.Set)
	if err != nil || len(problems) > 0 {
		return nil, errors.New("the ruling would be refused")
	}
	snapshot, err := next.Marshal()
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(snapshot); hex.EncodeToString(sum[:]) != g.Position {
		return nil, errors.New("the position after the ruling would be another")
	}
	return next, nil
}
