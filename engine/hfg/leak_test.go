package hfg

import (
	"math/rand/v2"
	"testing"

	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
)

// twoAllies are games of which one side has two players, each of whom knows only what his own commands know.
var twoAllies = engine.Setup{Options: map[string]string{"fog": "command", "seats": "several", "sunset-pairs": "6"}}

// allies is the battle of 1815 in that way, in rain or in mist, with the commands of the Prussians in the eastern third
// of the field, to begin games from.
func allies(t testing.TB, seed uint64) *game {
	t.Helper()
	p, err := New().New(twoAllies)
	if err != nil {
		t.Fatal(err)
	}
	g, r := p.(*game), rand.New(rand.NewPCG(seed, 21))
	if g.Sky = rain; seed%2 == 1 {
		g.Sky = misty
	}
	for e := elementID(1); int(e) < len(g.Elements); e++ {
		if g.owner(e) != "prussian" {
			continue
		}
		g.Elements[e].Fate = present
		if !g.straysTo(e, r, 60, func(at place) bool { return 3*at.X > 2*g.size.X }) {
			g.Elements[e].Fate = due
		}
	}
	for c := commandID(1); int(c) < len(g.Commands); c++ {
		if g.seatOf(c) == "prussian" {
			g.Commands[c].Status = active
		}
	}
	for c := commandID(1); int(c) < len(g.Commands); c++ {
		if g.seatOf(c) == "prussian" && !g.rolls(c) {
			t.Fatalf("nobody of %s found a place", g.lead(c).id)
		}
	}
	return g
}

// straysTo puts an element where chance has it, if that is free and fits; it tries so often.
func (g *game) straysTo(e elementID, r *rand.Rand, tries int, fits func(place) bool) bool {
	was := g.Elements[e]
	for range tries {
		at := place{X: r.Int64N(g.size.X), Y: r.Int64N(g.size.Y)}
		g.Elements[e].At, g.Elements[e].Facing, g.Elements[e].Holds = at, r.IntN(360), 0
		b := g.bodyAt(e, geometry.Frame{At: point(at), Heading: geometry.Heading(g.Elements[e].Facing)})
		if !g.leaves(&b) && len(g.overlapping(e, &b)) == 0 && g.standsOn(e, &b) && !g.touched(e) && fits(at) {
			return true
		}
	}
	g.Elements[e] = was
	return false
}

// unknown is the [playout.Scrambler] of the game: what a seat doesn't know stands elsewhere, has other marks, or is gone;
// commands of which it hears nothing have other dice and may be defeated; nobody else has ordered or seen the same
// (section 7 of the digest).
func unknown(position engine.Position, seat engine.Side, r *rand.Rand) engine.Position {
	was := position.Clone().(*game)
	g := position.Clone().(*game)
	if g.Phase == over || g.Phase == preparing {
		return g
	}
	asks := g.Fray.Asks
	for e := elementID(1); int(e) < len(g.Elements); e++ {
		x := &g.Elements[e]
		if asks != nil && (asks.Of == e || asks.By == e) || was.seatKnows(seat, e) || was.owner(e) == seat {
			continue
		}
		x.Disabled, x.Rested, x.Dulled = r.IntN(2) == 0, r.IntN(2) == 0, r.IntN(2) == 0
		if !g.on(e) {
			continue
		}
		x.Spirit, x.Since, x.Silenced, x.Moved, x.Marches, x.Shot = spirit(r.IntN(3)), r.IntN(9), r.IntN(9), r.IntN(900), r.IntN(3), r.IntN(2) == 0
		if x.Holds == 0 && !g.touched(e) {
			g.straysTo(e, r, 4, func(place) bool { return !g.seatKnows(seat, e) })
		}
	}
	for c := commandID(1); int(c) < len(g.Commands); c++ {
		if x := &g.Commands[c]; was.lead(c).side != was.sideOf(seat) || !was.hearsOf(seat, c) {
			x.Die, x.Score, x.Spent, x.Doubles, x.Exchanged = r.IntN(7), r.IntN(12), r.IntN(5), r.IntN(3), r.IntN(2) == 0
			if x.Status == active && r.IntN(3) == 0 {
				x.Status = defeated
			}
		}
	}
	g.prepares(g.sideOf(seat), r)
	for of := range g.Seen {
		for i := range g.Seen[of] {
			if s := &g.Seen[of][i]; side(of) != g.sideOf(seat) || s.Seat != "" && s.Seat != string(seat) {
				s.At, s.Turn = place{X: r.Int64N(g.size.X), Y: r.Int64N(g.size.Y)}, r.IntN(9)
			}
		}
	}
	foreign := func(all []policyCase) []policyCase {
		var kept []policyCase
		for _, c := range all {
			if c.Seat == string(seat) {
				kept = append(kept, c)
			}
		}
		return kept
	}
	g.Standing, g.Ruled = foreign(g.Standing), foreign(g.Ruled)
	return g
}

// A seat of two of a side gets nothing that only the other knows: no report, picture, template, default, choice,
// caution or refusal hangs on it.
func TestAlliesKnowTheirOwn(t *testing.T) {
	games := 1
	if rulestest.FullSamples() {
		games = 6
	}
	for seed := range uint64(games) {
		check := playout.Properties{Rules: New(), Scramble: unknown, Leaks: 1, Answers: 1, Broken: 1, Samples: 1, Deep: 1, Every: 7}
		moved := 0
		look := func(m playout.Moment) error {
			g := m.Position.(*game)
			for _, seat := range []engine.Side{"prussian", "anglo-allied"} {
				for _, e := range g.standing() {
					if g.def(e).side == g.sideOf(seat) && !g.seatKnows(seat, e) {
						moved++
					}
				}
			}
			return check.Observe(m)
		}
		g := playout.Game{Rules: New(), Start: allies(t, seed), Seed: seed}
		if _, err := g.Play(look); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if moved == 0 {
			t.Errorf("seed %d: both players see all of their friends", seed)
		}
	}
}
