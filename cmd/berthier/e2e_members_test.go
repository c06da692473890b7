//go:build e2e

package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"berthier/adjudicator/store/postgres/postgrestest"
)

const (
	memberDeaths   = "BERTHIER_MEMBER_DEATHS" // how often TestEndToEndMembers kills something
	fewMemberFalls = 20
	readAgainIn    = 15 * time.Second // after the leader's death
)

// TestEndToEndMembers lets three members of one office share a database of PostgreSQL, two mailboxes of a real
// Dovecot and a real Exim, and kills any of them at random moments (SIGKILL), the leader most often, and
// the database's server, too. Then it looks into the real mailboxes, into the database, and into what
// passed on the lines:
//
//   - Each order counted exactly once and was answered, each stop was resolved exactly once, every
//     game verifies.
//   - Each letter lies in its player's mailbox as often as Exim took it. It went out again only
//     where the office could not know that it had gone, and then with the same Message-ID.
//   - The letters to each seat went out in the order in which they were written.
//   - When the leader was dead, or who read the second mailbox, others read both within 15 seconds.
//   - When the leader was frozen (SIGSTOP), others read both as soon; thawed, it has lost, and ends.
//   - Nothing is left: in the outbox, in the inbox, in Exim's queue.
func TestEndToEndMembers(t *testing.T) {
	deaths, seed := fromEnvironment(t, memberDeaths, fewMemberFalls), uint64(fromEnvironment(t, seedVariable, int(time.Now().UnixNano()%1e9)))
	t.Logf("%s=%d %s=%d", memberDeaths, deaths, seedVariable, seed)
	m := beginMembers(t, seed)
	m.freezeLeader()
	began := time.Now()
	for m.deaths = 1; m.deaths <= deaths; m.deaths++ {
		<-time.After(time.Duration(m.chance.IntN(4000)) * time.Millisecond)
		m.beat()
		if m.chance.IntN(6) == 0 {
			m.killServer()
		} else {
			m.killMember()
		}
		m.reviveAll()
		if m.deaths%4 == 0 {
			m.keepGames()
		}
	}
	killing := time.Since(began)
	for _, p := range m.players {
		p.quiet()
	}
	m.reviveAll()
	m.awaitLeader(time.Now())
	m.settleAll()
	for _, name := range memberNames {
		m.end(name)
	}
	m.account()
	m.inOrder()
	t.Logf("%d deaths in %.0f s, of the leader %d, of the reader of the second mailbox %d, of another member %d, of the database %d", deaths, killing.Seconds(), len(m.took), len(m.seconds), m.others, m.servers)
	for whose, took := range map[string][]time.Duration{"the leader": m.took, "the reader of the second mailbox": m.seconds} {
		if len(took) > 0 {
			t.Logf("all mailboxes were read again %.1f s after the death of %s (median), %.1f s at most", median(took).Seconds(), whose, slices.Max(took).Seconds())
		}
	}
}

var memberNames = []string{"alpha", "beta", "gamma"}

// members are the members of an office.
type members struct {
	*dying
	server  *postgrestest.Server
	running map[string]*memberRun
	runs    map[string]string // the program that a member runs, if it is another than the others'
	deaths  int
	others  int             // deaths of members that stood by
	servers int             // deaths of the database's server
	took    []time.Duration // from the leader's death to the moment when all mailboxes were read again
	seconds []time.Duration // likewise, from the death of who read the second one
}

// A memberRun is a member's process.
type memberRun struct {
	cmd     *exec.Cmd
	exited  chan error
	monitor int
}

// beginMembers makes an office with games, whose players answer, and starts its members.
func beginMembers(t *testing.T, seed uint64) *members {
	t.Helper()
	boxes := []string{"office", "gm", "office2"}
	for n := range correspondents {
		boxes = append(boxes, fmt.Sprintf("player%d", n+1))
	}
	m := newMembers(t, newEndToEnd(t, startServers(t, boxes...)), seed)
	for _, box := range boxes[3:] {
		m.players = append(m.players, m.correspondent(box))
	}
	m.keepGames()
	for _, name := range memberNames {
		m.begin(name)
	}
	m.awaitLeader(time.Now())
	return m
}

