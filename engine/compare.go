package engine

import "berthier/orders/phrase"

// A Comparer is a [Ruleset] that tells two answers apart.
type Comparer interface {
	// Compare tells what an answer says otherwise than one that was given before it to
	// the same decision, a phrase for each thing; none if their orders are alike.
	Compare(view View, d Decision, was, now Answer) []phrase.Phrase
}
