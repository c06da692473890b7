//go:build e2e

package main

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The pages of a season that bots have played open in Chromium: nothing is wider than a phone or a
// desk, no text faint by day or by night, and what stands on them is there without a script.
func TestEndToEndPagesOfALeagueInABrowser(t *testing.T) {
	out := filepath.Join(t.TempDir(), "demo")
	if code := run(context.Background(), []string{"demo", "--league", "--seed", "7", "--out", out}, io.Discard, io.Discard); code != 0 {
		t.Fatalf("the demo ends with %d", code)
	}
	root := filepath.Join(out, "pages")
	var pages []shown
	if err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".html" || strings.Contains(path, "games") {
			return err
		}
		text, err := os.ReadFile(path)
		rel, _ := filepath.Rel(root, path)
		if rel != "index.html" { // it leads on to the others at once
			pages = append(pages, shown{rel, string(text)})
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	all := openAll(t, pages)
	if len(pages) != 6 || len(all) != len(pages)*len(windows)*2 {
		t.Errorf("%d pages, opened %d times", len(pages), len(all))
	}
	for _, o := range all {
		if o.Seen != o.Dark {
			t.Errorf("%s: the style for dark screens counts: %v", o.Name, o.Seen)
		}
		if o.Width > o.Window {
			t.Errorf("%s: %d wide in a window of %d, because of %s", o.Name, o.Width, o.Window, o.Wide)
		}
		for _, text := range o.Faint {
			t.Errorf("%s, dark %v: %s", o.Name, o.Dark, text)
		}
	}
	for path, wants := range map[string][]string{
		"en/season-1.html": {"Anna Ferri", "B. C.", "Round 3", "games/demo-1-1-1.html"},
		"it/ratings.html":  {"<polyline", "più o meno"},
		"index.html":       {"Anna Ferri"}, // the first page has led on to the league's own language
	} {
		dom := chromium(t, "--virtual-time-budget=5000", "--dump-dom", "file://"+filepath.Join(root, path))
		for _, want := range wants {
			if !strings.Contains(dom, want) {
				t.Errorf("%s in the browser lacks %q", path, want)
			}
		}
	}
	shot := filepath.Join(out, "page.png")
	chromium(t, "--window-size=500,1600", "--screenshot="+shot, "file://"+filepath.Join(root, "it", "games", "demo-1-1-1.html"))
	if info, err := os.Stat(shot); err != nil || info.Size() < 50_000 {
		t.Errorf("the page of a game draws nothing: %v, %v", info, err)
	}
}
