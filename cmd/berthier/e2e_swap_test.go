//go:build e2e

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Between a real Dovecot and a real Exim: a daemon whose file was exchanged leaves orders
// in the inbox and says so, a second daemon on the file in its place is refused, and what
// the first one has can be saved. The mailbox is not read for a new database until it is
// assigned to that database. Doctor fails where serve does.
func TestEndToEndSwappedDatabase(t *testing.T) {
	s := startServers(t, "office", "gm", "french", "allied")
	w := newSwapped(t, s)

	w.serve()
	w.berthier("game", "new", "-c", w.config, w.file("set-up.yaml"))
	var p *remotePlayer
	stopAt := 0
	for _, seat := range w.show().Seats {
		if seat.Owes != nil && p == nil {
			p, stopAt = w.player(seat.Side), seat.Stop
		}
	}
	report := p.reportOf(stopAt)
	position := w.position()
	view := position.View(p.side)
	var file string
	for _, seat := range w.show().Seats {
		if seat.Side == p.side {
			file = p.orders(report, view, *seat.Owes, seat.Stop)
		}
	}
	w.berthier("backup", "-c", w.config, w.file("copy.db"))
	data, err := os.ReadFile(w.file("copy.db"))
	if err := errors.Join(err, os.Remove(w.file("berthier.db")), os.WriteFile(w.file("berthier.db"), data, 0o600)); err != nil {
		t.Fatal(err)
	}
	p.send(file)
	w.says("no longer the file at its path")
	w.says("1 letters could not be taken in")
	if n := w.inbox(); n != 1 {
		t.Errorf("%d letters lie in the inbox, want the orders", n)
	}
	w.refused("berthier serve answers at", "serve", "-c", w.file("second.yaml"))
	w.refused("no longer the file at its path", "doctor", "-c", w.config)
	w.berthier("backup", "-c", w.config, w.file("saved.db"))
	w.stop()

	w.refusesNew()
	w.refusesReadOnly()

	// The copy, put in place of the file, goes on, and takes the orders in.
	w.serve()
	p.nextLetter()
	for began := time.Now(); w.inbox() > 0; <-time.After(20 * time.Millisecond) {
		if time.Since(began) > 20*time.Second {
			t.Fatal("the orders stay in the inbox")
		}
	}
	for _, seat := range w.show().Seats {
		if seat.Side == p.side && seat.Owes != nil && seat.Stop == stopAt && !seat.Answered {
			t.Error("the orders do not count")
		}
	}
	w.write("elsewhere.yaml", strings.Replace(w.quiet, w.file("berthier.db"), w.file("other.db"), 1))
	w.berthier("init", "-c", w.file("elsewhere.yaml"))
	w.refused("the mailbox is read by the office on ", "doctor", "-c", w.file("elsewhere.yaml"))
	w.refused("the mailbox is read by the office on ", "claim", "-c", w.file("elsewhere.yaml"))
	w.stop()
	w.berthier("claim", "-c", w.file("elsewhere.yaml"))
	w.refused("another database has worked on this mailbox", "serve", "-c", w.config)
}

// swapped is an office whose database is put in the place of another.
type swapped struct {
	*endToEnd
	monitor string // where its health is asked for
	quiet   string // its configuration without that
}

func newSwapped(t *testing.T, s *servers) *swapped {
	t.Helper()
	w := &swapped{endToEnd: newEndToEnd(t, s), monitor: fmt.Sprintf("127.0.0.1:%d", freeLocalPort(t))}
	quiet, err := os.ReadFile(w.config)
	if err != nil {
		t.Fatal(err)
	}
	w.quiet = string(quiet)
	w.write("berthier.yaml", w.quiet+"watch: {listen: \""+w.monitor+"\"}\n")
	w.write("second.yaml", w.quiet)
	w.write("set-up.yaml", `game: e2e-1
system: napoleon
options: {setup: free}
gm: {name: The game master, address: gm@`+domain+`}
seats:
  french: {name: Bruno, address: french@`+domain+`}
  allied: {name: Clara, address: allied@`+domain+`}
deadline: 72h
second-thoughts: none
`)
	return w
}

// says waits until the health page says something.
func (w *swapped) says(want string) {
	w.t.Helper()
	text := ""
	for began := time.Now(); time.Since(began) < 30*time.Second; <-time.After(50 * time.Millisecond) {
		if r, err := http.Get("http://" + w.monitor + "/health"); err == nil {
			all, _ := io.ReadAll(r.Body)
			r.Body.Close()
			if text = string(all); strings.Contains(text, want) {
				return
			}
		}
	}
	w.t.Fatalf("health never says %q, but\n%s", want, text)
}

// refused runs a command that must be refused with some words.
func (w *swapped) refused(want string, args ...string) {
	w.t.Helper()
	var said bytes.Buffer
	cmd := exec.Command(w.program, args...)
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	limit := time.AfterFunc(30*time.Second, func() { cmd.Process.Kill() })
	defer limit.Stop()
	if err := ended(w.t, cmd); cmd.ProcessState.ExitCode() != exitRefused || !strings.Contains(said.String(), want) {
		w.t.Errorf("%v: %v, does not say %q:\n%s", args, err, want, &said)
	}
}

// stop asks the daemon to stop.
func (w *swapped) stop() {
	w.t.Helper()
	if err := w.daemon.Process.Signal(syscall.SIGTERM); err != nil {
		w.t.Fatal(err)
	}
	if err := ended(w.t, w.daemon); err != nil {
		w.t.Errorf("asked to stop, the daemon ended with %v", err)
	}
}

// inbox is how many letters lie in the office's inbox.
func (w *swapped) inbox() int {
	letters, err := filepath.Glob(filepath.Join(w.s.dir, "mail", "office", "[cn]*", "[0-9]*"))
	if err != nil {
		w.t.Fatal(err)
	}
	return len(letters)
}

// refusesNew finds that the mailbox is not read for a new database.
func (w *swapped) refusesNew() {
	w.t.Helper()
	if err := os.Rename(w.file("berthier.db"), w.file("right.db")); err != nil {
		w.t.Fatal(err)
	}
	w.berthier("init", "-c", w.config)
	w.refused("another database has worked on this mailbox", "serve", "-c", w.config)
	w.refused("another database has worked on this mailbox", "doctor", "-c", w.config)
	if err := errors.Join(os.Remove(w.file("berthier.db")), os.Rename(w.file("right.db"), w.file("berthier.db"))); err != nil {
		w.t.Fatal(err)
	}
}

// refusesReadOnly finds that nothing begins while the file system can only be read.
func (w *swapped) refusesReadOnly() {
	w.t.Helper()
	if err := errors.Join(syscall.Mount(w.dir, w.dir, "", syscall.MS_BIND, ""), syscall.Mount("", w.dir, "", syscall.MS_BIND|syscall.MS_REMOUNT|syscall.MS_RDONLY, "")); err != nil {
		w.t.Fatalf("mount: %v (the end-to-end tests run as root)", err)
	}
	w.refused("remount it for writing", "serve", "-c", w.config)
	w.refused("remount it for writing", "doctor", "-c", w.config)
	if err := syscall.Unmount(w.dir, syscall.MNT_DETACH); err != nil {
		w.t.Fatal(err)
	}
}
