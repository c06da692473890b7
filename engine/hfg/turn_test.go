package hfg

import (
	"slices"
	"testing"

	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// set are dice that show what a case says, in this order.
type set []int

// Roll implements [engine.Dice].
func (s *set) Roll(_ int, _ phrase.Phrase) int {
	n := (*s)[0]
	*s = (*s)[1:]
	return n
}

// plays is a game that is played on with such dice.
func plays(g *game, dice ...int) *battlefield {
	d := set(dice)
	return &battlefield{game: g, Story: play.Story{Dice: &d}}
}

// two makes commands of red: a chief and a subordinate general below him, each with an element.
func two(t *testing.T, kind troop, far int64, grades ...grade) *game {
	t.Helper()
	s := &setting{year: 1815}
	g := fieldOn(t, s, piece{"r1", kind, 5000, 2000, 0, grades}, piece{"r2", muskets, 5400, 2000, 0, nil}, piece{"r3", commandParty, 5000, 2000 + far, 0, nil}, piece{"r4", muskets, 7000, 2000, 0, nil})
	more := *g.setting
	more.commands = append(slices.Clone(g.commands), commandDef{id: "wing", side: first, rank: subordinate})
	more.roster = slices.Clone(g.roster)
	more.roster[2].command, more.roster[3].command = 3, 3
	more.complete()
	g.setting = &more
	g.Commands = append(g.Commands, command{})
	return g
}

// Cases of PIPs: chapter 7.
func TestPipCases(t *testing.T) {
	clause(t, "HFG-7.2", "a command with nobody on the field or due has no die", func(t *testing.T) {
		g := two(t, hq, 500)
		is(t, "dice", len(g.eachDie(first, 1)), 2)
		g.remove(named(t, g, "r3"), destroyed)
		g.remove(named(t, g, "r4"), destroyed)
		is(t, "dice when all of one are gone", len(g.eachDie(first, 1)), 1)
	})
	clause(t, "HFG-3.9", "each command has its own die", func(t *testing.T) {
		g := two(t, hq, 500)
		p := plays(g, 3, 5)
		p.rollPips(first, 3)
		is(t, "the chief's", g.Commands[1].Score, 3)
		is(t, "the other's", g.Commands[3].Score, 5)
	})
	clause(t, "HFG-7.3", "inert and brilliant generals", func(t *testing.T) {
		g := two(t, hq, 500, inert)
		plays(g, 1, 4).rollPips(first, 3)
		is(t, "an inert one's 1", g.Commands[1].Score, 0)
		is(t, "he can't double", code(g.doubleFault(1)), "hfg.double-who")
		g = two(t, hq, 500, brilliant)
		plays(g, 3, 4).rollPips(first, 3)
		is(t, "may double", code(g.doubleFault(1)), "")
		g.double(1)
		is(t, "doubled", g.Commands[1].Score, 6)
		is(t, "once a turn", code(g.doubleFault(1)), "hfg.double-twice")
		g.Commands[1].Doubled, g.Commands[1].Doubles = false, 2
		is(t, "twice in a battle", code(g.doubleFault(1)), "hfg.double-often")
	})
	clause(t, "HFG-R113", "no score is under 0", func(t *testing.T) {
		g := two(t, hq, 500, inert)
		is(t, "1 less 1", g.inertia(1, 1), 0)
		is(t, "0 less 1", g.inertia(1, 0), 0)
	})
	clause(t, "HFG-7.4", "an exchange with a lower score", func(t *testing.T) {
		g := two(t, hq, 2000)
		g.Commands[1].Score, g.Commands[3].Score = 5, 2
		is(t, "legal", code(g.exchangeFault(1, 3)), "")
		g.exchange(1, 3)
		is(t, "the chief has", g.Commands[1].Score, 2)
		is(t, "the other", g.Commands[3].Score, 5)
		is(t, "from below", code(g.exchangeFault(3, 1)), "hfg.exchange-who")
		g.Commands[1].Traded = false
		is(t, "a higher one", code(g.exchangeFault(1, 3)), "hfg.exchange-lower")
		g.Commands[1].Score = 6
		g.commands[2].allied = true
		is(t, "an ally of another nation", code(g.exchangeFault(1, 3)), "hfg.exchange-who")
	})
	clause(t, "HFG-R33", "once a turn", func(t *testing.T) {
		g := two(t, hq, 2000)
		g.Commands[1].Score, g.Commands[3].Score, g.Commands[1].Traded = 5, 2, true
		is(t, "again", code(g.exchangeFault(1, 3)), "hfg.exchange-twice")
	})
	clause(t, "HFG-7.5", "a CP at 801 p is outside", func(t *testing.T) {
		for _, c := range []struct {
			kind troop
			gap  int64
			want bool
		}{{commandParty, 800, false}, {commandParty, 801, true}, {hq, 2400, false}, {hq, 2401, true}} {
			depth := int64(troops[c.kind].depth)
			g := field(t, 1815, piece{"r1", c.kind, 5000, 2000, 0, nil}, piece{"r2", muskets, 5000, 2000 - depth - c.gap, 0, nil})
			is(t, c.kind.String(), g.loose([]elementID{named(t, g, "r2")}), c.want)
		}
	})
	clause(t, "HFG-R34", "a group is outside if one of it is", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", commandParty, 5000, 2000, 0, nil}, piece{"r2", muskets, 6000, 2000, 0, nil}, piece{"r3", muskets, 6400, 2000, 0, nil})
		is(t, "one", g.loose([]elementID{2}), false)
		is(t, "both", g.loose([]elementID{2, 3}), true)
	})
	clause(t, "HFG-7.6", "the first march wholly on road is free", func(t *testing.T) {
		s := &setting{year: 1815, lines: []lineDef{lineOf("r", road, 0, [2]int64{5000, 0}, [2]int64{5000, 6000})}}
		g := fieldOn(t, s, piece{"r1", commandParty, 5400, 2000, 0, nil}, piece{"r2", bayonets, 5000, 1500, 0, nil})
		p, _ := g.byRoad([]elementID{2}, nil, 300)
		is(t, "the first", g.costs(p).sum(), 0)
		g.carry(p)
		g.spend(p, 1)
		p, _ = g.byRoad([]elementID{2}, nil, 300)
		is(t, "the second", g.costs(p).sum(), 1)
		off := forward(t, g, "r2", 100)
		off.manner = march
		is(t, "off road", g.costs(off).sum(), 1)
	})
	clause(t, "HFG-7.7", "old guns, out of reach, that withdraw", func(t *testing.T) {
		g := field(t, 1750, piece{"r1", commandParty, 9000, 2000, 0, nil}, piece{"r2", smoothbore, 5000, 2000, 0, nil}, piece{"b1", muskets, 5000, 2390, 180, nil})
		g.known(first, named(t, g, "b1"))
		p := forward(t, g, "r2", -100)
		is(t, "the cases", len(g.costs(p).extra), 3)
		is(t, "the price", g.costs(p).sum(), 4)
		g.Elements[2].Spirit, g.Elements[2].Since = routed, 0
		is(t, "a rally", g.rallyCosts(2).sum(), 4)
		g.Elements[2].Screened = true
		is(t, "behind friends", g.rallyCosts(2).sum(), 3)
	})
	clause(t, "HFG-R35", "extras add up, (a) counts once", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", commandParty, 9000, 2000, 0, nil}, piece{"r2", stoicFoot, 5000, 2000, 0, nil})
		g.Elements[1].Disabled = true
		is(t, "disabled and far off, Stoic Foot", g.costs(forward(t, g, "r2", 100)).sum(), 3)
	})
	clause(t, "HFG-R106", "three Muskets and one of Stoic Foot", func(t *testing.T) {
		g := field(t, 1815, piece{"r0", commandParty, 5000, 1500, 0, nil}, piece{"r1", muskets, 5000, 2000, 0, nil}, piece{"r2", muskets, 5400, 2000, 0, nil}, piece{"r3", stoicFoot, 5800, 2000, 0, nil})
		is(t, "price", g.costs(g.together([]elementID{2, 3, 4}, 0, 0, 200)).sum(), 2)
	})
	clause(t, "HFG-R36", "marches beyond the third by road, the second off it", func(t *testing.T) {
		g := field(t, 1815, piece{"r0", commandParty, 5000, 1500, 0, nil}, piece{"r1", lightCavalry, 5000, 2000, 0, nil})
		x := &g.Elements[2]
		x.Marches = 2
		is(t, "off road", g.tires([]elementID{2}), true)
		x.RoadAll = true
		is(t, "by good roads", g.tires([]elementID{2}), false)
		x.Marches = 3
		is(t, "three of them", g.tires([]elementID{2}), true)
	})
	clause(t, "HFG-R133", "from 390 to 410 p is a retreat, to 380 none", func(t *testing.T) {
		g := field(t, 1815, piece{"r0", commandParty, 5000, 1300, 0, nil}, piece{"r1", muskets, 5000, 2000, 0, nil}, piece{"b1", muskets, 5000, 2390, 180, nil})
		is(t, "410", g.withdraws(forward(t, g, "r1", -20)), true)
		is(t, "380", g.withdraws(forward(t, g, "r1", 10)), false)
		g.Elements[named(t, g, "b1")].Concealed = true
		is(t, "an enemy that is not known", g.withdraws(forward(t, g, "r1", -20)), false)
	})
	clause(t, "HFG-7.8", "a transfer to a general 900 p from a CP", func(t *testing.T) {
		g := two(t, commandParty, 1200)
		is(t, "900", code(g.transferFault(named(t, g, "r2"), 3)), "hfg.transfer-far")
		g.Elements[named(t, g, "r3")].At = place(pt(5000, 3000))
		is(t, "700", code(g.transferFault(named(t, g, "r2"), 3)), "")
		g.transfer(named(t, g, "r2"), 3)
		is(t, "its command", g.command(named(t, g, "r2")), 3)
		is(t, "equivalents that moved", g.Commands[3].In, 2)
		g.Commands[3].Status = defeated
		is(t, "back from a defeated one", code(g.transferFault(named(t, g, "r4"), 1)), "hfg.transfer-who")
	})
	clause(t, "HFG-R37", "it is the distance of the two generals that counts", func(t *testing.T) {
		g := two(t, commandParty, 1000)
		g.Elements[named(t, g, "r2")].At = place(pt(11000, 1000))
		is(t, "an element far away", code(g.transferFault(named(t, g, "r2"), 3)), "")
	})
	clause(t, "HFG-7.9", "a general helps who touches his rear", func(t *testing.T) {
		g := two(t, commandParty, 600)
		b := g.body(named(t, g, "r1"))
		x := &g.Elements[named(t, g, "r4")]
		to := conformed(b.Box, &b, geometry.Rear, false, point{})
		x.At, x.Facing = place(to.At), int(to.Heading)
		is(t, "lends", g.lends(1, named(t, g, "r4")), true)
		is(t, "one beside him", g.lends(1, named(t, g, "r2")), false)
	})
	clause(t, "HFG-7.10", "who was repulsed makes no move in its next own turn", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", muskets, 5000, 2000, 0, nil})
		g.Turn = 3
		g.Elements[1].Spirit, g.Elements[1].Since = repulsed, 2
		is(t, "a move", code(g.moveFault(1, tactical)), "hfg.move-repulsed")
		p := plays(g)
		p.ends()
		is(t, "then it turns back", g.Elements[1].Facing, 180)
		is(t, "and is steady", g.Elements[1].Spirit, steady)
		is(t, "without a shot in this turn", g.Elements[1].Turned, 3)
	})
	clause(t, "HFG-R102", "repulsed in its own attack: not in its side's next turn", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", muskets, 5000, 2000, 0, nil})
		g.Turn = 3
		g.Elements[1].Spirit, g.Elements[1].Since = repulsed, 3
		plays(g).ends()
		is(t, "in the turn itself it stays", g.Elements[1].Spirit, repulsed)
		g.Turn = 4
		plays(g).ends()
		is(t, "in the enemy's too", g.Elements[1].Spirit, repulsed)
		g.Turn = 5
		plays(g).ends()
		is(t, "at the end of its next own", g.Elements[1].Spirit, steady)
	})
	clause(t, "HFG-R77", "routed and not rallied: destroyed", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", muskets, 5000, 2000, 0, nil}, piece{"r2", muskets, 7000, 2000, 180, nil})
		g.Turn = 3
		for e := elementID(1); e <= 2; e++ {
			g.Elements[e].Spirit, g.Elements[e].Since = routed, 2
		}
		g.Commands[1].Score = 4
		is(t, "may be rallied", code(g.rallyFault(2, 1)), "")
		g.rally(2, 1)
		plays(g).ends()
		is(t, "one is lost", g.Elements[1].Fate, destroyed)
		is(t, "the other faces about", g.Elements[2].Facing, 0)
	})
	clause(t, "HFG-16.15", "a rally takes the place of a move", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", muskets, 5000, 2000, 0, nil})
		g.Turn = 3
		g.Elements[1].Spirit, g.Elements[1].Since = routed, 2
		g.rally(1, 1)
		is(t, "a move", code(g.moveFault(1, tactical)), "hfg.move-once")
	})
	clause(t, "HFG-6.15", "an ally two less aggressive rolls from own turn 4 on", func(t *testing.T) {
		g := two(t, hq, 500)
		g.commands[0].aggression, g.commands[2].aggression, g.commands[2].rank = 3, 1, ally
		for turn, want := range map[int]int{1: 1, 3: 1, 5: 1, 7: 2} {
			is(t, "dice of the attacker's turn", len(g.eachDie(first, turn)), want)
		}
	})
	clause(t, "HFG-R97", "by option from one turn earlier on", func(t *testing.T) {
		g := two(t, hq, 500)
		g.commands[0].aggression, g.commands[2].aggression, g.commands[2].rank, g.slowBegun = 3, 1, ally, 1
		is(t, "own turn 3", len(g.eachDie(first, 5)), 2)
	})
	clause(t, "HFG-9.2", "marches or one tactical move", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", muskets, 5000, 2000, 0, nil})
		g.Elements[1].Manner = march
		is(t, "a march after a march", code(g.moveFault(1, march)), "")
		is(t, "a tactical move after a march", code(g.moveFault(1, tactical)), "hfg.move-once")
		g.Elements[1].Manner = tactical
		is(t, "a march after a tactical move", code(g.moveFault(1, march)), "hfg.move-once")
	})
	clause(t, "HFG-9.7", "no element in close combat leaves it", func(t *testing.T) {
		g := field(t, 1815, piece{"r1", muskets, 5000, 2000, 0, nil}, piece{"b1", muskets, 5000, 2000, 180, nil})
		is(t, "a move", code(g.moveFault(1, tactical)), "hfg.move-fights")
	})
}

