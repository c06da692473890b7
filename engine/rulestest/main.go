package rulestest

import (
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

// Main runs the tests of a package with memory to spare, see [Roomy].
func Main(m *testing.M) {
	Roomy()
	os.Exit(m.Run())
}

// Roomy lets the collector of garbage run less often, which takes a fifth off the time of
// tests that play many games. Benchmarks measure the program as it runs, and whoever sets
// GOGC is obeyed.
func Roomy() {
	benchmarks := slices.ContainsFunc(os.Args, func(arg string) bool { return strings.HasPrefix(arg, "-test.bench") })
	if os.Getenv("GOGC") == "" && !benchmarks {
		debug.SetGCPercent(400)
	}
}