func newMembers(t *testing.T, e *endToEnd, seed uint64) *members {
	t.Helper()
	m := &members{dying: &dying{endToEnd: e, logged: e.file("log"), stuck: map[string]int{}, chance: rand.New(rand.NewPCG(seed, 2))}, server: postgrestest.Need(t), running: map[string]*memberRun{}, runs: map[string]string{}}
	m.offices = []string{"office", "office2"}
	m.post = newFaultyPost(t, e.s, e.tls, seed)
	m.post.set(calm, 1)
	m.life = 1
	for _, name := range append(memberNames, "berthier") {
		m.write(name+".yaml", fmt.Sprintf(`office: {address: office@%[1]s, answers-per-hour: 1000}
database: {url: "%[2]s", secret-file: office.secret, member: %[3]s, folder: %[7]s}
imap: {host: 127.0.0.1, port: %[4]d, security: none, user: office, password-file: password, poll: 2s, mailboxes: [{address: office2@%[1]s, user: office2, password-file: password}]}
smtp: {host: 127.0.0.1, port: %[5]d, security: none, retry: 1s}
watch: {listen: "127.0.0.1:%[6]d"}
`, domain, m.server.URL, name, m.post.imapPort, m.post.smtpPort, m.port(name), e.dir))
	}
	e.berthier("init", "-c", e.config)
	t.Cleanup(func() {
		for _, r := range m.running {
			r.cmd.Process.Kill()
			<-r.exited
		}
		if t.Failed() {
			if text, err := os.ReadFile(m.logged); err == nil {
				var seats []string // who had what, and what went wrong
				for line := range strings.Lines(string(text)) {
					if strings.Contains(line, "this member") || strings.Contains(line, "level=ERROR") || strings.Contains(line, "level=WARN") || strings.Contains(line, "error:") {
						seats = append(seats, line)
					}
				}
				t.Logf("the members about themselves:\n%s\nend of their log:\n%s", tail(strings.Join(seats, ""), 300), tail(string(text), 80))
			}
		}
	})
	return m
}

// port is where a member's monitor listens.
func (m *members) port(name string) int {
	if m.running[name] == nil {
		m.running[name] = &memberRun{monitor: freeLocalPort(m.t)}
		if name == "berthier" { // of commands, which listen nowhere
			defer delete(m.running, name)
		}
	}
	return m.running[name].monitor
}

// begin starts a member.
func (m *members) begin(name string) {
	m.t.Helper()
	log, err := os.OpenFile(m.logged, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		m.t.Fatal(err)
	}
	defer log.Close()
	cmd := exec.Command(cmp.Or(m.runs[name], m.program), "serve", "-c", m.file(name+".yaml"))
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		m.t.Fatal(err)
	}
	r := m.running[name]
	r.cmd, r.exited = cmd, make(chan error, 1)
	go func(exited chan error) { exited <- cmd.Wait(); close(exited) }(r.exited)
}

// end stops a member as the system does when it shuts down.
func (m *members) end(name string) {
	m.t.Helper()
	r := m.running[name]
	if err := r.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		m.t.Errorf("%s: %v", name, err)
	}
	select {
	case err := <-r.exited:
		if err != nil {
			m.t.Errorf("asked to stop, %s ended with %v", name, err)
		}
	case <-time.After(15 * time.Second):
		m.t.Errorf("asked to stop, %s runs on", name)
	}
}

// revive starts a member again that has ended, as a service manager does.
func (m *members) reviveAll() {
	m.t.Helper()
	for _, name := range memberNames {
		select {
		case <-m.running[name].exited:
			os.Remove(m.file(name + ".sock"))
			m.begin(name)
		default:
		}
	}
}