// Cases of the weather: chapter 8.
func TestWeatherCases(t *testing.T) {
	begins := func(t *testing.T, die int) *game {
		g := field(t, 1815, piece{"r1", muskets, 5000, 2000, 0, nil})
		s := *g.scenario
		s.ByDice = true
		g.scenario = &s
		plays(g, die).rollPips(first, 1)
		return g
	}
	clause(t, "HFG-8.1", "the attacker's first die", func(t *testing.T) {
		for die, want := range map[int]sky{6: misty, 1: rain, 2: fair, 5: fair} {
			is(t, "the weather", begins(t, die).Sky, want)
		}
	})
	clause(t, "HFG-8.2", "mist goes by the defender's 6", func(t *testing.T) {
		g := begins(t, 6)
		plays(g, 6).rollPips(first, 3)
		is(t, "not by the attacker's", g.Sky, misty)
		plays(g, 6).rollPips(second, 2)
		is(t, "by the defender's", g.Sky, fair)
	})
	clause(t, "HFG-8.3", "rain, then mud", func(t *testing.T) {
		g := begins(t, 1)
		plays(g, 6).rollPips(second, 2)
		is(t, "the first 6", g.Sky, soaked)
		is(t, "sight", g.sightLimit(), 0)
		plays(g, 6).rollPips(first, 3)
		is(t, "the second", g.Sky, muddy)
		plays(g, 6).rollPips(first, 5)
		is(t, "to the end", g.Sky, muddy)
	})
	clause(t, "HFG-R38", "by option only one side's 6 ends the rain", func(t *testing.T) {
		g := begins(t, 1)
		g.rainEnd = rainByAttacker
		plays(g, 6).rollPips(second, 2)
		is(t, "the defender's", g.Sky, rain)
		plays(g, 6).rollPips(first, 3)
		is(t, "the attacker's", g.Sky, soaked)
	})
	clause(t, "HFG-8.4", "good weather is neither mist nor rain", func(t *testing.T) {
		for sky, want := range map[sky]bool{fair: true, misty: false, rain: false, soaked: true, muddy: true} {
			g := &game{Sky: sky}
			is(t, skyWords[sky], g.goodWeather(), want)
		}
	})
	clause(t, "HFG-6.13", "a 6 in own turn 12: arrives in own turn 13", func(t *testing.T) {
		g := begin(t, map[string]string{"prussians": "dice"})
		c := commandID(slices.IndexFunc(g.commands, func(d commandDef) bool { return d.id == "iv-prussian" }) + 1)
		g.Commands[c].Die = 6
		p := plays(g)
		p.summon(c, 18)
		is(t, "before its earliest pair", g.Commands[c].Arrives, 0)
		p.summon(c, 20)
		is(t, "arrives", g.Commands[c].Arrives, 22)
		g.Turn = 22
		p.begin()
		is(t, "its status", g.Commands[c].Status, arriving)
		g = begin(t, map[string]string{"prussians": "historical"})
		is(t, "by history", g.Commands[c].Arrives, 32)
		g = begin(t, map[string]string{"prussians": "never"})
		is(t, "never", g.Commands[c].Status, absent)
	})
}

// Who turns about in place overlaps nobody whom he touched before, though his corners are rounded anew (HFG-1.3,
// HFG-1.8): two places of games by chance in which he did by a hundredth of a pace.
func TestAboutFaceOverlapsNobody(t *testing.T) {
	for _, c := range []struct {
		mover, other troop
		at, by       point
		facing, way  int
	}{
		{commandParty, lightCavalry, point{X: 314705, Y: 326270}, point{X: 275000, Y: 355000}, 188, 0},
		{bayonets, bayonets, point{X: 368902, Y: 451396}, point{X: 388711, Y: 449409}, 94, 184},
	} {
		g := field(t, 1815, piece{"r1", c.mover, 2000, 2000, c.facing, nil}, piece{"r2", c.other, 4000, 2000, c.way, nil}, piece{"b1", hq, 9000, 1000, 180, nil})
		e, o := elementID(1), elementID(2)
		g.Elements[e].At, g.Elements[o].At = place(c.at), place(c.by)
		if err := sound(g); err != nil {
			t.Fatal(err)
		}
		g.about(e)
		if err := sound(g); err != nil {
			t.Error(err)
		}
		is(t, "facing", g.Elements[e].Facing, (c.facing+180)%360)
	}
}
