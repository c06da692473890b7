package hfg

import (
	"strings"
	"testing"
)

// scoredTurn gives a game in which red is asked at the stop turn, with scores.
func scoredTurn(g *game, scores ...int) *game {
	g.Turn, g.Phase = 3, moving
	for i, n := range scores {
		g.Commands[i+1].Score, g.Commands[i+1].Die = n, min(n, dieSides)
	}
	return g
}

// Cases of what may be done with the PIP dice: HFG-7.3, HFG-7.4, HFG-7.8.
func TestDiceCases(t *testing.T) {
	says := func(t *testing.T, g *game, text string) string {
		t.Helper()
		return written(t, g, g.decision("red", stopTurn), text)
	}
	clause(t, "HFG-7.8", "a whole group goes over, but not two elements apart", func(t *testing.T) {
		g := scoredTurn(two(t, hq, 500), 3, 0, 3)
		g.Elements[named(t, g, "r4")].Command = 1
		is(t, "apart", says(t, g, "{dice: {transfer: [{elements: [r2, r4], to: r3}]}}"), "hfg.order-group")
		g.Elements[named(t, g, "r4")].At = place(pt(5800, 2000))
		is(t, "side by side", strings.HasPrefix(says(t, g, "{dice: {transfer: [{elements: [r4, r2], to: r3}]}}"), "hfg."), false)
		is(t, "one after the other", says(t, g, "{dice: {transfer: [{elements: [r2], to: r3}, {elements: [r4], to: r3}]}}"), "hfg.transfer-once")
		p := plays(g)
		p.usesDie(&diceOrder{verb: diceTransfer, of: "r2 r4", to: "r3"})
		is(t, "the first", g.command(named(t, g, "r2")), 3)
		is(t, "the second", g.command(named(t, g, "r4")), 3)
		is(t, "equivalents", g.Commands[1].Out, 4)
	})
	clause(t, "HFG-7.8", "nobody who is lost, no ally of another nation, no train and no ship", func(t *testing.T) {
		g := scoredTurn(two(t, hq, 500), 3, 0, 3)
		e := named(t, g, "r2")
		g.commands[2].rank, g.commands[2].allied = ally, true
		is(t, "to an ally", code(g.transferFault(e, 3)), "hfg.transfer-who")
		g.commands[2].rank, g.commands[2].allied = subordinate, false
		is(t, "to a subordinate", code(g.transferFault(e, 3)), "")
		for _, k := range []troop{laager, sail} {
			g.def(e).troop = k
			is(t, k.String(), code(g.transferFault(e, 3)), "hfg.transfer-who")
		}
		g.def(e).troop = muskets
		g.remove(e, destroyed)
		is(t, "who is destroyed", code(g.transferFault(e, 3)), "hfg.transfer-gone")
	})
	clause(t, "HFG-7.4", "the subordinate of another nation exchanges, for he is no ally", func(t *testing.T) {
		g := scoredTurn(two(t, hq, 500), 5, 0, 2)
		g.commands[2].nation = "hanoverian"
		is(t, "exchange", code(g.exchangeFault(1, 3)), "")
		g.commands[2].rank, g.commands[2].allied = ally, true
		is(t, "an ally", code(g.exchangeFault(1, 3)), "hfg.exchange-who")
	})
	clause(t, "HFG-R33", "an exchanged score isn't doubled", func(t *testing.T) {
		g := scoredTurn(two(t, hq, 500, brilliant), 5, 0, 2)
		g.exchange(1, 3)
		is(t, "double", code(g.doubleFault(1)), "hfg.double-exchanged")
	})
	clause(t, "HFG-7.4", "dice are used when they are rolled, and not after moves of the turn", func(t *testing.T) {
		g := scoredTurn(two(t, hq, 500, brilliant), 5, 0, 2)
		g.Phase, g.More, g.Said = moving, true, true
		p := plays(g)
		p.moves()
		is(t, "asked again", len(p.asked()), 1)
		for _, text := range []string{"{dice: {double: [r1]}}", "{dice: {exchange: {r1: r3}}}", "{dice: {transfer: [{elements: [r2], to: r3}]}}"} {
			is(t, text, says(t, p.game, text), "hfg.dice-late")
		}
		p.moves()
		is(t, "then the moves are over", p.Phase, shooting)
		p.Turn++
		p.begin()
		is(t, "in the next turn", p.Again, false)
	})
}

