//go:build !race

package adjudicator

// raceEnabled tells that the tests run an order of magnitude slower.
const raceEnabled = false

// unraced is how many of several ways to the same end a test tries: without the race detector
// all of them.
func unraced(all int) int { return all }
