package engine

import "berthier/orders"

// A Foreseer is a [Ruleset] that has answers to stops before they open, besides those that
// a file may hold: policies that might say something else, and what its sides have said
// already of stops that will come.
type Foreseer interface {
	Instructor
	// Saying gives the answer of a policy to a decision if it alone said something, without
	// standing orders or other policies; nil if it has none. The problems are what is wrong
	// with what it is to say.
	Saying(view View, d Decision, key string, value *orders.Node) (Answer, orders.Problems)
	// Lines gives the standing orders and policies that the side of a view has in force, or
	// has given for later, by their keys: as an order file writes them, on one line.
	Lines(View) (standing, policies map[string]string)
}

// An Asker is a [Position] that opens stops which a standing order or a policy would answer.
type Asker interface {
	Position
	// AdvanceAsking is [Position.Advance], but for the kinds of stops that are listed for a
	// side, where that side is asked whatever it has said before.
	AdvanceAsking(answers map[Side]Answer, dice Dice, asked map[Side][]string) ([]Event, error)
}

// AdvanceAsking advances a position. Where it is no [Asker], nothing but the player answers
// a stop, and all sides are asked anyway.
func AdvanceAsking(p Position, answers map[Side]Answer, dice Dice, asked map[Side][]string) ([]Event, error) {
	if a, ok := p.(Asker); ok && len(asked) > 0 {
		return a.AdvanceAsking(answers, dice, asked)
	}
	return p.Advance(answers, dice)
}

// Alternating is a [Turned] position whose sides have turns of their own, each of which
// counts. In any other game the sides share their turns.
type Alternating interface {
	Turned
	// Alternates tells whether they have, in this game.
	Alternates() bool
}
