package hfg

import (
	"slices"
	"strings"
	"testing"

	"berthier/engine"
)

// apart brings a campaign to the plan of a battle: of red the centre, of blue the reserve aren't there, blue's II Corps is a stage away.
func apart(t *testing.T) *battlefield {
	t.Helper()
	p := afoot(t, nil)
	c := p.onMap()
	for id, node := range map[string]string{"red-centre": "greyfield", "blue-i-corps": "eastbridge", "blue-ii-corps": "langley", "red-cavalry": "bridgend"} {
		i, _ := c.Force(id)
		p.Prepare.Map.Stands[i].At, _ = c.Node(node)
	}
	answers(t, p, map[string]string{"red": "{cavalry: {morning: [eastbridge]}}"})
	answers(t, p, nil)
	until(t, p, planning)
	is(t, "the reserve", p.Commands[p.commandNamed("blue-reserve")].Status, absent)
	return p
}

// Who isn't at a campaign's battle gets there neither by another command, nor by a die, nor is it known to the enemy.
func TestWhoIsElsewhereOnTheMap(t *testing.T) {
	groups := "{commands: {i-corps: [i-corps-gen, bay-b-1..5, baye-b-1, mk-b-1, art-b-1, bay-a-1], ii-corps: [ii-corps-gen, bay-c-1..5]}, deploy: [{element: bay-a-1, at: [6000, 4500], facing: s}]}"
	clause(t, "HFG-20.10", "no element changes between a command that is there and one that isn't", func(t *testing.T) {
		p := apart(t)
		is(t, "faults", slices.Contains(plans(t, p, "blue", groups), "HFG-20.10 hfg.group-away"), true)
	})
	clause(t, "HFG-R147", "a command that isn't there, or comes later by the map, can't be held back for a die", func(t *testing.T) {
		p := apart(t)
		for _, c := range []string{"reserve", "ii-corps"} {
			faults := plans(t, p, "blue", "{delayed: [{command: "+c+", by: road-1, edge: n}]}")
			is(t, c, slices.Contains(faults, "HFG-20.10 hfg.delay-away"), true)
		}
	})
	clause(t, "HFG-20.2", "which commands of the enemy are elsewhere isn't known", func(t *testing.T) {
		p := apart(t)
		c := p.commandNamed("blue-reserve")
		sees := func() string {
			text, err := p.view("red").Marshal()
			if err != nil {
				t.Fatal(err)
			}
			return string(text)
		}
		before := sees()
		p.Commands[c].Status = delayed
		is(t, "red sees the same", sees() == before, true)
	})
}

// Pontoneers who have built a bridge are the bridge.
func TestPontoneersAreTheirBridge(t *testing.T) {
	stream := lineOf("stream-1", stream, 0, [2]int64{5000, 6000}, [2]int64{5000, 3500})
	bridge := "works: [{pontoon: pon-1, over: stream-1, at: [5000, 4500]}]"
	clause(t, "HFG-R45", "they are not deployed besides", func(t *testing.T) {
		p := planned(t, nil, []lineDef{westEast(), stream}, enlisted("pon-1", pontoneers))
		is(t, "the bridge alone", len(plans(t, p, "blue", "{"+bridge+"}")), 0)
		is(t, "and at a place", plans(t, p, "blue", "{"+bridge+", deploy: [{element: pon-1, at: [6000, 4500], facing: s}]}")[0], "HFG-6.2 hfg.deploy-twice")
	})
	clause(t, "HFG-6.12", "whose command comes later build none before", func(t *testing.T) {
		p := planned(t, nil, []lineDef{westEast(), stream, lineOf("road-2", road, 0, [2]int64{6000, 6000}, [2]int64{6000, 0})}, enlisted("pon-1", pontoneers))
		d := p.def(named(t, p.game, "blue-pon-1"))
		c := strings.TrimPrefix(p.lead(d.command).id, "blue-")
		is(t, "faults", slices.Contains(plans(t, p, "blue", "{"+bridge+", delayed: [{command: "+c+", by: road-2, edge: n}]}"), "HFG-6.13 hfg.deploy-delayed"), true)
	})
}

