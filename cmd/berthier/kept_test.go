package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"berthier/adjudicator"
	"berthier/adjudicator/store"
	"berthier/adjudicator/store/bolt"
	"berthier/mail/local"
)

// keepIn puts a letter into a folder of the office's mailbox.
func keepIn(t *testing.T, host *local.Server, folder, raw string) {
	t.Helper()
	if err := host.Deliver("somebody@club.example", officeAt, []byte(raw)); err != nil {
		t.Fatal(err)
	}
	if err := host.MoveAll(officeAt, "INBOX", folder); err != nil {
		t.Fatal(err)
	}
}

// monitored gives the configuration of a watch, and a function that asks it.
func monitored(t *testing.T) (more string, get func(path string) string) {
	t.Helper()
	address := fmt.Sprintf("127.0.0.1:%d", freeLocalPort(t))
	return "watch: {listen: \"" + address + "\"}\n", func(path string) string {
		r, err := http.Get("http://" + address + path)
		if err != nil {
			return err.Error()
		}
		defer r.Body.Close()
		text, _ := io.ReadAll(r.Body)
		return string(text)
	}
}

// until asks again until the answer contains a text.
func until(t *testing.T, what string, ask func() string) string {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	last := ""
	for began := time.Now(); time.Since(began) < 20*time.Second; <-tick.C {
		if last = ask(); strings.Contains(last, what) {
			return last
		}
	}
	t.Errorf("never %q, but\n%s", what, last)
	return last
}

