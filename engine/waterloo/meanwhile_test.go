package waterloo

import (
	"math/rand/v2"
	"testing"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/engine/rulestest"
)

// asksAlike exchanges cards that the side does not see; who is asked stays as it is.
func asksAlike(p engine.Position, side engine.Side, chance *rand.Rand) engine.Position {
	g := p.Clone().(*game)
	other := scramble(p, side, chance).(*game)
	g.Decks = other.Decks
	for i, f := range g.Flow {
		if r, ok := f.(*roundFrame); ok && r.seat(g) != side {
			c := play.Clone(*r)
			c.Steps = nil
			g.Flow[i] = &c
		}
	}
	return g
}

// While a side is asked whether it fires, what the other is asked meanwhile tells it
// nothing of the hand that may fire.
func TestWhatIsAskedMeanwhileTellsNothing(t *testing.T) {
	games := 1
	if fullSamples {
		games = 12
	}
	rulestest.Meanwhile(t, New(), []rulestest.Setup{
		{Name: "full", Setup: engine.Setup{Options: map[string]string{"scenario-length": "full"}}},
		{Name: "quick", Setup: engine.Setup{Options: map[string]string{"scenario-length": "quick"}}},
		{Name: "three players", Setup: engine.Setup{Options: map[string]string{"scenario-length": "full", "players": "3"}}},
	}, games, asksAlike, stopArtillery)
}
