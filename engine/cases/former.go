package cases

// A Former is a ruleset that says in which form its positions are written, for people who
// write one into a case or a ruling.
type Former interface {
	// PositionForm is a text in YAML in which every key that a position may have
	// stands at its place, with what it means behind it or above it as a comment.
	// It is not itself a position: it has keys that never stand together in one.
	PositionForm() string
}
