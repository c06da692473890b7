package hfg

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/orders"
)

// planned is a game of the pair of 1863 before its deployment, on ground that the case makes: red
// attacks from the south, blue defends in the north. What blue may build it has bought.
func planned(t testing.TB, areas []areaDef, lines []lineDef, more ...func(*battlefield)) *battlefield {
	t.Helper()
	p, _ := letters(t, map[string]string{"pair": "gettysburg"}, 1, 1, 6, 1)
	answers(t, p, nil)
	s := *p.setting
	s.sides = []sideDef{{id: "red", role: attacker, base: south}, {id: "blue", role: defender, base: north}}
	s.areas, s.lines, s.bridges = areas, lines, nil
	s.complete()
	p.setting = &s
	p.Prepare.Step, p.Prepare.Feature[second] = planning, dieSides
	p.Prepare.Buys[second] = wares{Defending: []ware{{buysStrongPoint, 3}, {buysRedoubt, 3}, {buysEntrenchment, 2}, {buysBarricade, 6}, {buysConcealed, 3}, {buysMinefield, 1}}}
	p.Prepare.Buys[first] = wares{Attacking: []ware{{buysConcealed, 2}}}
	for _, change := range more {
		change(p)
	}
	return p
}

// enlisted adds an element to the command of blue's commander-in-chief.
func enlisted(id string, kind troop) func(*battlefield) {
	return func(p *battlefield) {
		s := *p.setting
		chief := commandID(slices.IndexFunc(s.commands, func(c commandDef) bool { return c.side == second && c.rank == chief }) + 1)
		s.roster = append(slices.Clone(s.roster), elementDef{id: "blue-" + id, command: chief, troop: kind})
		s.complete()
		p.setting = &s
		p.Elements = append(p.Elements, element{Fate: due})
	}
}

// plans gives the faults of a file at the stop plan of the defender, or at the stop of the attacker.
func plans(t testing.TB, p *battlefield, who string, text string) []string {
	t.Helper()
	kind := stopPlan
	if p.Prepare.Step == deploying {
		kind = stopDeploy
	}
	_, faults := handed(t, p.game, engine.Decision{Side: engine.Side(who), Kind: kind}, text)
	return faults
}

