package adjudicator

import (
	"berthier/adjudicator/game"
	"berthier/adjudicator/outbox"
)

// A player who could not get his report is not late. While it can't be sent the
// seat's clock stands still: it is not reminded, and nothing is resolved by its
// default. When the report comes back, or its address does not work, the clock stands
// still, too, but once for a player and no longer than a grace: a letter that says so
// can be forged by the one whose clock it stops. The clock goes on when the player
// writes, when somebody else takes the seat over, when the game master, who is told,
// releases the game, or when the grace is over, of which he is told again.

// asksFor tells whether a lost letter is the report that asked a seat for what it
// owes now, and its player has not written since: he does not know of it.
func asksFor(s *game.Seat, r *outbox.Outgoing) bool {
	o := s.Owes
	return o != nil && r.Report > 0 && !r.Written.Before(o.Opened) && !s.Heard.After(r.Written)
}
