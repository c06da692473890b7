package waterloo

import (
	"berthier/engine"
	"berthier/engine/play"
)

// joins gives the stops that may follow a stop at once. After a shot the same window opens
// again, and fire has a fixed effect. At the end of a battle and of a round nothing is left
// to be carried out but what everybody sees (WAT-4.9), so that a window there may be
// followed by the next one or by the side's own round; so may a step of the round by the
// next step, where no enemy can react to it.
//
// In the other windows the enemy's card has still to be carried on: whoever has answered
// the window after a card is shown the attack before he commits cards (WAT-9.2).
func joins(d engine.Decision) []engine.Decision {
	switch {
	case d.Kind == stopRound:
		return play.Then(stopRound)
	case d.Kind != stopArtillery && d.Kind != stopRevealed:
		return nil
	case d.At == atAfterBattle.String(), d.At == atRoundEnd.String():
		return play.Then(stopArtillery, stopRound)
	}
	return []engine.Decision{{Kind: d.Kind, At: d.At}}
}
