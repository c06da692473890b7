package adjudicator

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"berthier/adjudicator/report"
	"berthier/adjudicator/store"
	"berthier/adjudicator/tally"
)

// What is counted against loops and strangers outlives the process that counts it, and each member of an office
// knows what the others have counted. A member writes its counts with its sign of life, so that no
// letter costs a write more. An office that has its store for itself writes them once a minute, if there
// is something new, and when it ends.

// countsPrefix begins the names of the values in which members keep their counts; that of an office which has its store
// for itself has nothing behind it.
const countsPrefix = "counts/"

// countsKept is how often an office that has its store for itself writes down what it has counted.
const countsKept = time.Minute

// A counting is what an office counts, and what it knows of the counts of its other members.
type counting struct {
	*tally.Tally
	office *Office

	mu    sync.Mutex
	heard map[string]heardCounts // of others, by the names of their values
}

type heardCounts struct {
	data   []byte
	lapses time.Time // when nothing of it counts any more
}

func newCounting(o *Office) *counting {
	return &counting{office: o, heard: map[string]heardCounts{}, Tally: tally.New(tally.Limits{
		Answers: o.opt.AnswersPerHour * tally.AnswerWeight, Tries: report.MostTries, Guesses: mostGuesses, Period: guessesPer,
	}, o.keys.Derive)}
}

// own is the name of the value that holds the counts of this member.
func (k *counting) own() string { return countsPrefix + k.office.opt.Member }

// load goes on from what was counted before.
func (k *counting) load() error {
	return k.office.read(func(r store.Reader) error {
		if err := k.Restore(r.Value(k.own())); err != nil {
			k.unread(k.own(), err)
		}
		return k.hear(r)
	})
}

// unread notes that counts can't be read: no letter waits for that, and they begin anew.
func (k *counting) unread(name string, err error) {
	k.office.log.Warn("counts can't be read, and begin anew", "of", strings.TrimPrefix(name, countsPrefix), "error", err)
}

// hear takes up what the other members have counted.
func (k *counting) hear(r store.Reader) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	there := map[string]bool{}
	err := r.Values(countsPrefix, func(name string, data []byte) error {
		if name == k.own() {
			return nil
		}
		there[name] = true
		if was, ok := k.heard[name]; ok && bytes.Equal(was.data, data) {
			return nil
		}
		lapses, err := k.Hear(name, data)
		if err != nil {
			k.unread(name, err)
		}
		k.heard[name] = heardCounts{bytes.Clone(data), lapses}
		return nil
	})
	for name := range k.heard {
		if !there[name] && err == nil {
			_, _ = k.Hear(name, nil) // nothing can always be read
			delete(k.heard, name)
		}
	}
	return err
}

// with takes up what the others have counted, and puts into a change what this member has counted, if that is new. Done is called
// when the change is written. The leader removes what nobody needs any more of members that don't come back.
func (k *counting) with(r store.Reader, c *store.Change) (done func(), err error) {
	if err := k.hear(r); err != nil {
		return nil, err
	}
	seat, now := k.office.Seat, k.office.now()
	if seat != nil && seat.May() != nil {
		return nil, nil
	}
	if !seat.StandsBy() {
		here := map[string]bool{}
		for _, m := range seat.Members() {
			here[countsPrefix+m.Name] = true
		}
		k.mu.Lock()
		for name, h := range k.heard {
			if !here[name] && !now.Before(h.lapses) {
				c.PutValue(name, store.Value{Was: store.VersionOf(h.data)})
			}
		}
		k.mu.Unlock()
	}
	data, kept, differs, err := k.Pack(now)
	if err != nil || !differs {
		return nil, err
	}
	was := c.ValueIn(r, k.own())
	if was.Data = data; data != nil || was.Was != (store.Version{}) {
		c.PutValue(k.own(), was)
	}
	return kept, nil
}

// keep writes the counts of an office that has its store for itself, until the context ends, and then once more.
func (k *counting) keep(ctx context.Context) error {
	for ctx.Err() == nil {
		wait(ctx, countsKept, nil)
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), countsKept)
		err := store.Again(last, func() error {
			var c store.Change
			var done func()
			err := k.office.read(func(r store.Reader) (err error) { done, err = k.with(r, &c); return err })
			if err == nil && len(c.Values) > 0 {
				err = k.office.store.Commit(last, c)
			}
			if err == nil && done != nil {
				done()
			}
			return err
		})
		cancel()
		if err != nil && !errors.Is(err, store.ErrClosed) {
			k.office.log.Warn("counts of answers not kept", "error", err)
		}
	}
	return nil
}
