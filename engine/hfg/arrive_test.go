package hfg

import (
	"slices"
	"testing"
)

// prussians is the battle of 1815 in an allied turn in which a Prussian command arrives.
func prussians(t *testing.T, id string) (*battlefield, commandID) {
	t.Helper()
	g := begin(t, nil)
	c := g.commandNamed(id)
	g.Turn, g.Phase = 22, moving
	g.Commands[c].Arrives = 22
	p := plays(g)
	p.begin()
	return p, c
}

// Cases of arrivals, surprises and mines: chapter 6.
func TestArrivalCases(t *testing.T) {
	clause(t, "HFG-6.13", "a command comes on in column on its road, what has no room later", func(t *testing.T) {
		p, c := prussians(t, "iv-prussian")
		plan, fault := p.plannedEntry(c, mostFar)
		if fault != nil {
			t.Fatal(fault.Why)
		}
		is(t, "how far along a muddy road", plan.price, 400)
		is(t, "the general alone has room", len(plan.paths), 1)
		p.entersBy(c, plan)
		is(t, "active", p.Commands[c].Status, active)
		for _, x := range plan.paths {
			is(t, "on the road", p.onRoad(x.element), true)
		}
		is(t, "sound", sound(p.game), nil)
		is(t, "once a turn", code(p.entryFault(c)), "hfg.entry-once")
		left := len(p.waiting(c))
		p.Turn = 24
		p.begin()
		column := make([]elementID, 0, 2)
		for _, x := range plan.paths {
			column = append(column, x.element)
		}
		if on, ok := p.byRoad(column, nil, 400); ok && p.judge(on) == nil {
			p.carry(on)
		} else {
			t.Fatal("the head of the column doesn't get on")
		}
		plan, fault = p.plannedEntry(c, mostFar)
		if fault != nil {
			t.Fatal(fault.Why)
		}
		is(t, "PIPs of those who come later, who are of the same column", p.costs(plan).sum(), 0)
		p.entersBy(c, plan)
		is(t, "fewer are left", len(p.waiting(c)) < left, true)
		is(t, "sound again", sound(p.game), nil)
	})
	clause(t, "HFG-R31", "the first march is free", func(t *testing.T) {
		p, c := prussians(t, "iv-prussian")
		plan, _ := p.plannedEntry(c, mostFar)
		is(t, "PIPs", p.costs(plan).sum(), 0)
	})
	clause(t, "HFG-6.13", "nobody comes on before his time, nor in the enemy's turn", func(t *testing.T) {
		g := begin(t, nil)
		c := g.commandNamed("iv-prussian")
		is(t, "before", code(g.entryFault(c)), "hfg.entry-who")
		p, c := prussians(t, "iv-prussian")
		p.Turn = 23
		is(t, "in the enemy's turn", code(p.entryFault(c)), "hfg.entry-turn")
	})
	surprise := func(t *testing.T, die int, hidden int, grades ...grade) *game {
		g := field(t, 1815, piece{"r1", hq, 5000, 1000, 0, grades}, piece{"r2", muskets, 6000, 1000, 0, nil}, piece{"b1", muskets, 5000, 4000, 180, nil})
		g.Prepare = &preparation{Step: ready}
		g.Prepare.Hidden[first] = hidden
		plays(g, die).surprises()
		return g
	}
	clause(t, "HFG-6.14", "a 2, a brilliant chief, two positions: five turns, till a shot is fired", func(t *testing.T) {
		g := surprise(t, 2, 2, brilliant)
		is(t, "turns", g.Surprise, 5)
		is(t, "dice of the defender", len(g.eachDie(second, 2)), 0)
		g.Turn = 2
		is(t, "his moves", code(g.moveFault(named(t, g, "b1"), tactical)), "hfg.move-surprised")
		plays(g).discovers()
		is(t, "nothing has happened", g.Surprise, 5)
		g.Elements[named(t, g, "b1")].Shot = true
		plays(g).discovers()
		is(t, "a shot", g.Surprise, 0)
		g = surprise(t, 2, 2)
		g.Elements[named(t, g, "r2")].At = place(pt(5000, 3300))
		plays(g).discovers()
		is(t, "seen at 700 p", g.Surprise, 0)
	})
	clause(t, "HFG-R32", "mist that has come counts; without positions no die", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", hq, 5000, 1000, 0, nil})
		g.Prepare, g.Sky = &preparation{Step: ready}, misty
		plays(g).surprises()
		is(t, "no positions", g.Surprise, 0)
		g.Prepare.Hidden[first] = 1
		plays(g, 1).surprises()
		is(t, "1 + 1 + 3", g.Surprise, 5)
	})
	mined := func(t *testing.T, dice ...int) *battlefield {
		s := &setting{year: 1870, areas: []areaDef{octagon("sea", waterway, 6000, 3000, 9000, 2000)}}
		g := fieldOn(t, s, piece{"r1", steamer, 4000, 3000, 90, nil}, piece{"r2", steamer, 4000, 3400, 90, nil})
		g.Works = []placedWork{{ID: "m", Kind: minefield, Side: second, At: place(pt(5000, 3400)), Facing: 0, Width: 800 * pace, Depth: 800 * pace, Hidden: true}}
		return plays(g, dice...)
	}
	clause(t, "HFG-6.11", "two enemy ships cross a minefield: 1 and 4", func(t *testing.T) {
		p := mined(t, 1, 4)
		for e := elementID(1); e <= 2; e++ {
			plan := p.alone(e, at(6500, 3000+int64(e-1)*300, 90))
			p.carry(plan)
			p.mined(e, &plan.paths[0])
		}
		is(t, "the first", p.Elements[1].Fate, destroyed)
		is(t, "the second", p.Elements[2].Fate, present)
	})
	clause(t, "HFG-R30", "it is hidden until a ship has entered it", func(t *testing.T) {
		p := mined(t, 4)
		is(t, "before", p.view("red").Works == nil || len(p.view("red").Works) == 0, true)
		plan := p.alone(1, at(6500, 3000, 90))
		p.mined(1, &plan.paths[0])
		is(t, "after", len(p.view("red").Works), 1)
	})
}

// Guns as deep as their move come on by a road askew to the edge.
func TestDeepGunsComeOn(t *testing.T) {
	clause(t, "HFG-R135", "guns 400 deep by a muddy road", func(t *testing.T) {
		p, c := prussians(t, "i-prussian")
		for _, e := range p.waiting(c) {
			if p.def(e).id != "i-p-guns" {
				p.Elements[e].Fate = spent
			}
		}
		plan, fault := p.plannedEntry(c, mostFar)
		if fault != nil {
			t.Fatal(fault.Why)
		}
		is(t, "its price", plan.price, 400)
		is(t, "wholly on the field", p.leaves(&plan.paths[0].to), false)
	})
}

// However a battle goes on, all Prussians come on who are let in: nobody is lost on the way.
func TestPrussiansAllComeOn(t *testing.T) {
	p, c := prussians(t, "i-prussian")
	for turn := 22; turn < 50 && len(p.waiting(c)) > 0; turn += 2 {
		p.Turn = turn
		p.begin()
		p.Commands[c].Score = 6
		for _, e := range slices.Backward(p.standing()) { // the way is made clear
			if p.command(e) == c {
				p.remove(e, left)
			}
		}
		o := order{Verb: verbEnter, Of: "i-prussian", Far: mostFar}
		p.letsIn(&o)
		if err := sound(p.game); err != nil {
			t.Fatal(err)
		}
	}
	is(t, "still waiting", len(p.waiting(c)), 0)
}
