package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"berthier/adjudicator/store/bolt"
)

// keptBytes is what a database keeps, by kind, as berthier bench kept prints it.
func keptBytes(t *testing.T, database string) map[string]int {
	t.Helper()
	var out bytes.Buffer
	if code := run(t.Context(), []string{"bench", "kept", database}, &out, &out); code != 0 {
		t.Fatal(out.String())
	}
	kept := map[string]int{}
	for _, m := range regexp.MustCompile(`(?m)^\| ([a-zA-Z].*?) \| \d+ \| (\d+) \|`).FindAllStringSubmatch(out.String(), -1) {
		kept[m[1]], _ = strconv.Atoi(m[2])
	}
	return kept
}

// A whole game keeps little: what is left of it after berthier compact is bounded, kind by kind; it is the
// same database, of which everything is verified as before.
func TestAWholeGameKeepsLittle(t *testing.T) {
	withoutRace(t)
	played := filepath.Join(t.TempDir(), "demo")
	if code := run(t.Context(), []string{"demo", "--seed", "7", "--out", played}, io.Discard, io.Discard); code != 0 {
		t.Fatal("no demo")
	}
	_, file, database := site(t, "")
	whole, err := os.ReadFile(filepath.Join(played, "berthier.db"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(database, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	before := keptBytes(t, database)
	info, err := bolt.Inspect(database, bolt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	do := func(args ...string) string {
		t.Helper()
		var out bytes.Buffer
		if code := run(t.Context(), append(args, "--config", file), &out, &out); code != 0 {
			t.Fatalf("%q: %s", args, out.String())
		}
		return out.String()
	}
	if said := do("compact"); !strings.Contains(said, "were packed together") {
		t.Error(said)
	}
	now := keptBytes(t, database)
	for kind, most := range map[string]int{"all": 900_000} {
		if now[kind] > most {
			t.Errorf("%s: %d bytes, wanted at most %d; it was %d", kind, now[kind], most, before[kind])
		}
	}
	after, err := bolt.Inspect(database, bolt.Options{})
	if err != nil || after.Number != info.Number || after.Games != info.Games || after.Bytes > info.Bytes {
		t.Errorf("%+v, it was %+v: %v", after, info, err)
	}
	if said := do("game", "export", "demo-1"); said == "" {
		t.Error("no export")
	}
}
