package outbox

import (
	"context"
	"errors"
	"fmt"
	"time"

	"berthier/adjudicator/store"
)

// What a game is told of a report that is slow to leave is committed with the note of it in the letter. A game
// that knows that a report waits, of which the letter does not know, would never be told that it has left, and the clock of its
// reader would stand for ever. What is left is a game that can't take the news twice in a row: its letter is noted without it, the
// log of the office says so, and its game master lets the clock go on.

// slowReport is how long a report may wait for its way out before its game is told.
const slowReport = time.Hour

// postpone lets a letter wait. Its game is told if it is a report that has been unable to leave for long.
func (b *Box) postpone(ctx context.Context, id uint64, r *Outgoing, until time.Time) error {
	if r.Report == 0 || r.Slow && !r.Unheard || b.opt.Now().Sub(r.since()) < slowReport {
		return b.put(ctx, id, r, until)
	}
	r.Slow, r.Unheard = true, false
	err := b.putBy(ctx, id, r, until, func(c store.Change) error { return b.hear(ctx, Waits{Letter: r, With: c}) })
	if err != nil { // the game may know all the same: it is told again, and that the report has left
		r.Unheard = true
		err = errors.Join(err, b.put(ctx, id, r, until))
	}
	return err
}

// markSent keeps that a letter was sent. Its game is told if it knows that it waited.
func (b *Box) markSent(ctx context.Context, id uint64, r *Outgoing) error {
	if !r.Slow {
		return b.put(ctx, id, r, time.Time{})
	}
	told := false
	err := b.putBy(ctx, id, r, time.Time{}, func(c store.Change) error {
		err := b.hear(ctx, Left{Letter: r, With: c})
		told = err == nil
		return err
	})
	if err == nil && !told { // the letter came back meanwhile, and stays as it is; if that bounce is not believed, this alone lets the clock go on
		err = b.hear(ctx, Left{Letter: r})
	}
	return err
}

// markUnmarked keeps that letters were sent for which that failed before.
func (b *Box) markUnmarked(ctx context.Context) (err error) {
	ctx = context.WithoutCancel(ctx)
	b.unnoted.Range(func(key, value any) bool {
		id, r := key.(uint64), value.(*Outgoing)
		noted := true
		if err = b.markSent(ctx, id, r); err != nil {
			// It may be the game that is ill, and not the store: nobody else's letters wait for that.
			noted = r.Slow && b.put(ctx, id, r, time.Time{}) == nil
			err = fmt.Errorf("note letter as sent: %w", err)
		}
		if noted {
			b.unnoted.Delete(key)
		}
		return err == nil
	})
	return err
}

// hear tells a game the news. A fault of a game is an error like others.
func (b *Box) hear(ctx context.Context, n News) error {
	return b.opt.Guard(func() error { return b.games.Hear(ctx, n) })
}
