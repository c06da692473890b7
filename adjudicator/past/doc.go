// Package past reads what was: the log of one game, the positions that are kept beside it,
// and what reports showed, as the game stands now. What a ruling or a rewind undid is in
// the log, but on none of the branches that lead to the present position.
//
// It reads what is committed through [Kept], and what is not yet committed from the present
// turn. It knows neither the store nor letters nor the office. Packages that tell, judge or
// export what was ask it.
package past
