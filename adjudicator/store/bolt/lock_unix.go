//go:build unix && !solaris && !aix

package bolt

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// lockFile locks a file as bbolt does, so that it can be read before bbolt maps
// it. A lock belongs to the open file; bbolt locks the same open file again, and finds it
// locked for itself. Nobody else can have the file open then.
func lockFile(f *os.File, exclusive bool, wait time.Duration) error {
	how := syscall.LOCK_SH
	if exclusive {
		how = syscall.LOCK_EX
	}
	for end := time.Now().Add(wait); ; time.Sleep(20 * time.Millisecond) {
		err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, syscall.EINTR):
		case !errors.Is(err, syscall.EWOULDBLOCK):
			return err
		case time.Now().After(end):
			return ErrLocked
		}
	}
}
