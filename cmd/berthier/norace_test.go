//go:build !race

package main

// raceEnabled tells that the tests run an order of magnitude slower.
const raceEnabled = false
