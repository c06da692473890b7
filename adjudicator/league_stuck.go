package adjudicator

import (
	"errors"
	"slices"
	"strings"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/store"
)

// A league has many games, and one of them may be such that this program can't read it: it was made by a ruleset that is gone, or its
// record is damaged. What its league wants of it waits; the other games, the tables and the letters do not.

// stuckAgain is when a league looks again at games that it could not look at.
const stuckAgain = 10 * time.Minute

// lasts tells whether an error lies in what is kept of a game, so that nobody gains by waiting. Any other may be over in a moment,
// and whoever meets it must begin anew.
func lasts(err error) bool {
	return errors.Is(err, game.ErrUnfit) || errors.Is(err, game.ErrPanic) || errors.Is(err, ErrNoGame)
}

// stuckGames is the error of a step of a league that was done for all games but these.
type stuckGames struct {
	games []string
	errs  []error
}

// Error names what is wrong with each of them.
func (s *stuckGames) Error() string { return errors.Join(s.errs...).Error() }

// Unwrap gives what is wrong with each of them.
func (s *stuckGames) Unwrap() []error { return s.errs }

// add notes a game that can't be read. It reports false, and notes nothing, for an error that may pass.
func (s *stuckGames) add(id string, err error) bool {
	if !lasts(err) {
		return false
	}
	s.games, s.errs = append(s.games, id), append(s.errs, err)
	return true
}

// take notes the games that a step has noted. It reports false for an error that is not of such a step.
func (s *stuckGames) take(err error) bool {
	var step *stuckGames
	if !errors.As(err, &step) {
		return false
	}
	s.games, s.errs = append(s.games, step.games...), append(s.errs, step.errs...)
	return true
}

// orNil is the error; nil if no game is stuck.
func (s *stuckGames) orNil() error {
	if len(s.games) == 0 {
		return nil
	}
	return s
}

// eachGame does something for each of some games. One that is stuck keeps the others from nothing: then the error is a
// [stuckGames]. Any other error ends it.
func eachGame(games []string, do func(i int, id string) error) error {
	var s stuckGames
	for i, id := range games {
		if err := do(i, id); err != nil && !s.add(id, err) {
			return err
		}
	}
	return s.orNil()
}

// wakes is when a league wakes that would do so at another time but for its games that are stuck: they are looked at again in a
// while, and not at once.
func (s *stuckGames) wakes(at, now time.Time) time.Time {
	if again := now.Add(stuckAgain); len(s.games) > 0 && (!at.After(now) || again.Before(at)) { // zero: nothing else is due
		return again
	}
	return at
}

// cameIn tells whether under a name that begins with the prefix something is kept that came in meanwhile: it is about no game that
// is stuck. What follows the prefix begins with the game.
func (s *stuckGames) cameIn(tx store.Reader, prefix string) (bool, error) {
	err := tx.Values(prefix, func(name string, _ []byte) error {
		id, _, _ := strings.Cut(strings.TrimPrefix(name, prefix), " ")
		if slices.Contains(s.games, id) {
			return nil
		}
		return errEnough
	})
	if errors.Is(err, errEnough) {
		return true, nil
	}
	return false, err
}
