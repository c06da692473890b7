package mistakes

import (
	"berthier/engine"
	"berthier/engine/play"
)

// following gives the stops that may follow a stop at once: where no other seat has a share of the
// phase in between, whoever has given out markers gives orders, whoever has given orders
// manoeuvres, and whoever has manoeuvred unlimbers. A target that has backed off fires back next, if
// no die is rolled before that. Combats roll dice.
func following(d engine.Decision) []engine.Decision {
	switch d.Kind {
	case stopShelled:
		return play.Then(stopShelled, stopFire, stopAssign)
	case stopAssign:
		return play.Then(stopOrders)
	case stopOrders:
		return play.Then(stopManoeuvres)
	case stopManoeuvres:
		return play.Then(stopUnlimber)
	}
	return nil
}
