package napoleon

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/orders"
)

// builtInText is the text of a built-in scenario.
func builtInText(t testing.TB, file string) string {
	t.Helper()
	data, err := files.ReadFile("scenarios/" + file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestBuiltInScenarios(t *testing.T) {
	for _, s := range library.Scenarios() {
		if s.edition != "4e" {
			continue
		}
		var counts [armies]int
		for i := range s.roster {
			counts[s.roster[i].army]++
		}
		if counts != [armies]int{24, 16, 18} { // NAP table 3.2
			t.Errorf("%s: %v units", s.name, counts)
		}
		if len(s.turns) != 23 || len(s.terrain) != 8 {
			t.Errorf("%s: %d turns, %d pieces of terrain", s.name, len(s.turns), len(s.terrain))
		}
		want := numbers{
			groupMoves: [armies]int{2, 1, 1}, road: limit{8, 6}, river: limit{4, 3}, battleRoad: limit{2, 1}, routRoad: limit{2, 1}, routRiver: limit{2, 1},
			deploy: [armies]int{12, 4, 4}, defeat: [armies]int{12, 8, 9}, cityWinTurn: 22, cityWinNeed: 2,
		}
		n := s.numbers
		got := numbers{groupMoves: n.groupMoves, road: n.road, river: n.river, battleRoad: n.battleRoad, routRoad: n.routRoad, routRiver: n.routRiver,
			deploy: n.deploy, defeat: n.defeat, cityWinTurn: n.cityWinTurn, cityWinNeed: n.cityWinNeed, minAttack: n.minAttack, leadersFree: n.leadersFree, drawIfAll: n.drawIfAll}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: numbers %+v, want %+v", s.name, got, want)
		}
	}
	if got := New().About().Scenarios; !slices.Equal(got, []string{"campaign-1815", "drill", "campaign-1815-3e", "drill-3e"}) {
		t.Errorf("scenarios %v", got)
	}
}

// A user's file may differ in every figure that the rules leave open.
func TestOwnScenario(t *testing.T) {
	text := builtInText(t, "drill.yaml")
	text = strings.Replace(text, "scenario: drill", "scenario: my-own", 1)
	text = strings.Replace(text, "french: 12, anglo-dutch: 8, prussian: 9", "french: 3, anglo-dutch: 2, prussian: 2", 1)
	p, err := New().New(engine.Setup{Data: []byte(text)})
	if err != nil {
		t.Fatal(err)
	}
	if g := p.(*game); g.numbers.defeat != [armies]int{3, 2, 2} || g.name != "my-own" {
		t.Errorf("defeat at %v in %s", g.numbers.defeat, g.name)
	}
	snapshot, err := p.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	again, err := New().Load(snapshot)
	if err != nil {
		t.Fatal(err)
	}
	if g := again.(*game); g.numbers.defeat != [armies]int{3, 2, 2} {
		t.Errorf("read back, defeat at %v", g.numbers.defeat)
	}
	if second, err := again.Marshal(); err != nil || string(second) != string(snapshot) {
		t.Errorf("reads back as another position: %v", err)
	}
	_, err = New().New(engine.Setup{Scenario: "drill", Data: []byte(text)})
	wantProblem(t, err, 0, "play.scenario-other")
}

// wantProblem fails the test unless an error is or holds a fault at a line; the line 0
// means any.
func wantProblem(t *testing.T, err error, line int, code string) {
	t.Helper()
	var faults orders.Problems
	if !errors.As(err, &faults) {
		t.Errorf("error %v holds no problems, want %s", err, code)
		return
	}
	for _, f := range faults {
		if f.Why.Code == code && (line == 0 || f.Line == line) {
			return
		}
	}
	t.Errorf("no %s in line %d: %v", code, line, faults)
}

func TestScenarioFaults(t *testing.T) {
	text := builtInText(t, "napoleon-4e.yaml")
	for _, c := range []struct {
		name, was, is string
		code          string
	}{
		{"another ruleset", "ruleset: napoleon", "ruleset: waterloo", "play.ruleset-other"},
		{"an unknown key", "edition: 4e", "edition: 4e\nweather: rain", "order.unknown-key"},
		{"an edition that is not played", "edition: 4e", "edition: 9e", "order.unknown-word"},
		{"a key left out", "zone: anglo-dutch, supply: anglo-dutch, big: true, prov: rulebook, why: \"1.0, 9.0", "supply: anglo-dutch, big: true, prov: rulebook, why: \"1.0, 9.0", "order.missing-key"},
		{"a town's name twice", `name: "Alost", aliases: ["Aalst"]`, `name: "Alost", aliases: ["Ghent"]`, "play.twice"},
		{"a road to nowhere", "{a: brussels, b: alost,", "{a: brussels, b: alots,", "order.unknown-town"},
		{"a road to itself", "{a: brussels, b: alost,", "{a: brussels, b: Bruxelles,", "nap.scenario-road-loop"},
		{"a road twice", "{a: brussels, b: hal,", "{a: brussels, b: alost,", "nap.scenario-road-twice"},
		{"a neighbour that is none", `tongres: {liege: "s", st-trond: "s"}`, `tongres: {liege: "M", st-trond: "s"}`, "nap.scenario-neighbour"},
		{"a neighbour left out", `tongres: {liege: "s", st-trond: "s"}`, `tongres: {liege: "s"}`, "nap.scenario-neighbours"},
		{"turns out of order", "{turn: 2, date", "{turn: 4, date", "nap.scenario-turn"},
		{"sides out of order", `part: midday, side: allied, night: false}`, `part: midday, side: french, night: false}`, "nap.scenario-turn-order"},
		{"a date that is none", `"1815-06-16", part: morning`, `"16 June", part: morning`, "nap.scenario-date"},
		{"a date before the last", `{turn: 5, date: "1815-06-16"`, `{turn: 5, date: "1815-06-14"`, "nap.scenario-date-order"},
		{"a win at the end of an Allied turn", "need: 2, turn: 23", "need: 2, turn: 22", "nap.scenario-city-turn"},
		{"a supply loss of a town without supply", "{brussels: 1, ghent: 1,", "{brussels: 1, hal: 1,", "nap.scenario-supply"},
		{"a figure out of bounds", "road_limit: {main: 8,", "road_limit: {main: 800,", "order.want-number"},
		{"the figures of the edition left out", "\nedition_values:", "\n_values_of_another:", "order.missing-key"},
		{"too few pieces of terrain", "kinds: {woods: 2,", "kinds: {woods: 1,", "nap.scenario-terrain"},
		{"a unit's id of another army", "{id: F-24,", "{id: P-24,", "nap.scenario-unit-id"},
		{"ids that fall", "{id: F-24,", "{id: F-22,", "nap.scenario-unit-order"},
		{"a corps that is none", `name: "Old Guard", corps: F-G`, `name: "Old Guard", corps: F-9`, "order.unknown-corps"},
		{"a corps of the enemy", `name: "Old Guard", corps: F-G`, `name: "Old Guard", corps: A-1`, "nap.scenario-corps-army"},
		{"a leader in a corps", `name: "Blücher", corps: null`, `name: "Blücher", corps: P-1`, "nap.scenario-leader-corps"},
		{"a leader too many", `corps: F-G, type: infantry, strength: 3`, `corps: null, type: leader, strength: 1`, "nap.scenario-leader"},
		{"strength 5", "type: infantry, strength: 4, fire: 2, at: beaumont", "type: infantry, strength: 5, fire: 2, at: beaumont", "order.want-number"},
		{"infantry with a class", "type: infantry, strength: 4, fire: 2, at: beaumont", "type: infantry, class: light, strength: 4, fire: 2, at: beaumont", "nap.scenario-class"},
		{"a total that is wrong", "french: {units: 24, strength: 67", "french: {units: 24, strength: 68", "nap.scenario-total"},
		{"a set-up without the French", "french: at, prov", "prov", "order.missing-key"},
		{"an unknown option", "laneffe_zone: prussian", "lanefe_zone: prussian", "order.unknown-town"},
		{"a zone option at odds with the town", "laneffe_zone: prussian ", "laneffe_zone: french ", "nap.scenario-zone-option"},
		{"a point of three figures", "points: [[0, 420],", "points: [[0, 420, 1],", "nap.scenario-point"},
		{"not YAML", "roads:\n", "roads: [\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !strings.Contains(text, c.was) {
				t.Fatalf("the scenario has no %q any more", c.was)
			}
			_, err := New().New(engine.Setup{Data: []byte(strings.Replace(text, c.was, c.is, 1))})
			if c.code == "" {
				if err == nil {
					t.Error("was read")
				}
				return
			}
			wantProblem(t, err, 0, c.code)
			var faults orders.Problems
			if errors.As(err, &faults) && slices.ContainsFunc(faults, func(f orders.Problem) bool { return f.Why.Code == c.code && f.Line == 0 }) {
				t.Errorf("a fault without a line: %v", faults)
			}
		})
	}
}

