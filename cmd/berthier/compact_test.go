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
	"time"

	"berthier/adjudicator"
	"berthier/adjudicator/store"
	"berthier/adjudicator/store/bolt"
	"berthier/mail"
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
	for _, c := range []struct {
		game string
		most int // bytes; of what is put away 200,000 stay
	}{{"napoleon", 900_000}, {"waterloo", 900_000}} {
		if c.game == "napoleon" || fullSamples {
			t.Run(c.game, func(t *testing.T) { keepsLittle(t, c.game, c.most) })
		}
	}
}

func keepsLittle(t *testing.T, name string, most int) {
	played := filepath.Join(t.TempDir(), "demo")
	if code := run(t.Context(), []string{"demo", "--game", name, "--seed", "7", "--out", played}, io.Discard, io.Discard); code != 0 {
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
	if now["all"] > most {
		t.Errorf("%d bytes, wanted at most %d; it was %d", now["all"], most, before["all"])
	}
	after, err := bolt.Inspect(database, bolt.Options{})
	if err != nil || after.Number != info.Number || after.Games != info.Games || after.Bytes > info.Bytes {
		t.Errorf("%+v, it was %+v: %v", after, info, err)
	}
	if said := do("game", "export", "demo-1"); said == "" {
		t.Error("no export")
	}
	shelved := putAwayNow(t, database)
	if said := do("compact"); said == "" {
		t.Error("not compacted")
	}
	left := keptBytes(t, database)
	t.Logf("kept: %d bytes, %d before berthier compact; %d once it is put away, %d of them grounds; the file on the shelf: %d", now["all"], before["all"], left["all"], left["grounds of maps"], shelved)
	if most := 200_000; left["all"] > most || shelved == 0 {
		t.Errorf("once it is put away: %d bytes, wanted at most %d", left["all"], most)
	}
	if said := do("game", "export", "demo-1"); said == "" {
		t.Error("no export once it is put away")
	}
}

// putAwayNow has the game of a demo put away, as if its set-up said so and its days of grace were over, and gives
// the length of the file on the shelf.
func putAwayNow(t *testing.T, database string) int64 {
	t.Helper()
	st, err := bolt.Open(database, bolt.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	kept, err := st.Load(t.Context(), "demo-1")
	if err != nil {
		t.Fatal(err)
	}
	record := bytes.Replace(kept.Record, []byte(`"phase":"over"`), []byte(`"keep":-1,"phase":"over"`), 1)
	err = st.Commit(t.Context(), store.Change{Game: "demo-1", After: kept.End, Was: store.VersionOf(kept.Record), Record: record,
		Wake: map[string]time.Time{"=away/demo-1": time.Now().Add(-time.Minute)}})
	if err != nil {
		t.Fatal(err)
	}
	words, err := catalogue()
	if err != nil {
		t.Fatal(err)
	}
	o, err := adjudicator.New(st, words, systems(), adjudicator.Options{Secret: st.Secret(), From: mail.Address{Addr: "office@club.example"}, Shelf: database + awaySuffix})
	if err != nil {
		t.Fatal(err)
	}
	if err := o.Tick(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(database + awaySuffix)
	if err != nil || len(files) != 1 {
		t.Fatalf("%d files on the shelf: %v", len(files), err)
	}
	info, err := files[0].Info()
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
