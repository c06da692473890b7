//go:build race

package adjudicator

import "flag"

// raceEnabled tells that the tests run an order of magnitude slower.
const raceEnabled = true

// unraced is how many of so many ways to go the same road a test goes: with the race detector
// one, since the roads that goroutines may cross are the same; the run without it goes all.
func unraced(int) int { return 1 }

// Properties are drawn fewer times, unless the command line says how often.
func init() {
	if err := flag.Set("rapid.checks", "10"); err != nil {
		panic(err)
	}
}