// Cases of slow allies, of rain and of what Aeronauts see.
func TestReadCases(t *testing.T) {
	clause(t, "HFG-6.15", "a slow ally who is to come later has no die either", func(t *testing.T) {
		g := two(t, hq, 500)
		g.commands[0].aggression, g.commands[2].aggression, g.commands[2].rank = 3, 1, ally
		g.Commands[3].Status = delayed
		is(t, "own turn 3", len(g.eachDie(first, 5)), 1)
		is(t, "own turn 4", len(g.eachDie(first, 7)), 2)
	})
	clause(t, "HFG-R38", "by option the second 6, too, is of one side", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", muskets, 5000, 2000, 0, nil})
		g.Sky, g.rainEnd = soaked, rainByDefender
		plays(g, 6).rollPips(first, 3)
		is(t, "the attacker's", g.Sky, soaked)
		plays(g, 6).rollPips(second, 4)
		is(t, "the defender's", g.Sky, muddy)
	})
	clause(t, "HFG-6.10", "concealed troops whom a balloon sees are put down", func(t *testing.T) {
		s := &setting{year: 1815, areas: []areaDef{octagon("w", wood, 5000, 3000, 1500, 1000)}}
		g := fieldOn(t, s, piece{"r1", hq, 5000, 1200, 0, nil}, piece{"r2", aeronauts, 5600, 1200, 0, nil},
			piece{"b1", muskets, 5000, 4000, 180, nil}, piece{"b2", muskets, 5000, 3000, 180, nil})
		behind, inside := named(t, g, "b1"), named(t, g, "b2")
		g.Elements[behind].Concealed, g.Elements[inside].Concealed = true, true
		p := played(t, g)
		p.uncovers()
		is(t, "behind the wood, from the ground", g.Elements[behind].Concealed, true)
		g.Elements[named(t, g, "r2")].Rested = true
		p.uncovers()
		is(t, "behind the wood", g.Elements[behind].Concealed, false)
		is(t, "in the wood", g.Elements[inside].Concealed, true)
	})
	clause(t, "HFG-5.5", "from above troops are seen within 100 p of the edge of their wood", func(t *testing.T) {
		s := &setting{year: 1815, areas: []areaDef{octagon("w", wood, 5000, 3000, 1500, 1000)}}
		g := fieldOn(t, s, piece{"r1", hq, 5000, 1200, 0, nil}, piece{"r2", aeronauts, 5600, 1200, 0, nil}, piece{"b1", muskets, 5000, 3400, 0, nil})
		g.Elements[named(t, g, "r2")].Rested = true
		is(t, "100 inside", g.knows(1, named(t, g, "b1")), true)
		g.Elements[named(t, g, "b1")].At = place(pt(5000, 3399))
		is(t, "101 inside", g.knows(1, named(t, g, "b1")), false)
	})
	clause(t, "HFG-4.17", "nobody takes up the edge of a BUA in which an enemy stands", func(t *testing.T) {
		for _, c := range []struct {
			y    int64
			want bool
		}{{3250, false}, {3600, true}} {
			g := fieldOn(t, &setting{year: 1815, areas: []areaDef{octagon("town", bua, 5000, 3000, 600, 600)}},
				piece{"r0", commandParty, 4400, 2000, 0, nil}, piece{"r1", muskets, 5000, 2920, 0, nil}, piece{"b1", muskets, 5000, c.y, 180, nil})
			g = scoredTurn(g, 3)
			r := named(t, g, "r1")
			g.Elements[r].Inside = 1
			p := forward(t, g, "r1", 10)
			g.carry(p)
			g.settles(p)
			is(t, "holds", g.Elements[r].Holds != 0, c.want)
		}
	})
	clause(t, "HFG-8.1", "where nobody has chosen the wind it is west, and who sees a ship under sail is told", func(t *testing.T) {
		sea := func() *setting {
			return &setting{year: 1870, areas: []areaDef{octagon("sea", waterway, 6000, 3000, 9000, 2000)}}
		}
		sees := func(g *game) []string {
			var codes []string
			for _, line := range g.view("red").skyLines() {
				codes = append(codes, line.Code)
			}
			return codes
		}
		g := fieldOn(t, sea(), piece{"r1", sail, 6000, 3000, 250, nil})
		g.Phase = moving
		is(t, "heading 250", goes(t, g, "r1", 300), "hfg.move-wind")
		is(t, "told", strings.Join(sees(g), " "), "hfg.weather hfg.wind")
		g.Wind = fromNorth
		is(t, "by the wind that was chosen", goes(t, g, "r1", 300), "")
		g = fieldOn(t, sea(), piece{"r1", steamer, 6000, 3000, 250, nil})
		g.Phase = moving
		is(t, "of a Steamer", strings.Join(sees(g), " "), "hfg.weather")
	})
}
