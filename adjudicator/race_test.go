//go:build race

package adjudicator

// raceEnabled tells that the tests run an order of magnitude slower.
const raceEnabled = true
