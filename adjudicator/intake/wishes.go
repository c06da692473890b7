package intake

import (
	"berthier/adjudicator/game"
	"berthier/orders"
)

// Wishes reads how a player wants his reports from now on: detail: full or changes, attach:
// position or none. What he doesn't name stays as it is; false if he names nothing.
func (f *File) Wishes(s *game.Seat) (game.Wished, bool, orders.Problems) {
	r := orders.NewReader(game.Vocabulary)
	w := game.Wished{Side: s.Side, Full: s.Full, Attach: s.Attach}
	detail, attach := f.Value("detail"), f.Value("attach")
	if detail != nil {
		word, _ := r.Word(detail, "full", "changes")
		w.Full = word == "full"
	}
	if attach != nil {
		word, _ := r.Word(attach, "position", "none")
		w.Attach = word == "position"
	}
	return w, detail != nil || attach != nil, r.Problems
}
