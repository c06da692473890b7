//go:build !race

package main

import "testing"

// raceEnabled tells that the tests run under the race detector, about ten times slower.
const raceEnabled = false

// withoutRace leaves a test in which one thing happens after the other to the run without the race
// detector.
func withoutRace(*testing.T) {}
