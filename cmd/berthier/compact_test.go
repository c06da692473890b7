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
	"berthier/adjudicator/store/postgres/postgrestest"
	"berthier/mail"
)

// keptBytes is what a database keeps, by kind, as berthier bench kept prints it.
func keptBytes(t *testing.T, database string) map[string]int {
	t.Helper()
	var out bytes.Buffer
	if code := run(t.Context(), []string{"bench", "kept", database}, &out, &out); code != 0 {
		t.Fatal(out.String())
	}
	return keptIn(t, out.String())
}

// keptIn reads what berthier bench kept prints.
func keptIn(t *testing.T, printed string) map[string]int {
	t.Helper()
	kept := map[string]int{}
	for _, m := range regexp.MustCompile(`(?m)^\| ([a-zA-Z].*?) \| \d+ \| (\d+) \|`).FindAllStringSubmatch(printed, -1) {
		kept[m[1]], _ = strconv.Atoi(m[2])
	}
	if kept["all"] == 0 {
		t.Fatal(printed)
	}
	return kept
}

// What a whole game keeps at most, in bytes, and what stays of it in the database once it is put away.
const (
	mostKept = 900_000
	mostLeft = 200_000
)

// A whole game keeps little: what is left of it after berthier compact is bounded; it is the
// same database, of which everything is verified as before. The same holds on a server, to which it moves before it
// was packed.
func TestAWholeGameKeepsLittle(t *testing.T) {
	withoutRace(t)
	for _, name := range []string{"napoleon", "waterloo"} {
		if name == "waterloo" && !fullSamples {
			continue
		}
		played := filepath.Join(t.TempDir(), "demo")
		if code := run(t.Context(), []string{"demo", "--game", name, "--seed", "7", "--out", played}, io.Discard, io.Discard); code != 0 {
			t.Fatal("no demo")
		}
		whole, err := os.ReadFile(filepath.Join(played, "berthier.db"))
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) { keepsLittle(t, whole) })
		t.Run(name+" on a server", func(t *testing.T) { keepsLittleOnAServer(t, whole) })
	}
}

// keepsLittleOnAServer moves an office to a server, packs it there, and puts its game away.
func keepsLittleOnAServer(t *testing.T, whole []byte) {
	server := postgrestest.Need(t)
	_, file, database := site(t, "")
	if err := os.WriteFile(database, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	secret, shelf := filepath.Join(folder, "office.secret"), filepath.Join(folder, "away")
	at, _ := sited(t, file)
	at("move", "--to", server.URL, "--secret-file", secret)
	moved := withDatabase(t, file, "{url: '"+server.URL+"', secret-file: "+secret+", member: alpha, folder: "+folder+"}\nput-away: "+shelf)
	there, _ := sited(t, moved)
	kept := func() map[string]int { return keptIn(t, there("bench", "kept")) }
	before := there("game", "export", "demo-1")
	there("compact")
	now := kept()
	putAwayNow(t, moved)
	left := kept()
	t.Logf("kept: %d bytes, %d of them logs; %d once it is put away", now["all"], now["logs"], left["all"])
	if now["all"] > mostKept || left["all"] > mostLeft {
		t.Errorf("%d bytes, wanted at most %d; once it is put away %d, wanted at most %d", now["all"], mostKept, left["all"], mostLeft)
	}
	if after := there("game", "export", "demo-1"); after != before {
		t.Error("the export is another")
	}
	if _, said := doctored(t, moved); !strings.Contains(said, shelf+": 1 games, every file read") {
		t.Error(said)
	}
	// Back in a file with what was put away.
	home := filepath.Join(folder, "home.db")
	if said := there("move", "--to", home); !strings.Contains(said, "put away of 1 games") {
		t.Error(said)
	}
	back, _ := sited(t, withDatabase(t, file, home))
	if after := back("game", "export", "demo-1"); after != before {
		t.Error("back in a file the export is another")
	}
}

func keepsLittle(t *testing.T, whole []byte) {
	_, file, database := site(t, "")
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
	if now["all"] > mostKept {
		t.Errorf("%d bytes, wanted at most %d; it was %d", now["all"], mostKept, before["all"])
	}
	after, err := bolt.Inspect(database, bolt.Options{})
	if err != nil || after.Number != info.Number || after.Games != info.Games || after.Bytes > info.Bytes {
		t.Errorf("%+v, it was %+v: %v", after, info, err)
	}
	if said := do("game", "export", "demo-1"); said == "" {
		t.Error("no export")
	}
	shelved := putAwayNow(t, file)
	if said := do("compact"); said == "" {
		t.Error("not compacted")
	}
	left := keptBytes(t, database)
	t.Logf("kept: %d bytes, %d before berthier compact; %d once it is put away, %d of them grounds; the file on the shelf: %d", now["all"], before["all"], left["all"], left["grounds of maps"], shelved)
	if left["all"] > mostLeft || shelved == 0 {
		t.Errorf("once it is put away: %d bytes, wanted at most %d", left["all"], mostLeft)
	}
	if said := do("game", "export", "demo-1"); said == "" {
		t.Error("no export once it is put away")
	}
}

// putAwayNow has the game of a demo put away, as if its set-up said so and its days of grace were over, and gives
// the length of the file on the shelf.
func putAwayNow(t *testing.T, file string) int64 {
	t.Helper()
	conf, err := loadConfig(file)
	if err != nil {
		t.Fatal(err)
	}
	st, err := openStore(conf, bolt.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	kept, err := st.Load(t.Context(), "demo-1")
	if err != nil {
		t.Fatal(err)
	}
	record := bytes.Replace(kept.Record, []byte(`"phase":"over"`), []byte(`"keep":-1,"phase":"over"`), 1)
	err = st.Commit(t.Context(), store.Change{Game: "demo-1", After: kept.End, Was: store.VersionOf(kept.Record), Record: record,
		Wake: map[string]time.Time{"=away/demo-1": time.Now().Add(-24 * time.Hour)}}) // long before its mailbox was last read
	if err != nil {
		t.Fatal(err)
	}
	words, err := catalogue()
	if err != nil {
		t.Fatal(err)
	}
	o, err := adjudicator.New(st, words, systems(), adjudicator.Options{Secret: st.Secret(), From: mail.Address{Addr: "office@club.example"}, Shelf: conf.Shelf})
	if err != nil {
		t.Fatal(err)
	}
	if err := o.Tick(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(conf.Shelf, "*.zip"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%d files on the shelf: %v", len(files), err)
	}
	info, err := os.Stat(files[0])
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
