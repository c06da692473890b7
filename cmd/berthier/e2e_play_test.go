//go:build e2e

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A playServer is berthier play --mail as it runs.
type playServer struct {
	*exec.Cmd
	imap, smtp string
}

// servePlay starts it in a folder, with further arguments, and reads where its servers are.
func servePlay(t *testing.T, args ...string) *playServer {
	t.Helper()
	return serveMail(t, append([]string{"play", "--mail"}, args...)...)
}

// serveMail starts a command that serves a game by mail.
func serveMail(t *testing.T, args ...string) *playServer {
	t.Helper()
	p := &playServer{Cmd: berthier(args...)}
	p.Stderr = new(bytes.Buffer)
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Process.Kill() })
	for lines := bufio.NewScanner(out); lines.Scan(); {
		name, value, _ := strings.Cut(strings.TrimSpace(lines.Text()), "server")
		switch strings.TrimSpace(name) {
		case "IMAP":
			p.imap = strings.TrimSpace(value)
		case "SMTP":
			p.smtp = strings.TrimSpace(value)
		}
		if strings.Contains(lines.Text(), "answer them there") {
			return p
		}
	}
	t.Fatal("the servers do not start")
	return nil
}

// mutt opens the inbox in mutt on a terminal of its own, answers the last letter with a word
// above what it quotes, and leaves.
func (p *playServer) mutt(t *testing.T, dir, word string) {
	t.Helper()
	p.muttAs(t, dir, playPlayer, word)
}

// muttAs does the same as one of several players.
func (p *playServer) muttAs(t *testing.T, dir, who, word string) {
	t.Helper()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	editor := write("editor", fmt.Sprintf("#!/bin/sh\nsed -i '1i %s\\n' \"$1\"\n", word), 0o755)
	rc := write("playrc", fmt.Sprintf(`set imap_user = "%[1]s"
set imap_pass = "%[2]s"
set imap_authenticators = "login"
set folder = "imap://%[3]s/"
set spoolfile = "imap://%[3]s/INBOX"
set smtp_url = "smtp://%[1]s@%[4]s/"
set smtp_pass = "%[2]s"
set smtp_authenticators = "plain"
set ssl_starttls = no
set ssl_force_tls = no
set from = "%[1]s"
set use_from = yes
set editor = "%[5]s"
set include = yes
set fast_reply = yes
set copy = no
set postpone = no
set delete = no
set sort = mailbox-order
set header_cache = ""
set tmpdir = "%[6]s"
push "<last-entry><reply><send-message><quit>"
`, who, playPassword, p.imap, p.smtp, editor, dir), 0o600)
	for try := 1; ; try++ {
		screen, err := onTerminal(t, func(cmd *exec.Cmd) { cmd.Env = append(os.Environ(), "TERM=xterm", "HOME="+dir) }, "mutt", "-n", "-F", rc)
		if err == nil {
			return
		}
		// It may be opened again if it sent nothing.
		if try == 2 || !errors.Is(err, context.DeadlineExceeded) || strings.Contains(screen, "Sending message") {
			t.Fatalf("mutt: %v\n%s", err, screen)
		}
		t.Logf("mutt hung, and is opened again; its screen was\n%s", screen)
	}
}

// letters counts the letters of a folder to somebody, once enough have come.
func waitForLetters(t *testing.T, folder, to string, least int) {
	t.Helper()
	for until := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		all, err := filepath.Glob(filepath.Join(folder, "letters", "*-to-"+to+".eml"))
		if err != nil {
			t.Fatal(err)
		}
		if len(all) >= least {
			return
		}
		if time.Now().After(until) {
			t.Fatalf("%d letters to %s, want %d", len(all), to, least)
		}
	}
}

// lettersTo is how many letters to somebody lie in a folder.
func lettersTo(t *testing.T, folder, to string) int {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(folder, "letters", "*-to-"+to+".eml"))
	if err != nil {
		t.Fatal(err)
	}
	return len(all)
}

// TestEndToEndPlayByMail plays against the bot in a real mail program, mutt, which reads the
// report by IMAP and answers it by SMTP. The servers are killed, and interrupted, between the
// letters; each time the inbox is as it was, and the game goes on.
func TestEndToEndPlayByMail(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "game")
	p := servePlay(t, "--out", folder)
	for round, end := range []os.Signal{os.Interrupt, syscall.SIGKILL, os.Interrupt} {
		before := lettersTo(t, folder, "player")
		p.mutt(t, dir, "ok")
		waitForLetters(t, folder, "player", before+1)
		if err := p.Process.Signal(end); err != nil {
			t.Fatal(err)
		}
		_ = ended(t, p.Cmd)
		out, err := berthier("play", "--no-browser", "--resume", folder).CombinedOutput()
		if want := fmt.Sprintf("orders for stop %d", round+2); err != nil || !strings.Contains(string(out), want) {
			t.Fatalf("after %d letters by mutt the game is not at %q: %v\n%s", round+1, want, err, out)
		}
		p = servePlay(t, "--resume", folder)
	}
}

// TestEndToEndDemoIsServed plays a game of two people through their mailboxes on this machine,
// each with mutt, over a death of the process.
func TestEndToEndDemoIsServed(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "game")
	french, allied := "french@"+demoDomain, "allied@"+demoDomain
	p := serveMail(t, "demo", "--serve", "--out", folder)
	waitForLetters(t, folder, "french", 1)
	waitForLetters(t, folder, "allied", 1)
	p.muttAs(t, dir, french, "ok") // deploys
	waitForLetters(t, folder, "french", 2)
	_ = p.Process.Kill()
	_ = ended(t, p.Cmd)
	p = serveMail(t, "demo", "--serve", "--out", folder)
	before := lettersTo(t, folder, "allied")
	p.muttAs(t, dir, allied, "default")
	waitForLetters(t, folder, "allied", before+1)
	if err := p.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = ended(t, p.Cmd)
	if out, err := berthier("demo", "--serve", "--seed", "7").CombinedOutput(); err == nil || !strings.Contains(string(out), "leave them out with --serve") {
		t.Errorf("a seed for people: %v\n%s", err, out)
	}
}
