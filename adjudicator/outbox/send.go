package outbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
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

// A letter is claimed for one round. None is begun when less time is left of the claim than
// sending one may take.
const (
	claimedFor  = 30 * time.Minute
	longestSend = 6 * time.Minute
)

// maxRound is how many letters one round of sending takes.
const maxRound = 256

// Send sends the letters that are due, several side by side, and tells how many
// were sent. Letters to one address go in their order; if one of them can't be
// sent now the later ones wait with it. A letter that is refused for good is
// marked, and the game master told; the others still go out.
//
// While the store can't note letters as sent, none goes out: after a death each
// of them would go out again.
//
// Only letters of the given lanes are sent. When over is closed, what is under way is finished and
// nothing more is begun; when Send has returned, nothing of those lanes is under way, unless [Box.Owes].
func (b *Box) Send(ctx context.Context, by mail.Sender, of store.LaneSet, over <-chan struct{}) (int, error) {
	if err := errors.Join(b.store.Ready(), b.Settle(ctx)); err != nil {
		return 0, err
	}
	if err := b.learnDelays(ctx, of); err != nil {
		return 0, fmt.Errorf("look for letters that could not be sent: %w", err)
	}
	now := b.opt.Now()
	letters, err := b.store.Claim(ctx, now, now.Add(claimedFor), maxRound, of)
	if err != nil {
		b.heldMu.Lock()
		b.unclear = !errors.Is(err, store.ErrClosed)
		b.heldMu.Unlock()
		return 0, err
	}
	defer b.release(ctx, letters)
	b.full.Store(len(letters) == maxRound)
	// In the order in which they were written: when they are due, the clocks of different members have said, and faults.
	slices.SortFunc(letters, func(a, b store.Outgoing) int { return cmp.Compare(a.ID, b.ID) })
	queues, broken := byAddress(letters)
	r := &round{box: b, by: by, until: now.Add(claimedFor - longestSend), over: over}
	for id, why := range broken {
		if err := b.unreadable(ctx, id, why); err != nil {
			r.errs = append(r.errs, err)
		}
	}
	work := make(chan []uint64)
	var wg sync.WaitGroup
	for range min(b.opt.Senders, len(queues)) {
		wg.Go(func() {
			for queue := range work {
				r.sendQueue(ctx, queue)
			}
		})
	}
	for _, queue := range queues {
		select {
		case work <- queue:
		case <-over:
		case <-ctx.Done():
		}
	}
	close(work)
	wg.Wait()
	return r.sent, errors.Join(r.errs...)
}

// More tells whether the last round took as many letters as a round takes: more may be due, even if none of these could be sent.
func (b *Box) More() bool { return b.full.Load() }

// release gives up what is still claimed of letters.
func (b *Box) release(ctx context.Context, letters []store.Outgoing) {
	if len(letters) == 0 {
		return
	}
	ids := make([]uint64, len(letters))
	for i, l := range letters {
		ids[i] = l.ID
	}
	if err := b.store.Release(context.WithoutCancel(ctx), ids...); err != nil {
		b.opt.Log.Error("letters not released", "error", err)
		b.heldMu.Lock()
		defer b.heldMu.Unlock()
		b.held = append(b.held, ids...)
	}
}

// releaseHeld gives up claims that could not be given up before, or of which nobody knows whether they were made. Later
// letters to the same people would otherwise go out before them.
func (b *Box) releaseHeld(ctx context.Context) error {
	b.heldMu.Lock()
	defer b.heldMu.Unlock()
	held := b.held
	switch {
	case b.unclear:
		held = nil // all
	case len(held) == 0:
		return nil
	}
	if err := b.store.Release(ctx, held...); err != nil {
		return fmt.Errorf("release letters: %w", err)
	}
	b.held, b.unclear = nil, false
	return nil
}

