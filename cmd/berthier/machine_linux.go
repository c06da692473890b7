package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

// diskFree is how many bytes an ordinary user may still write on the disk of a file.
func diskFree(path string) (uint64, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(filepath.Dir(path), &s); err != nil {
		return 0, fmt.Errorf("look at the disk: %w", err)
	}
	return s.Bavail * uint64(s.Bsize), nil
}

// sameOwner gives a file to the owner of another file or, if that does not exist, to the
// owner of its folder. Only root can do this; for other users there is nothing to do.
func sameOwner(path, like string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	info, err := os.Stat(like)
	if errors.Is(err, fs.ErrNotExist) {
		info, err = os.Stat(filepath.Dir(path))
	}
	if err != nil {
		return err
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	return os.Chown(path, int(owner.Uid), int(owner.Gid))
}

// clockKept tells whether the kernel says that a time service sets its clock, and whether
// it says anything about that.
func clockKept() (kept, known bool) {
	const unsynchronised = 0x40 // STA_UNSYNC
	var t syscall.Timex
	if _, err := syscall.Adjtimex(&t); err != nil {
		return false, false
	}
	return t.Status&unsynchronised == 0, true
}

// exchange lets two folders change places in one step.
func exchange(a, b string) error {
	if err := unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE); err != nil {
		return &os.LinkError{Op: "exchange", Old: a, New: b, Err: err}
	}
	return nil
}
