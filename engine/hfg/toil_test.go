package hfg

import "testing"

// Cases of fords and bridges: chapter 10.
func TestToilCases(t *testing.T) {
	ground := func(more ...areaDef) *setting {
		return &setting{year: 1815, areas: more, lines: []lineDef{lineOf("w", river, 300, [2]int64{0, 3000}, [2]int64{12000, 3000})}}
	}
	search := func(t *testing.T, die int, towns ...areaDef) *battlefield {
		g := fieldOn(t, ground(towns...), piece{"r1", muskets, 5000, 2750, 0, nil}, piece{"r0", hq, 6000, 2500, 0, nil})
		g.Commands[1].Score = 6
		p := plays(g, die)
		p.Phase = moving
		p.carriesOut(&order{Verb: verbFord, Of: "r1", Far: 100})
		return p
	}
	both := []areaDef{octagon("n", bua, 5000, 3500, 500, 500), octagon("s", bua, 5600, 2500, 500, 500)}
	clause(t, "HFG-10.2", "a 3 with a BUA on either bank is 7: a ford", func(t *testing.T) {
		p := search(t, 3, both...)
		is(t, "fords", len(p.Fords), 1)
		is(t, "its front touches the far bank", p.Elements[1].At, place(pt(5000, 3150)))
		p = search(t, 3, both[1])
		is(t, "with one, 4: none", len(p.Fords), 0)
		p = search(t, 4, both[1])
		is(t, "a 4 with one", len(p.Fords), 1)
	})
	clause(t, "HFG-R43", "none within 1,200 p of where one was not found, for either side", func(t *testing.T) {
		p := search(t, 1)
		is(t, "barren", len(p.Barren), 1)
		is(t, "again", code(p.fordFault(p.alone(1, at(6190, 2850, 0)))), "hfg.ford-barren")
		is(t, "further off", code(p.fordFault(p.alone(1, at(6210, 2850, 0)))), "")
		is(t, "the enemy does not see where it was", len(p.view("blue").Barren), 0)
		is(t, "its own side does", len(p.view("red").Barren), 1)
	})
	clause(t, "HFG-10.3", "the search costs 2 in all", func(t *testing.T) {
		p := search(t, 1)
		is(t, "spent", p.Commands[1].Spent, 2)
		g := fieldOn(t, ground(), piece{"r1", muskets, 5000, 2750, 0, nil}, piece{"r0", hq, 6000, 2500, 0, nil})
		g.Commands[1].Score = 1
		_, fault := g.orderFault(&order{Verb: verbFord, Of: "r1", Far: 100})
		is(t, "with 1 PIP", code(fault), "hfg.order-price")
	})
	clause(t, "HFG-R44", "the approach is part of it", func(t *testing.T) {
		p := search(t, 1)
		is(t, "moved", p.Elements[1].Moved, 100)
		is(t, "spent", p.Commands[1].Spent, 2)
	})
	builds := func(t *testing.T) *battlefield {
		g := fieldOn(t, ground(), piece{"r1", pontoneers, 5000, 2850, 0, nil}, piece{"r0", hq, 6000, 2500, 0, nil})
		g.Commands[1].Score = 6
		p := plays(g)
		p.Turn = 3
		p.carriesOut(&order{Verb: verbBuild, Of: "r1"})
		return p
	}
	clause(t, "HFG-10.5", "Pontoneers build in two whole own turns, unless repulsed", func(t *testing.T) {
		p := builds(t)
		p.toils()
		is(t, "after one", len(p.Bridges), 0)
		p.Turn = 5
		p.toils()
		is(t, "after two", len(p.Bridges), 1)
		is(t, "it is temporary", p.Bridges[0].Temporary, true)
		p = builds(t)
		p.toils()
		p.Elements[1].Spirit = repulsed
		p.Turn = 5
		p.toils()
		is(t, "repulsed", len(p.Bridges), 0)
	})
	clause(t, "HFG-R45", "they become the bridge, and are not lost", func(t *testing.T) {
		p := builds(t)
		p.Turn = 5
		p.toils()
		is(t, "their fate", p.Elements[1].Fate, exchanged)
		is(t, "lost", p.lost(1), false)
	})
	clause(t, "HFG-10.7", "two whole own turns in contact destroy a bridge", func(t *testing.T) {
		g := fieldOn(t, ground(), piece{"r1", muskets, 5000, 2850, 0, nil})
		g.Bridges = []bridge{{ID: "b", Over: 1, At: place(pt(5000, 3000)), Facing: 0}}
		p := plays(g)
		p.Turn = 3
		is(t, "from afar", code(p.taskFault(2, "b")), "hfg.bridge-contact")
		p.carriesOut(&order{Verb: verbWreck, Of: "r1", To: "b"})
		p.toils()
		is(t, "after one", len(p.Bridges), 1)
		p.Turn = 5
		p.toils()
		is(t, "after two", len(p.Bridges), 0)
	})
}