// byAddress puts letters into queues, one for each address, and tells why some of them
// can't be read.
//
// It reads only the addresses of the letters: the first must go out soon, or an office
// that dies again and again would never send one.
func byAddress(letters []store.Outgoing) (queues [][]uint64, broken map[uint64]error) {
	if len(letters) == 1 { // there is nothing to put in order
		return [][]uint64{{letters[0].ID}}, nil
	}
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

// unreadable gives up a letter that can't be read, which must not keep the others
// waiting.
func (b *Box) unreadable(ctx context.Context, id uint64, why error) error {
	b.opt.Log.Error("letter not readable, lost", "error", why)
	return b.lost(ctx, id, StateLost, why.Error(), true, store.Change{})
}

// A round is one round of sending, with its results.
type round struct {
	box   *Box
	by    mail.Sender
	until time.Time // when no letter is begun with any more
	over  <-chan struct{}
	ill   atomic.Bool // the store

	mu   sync.Mutex
	sent int
	errs []error
}

// sendQueue sends the letters to one address, until one of them fails because of a fault of
// the office.
func (r *round) sendQueue(ctx context.Context, queue []uint64) {
	var hold time.Time // since an earlier one to the address could not be sent
	for _, id := range queue {
		if ctx.Err() != nil || r.isOver() || r.ill.Load() || r.box.opt.Now().After(r.until) {
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

// isOver tells whether this member has to let the letters go.
func (r *round) isOver() bool {
	select {
	case <-r.over:
		return true
	default:
		return false
	}
}

// sendOne sends a letter, unless it has to wait for an earlier one, and tells until when
// the later ones have to wait.
func (r *round) sendOne(ctx context.Context, id uint64, hold time.Time) (time.Time, error) {
	due, waits, broken, err := r.box.due(ctx, id)
	switch {
	case err != nil:
		return hold, err
	case broken != nil:
		return hold, r.box.unreadable(ctx, id, broken)
	case !waits:
		return hold, nil
	}
	if hold.IsZero() {
		if hold, err = r.box.behind(ctx, due.Address, id); err != nil {
			return hold, err
		}
	}
	if !hold.IsZero() {
		hold = hold.Add(time.Millisecond)
		return hold, r.box.postpone(ctx, id, due, hold)
	}
	ok, again, err := r.box.sendLetter(ctx, r.by, id, due)
	if !again.IsZero() || err == nil && ctx.Err() == nil { // else it may wait still
		r.box.delays.set(due.Address, id, again)
	}
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

// due reads a letter that was due a moment ago, and tells whether it still waits. That it can't be understood (broken) is
// another thing than that the store could not be read (err): then it waits until the store can.
func (b *Box) due(ctx context.Context, id uint64) (r *Outgoing, waits bool, broken, err error) {
	panicked := b.opt.Guard(func() error {
		err = b.read(ctx, func(tx store.Reader) error {
			var due time.Time
			r, due, broken = b.Load(tx, id)
			waits = !due.IsZero()
			return nil
		})
		return nil
	})
	return r, waits, errors.Join(broken, panicked), err
}

// put writes a letter anew. If the letter no longer waits, since it came back meanwhile or
// another was sent in its place, it stays as it is.
func (b *Box) put(ctx context.Context, id uint64, r *Outgoing, due time.Time) error {
	return b.putBy(ctx, id, r, due, func(c store.Change) error { return b.store.Commit(ctx, c) })
}

// putBy is put for a letter which is committed with something else.
func (b *Box) putBy(ctx context.Context, id uint64, r *Outgoing, due time.Time, commit func(store.Change) error) error {
	return store.Again(ctx, func() error {
		body, blobs, err := r.Pack()
		if err != nil {
			return err
		}
		out := store.Outgoing{ID: id, Was: r.was, Due: due, Body: body}
		err = commit(store.Change{Outgoing: []store.Outgoing{out}, Blobs: blobs})
		if err == nil {
			r.was = out.Version()
		}
		if !errors.Is(err, store.ErrOutOfStep) {
			return err
		}
		return b.asKept(ctx, id, r, err)
	})
}

// asKept brings a letter in line with what is kept of it now, since somebody else has changed that: it was sent
// again, or a person is forgotten whom its text named. If it no longer waits there is nothing left to write.
func (b *Box) asKept(ctx context.Context, id uint64, r *Outgoing, outOfStep error) error {
	return b.read(ctx, func(tx store.Reader) error {
		if _, there := tx.Outgoing(id); !there {
			return nil
		}
		kept, due, err := b.Load(tx, id)
		if err != nil || due.IsZero() {
			return err
		}
		if r.was = kept.was; r.Letter != nil && kept.Letter != nil {
			r.Letter, r.Grounds, r.text = kept.Letter, kept.Grounds, kept.text
		}
		return outOfStep
	})
}

// waiting gives a letter of the outbox, and whether it waits to be sent.
func (b *Box) waiting(ctx context.Context, id uint64) (kept store.Outgoing, waits bool, err error) {
	err = b.read(ctx, func(tx store.Reader) error {
		kept, waits = tx.Outgoing(id)
		waits = waits && !kept.Due.IsZero()
		return nil
	})
	return kept, waits, err
}

// Owes tells whether there are letters that were sent, and not noted as sent since the store failed, or that
// are, or may be, still claimed: another member would send them again, or later ones before them.
func (b *Box) Owes() (owes bool) {
	b.unnoted.Range(func(any, any) bool { owes = true; return false })
	b.heldMu.Lock()
	defer b.heldMu.Unlock()
	return owes || len(b.held) > 0 || b.unclear
}

// Settle does what [Box.Owes] tells of.
func (b *Box) Settle(ctx context.Context) error {
	return errors.Join(b.markUnmarked(ctx), b.releaseHeld(ctx))
}

// writeDue lets the game write the letter that is due, in place of this one.
func (b *Box) writeDue(ctx context.Context, id uint64, r *Outgoing) error {
	r.State = StateLater
	told := *r
	told.empty()
	body, shared, err := told.Pack()
	if err != nil {
		return err
	}
	with := store.Change{Outgoing: []store.Outgoing{{ID: id, Was: r.was, Body: body}}, Blobs: shared}
	err = b.hear(ctx, Due{Letter: r, With: with})
	switch {
	case errors.Is(err, store.ErrOutOfStep):
		return nil // another letter was sent in its place; else it is still due
	case err == nil, ctx.Err() != nil, errors.Is(err, store.ErrClosed):
		return err
	}
	r.State = ""
	r.Tries++
	return errors.Join(fmt.Errorf("write letter that is due: %w", err), b.put(ctx, id, r, b.opt.Now().Add(backOff(b.opt.Retry, r.Tries))))
}

// sendLetter tries to send one letter and notes the result. If it has to be
// tried again it says when.
func (b *Box) sendLetter(ctx context.Context, by mail.Sender, id uint64, r *Outgoing) (sent bool, again time.Time, err error) {
	if r.Letter == nil && r.Game != "" {
		return false, time.Time{}, b.writeDue(context.WithoutCancel(ctx), id, r)
	}
	temporary := false
	var raw []byte
	if err := b.store.Ready(); err != nil { // that it was sent could not be noted
		return false, time.Time{}, err
	}
	switch may, err := b.games.May(r); {
	case err != nil: // it waits until that is known
		r.Tries++
		again = b.opt.Now().Add(backOff(b.opt.Retry, r.Tries))
		return false, again, errors.Join(err, b.put(context.WithoutCancel(ctx), id, r, again))
	case !may:
		r.State, r.Letter, r.Grounds = StateLater, nil, nil
		return false, time.Time{}, b.put(context.WithoutCancel(ctx), id, r, time.Time{})
	}
	err = b.opt.Guard(func() (err error) { raw, err = b.Compose(id, r); return err })
	if err == nil {
		if err = by.Send(ctx, b.opt.Address(r.Game), r.Address, raw); err != nil {
			if ctx.Err() != nil {
				return false, time.Time{}, nil // we stop; it stays due
			}
			var t interface{ Temporary() bool }
			temporary = !errors.As(err, &t) || t.Temporary()
		}
	}
	now := b.opt.Now()
	r.Tries++
	attrs := []any{"game", r.Game, "seat", string(r.Seat), "kind", r.Kind, "msg_id", b.MessageID(id), "tries", r.Tries}
	if err == nil {
		b.opt.Log.Info("letter sent", attrs...)
		r.State, r.Sent, r.Error = StateSent, now, ""
		r.empty()
		if err := b.markSent(context.WithoutCancel(ctx), id, r); err != nil {
			// To note it is tried again; the player must not get a copy each time.
			b.unnoted.Store(id, r)
			return true, time.Time{}, fmt.Errorf("note letter as sent: %w", err)
		}
		return true, time.Time{}, nil
	}
	r.Error = phrase.Clip(err.Error(), longestError)
	if temporary && now.Sub(r.since()) < b.opt.GiveUp {
		b.opt.Log.Warn("letter not sent, will be tried again", append(attrs, "error", err)...)
		again = now.Add(backOff(b.opt.Retry, r.Tries))
		return false, again, b.postpone(ctx, id, r, again)
	}
	b.opt.Log.Error("letter lost", append(attrs, "error", err)...)
	return false, time.Time{}, b.lost(ctx, id, StateLost, r.Error, true, store.Change{})
}
