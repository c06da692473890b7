// Package log says what the log of a game holds: its entries by kind, what is sealed in
// them, the forms from which seals and dice are made, and the positions kept beside
// it. It knows bytes and values, no store, no letter, and not how a game goes on.
package log