func TestDeployment(t *testing.T) {
	one := func(t *testing.T, p *battlefield, who, text, want string) {
		t.Helper()
		if got := strings.Join(plans(t, p, who, text), ", "); got != want {
			t.Errorf("%s\n%q, want %q", text, got, want)
		}
	}
	open := func(t *testing.T) *battlefield { return planned(t, nil, []lineDef{westEast()}) }
	attacks := func(t *testing.T, areas ...areaDef) *battlefield {
		p := planned(t, areas, []lineDef{westEast()})
		p.Prepare.Step = deploying
		return p
	}

	clause(t, "HFG-6.1", "an element in two commands is refused", func(t *testing.T) {
		one(t, open(t), "blue", "{commands: {i-corps: [bay-a-1, bay-b-1..5, baye-b-1, mk-b-1], ii-corps: [bay-a-1, bay-c-1..5]}}", "HFG-6.1 hfg.deploy-grouped-twice")
		one(t, open(t), "blue", "{commands: {i-corps: [bay-a-1..3]}}", "HFG-3.4 hfg.list-small")
		one(t, open(t), "blue", "{commands: {reserve: [mk-b-1]}}", "")
	})
	clause(t, "HFG-6.2", "a delayed command without a road is refused", func(t *testing.T) {
		one(t, open(t), "blue", "{delayed: [{command: ii-corps, edge: w}]}", "order.missing-key")
		one(t, open(t), "blue", "{deploy: [{element: bay-a-1, at: [6000, 5000]}, {element: bay-a-1, at: [7000, 5000]}]}", "HFG-6.2 hfg.deploy-twice")
		one(t, open(t), "blue", "{deploy: [{at: [6000, 5000]}]}", "HFG-6.2 hfg.deploy-one")
	})
	clause(t, "HFG-6.3", "the zones, every part of the base counted", func(t *testing.T) {
		for _, c := range []struct{ who, at, want string }{
			{"blue", "[6000, 3200], facing: s", ""},
			{"blue", "[6000, 2999], facing: s", "HFG-6.3 hfg.deploy-defender"},
			{"blue", "[6000, 3000], facing: n", "HFG-6.3 hfg.deploy-defender"}, // its rear is beyond the middle
			{"blue", "[1400, 5000], facing: s", ""},
			{"blue", "[1399, 5000], facing: s", "HFG-6.3 hfg.deploy-defender"},
			{"red", "[6000, 800], facing: n", ""},
			{"red", "[6000, 801], facing: n", "HFG-6.3 hfg.deploy-attacker"},
			{"red", "[6000, 601], facing: s", "HFG-6.3 hfg.deploy-attacker"}, // its rear is at 801
			{"red", "[6000, 600], facing: s", ""},
			{"red", "[600, 800], facing: n", ""},
			{"red", "[599, 800], facing: n", "HFG-6.3 hfg.deploy-attacker"},
		} {
			p, id := open(t), "bay-a-1"
			if c.who == "red" {
				p, id = attacks(t), "min-a-1"
			}
			one(t, p, c.who, fmt.Sprintf("{deploy: [{element: %s, at: %s}]}", id, c.at), c.want)
		}
		town := octagon("bua-1", bua, 800, 4000, 600, 600)
		one(t, planned(t, []areaDef{town}, []lineDef{westEast()}), "blue", "{deploy: [{garrison: bay-a-1, in: bua-1}]}", "")
	})
	clause(t, "HFG-R111", "the defender's 1,200 paces count from the side edges only", func(t *testing.T) {
		one(t, open(t), "blue", "{deploy: [{element: bay-a-1, at: [6000, 5700], facing: s}]}", "")
	})
	clause(t, "HFG-1.8", "nobody is put down on another, or off the field", func(t *testing.T) {
		one(t, open(t), "blue", "{deploy: [{element: bay-a-1, at: [6000, 5000]}, {element: bay-a-2, at: [6398, 5000]}]}", "HFG-1.8 hfg.position-overlap")
		one(t, open(t), "blue", "{deploy: [{element: bay-a-1, at: [6000, 5000]}, {element: bay-a-2, at: [6400, 5000]}]}", "")
		one(t, open(t), "blue", "{deploy: [{element: bay-a-1, at: [6000, 5900], facing: s}]}", "HFG-1.8 hfg.position-off")
		one(t, open(t), "blue", "{deploy: [{line: [bay-a-1..4], left: [7000, 5000], facing: s}]}", "")
	})
	clause(t, "HFG-4.10", "artillery can't be put into a marsh, Light artillery can", func(t *testing.T) {
		bog := octagon("marsh-1", marsh, 6000, 4500, 1200, 500)
		for kind, want := range map[troop]string{mixed: "HFG-4.10 hfg.deploy-ground", lightArtillery: "", hq: "HFG-4.10 hfg.deploy-ground", laager: "HFG-4.10 hfg.deploy-ground"} {
			p := planned(t, []areaDef{bog}, []lineDef{westEast()}, enlisted("x-1", kind))
			one(t, p, "blue", "{deploy: [{element: x-1, at: [6000, 4500], facing: s}]}", want)
		}
	})
	clause(t, "HFG-4.17", "one garrison to a BUA, of foot or dismountables", func(t *testing.T) {
		town := octagon("bua-1", bua, 6000, 4000, 600, 600)
		p := planned(t, []areaDef{town}, []lineDef{westEast()})
		one(t, p, "blue", "{deploy: [{garrison: bay-a-1, in: bua-1}, {garrison: bay-a-2, in: bua-1}]}", "HFG-4.17 hfg.deploy-second")
		one(t, p, "blue", "{deploy: [{garrison: art-a-1, in: bua-1}]}", "HFG-4.17 hfg.deploy-no-garrison")
		one(t, p, "blue", "{deploy: [{garrison: drag-d-1, in: bua-1}]}", "")
	})
	clause(t, "HFG-18.2", "a ship is put into water", func(t *testing.T) {
		sea := areaDef{id: "waterway-1", kind: waterway, outline: []place{paced(0, 0), paced(1000, 0), paced(1000, 6000), paced(0, 6000)}}
		p := planned(t, []areaDef{sea}, []lineDef{westEast()}, enlisted("iro-1", ironclad))
		one(t, p, "blue", "{deploy: [{element: iro-1, at: [500, 5000], facing: s}]}", "") // ships may stand near the side
		one(t, p, "blue", "{deploy: [{element: iro-1, at: [1100, 5000], facing: s}]}", "HFG-18.2 hfg.deploy-aground")
		one(t, p, "blue", "{deploy: [{element: bay-a-1, at: [1300, 5000], facing: s}]}", "HFG-6.3 hfg.deploy-defender")
	})
	clause(t, "HFG-3.7", "a Supply Base in open country is refused", func(t *testing.T) {
		town := octagon("bua-1", bua, 6000, 3000, 600, 600)
		p := planned(t, []areaDef{town}, []lineDef{westEast()}, enlisted("base", supplyBase))
		one(t, p, "blue", "{deploy: [{element: base, at: [8000, 4500], facing: s}]}", "HFG-3.7 hfg.deploy-supply")
		one(t, p, "blue", "{deploy: [{element: base, at: [6500, 3000], facing: s}]}", "") // beside the town, on the road
		one(t, p, "blue", "{deploy: [{element: base, at: [6000, 5200], facing: s}]}", "HFG-3.7 hfg.deploy-supply")
	})
}

