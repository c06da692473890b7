package tally

import (
	"bytes"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// A Limiter allows so many events of a kind in a period.
type Limiter struct {
	most   int
	per    time.Duration
	digest func(kind string) key

	mu      sync.Mutex
	own     map[key]*window
	others  map[string]map[key]window // by member
	changed atomic.Uint64
}

// A window is a period in which something is counted.
type window struct {
	Start time.Time `json:"start"`
	N     int       `json:"n"`
	Told  bool      `json:"told,omitempty"` // that the limit was reached
}

func newLimiter(most int, per time.Duration, digest func(string) key) *Limiter {
	return &Limiter{most: most, per: per, digest: digest, own: map[key]*window{}, others: map[string]map[key]window{}}
}

// Allow counts an event of a kind and tells whether it is within the limit of the period. The
// weight says how many events it counts for.
func (l *Limiter) Allow(kind string, now time.Time, weight int) bool {
	may, _ := l.allow(kind, now, weight)
	return may
}

func (l *Limiter) allow(kind string, now time.Time, weight int) (may bool, back func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	w, others, _, counted := l.count(kind, now, weight)
	return w.N+others <= l.most, func() { l.uncount(w, counted, false) }
}

// reached counts an event of a kind, and tells whether the limit of its period is reached with it. It does
// so once in the period.
func (l *Limiter) reached(kind string, now time.Time) (reached bool, back func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	w, others, told, counted := l.count(kind, now, 1)
	if reached = w.N+others >= l.most && !told; reached {
		w.Told = true
		l.changed.Add(1)
	}
	return reached, func() { l.uncount(w, counted, reached) }
}

// uncount takes back what was counted in a period, and that the limit was told, if it was told with it.
func (l *Limiter) uncount(w *window, n int, told bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	w.N -= n
	w.Told = w.Told && !told
	l.changed.Add(1)
}

// Room is how much more is allowed of a kind in the present period.
func (l *Limiter) Room(kind string, now time.Time) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	k := l.digest(kind)
	n, _, _ := l.elsewhere(k, now)
	if w := l.own[k]; w != nil && l.runs(*w, now) {
		n += w.N
	}
	return l.most - n
}

// count counts an event, and gives the period, how much others have counted in it, whether anybody was told, and what was
// counted. Beyond the limit nothing is counted any more: it would change nothing.
func (l *Limiter) count(kind string, now time.Time, weight int) (w *window, others int, told bool, counted int) {
	k := l.digest(kind)
	others, since, told := l.elsewhere(k, now)
	w = l.own[k]
	if w == nil || !l.runs(*w, now) {
		if w == nil && len(l.own) >= Most {
			l.makeRoom(now)
		}
		w = &window{Start: now}
		if !since.IsZero() && since.Before(now) {
			w.Start = since // the period that another member has begun goes on
		}
		l.own[k] = w
	}
	if counted = min(w.N+weight, l.most+1) - w.N; counted != 0 {
		w.N += counted
		l.changed.Add(1)
	}
	return w, others, told || w.Told, counted
}

// elsewhere gives what other members have counted of a kind in periods that still run, when the first of these began, and whether
// one of them has told that the limit is reached.
func (l *Limiter) elsewhere(k key, now time.Time) (n int, since time.Time, told bool) {
	for _, of := range l.others {
		w, ok := of[k]
		if !ok || !l.runs(w, now) {
			continue
		}
		if n += w.N; since.IsZero() || w.Start.Before(since) {
			since = w.Start
		}
		told = told || w.Told
	}
	return n, since, told
}

// runs tells whether a period still runs.
func (l *Limiter) runs(w window, now time.Time) bool {
	ago := now.Sub(w.Start)
	return ago < l.per && ago >= -Skew
}

// makeRoom forgets what is over, and then those that have come least far. Whoever writes under many addresses thus
// pushes nobody out who has reached a limit.
func (l *Limiter) makeRoom(now time.Time) {
	maps.DeleteFunc(l.own, func(_ key, w *window) bool { return !l.runs(*w, now) })
	if len(l.own) < Most {
		return
	}
	for _, k := range l.furthest()[Most/2:] {
		delete(l.own, k)
	}
}

// furthest lists what this member has counted; what has come furthest comes first.
func (l *Limiter) furthest() []key {
	return slices.SortedFunc(maps.Keys(l.own), func(a, b key) int {
		if n := l.own[b].N - l.own[a].N; n != 0 {
			return n
		}
		return bytes.Compare(a[:], b[:])
	})
}

// page gives what this member writes down.
func (l *Limiter) page(now time.Time) map[key]window {
	l.mu.Lock()
	defer l.mu.Unlock()
	maps.DeleteFunc(l.own, func(_ key, w *window) bool { return !l.runs(*w, now) })
	all := l.furthest()
	p := map[key]window{}
	for _, k := range all[:min(len(all), MostWritten)] {
		p[k] = *l.own[k]
	}
	return p
}

func (l *Limiter) hear(member string, p map[key]window) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.others[member] = p; len(p) == 0 {
		delete(l.others, member)
	}
}

func (l *Limiter) restore(p map[key]window) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for k, w := range p {
		l.own[k] = &w
	}
}
