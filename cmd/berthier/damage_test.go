package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
)

// A wreckage tries every command that opens the database on damaged databases.
type wreckage struct {
	*testing.T
	config, database string
	backup           string
	whole            []byte
	commands         map[string][]string // arguments by name
	names            []string
	count            int
	line             *commandLine
}

// withoutDatabase are the commands that do not open a database.
var withoutDatabase = []string{"demo", "play", "case run", "case show", "case position", "rules", "schema", "bench", "bench run", "bench play", "bench games", "bench office", "bench pace", "config check", "league check", "version", "init", "profile"}

func newWreckage(t *testing.T) *wreckage {
	t.Helper()
	_, file, database := site(t, "")
	dir := filepath.Dir(file)
	played := filepath.Join(t.TempDir(), "demo")
	if code := run(t.Context(), []string{"demo", "--seed", "7", "--turns", "1", "--out", played}, io.Discard, io.Discard); code != 0 {
		t.Fatal("no demo")
	}
	w := &wreckage{T: t, config: file, database: database, backup: filepath.Join(played, "berthier.db"), line: newCommandLine()}
	var err error
	if w.whole, err = os.ReadFile(w.backup); err != nil {
		t.Fatal(err)
	}
	orders, setup := filepath.Join(dir, "orders.yaml"), filepath.Join(played, "set-up.yaml")
	people := filepath.Join(dir, "members.yaml")
	league := filepath.Join(dir, "league.yaml")
	keepFile(t, league, "league: aquila\nsecretaries: s@club.example\nseasons: {start: 2027-01-10, enter-until: 2026-12-27}\ndeadlines: {usual: {usual: 4d}}\n"+
		"divisions: {id: first, size: 4, system: napoleon, template: nap.yaml}\numpires: {of: u@club.example}\n")
	keepFile(t, filepath.Join(dir, "nap.yaml"), "system: napoleon\n")
	keepFile(t, people, "- {name: Ada, address: ada@play.example}\n")
	change := filepath.Join(dir, "change.yaml")
	keepFile(t, change, "deadline: 2d\n")
	keepFile(t, orders, "game: demo-1\nside: french\nstop: 9\norders: {}\n")
	g := func(args ...string) []string { return append([]string{"game"}, args...) }
	w.commands = map[string][]string{
		"serve": {"serve"}, "claim": {"claim"}, "doctor": {"doctor"}, "compact": {"compact"}, "bench kept": {"bench", "kept"}, "restore": {"restore", w.backup}, "backup": {"backup"},
		"move": {"move", "--to", database + ".moved"},
		"key":  {"key", "a@club.example"}, "check": {"check", orders}, "choices": {"choices", "demo-1", "--seat", "french"}, "rule": {"rule", "demo-1", "--outcome", "draw", "--reason", "x"},
		"game new": g("new", setup), "game list": g("list"), "game show": g("show", "demo-1"), "game position": g("position", "demo-1"),
		"game pause": g("pause", "demo-1"), "game resume": g("resume", "demo-1"), "game extend": g("extend", "demo-1", "--by", "24h"),
		"game release": g("release", "demo-1"), "game remind": g("remind", "demo-1"),
		"game replace": g("replace", "demo-1", "french", "--name", "Dora", "--address", "dora@club.example"),
		"game process": g("process", "demo-1"), "game vacate": g("vacate", "demo-1", "french"), "game change": g("change", "demo-1", change),
		"game answer": g("answer", "demo-1", "french", orders), "game close": g("close", "demo-1"),
		"game rewind": g("rewind", "demo-1", "--stop", "1", "--orders", "new", "--reason", "x"), "game disputes": g("disputes", "demo-1"), "game refile": g("refile", "demo-1"),
		"game stop": g("stop", "demo-1", "1", "--out", filepath.Join(dir, "stop")), "game archive": g("archive", "demo-1", "--out", filepath.Join(dir, "page.html")),
		"league new":      {"league", "new", league},
		"league announce": {"league", "announce", "aquila", "--yes"},
		"league open":     {"league", "open", "aquila", "--yes"},
		"league admit":    {"league", "admit", "aquila", "M-0001", "--yes"},
		"league withdraw": {"league", "withdraw", "aquila", "M-0001", "--yes"},
		"league overrule": {"league", "overrule", "aquila", "withdraw", "M-0001", "--reason", "r"},
		"league close":    {"league", "close", "aquila", "--yes"},
		"league start":    {"league", "start", "aquila", "--yes"},
		"league postpone": {"league", "postpone", "aquila", "2027-02-01", "--reason", "x"},
		"league rule":     {"league", "rule", "aquila", "aquila-1-1-1", "--cancel", "--reason", "x"},
		"league extend":   {"league", "extend", "aquila", "2027-08-01", "--reason", "x"},
		"league end":      {"league", "end", "aquila", "--yes"},
		"league list":     {"league", "list"},
		"league show":     {"league", "show", "aquila"},
		"league table":    {"league", "table", "aquila"},
		"league rating":   {"league", "rating", "aquila"},
		"forget":          {"forget", "M-0001", "--sure"},
		"league page":     {"league", "page", "aquila", "--out", filepath.Join(dir, "pages")},
		"league verify":   {"league", "verify", "aquila"},
		"league change":   {"league", "change", "aquila", league, "--reason", "x"},
		"league export":   {"league", "export", "aquila"},
		"league import":   {"league", "import", "aquila", "aquila-1-1-1", league, "--reason", "x", "--yes"},
		"member merge":    {"member", "merge", "M-0001", "M-0002", "--yes"},
		"member list":     {"member", "list"}, "member show": {"member", "show", "M-0001"}, "member add": {"member", "add", "--file", people},
		"game export": g("export", "demo-1"), "game verify": g("verify", "demo-1"), "game what-if": g("what-if", "demo-1"),
	}
	w.names = sortedKeys(w.commands)
	return w
}

func keepFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// try runs a command on a database, and checks how it ends: in time, and without a stack
// trace.
func (w *wreckage) try(what string, data []byte, name string) (code int, out string) {
	w.Helper()
	w.count++
	if err := os.WriteFile(w.database, data, 0o600); err != nil {
		w.Fatal(err)
	}
	args := append(slices.Clone(w.commands[name]), "-c", w.config)
	if name == "backup" {
		args = append(args, fmt.Sprint(w.database, ".copy", w.count))
	}
	ctx, stop := context.WithTimeout(w.Context(), 20*time.Second)
	defer stop()
	text := &buffer{}
	if name == "serve" { // a daemon that is not refused at once is stopped when it is open
		go func() {
			for ctx.Err() == nil && !strings.Contains(text.String(), "office open") {
				time.Sleep(time.Millisecond)
			}
			stop()
		}()
	}
	began := time.Now()
	code = w.line.run(ctx, args, text, text)
	if took := time.Since(began); took > 15*time.Second {
		w.Errorf("%s: %s took %s", what, name, took)
	}
	out = text.String()
	if code != 0 && code != exitRefused && (name != "game verify" || code != exitUnproven) || name != "serve" && strings.Contains(out, "goroutine ") {
		w.Errorf("%s: %s ends with %d:\n%s", what, name, code, out)
	}
	if code != 0 && strings.TrimSpace(out) == "" {
		w.Errorf("%s: %s fails without a word:\n%s", what, name, out)
	}
	left, err := filepath.Glob(w.database + ".*") // copies, and damaged files that were put aside
	if err != nil {
		w.Fatal(err)
	}
	for _, path := range append(left, filepath.Join(filepath.Dir(w.config), "page.html")) {
		os.Remove(path)
	}
	return code, out
}

// refused tries all commands on a database that no command may use: each says so and says
// what to do, and restore puts a backup in its place.
func (w *wreckage) refused(what string, data []byte, names ...string) {
	w.Helper()
	for _, name := range names {
		code, out := w.try(what, data, name)
		switch {
		case name == "restore":
			if code != 0 {
				w.Errorf("%s: restore ends with %d:\n%s", what, code, out)
			}
			if now, err := os.ReadFile(w.database); err != nil || len(now) < len(w.whole) {
				w.Errorf("%s: nothing was restored: %v", what, err)
			}
		case code != exitRefused, !strings.Contains(out, "berthier restore FILE puts a backup in its place"):
			w.Errorf("%s: %s ends with %d, and does not say the way out:\n%s", what, name, code, out)
		}
	}
}

