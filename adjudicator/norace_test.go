//go:build !race

package adjudicator

import (
	"flag"
	"testing"
)

// raceEnabled tells that the tests run an order of magnitude slower.
const raceEnabled = false

// unraced is how many of several ways to the same end a test tries: without the race detector
// all of them.
func unraced(all int) int { return all }

// withoutRace leaves a long test to the run without the race detector: one step after the other,
// with nothing begun side by side but what many short tests begin, too.
func withoutRace(*testing.T) {}

// Without full samples properties are drawn fewer times, unless the command line says how often.
func init() {
	if fullSamples {
		return
	}
	if err := flag.Set("rapid.checks", "30"); err != nil {
		panic(err)
	}
}
