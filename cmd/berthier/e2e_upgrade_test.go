//go:build e2e

package main

import (
	"bytes"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"berthier/adjudicator/store/postgres"
)

// TestEndToEndUpgrade brings an office of three members, with PostgreSQL, two mailboxes of a real Dovecot and a real Exim, to a
// program of tomorrow that needs newer tables, one member after the other, while games go on:
//
//   - As long as one member has the program of today, the tables are those of today: a member of tomorrow waits, says for whom,
//     and can't be hurried by a command.
//   - Meanwhile a member of today may die, and is started again.
//   - When the last member of today has gone, those of tomorrow bring the tables up to date, and read all mailboxes within 15
//     seconds. The program of today is then refused with its reason.
//   - As in [TestEndToEndMembers], no order is lost, no letter goes out twice, and each game verifies.
func TestEndToEndUpgrade(t *testing.T) {
	m := beginMembers(t, 1)
	tomorrow := m.builtForTomorrow()
	leads := m.leader()
	var others []string
	for _, name := range memberNames {
		if name != leads {
			others = append(others, name)
		}
	}

	m.upgrade(others[0], tomorrow)
	m.awaitWaits(others[0], leads, others[1])
	m.keepGames()
	m.killOne(others[1]) // and it is started again, by a service manager
	m.awaitWaits(others[0], leads, others[1])
	m.awaitLeader(time.Now())
	m.upgrade(others[1], tomorrow)
	m.awaitWaits(others[0], leads)
	m.awaitWaits(others[1], leads)
	m.keepGames()
	if out, err := exec.Command(tomorrow, "compact", "-c", m.config).CombinedOutput(); err == nil || !strings.Contains(string(out), "work with an older program: "+leads) || !strings.Contains(string(out), "waits until they have stopped") {
		t.Errorf("a command of tomorrow: %v, %s", err, out)
	}
	if got, want := m.schema(), postgres.Schema(); got != want {
		t.Errorf("the tables have schema %d while %s works, want %d", got, leads, want)
	}
	began := time.Now()
	m.upgrade(leads, tomorrow)
	took := m.awaitLeader(began)

	old := exec.Command(m.program, "doctor", "-c", m.config)
	if out, err := old.CombinedOutput(); err == nil || !strings.Contains(string(out), "written by a newer version of the program") {
		t.Errorf("the program of today afterwards: %v, %s", err, out)
	}
	t.Cleanup(postgres.Next()) // from here on this process is one of tomorrow, too
	release = ofTomorrow
	t.Cleanup(func() { release = ofToday })
	if got, want := m.schema(), postgres.Schema(); got != want {
		t.Errorf("the tables have schema %d, want %d", got, want)
	}
	m.program = tomorrow
	m.keepGames()
	for _, p := range m.players {
		p.quiet()
	}
	m.settleAll()
	for _, name := range memberNames {
		m.end(name)
	}
	m.account()
	m.inOrder()
	t.Logf("all mailboxes were read %.1f s after the last member of today was asked to stop", took.Seconds())
}

// ofTomorrow is the release of the program of tomorrow.
const ofTomorrow = "v99.0.0"

// builtForTomorrow builds the program of tomorrow.
func (m *members) builtForTomorrow() (path string) {
	m.t.Helper()
	path = m.file("berthier-of-tomorrow")
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-tags", "nextschema", "-ldflags", "-X main.release="+ofTomorrow, "-o", path, ".").CombinedOutput(); err != nil {
		m.t.Fatalf("build: %v\n%s", err, out)
	}
	if out, err := exec.Command(path, "version").CombinedOutput(); err != nil || !bytes.Contains(out, []byte(ofTomorrow)) {
		m.t.Fatalf("the program of tomorrow says of itself: %v, %s", err, out)
	}
	return path
}

// upgrade stops a member and starts it with another program.
func (m *members) upgrade(name, program string) {
	m.t.Helper()
	m.end(name)
	m.runs[name] = program
	m.begin(name)
}

// killOne kills a member that does not lead, and starts it again.
func (m *members) killOne(name string) {
	m.t.Helper()
	r := m.running[name]
	if err := r.cmd.Process.Kill(); err != nil {
		m.t.Fatal(err)
	}
	<-r.exited
	m.next()
	os.Remove(m.file(name + ".sock"))
	m.begin(name)
}

// awaitWaits waits until a member says that it waits for some others, and for nobody else.
func (m *members) awaitWaits(name string, others ...string) {
	m.t.Helper()
	said := ""
	for began := time.Now(); time.Since(began) < time.Minute; <-time.After(100 * time.Millisecond) {
		said = m.ask(name, "health")
		waits := strings.HasPrefix(said, "waits: ")
		for _, other := range memberNames {
			waits = waits && strings.Contains(said, other+" (") == strings.Contains(strings.Join(others, " "), other)
		}
		if waits && strings.Contains(m.ask(name, "metrics"), "\nberthier_waits_for_members "+strconv.Itoa(len(others))+"\n") {
			return
		}
	}
	m.t.Fatalf("%s does not wait for %v: %q", name, others, said)
}

// schema is that of the tables.
func (m *members) schema() (n int) {
	m.t.Helper()
	conn, err := pgx.Connect(m.t.Context(), m.server.URL)
	if err != nil {
		m.t.Fatal(err)
	}
	defer conn.Close(m.t.Context())
	var text []byte
	if err := conn.QueryRow(m.t.Context(), `select value from berthier where name = 'schema'`).Scan(&text); err != nil {
		m.t.Fatal(err)
	}
	if n, err = strconv.Atoi(string(text)); err != nil {
		m.t.Fatal(err)
	}
	return n
}
