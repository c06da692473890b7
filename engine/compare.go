package engine

import "berthier/orders/phrase"

// A Comparer is a [Ruleset] that tells two answers apart.
type Comparer interface {
	// Compare tells in what an answer differs from one that was given before it to the
	// same decision, with a phrase for each difference; none if their orders are alike.
	Compare(view View, d Decision, was, now Answer) []phrase.Phrase
}
