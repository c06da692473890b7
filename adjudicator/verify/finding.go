package verify

import (
	"fmt"
	"slices"
)

// A Verdict is the result of verifying a game in one word.
type Verdict int

// The verdicts, from the best to the worst.
const (
	// Holds: everything was checked, and all of it fits.
	Holds Verdict = iota
	// Unproven: nothing contradicts the log, but not everything could be checked, or the
	// game would have gone differently under today's rules.
	Unproven
	// Broken: something does not fit, and no honest office can have written it.
	Broken
)

// A Check is one thing that was checked when a game was verified.
type Check struct {
	What  string   // what was checked, in a few words
	Count int      // of how many things
	Wrong []string // what does not fit, each with its place; empty: all is well
	// Lost are letters from a time that a restore has lost: neither right nor wrong,
	// since an office that cheats could claim a restore.
	Lost []string `json:",omitempty"`
}

// Verified is the result of verifying a game.
type Verified struct {
	Game   string
	League bool `json:",omitempty"` // it is a league that was verified, by its id
	Checks []Check
	// Differ names the stops that today's rules would resolve differently from the
	// rules of that day. That is no fraud: a resolved stop is never resolved
	// again behind the players' backs. But it is worth knowing.
	Differ []string
	// Unchecked names what could not be checked, and why.
	Unchecked []string
	// Notes are what a reader should know of a game that holds.
	Notes []string
}

// Sound tells whether nothing is wrong.
func (v *Verified) Sound() bool {
	return !slices.ContainsFunc(v.Checks, func(c Check) bool { return len(c.Wrong) > 0 })
}

// Lost tells whether something belongs to a time that a restore has lost: then it can't be
// said that the game holds.
func (v *Verified) Lost() bool {
	return slices.ContainsFunc(v.Checks, func(c Check) bool { return len(c.Lost) > 0 })
}

// Verdict gives the result in one word.
func (v *Verified) Verdict() Verdict {
	switch {
	case !v.Sound():
		return Broken
	case len(v.Differ)+len(v.Unchecked) > 0 || v.Lost():
		return Unproven
	}
	return Holds
}

// Otherwise tells what comes out otherwise than the log has it, the first of it, when the game is played again by the rules
// of this program; "": nothing does.
func (v *Verified) Otherwise() string {
	for _, c := range v.Checks {
		if len(c.Wrong) > 0 {
			return c.Wrong[0]
		}
	}
	if len(v.Differ) > 0 {
		return v.Differ[0]
	}
	return ""
}

// Stops counts the stops that were played again.
func (v *Verified) Stops() (n int) {
	for _, c := range v.Checks {
		if c.What == whatStops {
			n += c.Count
		}
	}
	return n
}

func (c *Check) fault(format string, args ...any) {
	c.Wrong = append(c.Wrong, fmt.Sprintf(format, args...))
}

// unchecked notes, once, what could not be checked.
func (v *Verified) unchecked(format string, args ...any) {
	if why := fmt.Sprintf(format, args...); !slices.Contains(v.Unchecked, why) {
		v.Unchecked = append(v.Unchecked, why)
	}
}
