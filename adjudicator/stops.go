package adjudicator

import (
	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/orders/phrase"
)

// sayGiven names the stop that was answered.
func sayGiven(g log.Given) phrase.Phrase {
	return game.SayStop(&game.Owes{Stop: g.SeatStop, Decision: g.Decision})
}
