package hfg

import (
	"slices"
	"strings"
	"testing"

	"berthier/engine/play"
)

// badField is a position on which the orders of the cases below are given: red's turn, with PIPs.
func badField(t testing.TB) *game {
	t.Helper()
	g := fieldOn(t, &setting{year: 1809, lines: []lineDef{lineOf("w", river, 200, [2]int64{0, 5000}, [2]int64{12000, 5000})}},
		piece{"r0", commandParty, 4400, 1500, 0, nil}, piece{"r1", muskets, 4000, 2000, 0, nil}, piece{"r2", muskets, 4400, 2000, 0, nil}, piece{"r3", muskets, 6000, 2000, 0, nil},
		piece{"r4", pontoneers, 7000, 2000, 0, nil}, piece{"r5", supplyBase, 8000, 800, 0, nil}, piece{"r6", muskets, 9000, 2000, 0, nil}, piece{"r7", smoothbore, 9500, 2000, 0, nil},
		piece{"b1", muskets, 4000, 2600, 180, nil}, piece{"b2", muskets, 9000, 4500, 180, nil})
	g.Commands[1].Score, g.Phase = 12, moving
	g.Elements[named(t, g, "b2")].Concealed = true
	return g
}

// Orders of a turn with each fault that they can have: the codes, in the order of their places.
func TestFaultsOfOrders(t *testing.T) {
	for text, want := range map[string]string{
		"{moves: [{forward: 100}]}":                                                 "hfg.order-who",
		"{moves: [{element: r1, group: [r2], forward: 100}]}":                       "hfg.order-who",
		"{moves: [{element: r1}]}":                                                  "hfg.order-what",
		"{moves: [{element: r9, forward: 100}]}":                                    "order.unknown-element",
		"{moves: [{element: b1, forward: 100}]}":                                    "order.unknown-element",
		"{moves: [{group: [r1, r1], advance: 100}]}":                                "hfg.named-twice",
		"{moves: [{group: [r1, r3], advance: 100}]}":                                "hfg.order-group",
		"{moves: [{group: [r1, r2], to: [4000, 2100]}]}":                            "hfg.order-alone",
		"{moves: [{group: [r1, r2], left: 100}]}":                                   "hfg.order-sideways",
		"{moves: [{group: [r1, r2], wheel: 10, advance: 5}]}":                       "hfg.order-sided",
		"{moves: [{group: [r1, r2], wheel: right 91, advance: 5}]}":                 "hfg.order-sided",
		"{moves: [{group: [r1, r2], facing: 180, advance: 100}]}":                   "hfg.order-half-turn",
		"{moves: [{group: [r1, r2], facing: 40, advance: 100}]}":                    "hfg.order-wheel",
		"{moves: [{column: [r1, r2], line: left}]}":                                 "hfg.order-column",
		"{moves: [{group: [r2, r3], file: right}]}":                                 "hfg.order-line",
		"{moves: [{element: r1, to: [1, 1], via: [A1, A2, A3, A4, A5]}]}":           "hfg.order-via",
		"{moves: [{element: r1, to: nowhere}]}":                                     "hfg.place-unknown",
		"{moves: [{element: r1, to: [100.001, 5]}]}":                                "hfg.length-fine",
		"{moves: [{element: r1, contact: b2}]}":                                     "order.unknown-enemy",
		"{moves: [{element: r3, contact: b1}]}":                                     "hfg.move-too-far",
		"{moves: [{element: r1, along: 100}]}":                                      "hfg.order-road",
		"{moves: [{element: r1, forward: 401}]}":                                    "hfg.move-too-far",
		"{moves: [{element: r1, forward: 0}]}":                                      "order.",
		"{moves: [{element: r1, forward: far}]}":                                    "order.",
		"{moves: [{element: r5, forward: 100}]}":                                    "hfg.move-never",
		"{moves: [{rally: r1}]}":                                                    "hfg.rally-who",
		"{moves: [{build: r4}]}":                                                    "hfg.bridge-bank",
		"{moves: [{destroy-bridge: {element: r1, bridge: none}}]}":                  "order.unknown-bridge",
		"{moves: [{ford: {element: r3, forward: 100}}]}":                            "hfg.ford-bank",
		"{moves: [{enter: reds}]}":                                                  "hfg.entry-who",
		"{moves: [{element: r1, by: r3, forward: 100}]}":                            "hfg.order-payer",
		"{moves: [{element: r1, forward: 100}, {element: r1, forward: 100}]}":       "hfg.move-once",
		"{moves: [{element: r1, forward: 401}, {element: r3, forward: 401}]}":       "hfg.move-too-far hfg.move-too-far",
		"{moves: [{element: r1, forward: 401, faicng: n}], fire: [{hold: nobody}]}": "order.",
		"{dice: {double: [r0]}}":                                                    "hfg.double-who",
		"{dice: {exchange: {r0: r1}}}":                                              "hfg.exchange-who",
		"{dice: {transfer: [{elements: [r1], to: r0}]}}":                            "hfg.transfer-who",
		"{fire: [{element: r7, at: b1}]}":                                           "hfg.shot-",
		"{fire: [{hold: r7}, {hold: r7}]}":                                          "hfg.named-twice",
		"{fire: [{element: r7}]}":                                                   "order.",
		"{results: {pursue: [{if: {beaten: maybe}, do: max}]}}":                     "order.",
		"{more: perhaps}":                                                           "order.",
		"{retreat: now}":                                                            "order.",
	} {
		got := written(t, badField(t), badField(t).decision("red", stopTurn), text)
		if !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// What bars an element, whatever is ordered.
func TestBarredElements(t *testing.T) {
	for want, with := range map[string]func(g *game, x *element){
		"hfg.move-routed":   func(_ *game, x *element) { x.Spirit, x.Since = routed, 1 },
		"hfg.move-repulsed": func(_ *game, x *element) { x.Spirit = repulsed },
		"hfg.move-silenced": func(g *game, x *element) { g.Turn, x.Silenced = 3, 2 },
		"hfg.move-turn":     func(g *game, _ *element) { g.Turn = 2 },
		"hfg.move-absent":   func(_ *game, x *element) { *x = element{Fate: due} },
		"hfg.move-passed-through": func(g *game, x *element) {
			x.Blocked = true
			g.Elements[9].Facing = 0
			g.def(9).troop = lightCavalry
			g.Elements[9].At = place(pt(9500, 1300))
		},
		"hfg.move-redoubt": func(g *game, x *element) {
			g.Works = []placedWork{{ID: "w", Kind: redoubt, Side: first, At: x.At, Facing: x.Facing, Width: 400 * pace, Depth: 400 * pace}}
		},
	} {
		g := badField(t)
		e := named(t, g, "r7")
		with(g, &g.Elements[e])
		is(t, want, code(g.moveFault(e, tactical)), want)
	}
	g := badField(t)
	e := named(t, g, "r1")
	g.Elements[e].Spirit, g.Turn = routed, 3
	g.Elements[e].Since, g.Commands[1].Exchanged = 2, true
	is(t, "rallied with an exchanged score", code(g.rallyFault(e, 1)), "hfg.rally-exchanged")
	g.Commands[1].Status = defeated
	g.commands = append(g.commands, commandDef{id: "third", side: first, rank: subordinate, superior: 1, general: 1})
	g.Commands = append(g.Commands, command{})
	is(t, "a transfer from a defeated command", code(g.transferFault(e, 3)), "hfg.transfer-defeated")
}

// Positions that can't be are refused, all of what is wrong at once, each at its element.
func TestFaultsOfPositions(t *testing.T) {
	g := badField(t)
	at := func(id string) *element { return &g.Elements[named(t, g, id)] }
	at("r1").Fate = spent
	*at("r2") = element{}
	at("r6").At = at("r7").At
	at("r3").At = place{X: -500 * pace, Y: 100 * pace}
	_, faults := load(g.marshal())
	var codes []string
	for _, f := range faults {
		codes = append(codes, f.Why.Code)
		if f.Line == 0 {
			t.Errorf("%v has no place", f.Why)
		}
	}
	for _, want := range []string{"hfg.position-both", "hfg.position-nowhere", "hfg.position-overlap", "hfg.position-off"} {
		if !slices.Contains(codes, want) {
			t.Errorf("%s isn't told: %v", want, codes)
		}
	}
	var _ play.Fault
}
