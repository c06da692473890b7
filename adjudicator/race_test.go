//go:build race

package adjudicator

import "flag"

// raceEnabled tells that the tests run an order of magnitude slower.
const raceEnabled = true

// Properties are drawn fewer times, unless the command line says how often.
func init() {
	if err := flag.Set("rapid.checks", "10"); err != nil {
		panic(err)
	}
}