// Whatever a disk does to the database, no command ends with a stack trace: the file is cut
// short at every page, has every page zeroed in turn, and has bits changed. All commands
// refuse what can't be used, and restore works on it. With BERTHIER_DAMAGE set all of this
// is tried, otherwise a sample.
func TestDamagedDatabase(t *testing.T) {
	if os.Getenv("BERTHIER_DAMAGE") == "" {
		step, bits := 5, 40
		if raceEnabled { // one command at a time: the run without the race detector tries more
			step, bits = 25, 10
		}
		newWreckage(t).part(0, step, bits, true)
		return
	}
	const parts, bits = 8, 10_000 // most of the time is the disk's
	for n := range parts {
		t.Run(fmt.Sprint(n+1), func(t *testing.T) {
			t.Parallel()
			newWreckage(t).part(n, parts, bits/parts, false)
		})
	}
}

// part tries every step-th page from a first one on, and so many bits; it tries a sample of
// the commands, or all.
func (w *wreckage) part(first, step, bits int, sample bool) {
	for _, name := range w.names {
		w.try("whole", w.whole, name)
	}
	turn := 0
	some := func() []string { // some of the commands; in the end all
		if !sample {
			return w.names
		}
		turn++
		return []string{w.names[turn%len(w.names)], "restore"}
	}
	page := os.Getpagesize()
	pages, tried, missed := len(w.whole)/page, 0, 0
	for at := first; at < pages; at += step {
		tried++
		if _, out := w.try("cut", w.whole[:at*page], "game list"); strings.Contains(out, "demo-1") {
			missed++ // only space was cut off that bbolt keeps in reserve
		} else {
			w.refused(fmt.Sprintf("cut short to %d pages", at), w.whole[:at*page], some()...)
		}
		w.zero(at, some)
	}
	if missed > tried/2 {
		w.Errorf("%d of %d cuts were not noticed", missed, tried)
	}
	r := rand.New(rand.NewPCG(3, uint64(first)))
	for i := range bits {
		turned := bytes.Clone(w.whole)
		at, bit := r.IntN(len(turned)), r.IntN(8)
		turned[at] ^= 1 << bit
		w.try(fmt.Sprintf("bit %d of byte %d turned", bit, at), turned, w.names[i%len(w.names)])
	}
	w.Logf("%d of %d pages, %d bits, %d commands, %d tries", tried, pages, bits, len(w.names), w.count)
}

// zero tries a database of which one page is zero.
func (w *wreckage) zero(at int, some func() []string) {
	w.Helper()
	what := fmt.Sprintf("page %d zeroed", at)
	zeroed := bytes.Clone(w.whole)
	page := os.Getpagesize()
	clear(zeroed[at*page : (at+1)*page])
	if code, _ := w.try(what, zeroed, "game list"); code != 0 {
		w.refused(what, zeroed, some()...)
		return
	}
	for _, name := range some() { // they may succeed: the page is free, or one of the two heads
		w.try(what, zeroed, name)
	}
	if at >= 2 {
		return
	}
	if code, out := w.try(what, zeroed, "doctor"); code != 0 || !strings.Contains(out, "one of the file's two heads is damaged") {
		w.Errorf("%s: doctor ends with %d:\n%s", what, code, out)
	}
}

// The test above tries every command there is.
func TestDamageTriesEveryCommand(t *testing.T) {
	w := newWreckage(t)
	var c commands
	parser, err := kong.New(&c, kong.Name("berthier"), kong.Vars{"rulesets": rulesetNames()})
	if err != nil {
		t.Fatal(err)
	}
	for _, leaf := range parser.Model.Leaves(true) {
		name := strings.TrimPrefix(strings.Join(strings.Fields(leaf.Path()), " "), "berthier ")
		name, _, _ = strings.Cut(name, " <")
		name, _, _ = strings.Cut(name, " [")
		if !slices.Contains(w.names, name) && !slices.Contains(withoutDatabase, name) {
			t.Errorf("%q is not tried on a damaged database", name)
		}
	}
}
