//go:build e2e

package verify

import (
	"fmt"
	"testing"

	"berthier/adjudicator/log"
	"berthier/adjudicator/log/logtest"
)

// What crooked offices write is found in the other language, too.
func TestEndToEndCrooksInAnotherLanguage(t *testing.T) {
	for _, scheme := range []int{log.FirstScheme, log.Scheme} {
		if code, said := logtest.InPython(t, "../../docs/check_game.py", newCrook(t, scheme).plays(nil)); code != 0 {
			t.Errorf("scheme %d: an honest game ends with %d: %s", scheme, code, said)
		}
		for name, do := range tricks {
			if scheme == log.FirstScheme && name == "other orders than the file's" {
				continue // such a log has no seals, and the file says it only with the rules
			}
			t.Run(fmt.Sprintf("%d/%s", scheme, name), func(t *testing.T) {
				if code, said := logtest.InPython(t, "../../docs/check_game.py", newCrook(t, scheme).plays(do)); code != 1 {
					t.Errorf("nothing is found: %d: %s", code, said)
				}
			})
		}
	}
	if code, said := logtest.InPython(t, "../../docs/check_game.py", (&aheadCrook{}).game(t)); code != 0 {
		t.Errorf("an honest game with answers filed ahead ends with %d: %s", code, said)
	}
	for name, do := range aheadTricks {
		t.Run(name, func(t *testing.T) {
			want := 1
			if do.rules {
				want = 0
			}
			if code, said := logtest.InPython(t, "../../docs/check_game.py", (&aheadCrook{files: do.files, plays: do.plays, later: do.later}).game(t)); code != want {
				t.Errorf("it ends with %d: %s", code, said)
			}
		})
	}
	drops := newCrook(t, log.Scheme)
	drops.luck, drops.words, drops.dropped = true, []log.LuckWord{{Side: "blue", Word: "night"}}, []log.LuckWord{{Side: "red", Word: "grouchy"}}
	if code, said := logtest.InPython(t, "../../docs/check_game.py", drops.plays(nil)); code != 1 {
		t.Errorf("a word taken back though nobody took the seat over: %d: %s", code, said)
	}
}
