package enginetest

import (
	"slices"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// Check implements [engine.Checked]: each side has units of its own alone, each
// once and of a strength that there is, and no more coins than it had; there is a
// next round, and who must discard can.
func (g *Game) Check(was engine.Position) orders.Problems {
	var b play.Breaches
	before, ok := was.(*Game)
	if !ok || !slices.Equal(before.Sides(), g.Sides()) {
		b.Say("LOT-1.1", "lots.other-sides")
		return b.Problems()
	}
	for i, p := range g.Players {
		var said []string
		for _, u := range p.Units {
			if !p.mayHave(u) || slices.Contains(said, u.ID) {
				b.Say("LOT-1.1", "lots.no-such-unit", sideArg(p.Side), unitArg(u.ID))
			}
			said = append(said, u.ID)
		}
		if len(p.Units) == 0 {
			b.Say("LOT-3.1", "lots.no-units", sideArg(p.Side))
		}
		if p.Coins > before.Players[i].Coins {
			b.Say("LOT-1.2", "lots.more-coins", sideArg(p.Side))
		}
	}
	if g.Round < 1 || g.Round > g.Rounds {
		b.Say("LOT-4.1", "lots.no-round", phrase.Number("round", g.Round))
	}
	if p := g.player(g.Discard); g.Discard != "" && (p == nil || len(p.Units) < 2) {
		b.Say("LOT-3.1", "lots.no-discard")
	}
	return b.Problems()
}

// mayHave tells whether a unit can be one of the side's.
func (p *Player) mayHave(u Unit) bool {
	for n := 1; n <= mostUnits; n++ {
		if u.ID == unitOf(p.Side, n) {
			return u.Strength >= 1 && u.Strength <= mostStrength
		}
	}
	return false
}
