package adjudicator

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The list of real mail in docs/testing.md names every letter of the corpus, and no
// other; each has its outcome beside it.
func TestRealMailIsListed(t *testing.T) {
	text, err := os.ReadFile("../docs/testing.md")
	if err != nil {
		t.Fatal(err)
	}
	_, list, ok := strings.Cut(string(text), "\n## Real mail\n")
	if !ok {
		t.Fatal("there is no list")
	}
	list, _, _ = strings.Cut(list, "\n## ")
	listed := map[string]bool{}
	for _, m := range regexp.MustCompile("`([a-z0-9-]+)`").FindAllStringSubmatch(list, -1) {
		if listed[m[1]] {
			t.Errorf("%s is listed twice", m[1])
		}
		listed[m[1]] = true
	}
	files, err := filepath.Glob("../mail/testdata/road/*.eml")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d letters, %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".eml")
		if !listed[name] {
			t.Errorf("%s is not listed", name)
		}
		delete(listed, name)
		if _, err := os.Stat(strings.TrimSuffix(file, ".eml") + ".golden"); err != nil {
			t.Error(err)
		}
	}
	for name := range listed {
		t.Errorf("%s is listed, and is no letter of the corpus", name)
	}
}
