//go:build e2e

package adjudicator

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/mail"
)

// inPython runs the check of docs/dice.md in another language, and gives its exit code.
func inPython(t *testing.T, x *Export) (code int, said string) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "game.yaml")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(x.Write(f), f.Close()); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("python3", "../docs/check_game.py", name).CombinedOutput()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return exit.ExitCode(), string(out)
	} else if err != nil {
		t.Fatal(err)
	}
	return 0, string(out)
}

// What crooked offices write is found in the other language, too.
func TestEndToEndCrooksInAnotherLanguage(t *testing.T) {
	for _, scheme := range []int{log.FirstScheme, log.Scheme} {
		if code, said := inPython(t, newCrook(t, scheme).plays(nil)); code != 0 {
			t.Errorf("scheme %d: an honest game ends with %d: %s", scheme, code, said)
		}
		for name, do := range tricks {
			if scheme == log.FirstScheme && name == "other orders than the file's" {
				continue // such a log has no seals, and the file says it only with the rules
			}
			t.Run(fmt.Sprintf("%d/%s", scheme, name), func(t *testing.T) {
				if code, said := inPython(t, newCrook(t, scheme).plays(do)); code != 1 {
					t.Errorf("nothing is found: %d: %s", code, said)
				}
			})
		}
	}
	drops := newCrook(t, log.Scheme)
	drops.luck, drops.words, drops.dropped = true, []log.LuckWord{{Side: "blue", Word: "night"}}, []log.LuckWord{{Side: "red", Word: "grouchy"}}
	if code, said := inPython(t, drops.plays(nil)); code != 1 {
		t.Errorf("a word taken back though nobody took the seat over: %d: %s", code, said)
	}
}

// So is that a game with players' words holds, one of whom has come later.
func TestEndToEndWordsInAnotherLanguage(t *testing.T) {
	h := newHouse(t)
	h.newGame(luckySides)
	h.write(blueAt, command(h, "lot-1", "blue", "command: luck", "word: Grouchy"), mail.Processed)
	const newAt = "new@play.example"
	if err := h.office.Replace(t.Context(), "lot-1", "blue", log.Person{Name: "New", Address: newAt}); err != nil {
		t.Fatal(err)
	}
	h.write(newAt, command(h, "lot-1", "blue", "command: luck", "word: o i prussiani, è notte"), mail.Processed)
	h.write(redAt, command(h, "lot-1", "red", "command: luck", "word: Ney"), mail.Processed)
	h.play("lot-1", h.anyUnit("lot-1"))
	for _, side := range []engine.Side{engine.GM, "red", "blue"} {
		if code, said := inPython(t, h.export("lot-1", side)); code != 0 {
			t.Errorf("%q: %d: %s", side, code, said)
		}
	}
}
