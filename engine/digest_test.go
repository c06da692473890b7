package engine

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"berthier/orders"
)

// A pinned ruleset has sources and nothing else.
type pinned struct {
	Ruleset
	files fs.FS
}

func (p pinned) Sources() []fs.FS { return []fs.FS{p.files} }

// What this package and the reading of orders are made of is in every digest, whole.
func TestDigestHasWhatAllRulesetsUse(t *testing.T) {
	for folder, files := range map[string]fs.FS{".": own, "../orders": orders.Sources} {
		names, err := filepath.Glob(folder + "/*.go")
		if err != nil || len(names) == 0 {
			t.Fatal(folder, err)
		}
		have := deciding(files)
		for _, path := range names {
			name := filepath.Base(path)
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := fs.ReadFile(files, name); err != nil || string(got) != string(want) || !slices.Contains(have, name) {
				t.Errorf("%s decides, and is not in the digest: %v", path, err)
			}
		}
	}
}

// A byte of code or of a scenario is another digest; tests, words and what else lies
// there are not in it.
func TestDigestIsOverWhatDecides(t *testing.T) {
	digest := func(more ...string) string {
		files := fstest.MapFS{"play.go": {Data: []byte("package x")}, "scenarios/a.yaml": {Data: []byte("a: 1")}, "words/en.yaml": {Data: []byte("x: y")}}
		for i := 0; i+1 < len(more); i += 2 {
			files[more[i]] = &fstest.MapFile{Data: []byte(more[i+1])}
		}
		return Digest(pinned{files: files})
	}
	was := digest()
	for name, more := range map[string][]string{
		"code": {"play.go", "package y"}, "a scenario": {"scenarios/a.yaml", "a: 2"}, "more code": {"more.go", ""}, "another scenario": {"scenarios/b.yaml", ""},
	} {
		if digest(more...) == was {
			t.Errorf("%s is other, and the digest is not", name)
		}
	}
	for name, more := range map[string][]string{"words": {"words/en.yaml", "x: z"}, "a test": {"play_test.go", "package x"}, "a note": {"NOTES", "x"}} {
		if digest(more...) != was {
			t.Errorf("%s is other, and the digest too", name)
		}
	}
	if Digest(struct{ Ruleset }{}) != "" {
		t.Error("a ruleset without sources has a digest")
	}
}
