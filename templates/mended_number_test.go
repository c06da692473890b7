package templates

import (
	"regexp"
	"strings"
	"testing"
)

// TestARefusalHasOneNumber holds that a letter that gives a file back counts what is wrong in
// one way: beside the lines to mend no number of faults stands.
func TestARefusalHasOneNumber(t *testing.T) {
	w := sampleWords(t)
	for language, told := range map[string]struct{ lines, faults string }{
		"en": {"3 lines to mend", `(\d+ faults|one fault)\b`},
		"it": {"3 righe da correggere", `(\d+ errori|un errore)\b`},
	} {
		text := strings.ToLower(w.Refused(sampleMended(language)).Text)
		if n := strings.Count(text, told.lines); n != 2 { // in the title and in the box
			t.Errorf("%s: %q stands %d times, want 2, in\n%s", language, told.lines, n, text)
		}
		if found := regexp.MustCompile(told.faults).FindString(text); found != "" {
			t.Errorf("%s: beside the lines to mend stands %q", language, found)
		}
	}
}
