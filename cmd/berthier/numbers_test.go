package main

import (
	"encoding/hex"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/store"
	"berthier/adjudicator/store/postgres"
	"berthier/adjudicator/store/postgres/postgrestest"
)

// TestNumbersOfLetters lets members write down how far the letters of all have come, and puts an older copy of the server's files back, as far as numbers
// tell: no command opens it until it has been restored. What another office has written down says nothing; a
// file that can't be read is told, and opens nothing.
func TestNumbersOfLetters(t *testing.T) {
	server := postgrestest.Need(t)
	folder := t.TempDir()
	file := filepath.Join(folder, "office.secret")
	_, made, _ := site(t, "")
	made = withDatabase(t, made, "{url: '"+server.URL+"', secret-file: "+file+", member: alpha, folder: "+folder+"}")
	do, fails := sited(t, made)
	do("init")
	conf, err := loadConfig(made)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := readSecret(file)
	if err != nil {
		t.Fatal(err)
	}
	office := store.NumberOf(secret[:])
	s, err := postgres.Open(t.Context(), conf.Server.at(), postgres.Options{Secret: secret, Member: "alpha"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	stop := keepNumbers(conf, s, slog.New(slog.DiscardHandler))
	first, err := s.Reserve(t.Context(), 5)
	if err != nil {
		t.Fatal(err)
	}
	var c store.Change
	c.PutOutgoing(store.Outgoing{ID: first + 2, Due: time.Unix(1<<40, 0), Body: []byte("letter")})
	if err := s.Commit(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	stop()
	says := func(c config, want uint64) {
		t.Helper()
		if got, err := leastNumber(c.numbersFile(), office); err != nil || got != want {
			t.Errorf("%s: %d is written down, want %d: %v", c.numbersFile(), got, want, err)
		}
	}
	says(conf, first+2)
	beside := withDatabase(t, made, "{url: '"+server.URL+"', secret-file: "+file+", member: beta, folder: "+folder+"}")
	says(alsoWrittenBy(t, beside, secret), first+4) // it has written no letter: alpha has reserved them
	_, failsBeside := sited(t, beside)
	asked(t, server.URL, "delete from outbox returning 1")
	do("game", "list")
	asked(t, server.URL, "update numbers set last = 1 returning 1")
	fails("letters went out since", "game", "list")
	fails("letters went out since", "serve")
	failsBeside("letters went out since", "game", "list")
	if err := writeNumber(conf.numbersFile(), hex.EncodeToString(make([]byte, 16)), 1<<40); err != nil {
		t.Fatal(err)
	}
	do("game", "list") // it was another office's
	if err := writeNumber(conf.numbersFile(), office, first+2); err != nil {
		t.Fatal(err)
	}
	if said := do("restore"); !strings.Contains(said, "goes on from its copy") {
		t.Error(said)
	}
	do("game", "list")
	damagedNumbers(t, conf.numbersFile(), office, do, fails)
}

// alsoWrittenBy lets member beta write down how far numbers have come, and gives its configuration.
func alsoWrittenBy(t *testing.T, file string, secret [32]byte) config {
	t.Helper()
	conf, err := loadConfig(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := postgres.Open(t.Context(), conf.Server.at(), postgres.Options{Secret: secret, Member: "beta"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	keepNumbers(conf, s, slog.New(slog.DiscardHandler))()
	return conf
}

// damagedNumbers demands that a file of numbers that can't be read is told, with what to do, and that nothing goes on until it is gone.
func damagedNumbers(t *testing.T, path, office string, do func(args ...string) string, fails func(says string, args ...string)) {
	t.Helper()
	for _, text := range []string{"", "x", office, office + " many", office + " -1", "\x00\x00"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		fails(path+" is damaged", "game", "list")
		fails("remove the file: it is written anew", "restore")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	do("game", "list")
}
