package mistakes

import (
	"berthier/engine"
	"berthier/engine/play"
)

// following gives the stops that may follow a stop at once: where no other seat has a share of the
// phase in between, whoever has given out markers gives orders, whoever has given orders
// manoeuvres, and whoever has manoeuvred unlimbers. What follows a bombardment hangs on the rest of
// the missions, which only who fires has seen. Combats roll dice.
func following(d engine.Decision) []engine.Decision {
	switch d.Kind {
	case stopAssign:
		return play.Then(stopOrders)
	case stopOrders:
		return play.Then(stopManoeuvres)
	case stopManoeuvres:
		return play.Then(stopUnlimber)
	}
	return nil
}
