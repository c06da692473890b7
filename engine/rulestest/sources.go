package rulestest

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"berthier/engine"
)

// Sources checks that the digest of a ruleset's rules covers everything that decides:
// every file of Go code in its folder that is not a test, and every scenario; and that it
// does not cover tests or words.
func Sources(t *testing.T, rules engine.Ruleset) {
	sourced, ok := rules.(engine.Sourced)
	if !ok {
		t.Fatal("the ruleset does not name its sources")
	}
	var have []string
	for _, files := range sourced.Sources() {
		all, err := WalkFiles(files)
		if err != nil {
			t.Fatal(err)
		}
		have = append(have, all...)
	}
	want, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	scenarios, err := filepath.Glob("scenarios/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(want, scenarios...) {
		if engine.Decides(filepath.ToSlash(name)) && !slices.Contains(have, filepath.ToSlash(name)) {
			t.Errorf("%s decides, and is not in the digest of the rules", name)
		}
	}
	for _, name := range have {
		if engine.Decides(name) && (strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "words/")) {
			t.Errorf("%s does not decide, and is in the digest of the rules", name)
		}
	}
	if len(engine.Digest(rules)) != 64 {
		t.Errorf("the digest is %q", engine.Digest(rules))
	}
}

// SourcesOf checks that the sources of a package of which rulesets are made, as their digests have them, are all of the code in its folder.
func SourcesOf(t *testing.T, sources fs.FS) {
	t.Helper()
	names, err := filepath.Glob("*.go")
	if err != nil || len(names) == 0 {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		if _, err := fs.Stat(sources, name); err != nil {
			t.Errorf("%s decides, and is not in the digest: %v", name, err)
		}
	}
}

// WalkFiles lists the files of a file system.
func WalkFiles(files fs.FS) (all []string, err error) {
	err = fs.WalkDir(files, ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			all = append(all, name)
		}
		return err
	})
	return all, err
}
