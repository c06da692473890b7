// Package game is one game as a state machine: its record, and what happens to it.
//
// What happens is a [Turn]: the game as it has become by now, and the effects that follow
// from it for the office, in order: what the log says, which position is kept, who is told
// what. A turn reads no store, writes none, and knows no mail: the hour, chance and the past
// come in with [Around], and what somebody is told is a [Message], of which others make a
// letter.
package game
