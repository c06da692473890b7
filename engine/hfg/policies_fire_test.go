package hfg

import (
	"slices"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/play"
)

// Cases of the policy fire, and of what it may look at.
func TestFirePolicyCases(t *testing.T) {
	// Guns of red have muskets 700 paces ahead and cavalry 1,000 ahead, beside each other, and guns 1,200 off.
	battery := func() *game {
		return field(t, 1809, piece{"r1", smoothbore, 4000, 2000, 0, nil}, piece{"b1", muskets, 3500, 2700, 180, nil},
			piece{"b2", lightCavalry, 4500, 3000, 180, nil}, piece{"b3", smoothbore, 4000, 3200, 180, nil})
	}
	shotAt := func(t *testing.T, g *game, says string, with func(*game)) string {
		t.Helper()
		g = instructed(t, g, "red", says)
		g.Phase = shooting
		if with != nil {
			with(g)
		}
		p := played(t, g)
		p.Story.Dice = &engine.FixedDice{Results: slices.Repeat([]int{3}, 40)}
		p.firesBeforehand("red")
		r1 := named(t, g, "r1")
		switch {
		case slices.Contains(g.Held, r1):
			return "hold"
		case len(g.Aimed) == 0:
			return ""
		}
		return g.def(g.Aimed[0].At.Element).id
	}
	clause(t, "HFG-R107", "at whom guns shoot for whom no shot was ordered", func(t *testing.T) {
		for says, want := range map[string]string{
			"nearest": "", "default": "", "ask": "", "hold": "hold", "b2": "b2", "[b3, b2]": "b3", "[b2, rest]": "b2",
			"{prefer: [mounted, foot]}": "b2", "{prefer: [staff, artillery]}": "b3", "{counter-battery: yes}": "b3", "{prefer: [naval]}": "",
			"[{of: foot, do: hold}, {else: b2}]":                                 "b2",
			"[{of: artillery, if: {target: foot}, do: hold}, {else: b2}]":        "hold",
			"[{if: {target: mounted}, do: hold}, {else: b2}]":                    "b2",
			"[{if: {range: '<=600'}, do: hold}, {else: b2}]":                     "b2",
			"[{if: {range: '<=800'}, do: hold}, {else: b2}]":                     "hold",
			"[{if: {range: '<=1100'}, do: b3}, {if: {range: '>900'}, do: b2}]":   "b2",
			"[{if: {odds: '>9'}, do: b3}, {if: {odds: '>=-9'}, do: hold}]":       "hold",
			"[{if: {turn: '>=2'}, do: hold}, {if: {going: good}, do: b2}]":       "b2",
			"[{if: {grade: horse}, do: hold}, {else: b2}]":                       "b2",
			"[{if: {target: artillery}, do: {prefer: [foot, artillery]}}]":       "b3",
			"[{if: {target: [mounted, b3]}, do: [b1, b3, b2]}, {else: nearest}]": "b3",
		} {
			is(t, says, shotAt(t, battery(), "standing: {fire: "+says+"}", nil), want)
		}
		is(t, "what is ordered goes before", shotAt(t, battery(), "policies: {fire: hold}", func(g *game) {
			r1, b2 := named(t, g, "r1"), named(t, g, "b2")
			g.Aimed = []shot{{By: r1, At: fighter{Element: b2}}}
		}), "b2")
		is(t, "standing orders before policies", shotAt(t, battery(), "standing: {fire: b2}\npolicies: {fire: hold}", nil), "b2")
		is(t, "who is gone is passed over", shotAt(t, battery(), "standing: {fire: [{of: r1, do: b2}, {else: b3}]}", func(g *game) {
			g.Elements[named(t, g, "b2")] = element{Fate: destroyed}
		}), "b3")
		is(t, "who isn't known is none", shotAt(t, battery(), "standing: {fire: [{of: r1, do: b2}, {else: b3}]}", func(g *game) {
			g.Elements[named(t, g, "b2")].Concealed = true
		}), "b3")
	})
	clause(t, "HFG-12.8", "foot takes the nearest, whatever its policy prefers", func(t *testing.T) {
		g := field(t, 1809, piece{"r1", muskets, 4000, 2000, 0, nil}, piece{"b1", muskets, 4000, 2180, 180, nil}, piece{"b2", lightCavalry, 4450, 2150, 180, nil})
		is(t, "prefers cavalry", shotAt(t, g, "standing: {fire: {prefer: [mounted]}}", nil), "")
		is(t, "holds its fire in its own turn", shotAt(t, g, "standing: {fire: hold}", nil), "hold")
	})
	clause(t, "HFG-S13", "who keeps his own fire is asked together with the enemy", func(t *testing.T) {
		both := []engine.Decision{{Side: "red", Kind: stopFire}, {Side: "blue", Kind: stopFire}}
		for says, want := range map[string]int{"{fire: ask}": 2, "{fire: [{of: artillery, do: ask}]}": 2, "{fire: [{else: hold}]}": 1, "default": 1,
			"{fire: [{of: r1, do: b2}, {if: {range: '<9'}, do: ask}]}": 2, "{fire: [{else: nearest}, {of: r1, do: ask}]}": 1,
			"{results: {aid: ask}}": 2, "{results: {aid: [{of: artillery, do: ask}]}}": 2, "{results: {aid: aid}}": 1} {
			g := replied(t, battery(), "red", says)
			is(t, says, slices.Equal(g.owed, both[2-want:]), true)
		}
		g := replied(t, battery(), "red", "{fire: ask}")
		is(t, "he isn't asked twice", written(t, g, g.owed[0], "{fire: ask}"), "order.unknown-target")
		g = again(t, g)
		red, faults := declared.Read(g.view("red"), g.owed[0], document(t, "{fire: [{element: r1, at: b3}]}"))
		blue, wrong := declared.Read(g.view("blue"), g.owed[1], document(t, "{fire: hold}"))
		if len(faults)+len(wrong) > 0 {
			t.Fatal(faults, wrong)
		}
		p := &battlefield{game: g, Story: play.Story{Dice: &engine.FixedDice{Results: slices.Repeat([]int{3}, 40)}}}
		if err := p.advance(map[engine.Side]engine.Answer{"red": red, "blue": blue}); err != nil {
			t.Fatal(err)
		}
		is(t, "the turn goes on", g.Turn, 2)
	})
	t.Run("written back as it was read, and refused at its place", func(t *testing.T) {
		turn := engine.Decision{Side: "red", Kind: stopTurn}
		for _, says := range []string{"[ask]", "[{of: [r1], if: {target: [foot, b2], range: '<=1200', odds: '>=-2'}, do: [b2, rest]}, {else: hold}]",
			"[{element: r1, at: b2}, {prefer: [foot, staff]}, {counter-battery: yes}]"} {
			got := written(t, battery(), turn, "{fire: "+says+"}")
			is(t, says+" is taken", strings.HasPrefix(got, "orders:"), true)
			is(t, "the normal form of its normal form", written(t, battery(), turn, got), got)
		}
		for says, want := range map[string]string{
			"{fire: [{if: {range: far}, do: hold}, {if: {odds: '>100'}, do: hold}, {if: {target: nobody}, do: hold}]}": "hfg.case-compare hfg.case-compare order.unknown-element",
			"{fire: {prefer: [dragons]}}":                                "order.unknown-word",
			"{fire: [{if: {beaten: routed}, do: hold}]}":                 "order.unknown-key",
			"{results: {press: [{if: {range: '<9'}, do: \"yes\"}]}}":     "order.unknown-key",
			"{results: {press: [{if: {exposes-flank: maybe}, do: no}]}}": "order.unknown-word",
			"{results: {pursue: [{if: {exposes-flank: yes}, do: max}]}}": "order.unknown-key",
		} {
			is(t, says, written(t, battery(), turn, says), want)
		}
	})
}

