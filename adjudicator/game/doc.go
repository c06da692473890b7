// Package game is one game as a state machine: its record, and what happens to it.
//
// What happens is a [Turn]: the game as it has become by now, and the effects that follow
// from it for the office, in order: what the log says, which position is kept, who is told
// what. A turn reads no store, writes none, and knows no mail: the time, random numbers and
// earlier entries come in with [Around]; what somebody is told is a [Message], from which
// others make a letter.
package game
