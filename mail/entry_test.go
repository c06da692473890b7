package mail

import (
	"regexp"
	"strings"
	"testing"
)

// The field with the entry is read back as it was written, folded or not; what could put
// a line into the header is no entry.
func TestEntryReadsBack(t *testing.T) {
	for _, text := range []string{"ligny-7; hash=0123456789abcdef0123456789abcdef", "ligny-7; hash=" + strings.Repeat("0123456789abcdef", 4) + "; entry=214; dice=" + strings.Repeat("fedcba9876543210", 4)} {
		d := draft()
		d.Entry = text
		l, err := Read(compose(t, d), Own{})
		if err != nil || len(l.Entries) != 1 || l.Entries[0] != text {
			t.Errorf("%q is read as %q (%v)", text, l.Entries, err)
		}
	}
	if l, err := Read(compose(t, draft()), Own{}); err != nil || len(l.Entries) != 0 {
		t.Errorf("a letter without an entry has %q (%v)", l.Entries, err)
	}
	for _, text := range []string{"a\r\nBcc: b@c.test", "a\nb", "a  b", " a", "a ", "è", "a\tb", "a\x00", strings.Repeat("a ", 500)} {
		d := draft()
		d.Entry = text
		if raw, err := d.Compose(); err == nil {
			t.Errorf("%q is written:\n%s", text, raw[:400])
		}
	}
}

// The field is signed, and that there is no second one; where there is none, that it is
// missing is signed.
func TestEntryIsSigned(t *testing.T) {
	key := testKey(t, "club.test")
	for entry, times := range map[string]int{"": 1, "ligny-7; hash=0123456789abcdef": 2} {
		d := draft()
		d.Entry = entry
		raw, err := key.Sign(compose(t, d))
		if err != nil {
			t.Fatal(err)
		}
		h := regexp.MustCompile(`(?s)DKIM-Signature:.*?\r\n\S`).Find(raw)
		unfolded := strings.ToLower(regexp.MustCompile(`\s`).ReplaceAllString(string(h), ""))
		if got := strings.Count(unfolded, ":"+strings.ToLower(EntryHeader)); got != times {
			t.Errorf("with the entry %q the field is signed %d times, not %d:\n%s", entry, got, times, h)
		}
	}
}
