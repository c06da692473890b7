package pair

import (
	"fmt"
	"slices"
)

// MostPlaces is how many places above oneself one may challenge on a ladder.
const MostPlaces = 5

// A ChallengeError says why a challenge is not allowed.
type ChallengeError struct {
	Why string // not-on-ladder, himself, downwards, too-high
	Who string // of whom it is true
}

// Error implements error.
func (e *ChallengeError) Error() string { return fmt.Sprintf("challenge: %s, %s", e.Who, e.Why) }

// Challenge gives a [ChallengeError] if a member may not challenge another: he may challenge whoever
// stands at most [MostPlaces] above him. The ladder names its members from the first place down.
func Challenge(ladder []string, challenger, challenged string) error {
	from, to := slices.Index(ladder, challenger), slices.Index(ladder, challenged)
	switch {
	case from < 0:
		return &ChallengeError{"not-on-ladder", challenger}
	case to < 0:
		return &ChallengeError{"not-on-ladder", challenged}
	case from == to:
		return &ChallengeError{"himself", challenger}
	case to > from:
		return &ChallengeError{"downwards", challenged}
	case from-to > MostPlaces:
		return &ChallengeError{"too-high", challenged}
	}
	return nil
}

// Climb gives the ladder after a game: a winner who stood below goes half of the way up to
// the loser, rounded up, and those whom he passes go down by one. Nothing changes if the
// winner stood above, or if one of the two has left the ladder.
func Climb(ladder []string, winner, loser string) []string {
	from, to := slices.Index(ladder, winner), slices.Index(ladder, loser)
	ladder = slices.Clone(ladder)
	if to < 0 || from < to {
		return ladder
	}
	place := from - (from-to+1)/2
	return slices.Insert(slices.Delete(ladder, from, from+1), place, winner)
}

// RatedAgain tells whether one more game against the same opponent may be rated, when
// against of a member's rated games were with him: no more than a third of them may be. It
// is no matter while he has fewer than three.
func RatedAgain(rated, against int) bool {
	return against < 1 || rated < 3 || 3*(against+1) <= rated+1
}
