package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// scriptedEditor is an editor that does what its user does, time after time: it writes a line
// that no game knows, takes it out again, is there when the machine fails, changes nothing, and
// leaves an empty file. It keeps each file as it was opened.
const scriptedEditor = `#!/bin/sh
n=$(cat "$STEPS/n" 2>/dev/null || echo 1)
echo $((n + 1)) >"$STEPS/n"
cp "$1" "$STEPS/opened-$n"
case $n in
1) sed -i 's/^orders:.*/&\n  - nonsense: 17/' "$1" ;;
2) sed -i '/nonsense: 17/d' "$1" ;;
3) echo '# half a thought' >>"$1"; kill -9 $PPID; sleep 1 ;;
4) ;;
*) : >"$1" ;;
esac
`

// TestASittingInAnEditor plays on a terminal of its own with an editor. What is wrong with a file
// stands in it when the editor opens again; a death of the program while the editor is open loses
// nothing of the game; an unchanged file is asked about; an empty one leaves, and the game is
// kept.
func TestASittingInAnEditor(t *testing.T) {
	dir := t.TempDir()
	editor, folder := filepath.Join(dir, "editor"), filepath.Join(dir, "game")
	if err := os.WriteFile(editor, []byte(scriptedEditor), 0o777); err != nil {
		t.Fatal(err)
	}
	sit := func(typed string, args ...string) (string, error) {
		cmd := berthier(append([]string{"play", "--no-browser"}, args...)...)
		cmd.Env = append(cmd.Env, "VISUAL=", "EDITOR="+editor, "STEPS="+dir)
		return onItsTerminal(t, cmd, typed)
	}
	opened := func(n string) string {
		t.Helper()
		data, err := os.ReadFile(filepath.Join(dir, "opened-"+n))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	if out, err := sit("", "--out", folder); err == nil {
		t.Fatalf("the program outlived its death:\n%s", out)
	}
	if first := opened("1"); strings.Contains(first, "nonsense") || !strings.Contains(first, "\norders:") {
		t.Errorf("the editor opens first with\n%s", first)
	}
	if again := opened("2"); !strings.Contains(again, "- nonsense: 17") || !strings.Contains(again, "^ ") {
		t.Errorf("a file with a fault opens again as\n%s", again)
	}
	if _, err := os.Stat(filepath.Join(dir, "opened-4")); err == nil {
		t.Fatal("the editor was opened after the death")
	}
	next := opened("3")
	out, err := sit("y\n", "--resume", folder)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := opened("4"); !strings.Contains(got, "\norders:") || stopIn(got) != stopIn(next) || stopIn(next) == stopIn(opened("1")) {
		t.Errorf("before the death the editor had\n%s\nand after it\n%s", next, got)
	}
	if stopIn(opened("5")) == stopIn(next) {
		t.Errorf("an unchanged file and a yes did not answer the stop:\n%s", out)
	}
	if !strings.Contains(out, "The game is kept") {
		t.Errorf("an empty file does not leave the game:\n%s", out)
	}
	if left, err := os.ReadFile(filepath.Join(folder, ordersName)); err != nil || stopIn(string(left)) != stopIn(opened("5")) {
		t.Errorf("who leaves finds no order file for when he comes back: %v\n%s", err, left)
	}
}

// stopIn is the line of an order file that says which stop it answers.
func stopIn(file string) string {
	for line := range strings.Lines(file) {
		if strings.HasPrefix(line, "stop:") {
			return line
		}
	}
	return ""
}

// onItsTerminal runs a process on a terminal, types a text there, and gives what stood on it.
func onItsTerminal(t *testing.T, cmd *exec.Cmd, typed string) (string, error) {
	t.Helper()
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 40, Cols: 100})
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	var screen bytes.Buffer
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(&screen, terminal) // it ends with an error when the last program leaves the terminal
	}()
	if _, err := io.WriteString(terminal, typed); err != nil {
		t.Fatal(err)
	}
	patience := time.AfterFunc(5*time.Minute, func() { _ = cmd.Process.Kill() })
	defer patience.Stop()
	err = cmd.Wait()
	<-read
	return screen.String(), err
}
