package hfg

import (
	"slices"
	"strings"
	"testing"

	"berthier/engine"
)

// Cases of the policies dice, rally and march.
func TestDicePolicyCases(t *testing.T) {
	for _, one := range []struct {
		says           string
		die, low       int // of the chief, and of the general below him
		turn           int
		score, below   int
		doubles, story bool
	}{
		{"default", 4, 2, 3, 4, 2, false, false},
		{"ask", 4, 2, 3, 4, 2, false, false},
		{"none", 4, 2, 3, 4, 2, false, false},
		{"double", 4, 2, 3, 8, 2, true, true},
		{"exchange", 4, 2, 3, 2, 4, false, true},
		{"exchange", 2, 4, 3, 2, 4, false, false}, // only with a lower score
		{"double-exchange", 2, 3, 3, 3, 4, true, true},
		{"[{if: {die: '<=2'}, do: double}, {else: exchange}]", 2, 1, 3, 4, 1, true, true},
		{"[{if: {die: '<=2'}, do: double}, {else: exchange}]", 3, 1, 3, 1, 3, false, true},
		{"[{of: r2, if: {turn: '>=3'}, do: double}]", 2, 1, 3, 2, 1, false, false}, // of nobody who can
		{"[{of: r1, if: {turn: '>=3'}, do: double}]", 2, 1, 3, 2, 1, false, false}, // his second turn
		{"[{of: r1, if: {turn: '>=3'}, do: double}]", 2, 1, 5, 4, 1, true, true},
	} {
		g := instructed(t, two(t, hq, 500, brilliant), "red", "standing: {dice: "+one.says+"}")
		g.Turn = one.turn
		g.Commands[1].Die, g.Commands[1].Score, g.Commands[3].Die, g.Commands[3].Score = one.die, one.die, one.low, one.low
		p := plays(g)
		p.Phase = opening
		p.opens()
		p.usesDice()
		is(t, one.says+": the chief", g.Commands[1].Score, one.score)
		is(t, one.says+": below him", g.Commands[3].Score, one.below)
		is(t, one.says+": doubles", g.Commands[1].Doubles == 1, one.doubles)
		is(t, one.says+": told", p.told(standingUsed), one.story)
		is(t, "the enemy hears nothing of it", slices.ContainsFunc(p.Events, func(e engine.Event) bool {
			return slices.ContainsFunc(e.Tellings, func(x engine.Telling) bool {
				return slices.Contains(x.To, "blue") && slices.Contains([]string{standingUsed, "hfg.doubled", "hfg.exchanged"}, x.Say.Code)
			})
		}), false)
	}
	g := instructed(t, two(t, hq, 500), "red", "policies: {dice: double}")
	g.Turn = 3
	g.Commands[1].Die, g.Commands[1].Score = 2, 2
	p := plays(g)
	p.Phase = opening
	p.opens()
	p.usesDice()
	is(t, "who isn't brilliant", g.Commands[1].Score, 2)
}

// fledTwo has two routed elements of red, the second elite and dearer to rally, and so many PIPs.
func fledTwo(t *testing.T, pips int) *game {
	g := field(t, 1809, piece{"r0", hq, 5000, 1000, 0, nil}, piece{"r1", muskets, 4000, 2000, 180, nil}, piece{"r2", muskets, 8000, 2000, 180, []grade{elite}},
		piece{"b1", muskets, 5000, 5500, 180, nil})
	for _, id := range []string{"r1", "r2"} {
		x := &g.Elements[named(t, g, id)]
		x.Spirit, x.Since = routed, 2
	}
	g.Elements[named(t, g, "r1")].Screened = true
	g.Turn, g.Phase = 3, moving
	g.Commands[1].Die, g.Commands[1].Score = min(pips, 6), pips
	return g
}

func TestRallyPolicyCases(t *testing.T) {
	clause(t, "HFG-7.6", "who is rallied with the PIPs that are left", func(t *testing.T) {
		g := fledTwo(t, 9)
		r1, r2 := named(t, g, "r1"), named(t, g, "r2")
		cheap, dear := g.rallyCosts(r1).sum(), g.rallyCosts(r2).sum()
		is(t, "the elite one is dearer", cheap < dear, true)
		for _, one := range []struct {
			policy, orders string
			pips           int
			first, second  bool // who rallies
		}{
			{"default", "default", dear, true, false}, {"default", "{moves: []}", dear + cheap, false, false}, {"ask", "{more: no}", 9, false, false},
			{"elite-first", "default", dear, false, true}, {"cheapest-first", "default", dear, true, false},
			{"elite-first", "{fire: [{hold: r0}]}", dear, false, true}, {"cheapest-first", "{combat: {order: best-first}}", dear + cheap, true, true},
			{"elite-first", "{moves: [{rally: r1}]}", cheap + dear, true, true}, {"elite-first", "{moves: [{rally: r1}]}", cheap + dear - 1, true, false},
		} {
			g := instructed(t, fledTwo(t, one.pips), "red", "standing: {rally: "+one.policy+"}")
			g = replied(t, g, "red", one.orders)
			is(t, one.policy+", "+one.orders+": the cheap one", g.on(r1) && g.Elements[r1].Spirit == steady, one.first)
			is(t, one.policy+", "+one.orders+": the elite one", g.on(r2) && g.Elements[r2].Spirit == steady, one.second)
		}
	})
}

