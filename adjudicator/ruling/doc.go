// Package ruling holds what a game master may do to a game besides looking after it: rulings
// and rewinds.
//
// What he asks for is an [Act]. [Make] judges it against the game and its past, and makes a
// [Plan] of it: a list of small changes, each of which does one thing. [Carry] makes the
// changes in a copy of the game and finds out what each player is to be told. A preview is
// such a copy that is dropped, and an act is one that is kept: so what is previewed is what
// happens.
package ruling
