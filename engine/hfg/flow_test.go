package hfg

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/orders"
)

// scramble changes what a side can't see of its enemy: marks, PIPs, commands, policies, and where
// those stand whom it doesn't know.
func scramble(g *game, of side, r *rand.Rand) *game {
	c := g.trial()
	for e := elementID(1); int(e) < len(c.Elements); e++ {
		x := &c.Elements[e]
		if c.def(e).side == of {
			continue
		}
		x.Disabled, x.Dulled, x.Rested = r.IntN(2) == 0, r.IntN(2) == 0, r.IntN(2) == 0
		if c.on(e) && !g.known(of, e) {
			x.Spirit, x.Since, x.Silenced, x.Moved = spirit(r.IntN(3)), r.IntN(9), r.IntN(9), r.IntN(900)
		}
	}
	for i := range c.Commands[1:] {
		if x := &c.Commands[i+1]; c.lead(commandID(i+1)).side != of {
			x.Die, x.Score, x.Spent, x.Doubles = r.IntN(7), r.IntN(12), r.IntN(5), r.IntN(3)
		}
	}
	c.Seen[of.enemy()] = nil
	c.prepares(of, r)
	s := *c.setting
	s.roster = append([]elementDef(nil), s.roster...)
	for i := range s.roster {
		if d := &s.roster[i]; d.side != of {
			d.what = "somebody else"
		}
	}
	c.setting = &s
	return c
}

// prepares has the enemies of a side dig where it doesn't see it, find a ford, and look for one in vain.
func (g *game) prepares(of side, r *rand.Rand) {
	at := func() place { return place{X: r.Int64N(g.size.X), Y: r.Int64N(g.size.Y)} }
	g.Works = append(g.Works, placedWork{ID: "unseen", Kind: [...]work{redoubt, entrenchment, minefield}[r.IntN(3)], Side: of.enemy(), At: at(), Facing: r.IntN(360), Width: 400 * pace, Depth: 200 * pace, Hidden: true})
	for l := range g.lines {
		if g.lines[l].water() {
			g.Fords = append(g.Fords, ford{Over: lineID(l + 1), At: at(), Facing: r.IntN(360), Hidden: of})
			g.Barren = append(g.Barren, search{Over: lineID(l + 1), At: at(), By: of.enemy()})
		}
	}
}

// What a side can't see changes nothing in its view.
func TestViewsDoNotLeak(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	stops := 0
	playOut(t, engine.Setup{}, 5, 24, func(g *game) error {
		stops++
		for _, seat := range g.seats() {
			a, _ := g.view(seat).Marshal()
			b, _ := scramble(g, g.sideOf(seat), r).view(seat).Marshal()
			if !bytes.Equal(a, b) {
				return fmt.Errorf("the view of %s has changed:\n%s\n%s", seat, a, b)
			}
		}
		return nil
	})
	if stops < 20 {
		t.Errorf("only %d stops were looked at", stops)
	}
}

// turnOf reads an order file of the first turn of the battle of 1815, in which the French have
// plenty of PIPs.
func turnOf(t *testing.T, text string) (*game, engine.Answer, orders.Problems) {
	t.Helper()
	g := begin(t, nil)
	g.Phase = moving
	p := plays(g)
	p.begin()
	for c := range g.Commands {
		g.Commands[c].Score = 6
	}
	g.owed = g.asked()
	doc, faults := orders.Parse("game: g\nside: french\nstop: 1 turn\n"+text, vocabulary)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	answer, faults := New().Read(g.view("french"), g.owed[0], doc)
	return g, answer, faults
}

