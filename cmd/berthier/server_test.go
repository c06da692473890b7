package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"berthier/adjudicator/store/postgres/postgrestest"
)

// worthNothingWithoutSecret holds that a dump without the secret, or with another one, is worth nothing.
func worthNothingWithoutSecret(t *testing.T, file, url, folder string) {
	t.Helper()
	lost := filepath.Join(folder, "lost.secret")
	_, failsLost := sited(t, withDatabase(t, file, "{url: '"+url+"', secret-file: "+lost+", member: alpha, folder: "+folder+"}"))
	failsLost("nobody can make it again", "game", "list")
	if err := os.WriteFile(lost, bytes.Repeat([]byte("0a"), 32), 0o600); err != nil {
		t.Fatal(err)
	}
	failsLost("not that of this office", "game", "list")
}

// asked gives the number that a database answers.
func asked(t *testing.T, url, sql string) (n int) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err == nil {
		err = errors.Join(conn.QueryRow(t.Context(), sql).Scan(&n), conn.Close(t.Context()))
	}
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// sited runs commands with a configuration.
func sited(t *testing.T, file string) (do func(args ...string) string, fails func(want string, args ...string)) {
	command := func(args []string) (int, string) {
		var out bytes.Buffer
		code := run(t.Context(), append(args, "--config", file), &out, &out)
		return code, out.String()
	}
	do = func(args ...string) string {
		t.Helper()
		code, said := command(args)
		if code != 0 && code != exitUnproven {
			t.Fatalf("%q: %s", args, said)
		}
		return said
	}
	fails = func(want string, args ...string) {
		t.Helper()
		if code, said := command(args); code == 0 || !strings.Contains(said, want) {
			t.Errorf("%q: exit %d: %s", args, code, said)
		}
	}
	return do, fails
}

// withDatabase writes a configuration again with another database.
func withDatabase(t *testing.T, file, database string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "database:") {
			line = "database: " + database + "\n"
		}
		lines = append(lines, line)
	}
	to := filepath.Join(t.TempDir(), "berthier.yaml")
	if err := os.WriteFile(to, []byte(strings.Join(lines, "")), 0o600); err != nil {
		t.Fatal(err)
	}
	// Files that it names lie beside it.
	others, err := filepath.Glob(filepath.Join(filepath.Dir(file), "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, other := range others {
		if data, err := os.ReadFile(other); err == nil && other != file && !strings.HasSuffix(other, ".db") {
			if err := os.WriteFile(filepath.Join(filepath.Dir(to), filepath.Base(other)), data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	return to
}

// TestMove moves an office with a game to a server and back into a file: the game, its log and its keys
// are the same everywhere, it verifies, and no office opens a database that it has left.
func TestMove(t *testing.T) {
	withoutRace(t)
	server := postgrestest.Need(t)
	file := playedSite(t)
	folder := t.TempDir()
	secret := filepath.Join(folder, "office.secret")
	at, failsAt := sited(t, file)
	looks := func(do func(...string) string) string {
		return do("game", "list") + do("game", "show", "demo-1") + do("game", "verify", "demo-1")
	}
	before := looks(at)

	failsAt("--secret-file", "move", "--to", server.URL)
	failsAt("holds its secret itself", "move", "--to", filepath.Join(folder, "x.db"), "--secret-file", secret)
	if err := os.WriteFile(secret, bytes.Repeat([]byte("00"), 32), 0o600); err != nil {
		t.Fatal(err)
	}
	failsAt("another office", "move", "--to", server.URL, "--secret-file", secret)
	os.Remove(secret)
	if said := at("move", "--to", server.URL, "--secret-file", secret); !strings.Contains(said, "1 games") || !strings.Contains(said, "secret-file: "+secret) {
		t.Error(said)
	}
	failsAt("the office moved to postgres://", "game", "list")
	failsAt("the office moved to postgres://", "move", "--to", filepath.Join(folder, "again.db"))

	moved := withDatabase(t, file, "{url: '"+server.URL+"', secret-file: "+secret+", member: alpha, folder: "+folder+"}")
	there, failsThere := sited(t, moved)
	if after := looks(there); after != before {
		t.Errorf("on the server:\n%s\nin the file:\n%s", after, before)
	}
	failsThere("pg_dump", "backup", filepath.Join(folder, "copy"))
	failsThere("pg_restore", "restore", file)
	failsThere("was not put back from a copy", "restore")
	failsThere("in the database already", "init")
	if said := there("compact"); !strings.Contains(said, "vacuum") {
		t.Error(said)
	}
	for _, kind := range []string{"records", "logs", "letters sent and to be sent", "what seats were shown", "tables and indexes on the disk"} {
		if said := there("bench", "kept"); !regexp.MustCompile(`\| ` + kind + `[^|]* \| [1-9]\d* \| [1-9]\d* \|`).MatchString(said) {
			t.Errorf("no %s in:\n%s", kind, said)
		}
	}
	if _, said := doctored(t, moved); !strings.Contains(said, "ok    database: postgres://") || strings.Contains(said, "fail  database") {
		t.Error(said)
	}
	if printed := there("config", "check"); !strings.Contains(printed, "member: alpha") || !strings.Contains(printed, "secret-file: \""+secret) {
		t.Error(printed)
	}
	worthNothingWithoutSecret(t, file, server.URL, folder)

	// A copy that is put back is not taken for what it was: it numbers its letters from elsewhere on,
	// its games are told, and it knows of no member that lives.
	asked(t, server.URL, `insert into notes (name, data) values ('member/ghost', '{}') returning 1`)
	server.Dump(t, filepath.Join(server.Folder(), "dump"))
	server.PutBack(t, filepath.Join(server.Folder(), "dump"))
	failsThere("put back from a copy", "game", "list")
	if said := there("restore"); !strings.Contains(said, "goes on from its copy") {
		t.Error(said)
	}
	failsThere("was not put back from a copy", "restore")
	if asked(t, server.URL, `select count(*) from notes where name = 'member/ghost'`) != 0 {
		t.Error("a member of before lives in the copy")
	}
	if said := there("game", "export", "demo-1"); !strings.Contains(said, "restored") {
		t.Error(said)
	}
	before = looks(there)

	home := filepath.Join(folder, "home.db")
	there("move", "--to", home)
	failsThere("the office moved to "+home, "game", "list")
	back, _ := sited(t, withDatabase(t, file, home))
	if after := looks(back); after != before {
		t.Errorf("back in a file:\n%s\nbefore:\n%s", after, before)
	}
}

// playedSite is the configuration of an office that has played the demo for two turns.
func playedSite(t *testing.T) string {
	t.Helper()
	played := filepath.Join(t.TempDir(), "demo")
	if code := run(t.Context(), []string{"demo", "--seed", "3", "--turns", "2", "--out", played}, io.Discard, io.Discard); code != 0 {
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
	return file
}

// doctored gives what doctor says; mail servers that are not there are its fault, too.
func doctored(t *testing.T, file string) (int, string) {
	var out bytes.Buffer
	code := run(t.Context(), []string{"doctor", "--timeout", "1s", "--config", file}, &out, &out)
	return code, out.String()
}