func TestWorks(t *testing.T) {
	ground := func(t *testing.T, areas ...areaDef) *battlefield {
		return planned(t, areas, []lineDef{westEast(), lineOf("river-1", river, 300, [2]int64{9000, 0}, [2]int64{9000, 6000}), lineOf("brook", stream, 100, [2]int64{0, 4600}, [2]int64{8000, 4600})}, enlisted("pon-1", pontoneers))
	}
	undecided := func(t *testing.T) *battlefield {
		p := ground(t)
		p.Prepare.Step, p.Prepare.Chooser, p.Prepare.Feature[second] = choosing, first, 0
		return p
	}
	sea := areaDef{id: "waterway-1", kind: waterway, outline: []place{paced(0, 0), paced(1000, 0), paced(1000, 6000), paced(0, 6000)}}
	for _, c := range []struct{ clause, name, works, want string }{
		{"HFG-6.5", "a strong point 1,150 paces from another", "{strong-point: farm, at: [4000, 4000]}, {strong-point: mill, at: [5400, 4000]}", "HFG-6.5 hfg.work-near"},
		{"HFG-6.5", "further off", "{strong-point: farm, at: [4000, 4000]}, {strong-point: mill, at: [5460, 4000]}", ""},
		{"HFG-6.5", "a strong point of 251 paces", "{strong-point: farm, at: [4000, 4000], size: 251}", "HFG-6.5 hfg.work-long"},
		{"HFG-6.5", "a strong point beyond the middle of the field", "{strong-point: farm, at: [4000, 3100]}", "HFG-6.5 hfg.work-zone"},
		{"HFG-6.6", "a redoubt 150 paces from another", "{redoubt: r1, at: [4000, 4000], holds: art-a-1}, {redoubt: r2, at: [4550, 4000], holds: art-a-2}", "HFG-6.6 hfg.work-near"},
		{"HFG-6.6", "a redoubt 1,000 paces from a strong point", "{strong-point: farm, at: [4000, 4000]}, {redoubt: r1, at: [5300, 4000]}", "HFG-6.6 hfg.work-near"},
		{"HFG-6.6", "a redoubt for cavalry", "{redoubt: r1, at: [4000, 4000], holds: lh-d-1}", "HFG-6.6 hfg.work-redoubt-holds"},
		{"HFG-6.7", "an entrenchment of 900 paces", "{entrenchment: e1, from: [4000, 3800], to: [4900, 3800]}", "HFG-6.7 hfg.work-long"},
		{"HFG-6.7", "one of 800", "{entrenchment: e1, from: [4000, 3800], to: [4800, 3800]}", ""},
		{"HFG-6.8", "a feature along a stream", "{elf: bank, on: brook, from: [4000, 4600], to: [5000, 4600]}", "HFG-6.8 hfg.work-feature"},
		{"HFG-6.8", "along a road", "{elf: bank, on: road-1, from: [4000, 3000], to: [5200, 3000]}", ""},
		{"HFG-6.8", "of 1,300 paces", "{elf: bank, on: road-1, from: [4000, 3000], to: [5300, 3000]}", "HFG-6.8 hfg.work-long"},
		{"HFG-6.8", "off the road", "{elf: bank, on: road-1, from: [4000, 3100], to: [5200, 3100]}", "HFG-6.8 hfg.work-bends"},
		{"HFG-6.8", "along a river's bank", "{elf: bank, on: river-1, from: [9000, 4000], to: [9000, 5000]}", ""},
		{"HFG-6.8", "two features", "{elf: a, on: road-1, from: [4000, 3000], to: [5000, 3000]}, {elf: b, on: road-1, from: [6000, 3000], to: [7000, 3000]}", "HFG-6.8 hfg.work-bought"},
		{"HFG-6.9", "a barricade of 401 paces", "{barricade: b1, from: [4000, 3800], to: [4401, 3800]}", "HFG-6.9 hfg.work-long"},
		{"HFG-6.11", "a minefield on land", "{naval-minefield: m1, at: [4000, 4000]}", "HFG-6.11 hfg.work-mines"},
		{"HFG-6.11", "one in a waterway", "{naval-minefield: m1, at: [500, 4000]}", ""},
		{"HFG-6.12", "a bridge over the river, pre-built", "{pontoon: pon-1, over: river-1, at: [9000, 4000]}", ""},
		{"HFG-6.12", "a bridge of foot", "{pontoon: bay-a-1, over: river-1, at: [9000, 4000]}", "HFG-6.12 hfg.work-no-pontoneers"},
		{"HFG-6.12", "a bridge beside the river", "{pontoon: pon-1, over: river-1, at: [9100, 4000]}", "HFG-6.12 hfg.work-off-water"},
		{"HFG-6.12", "a bridge on the enemy's half", "{pontoon: pon-1, over: river-1, at: [9000, 2000]}", "HFG-6.12 hfg.work-bridge-zone"},
		{"HFG-6.12", "a bridge over a road", "{pontoon: pon-1, over: road-1, at: [9500, 3000]}", "HFG-6.12 hfg.work-no-water"},
		{"HFG-3.6", "more than was bought", "{entrenchment: e1, from: [2000, 3800], to: [2800, 3800]}, {entrenchment: e2, from: [3000, 3800], to: [3800, 3800]}, {entrenchment: e3, from: [4000, 3800], to: [4800, 3800]}", "HFG-6.7 hfg.work-bought"},
		{"HFG-6.2", "two works of one name", "{barricade: b1, from: [4000, 3800], to: [4400, 3800]}, {barricade: b1, from: [5000, 3800], to: [5400, 3800]}", "HFG-6.2 hfg.work-twice"},
		{"HFG-6.2", "a work that is two", "{barricade: b1, redoubt: r1, from: [4000, 3800], to: [4400, 3800]}", "HFG-6.2 hfg.work-one"},
		{"HFG-6.7", "an entrenchment in a river", "{entrenchment: e1, from: [8800, 3800], to: [9300, 3800]}", "HFG-6.7 hfg.work-on"},
	} {
		clause(t, c.clause, c.name, func(t *testing.T) {
			p := ground(t, sea)
			got := strings.Join(plans(t, p, "blue", "{works: ["+c.works+"]}"), ", ")
			is(t, c.works, got, c.want)
		})
	}
	clause(t, "HFG-6.12", "an attacker has no bridge built before", func(t *testing.T) {
		p := ground(t)
		got := plans(t, p, "red", "{works: [{pontoon: pon-1, over: river-1, at: [9000, 2000]}]}")
		is(t, "faults", strings.Join(got, ", "), "order.unknown-key")
		d := &deployment{side: first, works: []workOrder{{pontoon: 1, on: 2, at: paced(9000, 500)}}}
		_, faults := p.deployed(d)
		is(t, "if he had it", faults[0].Why.Code, "hfg.work-attacker-bridge")
	})
	clause(t, "HFG-6.5", "a strong point comes with a garrison that counts one", func(t *testing.T) {
		p := ground(t)
		answers(t, p, map[string]string{"blue": "{works: [{strong-point: farm, at: [4000, 4000], command: i-corps}]}"})
		e := named(t, p.game, "farm-garrison")
		is(t, "it holds", p.area(p.Elements[e].Holds).id, "farm")
		is(t, "counts", equivalents(p.def(e).eq()), "1")
		is(t, "of command", p.lead(p.command(e)).id, "blue-i-corps")
		again(t, p.game)
	})
	clause(t, "HFG-6.6", "a redoubt is an element's footprint, and the element in it is sheltered", func(t *testing.T) {
		p := ground(t)
		answers(t, p, map[string]string{"blue": "{works: [{redoubt: r1, at: [4000, 4000], facing: s, holds: bay-a-1}], deploy: [{element: bay-a-1, at: [4000, 4000], facing: s}]}"})
		e := named(t, p.game, "blue-bay-a-1")
		w := p.shelter(e)
		is(t, "in a redoubt", w != nil && w.Kind == redoubt, true)
		is(t, "as deep as the element", w.Depth, length(200*pace))
	})
	clause(t, "HFG-6.7", "whose front lies on an entrenchment is sheltered by it", func(t *testing.T) {
		p := ground(t)
		answers(t, p, map[string]string{"blue": "{works: [{entrenchment: e1, from: [4000, 3800], to: [4800, 3800]}], deploy: [{line: [bay-a-1, bay-a-2], left: [4800, 3800], facing: s}, {element: bay-a-3, at: [5200, 3800], facing: s}]}"})
		is(t, "the first", p.entrenched(named(t, p.game, "blue-bay-a-1")), true)
		is(t, "the second", p.entrenched(named(t, p.game, "blue-bay-a-2")), true)
		is(t, "one beside it", p.entrenched(named(t, p.game, "blue-bay-a-3")), false)
	})
	const bank = "{works: [{elf: bank, on: road-1, from: [4000, 3000], to: [5000, 3000]}]}"
	clause(t, "HFG-6.8", "without a 5 or 6 there is no feature, and the defender knows before he plans", func(t *testing.T) {
		for die, want := range map[int]int{4: 0, 5: 1, 6: 1} {
			p := undecided(t)
			p.Dice.(*sequence).fixed = []int{die}
			answers(t, p, map[string]string{"red": "{edge: south}"})
			is(t, fmt.Sprint("asked with ", die), p.Prepare.Step, planning)
			if want == 0 {
				is(t, "faults", strings.Join(plans(t, p, "blue", bank), ", "), "HFG-6.8 hfg.work-bought")
				continue
			}
			answers(t, p, map[string]string{"blue": bank})
			is(t, fmt.Sprint("works with ", die), len(p.Works), want)
		}
	})
	clause(t, "HFG-6.8", "an army with an inert commander-in-chief rolls no die", func(t *testing.T) {
		p := undecided(t)
		s := *p.setting
		s.roster = slices.Clone(s.roster)
		for i := range s.roster {
			if s.roster[i].id == "blue-reserve-gen" {
				s.roster[i].grades = []grade{inert}
			}
		}
		s.complete()
		p.setting = &s
		answers(t, p, map[string]string{"red": "{edge: south}"})
		got := plans(t, p, "blue", bank)
		is(t, "faults", strings.Join(got, ", "), "HFG-6.8 hfg.work-bought")
	})
	clause(t, "HFG-6.12", "the Pontoneers become the bridge that they have built", func(t *testing.T) {
		p := ground(t)
		answers(t, p, map[string]string{"blue": "{works: [{pontoon: pon-1, over: river-1, at: [9000, 4000]}]}"})
		is(t, "bridges", len(p.Bridges), 1)
		is(t, "along it", p.Bridges[0].Facing%180, 90)
		is(t, "Pontoneers", p.Elements[named(t, p.game, "blue-pon-1")].Fate, exchanged)
	})
	clause(t, "HFG-6.11", "a minefield is hidden from the start", func(t *testing.T) {
		p := ground(t, sea)
		answers(t, p, map[string]string{"blue": "{works: [{naval-minefield: m1, at: [500, 4000]}]}"})
		is(t, "hidden", p.Works[0].Hidden, true)
		b := p.Works[0].body()
		is(t, "about the place that was named", b.World(b.Middle()), point(paced(500, 4000)))
	})
}

