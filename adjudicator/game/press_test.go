package game

import (
	"testing"

	"berthier/engine"
)

// TestADelayedLetterCountsItsWritersStops: stops of others neither bring nor keep a letter that goes later, or its arrival would tell when they were asked.
func TestADelayedLetterCountsItsWritersStops(t *testing.T) {
	g := &State{Phase: Running, Stop: 3, Seats: []*Seat{{Side: "red", Stops: 2}, {Side: "blue", Stops: 1}}}
	for _, c := range []struct {
		what      string
		letter    DelayedPress
		red, blue int // how often they have been asked
		over      bool
		want      bool
	}{
		{"others were asked often", DelayedPress{From: "red", Asked: 4}, 3, 20, false, false},
		{"its writer was asked", DelayedPress{From: "red", Asked: 4}, 4, 1, false, true},
		{"the game is over", DelayedPress{From: "red", Asked: 4}, 2, 1, true, true},
		{"a letter of before, by all stops", DelayedPress{From: "red", Stop: 5}, 2, 3, false, true},
		{"a letter of before, too soon", DelayedPress{From: "red", Stop: 5}, 3, 1, false, false},
	} {
		g.Seats[0].Stops, g.Seats[1].Stops, g.Stop, g.Phase = c.red, c.blue, c.red+c.blue, Running
		if c.over {
			g.Phase = Over
		}
		if got := c.letter.due(g); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
	}
}

// TestADelayedLetterGoesWithItsWriter: whoever bids for sides may have written before they are settled; his letters are his, and wait as long as they did.
func TestADelayedLetterGoesWithItsWriter(t *testing.T) {
	d := DelayedPress{From: "red", Asked: 5}
	d.Press.To = []engine.Side{"blue"}
	loaded := begun(t)
	loaded.Game.Seat("red").Stops, loaded.Game.Seat("blue").Stops, loaded.Game.Delayed = 3, 1, []DelayedPress{d}
	turn := &Turn{Loaded: loaded, Around: at(t, noon, noon)}
	if err := Exchange(turn, []engine.Side{"red", "blue"}); err != nil {
		t.Fatal(err)
	}
	got := turn.Game.Delayed[0]
	if left := got.Asked - turn.Game.Seat(got.From).Stops; got.From != "blue" || got.Press.To[0] != "red" || left != 2 {
		t.Errorf("its writer, %s, is to be asked %d times more, and it goes to %v", got.From, left, got.Press.To)
	}
	if d.Press.To[0] != "blue" {
		t.Error("the letter of before has changed")
	}
}
