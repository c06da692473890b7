package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A folder gets the pages of a league all at once; what it holds besides pages of that league is never
// removed.
func TestPagesGoIntoAFolder(t *testing.T) {
	_, file, _ := site(t, "")
	dir := t.TempDir()
	set := "seasons: {start: 2027-01-10, enter-until: 2026-12-27}\nsecretaries: s@club.example\ndeadlines: {usual: {usual: 4d}}\n" +
		"divisions: {id: first, size: 4, system: napoleon, template: nap.yaml}\numpires: {of: u@club.example}\n"
	keepFile(t, filepath.Join(dir, "nap.yaml"), "system: napoleon\n")
	do := func(want int, args ...string) string {
		t.Helper()
		var out bytes.Buffer
		if code := run(t.Context(), append(args, "-c", file), &out, &out); code != want {
			t.Fatalf("%v ends with %d: %s", args, code, out.String())
		}
		return out.String()
	}
	for _, id := range []string{"aquila", "other"} {
		keepFile(t, filepath.Join(dir, id+".yaml"), "league: "+id+"\n"+set)
		do(0, "league", "new", filepath.Join(dir, id+".yaml"))
	}
	out := filepath.Join(dir, "www", "aquila")
	holds := func(path string) (all []string) {
		t.Helper()
		if err := filepath.WalkDir(path, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				all = append(all, filepath.Base(path))
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return all
	}
	if said := do(0, "league", "page", "aquila", "--out", out); !strings.Contains(said, "7 pages and 0 games") {
		t.Error(said)
	}
	first := holds(out)
	do(0, "league", "announce", "aquila", "--yes")
	do(0, "league", "page", "aquila", "--out", out)
	index, err := os.ReadFile(filepath.Join(out, "en", "index.html"))
	if err != nil || !bytes.Contains(index, []byte("Season 1")) {
		t.Errorf("the pages were not replaced: %v", err)
	}
	if now := holds(out); len(now) != len(first)+2 || !slices.Contains(now, "season-1.html") {
		t.Errorf("the folder holds %v", now)
	}
	info, err := os.Stat(out)
	if err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("%v, %v", info, err)
	}
	for _, c := range []struct{ put, league, want string }{
		{"", "other", "holds other things than the pages of league other"},
		{"en/games/notes.txt", "aquila", "en/games/notes.txt"},
		{"robots.txt", "aquila", "en/games/notes.txt, robots.txt"},
	} {
		if c.put != "" {
			if err := os.MkdirAll(filepath.Dir(filepath.Join(out, c.put)), 0o755); err != nil {
				t.Fatal(err)
			}
			keepFile(t, filepath.Join(out, c.put), "mine")
		}
		before := holds(out)
		if said := do(exitRefused, "league", "page", c.league, "--out", out); !strings.Contains(said, c.want) || !strings.Contains(said, "hint: ") {
			t.Errorf("%s: %s", c.put, said)
		}
		if now := holds(out); !slices.Equal(now, before) {
			t.Errorf("the folder holds %v, it held %v", now, before)
		}
	}
	do(exitRefused, "league", "page", "nowhere", "--out", filepath.Join(dir, "www", "nowhere"))
	if left, err := os.ReadDir(filepath.Join(dir, "www")); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// A season of the demo is played to its end, so nothing that ends it early goes with it.
func TestDemoOfALeagueIsWhole(t *testing.T) {
	for _, more := range [][]string{{"--serve"}, {"--turns", "3"}} {
		out := filepath.Join(t.TempDir(), "demo")
		var said bytes.Buffer
		if code := run(t.Context(), append([]string{"demo", "--league", "--out", out}, more...), &said, &said); code != exitRefused || !strings.Contains(said.String(), "leave them out") {
			t.Errorf("%v: %d %s", more, code, said.String())
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%v: a folder was made", more)
		}
	}
}
