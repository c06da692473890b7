package outbox

import (
	"bytes"
	"sync"
	"time"
)

// Letters that were just queued stay in memory until they are sent, at most so many bytes of
// them for at most so long. Most are sent within a second.
const (
	freshBytes = 32 << 20
	freshFor   = 10 * time.Minute
)

// A fresh keeps letters in memory beside the store, so that what was just written need not be
// read and unpacked again. The store has the last word: a letter is taken from here only if
// the store has the very bytes to which it was packed. The oldest letters stay when there is
// no room for more, since they are sent first.
type fresh struct {
	mu      sync.Mutex
	bytes   int
	letters map[uint64]freshLetter
	oldest  time.Time // no letter has been here since before
}

type freshLetter struct {
	letter Outgoing
	body   []byte // to which it was packed
	since  time.Time
}

// add keeps a letter that was packed to body.
func (f *fresh) add(id uint64, r *Outgoing, body []byte, now time.Time) {
	if r.text.lossy {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.bytes+len(body) > freshBytes && now.Sub(f.oldest) > freshFor {
		f.clear(now)
	}
	if f.bytes+len(body) > freshBytes {
		return
	}
	if len(f.letters) == 0 || now.Before(f.oldest) {
		f.oldest = now
	}
	if f.letters == nil {
		f.letters = map[uint64]freshLetter{}
	}
	l := freshLetter{*r, body, now}
	l.letter.text.shared = nil                               // its pictures are in the store with it
	l.letter.text.bytes = body[len(body)-len(r.text.bytes):] // its text is not kept twice
	f.letters[id] = l
	f.bytes += len(body)
}

// clear forgets what was never written, or is not sent for long. It goes over all letters, so it is called only
// when one of them may have been here for too long. The caller holds the lock.
func (f *fresh) clear(now time.Time) {
	f.oldest = now
	for id, l := range f.letters {
		switch {
		case now.Sub(l.since) > freshFor:
			f.remove(id)
		case l.since.Before(f.oldest):
			f.oldest = l.since
		}
	}
}

// take gives a letter that the store keeps as body, if it is here, and forgets it.
func (f *fresh) take(id uint64, body []byte) (*Outgoing, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	l, ok := f.letters[id]
	if !ok {
		return nil, false
	}
	f.remove(id)
	if !bytes.Equal(l.body, body) {
		return nil, false
	}
	return &l.letter, true
}

// remove forgets a letter. The caller holds the lock.
func (f *fresh) remove(id uint64) {
	f.bytes -= len(f.letters[id].body)
	delete(f.letters, id)
}
