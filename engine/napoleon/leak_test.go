package napoleon

import (
	"math/rand/v2"
	"slices"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
)

// scramble is the [playout.Scrambler] of the game. Hidden units of the enemy change
// places and strengths; the enemy gets other standing orders, plans and memories, and
// is asked something else (section 7 of the digest).
func scramble(position engine.Position, side engine.Side, chance *rand.Rand) engine.Position {
	g := position.Clone().(*game)
	mine := frenchCamp
	if g.sideOf(french) != side {
		mine = alliedCamp
	}
	theirs := mine.enemy()
	bound := g.bound()

	var hidden []unitID
	for i := range g.units {
		u := &g.units[i]
		apart := g.apart() && mine == alliedCamp && u.army != french && g.sideOf(u.army) != side && !g.jointAt(u.town)
		if (u.army.camp() == theirs || apart) && u.town != noTown && !u.dead && !u.shown && !bound[u.id] {
			hidden = append(hidden, u.id)
		}
	}
	for range 4 * len(hidden) {
		a, b := &g.units[hidden[chance.IntN(len(hidden))]], &g.units[hidden[chance.IntN(len(hidden))]]
		if a.army == b.army && (a.kind == b.kind || g.anyone(a) && g.anyone(b)) {
			*a, *b = in(*b, *a), in(*a, *b)
		}
	}
	for _, id := range hidden {
		most := g.roster[id].strength
		for _, s := range g.seen[mine] {
			if s.unit == id {
				most = min(most, s.strength)
			}
		}
		g.units[id].strength = 1 + int8(chance.IntN(int(max(most, 1))))
	}

	if g.options.sides == sidesBid { // before it comes onto the map, who gave up a point is hidden (NAP-12.2)
		for i := range g.units {
			if u := &g.units[i]; u.army.camp() == theirs && u.town == noTown && !u.dead {
				u.strength = 1 + int8(chance.IntN(int(g.roster[i].strength)))
			}
		}
	}

	g.seen[theirs] = nil
	for _, s := range g.Sides() {
		if s != side {
			g.standing.set(g.seatOf(s), standing{ceilings: [2]int{1 + chance.IntN(9)}, plans: []plan{holdPlan}})
			for i := range g.battles {
				if b := &g.battles[i]; b.stage == fighting {
					b.planned[g.seatOf(s)] = 1 + chance.IntN(3)
				}
			}
		}
	}
	for i := range g.battles {
		if b := &g.battles[i]; b.acting == theirs && len(g.asks) == 1 && g.asks[0].Side == side {
			b.orders = nil
		}
	}
	for i := range g.asks {
		if g.asks[i].Side != side {
			g.asks[i] = engine.Decision{Side: g.asks[i].Side, Kind: "supply"}
		}
	}
	return g
}

// in gives a unit the place and the state of another.
func in(place, u unit) unit {
	place.id, place.army, place.kind, place.fire, place.strength = u.id, u.army, u.kind, u.fire, u.strength
	return place
}

// anyone tells whether a unit of any kind could be where a unit is, as it is.
func (g *game) anyone(u *unit) bool {
	return (u.field == offBoard || u.field == reserve) && !u.square && u.shelter == noUnit && u.holds == noPiece && !u.shock && !u.salvo
}

// bound gives the units that a battle holds by name: no other unit can take their
// place.
func (g *game) bound() map[unitID]bool {
	ids := map[unitID]bool{}
	for i := range g.units {
		if id := g.units[i].shelter; id != noUnit {
			ids[id] = true
		}
	}
	for i := range g.battles {
		for _, id := range g.battles[i].morale {
			ids[id] = true
		}
	}
	return ids
}

// The scrambler changes something; otherwise the leak test would show nothing.
func TestScrambleChangesWhatIsHidden(t *testing.T) {
	changed := 0
	chance := rand.New(rand.NewPCG(1, 1))
	_, err := playout.Run(New(), engine.Setup{}, 1, func(m playout.Moment) error {
		g := m.Position.(*game)
		s := scramble(g, "french", chance).(*game)
		if !slices.EqualFunc(g.units, s.units, func(a, b unit) bool { return a == b }) {
			changed++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if changed < 10 {
		t.Errorf("only %d positions were changed", changed)
	}
}

// What is hidden from a side changes nothing that it gets: view, page, pictures,
// decisions owed, templates, and the verdicts on good and broken order files.
func TestNothingHiddenShows(t *testing.T) {
	games := 12
	if !fullSamples {
		games = 3
	}
	for i := range games {
		setup := setups[i%len(setups)]
		t.Run(setup.Name, func(t *testing.T) {
			t.Parallel()
			check := playout.Properties{Rules: New(), Scramble: scramble, Leaks: 2, Answers: 1, Broken: 3, Every: 3}
			switch {
			case raceEnabled:
				check.Every = 24
			case !fullSamples:
				check.Every = 9
			}
			if _, err := playout.Run(New(), setup.Setup, uint64(1000+i), check.Observe); err != nil {
				t.Error(err)
			}
		})
	}
}
