package intake

import (
	"maps"
	"sync"
	"time"
)

// Keyless is the prefix under which answers to letters without the right key are counted
// apart: somebody who forges an address must not use up the answers of its owner.
const Keyless = "without key: "

// answerWeight is how much an answer to a player counts, and gmWeight how much one to a
// game master counts, towards the limit of answers in an hour.
const (
	AnswerWeight = 5
	GMWeight     = 1
)

// A Limiter allows so many events of a kind in a period. It forgets them when
// the process ends, which only costs one more round of a stranger's loop.
type Limiter struct {
	mu   sync.Mutex
	most int
	per  time.Duration
	seen map[string]*window
}

type window struct {
	start time.Time
	n     int
}

// NewLimiter allows so many in a time.
func NewLimiter(most int, per time.Duration) *Limiter {
	return &Limiter{most: most, per: per, seen: map[string]*window{}}
}

// Allow counts an event of a kind and tells whether it is within the limit of the period. The
// weight says how many events it counts for.
func (l *Limiter) Allow(kind string, now time.Time, weight int) bool {
	return l.counted(kind, now, weight) <= l.most
}

// Count counts an event of a kind and tells how many there were in its time.
func (l *Limiter) Count(kind string, now time.Time) int { return l.counted(kind, now, 1) }

// Room is how much more is allowed of a kind in the present period.
func (l *Limiter) Room(kind string, now time.Time) int { return l.most - l.counted(kind, now, 0) }

func (l *Limiter) counted(kind string, now time.Time, weight int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	w := l.seen[kind]
	if w == nil || now.Sub(w.start) >= l.per || now.Before(w.start) {
		if len(l.seen) >= 10_000 {
			maps.DeleteFunc(l.seen, func(_ string, w *window) bool { return now.Sub(w.start) >= l.per })
			if len(l.seen) >= 10_000 {
				clear(l.seen)
			}
		}
		w = &window{start: now}
		l.seen[kind] = w
	}
	w.n += weight
	return w.n
}
