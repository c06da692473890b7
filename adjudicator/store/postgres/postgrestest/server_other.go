//go:build !unix

package postgrestest

import (
	"os"
	"os/exec"
)

func asUser(*exec.Cmd) {}

func killAll(pid int) error {
	p, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	return p.Kill()
}
