//go:build unix

package postgrestest

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// asUser runs a program as a user without rights, in a group of processes of its own.
func asUser(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if os.Geteuid() != 0 {
		return
	}
	if uid, gid, err := nobody(); err == nil {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	}
}

// killAll kills a process, its group, and whom it has started: each of PostgreSQL's connections is served by a process with a
// group of its own, which would otherwise finish what it is at.
func killAll(pid int) error {
	_ = syscall.Kill(pid, syscall.SIGSTOP) // it starts nobody any more
	for _, child := range childrenOf(pid) {
		_ = syscall.Kill(child, syscall.SIGKILL)
	}
	if err := syscall.Kill(-pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
		return err
	}
	return nil
}

// childrenOf are the processes that one has started, where the system says so in /proc.
func childrenOf(pid int) (all []int) {
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		name, rest, _ := strings.Cut(string(text), " (")
		fields := strings.Fields(rest[strings.LastIndex(rest, ")")+1:])
		child, err := strconv.Atoi(name)
		if err == nil && len(fields) > 1 && fields[1] == strconv.Itoa(pid) {
			all = append(all, child)
		}
	}
	return all
}
