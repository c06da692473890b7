//go:build e2e

package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A player of the demo gets one letter for each that he writes: the report that follows, or
// what was wrong. Nothing else but the first and the last letter, and what the office puts
// right, comes on top.
func TestEndToEndOneLetterForEachLetter(t *testing.T) {
	out := filepath.Join(t.TempDir(), "demo")
	if err := (demoCommand{Seed: 7, Game: "napoleon", Bots: "sensible", Out: out}).Run(t.Context(), &console{out: io.Discard, err: io.Discard}); err != nil {
		t.Fatal(err)
	}
	letters, err := os.ReadDir(filepath.Join(out, "letters"))
	if err != nil {
		t.Fatal(err)
	}
	got, wrote := map[string]int{}, map[string]int{}
	for _, l := range letters {
		_, to, ok := strings.Cut(strings.TrimSuffix(l.Name(), ".eml"), "-to-")
		if !ok {
			t.Fatalf("a letter is kept as %s", l.Name())
		}
		got[to]++
		text, err := os.ReadFile(filepath.Join(out, "letters", l.Name()))
		if err != nil {
			t.Fatal(err)
		}
		for _, side := range []string{"french", "allied"} {
			if to == "office" && strings.Contains(string(text), "<"+side+"@"+demoDomain+">") {
				wrote[side]++
			}
		}
	}
	for side, most := range map[string]int{"french": 78, "allied": 79} {
		if got[side] > most || got[side] > wrote[side]+10 || wrote[side] < 10 { // a count of nothing proves nothing
			t.Errorf("%s gets %d letters for %d that he writes, at most %d", side, got[side], wrote[side], most)
		}
	}
}
