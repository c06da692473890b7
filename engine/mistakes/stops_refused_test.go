package mistakes

import (
	"strings"
	"testing"

	"berthier/engine"
	"berthier/orders"
)

// file reads the value of an orders key for a decision, and gives the answer in normal form, or
// the codes of its faults.
func file(t *testing.T, g *game, d engine.Decision, text string) string {
	t.Helper()
	a, faults := declared.Read(g.view(d.Side), d, document(t, text))
	if len(faults) == 0 {
		return strings.TrimPrefix(strings.Join(strings.Fields(a.Orders().Encode()), " "), "orders: ")
	}
	var codes []string
	for _, f := range faults {
		codes = append(codes, f.Why.Code)
	}
	return strings.Join(codes, " ")
}

// document is an order file with the value of its orders key.
func document(t *testing.T, text string) *orders.Document {
	t.Helper()
	root, faults := orders.ParseNode([]byte("orders: " + text))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	return &orders.Document{Orders: root.Get("orders")}
}

// at puts a game in a phase in which one seat acts.
func at(t *testing.T, now phase, options map[string]string) *game {
	g := begin(t, options)
	g.Phase, g.Order = now, []army{blue, red}
	return g
}

// What order files say at the first stops is read as it is meant, or refused for its reason.
func TestOrderFiles(t *testing.T) {
	bidders := at(t, bidding, nil)
	for _, a := range []army{blue, red} {
		bidders.Leaders[bidders.chief(a)].Markers, bidders.Reserve[a] = 5, bidders.Reserve[a]-5
	}
	assigning := at(t, assigning, nil)
	assigning.Leaders[assigning.chief(blue)].Markers = 3
	assigning.Reserve[blue] -= 3
	ordering := at(t, ordering, nil)
	derlon := ordering.generalOf(corpsNamed(t, ordering, "blue-I"))
	ordering.Leaders[derlon].Markers, ordering.Reserve[blue] = 3, ordering.Reserve[blue]-3
	ordering.formationNamed("b-Durutte").Green = true
	ordering.formationNamed("b-Bachelu").Orange = 1
	ordering.Units[named(t, ordering, "blue-30")].Yellow = 1
	redeploying := begin(t, nil)
	redeploying.Phase, redeploying.Order = ordering.Phase, []army{blue, red}
	lobau := leaderNamed(t, redeploying, "lobau")
	redeploying.Leaders[lobau].Markers, redeploying.Reserve[blue] = 3, redeploying.Reserve[blue]-3
	for _, c := range []struct {
		g    *game
		kind string
		says string
		want string
	}{
		{bidders, stopBid, "{bid: 5}", "{bid: 5}"},
		{bidders, stopBid, "{punta: 2}", "{bid: 2}"},
		{bidders, stopBid, "{bid: 6}", "em.bid-range"},
		{bidders, stopBid, "{bid: {red: 1}}", "order.unknown-key"},
		{at(t, firing, nil), stopFire, "[{gun: 13, target: red-7}]", "em.fire-no-gun"},
		{at(t, firing, nil), stopFire, "[{gun: red-10, target: red-7}]", "em.fire-not-yours"},
		{at(t, firing, nil), stopFire, "[{gun: 23, target: 13}]", "em.fire-no-line"},
		{assigning, stopAssign, "{assign: {derlon: 2, Reille: 1}}", "assign: {derlon: 2, reille: 1}"},
		{assigning, stopAssign, "{assign: {derlon: 2, reille: 2}}", "em.assign-box"},
		{assigning, stopAssign, "{assign: {derlon: 3}}", "em.assign-most"},
		{assigning, stopAssign, "{assign: {orange: 1}}", "em.assign-nobody"},
		{assigning, stopAssign, "{leaders: {napoleon: {detach: [600, 130]}}}", "em.leader-is-free"},
		{assigning, stopAssign, "{leaders: {napoleon: {move: [600, 300]}}}", "em.leader-far"},
		{assigning, stopAssign, "{leaders: {wellington: {move: [590, 620]}}}", "em.leader-not-yours"},
		{ordering, stopOrders, "[{da: derlon, metti-in-movimento: b-Quiot}]", "[{by: derlon, set-in-motion: b-Quiot}]"},
		{ordering, stopOrders, "[{by: derlon, set-in-motion: b-Durutte}]", "em.order-moving"},
		{ordering, stopOrders, "[{by: derlon, keep-moving: b-Quiot}]", "em.order-still"},
		{ordering, stopOrders, "[{by: derlon, set-in-motion: b-Foy}]", "em.order-not-his"},
		{ordering, stopOrders, "[{by: reille, set-in-motion: b-Bachelu}]", "em.order-recovering"},
		{ordering, stopOrders, "[{by: reille, rally: {formation: b-Foy, units: [30]}}]", "[{by: reille, rally: {formation: b-Foy, units: [30]}}]"},
		{ordering, stopOrders, "[{by: reille, rally: {formation: b-Foy, units: [31]}}]", "em.order-not-shaken"},
		{ordering, stopOrders, "[{by: reille, set-in-motion: b-Foy, keep-moving: b-Bachelu}]", "em.order-two"},
		{ordering, stopOrders, "[{by: reille}]", "em.order-verb"},
		{ordering, stopOrders, "[{by: derlon, keep-moving: b-Durutte}, {by: derlon, keep-moving: b-Durutte}]", "em.order-twice"},
		{ordering, stopOrders, "[{by: derlon, keep-moving: b-Durutte}, {join: [b-Quiot, b-Durutte]}]", "em.join-first"},
		{ordering, stopOrders, "[{join: [b-Quiot, b-Foy]}]", "em.join-other"},
		{ordering, stopOrders, "[{by: derlon, split: b-Quiot, part: [13], as: b-Foy, set-in-motion: part}]", "em.part-name"},
		{redeploying, stopOrders, "[{by: lobau, redeploy: {b-Lobau: {39: {right: 30}, 38: {turn: left 90}}}}]", "em.formation-heading"},
		{redeploying, stopOrders, "[{by: lobau, redeploy: {b-Lobau: {39: {right: 30}}, new: {b-Lobau-2: [39]}}}]", "[{by: lobau, redeploy: {b-Lobau: {39: {right: 30}}, new: {b-Lobau-2: [39]}}}]"},
		{redeploying, stopOrders, "[{da: lobau, rischiera: {b-Lobau: {39: {accanto: 38 destra}, 36: {arretra: 5}, 37: {dietro: 36}, 38: {dietro: 37}}}}]", "[{by: lobau, redeploy: {b-Lobau: {36: {back: 5}, 37: {behind: 36}, 38: {behind: 37}, 39: {beside: 38 right}}}}]"},
		{redeploying, stopOrders, "[{by: lobau, redeploy: {b-Lobau: {39: {beside: 38 right}}}}]", "[{by: lobau, redeploy: {b-Lobau: {39: {beside: 38 right}}}}]"},
		{redeploying, stopOrders, "[{by: lobau, redeploy: {b-Lobau: {39: {behind: 38}, 38: {behind: 39}}}}]", "em.redeploy-ring"},
		{redeploying, stopOrders, "[{by: lobau, redeploy: {b-Lobau: {36: {back: 61}, 37: {back: 61}, 38: [600, 150, w]}}}]", "em.redeploy-far em.redeploy-far em.redeploy-far"},
		{redeploying, stopOrders, "[{by: lobau, redeploy: {b-Lobau: {36: {back: 0}, 37: {back: 10, left: 3}, 38: {}, 39: {beside: 38}, 13: {back: 3}}}}]", "order.want-number em.redeploy-two em.redeploy-where em.redeploy-beside em.order-unit"},
		{redeploying, stopOrders, "[{by: lobau, redeploy: {b-Foy: {31: {back: 20}}}}]", "em.order-not-his em.formation-apart"},
		{redeploying, stopOrders, "[{by: lobau, redeploy: {b-Lobau: {39: {right: 10}}, new: {b-Foy: [39]}}}]", "em.part-name em.formation-known"},
		{redeploying, stopOrders, "[{by: lobau, redeploy: {b-Lobau: {39: {right: 30}}, b-Domon: {}, new: {b-Lobau-2: [39]}}}]", "em.redeploy-idle"},
		{redeploying, stopOrders, "[{by: lobau, redeploy: {new: {b-Lobau-2: [39]}}}]", "[{by: lobau, redeploy: {b-Lobau: {}, new: {b-Lobau-2: [39]}}}]"},
		{redeploying, stopOrders, "[{by: lobau, redeploy: {}}]", "em.redeploy-nobody"},
	} {
		is(t, c.kind+" "+c.says, file(t, c.g, engine.Decision{Side: "blue", Kind: c.kind}, c.says), c.want)
	}
}

