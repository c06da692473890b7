// Package intake says of a letter on its way in whose it is, for which game, and by what that
// is proven, and what is to be done with it before a game is touched. It knows addresses, keys
// and proofs, and neither how a game goes on nor how letters go out.
package intake