// next begins another life: what was handed over in one before and goes out again, the office could
// not know of.
func (m *members) next() {
	m.life++
	m.post.set(calm, m.life)
}

// beat waits for something to pass on a line, where a death hurts most, half of the time.
func (m *members) beat() {
	if m.chance.IntN(2) == 0 {
		return
	}
	select {
	case <-m.post.beats: // a beat from before
	default:
	}
	select {
	case <-m.post.beats:
		<-time.After(time.Duration(m.chance.IntN(5000)) * time.Microsecond)
	case <-time.After(time.Second):
	}
}

// killMember kills the leader, most often, or another member.
func (m *members) killMember() {
	m.t.Helper()
	leader, second := m.leader(), m.reader("office2")
	victim := leader
	switch m.chance.IntN(4) {
	case 0:
		victim = second
	case 1:
		victim = ""
	}
	if victim == "" {
		victim = memberNames[m.chance.IntN(len(memberNames))]
	}
	r := m.running[victim]
	began := time.Now()
	if err := r.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) { // who could not say in time that it lives has ended by itself
		m.t.Fatal(err)
	}
	<-r.exited
	<-time.After(500 * time.Millisecond) // what it had still said is on its way through the line, on a busy machine for long
	m.next()
	switch victim {
	case leader:
		m.took = append(m.took, m.awaitLeader(began))
	case second:
		m.seconds = append(m.seconds, m.awaitLeader(began))
	default:
		m.others++
	}
}

// freezeLeader freezes the leader, and thaws it when another one leads: it ends by itself.
func (m *members) freezeLeader() {
	m.t.Helper()
	victim, _ := m.whoLeads(time.Now()) // a mailbox may just be passed on to who has joined
	r, began := m.running[victim], time.Now()
	if err := r.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		m.t.Fatal(err)
	}
	m.next()
	delete(m.running, victim) // who asks it would wait
	m.took = append(m.took, m.awaitLeader(began))
	m.running[victim] = r
	m.next()
	if err := r.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		m.t.Fatal(err)
	}
	select {
	case err := <-r.exited:
		if err == nil {
			m.t.Errorf("%s was frozen, has lost, and ends as if it had been asked to", victim)
		}
	case <-time.After(readAgainIn):
		m.t.Fatalf("%s was frozen, has lost, and works on", victim)
	}
	m.reviveAll()
}

// killServer kills the server of the database, and starts it again.
func (m *members) killServer() {
	m.t.Helper()
	if err := m.server.Kill(); err != nil {
		m.t.Fatal(err)
	}
	m.next()
	<-time.After(time.Duration(m.chance.IntN(8000)) * time.Millisecond)
	m.next() // before it answers: whoever then takes over does so at once
	if err := m.server.Run(); err != nil {
		m.t.Fatal(err)
	}
	m.servers++
	for began := time.Now(); m.leader() == "" && time.Since(began) < time.Minute; <-time.After(200 * time.Millisecond) {
		m.reviveAll()
	}
}

// ask asks a member's monitor; "" if it does not answer, or if nobody is asked.
func (m *members) ask(name, path string) string {
	if m.running[name] == nil {
		return ""
	}
	r, err := (&http.Client{Timeout: 2 * time.Second}).Get(fmt.Sprintf("http://127.0.0.1:%d/%s", m.running[name].monitor, path))
	if err != nil {
		return ""
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return ""
	}
	return string(text)
}

// reader is the member that has a mailbox open; "": none.
func (m *members) reader(box string) string {
	for _, name := range memberNames {
		if strings.Contains(m.ask(name, "metrics"), fmt.Sprintf("berthier_mailbox_connected{mailbox=%q} 1\n", box+"@"+domain)) {
			return name
		}
	}
	return ""
}

