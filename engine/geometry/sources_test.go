package geometry

import (
	"path/filepath"
	"strings"
	"testing"
)

// The digest of every ruleset that is measured with this package covers all of its code.
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
