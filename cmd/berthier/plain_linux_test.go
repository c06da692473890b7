package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// If a folder or a pipe stands at the path of the database, or is named as a backup, every
// command says at once what it is: no backup has to be restored because of it, and no
// backup may replace a folder that a typing mistake in the configuration named.
func TestWhatIsNoFileIsNoDatabase(t *testing.T) {
	_, file, database := site(t, "")
	backup, pipe := filepath.Join(t.TempDir(), "backup.db"), filepath.Join(t.TempDir(), "pipe")
	makeDatabase(t, backup)
	mkfifo := func(path string) error { return syscall.Mkfifo(path, 0o600) }
	if err := mkfifo(pipe); err != nil {
		t.Fatal(err)
	}
	try := func(what, remedy string, args ...string) {
		t.Helper()
		var out bytes.Buffer
		code := make(chan int, 1)
		go func() { code <- run(t.Context(), append(args, "-c", file), &out, &out) }()
		select {
		case got := <-code:
			if text := out.String(); got != exitRefused || !strings.Contains(text, "no plain file") || !strings.Contains(text, remedy) || strings.Contains(text, "berthier restore FILE") {
				t.Errorf("%s: %v ends with %d:\n%s", what, args, got, text)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("%s: %v waits for ever", what, args)
		}
	}
	try("pipe as backup", "take another backup", "restore", pipe)
	for what, lay := range map[string]func(string) error{"folder": func(path string) error { return os.Mkdir(path, 0o700) }, "pipe": mkfifo} {
		if err := os.Remove(database); err != nil {
			t.Fatal(err)
		}
		if err := lay(database); err != nil {
			t.Fatal(err)
		}
		before, err := os.Lstat(database)
		if err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"game", "list"}, {"serve"}, {"claim"}, {"backup", database + ".copy"}, {"restore", backup}, {"doctor"}} {
			try(what, "name another path as database in the configuration", args...)
		}
		if after, err := os.Lstat(database); err != nil || !os.SameFile(before, after) {
			t.Errorf("%s: not left as it was: %v", what, err)
		}
		left, err := filepath.Glob(database + ".*")
		if err != nil || len(left) > 0 {
			t.Errorf("%s: left behind: %v %v", what, left, err)
		}
	}
}