func TestOwnMines(t *testing.T) {
	clause(t, "HFG-6.11", "own ships may not enter a minefield; of an enemy's nothing is refused", func(t *testing.T) {
		s := &setting{year: 1870, areas: []areaDef{octagon("sea", waterway, 6000, 3000, 9000, 2000)}}
		g := fieldOn(t, s, piece{"r1", steamer, 4000, 3000, 90, nil}, piece{"b1", steamer, 4000, 3400, 90, nil})
		g.Works = []placedWork{{ID: "m", Kind: minefield, Side: second, At: paced(5000, 3600), Width: 800 * pace, Depth: 800 * pace, Hidden: true}}
		own := g.ownMines(g.alone(named(t, g, "b1"), at(6500, 3400, 90)))
		is(t, "own", own != nil && own.Clause == "HFG-6.11", true)
		is(t, "the enemy's", g.ownMines(g.alone(named(t, g, "r1"), at(6500, 3000, 90))) == nil, true)
		is(t, "past it", g.ownMines(g.alone(named(t, g, "b1"), at(4400, 3400, 90))) == nil, true)
	})
}

func TestConcealment(t *testing.T) {
	trees := octagon("wood-1", wood, 4000, 4500, 1200, 1000)
	ridge := octagon("hill-1", hill, 7000, 4000, 2000, 900)
	ridge.slope, ridge.crest, ridge.even = gentle, []place{paced(6450, 4000), paced(7550, 4000)}, true
	at := func(t *testing.T, lines ...lineDef) *battlefield {
		return planned(t, []areaDef{trees, ridge}, append([]lineDef{westEast()}, lines...))
	}
	for _, c := range []struct{ name, text, want string }{
		{"in a wood", "{element: bay-a-1, at: [4000, 4500], facing: s}", ""},
		{"half in a wood", "{element: bay-a-1, at: [4000, 3900], facing: s}", "HFG-6.10 hfg.conceal-not"},
		{"in the open", "{element: bay-a-1, at: [9500, 4500], facing: s}", "HFG-6.10 hfg.conceal-not"},
		{"behind a wood", "{element: bay-a-1, at: [4000, 5100], facing: s, behind: wood-1}", "HFG-6.10 hfg.conceal-not"},
		{"a group in a wood", "{line: [bay-a-1, bay-a-2], left: [4400, 4500], facing: s}", ""},
		{"two that don't touch", "{line: [bay-a-1], left: [4400, 4500], facing: s}, {line: [bay-a-2], left: [4300, 4750], facing: s}", ""},
	} {
		clause(t, "HFG-6.10", c.name, func(t *testing.T) {
			got := strings.Join(plans(t, at(t), "blue", "{concealed: ["+c.text+"]}"), ", ")
			is(t, c.text, got, c.want)
		})
	}
	clause(t, "HFG-R145", "behind a wood as wide as the field", func(t *testing.T) {
		belt := octagon("wood-1", wood, 6000, 4000, 11990, 800)
		p := planned(t, []areaDef{belt}, []lineDef{westEast()})
		got := plans(t, p, "blue", "{concealed: [{element: bay-a-1, at: [6000, 5200], facing: s, behind: wood-1}]}")
		is(t, "faults", strings.Join(got, ", "), "")
	})
	clause(t, "HFG-6.10", "foot in a gully, horse not", func(t *testing.T) {
		dry := lineOf("gully-1", gully, 100, [2]int64{0, 4000}, [2]int64{12000, 4000})
		is(t, "foot", strings.Join(plans(t, at(t, dry), "blue", "{concealed: [{element: bay-a-1, at: [9500, 4100], facing: n}]}"), ", "), "")
		is(t, "horse", strings.Join(plans(t, at(t, dry), "blue", "{concealed: [{element: lh-d-1, at: [9500, 4100], facing: n}]}"), ", "), "HFG-6.10 hfg.conceal-not")
	})
	clause(t, "HFG-6.10", "an attacker has two concealed positions at most", func(t *testing.T) {
		belt := octagon("wood-1", wood, 6000, 500, 11000, 900)
		p := planned(t, []areaDef{belt}, []lineDef{westEast()})
		p.Prepare.Step = deploying
		p.Prepare.Buys[first] = wares{Attacking: []ware{{buysConcealed, 2}}}
		post := func(i int) string { return fmt.Sprintf("{element: min-a-%d, at: [%d, 600]}", i, 2000+1000*i) }
		is(t, "two", strings.Join(plans(t, p, "red", "{concealed: ["+post(1)+", "+post(2)+"]}"), ", "), "")
		is(t, "three", strings.Join(plans(t, p, "red", "{concealed: ["+post(1)+", "+post(2)+", "+post(3)+"]}"), ", "), "HFG-6.10 hfg.work-bought")
	})
	clause(t, "HFG-6.10", "eleven elements are too many", func(t *testing.T) {
		belt := octagon("wood-1", wood, 6000, 4500, 9000, 1500)
		p := planned(t, []areaDef{belt}, []lineDef{westEast()})
		got := plans(t, p, "blue", "{concealed: [{line: [bay-a-1..4, bay-b-1..5, baye-b-1, mk-b-1], left: [9000, 4500], facing: s}]}")
		is(t, "faults", strings.Join(got, ", "), "HFG-6.10 hfg.conceal-many")
		got = plans(t, p, "blue", "{concealed: [{line: [bay-a-1..4, bay-b-1..5, baye-b-1], left: [9000, 4500], facing: s}]}")
		is(t, "ten", strings.Join(got, ", "), "")
	})
	clause(t, "HFG-6.10", "the work that concealed troops hold is concealed with them, till they are seen", func(t *testing.T) {
		belt := octagon("wood-1", wood, 6000, 4500, 9000, 1500)
		p := planned(t, []areaDef{belt}, []lineDef{westEast()})
		answers(t, p, map[string]string{"blue": "{works: [{entrenchment: e1, from: [4000, 4300], to: [4800, 4300]}, {entrenchment: e2, from: [6000, 4300], to: [6800, 4300]}], concealed: [{line: [bay-a-1, bay-a-2], left: [4800, 4300], facing: s}], deploy: [{element: bay-a-3, at: [6400, 4300], facing: s}]}"})
		is(t, "held by concealed troops", p.Works[0].Hidden, true)
		is(t, "held by others", p.Works[1].Hidden, false)
		is(t, "the enemy sees", len(p.view("red").Works), 1)
		p.Elements[named(t, p.game, "blue-bay-a-1")].Concealed = false
		p.veils()
		is(t, "when one of them is seen", p.Works[0].Hidden, false)
	})
	clause(t, "HFG-6.4", "the attacker draws up where he says when he has seen the defender", func(t *testing.T) {
		p := at(t)
		answers(t, p, nil)
		is(t, "asked", len(p.asks()) == 1 && p.asks()[0] == engine.Decision{Side: "red", Kind: stopDeploy}, true)
		answers(t, p, map[string]string{"red": "{deploy: [{element: min-a-1, at: [4000, 600], facing: n}]}"})
		is(t, "where", p.Elements[named(t, p.game, "red-min-a-1")].At, place{X: 4000 * pace, Y: 600 * pace})
		is(t, "the others are drawn up", p.Elements[named(t, p.game, "red-min-a-2")].Fate, present)
	})
	clause(t, "HFG-6.4", "what is concealed is not known to the enemy", func(t *testing.T) {
		p := at(t)
		answers(t, p, map[string]string{"blue": "{concealed: [{element: bay-a-1, at: [4000, 4500], facing: s}]}"})
		e := named(t, p.game, "blue-bay-a-1")
		is(t, "concealed", p.Elements[e].Concealed, true)
		is(t, "known", p.known(first, e), false)
		is(t, "positions", p.Prepare.Hidden[second], 1)
	})
}

