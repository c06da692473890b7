package mail

import "strings"

// EntryHeader is the field in which an office says to which entry of its log a letter
// belongs. The text of a letter may hold what somebody else wrote; but what stands in this
// field was written by the office, and [DKIMKey.Sign] signs the field, or its absence.
const EntryHeader = "X-Berthier-Entry"

// longestEntry is how long the value of the field may be.
const longestEntry = 900

// entryText tells whether a text can be the value of the field.
func entryText(s string) bool {
	if len(s) > longestEntry || strings.Join(strings.Fields(s), " ") != s {
		return false
	}
	return !strings.ContainsFunc(s, func(c rune) bool { return c < ' ' || c >= 0x7f })
}

// Source is the letter as it came, nil if it was not read by [Read]. Nobody may change
// it.
func (l *Letter) Source() []byte { return l.source }