// Only init makes a database: where there is none, or an empty file, every command
// fails, says what to do, and leaves everything as it is.
func TestOnlyInitMakesADatabase(t *testing.T) {
	_, file, database := site(t, "")
	do := func(args ...string) (int, string) {
		var out bytes.Buffer
		code := run(t.Context(), append(args, "-c", file), &out, &out)
		return code, out.String()
	}
	if code, text := do("init"); code != exitRefused || !strings.Contains(text, "left as it is") {
		t.Errorf("over a database init ends with %d: %s", code, text)
	}
	for _, empty := range []bool{false, true} {
		if err := os.Remove(database); err != nil {
			t.Fatal(err)
		}
		want := "make one: berthier init"
		if empty {
			want = "berthier restore FILE"
			if err := os.WriteFile(database, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, args := range [][]string{{"serve"}, {"game", "list"}, {"backup", database + ".copy"}, {"key", "a@b.example"}, {"claim"}, {"doctor"}} {
			if code, text := do(args...); code != exitRefused || !strings.Contains(text, want) {
				t.Errorf("empty: %v: %v ends with %d: %s", empty, args, code, text)
			}
			if info, err := os.Stat(database); empty != (err == nil) || empty && info.Size() > 0 {
				t.Fatalf("%v made a database", args)
			}
		}
		if !empty {
			if err := os.WriteFile(database, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	os.Remove(database)
	if code, text := do("init"); code != 0 {
		t.Fatalf("init ends with %d: %s", code, text)
	}
	if code, text := do("game", "list"); code != 0 {
		t.Errorf("after init: %d: %s", code, text)
	}
}

// A daemon whose database was replaced by a new one does not read the mailbox on which the
// former database has worked. If its operator assigns the mailbox to it, it leaves orders
// for games that it does not know in the inbox, and says so.
func TestNewDatabaseInThePlaceOfTheRightOne(t *testing.T) {
	more, get := monitored(t)
	r := startServe(t, more, nil, frenchAt, alliedAt, masterAt)
	r.berthier("game", "new", r.put("game.yaml", fmt.Sprintf(setUp("kept-2", ""), "", "", "")))
	var at string
	for _, s := range r.show("kept-2").Seats {
		if s.Owes != nil {
			at = s.Person.Address
		}
	}
	file := templateOf(r.next(at))
	r.stop()
	<-r.ended
	kept := r.database + ".kept"
	if err := os.Rename(r.database, kept); err != nil {
		t.Fatal(err)
	}
	r.berthier("init")
	var out bytes.Buffer
	if code := run(t.Context(), []string{"serve", "-c", r.file}, &out, &out); code != exitRefused ||
		!strings.Contains(out.String(), "another database has worked on this mailbox") || !strings.Contains(out.String(), "berthier claim gives the mailbox to this database") {
		t.Fatalf("the daemon ends with %d: %s", code, out.String())
	}
	r.berthier("claim")
	r.start()
	r.post(at, "", file)
	r.post(at, "", "game: kept-2\ncommand: help\n")
	until(t, "2 letters are for games, but this database has never held a game", func() string { return get("/health") })
	until(t, "berthier_letters_without_game 2\n", func() string { return get("/metrics") })
	if n := r.host.Count(officeAt, "Rejected"); n != 0 {
		t.Errorf("%d letters were rejected", n)
	}

	// The former database comes back, and what stayed in the inbox counts.
	r.stop()
	<-r.ended
	if err := errors.Join(os.Remove(r.database), os.Rename(kept, r.database)); err != nil {
		t.Fatal(err)
	}
	r.berthier("claim")
	r.start()
	for !strings.Contains(saysAll(r.next(frenchAt)), "have deployed") { // with his orders the stop is resolved
	}
}

// A daemon whose file was exchanged takes no letter in and says so; what it holds can
// be saved; a second daemon does not take its socket away.
func TestSwappedUnderTheDaemon(t *testing.T) {
	more, get := monitored(t)
	r := startServe(t, more, nil, frenchAt, alliedAt, masterAt)
	r.berthier("game", "new", r.put("game.yaml", fmt.Sprintf(setUp("kept-3", ""), "", "", "")))
	var at string
	for _, s := range r.show("kept-3").Seats {
		if s.Owes != nil {
			at = s.Person.Address
		}
	}
	file := templateOf(r.next(at))
	copied := filepath.Join(t.TempDir(), "copy.db")
	r.berthier("backup", copied)
	data, err := os.ReadFile(copied)
	if err := errors.Join(err, os.Remove(r.database), os.WriteFile(r.database, data, 0o600)); err != nil {
		t.Fatal(err)
	}
	r.post(at, "", file)
	until(t, "no longer the file at its path", func() string { return get("/health") })
	until(t, "berthier_database_in_place 0\n", func() string { return get("/metrics") })
	until(t, "1 letters could not be taken in", func() string { return get("/health") })
	if n := r.host.Count(officeAt, "INBOX"); n != 1 {
		t.Errorf("the inbox has %d letters", n)
	}

	refused := func(want, hint string, args ...string) {
		t.Helper()
		config := r.file
		if args[0] == "serve" { // without a monitor: the port is taken
			text, err := os.ReadFile(r.file)
			if err != nil {
				t.Fatal(err)
			}
			config = r.put("second.yaml", strings.Replace(string(text), more, "", 1))
		}
		var out bytes.Buffer
		code := run(t.Context(), append(args, "-c", config), &out, &out)
		if code != exitRefused || !strings.Contains(out.String(), want) || !strings.Contains(out.String(), hint) {
			t.Errorf("%v ends with %d: %s", args, code, out.String())
		}
	}
	refused("berthier serve answers at "+socket(r.database), "stop it first", "serve")
	refused("berthier serve answers at", "stop berthier serve first", "restore", copied)
	refused("no longer the file at its path", "berthier backup FILE saves", "game", "pause", "kept-3")
	refused("no longer the file at its path", "", "doctor")
	r.berthier("backup", filepath.Join(t.TempDir(), "saved.db"))
	if !daemonLives(r.database) {
		t.Error("the living daemon has lost its socket")
	}

	r.stop()
	<-r.ended
	if _, err := os.Stat(socket(r.database)); err == nil {
		t.Error("the socket is left behind")
	}
	r.start()
	for !strings.Contains(saysAll(r.next(frenchAt)), "have deployed") { // with his orders the stop is resolved
	}
}

// A daemon that ends does not take the socket of another one away.
func TestDaemonLeavesAnothersSocket(t *testing.T) {
	_, file, database := site(t, "")
	conf, err := loadConfig(file)
	if err != nil {
		t.Fatal(err)
	}
	h, err := openOffice(conf, conf.logger(io.Discard))
	if err != nil {
		t.Fatal(err)
	}
	defer h.close()
	first, err := openControl(conf, h, conf.logger(io.Discard))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(socket(database)); err != nil {
		t.Fatal(err)
	}
	second, err := openControl(conf, h, conf.logger(io.Discard))
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Error(err)
	}
	if !daemonLives(database) {
		t.Error("the second one's socket is gone")
	}
	if err := second.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(socket(database)); err == nil {
		t.Error("the socket is left behind")
	}
}

// A monitor learns what the log says: a write that failed, letters that are stuck, a
// game that a fault has stopped, a record that can't be read.
func TestHealthKnowsTheLog(t *testing.T) {
	more, get := monitored(t)
	r := startServe(t, more, nil, frenchAt, alliedAt, masterAt)
	r.berthier("game", "new", r.put("game.yaml", fmt.Sprintf(setUp("kept-4", ""), "", "", "")))
	until(t, "well", func() string { return get("/health") })
	r.stop()
	<-r.ended
	st, err := bolt.Open(r.database, bolt.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	later := time.Now().Add(30 * time.Minute)
	kept, err := st.Load(t.Context(), "kept-4")
	if err != nil {
		t.Fatal(err)
	}
	stopped := bytes.Replace(kept.Record, []byte(`"phase":"running"`), []byte(`"phase":"running","fault":"a fault","paused":"2026-01-01T00:00:00Z"`), 1)
	row := append([]byte{0}, `{"kind":"notice","address":"ghost@club.example","written":"2026-01-01T00:00:00Z","tries":9,"letter":{}}`...)
	id, err := st.Reserve(t.Context(), 1)
	err = errors.Join(err, st.Commit(t.Context(), store.Change{Game: "kept-4", After: kept.End, Was: store.VersionOf(kept.Record), Record: stopped,
		Outgoing: []store.Outgoing{{ID: id, Due: later, Body: row}}}),
		st.Commit(t.Context(), store.Change{Game: "broken", Record: []byte("{")}))
	if err := errors.Join(err, st.Close()); err != nil {
		t.Fatal(err)
	}
	r.start()
	text := until(t, "stand still", func() string { return get("/health") })
	for _, want := range []string{"1 stand still", "1 letters could not be sent, the first since 2026-01-01", "records of 1 games can't be read"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
	text = get("/metrics")
	for _, want := range []string{"berthier_games_stopped 1\n", "berthier_letters_stuck 1\n", "berthier_games_broken 1\n", "berthier_deadlines_kept 1\n", "berthier_database_written 1\n", "berthier_healthy 0\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
}

// Faults that no test can produce for long enough each have a line of their own in what a
// monitor is told; that of a full disk is not about the database, and none names a game.
func TestIllsAreNamed(t *testing.T) {
	w := &watch{data: t.TempDir()}
	full := fmt.Errorf("commit: %w", &os.PathError{Op: "write", Path: "b.db", Err: syscall.ENOSPC})
	for _, c := range []struct {
		ills adjudicator.Ills
		want string
	}{
		{adjudicator.Ills{}, ""},
		{adjudicator.Ills{WriteFailed: full}, "disk: full"},
		{adjudicator.Ills{WriteFailed: io.ErrShortWrite}, "database: the last write failed: short write"},
		{adjudicator.Ills{ReadingNotNoted: errors.New("of lot-1")}, "mailbox: it was read, but that could not be noted"},
		{adjudicator.Ills{FileSwapped: store.ErrSwapped}, "no longer the file at its path"},
		{adjudicator.Ills{BrokenRecords: 2}, "the records of 2 games"},
	} {
		all := slices.Concat(illDatabase(c.ills), w.illDisk(c.ills), illGames(c.ills))
		if text := strings.Join(all, "\n"); c.want == "" && text != "" || !strings.Contains(text, c.want) || strings.Contains(text, "lot-1") || len(all) > 1 {
			t.Errorf("%+v: %q, want %q", c.ills, all, c.want)
		}
	}
}