// A concealed position may be a group of several lines, and is read as it is written.
func TestConcealedGroupsAreReadAsTheyAreWritten(t *testing.T) {
	clause(t, "HFG-6.10", "two lines behind each other are one position", func(t *testing.T) {
		p := planned(t, []areaDef{octagon("wood-1", wood, 4000, 4500, 1600, 1200)}, []lineDef{westEast()})
		p.Prepare.Buys[second] = wares{Defending: []ware{{buysConcealed, 1}}}
		two := "{line: [bay-a-1, bay-a-2], left: [4400, 4300], facing: s}, {line: [bay-a-3, bay-a-4], left: [4400, 4500], facing: s}"
		is(t, "as two positions", plans(t, p, "blue", "{concealed: ["+two+"]}")[0], "HFG-6.10 hfg.work-bought")
		text := "{concealed: [[" + two + "]]}"
		is(t, "as one", len(plans(t, p, "blue", text)), 0)
		d := engine.Decision{Side: "blue", Kind: stopPlan}
		first, _ := handed(t, p.game, d, text)
		again, faults := handed(t, p.game, d, first.Node().Encode())
		is(t, "its normal form", len(faults) == 0 && again.Node().Encode() == first.Node().Encode(), true)
	})
}

// A column stands across a bend of its road, and is written as one.
func TestAColumnIsDeployedAcrossABend(t *testing.T) {
	clause(t, "HFG-R42", "bases that follow each other may overlap at a bend", func(t *testing.T) {
		bent := lineOf("road-2", road, 0, [2]int64{4000, 6000}, [2]int64{6000, 4500}, [2]int64{9000, 4300})
		for _, head := range []string{"1000", "2600", "2700", "3000"} {
			p := planned(t, nil, []lineDef{westEast(), bent})
			text := "{deploy: [{column: [bay-a-1, bay-a-2, bay-a-3], road: road-2, head: " + head + ", facing: e}]}"
			is(t, "faults at "+head, strings.Join(plans(t, p, "blue", text), ", "), "")
			d := engine.Decision{Side: "blue", Kind: stopPlan}
			one, _ := handed(t, p.game, d, text)
			_, faults := handed(t, p.game, d, one.Node().Encode())
			is(t, "its normal form at "+head, len(faults), 0)
			answers(t, p, map[string]string{"blue": text})
			b := &breaches{game: p.game}
			b.impossible()
			is(t, "a sound position", len(b.All), 0)
			e := named(t, p.game, "blue-bay-a-2")
			is(t, "a column", p.follows(e, named(t, p.game, "blue-bay-a-1")) && p.follows(e, named(t, p.game, "blue-bay-a-3")), true)
		}
	})
}

// What a column and a concealed group say is read back as it was written, at the sharpest bends, too.
func TestColumnsAndGroupsReadBack(t *testing.T) {
	d := engine.Decision{Side: "blue", Kind: stopPlan}
	sharp := lineOf("road-2", road, 0, [2]int64{5000, 6000}, [2]int64{5000, 4500}, [2]int64{9000, 5200})
	short := lineOf("road-3", road, 0, [2]int64{6000, 6000}, [2]int64{6000, 4500})
	clause(t, "HFG-9.9", "a column looks the way that it was told", func(t *testing.T) {
		for _, text := range []string{
			"{deploy: [{column: [bay-a-1, bay-a-2], road: road-2, head: 1550, facing: e}]}", "{deploy: [{column: [bay-a-1, bay-a-2], road: road-2, head: 1450, facing: n}]}",
			"{concealed: [[], {column: [bay-a-1, bay-a-2], road: road-2, head: 1000, facing: s}]}"} {
			p := planned(t, []areaDef{octagon("wood-1", wood, 6000, 4800, 8000, 2000)}, []lineDef{westEast(), sharp})
			one, faults := handed(t, p.game, d, text)
			is(t, text, strings.Join(faults, ", "), "")
			again, _ := handed(t, p.game, d, one.Node().Encode())
			is(t, "read back", again.Node().Encode() == one.Node().Encode() && strings.Contains(one.Node().Encode(), "bay-a-2"), true)
		}
	})
	clause(t, "HFG-9.9", "a column stands on its road, whole", func(t *testing.T) {
		p := planned(t, nil, []lineDef{westEast(), short})
		is(t, "beyond its end", plans(t, p, "blue", "{deploy: [{column: [bay-a-1, bay-a-2], road: road-3, head: 99999, facing: s}]}")[0], "HFG-9.9 hfg.deploy-column")
		is(t, "on it", strings.Join(plans(t, p, "blue", "{deploy: [{column: [bay-a-1, bay-a-2], road: road-3, head: 1400, facing: s}]}"), ", "), "")
	})
}

