package tally

import (
	"bytes"
	"cmp"
	"container/list"
	"encoding/base64"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// LongestTalk is for how many hours' worth of answers an exchange may go on.
const LongestTalk = 2

// talkRest is the time without a letter after which an exchange is over by itself.
const talkRest = 7 * 24 * time.Hour

// BriefFor is how long after the end of an exchange a file that says nothing new is still
// answered, in one line.
const BriefFor = 7 * 24 * time.Hour

// Talks counts, by address, the answers of exchanges in which nothing new is said.
type Talks struct {
	most   int // weight of the answers of an exchange
	digest func(address string) key

	mu      sync.Mutex
	with    map[key]*list.Element // *talk
	rest    list.List             // of all *talk, those that rest longest last
	others  map[string]map[key]talk
	changed atomic.Uint64
}

// A talk is an exchange with one address, as far as one member has it.
type talk struct {
	whom  key
	N     int       `json:"n,omitempty"`
	Last  time.Time `json:"last"`           // letter
	Ended time.Time `json:"ended,omitzero"` // when no more answers went; zero: they go
	// Since is when another exchange was begun by a letter that changed something; zero: it is the first. What
	// other members have counted in an earlier one counts no more.
	Since time.Time `json:"since,omitzero"`
	Said  []string  `json:"said,omitempty"` // marks of the verdicts that its address was told, the newest last
}

// mostSaid is how many verdicts an exchange remembers, and mostSaidWritten how many of them are written down.
const (
	mostSaid        = 64
	mostSaidWritten = 8
)

func newTalks(most int, digest func(string) key) *Talks {
	return &Talks{most: most, digest: digest, with: map[key]*list.Element{}, others: map[string]map[key]talk{}}
}

// spend counts an answer to an address, and tells whether it may go and whether it
// is the first that may not.
func (t *Talks) spend(address string, now time.Time, weight int) (may, ended bool, back func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	w, all := t.take(address, now)
	n, counted := all.N, 0
	if n <= t.most {
		counted = weight
		w.N += weight
		n += weight
	}
	may = n <= t.most
	if ended = !may && all.Ended.IsZero(); ended {
		w.Ended = now
	}
	if may || ended {
		t.changed.Add(1)
	}
	return may, ended, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		w.N = max(w.N-counted, 0) // it may have begun anew meanwhile
		if ended {
			w.Ended = time.Time{}
		}
		t.changed.Add(1)
	}
}

// Brief tells whether the exchange with an address ended so short a time ago that its files
// are answered in one line.
func (t *Talks) Brief(address string, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, all := t.take(address, now)
	return !all.Ended.IsZero() && now.Sub(all.Ended) < BriefFor
}

// fresh notes that an address is told a verdict, and tells whether it was not told before in
// this exchange.
func (t *Talks) fresh(address string, now time.Time, verdict string) (fresh bool, back func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	w, all := t.take(address, now)
	mark := t.digest("verdict " + verdict)
	said := base64.RawURLEncoding.EncodeToString(mark[:])
	if slices.Contains(all.Said, said) {
		return false, func() {}
	}
	w.Said = append(w.Said, said)
	if n := len(w.Said) - mostSaid; n > 0 {
		w.Said = slices.Delete(w.Said, 0, n)
	}
	t.changed.Add(1)
	return true, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		w.Said = slices.DeleteFunc(w.Said, func(s string) bool { return s == said })
		t.changed.Add(1)
	}
}

// Begin begins another exchange with whoever writes from an address.
func (t *Talks) Begin(address string, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, k := range []key{t.digest(address), t.digest(Keyless + address)} {
		if e := t.with[k]; e != nil {
			t.drop(e)
			t.changed.Add(1)
		}
		since, elsewhere := time.Time{}, false
		for _, o := range t.elsewhere(k, now) {
			since, elsewhere = later(since, o.Since), true
		}
		if elsewhere { // the others must learn that what they have counted is over
			since = later(now, since.Add(time.Microsecond))
			t.put(&talk{whom: k, Last: now, Since: since})
			t.changed.Add(1)
		}
	}
}

