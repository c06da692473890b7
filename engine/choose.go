package engine

import "slices"

// A Chooser is a [Ruleset] that lists the choices of which an answer to a decision is
// made. An answer is put together choice by choice, and what may be chosen next depends
// on what was chosen before: a unit that has marched fills the road for the others.
//
// The list is the one source of what is legal: templates write it in their
// comments, [Ruleset.Read] takes nothing else, and bots answer within it. All of
// it comes from the view. Three things hold for every view:
//
//   - What may be chosen is accepted: for choices made one after the other, each
//     out of Choices, the answer that Compose makes of them is read back by
//     [Ruleset.Read] as itself, and Chosen finds those choices in it.
//   - What is accepted can be chosen: for any answer of Read, Random, Sensible or
//     Default, Chosen gives choices each of which is in Choices after those
//     before it, and Compose makes the same answer of them.
//   - To choose nothing means the default: Compose of no choices is what an untouched
//     template means.
//
// Standing orders are not among the choices.
type Chooser interface {
	// Choices lists what may be chosen after the choices made, each listed once,
	// in an order that depends on the view alone. It is empty when nothing more
	// may be chosen. A choice that needs others to be legal is listed when they
	// can still be made; Compose then makes them.
	Choices(view View, d Decision, made []Choice) []Choice
	// Compose is the answer that makes these choices. If they leave something open
	// that the rules want answered, it fills that in, by the default where that is legal.
	Compose(view View, d Decision, made []Choice) Answer
	// Chosen takes an answer apart into its choices, in an order in which they can be
	// made. Only the default may hold no choice although Compose would add nothing to
	// it: elsewhere "nothing at all" is a choice too.
	Chosen(view View, d Decision, a Answer) []Choice
}

// A Choice is one thing that an answer may hold. It can be compared.
type Choice struct {
	Of   string // whom or what it is about, as an order file names it: "F-03", "Ligny"; "" for the decision as a whole
	What string // what is chosen for it, as an order file writes it: "fire squares", "Fleurus, Ligny"

	// Measure marks a choice of a whole number from Low to High, both included;
	// Value is the number that was chosen, 0 in a list of what may be chosen.
	Measure bool
	Low     int
	High    int
	Value   int

	// Shown is how a template writes the choice: a piece of its text, in a
	// comment or in the body. "" if this choice is not written out there, such
	// as one that opens up only after others.
	Shown string
}

// At is the choice of a number, for a measure.
func (c Choice) At(value int) Choice {
	c.Value = value
	return c
}

// Same tells whether two choices are one: about the same thing, and of the same
// value. How they are shown does not count, nor do the bounds.
func (c Choice) Same(o Choice) bool {
	return c.Of == o.Of && c.What == o.What && c.Measure == o.Measure && c.Value == o.Value
}

// Offered tells whether a choice is among those that may be made.
func Offered(list []Choice, c Choice) bool {
	return slices.ContainsFunc(list, func(o Choice) bool {
		if o.Measure && c.Measure {
			return o.Of == c.Of && o.What == c.What && o.Low <= c.Value && c.Value <= o.High
		}
		return o.Same(c)
	})
}
