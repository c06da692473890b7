package napoleon

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/orders"
)

// cautionsOf judges a side's orders for a decision and gives the kinds of cautions
// about them.
func cautionsOf(t *testing.T, g *game, d engine.Decision, file string) []string {
	t.Helper()
	doc, problems := orders.Parse(file, nil)
	if len(problems) > 0 {
		t.Fatalf("parse: %s", playout.Explain(problems))
	}
	answer, problems := New().Read(g.View(d.Side), d, doc)
	if len(problems) > 0 {
		t.Fatalf("read: %s\n%s", playout.Explain(problems), file)
	}
	var kinds []string
	for _, c := range New().Cautions(g.View(d.Side), d, answer) {
		kinds = append(kinds, c.Kind)
	}
	return kinds
}

// A movement that is legal but odd brings a caution, and a movement that is not odd
// brings none.
func TestCautionsOfMoves(t *testing.T) {
	position, err := New().New(engine.Setup{Options: map[string]string{"setup": "historical"}})
	if err != nil {
		t.Fatal(err)
	}
	g := position.(*game)
	g.asks, g.phase, g.turn = nil, movement, slices.IndexFunc(g.turns, func(t turnDef) bool { return t.camp == alliedCamp && !t.night })
	d := engine.Decision{Side: "allied", Kind: "move"}
	supply := townID(slices.IndexFunc(g.towns, func(t town) bool { return t.loss > 0 && t.supply == angloDutch }))
	next := g.roads[g.towns[supply].roads[0]].from(supply)
	leaders, troops := []unitID(nil), []unitID(nil)
	for i := range g.units {
		u := &g.units[i]
		switch {
		case u.army != angloDutch:
		case u.kind == leader:
			leaders = append(leaders, u.id)
		default:
			troops = append(troops, u.id)
		}
		if u.army.camp() == alliedCamp {
			u.town = g.townAt["namur"]
		}
	}
	g.units[leaders[0]].town, g.units[troops[0]].town = supply, supply
	move := func(units ...unitID) string {
		return "orders:\n  - move: {from: " + g.towns[supply].name + ", to: " + g.towns[next].name + ", units: " + g.unitTexts(units).Encode() + "}\n"
	}
	for _, c := range []struct {
		name string
		file string
		want []string
	}{
		{"nothing", "orders: none\n", nil},
		{"one of two", move(troops[0]), nil},
		{"leader alone", move(leaders[0]), []string{oddLeader}},
		{"all of them", move(leaders[0], troops[0]), []string{oddSupply}},
	} {
		if got := cautionsOf(t, g, d, c.file); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	for i := range g.units { // three enemy blocks next door
		if u := &g.units[i]; u.army == french {
			u.town = noTown
			if i < 3 {
				u.town = next
			}
		}
	}
	if got := cautionsOf(t, g, d, move(troops[0])); !slices.Contains(got, oddAttack) {
		t.Errorf("an attack on three by one: %q", got)
	}
}

// In battles with random answers every kind of caution comes up where the choices are
// made for it.
func TestCautionsOfBattles(t *testing.T) {
	if raceEnabled {
		return // nothing here runs side by side, and it takes long
	}
	found := map[string]int{}
	look := func(v engine.View, d engine.Decision, a engine.Answer) {
		for _, c := range New().Cautions(v, d, a) {
			found[c.Kind]++
		}
	}
	for seed := range uint64(40) {
		start := battleground(t, setups[seed%uint64(len(setups))].Setup, seed)
		game := playout.Game{Rules: New(), Start: start, Seed: seed, MaxStops: 5000}
		_, err := game.Play(whileFighting(func(m playout.Moment) error {
			for _, d := range m.Owed {
				v := m.Position.View(d.Side)
				look(v, d, m.Answers[d.Side])
				look(v, d, New().Compose(v, d, oddChoices(v.(*View), d)))
			}
			return nil
		}))
		if err != nil && !errors.Is(err, errPeace) {
			t.Error(err)
		}
	}
	for _, kind := range []string{oddSquare, oddEmpty, oddLeader, oddContradict, oddMoved, oddLoss} {
		if found[kind] == 0 {
			t.Errorf("no %s among %v", kind, found)
		}
	}
}

// oddChoices chooses, where it can: a reinforcement that is also to regroup, together
// with a retreat; or a leader alone in a position; or leaders as losses.
func oddChoices(v *View, d engine.Decision) []engine.Choice {
	var made []engine.Choice
	take := func(fits func(engine.Choice) bool) (engine.Choice, bool) {
		for _, c := range New().Choices(v, d, made) {
			if fits(c) {
				made = append(made, c)
				return c, true
			}
		}
		return engine.Choice{}, false
	}
	leads := func(c engine.Choice) bool { return c.Of != "" && v.unit(unitCalled(v, c.Of)).kind == leader }
	switch d.Kind {
	case "battle-turn":
		take(func(c engine.Choice) bool { return strings.HasPrefix(c.What, "retreat ") })
		if come, ok := take(func(c engine.Choice) bool { return c.Of != "" && strings.HasPrefix(c.What, "reinforce ") }); ok {
			take(func(c engine.Choice) bool { return c.Of == come.Of && strings.HasPrefix(c.What, "regroup ") })
		}
	case "deploy-defender", "deploy-attacker":
		if _, ok := take(func(c engine.Choice) bool { return leads(c) && c.What == "left" }); ok {
			for ok {
				_, ok = take(func(c engine.Choice) bool { return c.What == "reserve" })
			}
		}
	case "hits", "supply":
		take(leads)
	}
	return made
}

// A forced march by a unit of strength one is odd, and so is a retreat to a town from which
// every other road leads to enemy blocks. Both hold the stop; an open position doesn't.
func TestCautionsThatHold(t *testing.T) {
	position, err := New().New(engine.Setup{Options: map[string]string{"setup": "historical"}})
	if err != nil {
		t.Fatal(err)
	}
	g := position.(*game)
	v := g.View("french").(*View)
	id := v.livingUnits()[0]
	for _, strength := range []int8{1, 2} {
		v.units[id].strength = strength
		list := v.oddMoves(moveAnswer{s: v.scenario, forced: []unitID{id}})
		if odd := slices.ContainsFunc(list, func(c engine.Caution) bool { return c.Kind == oddForced && c.Holds }); odd != (strength == 1) && v.units[id].kind != leader {
			t.Errorf("a forced march by a unit of strength %d: %v", strength, list)
		}
	}
	from := v.units[id].town
	to := v.roads[v.towns[from].roads[0]].from(from)
	if list := v.oddRetreats([]place{{id, to}}); len(list) != 0 {
		t.Errorf("a retreat to open country: %v", list)
	}
	for i := range v.units {
		v.units[i].town = noTown
	}
	for i, r := range v.towns[to].roads {
		if next := v.roads[r].from(to); next != from {
			for j := range v.units {
				if u := &v.units[j]; u.army.camp() == v.camp().enemy() && u.town == noTown && j >= i {
					u.town = next
					break
				}
			}
		}
	}
	v.units[id].town = from
	if list := v.oddRetreats([]place{{id, to}}); len(list) != 1 || !list[0].Holds {
		t.Errorf("a retreat among enemies: %v", list)
	}
	if caution(oddEmpty, "").Holds || caution(oddSquare, "").Holds {
		t.Error("what is said of every battle holds the stop")
	}
}
