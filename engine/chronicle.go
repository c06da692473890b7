package engine

import "berthier/orders/phrase"

// A Chronicled is a [Ruleset] of whose games it can be told how they went: day by day, what
// each side lost and held turn by turn, where they turned, and who had luck.
type Chronicled interface {
	Recounter
	// Tally counts how a game stands. All of it is public: every side, observers and the
	// game master read the same. It is zero before the first turn.
	Tally(View) Tally
	// Hidden says what was hidden from a side, for the end of a game, when nothing is any
	// more. The view is the game master's. The sentences are few and short.
	Hidden(all View, from Side) []phrase.Phrase
}

// A Tally is how a game stands, in numbers that everybody knows.
type Tally struct {
	Hour    Hour
	Parties []Party
	Holding phrase.Phrase // names what is held: "cities"
}

// A Party is a side, or an army of a side, that a tally counts for.
type Party struct {
	Who   phrase.Value // as [Fact.By] names it
	Lost  int          // units that are gone
	Limit int          // with so many it is defeated; 0: there is no such number
	Held  int          // what it holds of that which wins games: cities, squares
}

// An Hour is a turn of a game as a story names it.
type Hour struct {
	Turn int           // from 1; 0: before the first
	Name phrase.Phrase // "16 June 1815, midday"
	Day  phrase.Phrase // what a story tells in one sentence: "16 June 1815"
}

// A Test is dice of an event besides those of its fire, by which luck is counted.
type Test struct {
	What phrase.Phrase // what a good die is: "morale rolls that held"
	By   phrase.Value  // whose luck it is
	Dice int
	Need int // each is good with so many results, of [Faces]
	Good int // so many were
}
