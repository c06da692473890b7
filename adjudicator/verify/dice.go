package verify

import (
	"encoding/hex"
	"maps"
	"time"

	"berthier/adjudicator/log"
	"berthier/engine"
)

// mostSides is how many sides a die may have.
const mostSides = 1 << 20

// A rolled holds what the dice of a replay come from, besides the seed and the answers: the
// players' words, and rulings that replace rolls.
type rolled struct {
	r     *replay
	words []log.LuckWord
	said  map[engine.Side]string // players' words for luck, as they came
}

// roll rolls the dice of a stop again, with the answers that were read again or, where they
// can't be read, those of the log.
func (rd *rolled) roll(e numbered, was *waypoint, s *log.Resolved, _ map[engine.Side]engine.Answer) {
	hash := log.HashOrders(s.Answers)
	if hex.EncodeToString(hash[:]) != s.Orders {
		rd.r.dice.fault("entry %d, stop %d: the hash of the orders does not fit", e.n, e.stop)
	}
	if rd.r.made.Luck && rd.words == nil {
		rd.r.dice.fault("entry %d: a stop is resolved before the players' words for luck", e.n)
	}
	if rd.r.seed >= len(rd.r.seeds) || rd.r.made.DiceScheme() > log.Scheme {
		if len(s.Rolls) > 0 && rd.r.seed >= len(rd.r.seeds) {
			rd.r.unchecked("dice: the seed is secret until the game is over")
		}
		return
	}
	dice := &engine.RuledDice{
		Dice:    log.DiceOf(rd.r.made.DiceScheme(), rd.r.seeds[rd.r.seed], rd.r.made.Game, was.place, rd.words, s.Answers),
		Results: s.Ruled,
	}
	for i, roll := range s.Rolls {
		rd.r.dice.Count++
		if roll.Sides < 1 || roll.Sides > mostSides {
			rd.r.dice.fault("entry %d, stop %d, roll %d: there is no die of %d sides", e.n, e.stop, i+1, roll.Sides)
			continue
		}
		if got := dice.Roll(roll.Sides, roll.Purpose); got != roll.Result {
			rd.r.dice.fault("entry %d, stop %d, roll %d: a %d was recorded, the seed gives %d", e.n, e.stop, i+1, roll.Result, got)
		}
	}
}

// ruled finds what a ruling in force says about the dice of a stop: nothing else may
// replace a roll. It gives these rulings, by the number of the roll.
func (rd *rolled) ruled(e numbered, was *waypoint, s *log.Resolved) map[int]uint64 {
	var want map[int]int
	founded := map[int]uint64{}
	if rd.r.made.DiceScheme() == log.FirstScheme {
		if want = rd.foundedRolls(was, s); want == nil {
			want = map[int]int{}
		}
	} else {
		want = rd.repeated(e, was, s, founded)
	}
	if !maps.Equal(want, withoutNil(s.Ruled)) {
		rd.r.dice.fault("entry %d, stop %d: rolls are marked as ruled on (%v) where the rulings in force say %v", e.n, e.stop, withoutNil(s.Ruled), want)
	}
	for n := range s.Ruled {
		if n < 1 || n > len(s.Rolls) {
			rd.r.dice.fault("entry %d, stop %d: roll %d is ruled on, and there is none", e.n, e.stop, n)
		}
	}
	return founded
}

func withoutNil(m map[int]int) map[int]int {
	if m == nil {
		return map[int]int{}
	}
	return m
}

// repeated gives the rolls that rulings replace at a stop: if the stop repeats an earlier
// one, those of the earlier stop, except by rulings that have been overruled since then, and
// the roll of the ruling just before.
func (rd *rolled) repeated(e numbered, was *waypoint, s *log.Resolved, founded map[int]uint64) map[int]int {
	want := map[int]int{}
	if s.Again != 0 {
		if old := rd.repeats(e, was, s); old != nil {
			if was.kept {
				for i, roll := range old.Rolls {
					want[i+1] = roll.Result
				}
			}
			for i, result := range old.Ruled {
				by := rd.r.moments[s.Again].founded[i]
				if by != 0 && !was.kept && rd.r.overruled(by) {
					continue
				}
				want[i], founded[i] = result, by
			}
		}
	}
	if g := was.die; g != nil {
		want[g.Roll], founded[g.Roll] = g.Result, was.dieBy
		if s.Again == 0 {
			rd.r.dice.fault("entry %d: the ruling on its dice is about a stop that it does not repeat", e.n)
		}
	}
	return want
}

// repeats finds the earlier stop that a stop repeats; nil, with a fault, if it can't be
// one: it must be of the same place, with the same answers, and nothing may have
// happened in between since the game went back.
func (rd *rolled) repeats(e numbered, was *waypoint, s *log.Resolved) *log.Resolved {
	old := rd.r.moments[s.Again]
	switch {
	case old == nil || old.resolved == nil:
		rd.r.stops.fault("entry %d repeats entry %d, which resolves no stop", e.n, s.Again)
		return nil
	case old.place-1 != was.place:
		rd.r.stops.fault("entry %d repeats entry %d, which resolves another stop", e.n, s.Again)
		return nil
	case rd.r.files.plain || rd.r.back == 0 || s.Again > rd.r.back || !e.at.Equal(rd.r.atOf(rd.r.back)):
		rd.r.stops.fault("entry %d repeats entry %d, and the game has not just gone back", e.n, s.Again)
		return nil
	case !sameAnswers(old.resolved.Answers, s.Answers):
		rd.r.stops.fault("entry %d repeats entry %d with other answers", e.n, s.Again)
		return nil
	}
	return old.resolved
}

func sameAnswers(a, b []log.Given) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Decision != b[i].Decision || a[i].Orders != b[i].Orders || a[i].By != b[i].By {
			return false
		}
	}
	return true
}

// atOf is when an entry was written.
func (r *replay) atOf(n uint64) (at time.Time) {
	if n >= 1 && n <= uint64(len(r.entries)) {
		return r.entries[n-1].at
	}
	return at
}

// foundedRolls are the rolls of a stop of an old game that rulings replace. Such a log
// does not say which stop another one repeats, so every earlier ruling about a stop of this
// place can be the reason.
func (rd *rolled) foundedRolls(was *waypoint, s *log.Resolved) map[int]int {
	want := map[int]int{}
	for n, result := range s.Ruled {
		if was.die != nil && was.die.Roll == n && was.die.Result == result {
			want[n] = result
		}
		for _, m := range rd.r.moments {
			if m.resolved == nil || m.place-1 != was.place {
				continue
			}
			if m.resolved.Ruled[n] == result && result != 0 {
				want[n] = result
			}
			if was.kept && n >= 1 && n <= len(m.resolved.Rolls) && m.resolved.Rolls[n-1].Result == result {
				want[n] = result
			}
		}
	}
	if was.die != nil {
		want[was.die.Roll] = was.die.Result
	}
	return want
}
