package adjudicator

import (
	"context"
	"fmt"
	"time"

	"berthier/adjudicator/game"
	"berthier/orders"
)

// A player who could not get his report is not late. While it can't be sent the
// seat's clock stands still: it is not reminded, and nothing is resolved by its
// default. When the report comes back, or its address does not work, the clock stands
// still, too, but once for a player and no longer than a grace: a letter that says so
// can be forged by the one whose clock it stops. The clock goes on when the player
// writes, when somebody else takes the seat over, when the game master, who is told,
// releases the game, or when the grace is over, of which he is told again.

// slowReport is how long a report may wait for its way out before the player's
// clock stands still until it has left.
const slowReport = time.Hour

// asksFor tells whether a lost letter is the report that asked a seat for what it
// owes now, and its player has not written since: he does not know of it.
func asksFor(s *game.Seat, r *row) bool {
	o := s.Owes
	return o != nil && r.Report > 0 && !r.Written.Before(o.Opened) && !s.Heard.After(r.Written)
}

// releaseForm is a letter with which a game master releases a game. It is framed, so
// that a program that answers by quoting what it gets releases nothing.
func releaseForm(game, key string) string {
	return orders.Frame(orders.Mapping().Set("game", orders.Text(game)).Set("key", orders.Text(key)).Set("command", orders.Text("release")).Encode())
}

// waits stops the clock of who waits for a report that can't be sent for long.
func (o *Office) waits(ctx context.Context, r *row) error {
	now := o.now()
	if r.Report == 0 || r.Slow || min(now.Sub(r.Written), now.Sub(r.Again)) < slowReport {
		return nil
	}
	if err := o.clockOf(ctx, r, func(d *desk, s *game.Seat) error {
		_, err := game.Stand(d.Turn, s, false)
		return err
	}); err != nil {
		return err
	}
	r.Slow = true
	return nil
}

// left lets his clock go on when the report has left after all.
func (o *Office) left(ctx context.Context, r *row) error {
	if !r.Slow {
		return nil
	}
	return o.clockOf(context.WithoutCancel(ctx), r, func(d *desk, s *game.Seat) error {
		// What is thought of the address, which a letter can have feigned, keeps nobody's
		// clock still that stood for this report alone.
		if !s.Dead || s.Owes.Unsent {
			game.GoOn(d.Turn, s)
		}
		return nil
	})
}

func (o *Office) clockOf(ctx context.Context, r *row, do func(*desk, *game.Seat) error) error {
	err := o.change(ctx, r.Game, func(d *desk) error {
		if s := d.holder(r); s != nil && asksFor(s, r) {
			return do(d, s)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("keep the clock of who waits for a report: %w", err)
	}
	return nil
}
