//go:build race

package waterloo

// raceEnabled tells that the tests run an order of magnitude slower.
const raceEnabled = true
