package mistakes

import (
	"slices"
	"testing"

	"berthier/orders"
)

// battle is the built-in scenario.
func battle(t testing.TB) *scenario {
	t.Helper()
	s, ok := library.Named("")
	if !ok {
		t.Fatal("there is no scenario")
	}
	return s
}

// The order of battle has the counts of the counters that the rulebook lists.
func TestOrderOfBattle(t *testing.T) {
	s := battle(t)
	type count struct{ foot, horse, guns, limbered, garrisons, generals, markers int }
	var got [armies]count
	for _, d := range s.roster {
		c := &got[d.army]
		switch {
		case d.garrison():
			c.garrisons++
		case d.arm == infantry:
			c.foot++
		case d.arm == cavalry:
			c.horse++
		default:
			c.guns++
		}
		if d.limbered {
			c.limbered++
		}
	}
	for _, d := range s.leaders {
		if d.role == general {
			got[d.army].generals++
		}
	}
	for a := blue; a < armies; a++ {
		got[a].markers = s.supply[a].markers
		if want := 4*got[a].generals + 6 + got[a].generals; got[a].markers != want {
			t.Errorf("%s has %d markers, want %d", a, got[a].markers, want)
		}
	}
	want := [armies]count{
		blue:  {foot: 24, horse: 17, guns: 11, limbered: 6, generals: 6, markers: 36},
		red:   {foot: 22, horse: 11, guns: 7, limbered: 2, garrisons: 2, generals: 4, markers: 26},
		black: {foot: 18, horse: 7, guns: 5, generals: 3, markers: 21},
	}
	if got != want {
		t.Errorf("counts by army:\n%+v, want\n%+v", got, want)
	}
	if units := len(s.roster); units != 124 {
		t.Errorf("%d units and garrisons, want 124, one for each loss token", units)
	}
}

// What the file says of strengths fits the rulebook's: so many men to a tile.
func TestStrengths(t *testing.T) {
	for _, d := range battle(t).roster {
		if d.garrison() || d.arm == artillery {
			continue
		}
		low, high := 1500, 2500
		if d.arm == cavalry {
			low, high = 800, 1200
		}
		if d.strength < low || d.strength > high {
			t.Errorf("%s has %d men, want %d to %d", d.id, d.strength, low, high)
		}
	}
}

// Every area can hold a tile, and none of them lies on another of those that add up in a
// combat or hide a target.
func TestAreas(t *testing.T) {
	s := battle(t)
	for i := range s.areas {
		a := s.outline(areaID(i + 1))
		if wide, deep := a.Hi.X-a.Lo.X, a.Hi.Y-a.Lo.Y; wide < 32_000 || deep < 32_000 {
			t.Errorf("%s is %d by %d um: no tile fits in it", s.areas[i].id, wide, deep)
		}
		for j := range i {
			b := s.outline(areaID(j + 1))
			if a.Hi.X < b.Lo.X || b.Hi.X < a.Lo.X || a.Hi.Y < b.Lo.Y || b.Hi.Y < a.Lo.Y {
				continue
			}
			inside := slices.ContainsFunc(a.P, func(p point) bool { return b.Where(p) > 0 }) ||
				slices.ContainsFunc(b.P, func(p point) bool { return a.Where(p) > 0 })
			if inside {
				t.Errorf("%s and %s overlap", s.areas[i].id, s.areas[j].id)
			}
		}
	}
}

// Every unit of an army on the field at the start stands, and the Prussians don't.
func TestSetUp(t *testing.T) {
	g := begin(t, nil)
	for u := unitID(1); int(u) < len(g.Units); u++ {
		if d := g.def(u); g.on(u) != (d.army != black) {
			t.Errorf("%s: on the field is %v", d.id, g.on(u))
		}
	}
}

