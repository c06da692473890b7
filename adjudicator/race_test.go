//go:build race

package adjudicator

import "flag"

// raceEnabled tells that the tests run an order of magnitude slower.
const raceEnabled = true

// unraced is how many of several ways to the same end a test tries: with the race detector
// one, since goroutines meet in the same places on each of them. The run without the race
// detector tries all.
func unraced(int) int { return 1 }

// Properties are drawn fewer times, unless the command line says how often.
func init() {
	if err := flag.Set("rapid.checks", "10"); err != nil {
		panic(err)
	}
}
