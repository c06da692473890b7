package season

import (
	"slices"
	"time"
)

// What a secretary has done is taken back by acts of their own: nothing of the season is as if it had not been, but what he
// has done no longer holds from then on.

// TakenOut says that a secretary has withdrawn a member. He may take that back.
type TakenOut struct{ Member string }

func (a TakenOut) apply(s *Season) error {
	if err := s.Apply(Withdrew(a)); err != nil {
		return err
	}
	s.entry(a.Member).TakenOut = true
	return nil
}

// Reinstated says that a member takes part again whom a secretary has taken out. His results count again as they are. Where the list of
// entries was closed without him he waits for a place.
type Reinstated struct{ Member string }

func (a Reinstated) apply(s *Season) error {
	if err := s.in(Entering, Dividing, Running); err != nil {
		return err
	}
	e := s.entry(a.Member)
	if e == nil || !e.Withdrawn || !e.TakenOut {
		return &DecisionError{Why: "not-taken-out", Member: a.Member}
	}
	e.Withdrawn, e.TakenOut, e.Fate = false, false, ""
	return nil
}

// Curtailed says that the season's time ends again when it did before a secretary last extended it; if that moment has
// passed, at once.
type Curtailed struct {
	By string
	At time.Time `json:"-"`
}

func (a Curtailed) apply(s *Season) error {
	if err := s.in(Running); err != nil {
		return err
	}
	n := len(s.Untils)
	if n == 0 || s.TimeUp(a.At) {
		return &DecisionError{Why: "not-extended"}
	}
	was := s.Untils[n-1]
	if was.Before(a.At) {
		was = a.At
	}
	s.Until, s.Untils = was, slices.Clone(s.Untils[:n-1])
	return nil
}

// Unprolonged says that a game has no more time than its season again.
type Unprolonged struct {
	Game string
	By   string
}

func (a Unprolonged) apply(s *Season) error {
	_, g, err := running(s, a.Game, a.By)
	switch {
	case err != nil:
		return err
	case g.Until.IsZero():
		return &DecisionError{Why: "not-prolonged", Game: a.Game}
	}
	g.Until, g.Turn, g.Last = time.Time{}, 0, 0
	return nil
}
