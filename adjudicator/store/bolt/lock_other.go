//go:build !unix || solaris || aix

package bolt

import (
	"os"
	"time"
)

// lockFile does nothing: bbolt itself locks the file right after this, and here a lock
// that was taken before would keep bbolt out.
func lockFile(*os.File, bool, time.Duration) error { return nil }
