package outbox

import (
	"context"
	"fmt"
	"math"
	"time"

	"berthier/adjudicator/store"
)

// latestTry is how long a letter is put off at most, since it could not be sent, or waits for one that could not.
const latestTry = time.Hour

// earlierOf gives the earlier of two times.
func earlierOf(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// WakeLate makes letters due now that a clock which had jumped ahead has put off further than can be, and tells how many: those that are
// due in more than [latestTry] and are not meant for later, and those that were made at a time that has not come yet, which count
// as made now. Nobody else would look at them before the wrong time had come, and later letters to the same address wait behind them.
// A letter that is meant for later ([Outgoing.Delay]) is due when that is.
func (b *Box) WakeLate(ctx context.Context) (n int, err error) {
	now := b.opt.Now()
	type put struct {
		id uint64
		r  *Outgoing
	}
	var late []put
	err = b.read(ctx, func(tx store.Reader) error {
		return tx.Waiting(math.MaxInt, func(id uint64, _ []byte) error {
			o, there := tx.Outgoing(id)
			if !there || !o.Due.After(now.Add(latestTry)) {
				return nil
			}
			head, said, err := unpackHead(o.Body)
			if err != nil { // it is given up when it is due
				return nil
			}
			meant := head.Letter == nil && len(said.bytes) == 0 // the game writes it when it is due
			if due := head.meantFor(now); meant && !head.madeAfter(now) || head.ofEarlierProgram() || !o.Due.After(due.Add(latestTry)) {
				return nil
			}
			r, _, err := b.Load(tx, id)
			if err != nil {
				return nil
			}
			r.Written, r.Again = r.meantFor(now), earlierOf(r.Again, now)
			late = append(late, put{id, r})
			return nil
		})
	})
	for _, l := range late {
		if err == nil {
			due := b.atOnce(now)
			if l.r.Written.After(now) {
				due = l.r.Written
			}
			err = b.put(ctx, l.id, l.r, due)
		}
	}
	if err != nil {
		return 0, fmt.Errorf("letters that a wrong clock has put off: %w", err)
	}
	return len(late), nil
}

// madeAfter tells whether a letter was made when a clock had jumped ahead of now.
func (r *Outgoing) madeAfter(now time.Time) bool {
	return r.Written.Add(-r.Delay).After(now.Add(clocksDiffer))
}

// meantFor is when a letter that waits is rightly written: when it was, unless it was made at a time that has not come yet.
func (r *Outgoing) meantFor(now time.Time) time.Time {
	if r.Delay > 0 && !r.madeAfter(now) {
		return r.Written
	}
	return earlierOf(r.Written, now.Add(r.Delay))
}

// ofEarlierProgram tells whether a letter that was never tried may be one of the full view that an earlier program has made: by how much it
// is meant to be late is not in it, and it had better lie for long than tell what is hidden too soon.
func (r *Outgoing) ofEarlierProgram() bool {
	return r.Kind == KindObserver && r.Epoch == 0 && r.Delay == 0 && r.Tries == 0
}
