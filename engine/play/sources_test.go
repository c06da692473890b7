package play

import (
	"path/filepath"
	"strings"
	"testing"
)

// All code of this package is in the digest of the rulesets that are made of it.
func TestSources(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil || len(names) == 0 {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		if _, err := Sources.ReadFile(name); err != nil {
			t.Errorf("%s decides, and is not in the digest: %v", name, err)
		}
	}
}
