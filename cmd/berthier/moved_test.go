package main

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"berthier/adjudicator/store"
	"berthier/adjudicator/store/postgres"
	"berthier/adjudicator/store/postgres/postgrestest"
)

// pulse writes the sign of life of a member until stop is called.
func pulse(t *testing.T, url, name string) (stop func()) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	ended, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		defer conn.Close(context.Background())
		for beat := 1; ; beat++ {
			sign := fmt.Sprintf(`{"run": "x", "version": "v1", "beat": %d, "clock": %q}`, beat, time.Now().UTC().Format(time.RFC3339))
			if _, err := conn.Exec(context.Background(), `insert into notes (name, data) values ($1, $2) on conflict (name) do update set data = excluded.data`, []byte("member/"+name), []byte(sign)); err != nil {
				t.Error(err)
				return
			}
			select {
			case <-ended:
				return
			case <-time.After(500 * time.Millisecond):
			}
		}
	}()
	stop = sync.OnceFunc(func() { close(ended); <-done })
	t.Cleanup(stop)
	return stop
}

// TestACompleteMoveStays: what fails after an office has moved does not take the mark away again.
func TestACompleteMoveStays(t *testing.T) {
	server := postgrestest.Need(t)
	secret := [32]byte{1}
	address := postgres.Address{URL: server.URL}
	if err := postgres.Create(t.Context(), address, secret); err != nil {
		t.Fatal(err)
	}
	s, err := postgres.Open(t.Context(), address, postgres.Options{Secret: secret, Member: "alpha"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	leaves, err := leaveServer(t.Context(), s, "elsewhere")
	if err != nil {
		t.Fatal(err)
	}
	if m, err := movedTo(s); err != nil || m == nil || !m.Moving {
		t.Fatalf("%+v, %v", m, err)
	}
	if err := errors.Join(leaves.done(t.Context(), "elsewhere"), leaves.back(t.Context())); err != nil {
		t.Fatal(err)
	}
	if m, err := movedTo(s); err != nil || m == nil || m.Moving {
		t.Errorf("the office has moved, and its mark says %+v, %v", m, err)
	}
}

// leavesServer begins a move away from a server, as the command of the member alpha does.
func leavesServer(t *testing.T, url string, secret [32]byte) *leaving {
	t.Helper()
	s, err := postgres.Open(t.Context(), postgres.Address{URL: url}, postgres.Options{Secret: secret, Member: "alpha.command"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	l, err := leaveServer(t.Context(), s, "elsewhere")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestAMoveThatAnotherCommandEnds begins a command of the same member while a move runs: it is refused, and the move can't write any more. Whoever moves the office is
// told that its mark stands, and what takes it away.
func TestAMoveThatAnotherCommandEnds(t *testing.T) {
	server := postgrestest.Need(t)
	folder := t.TempDir()
	file := filepath.Join(folder, "office.secret")
	_, made, _ := site(t, "")
	do, fails := sited(t, withDatabase(t, made, "{url: '"+server.URL+"', secret-file: "+file+", member: alpha, folder: "+folder+"}"))
	do("init")
	secret, err := readSecret(file)
	if err != nil {
		t.Fatal(err)
	}
	l := leavesServer(t, server.URL, secret)
	fails("is being moved to elsewhere", "game", "list")
	if err := l.done(t.Context(), "elsewhere"); !errors.Is(err, errInterrupted) {
		t.Errorf("the move ends with %v", err)
	}
	if err := l.back(t.Context()); !errors.Is(err, errInterrupted) {
		t.Errorf("it is taken back with %v", err)
	}
	fails("is being moved to elsewhere", "game", "list")
	do("move", "--undo")
	do("game", "list")
}

// TestAMoveThatIsTakenBackFromAnotherMachine begins a move on one machine and takes it back on another while it runs: members begin again where the office was,
// and take in orders. So the move must not end, and must not mark that database once more; nor may it take away the mark of a move that somebody has begun since.
func TestAMoveThatIsTakenBackFromAnotherMachine(t *testing.T) {
	server := postgrestest.Need(t)
	folder := t.TempDir()
	file := filepath.Join(folder, "office.secret")
	_, made, _ := site(t, "")
	beta, fails := sited(t, withDatabase(t, made, "{url: '"+server.URL+"', secret-file: "+file+", member: beta, folder: "+folder+"}"))
	beta("init")
	secret, err := readSecret(file)
	if err != nil {
		t.Fatal(err)
	}
	begin := func() *leaving { return leavesServer(t, server.URL, secret) }
	first := begin()
	beta("move", "--undo")
	beta("game", "list")
	if err := first.done(t.Context(), "elsewhere"); !errors.Is(err, errTakenBack) {
		t.Errorf("a move that was taken back ends with %v", err)
	}
	if err := first.from.Commit(t.Context(), store.Change{}); !errors.Is(err, store.ErrDeposed) {
		t.Errorf("it writes: %v", err)
	}
	if err := first.back(t.Context()); err != nil {
		t.Errorf("it is taken back once more: %v", err)
	}
	beta("game", "list")

	second := begin()
	if err := first.back(t.Context()); err != nil {
		t.Error(err)
	}
	fails("is being moved to elsewhere", "game", "list") // the second one goes on
	asked(t, server.URL, `update notes set data = '{"to": "another", "at": "2026-01-02T03:04:05Z", "moving": true}' where name = 'moved' returning 1`)
	if err := second.done(t.Context(), "elsewhere"); !errors.Is(err, errTakenBack) {
		t.Errorf("a move whose mark is another's ends with %v", err)
	}
	fails("is being moved to another", "game", "list")
	if err := second.from.(*postgres.Store).Retire(t.Context(), movedValue, second.mark, nil); !errors.Is(err, store.ErrOutOfStep) {
		t.Errorf("what is another's is taken away: %v", err)
	}
}

// TestMoveAwayFromOthers moves an office away from a server on which another member works: it is refused, and names that one. When it
// says nothing any more, nobody can write there from the first moment of the move on, and whoever begins is told where the office is. A move that fails, or is
// broken off, leaves the office where it was.
func TestMoveAwayFromOthers(t *testing.T) {
	server := postgrestest.Need(t)
	folder := t.TempDir()
	file := filepath.Join(folder, "office.secret")
	_, config, _ := site(t, "")
	do, fails := sited(t, withDatabase(t, config, "{url: '"+server.URL+"', secret-file: "+file+", member: alpha, folder: "+folder+"}"))
	do("init")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var secret [32]byte
	if _, err := hex.Decode(secret[:], []byte(strings.TrimSpace(string(text)))); err != nil {
		t.Fatal(err)
	}
	beta, err := postgres.Open(t.Context(), postgres.Address{URL: server.URL}, postgres.Options{Secret: secret, Member: "beta"})
	if err != nil {
		t.Fatal(err)
	}
	defer beta.Close()
	to := filepath.Join(folder, "home.db")
	stop := pulse(t, server.URL, "beta")
	fails("these members of the office work: beta (v1)", "move", "--to", to)
	_, twin := sited(t, withDatabase(t, config, "{url: '"+server.URL+"', secret-file: "+file+", member: beta, folder: "+folder+"}"))
	twin("another process works as member beta", "serve")
	if err := beta.Commit(t.Context(), store.Change{Game: "a", Record: []byte("{}")}); err != nil {
		t.Errorf("a move that was refused has deposed a member: %v", err)
	}
	stop()
	if _, err := os.Stat(to); err == nil {
		t.Error("a move that was refused has made a database")
	}

	if err := os.WriteFile(to, []byte("something"), 0o600); err != nil {
		t.Fatal(err)
	}
	fails("does not exist yet", "move", "--to", to)
	do("game", "list") // it stays where it is
	if err := beta.Commit(t.Context(), store.Change{}); !errors.Is(err, store.ErrDeposed) {
		t.Errorf("who was deposed by a move that failed: %v", err)
	}
	os.Remove(to)

	fails("no move was broken off", "move", "--undo")
	fails("it is not said", "move")
	asked(t, server.URL, `insert into notes (name, data) values ('moved', '{"to": "elsewhere", "at": "2026-01-02T03:04:05Z", "moving": true}') returning 1`)
	fails("is being moved to elsewhere", "game", "list")
	fails("is being moved to elsewhere", "serve")
	do("move", "--undo")
	do("game", "list")
	asked(t, server.URL, `delete from games returning 1`)
	asked(t, server.URL, `insert into notes (name, data) values ('moved', '{"to": "elsewhere", "at": "2026-01-02T03:04:05Z", "moving": true}') returning 1`)
	do("move", "--to", to) // once more
	fails("the office moved to "+to, "move", "--undo")
	fails("the office moved to "+to, "serve")
	home, _ := sited(t, withDatabase(t, config, to))
	home("game", "list")
}
