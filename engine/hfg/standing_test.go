package hfg

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
)

// standingOf reads standing orders and policies of a seat.
func standingOf(t testing.TB, g *game, seat engine.Side, text string) (engine.Answer, orders.Problems) {
	t.Helper()
	root, faults := orders.ParseNode([]byte(text))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	return declared.ReadStanding(g.view(seat), &orders.Document{Standing: root.Get("standing"), Policies: root.Get("policies")})
}

// instructed puts standing orders and policies in force.
func instructed(t testing.TB, g *game, seat engine.Side, text string) *game {
	t.Helper()
	a, faults := standingOf(t, g, seat, text)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	if err := g.Instruct(seat, a); err != nil {
		t.Fatal(err)
	}
	return again(t, g)
}

// Cases of standing orders, policies and the pace (section 5.3 of the digest).
func TestStandingCases(t *testing.T) {
	t.Run("of a turn first, then standing orders, then policies", func(t *testing.T) {
		g := instructed(t, charged(t), "red", "standing: {pursue: 700}\npolicies: {pursue: 900, press: \"yes\"}")
		g = replied(t, g, "red", "default")
		g = replied(t, g, "blue", "default", 6, 1, 3, 3)
		is(t, "standing", standsAt(t, g, "r1")[1], 3700)
		g = instructed(t, charged(t), "red", "standing: {pursue: 700}")
		g = replied(t, g, "red", "{results: {pursue: 500}}")
		g = replied(t, g, "blue", "default", 6, 1, 3, 3)
		is(t, "of the turn", standsAt(t, g, "r1")[1], 3500)
		g = instructed(t, charged(t), "red", "policies: {pursue: 900}")
		g = instructed(t, g, "red", "policies: {press: \"no\"}")
		is(t, "a policy that isn't named stays", strings.Contains(string(g.marshal()), "900"), true)
		g = instructed(t, g, "red", "standing: {pursue: [{of: r1, if: {beaten: destroyed}, do: max}]}")
		g = instructed(t, g, "red", "standing: none")
		is(t, "none takes them off", len(g.Standing), 0)
		is(t, "blue sees nothing of it", strings.Contains(mustMarshal(t, g.view("blue")), "seat: red"), false)
	})
	t.Run("reply: standing: one letter a pair", func(t *testing.T) {
		g := instructed(t, charged(t), "blue", "standing: {reply: standing}")
		g = replied(t, g, "red", "default", 6, 1, 3, 3)
		is(t, "the next is asked in his own turn", len(g.owed) == 1 && g.owed[0] == engine.Decision{Side: "blue", Kind: stopTurn}, true)
	})
	t.Run("the paces", func(t *testing.T) {
		for pace, want := range map[string]string{engine.Postal: "reply: ask", engine.EveryDecision: "pursue: ask"} {
			text, _ := declared.Pace(pace)
			is(t, pace+" says "+want, strings.Contains(text, want), true)
			g := charged(t)
			if err := declared.Begin(g, map[engine.Side]string{"red": text}); err != nil {
				t.Fatal(err)
			}
			if pace == engine.EveryDecision {
				g.Phase, g.Said = casting, false
				is(t, "his dice", g.asked()[0].Kind, stopDice)
				g = replied(t, g, "red", "default")
			}
			g = replied(t, g, "red", "default")
			if pace == engine.EveryDecision { // red keeps its own fire, too: both at once
				is(t, "both are asked", slices.Equal(g.owed, []engine.Decision{{Side: "red", Kind: stopFire}, {Side: "blue", Kind: stopFire}}), true)
				g = instructed(t, g, "red", "policies: {fire: default, aid: default}")
			}
			g = replied(t, g, "blue", "default", 6, 1)
			is(t, pace, g.Fray.Asks != nil, pace == engine.EveryDecision)
		}
	})
	t.Run("found: ask, who meets the unknown is asked again", func(t *testing.T) {
		for says, want := range map[string]string{"standing: {found: ask}": stopTurn, "standing: {found: go}": stopFire} {
			g := field(t, 1815, piece{"r1", heavyCavalry, 5000, 2000, 0, nil}, piece{"r0", hq, 5000, 1500, 0, nil}, piece{"b1", muskets, 5000, 2800, 180, nil})
			g.Commands[1].Score, g.Phase = 3, moving
			g.Elements[named(t, g, "b1")].Concealed = true
			g = instructed(t, g, "red", says)
			g = replied(t, g, "red", "{moves: [{element: r1, forward: 1000}]}")
			is(t, says, g.owed[0].Kind, want)
		}
	})
	t.Run("what is wrong is told at its place", func(t *testing.T) {
		for text, want := range map[string]string{
			"standing: {press: maybe}":                       "order.",
			"standing: {reply: never}":                       "order.",
			"standing: {pursue: [{if: {next: far}, do: 3}]}": "hfg.case-compare",
			"policies: {fire: hold-it}":                      "order.",
		} {
			_, faults := standingOf(t, charged(t), "red", text)
			is(t, text, len(faults) > 0 && strings.HasPrefix(faults[0].Why.Code, want), true)
		}
	})
}

