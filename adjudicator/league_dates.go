package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league"
	"berthier/adjudicator/league/book"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/store"
	"berthier/adjudicator/timing"
	"berthier/orders/phrase"
)

// stepAnnounce is that the next season is announced, and entries are taken for it.
const stepAnnounce book.Step = "announce"

// datesOf gives the dates of a season that is announced now. A date that has passed brings nothing.
func datesOf(s *league.Setup, number int, now time.Time) (d book.Dates) {
	zone := timing.Zone(s.Zone)
	switch {
	case number == 1:
		d.Close, d.Start = s.Seasons.First(zone)
	case s.Seasons.Pause > 0:
		d.Close, d.Start = s.Seasons.Next(now, zone)
	}
	for _, at := range []*time.Time{&d.Close, &d.Start} {
		if !at.After(now) {
			*at = time.Time{}
		}
	}
	return d
}

// dates does what the dates of a season bring: entries are closed, play begins, and after a season the next one is
// announced. Each of these is one change; wherever the office dies, it goes on from there.
func (l steward) dates(ctx context.Context, id string) error {
	for {
		step, err := l.dueStep(id)
		if err != nil || step == "" {
			return err
		}
		if err := l.step(ctx, id, step); err != nil {
			return fmt.Errorf("league %s: %s by its date: %w", id, step, err)
		}
	}
}

// dueStep gives the step that is due; "": none is.
func (l steward) dueStep(id string) (due book.Step, err error) {
	now, _, err := leagueClock{l.office}.now()
	if err != nil {
		return "", err
	}
	err = l.look(id, func(b *openBook) error {
		step, at := b.NextDate()
		if step != "" && !at.After(now) {
			due = step
			return nil
		}
		s, err := l.setupOf(b)
		if err == nil && b.Season != nil && b.Season.Phase == season.Closed && s.Seasons.Pause > 0 {
			due = stepAnnounce
		}
		return err
	})
	return due, err
}

// step makes a step. If the league refuses it its date is dropped, and the secretaries are told why.
func (l steward) step(ctx context.Context, id string, step book.Step) error {
	err := l.act(ctx, id, "office", "", store.Change{}, func(t *leagueTurn) error {
		if due, err := l.stillDue(t, step); err != nil || !due {
			return err
		}
		switch step {
		case stepAnnounce:
			return seasonDates{t}.announceNext()
		case book.StepClose:
			return seasonDates{t}.closeByDate()
		}
		if err := t.begin(); err != nil {
			return err
		}
		return t.tellSecretaries(phrase.Say("league.dates.begun", phrase.Literal("league", t.League), phrase.Literal("season", t.Season.Plan.Season)))
	})
	var refused *game.RefusedError
	if step == stepAnnounce || !errors.As(err, &refused) {
		return err
	}
	return l.act(ctx, id, "office", "", store.Change{}, func(t *leagueTurn) error {
		if due, err := l.stillDue(t, step); err != nil || !due {
			return err
		}
		if err := t.Do(book.Dropped{Step: step}); err != nil {
			return err
		}
		lines := []phrase.Phrase{phrase.Say("league.dates.not-"+string(step), phrase.Literal("league", t.League), phrase.Within("why", refused.Why))}
		if _, at := t.NextDate(); !at.IsZero() {
			lines = append(lines, phrase.Say("league.dates.again", phrase.Literal("day", seasonDates{t}.day(at))))
		} else {
			lines = append(lines, phrase.Say("league.dates.postpone"))
		}
		return t.tellSecretaries(lines...)
	})
}

// stillDue tells whether a step is due as the league stands now: a secretary may have been quicker.
func (l steward) stillDue(t *leagueTurn, step book.Step) (bool, error) {
	if step == stepAnnounce {
		return t.Season != nil && t.Season.Phase == season.Closed, nil
	}
	now, _, err := leagueClock{l.office}.now()
	next, at := t.NextDate()
	return next == step && !at.After(now), err
}

