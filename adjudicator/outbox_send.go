package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"berthier/adjudicator/store"
	"berthier/mail"
	"berthier/orders/phrase"
)

// backOff is how long to wait after so many tries: the first time given, doubling
// up to an hour.
func backOff(first time.Duration, tries int) time.Duration {
	for range min(max(tries-1, 0), 20) {
		first = min(2*first, time.Hour)
	}
	return first
}

// A letter is claimed for one round, and none is begun with when less is left of that
// than sending one may take.
const (
	claimedFor  = 30 * time.Minute
	longestSend = 6 * time.Minute
)

// maxRound is how many letters one round of sending takes up.
const maxRound = 256

// Send sends the letters that are due, several side by side, and tells how many
// were sent. Letters to one address go in their order; if one of them can't be
// sent now the later ones wait with it. A letter that is refused for good is
// marked, and the game master told; the others still go out.
//
// While the store can't note letters as sent, none goes out: after a death each
// of them would go out again.
func (o *Office) Send(ctx context.Context, by mail.Sender) (int, error) {
	if err := errors.Join(o.store.Ready(), o.noteSent(ctx)); err != nil {
		return 0, err
	}
	now := o.now()
	letters, err := o.store.Claim(ctx, now, now.Add(claimedFor), maxRound)
	if err != nil {
		return 0, err
	}
	defer o.release(ctx, letters)
	queues, broken := byAddress(letters)
	r := &round{office: o, by: by, until: now.Add(claimedFor - longestSend)}
	for id, why := range broken {
		if err := o.unreadableRow(ctx, id, why); err != nil {
			r.errs = append(r.errs, err)
		}
	}
	work := make(chan []uint64)
	var wg sync.WaitGroup
	for range min(o.opt.Senders, len(queues)) {
		wg.Go(func() {
			for queue := range work {
				r.sendQueue(ctx, queue)
			}
		})
	}
	for _, queue := range queues {
		select {
		case work <- queue:
		case <-ctx.Done():
		}
	}
	close(work)
	wg.Wait()
	return r.sent, errors.Join(r.errs...)
}

// release gives up what is still claimed of letters.
func (o *Office) release(ctx context.Context, letters []store.Outgoing) {
	ids := make([]uint64, len(letters))
	for i, l := range letters {
		ids[i] = l.ID
	}
	if err := o.store.Release(context.WithoutCancel(ctx), ids...); err != nil {
		o.log.Error("letters not released", "error", err) // their claims run out
	}
}

// byAddress gives letters in queues, those of one address in one, and why some of them
// can't be read.
//
// Here only whom they are for is read: the first must go out soon, or an office
// that dies again and again would never send one.
func byAddress(letters []store.Outgoing) (queues [][]uint64, broken map[uint64]error) {
	index := map[string]int{}
	broken = map[uint64]error{}
	for _, l := range letters {
		address, err := addressOf(l.Body)
		if err != nil {
			broken[l.ID] = fmt.Errorf("load letter %d: %w", l.ID, err)
			continue
		}
		i, ok := index[address]
		if !ok {
			i = len(queues)
			index[address] = i
			queues = append(queues, nil)
		}
		queues[i] = append(queues[i], l.ID)
	}
	return queues, broken
}

// unreadableRow gives up a letter that can't be read, which must not keep the others
// waiting.
func (o *Office) unreadableRow(ctx context.Context, id uint64, why error) error {
	o.log.Error("letter not readable, lost", "error", why)
	return o.lost(ctx, id, stateLost, phrase.Clip(why.Error(), 500), true, store.Change{})
}

// A round is one round of sending, with what came of it.
type round struct {
	office *Office
	by     mail.Sender
	until  time.Time   // when no letter is begun with any more
	ill    atomic.Bool // the store

	mu   sync.Mutex
	sent int
	errs []error
}

// sendQueue sends the letters to one address, until one of them makes trouble that is
// ours.
func (r *round) sendQueue(ctx context.Context, queue []uint64) {
	var hold time.Time // since an earlier one to the address could not be sent
	for _, id := range queue {
		if ctx.Err() != nil || r.ill.Load() || r.office.now().After(r.until) {
			return
		}
		var err error
		if hold, err = r.sendOne(ctx, id, hold); err != nil {
			r.mu.Lock()
			r.errs = append(r.errs, err)
			r.mu.Unlock()
			return
		}
	}
}

// sendOne sends a letter, unless it has to wait with an earlier one, and tells until when
// the later ones have to.
func (r *round) sendOne(ctx context.Context, id uint64, hold time.Time) (time.Time, error) {
	due, waits, err := r.office.dueRow(id)
	switch {
	case err != nil:
		return hold, r.office.unreadableRow(ctx, id, err)
	case !waits:
		return hold, nil
	case !hold.IsZero():
		hold = hold.Add(time.Millisecond)
		return hold, r.office.postpone(ctx, id, due, hold)
	}
	ok, again, err := r.office.sendRow(ctx, r.by, id, due)
	if ok {
		r.mu.Lock()
		r.sent++
		r.mu.Unlock()
	}
	if ok && err != nil {
		r.ill.Store(true)
	}
	return again, err
}

