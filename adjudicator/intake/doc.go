// Package intake says about a letter that comes in who wrote it, for which game, and how that
// is proven, and what is to be done with it before any game is touched. It knows addresses,
// keys and proofs, but neither how a game goes on nor how letters go out.
package intake