// comesIn brings a command that was held back onto the field in so many of its turns, each time with all the room there is, and tells who
// waits still.
func comesIn(t *testing.T, p *battlefield, c commandID, turns int) []elementID {
	t.Helper()
	p.Phase, p.Commands[c].Status = moving, arriving
	for i := range turns {
		p.Turn = 4 + 2*i
		p.begin()
		p.Commands[c].Score, p.Commands[c].Spent = 6, 0
		for _, e := range p.standing() {
			if p.command(e) == c {
				p.remove(e, left)
			}
		}
		o := order{Verb: verbEnter, Of: p.lead(c).id, Far: mostFar}
		p.letsIn(&o)
	}
	return p.waiting(c)
}

func TestWhoCanComeOnByARoad(t *testing.T) {
	across := lineOf("road-2", road, 0, [2]int64{6000, 6000}, [2]int64{6000, 0})
	held := "{delayed: [{command: reserve, by: road-2, edge: n}]}"
	clause(t, "HFG-R135", "a Laager is deeper than its move is long, and comes on, with all behind it", func(t *testing.T) {
		p := planned(t, nil, []lineDef{westEast(), across}, enlisted("x-1", laager))
		answers(t, p, map[string]string{"blue": held})
		answers(t, p, nil)
		is(t, "who waits", len(comesIn(t, p, p.commandNamed("blue-reserve"), 30)), 0)
	})
	clause(t, "HFG-6.13", "a Supply Base can't come on by a road, nor a command with one", func(t *testing.T) {
		p := planned(t, nil, []lineDef{westEast(), across}, enlisted("x-1", supplyBase))
		d := p.def(named(t, p.game, "blue-x-1"))
		c := strings.TrimPrefix(p.lead(d.command).id, "blue-")
		is(t, "faults", plans(t, p, "blue", "{delayed: [{command: "+c+", by: road-2, edge: n}]}")[0], "HFG-6.13 hfg.delay-never")
	})
	clause(t, "HFG-6.13", "whoever can't come bars nobody's way", func(t *testing.T) {
		p := planned(t, nil, []lineDef{westEast(), across})
		answers(t, p, map[string]string{"blue": held})
		answers(t, p, nil)
		c := p.commandNamed("blue-reserve")
		s := *p.setting
		s.roster = slices.Clone(s.roster)
		first := p.waiting(c)[0]
		s.roster[first-1].troop = supplyBase
		s.complete()
		p.setting = &s
		is(t, "who waits", slices.Equal(comesIn(t, p, c, 30), []elementID{first}), true)
	})
	clause(t, "HFG-6.13", "a road that ends in a corner enters over either edge", func(t *testing.T) {
		for _, e := range []string{"n", "w"} {
			p := planned(t, nil, []lineDef{westEast(), lineOf("road-2", road, 0, [2]int64{0, 6000}, [2]int64{6000, 3000})})
			text := "{delayed: [{command: ii-corps, by: road-2, edge: " + e + "}]}"
			if faults := plans(t, p, "blue", text); len(faults) > 0 {
				t.Fatal(faults)
			}
			answers(t, p, map[string]string{"blue": text})
			_, ok := p.gate(p.commandNamed("blue-ii-corps"))
			is(t, "a gate at "+e, ok, true)
		}
	})
	clause(t, "HFG-6.13", "when the column marches on, who is off the field still comes on in the same turn, for its PIPs", func(t *testing.T) {
		p := planned(t, nil, []lineDef{westEast(), across})
		answers(t, p, map[string]string{"blue": "{delayed: [{command: ii-corps, by: road-2, edge: n}]}"})
		c := p.commandNamed("blue-ii-corps")
		answers(t, p, nil)
		for _, e := range p.standing() {
			p.remove(e, left)
		}
		p.Turn, p.Phase = 4, moving
		p.Commands[c].Status, p.Commands[c].Score = arriving, 6
		plan, fault := p.plannedEntry(c, mostFar)
		is(t, "comes on", fault == nil && len(plan.paths) == 2, true)
		p.entersBy(c, plan)
		_, fault = p.plannedEntry(c, mostFar)
		is(t, "again at once", code(fault), "hfg.entry-once")
		on, ok := p.byRoad(plan.elements(), nil, 400)
		is(t, "its second march", ok && p.judge(on) == nil, true)
		p.carry(on)
		p.spend(on, c)
		spent := p.Commands[c].Spent
		plan, fault = p.plannedEntry(c, mostFar)
		if fault != nil {
			t.Fatal(fault)
		}
		is(t, "then others follow", fault == nil && len(plan.paths) > 0, true)
		p.entersBy(c, plan)
		is(t, "for nothing more", p.Commands[c].Spent, spent)
		_, fault = p.plannedEntry(c, mostFar)
		is(t, "and no more", code(fault), "hfg.entry-once")
	})
}

