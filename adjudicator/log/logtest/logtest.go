// Package logtest writes logs for tests, changes exports as a forger would, and checks them with
// the program of docs/dice.md in another language, for tests of code that keeps or verifies a log.
package logtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
)

// Rechained makes the hashes of an export fit again, as a forger would, who leaves the signature out that he can't
// make.
func Rechained(t testing.TB, x *log.Export) {
	t.Helper()
	x.Office, x.Signature = "", ""
	var last chain.Link
	for i := range x.Entries {
		x.Entries[i].N = uint64(i + 1)
		body, private, err := x.Entries[i].Digests()
		if err != nil {
			t.Fatal(err)
		}
		last = chain.Chain(last, body, private)
		x.Entries[i].Hash = fmt.Sprintf("%x", last.Hash)
	}
}

// ResolvedWith changes how the first stop that fits was resolved.
func ResolvedWith(t testing.TB, x *log.Export, fits func(*log.Resolved) bool, do func(*log.Resolved)) {
	t.Helper()
	for i := range x.Entries {
		var r log.Resolved
		e, err := log.Decode([]byte(x.Entries[i].Body), &r)
		if err != nil || e.Kind != log.KindResolved || !fits(&r) {
			continue
		}
		do(&r)
		e.Data = r
		body, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		x.Entries[i].Body = string(body)
		return
	}
	t.Fatal("no stop fits")
}

// MadeWith changes what the first entry says that the game was made of.
func MadeWith(t testing.TB, x *log.Export, do func(*log.Made)) {
	t.Helper()
	var made log.Made
	e, err := log.Decode([]byte(x.Entries[0].Body), &made)
	if err != nil {
		t.Fatal(err)
	}
	do(&made)
	e.Data = made
	body, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	x.Entries[0].Body = string(body)
}

// InPython runs the check of docs/dice.md in another language, whose script is at a path, and gives its exit code.
func InPython(t testing.TB, script string, x *log.Export) (code int, said string) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "game.yaml")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(x.Write(f), f.Close()); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("python3", script, name).CombinedOutput()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return exit.ExitCode(), string(out)
	} else if err != nil {
		t.Fatal(err)
	}
	return 0, string(out)
}
