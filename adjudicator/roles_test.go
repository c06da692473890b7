package adjudicator

import (
	"regexp"
	"time"
)

// footHash is the hash at the foot of letters in any language: it differs from log
// to log.
var footHash = regexp.MustCompile(`(hash|impronta) [0-9a-f]{16}`)

// begins is when the games of the tests begin.
var begins = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
