//go:build e2e

package main

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// The page of a whole game works in a browser: it shows one step at a time, the
// one that the address names, and fetches nothing.
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
	browser := func(args ...string) string {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		args = append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
			"--disable-component-update", "--disable-sync", "--user-data-dir=" + t.TempDir()}, args...)
		said, err := exec.CommandContext(ctx, "chromium", args...).Output()
		if err != nil {
			t.Fatalf("chromium: %v", err)
		}
		return string(said)
	}
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
