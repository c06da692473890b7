//go:build e2e

package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// programTime is how long another program may take: a mail program, a browser. The slowest takes
// seconds, on a busy machine too; who takes longer hangs, and must not take the other tests with it.
const programTime = 90 * time.Second

// programError is what a program died of: context.DeadlineExceeded if it hung.
func programError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// another is a program that is not ours, and what it started, dead after programTime.
func another(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// runAnother runs another program, and gives what it said, faults included.
func runAnother(t *testing.T, set func(*exec.Cmd), name string, args ...string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), programTime)
	defer cancel()
	cmd := another(ctx, name, args...)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if set != nil {
		set(cmd)
	}
	err := cmd.Run()
	return said.String(), programError(ctx, err)
}

// onTerminal runs another program on a terminal of its own, and gives what stood on it.
func onTerminal(t *testing.T, set func(*exec.Cmd), name string, args ...string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), programTime)
	defer cancel()
	cmd := another(ctx, name, args...)
	cmd.SysProcAttr = nil // the terminal makes a session of it, which is a group as well
	set(cmd)
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
	if err != nil {
		t.Fatalf("start %s: %v (.ci/install installs what this test needs)", name, err)
	}
	var screen bytes.Buffer
	read := make(chan struct{})
	go func() {
		_, _ = io.Copy(&screen, terminal) // it ends with an error when the last program leaves the terminal
		close(read)
	}()
	err = programError(ctx, cmd.Wait())
	_ = terminal.Close()
	<-read
	return screen.String(), err
}

// ended waits until a process of our own program, which was told to, ends. If it hangs it says
// what each goroutine does, and the test ends.
func ended(t *testing.T, cmd *exec.Cmd) error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case err := <-done:
		return err
	case <-time.After(programTime):
	}
	_ = cmd.Process.Signal(syscall.SIGQUIT)
	select {
	case <-done:
	case <-time.After(programTime / 9):
		_ = cmd.Process.Kill()
	}
	t.Fatalf("%v does not end\n%s", cmd.Args, cmd.Stderr)
	return nil
}

// TestEndToEndProgramsThatHang sees that a program that hangs is ended, with what it has started.
func TestEndToEndProgramsThatHang(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	cmd := another(ctx, "sh", "-c", "trap '' TERM INT HUP; sleep 3600 & wait")
	cmd.Stdout = in
	if err := programError(ctx, cmd.Run()); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a program that hangs ended with %v", err)
	}
	_ = in.Close()
	// The pipe ends when the last that holds it is dead.
	if err := out.SetReadDeadline(time.Now().Add(programTime)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(out); err != nil {
		t.Errorf("what it started lives on: %v", err)
	}
}