func TestDelays(t *testing.T) {
	at := func(t *testing.T, year int) *battlefield {
		return planned(t, nil, []lineDef{
			lineOf("road-1", road, 0, [2]int64{0, 4000}, [2]int64{12000, 2000}),
			lineOf("rails", railway, 0, [2]int64{0, 5000}, [2]int64{12000, 5000}),
			lineOf("brook", stream, 100, [2]int64{0, 4600}, [2]int64{8000, 4600}),
			lineOf("road-2", road, 0, [2]int64{5000, 6000}, [2]int64{5000, 0})}, func(p *battlefield) { p.setting.year = year })
	}
	for _, c := range []struct {
		name, text, want string
		year             int
	}{
		{"by a road over the own half of a side", "{command: ii-corps, by: road-1, edge: w}", "", 1863},
		{"over the enemy's half", "{command: ii-corps, by: road-1, edge: e}", "HFG-6.13 hfg.delay-edge", 1863},
		{"over an edge that the road doesn't cut", "{command: ii-corps, by: road-1, edge: n}", "HFG-6.13 hfg.delay-edge", 1863},
		{"by a stream", "{command: ii-corps, by: brook, edge: w}", "HFG-6.13 hfg.delay-road", 1863},
		{"by rail", "{command: ii-corps, by: rails, edge: w}", "", 1863},
		{"by rail in 1858", "{command: ii-corps, by: rails, edge: w}", "HFG-6.13 hfg.piece-early", 1858},
		{"a subordinate in 1794", "{command: ii-corps, by: road-1, edge: w}", "HFG-6.13 hfg.delay-early", 1794},
		{"a subordinate in 1795", "{command: ii-corps, by: road-1, edge: w}", "", 1795},
		{"the commander's own from a side", "{command: reserve, by: road-1, edge: w}", "HFG-6.13 hfg.delay-base", 1863},
		{"the commander's own from the base edge", "{command: reserve, by: road-2, edge: n}", "", 1863},
	} {
		clause(t, "HFG-6.13", c.name, func(t *testing.T) {
			got := strings.Join(plans(t, at(t, c.year), "blue", "{delayed: ["+c.text+"]}"), ", ")
			is(t, c.text, got, c.want)
		})
	}
	clause(t, "HFG-6.13", "a delayed command is due, and stands nowhere", func(t *testing.T) {
		p := at(t, 1863)
		answers(t, p, map[string]string{"blue": "{delayed: [{command: ii-corps, by: road-1, edge: w}]}", "red": "{delayed: [{command: cavalry, by: road-2, edge: s}]}"})
		for _, id := range []string{"blue-bay-c-1", "red-rep-d-1"} {
			e := named(t, p.game, id)
			is(t, id, p.Elements[e].Fate, due)
			is(t, "its command", p.Commands[p.command(e)].Status, delayed)
		}
		answers(t, p, nil)
		is(t, "turn", p.Turn, 1)
		is(t, "red's cavalry is still due", p.Elements[named(t, p.game, "red-rep-d-1")].Fate, due)
		again(t, p.game)
	})
	clause(t, "HFG-6.13", "twice is once too often, and its elements can't be posted", func(t *testing.T) {
		p := at(t, 1863)
		is(t, "twice", strings.Join(plans(t, p, "blue", "{delayed: [{command: ii-corps, by: road-1, edge: w}, {command: ii-corps, by: rails, edge: w}]}"), ", "), "HFG-6.13 hfg.delay-twice")
		is(t, "posted", strings.Join(plans(t, p, "blue", "{delayed: [{command: ii-corps, by: road-1, edge: w}], deploy: [{element: bay-c-1, at: [6000, 5000]}]}"), ", "), "HFG-6.13 hfg.deploy-delayed")
	})
}