// Cases of the flow of a turn, and of orders as they are written.
func TestFlowCases(t *testing.T) {
	clause(t, "HFG-7.1", "a rally ordered before a march: the march is made first", func(t *testing.T) {
		all := inOrder([]order{{Verb: verbRally, Of: "a"}, {Verb: verbGo, Of: "b"}, {Verb: verbAlong, March: true, Of: "c"}, {Verb: verbFord, Of: "d"}})
		got := ""
		for _, o := range all {
			got += o.Of
		}
		is(t, "the order", got, "dcba")
	})
	clause(t, "HFG-R91", "a move into an enemy who is not known stops before him and costs its PIPs", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", heavyCavalry, 5000, 2000, 0, nil}, piece{"r0", hq, 5000, 1500, 0, nil}, piece{"b1", muskets, 5000, 2800, 180, nil})
		g.Commands[1].Score = 3
		g.Elements[named(t, g, "b1")].Concealed = true
		p := plays(g)
		p.Phase = moving
		p.carriesOut(&order{Verb: verbGo, Of: "r1", Far: 1000})
		is(t, "it stops short", p.Elements[1].At.Y < 2800*pace-slack && p.Elements[1].At.Y > 2700*pace, true)
		is(t, "PIPs", p.Commands[1].Spent, 1)
		is(t, "he is put down", p.Elements[named(t, g, "b1")].Concealed, false)
	})
	clause(t, "HFG-R112", "a group is of one command", func(t *testing.T) {
		_, _, faults := turnOf(t, "orders:\n  moves:\n    - {group: [gren-1, lobau], advance: 100}\n")
		is(t, "refused", len(faults) > 0 && faults[0].Clause == "HFG-R112", true)
	})
	clause(t, "HFG-R121", "max is the greatest whole number that is legal", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", bayonets, 5000, 2000, 0, nil}, piece{"r2", muskets, 5000, 2309 + 200, 0, nil})
		p, fault := g.planned(&order{Verb: verbGo, Of: "r1", Far: mostFar}, []elementID{1})
		if fault != nil {
			t.Fatal(fault.Why)
		}
		is(t, "beyond a friend who may not be stood on", p.price, 310)
		g.Elements[2].At.Y = 2400 * pace
		p, _ = g.planned(&order{Verb: verbGo, Of: "r1", Far: mostFar}, []elementID{1})
		is(t, "past him", p.price, 600)
	})
	clause(t, "HFG-4.17", "foot that end wholly inside a BUA hold its edge; a second stands inside", func(t *testing.T) {
		g := fieldOn(t, &setting{year: 1815, areas: []areaDef{octagon("v", bua, 5000, 3000, 600, 600)}},
			piece{"r0", hq, 5600, 2000, 0, nil}, piece{"r1", bayonets, 5000, 2600, 0, nil}, piece{"r2", bayonets, 5000, 2400, 0, nil})
		g.Commands[1].Score = 4
		p := plays(g)
		p.Phase = moving
		p.carriesOut(&order{Verb: verbGo, Of: "r1", Far: 500})
		is(t, "holds", p.Elements[named(t, g, "r1")].Holds, 1)
		p.carriesOut(&order{Verb: verbGo, Of: "r2", Far: 600})
		is(t, "doesn't", p.Elements[named(t, g, "r2")].Holds, 0)
		is(t, "inside", p.stands(ptr(p.body(named(t, g, "r2"))), 1), true)
	})
	clause(t, "HFG-11.6", "a flank contacted by who has moved 500 turns at once, by 300 not", func(t *testing.T) {
		for _, c := range []struct {
			x    int64
			want int
		}{{5700, 90}, {5480, 0}} {
			g := field(t, 1815, piece{"r0", hq, 7000, 2000, 0, nil}, piece{"r1", heavyCavalry, c.x, 2900, 270, nil}, piece{"b1", muskets, 5000, 3000, 0, nil})
			g.Commands[1].Score = 3
			p := plays(g)
			p.Phase = moving
			p.carriesOut(&order{Verb: verbContact, Of: "r1", Enemy: "b1", Edge: 3})
			is(t, "contact", p.touched(named(t, g, "r1")), true)
			is(t, "facing", p.Elements[named(t, g, "b1")].Facing, c.want)
		}
	})
}

// A whole turn in one letter is read, and written again in the same words.
func TestTurnIsReadAndWritten(t *testing.T) {
	text := `orders:
  moves:
    - {group: [gren-1, gren-2], advance: 100}
    - {element: domon, forward: max}
    - {element: jacquinot, to: [8000, 3100], facing: n}
    - {element: guard-foot-guns, back: 100}
    - {march: {element: pire-1, to: D3, facing: 45}}
    - {element: husson, to: front of la-haye-sainte, stop-short: 900, facing: n, else: {forward: 100}}
  fire:
    - {hold: i-12pdr}
`
	for said, want := range map[string]string{"fronte-nemico di la-haye-sainte": "front of la-haye-sainte", "Dietro gauthier 400": "behind gauthier 400",
		"accanto kempt destra 0": "beside kempt right 0", "strada brussels 900": "road brussels 900", "Mont Saint Jean": "Mont Saint Jean"} {
		is(t, said, placeWords(said), want)
	}
	for _, said := range []string{"{group: left..right of gren-1, advance: 100}", "{gruppo: sinistra..destra di gren-2, avanza: 100}"} {
		_, a, faults := turnOf(t, "orders: {moves: ["+said+"]}")
		if len(faults) > 0 || !strings.Contains(a.Orders().Encode(), "gren-1, gren-2") {
			t.Errorf("%s: %v %s", said, faults, a.Orders().Encode())
		}
	}
	g, answer, faults := turnOf(t, text)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	written := answer.Orders().Encode()
	_, again, faults := turnOf(t, written)
	if len(faults) > 0 {
		t.Fatalf("%v\n%s", faults, written)
	}
	if got := again.Orders().Encode(); got != written {
		t.Errorf("written again otherwise:\n%s\n%s", written, got)
	}
	if _, err := g.Advance(map[engine.Side]engine.Answer{"french": answer}, luck{rand.New(rand.NewPCG(1, 1))}); err != nil {
		t.Fatal(err)
	}
	is(t, "domon has moved", g.Elements[named(t, g, "domon")].At != place(pt(7850, 2300)), true)
}