// Cases of the condition exposes-flank.
func TestExposesFlank(t *testing.T) {
	for name, one := range map[string]struct {
		pieces []piece
		want   bool
	}{
		"nobody beside it":           {nil, false},
		"an enemy beside its end":    {[]piece{{"b2", muskets, 4500, 3500, 270, nil}}, true},
		"one who is further":         {[]piece{{"b2", muskets, 5100, 3500, 270, nil}}, false},
		"one straight ahead":         {[]piece{{"b2", muskets, 4100, 3700, 180, nil}}, false},
		"a friend covers that flank": {[]piece{{"b2", muskets, 4500, 3300, 270, nil}, {"r2", muskets, 4400, 3100, 90, nil}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			g := field(t, 1809, append([]piece{{"r1", muskets, 4000, 3000, 0, nil}, {"b1", muskets, 9000, 3800, 180, nil}}, one.pieces...)...)
			q := &question{What: askPress, Of: named(t, g, "r1"), By: named(t, g, "b1"), Close: true}
			is(t, name, g.exposesFlank(q), one.want)
			for says, want := range map[string]bool{"yes": one.want, "no": !one.want} {
				is(t, says, g.applies(&policyCase{Key: policyPress, Exposes: says}, q), want)
			}
			if one.want {
				g.Elements[named(t, g, "b2")].Concealed = true
				is(t, "whom nobody knows tells nothing", g.exposesFlank(q), false)
			}
		})
	}
}