// Cases of the stop combat: HFG-S11.
func TestDeclareCases(t *testing.T) {
	two := func(t *testing.T) *game {
		g := field(t, 1870, append(facedUp(repeaters, rifles), piece{"r2", bayonets, 6000, 3000, 0, nil}, piece{"b2", bayonets, 6000, 3000, 180, nil})...)
		g.Phase = moving
		return g
	}
	clause(t, "HFG-S11", "who keeps it for himself is asked before phase 3, both at once", func(t *testing.T) {
		g := replied(t, two(t), "red", "{combat: {dismount: ask, order: ask}}")
		g = replied(t, g, "blue", "default")
		is(t, "asked", slices.Equal(g.owed, []engine.Decision{{Side: "red", Kind: stopCombat}}), true)
		is(t, "whose isn't", strings.Contains(written(t, g, g.owed[0], "{dismount: {r2: mounted}}"), "hfg.answer-other"), true)
		for word, want := range map[string]class{"mounted": mounted, "dismounted": dismounted} {
			h := replied(t, g, "red", "{dismount: {r1: "+word+"}, order: [r2, rest]}", 3, 3, 3, 3)
			_ = h
			p := played(t, again(t, g), 3, 3, 3, 3)
			p.settlesBeforehand("red", []policyCase{{Key: policyDismount, Of: "r1", Do: word}, {Key: policyOrder, Do: "r2"}})
			p.standsDown()
			is(t, word, p.class(named(t, p.game, "r1")), want)
			is(t, "the order", p.inTurn()[0], named(t, g, "r2"))
		}
		g = replied(t, two(t), "red", "default")
		g = replied(t, g, "blue", "default", 3, 3, 3, 3)
		is(t, "who says nothing isn't asked", g.owed[0].Kind, stopTurn)
		g = replied(t, two(t), "red", "default")
		g = replied(t, g, "blue", "{combat: {order: ask}}", 3, 3, 3, 3)
		is(t, "the order is the phasing side's", g.owed[0].Kind, stopTurn)
	})
}

