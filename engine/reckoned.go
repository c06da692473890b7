package engine

import "berthier/orders/phrase"

// A Reckoner ruleset says of an answer what it comes to if nothing happens that its side can't know. Confirmations
// tell it, so that a player sees a slip before it counts.
type Reckoner interface {
	// Reckoned gives a sentence for each order of an answer to a decision, in the order of the answer, judged from the
	// view alone: it must not tell more than the view does.
	Reckoned(View, Decision, Answer) []phrase.Phrase
}
