package hfg

import (
	"slices"
	"strings"
	"testing"

	"berthier/engine"
)

// What a seat can't know reaches it by no other way than that of its eyes: neither by events, questions, shots and moves, nor by fords
// and works on its map.

// screened is a field on which a wood hides whoever of blue stands behind it from red's r1, unless he is concealed elsewhere.
func screened(t *testing.T, lines []lineDef, pieces ...piece) *game {
	t.Helper()
	return fieldOn(t, &setting{year: 1809, areas: []areaDef{octagon("w", wood, 5000, 3000, 9000, 800)}, lines: lines},
		append(pieces, piece{"r1", muskets, 5000, 1500, 0, nil})...)
}

// hears lists what a seat is told of the events so far.
func hears(p *battlefield, of engine.Side) []string {
	var all []string
	for _, e := range p.Events {
		for _, x := range e.Tellings {
			if slices.Contains(x.To, of) {
				all = append(all, x.Say.Code)
			}
		}
	}
	return all
}

func TestWhatIsDoneUnseen(t *testing.T) {
	clause(t, "HFG-5.6", "who destroys a bridge behind a wood is not named", func(t *testing.T) {
		g := screened(t, []lineDef{lineOf("river", river, 200, [2]int64{2000, 5000}, [2]int64{8000, 5000})}, piece{"b1", bayonets, 5000, 4900, 0, []grade{elite}})
		g.Bridges = []bridge{{ID: "bridge", Over: 1, At: place(pt(5000, 5000)), Temporary: true}}
		g.Elements[named(t, g, "b1")].Task.Bridge = "bridge"
		is(t, "red knows him", g.seatKnows("red", named(t, g, "b1")), false)
		p := melees(t, g, 5, 1)
		is(t, "blue is told", slices.Contains(hears(p, "blue"), "hfg.combat-close"), true)
		is(t, "red is told", slices.Contains(hears(p, "red"), "hfg.combat-close"), false)
	})
	clause(t, "HFG-5.6", "who is known is told of, but not together with who isn't", func(t *testing.T) {
		g := screened(t, nil, piece{"b1", muskets, 5000, 4500, 180, nil}, piece{"b2", muskets, 5000, 2200, 180, nil})
		tale := g.taleOf(named(t, g, "b2"), "HFG-16.7", "hfg.routed-with", elementArg("other", g.def(named(t, g, "b1"))))
		is(t, "red", slices.Contains(tale.to, "red"), false)
		is(t, "blue", slices.Contains(tale.to, "blue"), true)
	})
	clause(t, "HFG-10.2", "a ford that is found unseen is on the enemy's map when he sees the place", func(t *testing.T) {
		g := fieldOn(t, &setting{year: 1809, areas: []areaDef{octagon("w", wood, 5000, 3000, 9000, 800), octagon("town", bua, 5600, 4500, 500, 500)},
			lines: []lineDef{lineOf("river", river, 200, [2]int64{2000, 5000}, [2]int64{8000, 5000})}}, piece{"r1", muskets, 5000, 1500, 0, nil}, piece{"b1", muskets, 5000, 4900, 0, nil})
		g.Commands[2].Score = 6
		p := plays(g, 6)
		p.Turn, p.Phase = 2, moving
		p.searches(named(t, g, "b1"))
		is(t, "blue's map", len(p.view("blue").Fords), 1)
		is(t, "red's map", len(p.view("red").Fords), 0)
		p.Elements[named(t, p.game, "r1")].At = place(pt(5000, 4000))
		p.uncovers()
		is(t, "red's map, when he has come near", len(p.view("red").Fords), 1)
	})
	clause(t, "HFG-6.10", "a work that concealed troops have left unseen stays hidden until it is seen", func(t *testing.T) {
		g := screened(t, nil, piece{"b1", muskets, 5000, 4500, 180, nil})
		e := named(t, g, "b1")
		g.Works = []placedWork{{ID: "w1", Kind: redoubt, Side: second, At: place(pt(5000, 4500)), Facing: 180, Width: 400 * pace, Depth: 200 * pace, Hidden: true}}
		g.Elements[e].Concealed = true
		p := plays(g)
		p.uncovers()
		is(t, "held", len(p.view("red").Works), 0)
		p.Elements[e].At = place(pt(5000, 4900))
		p.uncovers()
		is(t, "left", len(p.view("red").Works), 0)
		p.Elements[named(t, p.game, "r1")].At = place(pt(5000, 3900))
		p.uncovers()
		is(t, "seen", len(p.view("red").Works), 1)
	})
	clause(t, "HFG-R154", "whom a charge may hit is asked by what its owner knows, in mist, too", func(t *testing.T) {
		g := field(t, 1809, piece{"r1", lightCavalry, 4000, 3000, 0, nil}, piece{"b1", muskets, 4000, 3450, 180, nil}, piece{"b2", muskets, 4300, 3450, 180, nil})
		is(t, "in clear weather", len(g.chargeable(named(t, g, "r1"))) > 0, true)
		g.Sky = misty
		is(t, "in mist", len(g.chargeable(named(t, g, "r1"))), 0)
	})
	clause(t, "HFG-R91", "in a town foot, and who may dismount, meets whoever is concealed there", func(t *testing.T) {
		for _, kind := range []troop{muskets, dragoons} {
			g := fieldOn(t, &setting{year: 1809, areas: []areaDef{octagon("town", bua, 4000, 3000, 900, 900)}}, piece{"r1", kind, 4000, 2400, 0, nil}, piece{"b1", muskets, 4000, 3400, 180, nil})
			b := named(t, g, "b1")
			g.Elements[b].Concealed = true
			p := plays(g)
			x := g.alone(named(t, g, "r1"), at(4000, 3000, 0))
			p.meetsInTown(x)
			is(t, "red is told", slices.Contains(hears(p, "red"), "hfg.meets"), true)
			is(t, "b1 is put down", g.Elements[b].Concealed, false)
			g.carry(x)
			g.settles(x)
			is(t, "r1 holds it", g.Elements[named(t, g, "r1")].Holds, areaID(0))
		}
	})
	clause(t, "HFG-12.7", "whom the shooter doesn't know bars no shot of his", func(t *testing.T) {
		g := field(t, 1809, piece{"r1", smoothbore, 4000, 2000, 0, nil}, piece{"b1", muskets, 4000, 2900, 180, nil}, piece{"b2", muskets, 4000, 2500, 180, nil})
		shoots := func() string {
			return code(g.shotFault(named(t, g, "r1"), fighter{Element: named(t, g, "b1")}))
		}
		is(t, "b2 in sight", shoots(), "hfg.shot-lane")
		g.Elements[named(t, g, "b2")].Concealed = true
		is(t, "b2 concealed", shoots(), "")
	})
	clause(t, "HFG-R158", "a shooter of whom the enemy doesn't know is asked nothing", func(t *testing.T) {
		g := field(t, 1899, piece{"b1", muskets, 4000, 3000, 180, nil}, piece{"r1", muskets, 4000, 2410, 0, nil})
		b, r := named(t, g, "b1"), named(t, g, "r1")
		p := plays(g)
		q := &question{What: askPress, Of: b, By: r}
		p.Policies[second] = []policyCase{{Seat: "blue", Key: policyPress, Do: "ask"}}
		_, settled := p.decided(q)
		is(t, "in sight", settled, false)
		p.Elements[b].Concealed = true
		_, settled = p.decided(q)
		is(t, "concealed", settled, true)
	})
	clause(t, "HFG-5.8", "how many commands the enemy has is in no view", func(t *testing.T) {
		p, _ := letters(t, map[string]string{"pair": "gettysburg"})
		answers(t, p, nil)
		text, err := p.view("red").Marshal()
		if err != nil {
			t.Fatal(err)
		}
		is(t, "unknown commands", strings.Count(string(text), `id: "?"`) <= 1, true)
	})
	clause(t, "HFG-5.8", "enemies are listed by their names, whatever their commands", func(t *testing.T) {
		g := field(t, 1809, piece{"r1", muskets, 4000, 2000, 0, nil}, piece{"b3", muskets, 3000, 4000, 180, nil}, piece{"b1", muskets, 4000, 4000, 180, nil}, piece{"b2", muskets, 5000, 4000, 180, nil})
		text, err := g.view("red").Marshal()
		if err != nil {
			t.Fatal(err)
		}
		at := func(id string) int { return strings.Index(string(text), "\n  "+id+": {at") }
		is(t, "in the position", at("b1") >= 0 && at("b1") < at("b2") && at("b2") < at("b3"), true)
		is(t, "in the setting", strings.Index(string(text), "id: b1") < strings.Index(string(text), "id: b2") && strings.Index(string(text), "id: b2") < strings.Index(string(text), "id: b3"), true)
		v := g.view("red")
		var ids []string
		for _, e := range v.listed() {
			if v.def(e).side == second {
				ids = append(ids, v.def(e).id)
			}
		}
		is(t, "in letters", slices.IsSorted(ids), true)
	})
}