// Checks that need the whole board are made only once the board can be read.
func TestScenarioChecksOfTheWhole(t *testing.T) {
	text := builtInText(t, "drill.yaml")
	for _, c := range []struct{ name, was, is, code string }{
		{"a town without a road", "  - {a: brussels, b: hal, class: main}\n", "", "nap.scenario-unconnected"},
		{"a road to a town apart", "  - {a: brussels, b: hal, class: main}\n", "  - {a: brussels, b: hal, class: main}\n  - {a: hal, b: depot-french, class: main}\n", "nap.scenario-apart"},
		{"a unit outside its zone", "fire: 2, at: depot-prussian", "fire: 2, at: ghent", "nap.scenario-zone"},
		{"more losses than units", "defeat_at_losses: {french: 12", "defeat_at_losses: {french: 25", "nap.scenario-defeat"},
		{"no room to deploy", "limits: {french: 12", "limits: {french: 7", "nap.scenario-room"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := New().New(engine.Setup{Data: []byte(strings.Replace(text, c.was, c.is, 1))})
			wantProblem(t, err, 0, c.code)
		})
	}
	crowded := strings.ReplaceAll(text, "at: depot-prussian", "at: ligny")
	_, err := New().New(engine.Setup{Data: []byte(crowded)})
	wantProblem(t, err, 0, "nap.scenario-limit")
}

