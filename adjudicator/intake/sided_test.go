package intake

import (
	"testing"

	"berthier/adjudicator/game"
	"berthier/orders"
)

// A file for another side than its key's is told what to write.
func TestAnotherSidesFileIsToldWhatToWrite(t *testing.T) {
	doc, _ := orders.Parse("game: x\nside: red\nstop: 1\norders: none\n", nil)
	f := &File{Doc: doc}
	problems := f.Sided(&game.Seat{Side: "blue"})
	if len(problems) != 1 || problems[0].Line != 2 || problems[0].Remedy.Code != "office.wrong-side-do" {
		t.Errorf("told %v", problems)
	}
}
