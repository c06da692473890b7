package hfg

import (
	"bytes"
	"strings"
	"testing"
)

// The order of battle has the counts that its file says it has.
func TestOrderOfBattle(t *testing.T) {
	s := battle(t)
	type count struct{ elements, halves int }
	got := map[string]count{}
	for i := range s.set.roster {
		d := &s.set.roster[i]
		army := s.set.sides[d.side-1].id
		if s.set.lead(d.command).allied {
			army = "prussian"
		}
		c := got[army]
		c.elements++
		c.halves += d.eq()
		got[army] = c
	}
	for army, want := range map[string]count{"french": {54, 124}, "allied": {51, 110}, "prussian": {33, 66}} {
		if got[army] != want {
			t.Errorf("%s: %+v, want %+v", army, got[army], want)
		}
	}
}

// A position is the same after it was written and read.
func TestPositionIsReadBack(t *testing.T) {
	g := begin(t, nil)
	if text := g.marshal(); !bytes.Equal(text, again(t, g).marshal()) {
		t.Errorf("it has changed:\n%s", text)
	}
	prepared := field(t, 1815, piece{"r1", muskets, 2000, 1000, 0, nil}, piece{"b1", bayonets, 2000, 3000, 180, []grade{elite}})
	text := prepared.marshal()
	if !bytes.Equal(text, again(t, prepared).marshal()) {
		t.Errorf("a position on a setting of its own has changed:\n%s", text)
	}
}

// A scenario file with a fault is refused at its line.
func TestFaultsOfAFile(t *testing.T) {
	good := string(battle(t).source)
	for _, c := range []struct{ was, now, clause, code string }{
		{"year: 1815", "year: 1700", "", "order.want-number"},
		{"at: [6200, 1350]", "at: [6200.125, 1350]", "HFG-1.1", "hfg.length-fine"},
		{"at: [6200, 1350]", "at: [6.2e3, 1350]", "HFG-1.1", "hfg.length"},
		{"at: [6200, 1350]", "at: [99999, 1350]", "HFG-1.1", "hfg.length-far"},
		{"at: [6200, 1350]", "at: [6210, 1350]", "HFG-1.8", "hfg.position-overlap"},
		{"at: [6200, 1350]", "at: [6200, 6050]", "HFG-1.8", "hfg.position-off"},
		{"id: gren-1, command: guard, type: bayonets", "id: gren-1, command: guard, type: rifles", "HFG-2.2", "hfg.element-year"},
		{"type: smoothbore, grades: [heavy]", "type: light-artillery, grades: [heavy]", "HFG-2.4", "hfg.element-grade"},
		{"type: hq, grades: [brilliant]", "type: bayonets", "HFG-3.4", "hfg.command-general"},
		{"rank: c-in-c, aggression: 4, eq: 21", "rank: c-in-c, aggression: 4, eq: 22", "HFG-2.5", "hfg.command-eq"},
		{"rank: c-in-c, aggression: 4, eq: 21", "rank: ac, aggression: 4, eq: 21", "HFG-3.3", "hfg.command-chiefs"},
		{"holds: smohain", "holds: paris-wood", "HFG-4.17", "hfg.element-holds"},
		{"type: sp-garrison, holds: papelotte", "type: muskets, holds: papelotte", "HFG-6.5", "hfg.element-garrison"},
		{"role: defender, base: n", "role: defender, base: e", "HFG-4.23", "hfg.scenario-bases"},
		{"role: defender, base: n", "role: attacker, base: n", "HFG-4.1", "hfg.scenario-roles"},
		{"kind: stream, name: Smohain brook, width: 100", "kind: stream, name: Smohain brook", "HFG-4.7", "hfg.scenario-width"},
		{"kind: wood, name: Wood of Paris", "kind: wood, slope: difficult, name: Wood of Paris", "HFG-4.11", "hfg.scenario-no-hill"},
		{"outline: [[6943, 1479], ", "outline: [", "HFG-4.16", "hfg.scenario-square"},
		{"outline: [[6943, 1479], ", "outline: [[6943, 6479], ", "HFG-1.1", "hfg.scenario-off-field"},
		{"under: guard", "under: reserve", "HFG-7.4", "hfg.command-under"},
	} {
		if strings.Count(good, c.was) == 0 {
			t.Errorf("the file has no %q", c.was)
			continue
		}
		bad := strings.Replace(good, c.was, c.now, 1)
		_, faults := readScenario([]byte(bad))
		found := false
		for _, f := range faults {
			found = found || f.Why.Code == c.code && f.Clause == c.clause && f.Line > 0
		}
		if !found {
			t.Errorf("%s for %s: %v", c.was, c.now, faults)
		}
	}
}