// Cases of arrival by rail.
func TestRailCases(t *testing.T) {
	rails := func(t *testing.T, more ...piece) (*game, commandID) {
		s := &setting{year: 1870, lines: []lineDef{lineOf("line", railway, 0, [2]int64{5000, 0}, [2]int64{5000, 6000})}}
		g := fieldOn(t, s, append([]piece{{"r1", rifles, 0, 0, 0, nil}, {"r2", rifles, 0, 0, 0, nil}, {"r3", rifled, 0, 0, 0, nil}, {"r4", rifles, 0, 0, 0, nil}, {"r5", rifles, 0, 0, 0, nil}, {"r6", rifles, 0, 0, 0, nil}}, more...)...)
		g.commands[0].arrival = &arrivalDef{road: 1, edge: south}
		for e := 1; e <= 6; e++ {
			g.Elements[e].At, g.Elements[e].Fate = place{}, due
		}
		g.Phase = moving
		return g, 1
	}
	clause(t, "HFG-6.16", "four foot or one other a turn, at one place of the line", func(t *testing.T) {
		g, c := rails(t)
		plan, fault := g.plannedEntry(c, 2000)
		if fault != nil {
			t.Fatal(fault.Why)
		}
		is(t, "how many", len(plan.paths), 4)
		is(t, "the first", plan.paths[0].to.Frame, at(5000, 2000, 0))
		is(t, "PIPs", g.costs(plan).sum(), 0)
		p := plays(g)
		p.letsIn(&order{Verb: verbEnter, Of: "reds", Far: 2000})
		is(t, "sound", sound(g), nil)
		is(t, "left", len(g.waiting(c)), 2)
		is(t, "a march", g.Elements[1].Manner, march)
		g.Turn = 3
		p.begin()
		plan, fault = g.plannedEntry(c, 700)
		if fault != nil {
			t.Fatal(fault.Why)
		}
		is(t, "then the gun alone", plan.elements()[0] == 3 && len(plan.paths) == 1, true)
	})
	clause(t, "HFG-R155", "max is the furthest whole hundred; one command a turn by one railway", func(t *testing.T) {
		g, c := rails(t)
		plan, fault := g.plannedEntry(c, mostFar)
		if fault != nil {
			t.Fatal(fault.Why)
		}
		is(t, "the end of the line", plan.paths[0].to.At.Y, 6000*pace)
		is(t, "off the field", code(second2(g.plannedEntry(c, 6001))), "hfg.entry-room")
		g.Commands[second].Entered = g.Turn
		g.commands[second-1].arrival = &arrivalDef{road: 1, edge: south}
		is(t, "another train", code(second2(g.plannedEntry(c, 900))), "hfg.entry-train")
	})
	clause(t, "HFG-R130", "not beyond where an enemy who is known can shoot at the line", func(t *testing.T) {
		g, c := rails(t, piece{"r7", rifles, 8000, 1000, 0, nil}, piece{"b1", smoothbore, 6500, 3000, 270, nil})
		g.year = 1866
		g.fog = fogOpen
		safe, by := g.safeTo(c, station{road: 1, ahead: true})
		is(t, "who", g.def(by).id, "b1")
		is(t, "up to where", safe, 2599) // from 2,600 on the line is within 200 p of what is straight ahead of its front
		is(t, "beyond", code(second2(g.plannedEntry(c, 3000))), "hfg.entry-shot")
		is(t, "short of it", code(second2(g.plannedEntry(c, 2000))), "")
		g.Elements[named(t, g, "b1")].Concealed = true
		is(t, "one who isn't known", code(second2(g.plannedEntry(c, 3000))), "")
	})
	clause(t, "HFG-19.5", "nobody moves by rail but to arrive", func(t *testing.T) {
		s := &setting{year: 1870, lines: []lineDef{lineOf("line", railway, 0, [2]int64{5000, 0}, [2]int64{5000, 6000})}}
		g := fieldOn(t, s, piece{"r1", rifles, 5000, 2000, 0, nil})
		_, fault := g.planned(&order{Verb: verbAlong, March: true, Of: "r1", Far: 600}, []elementID{1})
		is(t, "along the line", code(fault), "hfg.order-road")
	})
	clause(t, "HFG-9.11", "a group that follows a river bank ends in column", func(t *testing.T) {
		g := fieldOn(t, &setting{year: 1815, lines: []lineDef{lineOf("w", river, 200, [2]int64{0, 3000}, [2]int64{12000, 3000})}},
			piece{"r1", lightInfantry, 5000, 2650, 90, nil}, piece{"r2", lightInfantry, 5000, 2250, 90, nil})
		is(t, "along it", code(g.judge(g.together([]elementID{1, 2}, 0, 0, 300))), "hfg.move-column")
		is(t, "200", code(g.judge(g.together([]elementID{1, 2}, 0, 0, 200))), "")
	})
	clause(t, "HFG-R156", "within 100 p of the water", func(t *testing.T) {
		for y, want := range map[int64]string{2650: "hfg.move-column", 2550: ""} {
			g := fieldOn(t, &setting{year: 1815, lines: []lineDef{lineOf("w", river, 200, [2]int64{0, 3000}, [2]int64{12000, 3000})}},
				piece{"r1", lightInfantry, 5000, y, 90, nil}, piece{"r2", lightInfantry, 5000, y - 400, 90, nil})
			is(t, "300 along it", code(g.judge(g.together([]elementID{1, 2}, 0, 0, 300))), want)
		}
	})
}

// second2 is the fault of two results.
func second2(_ *plan, f *play.Fault) *play.Fault { return f }