// In a game that begins with the black army it comes without a die: as the deadline places it,
// in columns from the south end of its stretch (EM-18.5, stop EM-S3).
func TestColumns(t *testing.T) {
	g := begin(t, map[string]string{"game": "ready-3p", "players": "3"})
	if err := played(t, g).advance(nil); err != nil {
		t.Fatal(err)
	}
	same(t, "what is owed", g.Owed(), []engine.Decision{{Side: "black", Kind: stopEntry}})
	d := g.Owed()[0]
	a := declared.Default(g.view("black"), d)
	w, _ := worldOf[*entrance](a)
	is(t, "units that wait", len(w.board.waiting(corpsNamed(t, g, "black-IV"))), 0)
	first := w.board.formationNamed("black-IV-1")
	is(t, "where its first unit stands", w.board.Units[first.Units[0]].At, place{X: 1_105_000, Y: 135_000})
	is(t, "it is green", first.Green, true)
	same(t, "what can't be", w.board.flaws(), nil)
	for _, c := range []struct{ says, want string }{
		{"{formations: [{id: k, heading: w, units: {13: [1105, 200]}}]}", "em.entry-not"},
		{"{formations: [{id: k, heading: w, units: {18: [1000, 200]}}]}", "em.entry-area"},
		{"{formations: [{id: k, heading: w, units: {18: [1105, 200], 19: [1075, 300]}}]}", "em.formation-apart"},
		{"{formations: [{id: k, heading: w, units: {18: [1105, 200]}, limbered: [18]}]}", "em.entry-limber"},
		{"{leaders: {blucher: [500, 200]}}", "em.entry-leader-place"},
		{"{leaders: {pirch: [1085, 240]}}", "em.entry-leader"},
	} {
		is(t, c.says, file(t, g, d, c.says), c.want)
	}
}

// standingDocument is an order file with the value of its standing key.
func standingDocument(t *testing.T, text string) *orders.Document {
	t.Helper()
	root, faults := orders.ParseNode([]byte("standing: " + text))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	return &orders.Document{Standing: root.Get("standing")}
}