// leader is the member that leads while all mailboxes are open; "": none.
func (m *members) leader() string {
	for _, box := range m.offices {
		if m.reader(box) == "" {
			return ""
		}
	}
	for _, name := range memberNames {
		if strings.Contains(m.ask(name, "metrics"), "berthier_leads 1\n") {
			return name
		}
	}
	return ""
}

// whoLeads waits until a member leads and all mailboxes are open, and gives it, and the moment at which that was asked.
func (m *members) whoLeads(began time.Time) (string, time.Time) {
	m.t.Helper()
	for {
		asked := time.Now()
		if name := m.leader(); name != "" {
			return name, asked
		}
		if time.Since(began) > time.Minute {
			m.t.Fatal("nobody leads")
		}
		<-time.After(100 * time.Millisecond)
	}
}

// awaitLeader waits until a member leads and all mailboxes are open. What it takes on a busy machine to answer that they are is
// not counted.
func (m *members) awaitLeader(began time.Time) time.Duration {
	m.t.Helper()
	_, asked := m.whoLeads(began)
	took := asked.Sub(began)
	if took > readAgainIn {
		text, err := os.ReadFile(m.logged)
		m.t.Errorf("the mailbox was read again after %s (%v); what the members have said:\n%s", took, err, tail(string(text), 60))
	}
	return took
}

// settleAll waits until nothing is on its way any more.
func (m *members) settleAll() {
	m.t.Helper()
	limit := time.Now().Add(5 * time.Minute)
	for calm := 0; calm < 4; {
		<-time.After(500 * time.Millisecond)
		text := m.ask(m.leader(), "metrics")
		calm++
		for _, want := range []string{"berthier_outbox_due 0\n", "berthier_outbox_later 0\n"} {
			if !strings.Contains(text, want) {
				calm = 0
			}
		}
		if len(m.glob("mail", "office*", "[cn]*", "[0-9]*"))+len(m.glob("spool", "input", "*")) > 0 {
			calm = 0
		}
		if time.Now().After(limit) {
			m.t.Fatalf("the office does not settle: %d letters in the inbox, %d files in Exim's queue\n%s", len(m.glob("mail", "office*", "[cn]*", "[0-9]*")), len(m.glob("spool", "input", "*")), text)
		}
	}
	said := ""
	for began := time.Now(); time.Since(began) < readAgainIn; <-time.After(200 * time.Millisecond) { // one that was started a moment ago has no share yet
		said = m.ask(m.leader(), "health")
		if strings.HasPrefix(said, "well\n") && strings.Count(said, " of 64 shares") == 3 && strings.Contains(said, " leads") && strings.Count(said, " reads office") == 2 {
			return
		}
	}
	m.t.Errorf("health of all: %q", said)
}

// inOrder checks that the letters of each game to each player went out for the first time in the order in
// which they were written. (Those of two games may be written side by side.) And each mailbox was written to.
func (m *members) inOrder() {
	m.t.Helper()
	last := map[string]*handed{}
	for _, l := range slices.SortedFunc(maps.Values(m.post.letters), func(a, b *handed) int { return cmp.Compare(a.place, b.place) }) {
		seat := l.game + " " + l.to
		if before := last[seat]; before != nil && l.written.Before(before.written) {
			m.t.Errorf("a letter to %s of %s went out after one of %s", seat, l.written, before.written)
		}
		last[seat] = l
	}
	text, err := os.ReadFile(filepath.Join(m.dir, "log"))
	if err != nil {
		m.t.Fatal(err)
	}
	for _, box := range m.offices {
		taken := len(m.mailbox(box, ".Processed"))
		if m.t.Logf("%d letters were taken in from the mailbox %s", taken, box); taken == 0 {
			m.t.Errorf("nobody has written to %s", box)
		}
	}
	m.t.Logf("%d times a member began to lead, %d times to read a mailbox", bytes.Count(text, []byte("this member leads")), bytes.Count(text, []byte("this member reads the mailbox")))
}