// take takes up the exchange with an address to which a letter belongs that has just come: what this member has of it,
// and the sum of what all have.
func (t *Talks) take(address string, now time.Time) (own *talk, all talk) {
	k := t.digest(address)
	e := t.with[k]
	if e == nil {
		e = t.put(&talk{whom: k, Last: now})
	}
	t.rest.MoveToFront(e)
	own = e.Value.(*talk)
	if !t.goesOn(*own, now) {
		own.N, own.Ended = 0, time.Time{}
	}
	own.Last = now
	elsewhere := t.elsewhere(k, now)
	since := own.Since
	for _, o := range elsewhere {
		since = later(since, o.Since)
	}
	if own.Since.Before(since) {
		own.N, own.Ended, own.Since, own.Said = 0, time.Time{}, since, nil
	}
	all = *own
	all.Said = slices.Clone(own.Said)
	for _, o := range elsewhere {
		if !o.Since.Equal(since) {
			continue
		}
		all.N += o.N
		all.Said = append(all.Said, o.Said...)
		if all.Ended.IsZero() || !o.Ended.IsZero() && o.Ended.Before(all.Ended) {
			all.Ended = o.Ended
		}
	}
	return own, all
}

// elsewhere gives what other members have of an exchange.
func (t *Talks) elsewhere(k key, now time.Time) (all []talk) {
	for _, of := range t.others {
		if o, ok := of[k]; ok && t.goesOn(o, now) {
			all = append(all, o)
		}
	}
	return all
}

// goesOn tells whether an exchange goes on with a letter that comes now.
func (t *Talks) goesOn(w talk, now time.Time) bool {
	ago := now.Sub(w.Last)
	return ago < talkRest && ago >= -Skew
}

// put adds an exchange. If there are too many, the one that has rested longest is forgotten.
func (t *Talks) put(w *talk) *list.Element {
	if len(t.with) >= Most {
		t.drop(t.rest.Back())
	}
	e := t.rest.PushFront(w)
	t.with[w.whom] = e
	return e
}

func (t *Talks) drop(e *list.Element) {
	delete(t.with, t.rest.Remove(e).(*talk).whom)
}

// page gives what this member writes down: that others have to begin anew, and the exchanges that have gone on longest.
func (t *Talks) page(now time.Time) map[key]talk {
	t.mu.Lock()
	defer t.mu.Unlock()
	var all []talk
	for _, e := range t.with {
		w := *e.Value.(*talk)
		if !t.goesOn(w, now) {
			continue
		}
		again := slices.ContainsFunc(t.elsewhere(w.whom, now), func(o talk) bool { return o.Since.Before(w.Since) })
		if w.N == 0 && w.Ended.IsZero() && len(w.Said) == 0 && !again {
			continue
		}
		w.Said = slices.Clone(w.Said[max(len(w.Said)-mostSaidWritten, 0):])
		all = append(all, w)
	}
	slices.SortFunc(all, func(a, b talk) int {
		return cmp.Or(b.Since.Compare(a.Since), cmp.Compare(b.N, a.N), bytes.Compare(a.whom[:], b.whom[:]))
	})
	p := map[key]talk{}
	for _, w := range all[:min(len(all), MostWritten)] {
		p[w.whom] = w
	}
	return p
}

// hear takes up what another member has. Of exchanges that it has begun anew this member's part is over.
func (t *Talks) hear(member string, p map[key]talk) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.others[member] = p; len(p) == 0 {
		delete(t.others, member)
	}
	for k, o := range p {
		if e := t.with[k]; e != nil && e.Value.(*talk).Since.Before(o.Since) {
			t.drop(e)
			t.changed.Add(1)
		}
	}
}

// restore takes up what this member had; what rests longest was written to first.
func (t *Talks) restore(p map[key]talk) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, k := range slices.SortedFunc(maps.Keys(p), func(a, b key) int { return cmp.Or(p[a].Last.Compare(p[b].Last), bytes.Compare(a[:], b[:])) }) {
		w := p[k]
		w.whom = k
		t.put(&w)
	}
}
