package adjudicator

import (
	"berthier/adjudicator/game"
	"berthier/adjudicator/outbox"
)

// Exchange of players between two seats, as after bidding for sides
// ([engine.Event.Exchange]).
//
// All that a seat's record holds belongs to the player and goes with him: his
// name and address, what he was told, how he counts stops, templates and
// reports, his missed deadlines, lost letters and resignation. What belongs to
// the seat is its side, the number of its key, and what it owes. Both keys are
// renewed: a key that was given for one seat must not give orders for the other.

// holder is the seat of the player to whom a letter went: if he has changed
// seats since then, it is the one that he has now. It is nil if the letter was
// the game master's, or to a player who has gone.
func (d *desk) holder(r *outbox.Outgoing) *game.Seat {
	side, epoch := r.Seat, r.Epoch
	for _, x := range d.Game.Exchanges {
		for i := range x.Sides {
			if x.Sides[i] == side && x.Epochs[i] == epoch+1 {
				side, epoch = x.Sides[1-i], x.Epochs[1-i]
				break
			}
		}
	}
	s := d.Game.Seat(side)
	if s == nil || s.Epoch != epoch || s.Person.Address != r.Address {
		return nil
	}
	return s
}
