package mail

import (
	"slices"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
)

func TestJudgeClaims(t *testing.T) {
	at := func(m int) time.Time { return time.Date(2026, 3, 1, 12, m, 0, 0, time.UTC) }
	for _, c := range []struct {
		name  string
		all   []claimed
		inUse bool
		drop  []imap.UID
	}{
		{"alone", []claimed{{1, at(0), "we", "n", ""}}, false, nil},
		{"a restart keeps what it had", []claimed{{1, at(0), "we", "o", ""}, {2, at(3), "they", "x", ""}, {3, at(4), "we", "n", ""}}, false, nil},
		{"renewed: the first and the last stay", []claimed{{1, at(0), "we", "a", ""}, {2, at(3), "we", "b", ""}, {3, at(6), "we", "n", ""}}, false, []imap.UID{2}},
		{"somebody lives", []claimed{{1, at(0), "they", "x", ""}, {2, at(1), "we", "n", ""}}, true, []imap.UID{2}},
		{"somebody who has renewed behind us", []claimed{{1, at(0), "they", "x", ""}, {2, at(1), "we", "n", ""}, {3, at(2), "they", "y", ""}}, true, []imap.UID{2}},
		{"somebody came after us", []claimed{{1, at(0), "we", "o", ""}, {2, at(1), "they", "x", ""}, {3, at(2), "we", "n", ""}}, false, nil},
		{"somebody died", []claimed{{1, at(0), "they", "x", ""}, {2, at(16), "we", "n", ""}}, false, []imap.UID{1}},
		{"we slept and another came", []claimed{{1, at(0), "we", "o", ""}, {2, at(16), "they", "x", ""}, {3, at(17), "we", "n", ""}}, true, []imap.UID{1, 3}},
		{"ours was taken away", []claimed{{1, at(0), "they", "x", ""}}, false, nil},
	} {
		verdict, drop := judgeClaims(slices.Clone(c.all), "we", "n")
		if (verdict != nil) != c.inUse || !slices.Equal(drop, c.drop) {
			t.Errorf("%s: %v, drops %v", c.name, verdict, drop)
		}
	}
}
