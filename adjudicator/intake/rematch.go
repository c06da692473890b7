package intake

import (
	"berthier/adjudicator/game"
	"berthier/orders"
)

// Cancels reads whether a letter takes back what it would else ask for: cancel: yes.
func (f *File) Cancels() (bool, orders.Problems) {
	r := orders.NewReader(game.Vocabulary)
	cancel, _ := r.Bool(f.Value("cancel"))
	return cancel, r.Problems
}
