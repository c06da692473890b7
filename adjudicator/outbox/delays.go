package outbox

import (
	"bytes"
	"context"
	"math"
	"sync"
	"time"

	"berthier/adjudicator/store"
)

// delays are the letters that could not be sent, behind which later ones to the same address wait. The store has
// the last word: it is asked about one of them when it should have been tried again, and when a box does not know yet what others
// could not send, or it itself before it was opened.
type delays struct {
	mu    sync.Mutex
	known store.LaneSet                   // lanes of which the store was asked since this member has them
	until map[string]map[uint64]time.Time // by address and number: when they are tried again; zero: not known
}

// set notes until when a letter was put off, or with a zero time that it does not wait any more.
func (d *delays) set(address string, id uint64, until time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if until.IsZero() {
		d.drop(address, id)
		return
	}
	d.put(address, id, until)
}

// put notes a letter. The caller holds the lock.
func (d *delays) put(address string, id uint64, until time.Time) {
	if d.until == nil {
		d.until = map[string]map[uint64]time.Time{}
	}
	if d.until[address] == nil {
		d.until[address] = map[uint64]time.Time{}
	}
	d.until[address][id] = until
}

// drop forgets a letter. The caller holds the lock.
func (d *delays) drop(address string, id uint64) {
	delete(d.until[address], id)
	if len(d.until[address]) == 0 {
		delete(d.until, address)
	}
}

// before gives until when the letters before one were put off, and which of them should have been tried again by now.
func (d *delays) before(address string, id uint64, now time.Time) (until time.Time, unclear []uint64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for earlier, at := range d.until[address] {
		switch {
		case earlier >= id:
		case !at.After(now), at.After(now.Add(latestTry)): // no clock that is right has put it off for so long
			unclear = append(unclear, earlier)
		case at.After(until):
			until = at
		}
	}
	return until, unclear
}

// learnDelays asks the store which letters could not be sent, if there are lanes of which this box does not know it. That goes over
// all letters that wait, and is done only at the start and when lanes come from another member.
func (b *Box) learnDelays(ctx context.Context, of store.LaneSet) error {
	d := &b.delays
	d.mu.Lock()
	d.known &= of // of those that come back the store is asked again
	knows := d.known == of
	d.mu.Unlock()
	if knows {
		return nil
	}
	var found delays
	if err := b.read(ctx, func(tx store.Reader) error {
		return tx.Waiting(math.MaxInt, func(id uint64, start []byte) error {
			if r := triedOf(tx, id, start); r != nil {
				found.put(r.Address, id, time.Time{})
			}
			return nil
		})
	}); err != nil {
		return err
	}
	now := b.opt.Now()
	d.mu.Lock()
	defer d.mu.Unlock()
	for address, letters := range d.until {
		for id, until := range letters {
			if until.After(now) {
				found.put(address, id, until)
			}
		}
	}
	d.until, d.known = found.until, of
	return nil
}

// behind tells until when a letter has to wait, since an earlier one to the address could not be sent in another round.
func (b *Box) behind(ctx context.Context, address string, id uint64) (time.Time, error) {
	now := b.opt.Now()
	until, unclear := b.delays.before(address, id, now)
	for _, earlier := range unclear {
		kept, waits, err := b.waiting(ctx, earlier)
		if err != nil {
			return until, err
		}
		at := kept.Due
		switch r, said, err := unpackHead(kept.Body); {
		case !waits, err != nil, r.Letter == nil && len(said.bytes) == 0: // it is away, or nobody knows what it says
			at = time.Time{}
		case !at.After(now): // somebody else has it, or it comes in the next round
			at = now.Add(b.opt.Retry)
		}
		b.delays.set(address, earlier, at)
		if at.After(until) {
			until = at
		}
	}
	return earlierOf(until, now.Add(latestTry)), nil
}

// tried is what the JSON of a letter has in it if it was tried to send it, and no text in JSON.
var tried = []byte(`"tries":`)

// triedOf gives the head of a letter that waits, by the start of its body, if it was tried to send it; else nil. Most letters
// were not tried yet, and are not read. One that can't be read is given up when it is due.
func triedOf(tx store.Reader, id uint64, start []byte) *Outgoing {
	body := start
	if len(start) == store.StartOfBody && !headIn(start) {
		if o, there := tx.Outgoing(id); there {
			body = o.Body
		}
	}
	if head, _, err := cutHead(body); err != nil || !bytes.Contains(head, tried) {
		return nil
	}
	if r, _, err := unpackHead(body); err == nil && r.Tries > 0 {
		return r
	}
	return nil
}
