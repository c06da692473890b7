//go:build unix && !solaris && !aix

package bolt

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// lockFile locks a file as bbolt does, so that it can be read before bbolt maps
// it: a lock belongs to the open file, and bbolt, which locks the same one, finds
// it done. Nobody else has the file open then.
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
