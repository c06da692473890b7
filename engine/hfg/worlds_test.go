package hfg

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
)

// otherwise is the [playout.Scrambler] of what one side has of which the other knows nothing, over what [unknown] changes: grades, to whom
// elements belong, what was never seen and whether it is still to come, by which road and when; how many commands there are and how they are
// called, what they have ordered, aimed and decided beforehand, what was bought, and for how long a surprise lasts (section 7 of the digest).
func otherwise(position engine.Position, seat engine.Side, r *rand.Rand) engine.Position {
	was := position.(*game)
	g := unknown(position, seat, r).(*game)
	of := g.sideOf(seat)
	if g.Phase == over || of == noSide || len(g.roster) == 0 || g.Phase == preparing && g.Prepare.Map != nil {
		return g
	}
	foe := of.enemy()
	s := *g.setting
	s.roster, s.commands = slices.Clone(s.roster), slices.Clone(s.commands)
	seen := func(e elementID) bool {
		return was.seatKnows(seat, e) || slices.ContainsFunc(was.Seen[of], func(x sighting) bool { return x.Element == e }) || was.Fray.Asks != nil && (was.Fray.Asks.By == e || was.Fray.Asks.Of == e)
	}
	var leads []int // commands of the enemy
	for i := range s.commands {
		if s.commands[i].side == foe {
			leads = append(leads, i)
		}
	}
	for i := range s.roster {
		d, e := &s.roster[i], elementID(i+1)
		if d.side != foe {
			continue
		}
		if d.grades = nil; troops[d.troop].class == foot && d.troop != spGarrison && r.IntN(2) == 0 {
			d.grades = []grade{elite}
		}
		if troops[d.troop].class != staff && d.troop != spGarrison {
			d.command = commandID(leads[r.IntN(len(leads))] + 1)
		}
		if !seen(e) && !g.on(e) {
			d.id = fmt.Sprintf("never-seen-%d", i)
			if troops[d.troop].class == foot && g.scenario.Letters {
				d.troop = []troop{marksmen, muskets}[r.IntN(2)]
			}
			if x := &g.Elements[e]; x.Fate == due || x.Fate == left {
				x.Fate = []fate{due, left}[r.IntN(2)]
			}
		}
	}
	for _, i := range leads {
		d := &s.commands[i]
		d.aggression = r.IntN(5)
		if g.scenario.Letters {
			d.id, d.name = fmt.Sprintf("unheard-%d", i), "Nobody"
		}
		if d.arrival != nil {
			d.arrival = &arrivalDef{road: d.arrival.road, edge: d.arrival.edge, die: 1 + r.IntN(6), earliest: r.IntN(9)}
			g.Commands[i+1].Arrives = r.IntN(30)
		}
	}
	if g.scenario.Letters { // somebody more, of whom nobody has heard
		s.commands = append(s.commands, commandDef{id: "unheard", side: foe, rank: subordinate})
		s.roster = append(s.roster, elementDef{id: "unheard-general", command: commandID(len(s.commands)), troop: commandParty}, elementDef{id: "unheard-foot", command: commandID(len(s.commands)), troop: muskets})
		g.Commands = append(g.Commands, command{Status: delayed})
		g.Elements = append(g.Elements, element{Fate: due}, element{Fate: due})
		g.bodies, g.sights = nil, nil
	}
	s.complete()
	g.setting = &s
	theirs := func(e elementID) bool { return g.def(e).side == foe }
	if g.phasing() == foe {
		g.Moves = slices.Clone(g.Moves[:r.IntN(len(g.Moves)+1)])
		g.More, g.Again = r.IntN(2) == 0, r.IntN(2) == 0
	}
	g.Aimed = slices.DeleteFunc(slices.Clone(g.Aimed), func(x shot) bool { return theirs(x.By) && r.IntN(2) == 0 })
	g.Held = slices.DeleteFunc(slices.Clone(g.Held), theirs)
	g.Policies[foe] = nil
	if of != g.attacker() && g.Surprise > 0 {
		g.Surprise = 1 + r.IntN(9)
	}
	if p := g.Prepare; p != nil {
		p.Buys[foe], p.Hidden[foe], p.Feature[foe] = wares{Defending: []ware{{buysBarricade, 1 + r.IntN(4)}}}, r.IntN(4), r.IntN(6)
		p.Bases = slices.Clone(p.Bases)
		p.Bases[foe-1] = book().lists[r.IntN(len(book().lists))].id
	}
	return g
}

// Two worlds that look alike to a side are alike in everything that it gets: its view, its page with the pictures, templates, defaults, choices,
// refusals, and positions made up from what it sees.
func TestTwoWorldsThatLookAlike(t *testing.T) {
	games := []rulestest.Setup{
		{Name: "waterloo", Setup: engine.Setup{Options: map[string]string{"sunset-pairs": "4"}}},
		{Name: "lists", Setup: engine.Setup{Scenario: "two-armies", Options: map[string]string{"sunset-pairs": "4"}}},
		{Name: "lists of one's own", Setup: engine.Setup{Scenario: "two-armies", Options: map[string]string{"pair": "borodino", "lists": "own", "sunset-pairs": "4"}}},
		{Name: "campaign", Setup: engine.Setup{Scenario: "two-armies", Options: map[string]string{"campaign": "yes", "sunset-pairs": "4"}}},
	}
	for i, setup := range games {
		t.Run(setup.Name, func(t *testing.T) {
			t.Parallel()
			every := 13
			if rulestest.FullSamples() {
				every = 2
			} else if i != 1 && i != 2 { // where most may be chosen, and most stops come
				every = 17
			}
			changed := 0
			check := playout.Properties{Rules: New(), Leaks: 1, Answers: 1, Broken: 1, Samples: 1, Deep: 1, Every: every,
				Scramble: func(p engine.Position, side engine.Side, r *rand.Rand) engine.Position {
					other := otherwise(p, side, r)
					if string(other.(*game).marshal()) != string(p.(*game).marshal()) {
						changed++
					}
					return other
				}}
			look := func(m playout.Moment) error {
				if g := m.Position.(*game); g.Phase == preparing { // nothing is made up
					return alike(check, m)
				}
				return check.Observe(m)
			}
			if _, err := playout.Run(check.Rules, setup.Setup, uint64(40+i), look); err != nil {
				t.Error(err)
			}
			if changed < 2 {
				t.Errorf("only %d positions were changed", changed)
			}
		})
	}
}

// alike compares what a side is shown of two worlds in the preparation: view, page, template, default.
func alike(check playout.Properties, m playout.Moment) error {
	r := rand.New(rand.NewPCG(uint64(m.Number), 3))
	for _, d := range m.Owed {
		v, w := m.Position.View(d.Side), check.Scramble(m.Position, d.Side, r).View(d.Side)
		a, _ := v.Marshal()
		b, _ := w.Marshal()
		if string(a) != string(b) {
			return fmt.Errorf("%s: the view: %s", d.Kind, rulestest.FirstDifference(string(a), string(b)))
		}
		if !reflect.DeepEqual(v.Page(), w.Page()) {
			return fmt.Errorf("%s: the page", d.Kind)
		}
		if x, y := check.Rules.Template(v, d).Encode(), check.Rules.Template(w, d).Encode(); x != y {
			return fmt.Errorf("%s: the template: %s", d.Kind, rulestest.FirstDifference(x, y))
		}
		if x, y := check.Rules.Default(v, d).Orders().Encode(), check.Rules.Default(w, d).Orders().Encode(); x != y {
			return fmt.Errorf("%s: the default: %s", d.Kind, rulestest.FirstDifference(x, y))
		}
	}
	return nil
}
