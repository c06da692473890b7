//go:build e2e

package main

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"berthier/adjudicator/store/postgres/postgrestest"
)

// loadMembersVariable names how many members share the load, one number for each run; without it two do.
const loadMembersVariable = "BERTHIER_LOAD_MEMBERS"

// TestEndToEndLoadMembers has letters wait as TestEndToEndLoad does, and so many members of one office on this machine take
// them in, over one database of PostgreSQL and one mailbox. Each letter must be judged and answered exactly once, as with one
// member. With BERTHIER_LOAD_MEMBERS="1 2 4" it tells what further members gain, or cost.
func TestEndToEndLoadMembers(t *testing.T) {
	n := lettersOfLoad(t)
	for _, text := range strings.Fields(cmp.Or(os.Getenv(loadMembersVariable), "2")) {
		members, err := strconv.Atoi(text)
		if err != nil || members < 1 || members > 16 {
			t.Fatalf("%s=%s: give numbers of members", loadMembersVariable, text)
		}
		t.Run(fmt.Sprintf("members=%d", members), func(t *testing.T) {
			var server *postgrestest.Server
			l := newLoad(t, n, func(l *load, configuration string) string {
				server = postgrestest.Need(t)
				return strings.Replace(configuration, "database: "+l.file("berthier.db"),
					fmt.Sprintf("database: {url: %q, secret-file: office.secret, member: MEMBER, folder: %s}", server.URL, l.dir), 1)
			}, "office")
			got := l.members(members, server)
			l.check()
			each := func(d time.Duration) string {
				return fmt.Sprintf("%.1f s, %.0f letters a second", d.Seconds(), float64(n)/d.Seconds())
			}
			l.say("%d letters, %d members: all had a part %.1f s after the start; then taken in and filed: %s; all %d letters that follow at the SMTP server: %s",
				n, members, got.ready.Seconds(), each(got.taken), l.sent, each(got.answered))
			l.say("%d members: processor time a letter %.2f ms, and %.2f ms of the database's server", members, ms(got.cpu)/float64(n), ms(got.server)/float64(n))
		})
	}
}

// A sharedRun is what several members did.
type sharedRun struct {
	ready, taken, answered time.Duration // until the first letter was taken in; from then on until all were, and all that follows had gone
	cpu, server            time.Duration // processor time of the members, and of the database's server meanwhile
}

// members runs so many members until the mailbox and the outbox are empty.
func (l *load) members(n int, server *postgrestest.Server) (m sharedRun) {
	t := l.t
	t.Helper()
	text, err := os.ReadFile(l.config)
	if err != nil {
		t.Fatal(err)
	}
	var watches []string
	var running []*exec.Cmd
	before, begun := serverWork(t, server), time.Now()
	for i := range n {
		name, watch := fmt.Sprintf("member%d", i+1), "127.0.0.1:"+strconv.Itoa(freeLocalPort(t))
		l.write(name+".yaml", strings.NewReplacer("member: MEMBER", "member: "+name, l.watch, watch).Replace(string(text)))
		log, err := os.Create(l.file(name + ".log"))
		if err != nil {
			t.Fatal(err)
		}
		defer log.Close()
		cmd := exec.Command(l.program, "serve", "-c", l.file(name+".yaml"))
		cmd.Stdout, cmd.Stderr = log, log
		cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		running, watches = append(running, cmd), append(watches, watch)
		defer func() {
			if t.Failed() {
				cmd.Process.Kill()
				cmd.Wait()
				text, _ := os.ReadFile(log.Name())
				t.Logf("end of the log of %s:\n%s", name, tail(string(text), 20))
			}
		}()
	}
	l.await(begun, watches, &m)
	for i, cmd := range running {
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err != nil {
			t.Fatalf("member %d ended: %v", i+1, err)
		}
		m.cpu += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	m.server = serverWork(t, server) - before
	return m
}

// await waits until the members have taken all letters in, and sent all that follows.
func (l *load) await(begun time.Time, watches []string, m *sharedRun) {
	t := l.t
	t.Helper()
	limit := begun.Add(2*time.Minute + time.Duration(l.n)*400*time.Millisecond)
	tick := time.NewTicker(300 * time.Millisecond) // seldom: to be asked costs them something, too
	defer tick.Stop()
	box := filepath.Join(l.s.dir, "mail", "office")
	var first, quiet time.Time // when the first letter was taken in; since when there has been nothing to send
	for range tick.C {
		taken, sent, due := 0, 0, 0
		for _, watch := range watches {
			totals := l.totalsOf(watch)
			taken, sent, due = taken+int(totals["letters_taken_total"]), sent+int(totals["letters_sent_total"]), max(due, int(totals["outbox_due"]))
		}
		now := time.Now()
		if now.After(limit) {
			t.Fatalf("not done in time: %d letters taken in, %d sent, %d due", taken, sent, due)
		}
		if taken > 0 && first.IsZero() {
			first, m.ready = now, now.Sub(begun)
		}
		if taken >= l.n && m.taken == 0 && l.files(box) == 0 {
			m.taken = now.Sub(first)
		}
		switch {
		case m.taken == 0 || due != 0:
			quiet = time.Time{}
		case quiet.IsZero() || sent != l.sent:
			quiet, l.sent = now, sent
		case now.Sub(quiet) >= 4*time.Second: // nothing follows: reports that wait a second have gone, too
			m.answered = quiet.Sub(first)
			return
		}
	}
}

// serverWork is how much processor time a server of PostgreSQL has taken: its first process, those that it has now, and those that
// have ended.
func serverWork(t *testing.T, s *postgrestest.Server) time.Duration {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(s.Folder(), "data", "postmaster.pid"))
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(text), "\n")
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	ticks := 0
	for _, path := range stats {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		pid := filepath.Base(filepath.Dir(path))
		_, rest, _ := strings.Cut(string(text), ") ") // behind its name
		f := strings.Fields(rest)
		if len(f) < 15 || pid != first && f[1] != first {
			continue
		}
		columns := []int{11, 12} // of itself
		if pid == first {
			columns = append(columns, 13, 14) // and of those of its processes that have ended
		}
		for _, at := range columns {
			one, err := strconv.Atoi(f[at])
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			ticks += one
		}
	}
	return time.Duration(ticks) * time.Second / 100 // the unit of the kernel's tables
}