// marched has a column of red on a road to the north, and an enemy beyond its end.
func marched(t *testing.T, enemy int64) *game {
	g := fieldOn(t, &setting{year: 1809, lines: []lineDef{lineOf("lane", road, 0, [2]int64{4000, 0}, [2]int64{4000, 6000})}},
		piece{"r0", hq, 5000, 1000, 0, nil}, piece{"r1", muskets, 4000, 1500, 0, nil}, piece{"r2", muskets, 4000, 1300, 0, nil}, piece{"b1", muskets, 4000, enemy, 180, nil})
	g.Turn, g.Phase = 3, moving
	g.Commands[1].Die, g.Commands[1].Score = 3, 3
	return g
}

func TestMarchPolicyCases(t *testing.T) {
	column := func(until string) string { return "standing: {march: [{column: [r1, r2], road: lane" + until + "}]}" }
	clause(t, "HFG-7.6", "columns march by themselves, once a turn", func(t *testing.T) {
		g := replied(t, marched(t, 5800), "red", "{moves: [{march: {column: [r1, r2], road: lane, along: max}}]}")
		most := standsAt(t, g, "r1")[1]
		is(t, "it goes far", most >= 1900, true)
		for _, one := range []struct {
			until, orders string
			want          int64
		}{
			{"", "default", most}, {"", "{moves: []}", most}, {", until: {turn: 3}", "default", most}, {", until: {turn: 2}", "default", 1500},
			{", until: {at: [4000, 1900]}", "default", 1900}, {", until: {at: [4000, 1500]}", "default", 1500},
			{", until: {known-enemy-within: 4400}", "default", 1500}, {", until: {known-enemy-within: 4200}", "default", most},
			{"", "{moves: [{march: {column: [r1, r2], road: lane, along: 200}}]}", 1700}, // his own orders count
			{"", "{moves: [{element: r0, forward: 100}]}", most},
		} {
			g := replied(t, instructed(t, marched(t, 5800), "red", column(one.until)), "red", one.orders)
			is(t, one.until+", "+one.orders, standsAt(t, g, "r1")[1], one.want)
		}
		g = replied(t, instructed(t, marched(t, 5800), "red", column("")), "red", "{more: yes}")
		is(t, "asked again", g.owed[0].Kind, stopTurn)
		g = replied(t, g, "red", "{moves: []}")
		is(t, "it marches once", standsAt(t, g, "r1")[1], most)
		g = instructed(t, marched(t, 5800), "red", column(""))
		g.Elements[named(t, g, "r2")] = element{Fate: destroyed}
		is(t, "who is gone is left out", standsAt(t, replied(t, g, "red", "default"), "r1")[1], most)
	})
	t.Run("PIPs are kept for rallies", func(t *testing.T) {
		for says, want := range map[string]bool{"{keep-pips: 9}": false, "{keep-pips: 2}": true, "cheapest-first": true} {
			g := marched(t, 5800)
			g.Elements[named(t, g, "r1")].Marches = 0
			g.Elements[named(t, g, "r0")].At = place{X: 11000 * pace, Y: 5000 * pace} // too far off: one PIP more
			g = replied(t, instructed(t, g, "red", "standing: {rally: "+says+", march: [{column: [r1, r2], road: lane}]}"), "red", "default")
			is(t, says, standsAt(t, g, "r1")[1] > 1500, want)
		}
	})
	t.Run("written back as it was read, and refused at its place", func(t *testing.T) {
		for _, says := range []string{"{dice: [{of: r0, if: {turn: '>=8', die: '<=2'}, do: double}, {else: none}]}", "{rally: {keep-pips: 2}}", "{dice: double-exchange, rally: elite-first}",
			"{march: [{column: [r1, r2], road: lane, until: {known-enemy-within: 1200, at: K4, turn: 9}}, {column: r1, road: [lane], until: {at: [4000, 100]}}]}"} {
			a, faults := standingOf(t, marched(t, 5800), "red", "standing: "+says)
			if len(faults) > 0 {
				t.Fatal(says, faults)
			}
			again, faults := standingOf(t, marched(t, 5800), "red", a.Orders().Encode())
			is(t, says, len(faults) == 0 && again.Orders().Encode() == a.Orders().Encode() && strings.Contains(a.Orders().Encode(), says[1:5]), true)
		}
		for says, want := range map[string]string{
			"{dice: [{if: {die: '7'}, do: double}, {if: {range: 3}, do: none}], rally: {keep-pips: 0}}": "hfg.case-compare order.unknown-key order.want-number",
			"{rally: [elite-first]}": "order.want-text", "{march: [{road: lane}, {column: [], road: lane}, {column: b1, road: street}]}": "order.missing-key hfg.march-nobody order.unknown-element order.unknown-road",
			"{march: [{column: r1, road: lane, until: {at: nowhere, turn: soon, known-enemy-within: 0}}]}": "hfg.place-unknown order.want-number order.want-number",
		} {
			_, faults := standingOf(t, marched(t, 5800), "red", "standing: "+says)
			var codes []string
			for _, f := range faults {
				codes = append(codes, f.Why.Code)
			}
			is(t, says, strings.Join(codes, " "), want)
		}
	})
}
