package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// layers of the program, from the lowest up. A package may import what stands in
// a lower layer, or in its own folder; mail may import nothing of the program and
// is imported by the adjudicator and above.
var layers = []string{"orders", "engine", "templates", "adjudicator", "cmd"}

func TestImportsGoDownwards(t *testing.T) {
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && path != root || d.Name() == "testdata") {
			if path == root {
				return nil
			}
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if why := forbidden(filepath.ToSlash(rel), imported); why != "" {
				t.Errorf("%s imports %s: %s", path, imported, why)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// The table of docs/architecture.md has each package of the program, and no other.
func TestEveryPackageHasItsRow(t *testing.T) {
	root := filepath.Join("..", "..")
	page, err := os.ReadFile(filepath.Join(root, "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "\n| package |")
	table, _, _ = strings.Cut(table, "\n\n")
	told := map[string]bool{}
	for _, row := range strings.Split(table, "\n")[2:] {
		packages, _, _ := strings.Cut(strings.TrimPrefix(row, "| "), " | ")
		for _, name := range strings.Split(packages, ", ") {
			told[strings.Trim(name, "`")] = true
		}
	}
	found := map[string]bool{}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
			rel, err := filepath.Rel(root, filepath.Dir(path))
			if err != nil {
				return err
			}
			found[filepath.ToSlash(rel)] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if !told[name] {
			t.Errorf("the table has no row for %s", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(told)) {
		if !found[name] {
			t.Errorf("the table has a row for %s, which is no package", name)
		}
	}
}

func forbidden(from, imported string) string {
	if imported == "gopkg.in/yaml.v3" && from != "orders" {
		return "YAML is read and written in package orders only"
	}
	imported, ours := strings.CutPrefix(imported, "berthier/")
	if !ours {
		return ""
	}
	top := func(p string) string { return strings.SplitN(p, "/", 2)[0] }
	if top(from) == "mail" {
		if top(imported) != "mail" {
			return "mail knows no other package of the program"
		}
		return ""
	}
	if top(imported) == "mail" {
		if top(from) != "adjudicator" && top(from) != "cmd" {
			return "only the adjudicator and above know mail"
		}
		if name, inside := strings.CutPrefix(from, "adjudicator/"); inside && name != "intake" && name != "outbox" && imported != "mail/mailbox" {
			return "of the packages of the office only intake and outbox know mail"
		}
		return ""
	}
	if why := throughTheOffice(from, imported); why != "" {
		return why
	}
	if strings.HasPrefix(imported, "adjudicator/store/") && top(from) != "cmd" {
		return "who keeps the games is said in cmd; others know the contract alone"
	}
	if ruleset(from) != "" && ruleset(imported) != "" && ruleset(from) != ruleset(imported) {
		return "a ruleset knows no other"
	}
	if ruleset(imported) != "" && from != "engine/systems" && ruleset(from) == "" {
		return "only engine/systems lists the rulesets"
	}
	if imported == "engine/systems" && top(from) != "cmd" {
		return "below cmd nothing knows which rulesets there are"
	}
	layer := func(p string) int {
		for i, f := range layers {
			if f == top(p) {
				return i
			}
		}
		return -1
	}
	if layer(imported) > layer(from) {
		return "imports go downwards only"
	}
	return ""
}

// officePackages are the packages of the office, each with those of the others that it may
// import. Of what is below the office each may import what outside names.
var officePackages = map[string][]string{
	"cache":     nil,
	"deflate":   nil,
	"grounds":   {"cache", "store"},
	"timing":    nil,
	"log/chain": nil,
	"packed":    {"log/chain", "deflate"},
	"store":     {"log/chain"},

	"store/bolt":      {"store", "packed", "log/chain"},
	"store/postgres":  {"store", "packed", "log/chain"},
	"leader":          {"store"},
	"store/storetest": {"store", "log/chain"},
	"log/logtest":     {"log", "log/chain"},

	"log":    {"deflate", "timing", "log/chain"},
	"verify": {"league/book", "league/result", "league/season", "log", "log/chain", "timing"},
	"game":   {"log", "log/chain", "timing"},
	"past":   {"game", "log", "log/chain"},
	"ruling": {"game", "log", "log/chain", "past"},
	"report": {"game", "league/member", "league/rated", "league/season", "league/table", "log", "log/chain", "past", "timing"},
	"intake": {"game", "league/book", "log", "log/chain", "timing"},
	"setup":  {"game", "intake", "log", "timing"},
	"outbox": {"cache", "deflate", "grounds", "store"},

	"league":                      {"game", "intake", "setup", "league/glicko", "league/pair", "league/table"},
	"league/glicko":               nil,
	"league/lots":                 nil,
	"league/member":               {"game", "log", "log/chain"},
	"league/book":                 {"game", "league/lots", "league/pair", "league/season", "league/table", "log/chain"},
	"league/leaguetest":           {"league/book", "league/glicko", "league/lots", "league/season", "league/table", "log/chain"},
	"league/rated":                {"league/book", "league/glicko", "league/pair", "league/season", "league/table", "log/chain"},
	"league/swissoracle/generate": {"league/swissoracle"},
	"league/result":               {"league/season", "league/table", "log", "log/chain"},
	"league/table":                nil,
	"league/season":               {"league/glicko", "league/lots", "league/pair", "league/table"},
	"league/pair":                 nil,
}

// outside is what the packages of the office may import from below the office; mail is not in it.
var outside = map[string][]string{
	"grounds": {"engine"},

	"log":    {"engine", "orders"},
	"verify": {"engine", "orders"},
	"game":   {"engine", "orders"},
	"past":   {"engine", "orders"},
	"ruling": {"engine", "orders"},
	"report": {"engine", "orders", "templates"},
	"intake": {"engine", "orders"},
	"setup":  {"engine", "orders"},
	"outbox": {"engine", "orders", "templates"},
	"league": {"engine", "orders"},

	"league/member": {"engine", "orders"},
	"league/book":   {"orders"},
	"league/result": {"engine"},
}

// throughTheOffice tells why a package of the office may not import a package.
func throughTheOffice(from, imported string) string {
	name, inside := strings.CutPrefix(from, "adjudicator/")
	other, within := strings.CutPrefix(imported, "adjudicator/")
	switch {
	case !inside:
		return ""
	case imported == "adjudicator":
		return "the packages of the office don't know the office"
	case within && !slices.Contains(officePackages[name], other):
		return "officePackages does not say that " + name + " may know " + other
	case !within && !slices.Contains(outside[name], strings.SplitN(imported, "/", 2)[0]):
		return "outside does not say that " + name + " may know " + imported
	}
	return ""
}

// ruleset gives the name of the ruleset that a package belongs to.
func ruleset(path string) string {
	parts := strings.Split(path, "/")
	if len(parts) < 2 || parts[0] != "engine" {
		return ""
	}
	switch parts[1] {
	case "ahead", "cases", "choices", "course", "geometry", "playout", "enginetest", "play", "rulestest", "shape", "sheet", "story", "systems", "whatif": // machinery for all rulesets
		return ""
	}
	return parts[1]
}

func TestForbiddenImports(t *testing.T) {
	for _, c := range []struct {
		from, imported string
		want           bool
	}{
		{"engine/napoleon", "berthier/orders", false},
		{"engine/napoleon", "berthier/templates", true},
		{"orders", "berthier/engine", true},
		{"mail", "berthier/orders", true},
		{"templates", "berthier/mail", true},
		{"adjudicator", "berthier/mail", false},
		{"adjudicator/store", "berthier/engine", true},
		{"adjudicator/store/bolt", "berthier/engine", true},
		{"adjudicator/store/bolt", "berthier/adjudicator/store", false},
		{"adjudicator/store", "berthier/adjudicator/store/bolt", true},
		{"adjudicator", "berthier/adjudicator/store/bolt", true},
		{"cmd/berthier", "berthier/adjudicator/store/bolt", false},
		{"adjudicator/store", "berthier/adjudicator/log", true},
		{"adjudicator/store", "berthier/adjudicator/log/chain", false},
		{"adjudicator/log", "berthier/adjudicator/store", true},
		{"adjudicator/log", "berthier/adjudicator", true},
		{"adjudicator/log", "berthier/templates", true},
		{"adjudicator/log", "berthier/mail", true},
		{"adjudicator/log", "berthier/engine", false},
		{"adjudicator/log/chain", "berthier/engine", true},
		{"adjudicator/verify", "berthier/adjudicator/store", true},
		{"adjudicator/game", "berthier/adjudicator/store", true},
		{"adjudicator/game", "berthier/templates", true},
		{"adjudicator/game", "berthier/mail", true},
		{"adjudicator/game", "berthier/mail/mailbox", false},
		{"adjudicator/game", "berthier/adjudicator/log", false},
		{"adjudicator/report", "berthier/adjudicator/store", true},
		{"adjudicator/report", "berthier/adjudicator/outbox", true},
		{"adjudicator/report", "berthier/adjudicator/intake", true},
		{"adjudicator/report", "berthier/adjudicator/ruling", true},
		{"adjudicator/report", "berthier/mail", true},
		{"adjudicator/report", "berthier/templates", false},
		{"adjudicator/report", "berthier/adjudicator/past", false},
		{"adjudicator/past", "berthier/adjudicator/store", true},
		{"adjudicator/past", "berthier/templates", true},
		{"adjudicator/past", "berthier/adjudicator/game", false},
		{"adjudicator/ruling", "berthier/adjudicator/store", true},
		{"adjudicator/ruling", "berthier/adjudicator/report", true},
		{"adjudicator/ruling", "berthier/templates", true},
		{"adjudicator/ruling", "berthier/adjudicator/past", false},
		{"adjudicator/intake", "berthier/mail", false},
		{"adjudicator/setup", "berthier/mail", true},
		{"adjudicator/setup", "berthier/adjudicator", true},
		{"adjudicator/game", "berthier/adjudicator/setup", true},
		{"adjudicator/intake", "berthier/adjudicator/outbox", true},
		{"adjudicator", "berthier/engine/napoleon", true},
		{"cmd/berthier", "berthier/engine/napoleon", true},
		{"cmd/berthier", "berthier/engine/systems", false},
		{"adjudicator", "berthier/engine/systems", true},
		{"engine/systems", "berthier/engine/napoleon", false},
		{"engine/napoleon", "berthier/engine/systems", true},
		{"engine/waterloo", "berthier/engine/napoleon", true},
		{"engine/waterloo", "berthier/engine/play", false},
		{"engine/mistakes", "berthier/engine/geometry", false},
		{"engine/mistakes", "berthier/engine/waterloo", true},
		{"engine/geometry", "berthier/engine/mistakes", true},
		{"engine/hfg", "berthier/engine/geometry", false},
		{"engine/hfg", "berthier/engine/mistakes", true},
		{"engine/play", "berthier/engine/waterloo", true},
		{"engine", "gopkg.in/yaml.v3", true},
	} {
		if got := forbidden(c.from, c.imported) != ""; got != c.want {
			t.Errorf("forbidden(%q, %q) = %v, want %v", c.from, c.imported, got, c.want)
		}
	}
}
