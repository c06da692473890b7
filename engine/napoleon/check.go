package napoleon

import (
	"strconv"

	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

var _ engine.Checked = (*game)(nil)

// Check implements [engine.Checked]: what a game master's change may not break. The
// units of the order of battle are all there by the form of a position, each once,
// none stronger than printed, and no eliminated one on the board; the rest is here.
func (g *game) Check(was engine.Position) orders.Problems {
	var problems orders.Problems
	refuse := func(clause, code string, args ...phrase.Arg) {
		problems = append(problems, orders.Problem{Clause: clause, Why: phrase.Say(code, args...)})
	}
	remedy := func(text string) { // of what was refused last: what to write in the position
		problems[len(problems)-1].Remedy = phrase.Say("order.write", phrase.Literal("text", text))
	}
	before, ok := was.(*game)
	if !ok || before.name != g.name || string(before.source) != string(g.source) || before.numbers != g.numbers {
		refuse("", "nap.check-scenario")
		return problems
	}
	menu := g.menu()
	for _, o := range menu.Options {
		if word := menu.Word(&before.options, o.Name); before.settled(o.Name) && word != menu.Word(&g.options, o.Name) {
			refuse(o.Clause, "nap.check-fixed", phrase.Literal("option", o.Name))
			remedy("options: {" + o.Name + ": " + word + "}")
		}
	}
	// Which battles are fought on a board, and in which towns, are counted once.
	boards, fought, held := map[townID]bool{}, map[townID]bool{}, map[townID][2]bool{}
	for i := range g.battles {
		b := &g.battles[i]
		boards[b.town] = !b.skirmish && b.stage >= deployingDefender && b.stage <= routing
		fought[b.town] = b.stage < regrouping
	}
	var dead [armies]int
	for i := range g.units {
		u := &g.units[i]
		if u.dead {
			dead[u.army]++
		}
		if u.shelter != noUnit && (int(u.shelter) >= len(g.units) || g.units[u.shelter].dead || !g.units[u.shelter].square) {
			refuse("NAP-6.52", "nap.check-shelter", g.unitArg("unit", u))
			remedy("units: {" + g.unitName(u.id) + ": {shelter: ~}}")
		}
	}
	for i := range g.units {
		u := &g.units[i]
		if u.town != noTown && !u.dead {
			in := held[u.town]
			in[u.army.camp()] = true
			held[u.town] = in
		}
		switch {
		case u.field != offBoard && !boards[u.town]:
			refuse("NAP-6.20", "nap.check-board", g.unitArg("unit", u))
			remedy("units: {" + g.unitName(u.id) + ": {field: ~}}")
		case u.field == offBoard && (u.square || u.shelter != noUnit || u.holds != noPiece || u.shock || u.salvo):
			refuse("NAP-6.20", "nap.check-marks", g.unitArg("unit", u))
			remedy("units: {" + g.unitName(u.id) + ": {square: ~, shelter: ~, holds: ~, shock: ~, salvo: ~}}")
		}
	}
	for a, n := range dead {
		if g.losses[a] != n {
			refuse("NAP-3.4", "nap.check-losses", phrase.Name("army", "army", armyWords[a]), phrase.Number("dead", n), phrase.Number("counted", g.losses[a]))
			remedy("losses: {" + armyWords[a] + ": " + strconv.Itoa(n) + "}")
		}
	}
	if g.outcome != nil {
		return problems
	}
	for t := range g.towns {
		if t := townID(t); g.ahead == nil && held[t] == [2]bool{true, true} && !fought[t] {
			refuse("NAP-6.1", "nap.check-no-battle", phrase.Name("town", "town", g.towns[t].id))
		}
	}
	for i, n := range g.roadUse {
		if limit := g.numbers.road.of(g.roads[i]); int(n) > limit {
			refuse("NAP-5.4", "nap.check-road", phrase.Literal("road", g.roadName(i)), phrase.Number("n", int(n)), phrase.Number("limit", limit))
			remedy("roads: {" + g.roadName(i) + ": " + strconv.Itoa(limit) + "}")
		}
	}
	for i := range g.battles {
		b := &g.battles[i]
		for _, use := range b.roadUse {
			if limit := g.leaveLimit(b, use.road); int(use.n) > limit {
				refuse("NAP-7.2", "nap.check-road", phrase.Literal("road", g.roadName(int(use.road))), phrase.Number("n", int(use.n)), phrase.Number("limit", limit))
			}
		}
		for _, n := range b.crossed {
			if n > 2 {
				refuse("NAP-6.21h", "nap.check-stream", phrase.Name("town", "town", g.towns[b.town].id))
			}
		}
	}
	if g.phase != battlePhase && len(g.battles) > 0 {
		refuse("NAP-2.4", "nap.check-phase")
	}
	return problems
}

// settled tells whether an option has done its work: another value would change
// nothing any more, or belie what was done by the old one.
func (g *game) settled(option string) bool {
	switch option {
	case "players", "setup", "sides":
		return true
	case "bids": // how many there are was said with the first
		return g.phase != bidding || len(g.bids) > 0
	case "bid_step":
		return g.phase != bidding
	}
	return false
}
