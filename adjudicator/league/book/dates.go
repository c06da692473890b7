package book

import (
	"errors"
	"fmt"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league/season"
)

// Dates are when a season goes on by itself.
type Dates struct {
	Close time.Time `json:"close,omitzero"` // entries are closed; zero: at Start at the latest
	Start time.Time `json:"start,omitzero"` // play begins; zero: when a secretary begins it
}

// A Step is what follows at a date.
type Step string

// The steps.
const (
	StepClose Step = "close" // the list of entries is closed
	StepStart Step = "start" // the divisions are drawn and play begins
)

// NextDate gives the next step that a date brings, and the date; "": none does.
func (b *Book) NextDate() (Step, time.Time) {
	switch {
	case b.Season == nil:
	case b.Season.Phase == season.Entering && !b.Dates.Close.IsZero():
		return StepClose, b.Dates.Close
	case b.Season.Phase == season.Entering && !b.Dates.Start.IsZero():
		return StepClose, b.Dates.Start
	case b.Season.Phase == season.Dividing && !b.Dates.Start.IsZero():
		return StepStart, b.Dates.Start
	}
	return "", time.Time{}
}

// Postponed gives a season other dates.
type Postponed struct {
	Dates
	By     string    `json:"by,omitempty"` // who did it; in the private part of the entry, like the next
	Reason string    `json:"reason,omitempty"`
	At     time.Time `json:"-"`
}

func (Postponed) kind() string { return "postponed" }

func (in Postponed) happen(b *Book) error {
	if err := b.during(season.Entering, season.Dividing); err != nil {
		return err
	}
	switch {
	case !in.Start.After(in.At), !in.Close.IsZero() && !in.Close.After(in.At):
		return game.Refuse("league.postpone.past")
	case in.Close.After(in.Start):
		return errors.New("entries must be closed before play begins")
	case b.Season.Phase == season.Dividing && !in.Close.IsZero():
		return errors.New("the list of entries is closed already")
	}
	b.Dates = in.Dates
	return nil
}

// Dropped is that a date has come and its step could not be made: it is a secretary's from then on.
type Dropped struct {
	Step Step `json:"step"`
}

func (Dropped) kind() string { return "dropped" }

func (in Dropped) happen(b *Book) error {
	step, at := b.NextDate()
	if step == "" || step != in.Step {
		return fmt.Errorf("there is no date to %s", in.Step)
	}
	if at.Equal(b.Dates.Close) {
		b.Dates.Close = time.Time{}
	}
	if at.Equal(b.Dates.Start) {
		b.Dates.Start = time.Time{}
	}
	return nil
}
