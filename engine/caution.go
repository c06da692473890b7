package engine

import "berthier/orders/phrase"

// A Cautious ruleset finds what is legal but odd in an answer. It refuses
// nothing: the confirmation of an order file tells the player, who may have meant it.
type Cautious interface {
	// Cautions lists what is odd in an answer to a decision, in the order of the
	// answer, judged from the view alone: it must not tell more than the view
	// does. The default has none.
	Cautions(View, Decision, Answer) []Caution
}

// A Caution is one thing that is legal but odd.
type Caution struct {
	Kind   string        // a word of the ruleset's own, the same for all cautions of a kind: "square-of-one"
	Clause string        // the rule that makes it odd; "" if it is plain sense
	Say    phrase.Phrase // in the ruleset's catalogue
	Holds  bool          // so odd that the player had better look again before it counts
}
