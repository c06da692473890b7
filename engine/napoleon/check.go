package napoleon

import (
	"strconv"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// Check implements [engine.Checked]: what a game master's change must not break. The form
// of a position already makes sure that the units of the order of battle are all there,
// each once, none stronger than printed, and none on the board that is eliminated. The rest
// is checked here.
func (g *game) Check(was engine.Position) orders.Problems {
	x := &checking{game: g}
	before, ok := was.(*game)
	if !ok || before.name != g.name || string(before.source) != string(g.source) {
		x.Say("", "nap.check-scenario")
		return x.Problems()
	}
	x.settledOptions(before)
	x.shelters()
	x.marks()
	x.lossCounts()
	if g.outcome != nil {
		return x.Problems()
	}
	x.battlesDue()
	x.roadLimits()
	if g.phase != battlePhase && len(g.battles) > 0 {
		x.Say("NAP-2.4", "nap.check-phase")
	}
	return x.Problems()
}

// A checking notes what is wrong with a position.
type checking struct {
	game *game
	play.Breaches
}

// settledOptions refuses new values for options that have already had their effect.
func (x *checking) settledOptions(before *game) {
	menu := x.game.menu()
	for _, o := range menu.Options {
		if word := menu.Word(&before.options, o.Name); before.settled(o.Name) && word != menu.Word(&x.game.options, o.Name) {
			x.Say(o.Clause, "nap.check-fixed", phrase.Literal("option", o.Name)).Write("options: {" + o.Name + ": " + word + "}")
		}
	}
}

// shelters refuses shelter with a unit that is not in square.
func (x *checking) shelters() {
	for i := range x.game.units {
		u := &x.game.units[i]
		if u.shelter != noUnit && (int(u.shelter) >= len(x.game.units) || x.game.units[u.shelter].dead || !x.game.units[u.shelter].square) {
			x.Say("NAP-6.52", "nap.check-shelter", x.game.unitArg("unit", u)).Write("units: {" + x.game.unitName(u.id) + ": {shelter: ~}}")
		}
	}
}

// marks refuses units on a board where no battle is fought on a board, and marks of
// the board on units that are not on one.
func (x *checking) marks() {
	boards := map[townID]bool{}
	for i := range x.game.battles {
		b := &x.game.battles[i]
		boards[b.town] = !b.skirmish && b.stage >= deployingDefender && b.stage <= routing
	}
	for i := range x.game.units {
		u := &x.game.units[i]
		switch {
		case u.field != offBoard && !boards[u.town]:
			x.Say("NAP-6.20", "nap.check-board", x.game.unitArg("unit", u)).Write("units: {" + x.game.unitName(u.id) + ": {field: ~}}")
		case u.field == offBoard && (u.square || u.shelter != noUnit || u.holds != noPiece || u.shock || u.salvo):
			x.Say("NAP-6.20", "nap.check-marks", x.game.unitArg("unit", u)).Write("units: {" + x.game.unitName(u.id) + ": {square: ~, shelter: ~, holds: ~, shock: ~, salvo: ~}}")
		}
	}
}

// lossCounts refuses counts of losses that are not those of the dead.
func (x *checking) lossCounts() {
	var dead [armies]int
	for i := range x.game.units {
		if u := &x.game.units[i]; u.dead {
			dead[u.army]++
		}
	}
	for a, n := range dead {
		if x.game.losses[a] != n {
			x.Say("NAP-3.4", "nap.check-losses", phrase.Name("army", "army", armyWords[a]), phrase.Number("dead", n), phrase.Number("counted", x.game.losses[a])).
				Write("losses: {" + armyWords[a] + ": " + strconv.Itoa(n) + "}")
		}
	}
}

// battlesDue refuses towns where both camps stand without a battle.
func (x *checking) battlesDue() {
	fought, held := map[townID]bool{}, map[townID][2]bool{}
	for i := range x.game.battles {
		b := &x.game.battles[i]
		fought[b.town] = b.stage < regrouping
	}
	for i := range x.game.units {
		u := &x.game.units[i]
		if u.town != noTown && !u.dead {
			in := held[u.town]
			in[u.army.camp()] = true
			held[u.town] = in
		}
	}
	for t := range x.game.towns {
		if t := townID(t); x.game.ahead == nil && held[t] == [2]bool{true, true} && !fought[t] {
			x.Say("NAP-6.1", "nap.check-no-battle", phrase.Name("town", "town", x.game.towns[t].id))
		}
	}
}

// roadLimits refuses more units over a road or a stream than may cross it.
func (x *checking) roadLimits() {
	for i, n := range x.game.roadUse {
		if limit := x.game.numbers.road.of(x.game.roads[i]); int(n) > limit {
			x.Say("NAP-5.4", "nap.check-road", phrase.Literal("road", x.game.roadName(i)), phrase.Number("n", int(n)), phrase.Number("limit", limit)).
				Write("roads: {" + x.game.roadName(i) + ": " + strconv.Itoa(limit) + "}")
		}
	}
	for i := range x.game.battles {
		b := &x.game.battles[i]
		for _, use := range b.roadUse {
			if limit := x.game.leaveLimit(b, use.road); int(use.n) > limit {
				x.Say("NAP-7.2", "nap.check-road", phrase.Literal("road", x.game.roadName(int(use.road))), phrase.Number("n", int(use.n)), phrase.Number("limit", limit))
			}
		}
		for _, n := range b.crossed {
			if n > 2 {
				x.Say("NAP-6.21h", "nap.check-stream", phrase.Name("town", "town", x.game.towns[b.town].id))
			}
		}
	}
}

// settled tells whether an option has had its effect: another value would change
// nothing any more, or would contradict what was done under the old one.
func (g *game) settled(option string) bool {
	switch option {
	case "players", "setup", "sides":
		return true
	case "bids": // the first bid has shown how many bids there are
		return g.phase != bidding || len(g.auction.bids) > 0
	case "bid-step":
		return g.phase != bidding
	}
	return false
}
