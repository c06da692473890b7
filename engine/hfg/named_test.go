package hfg

import (
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"

	"berthier/docs/rules"
)

// caseFiles are the texts of the conformance cases, by the names of their files.
func caseFiles(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	folder := os.DirFS("testdata/cases")
	names, err := fs.Glob(folder, "*.yaml")
	if err != nil || len(names) == 0 {
		t.Fatal(err)
	}
	for _, name := range names {
		data, err := fs.ReadFile(folder, name)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = string(data)
	}
	return all
}

// A case whose orders are refused says for what, or any other fault would pass for the one that it is about.
func TestRefusalsOfCasesNameTheirCode(t *testing.T) {
	refusal := regexp.MustCompile(`refused: \{[^{}]*\}`)
	for name, text := range caseFiles(t) {
		for i, line := range strings.Split(text, "\n") {
			for _, one := range refusal.FindAllString(line, -1) {
				if !strings.Contains(one, "code: ") {
					t.Errorf("%s:%d: %s names no code", name, i+1, one)
				}
			}
		}
	}
}

// Each option of the digest has a case that sets it.
func TestEachOptionIsNamedByACase(t *testing.T) {
	all := caseFiles(t)
	_, table, _ := strings.Cut(string(rules.HorseFootGuns), "### 8.1 Options")
	table, _, _ = strings.Cut(table, "\n## ")
	names := regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\|").FindAllStringSubmatch(table, -1)
	if len(names) < 20 {
		t.Fatalf("%d options in the digest", len(names))
	}
	for _, n := range names {
		set, found := regexp.MustCompile(`options: \{[^}\n]*\b`+n[1]+`: `), false
		for _, text := range all {
			found = found || set.MatchString(text)
		}
		if !found {
			t.Errorf("no case sets the option %s", n[1])
		}
	}
}

// Each type of element is named by a case.
func TestEachTypeIsNamedByACase(t *testing.T) {
	all := caseFiles(t)
	for k := hq; k < troopsEnd; k++ {
		word, found := regexp.MustCompile(`[\[ ]`+troops[k].word+`[,\] }]`), false
		for _, text := range all {
			found = found || word.MatchString(text)
		}
		if !found {
			t.Errorf("no case names %s", troops[k].word)
		}
	}
}

// The files that the documentation of the package names are there.
func TestDocNamesFilesThatExist(t *testing.T) {
	data, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range regexp.MustCompile(`[a-z_*]+\.go`).FindAllString(string(data), -1) {
		if found, err := fs.Glob(os.DirFS("."), name); err != nil || len(found) == 0 {
			t.Errorf("doc.go names %s, which isn't there", name)
		}
	}
}
