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
	e := newEndToEnd(t, s)
	monitor := fmt.Sprintf("127.0.0.1:%d", freeLocalPort(t))
	quiet, err := os.ReadFile(e.config)
	if err != nil {
		t.Fatal(err)
	}
	e.write("berthier.yaml", string(quiet)+"watch: {listen: \""+monitor+"\"}\n")
	e.write("second.yaml", string(quiet))
	e.write("set-up.yaml", `game: e2e-1
system: napoleon
options: {setup: free}
gm: {name: The game master, address: gm@`+domain+`}
seats:
  french: {name: Bruno, address: french@`+domain+`}
  allied: {name: Clara, address: allied@`+domain+`}
deadline: 72h
second-thoughts: none
`)
	says := func(want string) {
		t.Helper()
		text := ""
		for began := time.Now(); time.Since(began) < 30*time.Second; <-time.After(50 * time.Millisecond) {
			if r, err := http.Get("http://" + monitor + "/health"); err == nil {
				all, _ := io.ReadAll(r.Body)
				r.Body.Close()
				if text = string(all); strings.Contains(text, want) {
					return
				}
			}
		}
		t.Fatalf("health never says %q, but\n%s", want, text)
	}
	refused := func(want string, args ...string) {
		t.Helper()
		var said bytes.Buffer
		cmd := exec.Command(e.program, args...)
		cmd.Stdout, cmd.Stderr = &said, &said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		limit := time.AfterFunc(30*time.Second, func() { cmd.Process.Kill() })
		defer limit.Stop()
		if err := ended(t, cmd); cmd.ProcessState.ExitCode() != exitRefused || !strings.Contains(said.String(), want) {
			t.Errorf("%v: %v, does not say %q:\n%s", args, err, want, &said)
		}
	}
	stop := func() {
		t.Helper()
		if err := e.daemon.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if err := ended(t, e.daemon); err != nil {
			t.Errorf("asked to stop, the daemon ended with %v", err)
		}
	}
	inbox := func() int {
		letters, err := filepath.Glob(filepath.Join(s.dir, "mail", "office", "[cn]*", "[0-9]*"))
		if err != nil {
			t.Fatal(err)
		}
		return len(letters)
	}

	e.serve()
	e.berthier("game", "new", "-c", e.config, e.file("set-up.yaml"))
	var p *remotePlayer
	stopAt := 0
	for _, seat := range e.show().Seats {
		if seat.Owes != nil && p == nil {
			p, stopAt = e.player(seat.Side), seat.Stop
		}
	}
	report := p.reportOf(stopAt)
	position := e.position()
	view := position.View(p.side)
	var file string
	for _, seat := range e.show().Seats {
		if seat.Side == p.side {
			file = p.orders(report, view, *seat.Owes, seat.Stop)
		}
	}
	e.berthier("backup", "-c", e.config, e.file("copy.db"))
	data, err := os.ReadFile(e.file("copy.db"))
	if err := errors.Join(err, os.Remove(e.file("berthier.db")), os.WriteFile(e.file("berthier.db"), data, 0o600)); err != nil {
		t.Fatal(err)
	}
	p.send(file)
	says("no longer the file at its path")
	says("1 letters could not be taken in")
	if n := inbox(); n != 1 {
		t.Errorf("%d letters lie in the inbox, want the orders", n)
	}
	refused("berthier serve answers at", "serve", "-c", e.file("second.yaml"))
	refused("no longer the file at its path", "doctor", "-c", e.config)
	e.berthier("backup", "-c", e.config, e.file("saved.db"))
	stop()

	// The mailbox is not read for a new database.
	if err := os.Rename(e.file("berthier.db"), e.file("right.db")); err != nil {
		t.Fatal(err)
	}
	e.berthier("init", "-c", e.config)
	refused("another database has worked on this mailbox", "serve", "-c", e.config)
	refused("another database has worked on this mailbox", "doctor", "-c", e.config)
	if err := errors.Join(os.Remove(e.file("berthier.db")), os.Rename(e.file("right.db"), e.file("berthier.db"))); err != nil {
		t.Fatal(err)
	}

	// Now the file system can only be read.
	if err := errors.Join(syscall.Mount(e.dir, e.dir, "", syscall.MS_BIND, ""), syscall.Mount("", e.dir, "", syscall.MS_BIND|syscall.MS_REMOUNT|syscall.MS_RDONLY, "")); err != nil {
		t.Fatalf("mount: %v (the end-to-end tests run as root)", err)
	}
	refused("remount it for writing", "serve", "-c", e.config)
	refused("remount it for writing", "doctor", "-c", e.config)
	if err := syscall.Unmount(e.dir, syscall.MNT_DETACH); err != nil {
		t.Fatal(err)
	}

	// The copy, put in place of the file, goes on, and takes the orders in.
	e.serve()
	p.nextLetter()
	for began := time.Now(); inbox() > 0; <-time.After(20 * time.Millisecond) {
		if time.Since(began) > 20*time.Second {
			t.Fatal("the orders stay in the inbox")
		}
	}
	for _, seat := range e.show().Seats {
		if seat.Side == p.side && seat.Owes != nil && seat.Stop == stopAt && !seat.Answered {
			t.Error("the orders do not count")
		}
	}
	e.write("elsewhere.yaml", strings.Replace(string(quiet), e.file("berthier.db"), e.file("other.db"), 1))
	e.berthier("init", "-c", e.file("elsewhere.yaml"))
	refused("the mailbox is read by the office on ", "doctor", "-c", e.file("elsewhere.yaml"))
	refused("the mailbox is read by the office on ", "claim", "-c", e.file("elsewhere.yaml"))
	stop()
	e.berthier("claim", "-c", e.file("elsewhere.yaml"))
	refused("another database has worked on this mailbox", "serve", "-c", e.config)
}
