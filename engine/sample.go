package engine

import "math/rand/v2"

// A Sampler is a [Ruleset] that can make up a whole position that one side might
// be looking at, for questions of the kind "what if I ordered this?".
//
// It works from the view alone: whatever the view does not hold is drawn by
// chance from what is possible. So nothing that is made of a sample can tell
// the side more than it knows. These things hold for every view of a side that owes a
// decision:
//
//   - That side's view of the sample is the view given, byte for byte as
//     [View.Marshal] writes it.
//   - The side owes the decision given in the sample; so do the others who must
//     answer together with it, as far as the view allows.
//   - The sample is a position like any other: it reads back as it was written,
//     and can be played on to the end.
//   - The same view, decision and chance give the same sample.
type Sampler interface {
	// Sample makes up a position that gives the view, at a stop where its side
	// owes the decision. An error means that the side does not owe it, that it is
	// the game master's view, or that no position fits the view.
	Sample(view View, owed Decision, chance *rand.Rand) (Position, error)
}
