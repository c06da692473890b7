package hfg

import (
	"testing"
)

// army makes a side's elements in a row, n of a type, with ids from a letter.
func army(letter string, n int, k troop, y int64, facing int) []piece {
	var all []piece
	for i := range n {
		all = append(all, piece{letter + string(rune('a'+i)), k, int64(1000 + 500*i), y, facing, nil})
	}
	return all
}

func TestMoraleCases(t *testing.T) {
	lose := func(g *game, ids ...string) {
		for _, id := range ids {
			g.remove(named(t, g, id), destroyed)
		}
	}
	clause(t, "HFG-17.1", "destroyed, run off and routed are lost, spent isn't", func(t *testing.T) {
		g := field(t, 1809, army("r", 5, muskets, 1000, 0)...)
		for i, f := range []fate{destroyed, fled, spent, left} {
			g.remove(elementID(i+1), f)
			is(t, fateWords[f], g.lost(elementID(i+1)), f == destroyed || f == fled)
		}
		g.Elements[5].Spirit = routed
		is(t, "routed", g.lost(5), true)
		g.rally(5, 1)
		is(t, "rallied", g.lost(5), false)
	})
	clause(t, "HFG-16.1", "destroyed for good", func(t *testing.T) {
		g := field(t, 1809, facedUp(muskets, muskets)...)
		beatenClose(t, g, 6, 1)
		is(t, "fate", g.Elements[named(t, g, "b1")].Fate, destroyed)
		is(t, "lost", g.tollOn(second).lost, 2)
	})
	clause(t, "HFG-16.2", "spent is removed and not lost", func(t *testing.T) {
		g := field(t, 1809, facedUp(muskets, heavyCavalry)...)
		beatenClose(t, g, 6, 1) // 10 against 3
		is(t, "fate", g.Elements[named(t, g, "b1")].Fate, spent)
		is(t, "lost", g.tollOn(second).lost, 0)
	})
	clause(t, "HFG-17.2", "losses of both count at the end of each turn", func(t *testing.T) {
		g := field(t, 1809, append(army("r", 2, muskets, 1000, 0), army("b", 2, muskets, 5000, 180)...)...)
		lose(g, "ra", "ba", "bb")
		played(t, g).reckons()
		is(t, "both", [2]status{g.Commands[1].Status, g.Commands[2].Status}, [2]status{defeated, defeated})
	})
	clause(t, "HFG-17.3", "a third is lost: defeated; or all lost or spent", func(t *testing.T) {
		g := field(t, 1809, army("r", 11, muskets, 1000, 0)...) // and a command party: 12
		lose(g, "ra", "rb", "rc")
		is(t, "three of twelve", g.breaks(1), false)
		lose(g, "rd")
		is(t, "four of twelve", g.breaks(1), true)
		g = field(t, 1809, army("r", 3, lightCavalry, 1000, 0)...)
		for e := elementID(1); int(e) < len(g.Elements); e++ {
			if g.def(e).side == first {
				g.remove(e, spent)
			}
		}
		is(t, "all spent", g.breaks(1), true)
	})
	clause(t, "HFG-17.4", "transfers change the original total", func(t *testing.T) {
		g := field(t, 1809, army("r", 11, muskets, 1000, 0)...)
		g.Commands[1].Out = 4
		is(t, "ten of twelve", g.tollOf(1).original, 20)
		lose(g, "ra", "rb", "rc", "rd")
		is(t, "four lost", g.tollOf(1).lost, 8)
	})
	clause(t, "HFG-R81", "a defeated command stays so", func(t *testing.T) {
		g := field(t, 1809, army("r", 2, muskets, 1000, 0)...)
		g.Elements[1].Spirit = routed
		played(t, g).reckons()
		is(t, "defeated", g.Commands[1].Status, defeated)
		g.Elements[1].Spirit = steady
		played(t, g).reckons()
		is(t, "still", g.Commands[1].Status, defeated)
	})
	clause(t, "HFG-17.6", "more than a quarter, and a command defeated", func(t *testing.T) {
		g := field(t, 1809, army("r", 7, muskets, 1000, 0)...) // 8 with the party
		lose(g, "ra", "rb")
		g.Commands[1].Status = defeated
		is(t, "a quarter", g.ending().over, false)
		lose(g, "rc")
		is(t, "more", g.ending(), ending{true, first})
		g.Commands[1].Status = active
		is(t, "without a defeated command", g.ending().over, false)
	})
	clause(t, "HFG-R83", "both at once: the greater share loses, equal is a draw", func(t *testing.T) {
		for n, want := range map[int]side{3: second, 2: noSide} {
			g := field(t, 1809, append(army("r", 4, muskets, 1000, 0), army("b", 4, muskets, 5000, 180)...)...)
			lose(g, "ra", "rb")
			for i := range n {
				lose(g, "b"+string(rune('a'+i)))
			}
			is(t, "who has lost", played(t, g).reckons(), ending{true, want})
		}
	})
	clause(t, "HFG-17.7", "sunset after the last pair", func(t *testing.T) {
		g := field(t, 1809, facedUp(muskets, muskets)...)
		g.sunset = 24
		for turn, want := range map[int]bool{46: false, 47: false, 48: true} {
			g.Turn = turn
			is(t, "over", g.ending(), ending{over: want})
		}
	})
	clause(t, "HFG-R60", "sunset without a loser is a draw", func(t *testing.T) {
		g := field(t, 1809, facedUp(muskets, muskets)...)
		g.sunset, g.Turn = 1, 2
		is(t, "nobody", g.ending(), ending{true, noSide})
	})
	clause(t, "HFG-17.8", "only its own side is told that a command is defeated", func(t *testing.T) {
		g := field(t, 1809, army("r", 2, muskets, 1000, 0)...)
		lose(g, "ra")
		p := played(t, g)
		p.reckons()
		for _, e := range p.Events {
			for _, x := range e.Tellings {
				is(t, "who is told", len(x.To) == 1 && x.To[0] == "red", true)
			}
		}
		is(t, "told", p.told("hfg.command-defeated"), true)
	})
	clause(t, "HFG-R103", "a defeated command may not end nearer to the enemy's edge; recoils and least pursuits are made", func(t *testing.T) {
		g := field(t, 1809, piece{"r1", muskets, 4000, 3000, 0, nil}, piece{"r2", lightCavalry, 6000, 3000, 0, nil})
		g.Commands[first].Status = defeated
		e := named(t, g, "r1")
		ahead := g.alone(e, at(4000, 3100, 0))
		is(t, "advance", faultCode(g.judge(ahead)), "hfg.move-defeated")
		is(t, "back", faultCode(g.judge(g.alone(e, at(4000, 2900, 0)))), "")
		_, ok := g.presses(e, func(elementID) bool { return false })
		is(t, "press forward", ok, false)
		g.pursues(chase{e: named(t, g, "r2"), low: 300, far: 900})
		is(t, "pursuit", standsAt(t, g, "r2")[1], 3300)
	})
	clause(t, "HFG-17.5", "a defeated ally withdraws over his edge without PIPs", func(t *testing.T) {
		g := field(t, 1809, piece{"b1", muskets, 4000, 5000, 180, nil}, piece{"b2", muskets, 6000, 5300, 180, nil})
		g.commands[second-1].allied = true
		g.Commands[second].Status = defeated
		g.Turn = 2
		played(t, g).withdrawals()
		is(t, "turned about: that is all its 400 paces", standsAt(t, g, "b1"), [3]int64{4000, 5019, 0})
		for range 3 {
			g.Turn += 2
			p := played(t, g)
			p.begin()
			p.withdrawals()
		}
		is(t, "gone", g.Elements[named(t, g, "b1")].Fate, left)
		is(t, "not lost", g.lost(named(t, g, "b1")), false)
	})
	clause(t, "HFG-R129", "nearest to the edge first, at right angles to it", func(t *testing.T) {
		g := field(t, 1809, piece{"b1", muskets, 4000, 5000, 90, nil}, piece{"b2", muskets, 4000, 5500, 90, nil})
		g.commands[second-1].allied = true
		g.Commands[second].Status = defeated
		g.Turn = 2
		played(t, g).withdrawals()
		is(t, "the one behind is not in the way", standsAt(t, g, "b1")[2], 0)
		is(t, "the nearer one", standsAt(t, g, "b2")[2], 0)
	})
	clause(t, "HFG-R82", "a withdrawn ally isn't a loss", func(t *testing.T) {
		g := field(t, 1809, piece{"b1", muskets, 4000, 5900, 0, nil})
		g.commands[second-1].allied = true
		g.Commands[second].Status = defeated
		g.Turn = 2
		played(t, g).withdrawals()
		is(t, "fate", g.Elements[named(t, g, "b1")].Fate, left)
	})
	clause(t, "HFG-16.3", "silenced in turn 9: no shot in turn 10, free in 11", func(t *testing.T) {
		g := field(t, 1809, piece{"r1", bayonets, 4000, 3000, 0, nil}, piece{"b1", bayonets, 4000, 3190, 180, nil})
		g.Elements[named(t, g, "r1")].Silenced = 9
		for turn, want := range map[int]string{9: "", 10: "hfg.shot-silenced", 11: ""} {
			g.Turn = turn
			is(t, "shot", may(t, g, "r1", "b1"), want)
		}
	})
	clause(t, "HFG-R73", "through the next turn of either side", func(t *testing.T) {
		g := field(t, 1809, piece{"r1", bayonets, 4000, 3000, 0, nil})
		g.Elements[named(t, g, "r1")].Silenced = 8
		for turn, want := range map[int]bool{8: true, 9: true, 10: false} {
			g.Turn = turn
			is(t, "silenced", g.silenced(named(t, g, "r1")), want)
		}
	})
	clause(t, "HFG-16.16", "a damaged ship has -2 in everything", func(t *testing.T) {
		g := field(t, 1860, facedUp(steamer, steamer)...)
		g.Elements[named(t, g, "r1")].Damaged = true
		is(t, "T15", marked(g, closeBout(t, g, "r1", "b1"), true, "hfg.mark-t15"), -2)
		is(t, "shooting", marked(g, distantBout(t, g, "b1", "r1"), true, "hfg.mark-t15"), -2)
	})
	clause(t, "HFG-18.4", "ships close with ships; a Flotilla with troops on a bank", func(t *testing.T) {
		g := field(t, 1860, piece{"r1", sail, 4000, 3000, 0, nil}, piece{"r2", flotilla, 5000, 3000, 0, nil}, piece{"b1", muskets, 4000, 3100, 180, nil}, piece{"b2", sail, 6000, 3000, 0, nil})
		is(t, "sail and troops", g.boards(named(t, g, "r1"), named(t, g, "b1")), false)
		is(t, "flotilla and troops", g.boards(named(t, g, "r2"), named(t, g, "b1")), true)
		is(t, "sail and sail", g.boards(named(t, g, "r1"), named(t, g, "b2")), true)
	})
	clause(t, "HFG-R84", "only a Flotilla boards troops", func(t *testing.T) {
		g := field(t, 1860, piece{"r1", steamer, 4000, 3000, 0, nil}, piece{"b1", muskets, 4000, 3100, 180, nil})
		is(t, "steamer", g.boards(named(t, g, "r1"), named(t, g, "b1")), false)
	})
	clause(t, "HFG-18.6", "a repulsed Flotilla goes 1,200 paces", func(t *testing.T) {
		g := fieldOn(t, &setting{year: 1860, areas: []areaDef{octagon("sea", waterway, 4000, 3000, 6000, 5800)}}, facedUp(steamer, flotilla)...)
		beatenClose(t, g, 4, 4) // 7 against 7: equal
		is(t, "equal", standsAt(t, g, "b1"), [3]int64{4000, 3000, 180})
		beatenClose(t, g, 5, 4)
		is(t, "repulsed", standsAt(t, g, "b1"), [3]int64{4000, 3000 + 500 + 500 + 1200, 0})
	})
}
