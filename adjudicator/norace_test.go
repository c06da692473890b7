//go:build !race

package adjudicator

// raceEnabled tells that the tests run an order of magnitude slower.
const raceEnabled = false

// unraced is how many of so many ways to go the same road a test goes: without the race
// detector all.
func unraced(all int) int { return all }
