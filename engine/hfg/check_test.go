package hfg

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/course"
	"berthier/engine/playout"
	"berthier/orders"
)

// checkedField is the battle of 1815 in its first turn.
func checkedField(t testing.TB) *game {
	t.Helper()
	p, err := New().New(engine.Setup{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Advance(nil, playout.NewDice(3)); err != nil {
		t.Fatal(err)
	}
	return p.(*game)
}

// codesOf are the codes of faults, each with its clause.
func codesOf(all orders.Problems) (codes []string) {
	for _, f := range all {
		codes = append(codes, f.Why.Code)
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

// Each invariant that a ruling may not break, broken once: it is found by its code, and nothing else is.
func TestCheckFindsWhatIsBroken(t *testing.T) {
	for name, c := range map[string]struct {
		code  string
		spoil func(g *game)
	}{
		"nothing": {"", func(*game) {}},
		"another scenario": {"hfg.check-scenario", func(g *game) {
			s := *g.scenario
			s.Scenario = "another"
			g.scenario = &s
		}},
		"the seats":  {"hfg.check-fixed", func(g *game) { g.seated = 1 }},
		"Prussians":  {"hfg.check-fixed", func(g *game) { g.prussians = prussiansNever }},
		"a lost one": {"hfg.check-element", func(g *game) { spoiltSetting(g, func(s *setting) { s.roster[0].id = "stranger" }) }},
		"a type":     {"hfg.check-element", func(g *game) { spoiltSetting(g, func(s *setting) { s.roster[0].troop = cuirassiers }) }},
		"a command":  {"hfg.check-command", func(g *game) { spoiltSetting(g, func(s *setting) { s.commands[0].id = "strange" }) }},
		"the enemy's command": {"hfg.check-enemys", func(g *game) {
			e := g.standing()[0]
			for c := commandID(1); int(c) < len(g.Commands); c++ {
				if g.lead(c).side != g.def(e).side {
					g.Elements[e].Command = c
				}
			}
		}},
		"a turn to come":             {"hfg.check-turn", func(g *game) { g.Elements[g.standing()[0]].Since = 9 }},
		"work from the next turn on": {"", func(g *game) { g.Elements[g.standing()[0]].Task.Since = g.Turn + turnsOfPair }},
		"work from later on":         {"hfg.check-turn", func(g *game) { g.Elements[g.standing()[0]].Task.Since = g.Turn + turnsOfPair + 1 }},
		"seen in a turn to come": {"hfg.check-turn", func(g *game) {
			e := g.standing()[0]
			g.Seen[g.def(e).side.enemy()] = sightings{{Element: e, At: g.Elements[e].At, Turn: 7}}
		}},
		"a friend who was seen": {"hfg.check-seen", func(g *game) {
			e := g.standing()[0]
			g.Seen[g.def(e).side] = sightings{{Element: e, At: g.Elements[e].At, Turn: 1}}
		}},
		"a column of foes": {"hfg.check-column", func(g *game) {
			all := g.standing()
			i := slices.IndexFunc(all, func(e elementID) bool { return g.enemies(e, all[0]) })
			g.Columns = []column{{Members: []elementID{all[0], all[i]}, Track: []place{g.Elements[all[0]].At, g.Elements[all[0]].At}}}
		}},
		"inside a wood": {"hfg.check-inside", func(g *game) {
			i := slices.IndexFunc(g.areas, func(d areaDef) bool { return d.kind != bua })
			g.Elements[g.standing()[0]].Inside = areaID(i + 1)
		}},
		"on the field and gone": {"hfg.position-both", func(g *game) { g.Elements[g.standing()[0]].Fate = left }},
	} {
		t.Run(name, func(t *testing.T) {
			was, g := checkedField(t), checkedField(t)
			c.spoil(g)
			codes := codesOf(g.Check(was))
			if got := strings.Join(codes, " "); got != c.code {
				t.Errorf("found %q, want %q", got, c.code)
			}
		})
	}
}

// spoiltSetting gives a game a setting of its own that is another.
func spoiltSetting(g *game, with func(s *setting)) {
	s := *g.setting
	s.roster, s.commands = slices.Clone(s.roster), slices.Clone(s.commands)
	with(&s)
	s.complete()
	g.setting = &s
}

// A ruling names everything that it breaks, at the lines that say so: who would stand on another, off the field, or in a river without a
// bridge; elements that there aren't.
func TestARulingIsCheckedAtItsPlaces(t *testing.T) {
	river := &setting{year: 1809, lines: []lineDef{lineOf("elbe", river, 200, [2]int64{0, 4000}, [2]int64{12000, 4000})}}
	g := fieldOn(t, river, piece{"r1", muskets, 3000, 1000, 0, nil}, piece{"r2", muskets, 5000, 1000, 0, nil}, piece{"r3", muskets, 7000, 1000, 0, nil})
	g.owed = []engine.Decision{{Side: "red", Kind: stopTurn}}
	g.Phase = moving
	for _, c := range []struct {
		set  string
		want map[string]int // the line of each fault
	}{
		{"elements:\n  r1: {at: [3000, 1500]}\n  r2: {facing: 90}\n  r3: {at: ~, fate: destroyed}\n", nil},
		{"elements:\n  r1: {at: [12100, 1500]}\n  r2: {at: [7000, 1000]}\n", map[string]int{"hfg.position-off": 2, "hfg.position-overlap": 3}},
		{"elements:\n  r1: {fate: lost}\n  r9: {facing: 90}\n  r2: {facing: 400}\n", map[string]int{"order.unknown-word": 2, "order.unknown-element": 3, "order.want-number": 4}},
		{"elements:\n  r2: {since: 8}\n  r1: {at: [3000, 4050]}\n", map[string]int{"hfg.check-turn": 2, "hfg.check-ground": 3}},
	} {
		next, faults, err := course.Edited(New(), g, c.set)
		if err != nil {
			t.Fatal(err)
		}
		if len(faults) == 0 {
			overlay, _ := orders.ParseNode([]byte(c.set))
			faults = course.Moved(next.(engine.Checked).Check(g), nil, overlay)
		}
		got := map[string]int{}
		for _, f := range faults {
			got[f.Why.Code] = f.Line
		}
		if !maps.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.set, got, c.want)
		}
	}
}

// Who stands on a bridge that is destroyed stays where he is: no ruling is refused for it (HFG-10.7).
func TestCheckLetsWhoLostHisBridgeStay(t *testing.T) {
	g := fieldOn(t, &setting{year: 1809, lines: []lineDef{lineOf("elbe", river, 200, [2]int64{0, 4000}, [2]int64{12000, 4000})}, bridges: []bridge{{ID: "bridge", Over: 1, At: place(pt(3000, 4000))}}},
		piece{"r1", muskets, 3000, 4100, 0, nil})
	after := g.trial()
	is(t, "faults on the bridge", len(after.Check(g)), 0)
	after.Bridges = nil
	is(t, "faults without it", len(after.Check(g)), 0)
	is(t, "faults when it had been destroyed", len(after.Check(after)), 0)
	after.Elements[named(t, after, "r1")].At = place(pt(5000, 4100))
	is(t, "put into the river", strings.Join(codesOf(after.trial().Check(g)), " "), "hfg.check-ground")
}
