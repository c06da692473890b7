package shelf

import (
	"os"

	"golang.org/x/sys/unix"
)

// uncached has the system forget what it holds in memory of a file that is on the disk, so that it is read from there. Where that
// can't be done it is read from memory.
func uncached(f *os.File) { _ = unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED) }
