package hfg

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"berthier/engine"
	"berthier/engine/geometry"
)

var _ engine.Sampler = Ruleset{}

// Sample implements [engine.Sampler]. The view's own troops are as they are, and so are the enemies
// whom it knows. Friends of whom it knows nothing are off the field. Of all others there are those of the scenario, which everybody may read, or
// of an army of the book ([View.mustered]): each that was
// seen once stands where it was last seen, or near it, if it is out of sight there, as chance has it; who
// finds no such place is off the field. Their grades and commands are those of the scenario, or of that army. Nobody has
// ordered anything. Before the first turn no position is made up: the enemy's army is what the game is about.
func (Ruleset) Sample(view engine.View, owed engine.Decision, chance *rand.Rand) (engine.Position, error) {
	v, ok := view.(*View)
	if !ok || v.of == noSide || !slices.Contains(v.owed, owed) {
		return nil, fmt.Errorf("make up a position: %s owes no %s in this view", owed.Side, owed.Kind)
	}
	if v.Phase == preparing {
		return nil, fmt.Errorf("make up a position: the enemy's army is not known")
	}
	g, foe := v.trial(), v.of.enemy()
	if v.scenario.Letters {
		var err error
		if g, err = v.mustered(chance); err != nil {
			return nil, err
		}
		g.draws(foe, chance)
	} else {
		g.setting = g.scenario.set.with(v.setting, v.of)
	}
	g.bodies, g.sights = nil, nil
	for e := elementID(1); int(e) < len(g.Elements); e++ {
		x, d := &g.Elements[e], g.def(e)
		if d.side != foe && (!g.byCommand() || v.owns(e)) || x.At != (place{}) || x.Holds != 0 {
			continue
		}
		if *x = (element{Fate: left, Command: x.Command}); g.lead(d.command).arrival != nil {
			x.Fate = due
		}
		if d.side == foe {
			g.hides(e, v.of, chance)
		}
	}
	for c := commandID(1); int(c) < len(g.Commands); c++ {
		if d := g.lead(c); d.arrival != nil && (d.side == foe || g.Commands[c].Status != absent && !v.hearsOf(v.seat, c)) {
			g.Commands[c].Status = delayed
		}
	}
	g.owed = g.asked()
	if !slices.Contains(g.owed, owed) {
		g.owed = []engine.Decision{owed}
	}
	if q := g.Fray.Asks; q != nil && q.What == askFace {
		g.Fray.Jobs, g.Fray.Stage = []job{{Kind: facing, Of: q.Of}}, 2
	}
	return g, nil
}

// with is a setting in which the commands of a side come on as another says: those do by a road of their
// side who come back after a night (HFG-20.12).
func (s *setting) with(seen *setting, of side) *setting {
	c := *s
	c.commands = slices.Clone(s.commands)
	for i := range c.commands {
		if d := &c.commands[i]; d.side == of {
			d.arrival = seen.commands[i].arrival
		}
	}
	if slices.EqualFunc(c.commands, s.commands, func(a, b commandDef) bool { return a.arrival == b.arrival }) {
		return s
	}
	c.complete()
	return &c
}

// hidingPlaces is how many places are tried for an enemy who is out of sight.
const hidingPlaces = 6

// hides puts an enemy where a side last saw him, or up to some hundred paces off, if he can stand there
// unseen; one of a list whom it never saw, and who isn't due, anywhere on his half.
func (g *game) hides(e elementID, from side, chance *rand.Rand) {
	i := slices.IndexFunc(g.Seen[from], func(s sighting) bool { return s.Element == e })
	if i < 0 {
		if g.scenario.Letters && g.Elements[e].Fate == left && g.def(e).holds == 0 && troops[g.def(e).troop].class != naval {
			g.lurks(e, from, chance)
		}
		return
	}
	s := g.Seen[from][i]
	for n := range hidingPlaces {
		at := point(s.At).Plus(geometry.Step(geometry.Heading(chance.IntN(360)), int64(n*chance.IntN(200))*pace))
		if g.standsUnseen(e, element{At: place(at), Facing: s.Facing}, from) {
			return
		}
	}
}

// standsUnseen puts an element down, if it can stand there and a side doesn't see it.
func (g *game) standsUnseen(e elementID, there element, from side) bool {
	before := g.Elements[e]
	g.Elements[e] = there
	g.bodies, g.sights = nil, nil
	b := g.body(e)
	if !g.leaves(&b) && len(g.overlapping(e, &b)) == 0 && g.standsOn(e, &b) && !g.known(from, e) {
		return true
	}
	g.Elements[e] = before
	g.bodies, g.sights = nil, nil
	return false
}