// dueRow reads a row that was due a moment ago, and tells whether it still waits.
func (o *Office) dueRow(id uint64) (r *row, waits bool, err error) {
	err = o.guarded(func() error {
		return o.read(func(tx store.Reader) error {
			var due time.Time
			r, due, err = o.loadRow(tx, id)
			waits = !due.IsZero()
			return err
		})
	})
	return r, waits, err
}

// postpone lets a row wait.
func (o *Office) postpone(ctx context.Context, id uint64, r *row, until time.Time) error {
	return errors.Join(o.waits(ctx, r), o.putRow(ctx, id, r, until))
}

// putRow writes a row anew. If it does not wait any more, since it came back meanwhile or
// another was sent in its place, it stays as it is.
func (o *Office) putRow(ctx context.Context, id uint64, r *row, due time.Time) error {
	body, blobs, err := r.pack()
	if err != nil {
		return err
	}
	return again(ctx, func() error {
		out := store.Outgoing{ID: id, Was: r.was, Due: due, Body: body}
		err := o.store.Commit(ctx, store.Change{Outgoing: []store.Outgoing{out}, Blobs: blobs})
		if err == nil {
			r.was = out.Version()
		}
		if !errors.Is(err, store.ErrOutOfStep) {
			return err
		}
		kept, waits, readErr := o.waiting(id)
		if readErr != nil || !waits {
			return readErr
		}
		r.was = kept.Version()
		return err
	})
}

// waiting gives a letter of the outbox, and whether it waits to be sent.
func (o *Office) waiting(id uint64) (kept store.Outgoing, waits bool, err error) {
	err = o.read(func(tx store.Reader) error {
		kept, waits = tx.Outgoing(id)
		waits = waits && !kept.Due.IsZero()
		return nil
	})
	return kept, waits, err
}

// noteSent notes letters as sent for which that failed before.
func (o *Office) noteSent(ctx context.Context) (err error) {
	o.unnoted.Range(func(key, value any) bool {
		r := value.(*row)
		if err = o.putRow(context.WithoutCancel(ctx), key.(uint64), r, time.Time{}); err != nil {
			err = fmt.Errorf("note letter as sent: %w", err)
			return false
		}
		o.unnoted.Delete(key)
		err = o.left(ctx, r)
		return err == nil
	})
	return err
}

// sendRow tries to send one letter and notes what came of it. If it has to be
// tried again it says when.
func (o *Office) sendRow(ctx context.Context, by mail.Sender, id uint64, r *row) (sent bool, again time.Time, err error) {
	if r.Kind == kindVerdicts {
		return false, time.Time{}, o.writeVerdicts(context.WithoutCancel(ctx), id, r)
	}
	temporary := false
	var raw []byte
	if err := o.store.Ready(); err != nil { // that it was sent could not be noted
		return false, time.Time{}, err
	}
	if r.Kind == "observer" {
		if may, err := o.mayObserve(r); err != nil || !may {
			r.State, r.Letter, r.Grounds = stateLater, nil, nil
			return false, time.Time{}, errors.Join(err, o.putRow(context.WithoutCancel(ctx), id, r, time.Time{}))
		}
	}
	err = o.guarded(func() (err error) { raw, err = o.compose(id, r); return err })
	if err == nil {
		if err = by.Send(ctx, o.opt.From.Addr, r.Address, raw); err != nil {
			if ctx.Err() != nil {
				return false, time.Time{}, nil // we stop; it stays due
			}
			var t interface{ Temporary() bool }
			temporary = !errors.As(err, &t) || t.Temporary()
		}
	}
	now := o.now()
	r.Tries++
	attrs := []any{"game", r.Game, "seat", string(r.Seat), "kind", r.Kind, "msg_id", o.rowID(id), "tries", r.Tries}
	if err == nil {
		o.log.Info("letter sent", attrs...)
		r.State, r.Sent, r.Error = stateSent, now, ""
		if r.Report == 0 {
			r.Letter, r.Grounds = nil, nil
		}
		if err := o.putRow(context.WithoutCancel(ctx), id, r, time.Time{}); err != nil {
			// Noting it is tried again; the player must not get a copy each time.
			o.unnoted.Store(id, r)
			return true, time.Time{}, fmt.Errorf("note letter as sent: %w", err)
		}
		return true, time.Time{}, o.left(ctx, r)
	}
	r.Error = phrase.Clip(err.Error(), 500)
	if temporary && min(now.Sub(r.Written), now.Sub(r.Again)) < o.opt.GiveUp {
		o.log.Warn("letter not sent, will be tried again", append(attrs, "error", err)...)
		again = now.Add(backOff(o.opt.Retry, r.Tries))
		return false, again, errors.Join(o.waits(ctx, r), o.putRow(ctx, id, r, again))
	}
	o.log.Error("letter lost", append(attrs, "error", err)...)
	return false, time.Time{}, o.lost(ctx, id, stateLost, r.Error, true, store.Change{})
}