func TestScenarioReportsAllFaultsAtOnce(t *testing.T) {
	text := builtInText(t, "napoleon-4e.yaml")
	text = strings.Replace(text, "{a: brussels, b: alost,", "{a: brussels, b: alots,", 1)
	text = strings.Replace(text, "{id: F-24,", "{id: P-24,", 1)
	text = strings.Replace(text, "kinds: {woods: 2,", "kinds: {woods: 1,", 1)
	_, err := New().New(engine.Setup{Data: []byte(text)})
	for _, code := range []string{"order.unknown-town", "nap.scenario-unit-id", "nap.scenario-terrain"} {
		wantProblem(t, err, 0, code)
	}
}

func TestUnknownScenario(t *testing.T) {
	_, err := New().New(engine.Setup{Scenario: "moon"})
	wantProblem(t, err, 0, "play.scenario-unknown")
	for _, name := range []string{"", "campaign-1815", "napoleon-4e", "drill"} {
		if _, err := New().New(engine.Setup{Scenario: name}); err != nil {
			t.Errorf("scenario %q: %v", name, err)
		}
	}
}

func TestOptions(t *testing.T) {
	about := New().About()
	for _, o := range about.Options {
		if o.Clause == "" && o.Name != "cadence" || len(o.Values) == 0 { // the cadence is no rule
			t.Errorf("option %s has clause %q and values %v", o.Name, o.Clause, o.Values)
		}
		for _, v := range o.Values {
			setup := engine.Setup{Options: map[string]string{o.Name: v}}
			p, err := New().New(setup)
			if err != nil {
				t.Errorf("%s: %s: %v", o.Name, v, err)
				continue
			}
			text, err := p.Marshal()
			if err != nil {
				t.Fatal(err)
			}
			if inDefault := !strings.Contains(string(text), "options:"); inDefault != (v == o.Values[0]) && o.Name != "edition" { // which is the scenario's
				t.Errorf("%s: %s: the position speaks of options: %v", o.Name, v, !inDefault)
			}
			if _, err := New().Load(text); err != nil {
				t.Errorf("%s: %s: read back: %v", o.Name, v, err)
			}
		}
	}
	_, err := New().New(engine.Setup{Options: map[string]string{"terrain": "hills", "moon": "full", "laneffe_zone": "dutch", "terrain_pool": "9/0/0/-1"}})
	for _, code := range []string{"play.option-value", "play.option-unknown", "nap.option-pool"} {
		wantProblem(t, err, 0, code)
	}
	p, err := New().New(engine.Setup{Options: map[string]string{"terrain_pool": "0/0/3/5"}})
	if err != nil {
		t.Fatal(err)
	}
	if pool := p.(*game).freshPool(); poolText(poolOf(pool)) != "0/0/3/5" {
		t.Errorf("pool %v", pool)
	}
}