// FuzzPreparation: whatever a file says at a stop of the preparation, it is an answer that is read
// back from its normal form, or it is refused with places; and it never makes the program fail.
func FuzzPreparation(f *testing.F) {
	seeds := []string{
		"{list: own, commands: [{id: i, kind: c-in-c, general: g, elements: [m-1..5]}], elements: {g: cp, m-1..5: minie}}",
		"{numbering: {w: 6, nw: 5, ne: 4, e: 3, se: 2, sw: 1}, pieces: [{kind: bua, size: 500, where: {w: {at: [2500, 3000]}, rest: first-legal}}]}",
		"{place: road-1, from: [0, 3000], bends: [[5000, 3000]]}", "{edge: north}",
		"{deploy: [{line: [bay-a-1..4], left: [7000, 5000], facing: s}], works: [{redoubt: r1, at: [4000, 4000], holds: art-a-1}], concealed: [{element: mk-b-1, at: [4000, 4500]}], delayed: [{command: ii-corps, by: road-1, edge: w}]}",
	}
	for _, s := range seeds {
		f.Add(s)
	}
	var games []*battlefield
	for _, s := range []step{listing, grounding, choosing, planning, deploying} {
		p, _ := letters(f, map[string]string{"lists": "own"}, 1, 1, 6, 1)
		until(f, p, s)
		games = append(games, p)
	}
	f.Fuzz(func(t *testing.T, text string) {
		root, faults := orders.ParseNode([]byte(text))
		if len(faults) > 0 || root == nil {
			return
		}
		for _, p := range games {
			for _, d := range p.asks() {
				r := orders.NewReader(vocabulary)
				reply := opens[d.Kind].Read(&glimpse{p.game, p.sideOf(d.Side)}, d, r, root)
				for _, fault := range r.Problems {
					if fault.Why.Code == "" {
						t.Fatalf("%s: a fault without words", d.Kind)
					}
				}
				if len(r.Problems) > 0 {
					continue
				}
				normal := reply.Node().Encode()
				if back, faults := handed(t, p.game, d, normal); len(faults) > 0 || back.Node().Encode() != normal {
					t.Fatalf("%s: %v\n%s\nis read back as %s", d.Kind, faults, text, normal)
				}
			}
		}
	})
}
