package adjudicator

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"berthier/adjudicator/store"
)

// leaguesHeld is the name of the value of the store that says up to when leagues are held back.
const leaguesHeld = "leagues-held"

// A leagueHold holds back what time brings in leagues, after the office was down or its clock has jumped, as the defaults
// of games are held back: nobody is late whose letters lie in the mailbox, and a wrong clock closes no season.
type leagueHold struct {
	Since time.Time `json:"since"` // the last moment at which all was well: it lasts
	Until time.Time `json:"until"`
}

// A leagueClock is the clock by which leagues go on.
type leagueClock struct{ office *Office }

// hold reads the hold that is in force; both its moments are zero if none is.
func (l leagueClock) hold() (h leagueHold, err error) {
	var data []byte
	if err := l.office.read(func(tx store.Reader) error { data = tx.Value(leaguesHeld); return nil }); err != nil || data == nil {
		return h, err
	}
	if err := json.Unmarshal(data, &h); err != nil {
		return h, fmt.Errorf("read hold of leagues: %w", err)
	}
	if !l.office.now().Before(h.Until) {
		return leagueHold{}, nil
	}
	return h, nil
}

// now is the moment up to which time brings something about in leagues: up to which all letters have been read,
// or at which the office was last well. held is until when it stands still; zero: it goes.
func (l leagueClock) now() (now, held time.Time, err error) {
	now = l.office.watch.until(l.office.now())
	h, err := l.hold()
	if h.Since.IsZero() || !h.Since.Before(now) {
		return now, time.Time{}, err
	}
	return h.Since, h.Until, err
}

// holdBack holds all leagues back, for as long as defaults of games are, since a moment. It wakes them: after a clock
// that was wrong they must look at their dates again.
func (l leagueClock) holdBack(ctx context.Context, since, now time.Time) error {
	ids, err := leagues(l).all()
	if err != nil || len(ids) == 0 {
		return err
	}
	return store.Again(ctx, func() error {
		h, err := l.hold()
		if err != nil {
			return err
		}
		if h.Since.IsZero() || since.Before(h.Since) {
			h.Since = since
		}
		if now.Before(h.Since) {
			h.Since = now
		}
		h.Until = now.Add(l.office.opt.Grace)
		data, err := json.Marshal(h)
		if err != nil {
			return fmt.Errorf("write hold of leagues: %w", err)
		}
		c := store.Change{Wake: map[string]time.Time{}}
		v, err := c.ValueOf(ctx, l.office.store, leaguesHeld)
		if err != nil {
			return err
		}
		v.Data = data
		c.PutValue(leaguesHeld, v)
		for _, id := range ids {
			c.Wake[leaguePrefix+id] = now
		}
		return l.office.store.Commit(ctx, c)
	})
}
