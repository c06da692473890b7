// Package past reads what was: the log of one game, the positions that are kept beside it,
// and what reports showed, as the game stands now. What a ruling or a rewind undid is in
// the log and on none of the branches that lead here.
//
// It reads by [Kept] what is committed, and from the turn at hand what is not yet. It knows
// neither the store nor letters nor the office: whoever tells, judges or exports what was
// asks it.
package past
