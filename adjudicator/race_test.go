//go:build race

package adjudicator

import (
	"flag"
	"testing"
)

// raceEnabled tells that the tests run an order of magnitude slower.
const raceEnabled = true

// unraced is how many of several ways to the same end a test tries: with the race detector
// one, since goroutines meet in the same places on each of them. The run without the race
// detector tries all.
func unraced(int) int { return 1 }

// withoutRace leaves a long test to the run without the race detector: one step after the other,
// with nothing begun side by side but what many short tests begin, too.
func withoutRace(t *testing.T) {
	t.Skip("one step after the other: the run without the race detector takes them")
}

// Properties are drawn fewer times, unless the command line says how often.
func init() {
	if err := flag.Set("rapid.checks", "10"); err != nil {
		panic(err)
	}
}
