//go:build unix

package postgrestest

import (
	"errors"
	"os"
	"os/exec"
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

// killAll kills a process and its group.
func killAll(pid int) error {
	if err := syscall.Kill(-pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
		return err
	}
	return nil
}
