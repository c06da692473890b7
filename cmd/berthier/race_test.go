//go:build race

package main

import "testing"

// raceEnabled tells that the tests run under the race detector, about ten times slower.
const raceEnabled = true

// withoutRace leaves a test in which one thing happens after the other to the run without the race
// detector.
func withoutRace(t *testing.T) {
	t.Skip("one step after the other: the run without the race detector takes it")
}
