//go:build !linux

package shelf

import "os"

// uncached does nothing: the file may be read from memory.
func uncached(*os.File) {}
