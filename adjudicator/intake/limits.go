package intake

import (
	"maps"
	"sync"
	"time"
)

// Keyless counts answers to letters without the right key apart: whoever forges
// an address must not use up the answers of the one it belongs to.
const Keyless = "without key: "

// answerWeight is what an answer to a player counts for, and gmWeight one to a
// game master, of an hour's answers.
const (
	AnswerWeight = 5
	GMWeight     = 1
)

// A Limiter allows so many events of a kind in a time. It forgets them when
// the process ends, which costs a stranger's loop one more round.
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

// Allow counts an event of a kind and tells whether it is one of the first few
// of its time. The weight says how many it counts for.
func (l *Limiter) Allow(kind string, now time.Time, weight int) bool {
	return l.counted(kind, now, weight) <= l.most
}

// Count counts an event of a kind and tells how many there were in its time.
func (l *Limiter) Count(kind string, now time.Time) int { return l.counted(kind, now, 1) }

// Room is how much more is allowed of a kind in its time.
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
