// Package log says what the log of a game says: its entries by kind, what stands sealed in
// them, the forms that seals and dice are made of, and the positions kept beside
// it. It knows bytes and values, no store, no letter, and not how a game goes on.
package log
