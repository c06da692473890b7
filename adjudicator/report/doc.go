// Package report says what a letter says. It makes letters of messages, reports and
// confirmations out of a game as it stands in a turn, the past of it, and the words of
// package templates, and gives them back as values: what goes to whom, and what is kept of
// it.
//
// A letter to a seat is made of that seat's view and of what events tell that seat, of
// nothing else. The package has no store, no outbox and no clock, and changes nothing of
// the game.
package report
