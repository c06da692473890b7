package intake

import (
	"container/list"
	"slices"
	"sync"
	"time"
)

// LongestTalk is for how many hours' worth of answers an exchange may go on.
const LongestTalk = 2

// talkRest is the time without a letter after which an exchange is over by itself.
const talkRest = 7 * 24 * time.Hour

// mostTalks is the number of addresses with which exchanges are counted at once.
const mostTalks = 10_000

// Talks counts, by address, the answers of exchanges in which nothing new is said. It
// forgets them when the process ends: a machine then gets one exchange more.
type Talks struct {
	mu   sync.Mutex
	most int                      // weight of the answers of an exchange
	with map[string]*list.Element // *talk
	rest list.List                // of all *talk, those that rest longest last
}

type talk struct {
	address string
	n       int
	last    time.Time // letter
	ended   time.Time // when no more answers went; zero: they go
	said    []string  // marks of the verdicts that its address was told, the newest last
}

// mostSaid is how many verdicts an exchange remembers.
const mostSaid = 64

// NewTalks has no exchange yet; most is the weight of the answers in one exchange.
func NewTalks(most int) *Talks { return &Talks{most: most, with: map[string]*list.Element{}} }

// Spend counts an answer to an address, and tells whether it may go and whether it
// is the first that may not.
func (t *Talks) Spend(address string, now time.Time, weight int) (may, ended bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	w := t.hear(address, now)
	if w.n > t.most {
		return false, false
	}
	if w.n += weight; w.n > t.most {
		w.ended = now
	}
	return w.n <= t.most, w.n > t.most
}

// BriefFor is how long after the end of an exchange a file that says nothing new is still
// answered, in one line.
const BriefFor = 7 * 24 * time.Hour

// Brief tells whether the exchange with an address ended so short a time ago that its files
// are answered in one line.
func (t *Talks) Brief(address string, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	w := t.hear(address, now)
	return !w.ended.IsZero() && now.Sub(w.ended) < BriefFor
}

// hear takes up the exchange with an address to which a letter belongs that has just come.
func (t *Talks) hear(address string, now time.Time) *talk {
	e := t.with[address]
	if e == nil {
		if len(t.with) >= mostTalks {
			t.drop(t.rest.Back())
		}
		e = t.rest.PushFront(&talk{address: address, last: now})
		t.with[address] = e
	}
	t.rest.MoveToFront(e)
	w := e.Value.(*talk)
	if now.Sub(w.last) >= talkRest || now.Before(w.last) {
		w.n, w.ended = 0, time.Time{}
	}
	w.last = now
	return w
}

// Fresh notes that an address is told a verdict, and tells whether it was not told before in
// this exchange.
func (t *Talks) Fresh(address string, now time.Time, verdict string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	w := t.hear(address, now)
	if slices.Contains(w.said, verdict) {
		return false
	}
	w.said = append(w.said, verdict)
	if n := len(w.said) - mostSaid; n > 0 {
		w.said = slices.Delete(w.said, 0, n)
	}
	return true
}

func (t *Talks) drop(e *list.Element) {
	delete(t.with, t.rest.Remove(e).(*talk).address)
}

// Forget begins another exchange.
func (t *Talks) Forget(address string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if e := t.with[address]; e != nil {
		t.drop(e)
	}
}

// Begin begins another exchange with whoever writes from an address.
func (t *Talks) Begin(address string) {
	t.Forget(address)
	t.Forget(Keyless + address)
}
