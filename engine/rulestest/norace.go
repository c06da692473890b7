//go:build !race

package rulestest

// Race tells that tests run under the race detector, some ten times slower: they
// take smaller samples.
const Race = false
