//go:build e2e

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A second daemon on the same database or on the same mailbox of a real Dovecot
// refuses to start and says why, even when the first one was killed. When the first one
// is started again it gets the mailbox at once; once it is stopped, so does the office to
// which the mailbox is assigned.
func TestEndToEndSecondDaemon(t *testing.T) {
	s := startServers(t, "office")
	e := newEndToEnd(t, s)
	text, err := os.ReadFile(e.config)
	if err != nil {
		t.Fatal(err)
	}
	e.write("other.yaml", strings.Replace(string(text), e.file("berthier.db"), e.file("other.db"), 1))
	e.berthier("init", "-c", e.file("other.yaml"))

	refused := func(config, why, remedy string) {
		t.Helper()
		var said bytes.Buffer
		second := exec.Command(e.program, "serve", "-c", e.file(config))
		second.Stderr = &said
		began := time.Now()
		if err := second.Start(); err != nil {
			t.Fatal(err)
		}
		limit := time.AfterFunc(20*time.Second, func() { second.Process.Kill() })
		defer limit.Stop()
		if err := ended(t, second); second.ProcessState.ExitCode() != exitRefused {
			t.Errorf("a second daemon with %s: %v after %s\n%s", config, err, time.Since(began), &said)
		}
		for _, want := range []string{why, "hint: " + remedy} {
			if !strings.Contains(said.String(), want) {
				t.Errorf("a second daemon with %s does not say %q:\n%s", config, want, &said)
			}
		}
	}
	sameBase := func() {
		t.Helper()
		refused("berthier.yaml", "another process has the database open", "another berthier serve runs with this database")
	}
	sameBox := func() {
		t.Helper()
		refused("other.yaml", "the mailbox is read by the office on ", "a mailbox can have only one office")
	}

	e.serve()
	e.claimed()
	sameBase()
	sameBox()
	e.kill()
	sameBox() // nobody can tell a dead daemon from one that sleeps
	e.serve()
	e.claimed()
	sameBox()
	if err := e.daemon.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := ended(t, e.daemon); err != nil {
		t.Errorf("asked to stop, the daemon ended with %v", err)
	}
	refused("other.yaml", "another database has worked on this mailbox", "put the right database in place")
	e.berthier("claim", "-c", e.file("other.yaml"))
	second := start(t, e.program, "serve", "-c", e.file("other.yaml"))
	e.claimed()
	if err := second.Process.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("the other office does not run: %v", err)
	}
}

// claimed waits until an office has claimed the mailbox.
func (e *endToEnd) claimed() {
	e.t.Helper()
	for began := time.Now(); ; {
		claims, err := filepath.Glob(filepath.Join(e.s.dir, "mail", "office", ".Berthier", "[cn]*", "[0-9]*"))
		if err != nil {
			e.t.Fatal(err)
		}
		for _, path := range claims { // the mark lies beside the claims
			if text, err := os.ReadFile(path); err == nil && bytes.Contains(text, []byte("X-Berthier-Holder:")) {
				return
			}
		}
		if time.Since(began) > 20*time.Second {
			e.t.Fatal("nobody has claimed the mailbox")
		}
		<-time.After(20 * time.Millisecond)
	}
}