// seasonDates is what the dates of a season bring in a turn of its league.
type seasonDates struct{ *leagueTurn }

// announceNext announces the season after one that is closed, and takes entries. Who took part in that one is told.
func (t seasonDates) announceNext() error {
	var members []string
	for _, e := range t.Season.Entries {
		if !e.Withdrawn && !t.Resting[e.Member] {
			members = append(members, e.Member)
		}
	}
	if err := t.announce(); err != nil {
		return err
	}
	if err := t.Do(book.Opened{}); err != nil {
		return err
	}
	lines := []phrase.Phrase{
		phrase.Say("league.dates.announced", phrase.Literal("league", t.League), phrase.Literal("season", t.Season.Plan.Season),
			phrase.Literal("until", t.lastDay(t.Dates.Close)), phrase.Literal("start", t.day(t.Dates.Start))),
		phrase.Say("league.lots", phrase.Literal("commitment", t.Season.Commitment)),
	}
	for _, m := range members {
		if err := t.tell(m, lines...); err != nil {
			return err
		}
	}
	return t.tellSecretaries(lines...)
}

// closeList closes the list of entries, if a season can be drawn from it: nobody could open it again.
func (t seasonDates) closeList() error {
	if t.Season != nil && t.Season.Phase == season.Entering && !t.Opened {
		return game.Refuse("league.not-open")
	}
	if err := t.Do(book.Closed{}); err != nil {
		return err
	}
	_, err := t.Draw()
	return err
}

// closeByDate closes the list of entries, if a season can be drawn from it.
func (t seasonDates) closeByDate() error {
	asked := t.Asked
	if err := t.closeList(); err != nil {
		return err
	}
	lines := []phrase.Phrase{phrase.Say("league.dates.closed", phrase.Literal("league", t.League), phrase.Number("members", len(t.Season.Waiting())), phrase.Literal("list", t.Season.List.String()))}
	if !t.Dates.Start.IsZero() {
		lines = append(lines, phrase.Say("league.dates.start", phrase.Literal("day", t.day(t.Dates.Start))))
	}
	if len(asked) > 0 {
		lines = append(lines, phrase.Say("league.dates.asked", phrase.Literals("ids", asked)))
	}
	return t.tellSecretaries(lines...)
}

// postpone moves the first day of a season, and the last day of its entries by as much.
func (t seasonDates) postpone(to time.Time, by, reason string) error {
	s, err := t.setupOf(t.openBook)
	if err != nil {
		return err
	}
	d := book.Dates{Start: time.Date(to.Year(), to.Month(), to.Day(), 0, 0, 0, 0, timing.Zone(s.Zone))}
	if t.Season != nil && t.Season.Phase == season.Entering {
		if d.Close = s.Seasons.Closes(d.Start); !d.Close.After(t.office.now()) {
			d.Close = time.Time{} // entries stay open until it begins
		}
	}
	if err := t.Do(book.Postponed{Dates: d, By: by, Reason: reason}); err != nil {
		return err
	}
	return t.tellAll(phrase.Say("league.dates.postponed", phrase.Literal("league", t.League), phrase.Literal("day", t.day(d.Start))))
}

// day writes the day of a moment by the league's clock.
func (t seasonDates) day(at time.Time) string {
	zone := time.UTC
	if s, err := t.setupOf(t.openBook); err == nil {
		zone = timing.Zone(s.Zone)
	}
	return at.In(zone).Format(time.DateOnly)
}

// lastDay writes the last day before a moment.
func (t seasonDates) lastDay(at time.Time) string { return t.day(at.Add(-time.Second)) }

// tellSecretaries tells the secretaries something about the league.
func (t *leagueTurn) tellSecretaries(lines ...phrase.Phrase) error {
	s, err := t.setupOf(t.openBook)
	if err != nil {
		return err
	}
	for _, address := range s.Secretaries {
		if err := t.tellAddress(address, lines...); err != nil {
			return err
		}
	}
	return nil
}
