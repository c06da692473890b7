//go:build !unix

package main

import "time"

var beginning = time.Now()

// worked is how long this process has run, where the system does not tell its processor time otherwise.
func worked() time.Duration { return time.Since(beginning) }
