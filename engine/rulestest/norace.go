//go:build !race

package rulestest

// Race tells that tests run under the race detector, where they take some ten times as
// long: they then take smaller samples.
const Race = false
