package waterloo

import (
	"slices"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A position that a game master could write, but to which the rules never lead, is
// refused with the clause that it breaks. Each invariant is broken at a stop of some
// kind.
func TestCheck(t *testing.T) {
	stopped := map[string]*game{}
	for _, setup := range setups {
		if setup.Name == "other readings" { // in which a round may have several rights to attack
			continue
		}
		_, err := playout.Run(New(), setup.Setup, 3, func(m playout.Moment) error {
			for _, d := range m.Owed {
				if key := setup.Name + " " + d.Kind; stopped[key] == nil {
					stopped[key] = m.Position.Clone().(*game)
				}
			}
			if len(m.Owed) == 0 {
				stopped[setup.Name+" over"] = m.Position.Clone().(*game)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	alive := func(g *game, a army) unitID {
		for id := range g.everyUnit() {
			if g.armyOf(id) == a && g.whole(id) {
				return id
			}
		}
		t.Fatalf("no whole unit of %s is on the board", a)
		return 0
	}
	free := func(g *game) square {
		for q := square(1); ; q++ {
			if g.unitAt(q) == 0 && g.terrain[q] == open && !slices.ContainsFunc(g.objectives, func(o objectiveDef) bool { return o.at == q }) {
				return q
			}
		}
	}
	waiting := func(g *game, a army) unitID { // a unit that has not come yet
		for i := len(g.roster); i > 0; i-- {
			if d := g.def(unitID(i)); d.army == a && g.Units[i].At == 0 && d.arrives > g.Turn {
				return unitID(i)
			}
		}
		t.Fatalf("every unit of %s has come", a)
		return 0
	}
	for _, test := range []struct {
		code, clause, at string
		spoil            func(g *game)
	}{
		{"wat.check-scenario", "", "full round", func(g *game) { g.scenario = library.Scenarios()[1] }},
		{"wat.check-fixed", "WAT-1.4", "full round", func(g *game) { g.options.length = 1 - g.options.length }},
		{"wat.check-fixed", "WAT-1.3", "full round", func(g *game) { g.options.players = playersThree }},
		{"wat.check-fixed", "WAT-3.1", "full round", func(g *game) { g.options.setup = 1 }},
		{"wat.check-pieces", "WAT-3.1", "full round", func(g *game) { g.Units = g.Units[:len(g.Units)-1] }},
		{"wat.position-turn", "WAT-1.4", "full round", func(g *game) { g.Turn = 8 }},
		{"wat.scenario-place", "WAT-8.9", "full round", func(g *game) { g.unit(alive(g, french)).At = g.unit(alive(g, anglo)).At }},
		{"wat.position-reduced", "WAT-9.36", "full round", func(g *game) {
			for id := range g.everyUnit() {
				g.unit(id).Reduced = g.unit(id).Reduced || g.def(id).reduced == 0
			}
		}},
		{"wat.check-dead", "WAT-9.36", "full round", func(g *game) { g.unit(alive(g, french)).Dead = true }},
		{"wat.position-prussian", "WAT-3.3", "quick round", func(g *game) { g.unit(waiting(g, prussian)).At = free(g) }},
		{"wat.check-early", "WAT-5.1", "full round", func(g *game) { g.unit(waiting(g, prussian)).At = free(g) }},
		{"wat.check-gone", "WAT-3.1", "full round", func(g *game) { *g.unit(alive(g, french)) = unit{} }},
		{"wat.check-marks", "WAT-9.36", "full round", func(g *game) { g.unit(waiting(g, prussian)).Disordered = true }},
		{"wat.check-markers", "WAT-4.9", "full bid", func(g *game) { g.unit(alive(g, anglo)).Moved = true }},
		{"wat.position-commander", "WAT-12.1", "full round", func(g *game) { g.Commanders[napoleon].At = g.unit(alive(g, anglo)).At }},
		{"wat.check-aside", "WAT-12.5", "full round", func(g *game) { g.Commanders[napoleon].At = 0 }},
		{"wat.check-cdp", "WAT-10.4", "full round", func(g *game) { g.CDP[1] = 99 }},
		{"wat.check-unmarked", "WAT-3.2", "quick round", func(g *game) {
			for i := range g.objectives {
				if !g.marked(objectiveID(i + 1)) {
					g.Control[i+1] = frenchCamp
					return
				}
			}
		}},
		{"wat.check-control", "WAT-13.1", "full round", func(g *game) {
			for i := range g.objectives {
				if g.marked(objectiveID(i+1)) && g.unitAt(g.objectives[i].at) != 0 {
					g.Control[i+1] = g.Control[i+1].enemy()
				}
			}
		}},
		{"wat.check-entry", "WAT-5.3", "full round", func(g *game) { g.Entry = free(g) }},
		{"wat.position-card", "WAT-6.0", "full round", func(g *game) { d := &g.Decks[french]; d.Used = append(d.Used, d.Hand[0]) }},
		{"wat.position-card", "WAT-6.0", "full round", func(g *game) { g.Decks[french].Hand[0] = g.Decks[anglo].Hand[0] }},
		{"wat.position-card", "WAT-3.3", "quick round", func(g *game) { g.Decks[prussian].Hand = g.deckOf(prussian)[:1] }},
		{"wat.check-dealt", "WAT-4.2", "full round", func(g *game) { g.Decks[anglo].Hand = g.Decks[anglo].Hand[1:] }},
		{"wat.check-dealt", "WAT-4.2", "full over", func(g *game) { g.Decks[anglo].Used = add(g.Decks[anglo].Used, g.undealt(anglo)[0]) }},
		{"wat.check-committed", "WAT-9.14", "full round", func(g *game) { g.commit(g.Decks[anglo].Hand[0]) }},
		{"wat.check-commitment", "WAT-9.10", "full commit", func(g *game) {
			b := under[*battleFrame](g)
			b.Attack.Cards = []commit{{Card: g.undealt(g.fighting(b, attacking))[0]}}
		}},
		{"wat.check-commitment", "WAT-9.10", "full commit", func(g *game) {
			b := under[*battleFrame](g)
			card := g.Decks[g.fighting(b, attacking)].Hand[0]
			b.Attack.Cards = []commit{{Card: card}, {Card: card}}
		}},
		{"wat.check-first", "WAT-7.1", "full round", func(g *game) { g.turnNow().First = noCamp }},
		{"wat.check-owed", "WAT-7.2", "full bid", func(g *game) { g.asks = g.asks[:1] }},
		{"wat.check-owed", "WAT-6.6", "three players army", func(g *game) { g.asks = g.asks[:1] }},
		{"wat.check-played", "WAT-4.4", "full round", func(g *game) { g.roundNow().Played = g.limit + 1 }},
		{"wat.check-rights", "WAT-4.21", "full round", func(g *game) { g.roundNow().Rights = 2 }},
		{"wat.check-lock", "WAT-6.6", "full loss", func(g *game) { r := g.roundNow(); r.Camp, r.Army, r.Lock = alliedCamp, anglo, prussian }},
		{"wat.check-moving", "WAT-6.4", "full cavalry-retreat", func(g *game) {
			card := under[*moveFrame](g).Card
			d := &g.Decks[g.card(card).army]
			d.Used, d.Hand = drop(d.Used, card), add(d.Hand, card)
		}},
		{"wat.check-mp", "WAT-8.1", "full cavalry-retreat", func(g *game) { under[*moveFrame](g).MP = 9 }},
		{"wat.position-flow", "", "full round", func(g *game) { g.Flow = g.Flow[1:] }},
		{"wat.position-flow", "", "full over", func(g *game) { g.outcome = nil }},
		{"wat.position-flow", "", "full loss", func(g *game) { g.push(under[*battleFrame](g)) }},
		{"wat.check-winners", "WAT-1.5", "three players over", func(g *game) { g.outcome.Winners = []engine.Side{"anglo"} }},
	} {
		was := stopped[test.at]
		if was == nil {
			t.Errorf("%s: no game came to the stop %q", test.code, test.at)
			continue
		}
		if faults := was.Check(was); len(faults) > 0 {
			t.Errorf("%s at %q: before anything was changed: %v", test.code, test.at, faults)
		}
		next := was.Clone().(*game)
		if next.outcome != nil {
			outcome := *next.outcome
			next.outcome = &outcome
		}
		test.spoil(next)
		faults := next.Check(was)
		if !slices.ContainsFunc(faults, func(p orders.Problem) bool { return p.Why.Code == test.code && p.Clause == test.clause }) {
			t.Errorf("at %q: want %s (%s), have %v", test.at, test.code, test.clause, faults)
		}
	}
	p, _, _ := playout.Ruled(New(), stopped["full round"], []byte("ruleset: waterloo"))
	if p != nil {
		t.Error("a position of nothing was accepted")
	}
}

// A change that the rules allow is accepted: a unit is brought back, moved or reduced,
// a used card goes back to the hand, an option is changed.
func TestCheckAllowsRulings(t *testing.T) {
	g := begun(t, nil)
	m := umpire{t, g}
	m.put("F-1/I", "A-3", north)
	m.put("A-1/I", "C-3", south)
	was := g.Clone().(*game)
	if faults := was.Check(was); len(faults) > 0 {
		t.Fatal(faults)
	}
	for name, change := range map[string]func(g *game){
		"moved":    func(g *game) { g.unit(m.id("F-1/I")).At = g.unit(m.id("F-1/I")).At + 1 },
		"reduced":  func(g *game) { g.unit(m.id("F-1/I")).Reduced = true },
		"killed":   func(g *game) { *g.unit(m.id("F-1/I")) = unit{Dead: true} },
		"used":     func(g *game) { g.use(g.Decks[french].Hand[0]) },
		"option":   func(g *game) { g.options.bank = on },
		"nothing":  func(*game) {},
		"no round": func(g *game) { g.roundNow().Ending = true },
	} {
		next := was.Clone().(*game)
		change(next)
		if faults := next.Check(was); len(faults) > 0 {
			t.Errorf("%s: %v", name, faults)
		}
	}
	dead := was.Clone().(*game)
	*dead.unit(m.id("F-1/I")) = unit{Dead: true}
	if faults := was.Check(dead); len(faults) > 0 {
		t.Errorf("brought back: %v", faults)
	}
}

// A refusal says in both languages what is wrong and, if only one thing would be right,
// what to write.
func TestCheckNamesARemedy(t *testing.T) {
	g := begun(t, nil)
	next := g.Clone().(*game)
	next.options.players = playersThree
	faults := next.Check(g)
	if len(faults) != 1 || faults[0].Remedy.Code != "order.write" || !slices.ContainsFunc(faults[0].Remedy.Args, func(a phrase.Arg) bool {
		return a.Value.Text == "options: {players: 2}"
	}) {
		t.Errorf("%+v", faults)
	}
}

// A damaged position is refused, and the refusal names what is wrong; or it can be
// played on to the end.
func TestDamagedPositions(t *testing.T) {
	rulestest.Damaged(t, New(), moments(t), inOrder)
}
