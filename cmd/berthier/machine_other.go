//go:build !linux

package main

import "errors"

// diskFree is how many bytes may still be written where a file lies.
func diskFree(string) (uint64, error) {
	return 0, errors.New("look at the disk: this system is not asked for it")
}

// sameOwner does nothing here: files have the owner that they are given.
func sameOwner(path, like string) error { return nil }

// clockKept tells whether the kernel says that its clock is kept by a time
// service, and whether it says anything.
func clockKept() (kept, known bool) { return false, false }
