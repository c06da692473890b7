package engine

// A Sketcher ruleset draws where the pieces of an answer come to stand if all goes as it is written. Confirmations and
// drafts show it, so that a player sees a slip before it counts.
type Sketcher interface {
	// Sketched gives pictures for an answer to a decision, with arrows from where pieces stand to where they would stand,
	// and says in the gist of its sections what these show. None: the answer moves nothing. All of it is judged from the
	// view alone: it must not tell more than the view does.
	Sketched(View, Decision, Answer) []Section
}