func FuzzReadScenario(f *testing.F) {
	f.Add([]byte(builtInText(f, "drill.yaml")))
	f.Add([]byte("ruleset: napoleon\nedition: 4e\ntowns: [{id: a}]\nunits: 3\n"))
	f.Add([]byte("towns: ~\nneighbours: [x]\nturns: {list: {}}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, faults := readScenario(data)
		if (s == nil) != (len(faults) > 0) {
			t.Fatalf("scenario %v with faults %v", s != nil, faults)
		}
		if s == nil {
			return
		}
		p, err := New().New(engine.Setup{Data: data})
		if err != nil {
			t.Fatalf("a scenario that was read makes no game: %v", err)
		}
		for _, side := range p.Sides() {
			p.View(side)
		}
	})
}

// A leader for whom the scenario gives no fire rating fires at F2 (NAP-R30); one that
// it gives counts. Every other unit must have a fire rating.
func TestLeaderWithoutFire(t *testing.T) {
	text := builtInText(t, "drill.yaml")
	bare := strings.Replace(text, `type: leader, strength: 1, fire: 2, at: depot-french`, `type: leader, strength: 1, at: depot-french`, 1)
	bare = strings.Replace(bare, `type: leader, strength: 1, fire: 2, at: depot-anglo-dutch`, `type: leader, strength: 1, fire: 1, at: depot-anglo-dutch`, 1)
	if bare == text {
		t.Fatal("the leaders are written otherwise")
	}
	p, err := New().New(engine.Setup{Data: []byte(bare)})
	if err != nil {
		t.Fatal(err)
	}
	g := p.(*game)
	for id, want := range map[string]int8{"F-01": 2, "A-01": 1} {
		if i := slices.IndexFunc(g.roster, func(u unitDef) bool { return u.id == id }); g.roster[i].fire != want || g.units[i].fire != want {
			t.Errorf("%s fires at F%d, want F%d", id, g.roster[i].fire, want)
		}
	}
	line := 1 + strings.Count(text[:strings.Index(text, "{id: F-02")], "\n")
	i := strings.Index(text, "{id: F-02")
	_, err = New().New(engine.Setup{Data: []byte(text[:i] + strings.Replace(text[i:], ", fire: ", ", fires: ", 1))})
	wantProblem(t, err, line, "order.missing-key")
}
