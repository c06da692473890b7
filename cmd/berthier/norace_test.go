//go:build !race

package main

// raceEnabled tells that the tests run under the race detector, about ten times slower.
const raceEnabled = false
