package napoleon

import (
	"math/rand/v2"

	"berthier/engine"
	"berthier/orders"
)

// A stop is one kind of decision of section 5 of the rules digest: how it is
// read, answered when a deadline passes or by chance, written down, and carried
// out. All but take work from the side's view.
type stop interface {
	// read takes the value of an order file's orders key apart. All faults go
	// to the reader; the answer counts only if there are none. A nil node, or
	// the word default, means the default.
	read(v *View, d engine.Decision, r *orders.Reader, body *orders.Node) answer
	// template is the value of the orders key, ready to fill in: untouched it
	// reads as the default; the legal choices stand in comments.
	template(v *View, d engine.Decision) *orders.Node
	// fallback is the digest's default at the deadline.
	fallback(v *View, d engine.Decision) answer
	// random is a legal answer by chance.
	random(v *View, d engine.Decision, chance *rand.Rand) answer
	// take carries the answer out on the position, or keeps it until all
	// answers of the stop are in; play goes on after the last.
	take(p *play, d engine.Decision, a answer)
}

// An answer is what a side decided at a stop. Each stop has its own type.
type answer interface {
	// node is the answer in normal form: the value of the orders key.
	node() *orders.Node
}

// stops by the name of the decision.
var stops = map[string]stop{}

// Answer is a side's answer to a decision, as the engine hands it around.
type Answer struct {
	to       engine.Decision
	answer   answer
	standing *orders.Node // as in the file; nil leaves those in force
}

// Orders implements [engine.Answer].
func (a Answer) Orders() *orders.Node {
	n := orders.Mapping().Set("orders", a.answer.node())
	if a.standing != nil {
		n.Set("standing", a.standing)
	}
	return n
}

// A fault is why something may not be done, with its clause.
type fault struct {
	clause string
	why    string // code in the catalogue, "nap.…"
	args   []argument
}