func TestWhatIsBoughtAndDug(t *testing.T) {
	clause(t, "HFG-6.14", "who has bought a concealed position rolls for a surprise, though he has placed none", func(t *testing.T) {
		p := planned(t, nil, []lineDef{westEast()})
		answers(t, p, nil)
		answers(t, p, nil)
		p.Events = nil
		p.step()
		is(t, "told", slices.Contains(told(p), "HFG-6.14 hfg.surprise"), true)
	})
	clause(t, "HFG-20.6", "works of the map come on top of what was bought, up to as many as there may be", func(t *testing.T) {
		p := planned(t, nil, []lineDef{westEast()})
		p.Prepare.Buys[second] = wares{Defending: []ware{{buysEntrenchment, 5}}}
		p.Prepare.Dug[second] = wares{Defending: []ware{{buysEntrenchment, 3}, {buysRedoubt, 4}}}
		is(t, "entrenchments", p.Prepare.has(second, defender, buysEntrenchment), 6)
		is(t, "redoubts", p.Prepare.has(second, defender, buysRedoubt), 3)
	})
	clause(t, "HFG-1.8", "nobody is deployed on his own strong point", func(t *testing.T) {
		p := planned(t, nil, []lineDef{westEast()})
		is(t, "faults", plans(t, p, "blue", "{works: [{strong-point: farm, at: [4000, 4000]}], deploy: [{element: bay-a-1, at: [4000, 4100], facing: s}]}")[0], "HFG-1.8 hfg.deploy-ground")
	})
}

// A redoubt protects foot and guns, and nobody on horseback.
func TestARedoubtProtectsFootAndGuns(t *testing.T) {
	for k, want := range map[troop]bool{muskets: true, smoothbore: true, lightHorse: false, commandParty: false} {
		clause(t, "HFG-6.6", "a redoubt and "+k.String(), func(t *testing.T) {
			p := planned(t, nil, []lineDef{westEast()}, enlisted("x-1", k))
			text := "{works: [{redoubt: r1, at: [4000, 5000], facing: s}], deploy: [{element: x-1, at: [4000, 5000], facing: s}]}"
			if faults := plans(t, p, "blue", text); len(faults) > 0 {
				t.Fatal(faults)
			}
			answers(t, p, map[string]string{"blue": text})
			is(t, "is sheltered", p.shelter(named(t, p.game, "blue-x-1")) != nil, want)
		})
	}
}

// The weather heeds another die where the commander-in-chief has none.
func TestWeatherWithoutACommanderInChief(t *testing.T) {
	clause(t, "HFG-R163", "the attacker's commander-in-chief is off the field: the first of his commands that rolls settles the weather", func(t *testing.T) {
		p := planned(t, nil, []lineDef{westEast()})
		answers(t, p, nil)
		answers(t, p, nil)
		for c := commandID(1); int(c) < len(p.Commands); c++ {
			if d := p.lead(c); d.side == first && d.rank == chief {
				p.Commands[c].Status = absent
			}
		}
		p.Dice.(*sequence).fixed = []int{6, 6, 6, 6}
		p.rollPips(first, 1)
		is(t, "mist", p.Sky, misty)
	})
}

