// Package tally counts what guards an office against programs that answer everything, and against
// strangers: how many answers an address got in an hour, how long an exchange has gone on in which nothing
// new is said, how many keys did not fit.
//
// An office may have several members, each of which counts what it takes in itself. What one has counted it
// writes down ([Tally.Pack]) for the others, who add it to their own counts ([Tally.Hear]), and for the
// process that comes after it ([Tally.Restore]). So a limit holds for the office and not for a process. Two
// members know nothing of what the other one has counted since it last wrote.
//
// Whom a count is about is not written down: only a digest is, which nobody can make who lacks the secret of
// the office.
package tally

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"sync"
	"time"
)

// AnswerWeight is how much an answer to a player counts, and GMWeight how much one to a
// game master counts, towards the limit of answers in an hour.
const (
	AnswerWeight = 5
	GMWeight     = 1
)

// Keyless is the prefix under which answers to letters without the right key are counted
// apart: somebody who forges an address must not use up the answers of its owner.
const Keyless = "without key: "

// Most bounds how many counts of one kind a member holds in memory, and MostWritten how many of them it writes
// down. If there are more, those that have come furthest are kept: they are the ones that matter.
const (
	Most        = 10_000
	MostWritten = 1_000
)

// Skew is by how much the clocks of two members may differ, so that a count of one is still understood by the other.
const Skew = time.Minute

// Limits are those of an office.
type Limits struct {
	Answers int // weight of the answers to one address in an hour
	Tries   int // drafts tried out for one seat in an hour
	Guesses int // keys that don't fit from one address until somebody is told
	Period  time.Duration
}

// A Tally is everything that a member of an office counts.
type Tally struct {
	Answers *Limiter
	Tries   *Limiter
	Guesses *Limiter // counted for [Limits.Period]
	Talks   *Talks

	mu     sync.Mutex
	kept   uint64    // the changes that were written down
	lapses time.Time // when nothing of what was written down counts any more; zero: nothing was
}

// New counts nothing yet. Derive makes a digest from the secret of the office.
func New(limits Limits, derive func(purpose string, parts ...string) []byte) *Tally {
	of := func(purpose string) func(string) key {
		return func(whom string) key { return key(derive("count "+purpose, whom)[:keySize]) }
	}
	return &Tally{
		Answers: newLimiter(limits.Answers, time.Hour, of("answers")),
		Tries:   newLimiter(limits.Tries, time.Hour, of("tries")),
		Guesses: newLimiter(limits.Guesses, limits.Period, of("guesses")),
		Talks:   newTalks(LongestTalk*limits.Answers, of("talks")),
	}
}

// keySize is how much of a digest tells whom a count is about.
const keySize = 12

// A key tells whom a count is about.
type key [keySize]byte

// MarshalText implements [encoding.TextMarshaler].
func (k key) MarshalText() ([]byte, error) {
	return base64.RawURLEncoding.AppendEncode(nil, k[:]), nil
}

// UnmarshalText implements [encoding.TextUnmarshaler].
func (k *key) UnmarshalText(text []byte) error {
	data, err := base64.RawURLEncoding.AppendDecode(nil, text)
	if err == nil && len(data) != keySize {
		err = fmt.Errorf("%d bytes are no key of a count", len(data))
	}
	if err == nil {
		*k = key(data)
	}
	return err
}

// A page is what a member writes down.
type page struct {
	Answers map[key]window `json:"answers,omitempty"`
	Tries   map[key]window `json:"tries,omitempty"`
	Guesses map[key]window `json:"guesses,omitempty"`
	Talks   map[key]talk   `json:"talks,omitempty"`
}

// changes counts how often something has changed that the others should know.
func (t *Tally) changes() uint64 {
	return t.Answers.changed.Load() + t.Tries.changed.Load() + t.Guesses.changed.Load() + t.Talks.changed.Load()
}

// Pack gives what this member writes down, and whether that differs from what it wrote before. Nil data: there is
// nothing that anybody needs to know. Kept is called when it was written.
func (t *Tally) Pack(now time.Time) (data []byte, kept func(), differs bool, err error) {
	n := t.changes() // what changes after this is written the next time
	t.mu.Lock()
	differs = n != t.kept || !t.lapses.IsZero() && !now.Before(t.lapses)
	t.mu.Unlock()
	if !differs {
		return nil, nil, false, nil
	}
	p := page{Answers: t.Answers.page(now), Tries: t.Tries.page(now), Guesses: t.Guesses.page(now), Talks: t.Talks.page(now)}
	lapses := t.lapsing(p)
	if !lapses.IsZero() {
		if data, err = json.Marshal(p); err != nil {
			return nil, nil, false, fmt.Errorf("write counts: %w", err)
		}
	}
	return data, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.kept, t.lapses = n, lapses
	}, true, nil
}

// lapsing tells when nothing of a page counts any more; zero if there is nothing on it.
func (t *Tally) lapsing(p page) (last time.Time) {
	for _, l := range []struct {
		of  *Limiter
		all map[key]window
	}{{t.Answers, p.Answers}, {t.Tries, p.Tries}, {t.Guesses, p.Guesses}} {
		for _, w := range l.all {
			last = later(last, w.Start.Add(l.of.per))
		}
	}
	for _, w := range p.Talks {
		last = later(last, w.Last.Add(talkRest))
	}
	return last
}

// Hear takes up what another member has written down, in place of what it wrote before; nil: nothing. It tells when
// nothing of that counts any more.
func (t *Tally) Hear(member string, data []byte) (lapses time.Time, err error) {
	p, err := read(data)
	t.Answers.hear(member, p.Answers)
	t.Tries.hear(member, p.Tries)
	t.Guesses.hear(member, p.Guesses)
	t.Talks.hear(member, p.Talks)
	return t.lapsing(p), err
}

// Restore goes on from what this member wrote down before it began anew.
func (t *Tally) Restore(data []byte) error {
	p, err := read(data)
	t.Answers.restore(p.Answers)
	t.Tries.restore(p.Tries)
	t.Guesses.restore(p.Guesses)
	t.Talks.restore(p.Talks)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept, t.lapses = t.changes(), t.lapsing(p)
	return err
}

// read reads a page. What can't be read counts nothing.
func read(data []byte) (p page, err error) {
	if data == nil {
		return p, nil
	}
	if err := json.Unmarshal(data, &p); err != nil {
		return page{}, fmt.Errorf("read counts: %w", err)
	}
	return p, nil
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
