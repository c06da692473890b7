package main

import (
	"bytes"
	"context"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// In a game whose master plays, with a running daemon, the command line shows nothing
// hidden and takes no ruling except in the name of an administrator who does not play.
// Codes of previews hold through the daemon, too, once and only for what they were given
// for. A game whose caretaker does not play stays as open as ever.
func TestCommandLineThroughTheDaemon(t *testing.T) {
	host, file, database := site(t, "")
	for _, box := range []string{"anna@club.example", "bruno@mail.example", "clara@mail.example"} {
		if err := host.AddBox(box, "secret"); err != nil { // otherwise letters come back, which goes into the log and makes codes stale
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	keep(t, file, strings.Replace(string(text), "office: {address: office@club.example}",
		"office:\n  address: office@club.example\n  administrators:\n    - {name: Anna, address: anna@club.example}\n    - {name: Bruno, address: bruno@mail.example}", 1))
	serves(t, file, database)
	set := filepath.Join(t.TempDir(), "set-up.yaml")
	keep(t, set, `game: ligny-7
system: napoleon
options: {setup: historical}
gm: {name: Clara, address: clara@mail.example}
seats:
  french: {name: Bruno, address: bruno@mail.example}
  allied: {name: Clara, address: clara@mail.example}
deadline: 72h
`)
	do := func(want int, says string, args ...string) string {
		t.Helper()
		var out, errout bytes.Buffer
		if code := run(t.Context(), append(args, "-c", file), &out, &errout); code != want || !strings.Contains(out.String()+errout.String(), says) {
			t.Fatalf("berthier %s: %d, want %d with %q\n%s%s", strings.Join(args, " "), code, want, says, &out, &errout)
		}
		return out.String() + errout.String()
	}
	do(0, "has begun", "game", "new", set)
	orders := filepath.Join(filepath.Dir(set), "orders.yaml")
	keep(t, orders, "game: ligny-7\nside: french\nstop: 1 move\norders: default\n")
	weaker := filepath.Join(filepath.Dir(set), "weaker.yaml")
	keep(t, weaker, "reason: it was counted twice\nset: {units: {F-14: {strength: 1}}}\n")
	guarded := [][]string{
		{"game", "show", "ligny-7"}, {"game", "position", "ligny-7"}, {"game", "disputes", "ligny-7"}, {"game", "stop", "ligny-7", "1"},
		{"game", "export", "ligny-7"}, {"game", "export", "ligny-7", "--side", "french"}, {"game", "verify", "ligny-7"},
		{"game", "what-if", "ligny-7"}, {"check", orders}, {"choices", "ligny-7", "--seat", "french"}, {"game", "answer", "ligny-7", "french", orders},
		{"game", "replace", "ligny-7", "french", "--name", "X", "--address", "x@mail.example"},
		{"game", "process", "ligny-7"}, {"game", "vacate", "ligny-7", "french"}, {"game", "change", "ligny-7", set},
		{"game", "refile", "ligny-7"}, {"game", "refile", "ligny-7", "french", "1"},
		{"rule", "ligny-7", weaker}, {"game", "rewind", "ligny-7", "--stop", "1", "--orders", "new", "--reason", "r"},
	}
	for i, args := range guarded {
		names := []string{"clara@mail.example", "Bruno@Mail.example", "root", "x@x.example", "anna@club.example\nx"}
		for _, who := range []string{"", names[i%len(names)]} {
			with := args
			if who != "" {
				with = append(args[:len(args):len(args)], "--as", who)
			}
			if said := do(exitRefused, "--as with the address of one who does neither: anna@club.example", with...); strings.Contains(said, "F-14") {
				t.Errorf("%v as %q tells what is hidden", args, who)
			}
		}
	}
	if said := do(0, "ligny-7", "game", "list"); strings.Contains(said, "french") {
		t.Errorf("the list tells who has written:\n%s", said)
	}

	anna := []string{"--as", "anna@club.example"}
	as := func(args ...string) []string { return append(args, anna...) }
	do(0, "clara@mail.example", as("game", "show", "ligny-7")...)
	do(0, "F-14", as("game", "position", "ligny-7", "--yaml")...)
	preview := do(0, "nothing has changed yet", as("rule", "ligny-7", weaker)...)
	code := ruledCode.FindStringSubmatch(preview)[1]
	do(exitRefused, "--as with", "rule", "ligny-7", "--confirm", code)
	do(0, "nothing has changed yet", as("rule", "ligny-7", weaker, "--confirm", "AAAA-AAAA")...)
	do(0, "nothing has changed yet", as("rule", "ligny-7", "--confirm", code)...) // there was a preview since then
	code = ruledCode.FindStringSubmatch(do(0, "nothing has changed yet", as("rule", "ligny-7", weaker)...))[1]
	do(0, "It counts", as("rule", "ligny-7", "--confirm", code)...)
	do(exitRefused, "no preview to confirm", as("rule", "ligny-7", "--confirm", code)...)
	do(0, "F-14: {at: beaumont, strength: 1", as("game", "position", "ligny-7", "--yaml")...)
	if said := do(0, "command line: anna@club.example", as("game", "export", "ligny-7")...); strings.Count(said, `\"kind\":\"looked\"`) < 3 {
		t.Error("not every look is in the log")
	}
	do(exitUnproven, "could not be checked completely", as("game", "verify", "ligny-7")...)
}

// serves runs the daemon of a configuration until the test ends, and waits until it answers.
func serves(t *testing.T, file, database string) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	var log buffer
	ended := make(chan int, 1)
	go func() { ended <- run(ctx, []string{"serve", "-c", file}, io.Discard, &log) }()
	t.Cleanup(func() { stop(); <-ended })
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for range tick.C {
		if c, err := net.Dial("unix", socket(database)); err == nil {
			c.Close()
			break
		}
		select {
		case code := <-ended:
			ended <- code
			t.Fatalf("the daemon ended with %d: %s", code, log.String())
		default:
		}
	}
}
