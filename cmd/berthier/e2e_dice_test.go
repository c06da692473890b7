//go:build e2e

package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"berthier/engine"
)

// The check of docs/dice.md in another language agrees with ours on games that
// this program has played, and finds what was changed.
func TestEndToEndDiceInAnotherLanguage(t *testing.T) {
	for _, args := range [][]string{
		{"demo", "--seed", "11"},
		{"demo", "--seed", "13", "--game", "waterloo", "--option", "scenario_length=quick"},
	} {
		out := filepath.Join(t.TempDir(), "demo")
		if code := run(context.Background(), append(args, "--out", out), io.Discard, io.Discard); code != 0 {
			t.Fatalf("%v ends with %d", args, code)
		}
		checkInPython(t, filepath.Join(out, "game.yaml"))
	}
}

// The same for games with rulings, with a rewind, and taken up again after their
// end, so that there are two seeds; from what each side may export, too.
func TestEndToEndDiceOfAGameWithRulings(t *testing.T) {
	for _, c := range ruledGames {
		g := newRuledGame(t, c.system, c.options, false)
		c.play(g)
		g.verifies("finished")
		for _, side := range append([]engine.Side{""}, g.sides...) {
			checkInPython(t, g.file("finished-"+string(side)+".yaml"))
		}
	}
}

// checkInPython runs the check of docs/dice.md on an export, and on the export
// spoilt in several ways.
func checkInPython(t *testing.T, file string) {
	t.Helper()
	check := func(file string) (string, error) {
		said, err := exec.Command("python3", "../../docs/check_game.py", file).CombinedOutput()
		return string(said), err
	}
	said, err := check(file)
	if err != nil {
		t.Fatalf("%s: %v\n%s", file, err, said)
	}
	t.Logf("%s: %s", filepath.Base(file), said)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string][2]string{
		"a die":  {`\"r\":3`, `\"r\":4`},
		"a hash": {`"n":2,"hash":"`, `"n":2,"hash":"0`},
		"a seed": {"seeds:\n  - ", "seeds:\n  - 00"},
	} {
		bad := filepath.Join(t.TempDir(), "bad.yaml")
		spoilt := bytes.Replace(data, []byte(change[0]), []byte(change[1]), 1)
		if bytes.Equal(spoilt, data) {
			t.Fatalf("%s: there is nothing like %s in the file", file, name)
		}
		if err := os.WriteFile(bad, spoilt, 0o600); err != nil {
			t.Fatal(err)
		}
		if said, err := check(bad); err == nil {
			t.Errorf("%s: %s was changed, and nothing is found: %s", file, name, said)
		}
	}
}
