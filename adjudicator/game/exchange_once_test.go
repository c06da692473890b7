package game

import (
	"testing"

	"berthier/engine"
)

// TestPoliciesThatAskOnceStayWithTheirSide: when players change seats, the policies that are to be in force again stay with
// the side whose they are.
func TestPoliciesThatAskOnceStayWithTheirSide(t *testing.T) {
	loaded := begun(t)
	sides := []engine.Side{loaded.Game.Seats[0].Side, loaded.Game.Seats[1].Side}
	loaded.Game.Seat(sides[0]).Once = "policies: {answer: never}\n"
	turn, err := step(t, loaded, at(t, noon, noon), exchanged(sides))
	if err != nil {
		t.Fatal(err)
	}
	if first, second := turn.Game.Seat(sides[0]), turn.Game.Seat(sides[1]); first.Person.Address != string(sides[1])+"@play.example" || first.Once == "" || second.Once != "" {
		t.Errorf("%s has %q and %s %q", first.Person.Address, first.Once, second.Person.Address, second.Once)
	}
}

// exchanged is an input of this test alone: the players of two sides change seats.
type exchanged []engine.Side

func (x exchanged) happen(t *Turn) error { return Exchange(t, x) }