// Every fault of a scenario file is told with its line.
func TestScenarioFaults(t *testing.T) {
	data, err := files.ReadFile(library.Built[0])
	if err != nil {
		t.Fatal(err)
	}
	good := string(data)
	refused(t, good, []spoilt{
		{"ruleset: enemy-mistakes", "ruleset: napoleon", "play.ruleset-other"},
		{"reconstruction: true", "reconstructed: true", "order.unknown-key"},
		{"{segment: 30,", "{segment: 0,", "em.scenario-positive"},
		{"{segment: 30,", "{segment: 30.0001,", "em.length-fine"},
		{"{segment: 30,", "{segment: 3e1,", "em.length"},
		{"{segment: 30,", "{segment: 300000,", "em.length-far"},
		{"size: [1120, 680]", "size: [1120]", "em.place-pair"},
		{"size: [1120, 680]", "size: [1120, 0]", "em.scenario-positive"},
		{"french_limit: 840", "french_limit: -1", "em.scenario-positive"},
		{"[[376, 186], [428, 186]", "[[376, 186], [376, 186]", "em.scenario-repeated"},
		{"[[376, 186], [428, 186], [428, 232], [376, 232]]", "[[376, 186], [400, 186], [428, 186], [428, 232]]", "em.scenario-straight"},
		{"[[376, 186], [428, 186], [428, 232], [376, 232]]", "[[376, 186], [428, 232], [428, 186], [376, 232]]", "em.scenario-knotted"},
		{"[[376, 186], [428, 186], [428, 232], [376, 232]]", "[[376, 186], [428, 186]]", "play.position-short"},
		{"[[376, 186], [428, 186]", "[[376, -1], [428, 186]", "em.scenario-off-field"},
		{"[571, 600], [571, 680]]", "[571, 680], [571, 680]]", "em.scenario-path"},
		{"stream: stream-lasne", "stream: road-planch", "em.scenario-stream"},
		{"road: road-planch", "road: stream-lasne", "em.scenario-road"},
		{"stream: stream-lasne", "stream: brook", "order.unknown-line"},
		{"{id: blue-2, corps", "{id: blue-3, corps", "play.twice"},
		{"{id: black-30, corps", "{id: black-31, corps", "em.scenario-number"},
		{"{id: blue-1, corps: blue-GD, arm: infantry", "{id: blue-1, corps: blue-GD, arm: cavalry", "em.scenario-weight"},
		{"{id: blue-1, corps: blue-GD, arm: infantry", "{id: blue-1, corps: blue-GD, arm: artillery", "em.scenario-mount"},
		{"{id: blue-7, corps: blue-GD, arm: cavalry, weight: light", "{id: blue-7, corps: blue-GD, arm: cavalry, fire: 1, weight: light", "em.scenario-fire"},
		{"{id: blue-1, corps: blue-GD", "{id: blue-1, limbered: true, corps: blue-GD", "em.scenario-limbered"},
		{"{id: blue-1, corps: blue-GD", "{id: blue-1, corps: blue-V", "order.unknown-corps"},
		{"{id: black-1, corps", "{id: black-1, heading: 20, corps", "em.scenario-nowhere"},
		{"role: general, corps: blue-I,", "role: general, corps: blue-II,", "em.scenario-leader-corps"},
		{"role: commander, level: 4, at: [600", "role: ney, level: 4, at: [600", "em.scenario-chiefs"},
		{"attached: blue-38", "attached: red-20", "em.scenario-leader-army"},
		{"attached: blue-38", "attached: blue-38, at: [600, 600]", "em.scenario-leader-place"},
		{"- {id: blue-IV, army: blue, sign: IV}", "- {id: blue-IV, army: blue, sign: IV}\n- {id: blue-X, army: blue, sign: X}", "em.scenario-unled"},
		{"- {id: hougoumont, army: red", "- {id: hill-ba, army: red", "em.scenario-town"},
		{"{army: red, town: haye-sainte, vp: 20", "{army: blue, town: haye-sainte, vp: 20", "em.scenario-garrison"},
		{"{army: blue, town: mont-st-jean", "{army: blue, town: crop-rye", "em.scenario-town"},
		{"plus: {frichermont: 5", "plus: {crop-rye: 5", "em.scenario-town"},
		{"turns: [1, 7]", "turns: [7, 1]", "em.scenario-turns"},
		{"turns: [1, 7]", "turns: [1, 20]", "em.scenario-turns"},
		{"scoring: short", "scoring: short, towns: plus", "em.scenario-towns"},
		{"players: [2], scoring: short", "players: [2, 3], scoring: short", "em.scenario-black"},
		{"scoring: short, garrisons", "scoring: short, black_stands: true, garrisons", "em.scenario-black"},
		{"scoring: short, garrisons", "scoring: short, deploy: true, garrisons", "em.scenario-no-garrisons"},
		{"garrisons: true, capacity: {hougoumont: 1", "garrisons: true, capacity: {hougoumont: 6", "em.scenario-holds"},
		{"garrisons: true, capacity: {hougoumont: 1", "garrisons: true, capacity: {smohain: 1", "em.scenario-holds"},
		{"garrisons: true, capacity: {hougoumont: 1", "garrisons: true, points: {red: 1}, capacity: {hougoumont: 1", "em.scenario-unscored"},
		{"places: [{unit: blue-25, at: [337, 262]", "places: [{unit: black-1, at: [337, 262]", "em.scenario-later"},
		{"places: [{unit: blue-25, at: [337, 262]", "places: [{unit: blue-99, at: [337, 262]", "order.unknown-unit"},
		{"places: [{unit: blue-25, at: [337, 262]", "places: [{unit: blue-26, at: [337, 262]", "play.twice"},
		{"places: [{unit: blue-25, at: [337, 262]", "places: [{unit: blue-25, at: [10, 262]", "em.position-off"},
		{"places: [{unit: blue-25, at: [337, 262]", "places: [{unit: blue-25, at: [330, 262]", "em.position-overlap"},
		{"places: [{unit: blue-25, at: [337, 262]", "places: [{unit: blue-25, at: [340, 262]", "em.formation-apart"},
		{"places: [{unit: blue-25, at: [337, 262], heading: 90", "places: [{unit: blue-25, at: [337, 262], heading: 91", "em.formation-heading"},
		{"deploy: true, black: 8, agreed: true, points: {red: -2", "deploy: true, places: [{unit: blue-25, at: [337, 262], heading: 90}], black: 8, agreed: true, points: {red: -2", "em.scenario-later"},
		{"agreed: true, points: {red: -2", "agreed: true, points: {red: -9", "em.scenario-points"},
		{"agreed: true, points: {red: -2", "agreed: true, points: {red: -10", "order.want-number"},
		{"agreed: true, points: {red: -2", "agreed: true, points: {green: -2", "order.unknown-word"},
		{"units: [blue-13, blue-14]", "units: [blue-13, blue-15]", "em.scenario-two-formations"},
		{"units: [blue-13, blue-14]", "units: [blue-13, black-1]", "em.scenario-nowhere"},
		{"units: [blue-13, blue-14]", "units: [blue-13]", "em.scenario-no-formation"},
		{"corps: blue-I, units: [blue-13, blue-14]", "corps: blue-II, units: [blue-13, blue-14]", "em.formation-corps"},
		{"at: [600, 55], heading: 0", "at: [600, 55], heading: 1", "em.formation-heading"},
		{"at: [600, 55], heading: 0", "at: [602, 55], heading: 0", "em.position-overlap"},
		{"at: [600, 55], heading: 0", "at: [590, 75], heading: 0", "em.formation-apart"},
		{"at: [600, 20], heading: 0", "at: [600, 14.999], heading: 0", "em.position-off"},
	}, func(text []byte) orders.Problems { _, faults := readScenario(text); return faults })
}

// A unit begins where its game says, and in all other games where its list says (EM-1.1).
func TestPlacesOfAGame(t *testing.T) {
	for game, at := range map[string]place{"historical": {X: 380_000, Y: 150_000}, "short": {X: 337_000, Y: 262_000}} {
		g := begin(t, map[string]string{"game": game})
		is(t, "where blue-25 stands in "+game, g.Units[named(t, g, "blue-25")].At, at)
		is(t, "where blue-28 stands in "+game, g.Units[named(t, g, "blue-28")].At, place{X: 520_000, Y: 190_000})
	}
}
