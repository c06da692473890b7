//go:build e2e

package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The page of a whole game works in a browser: it shows one step at a time, the
// step that the address names, and fetches nothing.
func TestEndToEndArchiveInABrowser(t *testing.T) {
	out := filepath.Join(t.TempDir(), "demo")
	if code := run(context.Background(), []string{"demo", "--seed", "11", "--out", out}, io.Discard, io.Discard); code != 0 {
		t.Fatalf("the demo ends with %d", code)
	}
	page := filepath.Join(out, "game.html")
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	steps := regexp.MustCompile(`id="(e\d+)"`).FindAllStringSubmatch(string(text), -1)
	if len(steps) < 20 {
		t.Fatalf("only %d steps", len(steps))
	}
	browser := func(args ...string) string { return chromium(t, args...) }
	for _, want := range []string{steps[0][1], steps[len(steps)/2][1]} {
		dom := browser("--dump-dom", "file://"+page+"#"+want)
		now := regexp.MustCompile(`<section class="step[a-z ]* now" id="(e\d+)"`).FindAllStringSubmatch(dom, -1)
		if len(now) != 1 || now[0][1] != want {
			t.Errorf("at #%s the page shows %v", want, now)
		}
		if !strings.Contains(dom, `<body class="js">`) {
			t.Error("the page's script did not run")
		}
	}
	shot := filepath.Join(out, "page.png")
	browser("--window-size=1200,1600", "--screenshot="+shot, "file://"+page+"#"+steps[len(steps)/2][1])
	if info, err := os.Stat(shot); err != nil || info.Size() < 50_000 {
		t.Errorf("the page draws nothing: %v, %v", info, err)
	}
}

// chromium runs the browser without a display and returns what it prints. A browser now and
// then hangs as it starts, and its helpers outlive it with its output open: so it is the
// leader of a process group of its own, which is killed as a whole, and it gets a second try.
func chromium(t *testing.T, args ...string) string {
	t.Helper()
	for try := 1; ; try++ {
		said, err := runChromium(t, args...)
		if err == nil {
			return said
		}
		if try == 2 || !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("chromium: %v", err)
		}
	}
}

// runChromium is one try of chromium. It is context.DeadlineExceeded where programTime was not
// enough.
func runChromium(t *testing.T, args ...string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), programTime)
	defer cancel()
	args = append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--user-data-dir=" + t.TempDir()}, args...)
	said, err := another(ctx, "chromium", args...).Output()
	return string(said), programError(ctx, err)
}

// The page that players get after a game with rulings shows these in the browser, each
// with its reason, what players disputed, and the stops that were undone.
func TestEndToEndArchiveOfAGameWithRulings(t *testing.T) {
	c := ruledGames[0]
	g := newRuledGame(t, c.system, c.options, false)
	c.play(g)
	page := g.file("page.html")
	if err := os.WriteFile(page, []byte(g.mailedPage(g.sides[0])), 0o600); err != nil {
		t.Fatal(err)
	}
	steps := regexp.MustCompile(`(?s)<section class="(step[a-z ]*)" id="(e\d+)".*?</section>`)
	dom := chromium(t, "--dump-dom", "file://"+page)
	for i, want := range []string{"a die is replaced", "the die fell off the table", "it was counted twice", "sent by his brother", "a power cut"} {
		id := ""
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range steps.FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(s[0], want) {
				id = s[2]
				break
			}
		}
		if id == "" {
			t.Errorf("no step says %q", want)
			continue
		}
		if !strings.Contains(dom, want) {
			t.Errorf("the browser's page lacks %q", want)
		}
		if i > 1 {
			continue // two steps are enough to see that they are shown
		}
		shown := ""
		for _, s := range steps.FindAllStringSubmatch(chromium(t, "--dump-dom", "file://"+page+"#"+id), -1) {
			if strings.Contains(s[1], " now") {
				shown += s[0]
			}
		}
		if !strings.Contains(shown, want) {
			t.Errorf("at #%s the browser does not show %q", id, want)
		}
	}
	if !regexp.MustCompile(`<section class="step[a-z ]*undone`).MatchString(dom) {
		t.Error("no step is shown as undone")
	}
}
