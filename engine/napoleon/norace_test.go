//go:build !race

package napoleon

// raceEnabled tells that the tests run an order of magnitude slower.
const raceEnabled = false