// A stream between the long edges may become the river when its dice are known.
func TestAStreamBecomesTheRiver(t *testing.T) {
	clause(t, "HFG-4.8", "at the stop place, by its width", func(t *testing.T) {
		for _, one := range []struct {
			name, text, want string
			dice             []int
			lines            []lineDef
		}{
			{"between the long edges", "{place: stream-1, width: 300, upstream: last}", "", []int{3, 5}, nil},
			{"too wide", "{place: stream-1, width: 500}", "", []int{3, 5}, nil},
			{"between a long edge and a short one", "{place: stream-1, width: 300}", "HFG-4.8 hfg.place-no-river", []int{1, 3}, nil},
			{"a second river", "{place: stream-1, width: 300}", "HFG-4.8 hfg.place-no-river", []int{3, 5}, []lineDef{lineOf("river-1", river, 300, [2]int64{1000, 6000}, [2]int64{1000, 0})}},
			{"upstream without a river", "{place: stream-1, upstream: last}", "HFG-4.8 hfg.place-no-river", []int{3, 5}, nil},
		} {
			p := placed(t, terrainPiece{Kind: streamPiece, By: first}, one.dice...)
			s := *p.setting
			s.lines = one.lines
			s.complete()
			p.setting = &s
			d := p.owed[0]
			_, faults := handed(t, p.game, d, one.text)
			if one.name == "too wide" {
				is(t, one.name, len(faults), 1)
				continue
			}
			is(t, one.name, strings.Join(faults, ", "), one.want)
			if one.want != "" {
				continue
			}
			answers(t, p, map[string]string{string(d.Side): one.text})
			i := slices.IndexFunc(p.lines, func(d lineDef) bool { return d.id == "river-1" })
			is(t, "a river, upstream at its end", i >= 0 && p.lines[i].kind == river && p.lines[i].width == 300*pace && p.lines[i].up, true)
		}
	})
}

// The owner of a piece is asked for its place though the search for the first one finds none; without an answer it is left out, and
// that is told.
func TestAPieceIsAskedForThoughNoPlaceIsFound(t *testing.T) {
	clause(t, "HFG-4.5", "a marsh beside a waterway", func(t *testing.T) {
		p := placed(t, terrainPiece{Kind: marshPiece, By: first, Size: []int{1100, 300}}, 1)
		s := *p.setting
		s.areas = []areaDef{{id: "waterway-1", kind: waterway, outline: []place{paced(0, 0), paced(600, 0), paced(600, 6000), paced(0, 6000)}}}
		s.complete()
		p.setting = &s
		_, found := p.plot().first(&p.Prepare.Pieces[0], false)
		is(t, "a first legal place", found, false)
		d := p.owed[0]
		_, faults := handed(t, p.game, d, "{place: marsh-1, at: [750, 3000], facing: 90}")
		is(t, "another one", strings.Join(faults, ", "), "")
		p.Prepare.Step, p.Prepare.Pieces = grounding, p.Prepare.Pieces[:1]
		p.Dice.(*sequence).fixed = []int{1}
		p.opening().pieces()
		is(t, "asked", p.Prepare.Step, placing)
		answers(t, p, nil)
		is(t, "told", slices.Contains(told(p), "HFG-4.10 hfg.not-laid"), true)
	})
}

// Commands are named in a plan in any order.
func TestCommandsAreNamedInAnyOrder(t *testing.T) {
	clause(t, "HFG-R164", "the second before the first", func(t *testing.T) {
		p := planned(t, nil, []lineDef{westEast()})
		is(t, "faults", len(plans(t, p, "blue", "{commands: {ii-corps: [ii-corps-gen, bay-c-1..5, bay-a-1], i-corps: [i-corps-gen, bay-b-1..5]}}")), 0)
	})
}