// Cases of sunset: HFG-17.7, HFG-20.12.
func TestDuskCases(t *testing.T) {
	evening := func(t *testing.T, nextDay play.Setting) *game {
		g := fieldOn(t, &setting{year: 1809, lines: roadsOf([][2]int64{{5000, 0}, {5000, 2000}})}, append(army("r", 6, muskets, 1500, 0), army("b", 6, muskets, 4500, 180)...)...)
		g.nextDay, g.sunset, g.Turn, g.Phase = nextDay, 1, 2, reckoning
		g.Elements[named(t, g, "rb")].Fate, g.Elements[named(t, g, "rb")].At = spent, place{}
		g.Elements[named(t, g, "rc")].Spirit = routed
		return g
	}
	run := func(t *testing.T, g *game, answers map[engine.Side]string) *game {
		t.Helper()
		p := &battlefield{game: g, Story: play.Story{Dice: &engine.FixedDice{Results: slices.Repeat([]int{3}, 40)}}}
		if err := p.advance(nil); err != nil {
			t.Fatal(err)
		}
		if answers == nil {
			return g
		}
		given := map[engine.Side]engine.Answer{}
		for _, d := range g.owed {
			is(t, "the stop", d.Kind, stopDusk)
			a, faults := declared.Read(g.view(d.Side), d, document(t, answers[d.Side]))
			if len(faults) > 0 {
				t.Fatal(faults)
			}
			given[d.Side] = a
		}
		if err := p.advance(given); err != nil {
			t.Fatal(err)
		}
		return again(t, g)
	}
	clause(t, "HFG-R157", "at sunset both are asked; who withdraws has lost the field", func(t *testing.T) {
		g := run(t, evening(t, 0), nil)
		end, ended := g.Outcome()
		is(t, "without the option: a draw", ended && len(end.Winners) == 0, true)
		g = run(t, evening(t, 1), map[engine.Side]string{"red": "{night: withdraw}", "blue": "{night: stay}"})
		end, ended = g.Outcome()
		is(t, "blue has won", ended && slices.Equal(end.Winners, []engine.Side{"blue"}), true)
		g = run(t, evening(t, 1), map[engine.Side]string{"red": "{night: withdraw}", "blue": "{night: withdraw}"})
		end, ended = g.Outcome()
		is(t, "both: a draw", ended && len(end.Winners) == 0, true)
	})
	clause(t, "HFG-20.12", "nobody withdraws: the battle goes on, spent troops are due, routed ones rally", func(t *testing.T) {
		g := run(t, evening(t, 1), map[engine.Side]string{"red": "default", "blue": "default"})
		_, ended := g.Outcome()
		is(t, "over", ended, false)
		is(t, "the turn", g.Turn, 3)
		is(t, "who is due", g.Elements[named(t, g, "rb")].Fate, due)
		is(t, "by the road", g.lead(1).arrival != nil, true)
		is(t, "who ran", g.Elements[named(t, g, "rc")].Spirit, steady)
		is(t, "who is asked", g.owed[0].Kind, stopTurn)
	})
	clause(t, "HFG-R147", "a campaign's day that follows has 48 pairs, whenever the first began; both are asked at its sunset", func(t *testing.T) {
		for first, last := range map[int]int{24: 72, 48: 96} {
			g := evening(t, 0)
			g.campaign, g.sunset, g.Nights = 1, first, 1
			is(t, "the last pair", g.lastPair(), last)
			g.Turn = 2*last - 2
			is(t, "a pair before", g.ending().over, false)
			g.Turn = 2 * last
			g = run(t, g, nil)
			is(t, "the stop", g.owed[0].Kind, stopDusk)
		}
	})
	clause(t, "HFG-R191", "a battle that by an earlier reading had more nights ends with the last turn", func(t *testing.T) {
		g := evening(t, 0)
		g.campaign, g.sunset, g.Nights, g.Turn, g.Phase = 1, 24, 1, 96, dusk
		is(t, "an earlier sunset that is asked about has a next day", g.hasMorrow(), true)
		g.Phase = reckoning
		g.campaign, g.sunset, g.Nights, g.Turn = 1, 24, 2, 198
		is(t, "the last turn", g.LastTurn(), 198)
		g.Turn = 192
		is(t, "a period ends 24 pairs after the second dawn", g.periodOver(), true)
		g.Turn = 198
		g = run(t, g, map[engine.Side]string{"red": "{night: stay}", "blue": "{night: stay}"})
		_, ended := g.Outcome()
		is(t, "over", ended, true)
	})
	clause(t, "HFG-R190", "a period ends 24 pairs after the beginning or after dawn", func(t *testing.T) {
		g := evening(t, 0)
		g.campaign, g.sunset, g.Nights = 1, 24, 1
		var all []int
		for g.Turn = 49; g.Turn <= 144; g.Turn++ {
			if g.periodOver() {
				all = append(all, g.Turn)
			}
		}
		is(t, "in turns", fmt.Sprint(all), "[96 144]")
	})
}
