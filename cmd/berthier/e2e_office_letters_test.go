//go:build e2e

package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"image/png"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"berthier/engine"
	"berthier/engine/ahead"
	"berthier/engine/rulestest"
	"berthier/templates"

	"github.com/emersion/go-message"
	"github.com/rogpeppe/go-internal/testscript"
)

// TestEndToEndOfficeLettersInABrowser opens the letters that no ruleset writes by itself: a first
// letter, a last one with the course of a whole game, refusals that give a file back, with two ways
// and without, confirmations, drafts, and the answers to each command. As with reports, nothing is
// wider than the window, no text faint, no label of the pictures that lie in the letters lower than nine pixels,
// and no counter over the name of a place, by day and by night.
func TestEndToEndOfficeLettersInABrowser(t *testing.T) {
	drawn := drawnPictures(t)
	measured := 0
	for system := range rulesets {
		t.Run(system, func(t *testing.T) {
			names := append(officeLetters(t, system), demoLetters(t, system)...)
			pages, ways := openedKinds(t, names)
			if len(pages) < 20 {
				t.Errorf("only %d kinds of letters", len(pages))
			}
			if system == "napoleon" && !ways {
				t.Errorf("no refusal has two ways")
			}
			measured += drawn.look(t, openAll(t, pages))
			t.Logf("%d kinds of letters: %q", len(pages), pages)
		})
	}
	if least := 3 * len(rulesets) * len(windows) * 2; measured < least || drawn.named < least {
		t.Errorf("%d pictures were measured, and %d with names of places drawn; should be %d", measured, drawn.named, least)
	}
}

// openedKinds opens letters, one of each kind, which its subject tells. It tells whether one of them has a
// file in two ways. No line of their texts is longer than 72 columns.
func openedKinds(t *testing.T, names []string) (pages []shown, ways bool) {
	t.Helper()
	seen := map[string]bool{}
	for _, name := range names {
		page, text := openedLetter(t, name)
		subject := strings.SplitN(text, "\n", 2)[0]
		kind := regexp.MustCompile(`[\d(].*`).ReplaceAllString(subject[strings.IndexByte(subject, ']')+1:], "")
		if strings.Count(text, "# ===== ORDINI ") > 1 {
			kind, ways = kind+" with two ways", true
		}
		if page == "" || seen[kind] {
			continue
		}
		seen[kind] = true
		pages = append(pages, shown{kind, page})
		for _, line := range strings.Split(text, "\n")[1:] {
			if n := utf8.RuneCountInString(line); n > 72 && !strings.Contains(line, "://") {
				t.Errorf("%s: a line of %d columns: %s", kind, n, line)
			}
		}
	}
	return pages, ways
}

// String is the name of a letter.
func (s shown) String() string { return s.Name }

// look says what is wrong with letters as they were opened, and gives how many of their pictures it knows.
// Nil stands for pictures that another process has drawn, of which nothing is known.
func (d *drawings) look(t *testing.T, letters []opened) (measured int) {
	t.Helper()
	for _, o := range letters {
		where := fmt.Sprintf("%s at %d pixels, dark %v", o.Name, o.Window, o.Dark)
		if o.Width > o.Window {
			t.Errorf("%s: %d wide, because of %s", where, o.Width, o.Wide)
		}
		for _, text := range o.Faint {
			t.Errorf("%s: %s", where, text)
		}
		for _, image := range o.Images {
			of, known := d.of(image.Name)
			if !known {
				if d != nil {
					t.Errorf("%s: nobody has drawn the picture that is shown %.1f wide", where, image.Width)
				}
				continue
			}
			measured++
			if of.clear != nil {
				t.Errorf("%s: %v", where, of.clear)
			}
			if high := labelHeight(of.smallest, image.Width); high < leastHeight {
				t.Errorf("%s: picture %s is %.1f wide, a label %.2f high", where, of.name, image.Width, high)
			}
		}
	}
	return measured
}

// TestEndToEndScriptedLettersInABrowser opens one letter of each kind that the scripts of letters have an
// office write: to game masters, of rulings and disputes, between players, to observers, about absences and
// histories. Another process draws their pictures, so only the letters themselves are looked at.
func TestEndToEndScriptedLettersInABrowser(t *testing.T) {
	scripts, err := filepath.Glob(filepath.Join("testdata", "script", "letters-*.txtar"))
	if err != nil || len(scripts) == 0 {
		t.Fatalf("%d scripts: %v", len(scripts), err)
	}
	kept := t.TempDir()
	ran := t.Run("scripts", func(t *testing.T) { // they are run side by side: this ends when the last has ended
		testscript.Run(t, testscript.Params{
			Files: scripts, RequireExplicitExec: true,
			Condition: func(name string) (bool, error) { return fullSamples, nil },
			Setup: func(env *testscript.Env) error {
				env.Defer(func() {
					if err := os.CopyFS(filepath.Join(kept, filepath.Base(env.WorkDir)), os.DirFS(env.WorkDir)); err != nil {
						t.Error(err)
					}
				})
				return nil
			},
		})
	})
	if !ran {
		return
	}
	names, err := filepath.Glob(filepath.Join(kept, "*", "post", "*.eml"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%d letters: %v", len(names), err)
	}
	pages, _ := openedKinds(t, names)
	if len(pages) < 20 {
		t.Errorf("only %d kinds of letters: %q", len(pages), pages)
	}
	(*drawings)(nil).look(t, openAll(t, pages))
	t.Logf("%d kinds of letters: %q", len(pages), pages)
}

// A drawing is what a picture of a letter was before it was drawn.
type drawing struct {
	name     string
	smallest [2]int // its width, and the size of its smallest label
	clear    error  // what stands over a name
}

// drawings are the pictures that were drawn, by their bytes.
type drawings struct {
	mu    sync.Mutex
	all   map[string]drawing
	named int // those that still knew where the names of places stand
}

// drawnPictures notes each picture that is drawn from now on.
func drawnPictures(t *testing.T) *drawings {
	t.Helper()
	d := &drawings{all: map[string]drawing{}}
	templates.Drawn = func(s *engine.Scene, png []byte) {
		one := drawing{s.Name, [2]int{s.Width, smallestLabel(s)}, rulestest.ClearPicture(s)}
		d.mu.Lock()
		defer d.mu.Unlock()
		d.all[printOf(png)] = one
		if len(s.Names) > 0 {
			d.named++
		}
	}
	t.Cleanup(func() { templates.Drawn = nil })
	return d
}

// of finds a picture by what its bytes come to.
func (d *drawings) of(print string) (drawing, bool) {
	if d == nil {
		return drawing{}, false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	one, known := d.all[print]
	return one, known
}

// printOf is what the bytes of a picture come to.
func printOf(png []byte) string { return fmt.Sprintf("%x", sha256.Sum256(png)) }

// officeLetters are the letters to a player who sends whatever he may, in their order.
func officeLetters(t *testing.T, system string) []string {
	t.Helper()
	return append(lettersOf(t, system, "every-decision", writeInItalian), lettersOf(t, system, "postal", marchUnforced)...)
}

// lettersOf are the letters to a player of a new game.
func lettersOf(t *testing.T, system, pace string, plays func(*testing.T, *sitting)) []string {
	t.Helper()
	folder := t.TempDir()
	s := sitDown(t, folder, system, pace)
	plays(t, s)
	if err := s.close(); err != nil {
		t.Fatal(err)
	}
	letters, err := filepath.Glob(filepath.Join(folder, "letters", "*-to-player.eml"))
	if err != nil || len(letters) == 0 {
		t.Fatalf("%d letters: %v", len(letters), err)
	}
	return letters
}

// marchUnforced answers until an order file has a march that must be forced, and orders that without
// saying so: the refusal has two ways. Where nothing marches by force there is none.
func marchUnforced(t *testing.T, s *sitting) {
	t.Helper()
	sheet, _ := ahead.Sheet(s.rules)
	forced := regexp.MustCompile(`(?m)^ *# (- muovi: \{.*), a-forza: sì\}`)
	for n := 0; n < 20 && !s.over && s.owes != nil; n++ {
		text := s.rules.Sensible(s.view, *s.owes, rand.New(rand.NewPCG(7, 7))).Orders().FileIn("it", sheet.Vocabulary, "").Encode()
		file := forced.FindStringSubmatch(s.blank)
		if file != nil {
			text = "ordini:\n  " + file[1] + "}\n"
		}
		if _, err := s.handIn(t.Context(), "ora: sì\n"+text); err != nil {
			t.Fatal(err)
		}
		if file != nil {
			if len(s.ways) < 2 {
				t.Errorf("no two ways are offered for %s", text)
			}
			return
		}
	}
}

// demoLetters are the first and the last letters to the sides of a demo that is played to its end.
func demoLetters(t *testing.T, system string) (all []string) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "demo")
	if code := run(t.Context(), []string{"demo", "--game", system, "--seed", "7", "--out", out}, io.Discard, io.Discard); code != 0 {
		t.Fatalf("the demo ends with %d", code)
	}
	letters, err := filepath.Glob(filepath.Join(out, "letters", "*-to-*.eml"))
	if err != nil || len(letters) < 20 {
		t.Fatalf("%d letters: %v", len(letters), err)
	}
	letters = slices.DeleteFunc(letters, func(name string) bool { return strings.HasSuffix(name, "-to-office.eml") })
	return append(letters[:3:3], letters[len(letters)-3:]...)
}

// openedLetter is the HTML of a letter with pictures of the size of its own, which are named by what
// their bytes come to, and its subject and texts.
func openedLetter(t *testing.T, name string) (page, text string) {
	t.Helper()
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	entity, err := message.Read(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	pictures := map[string]string{}
	err = entity.Walk(func(_ []int, part *message.Entity, err error) error {
		kind, _, _ := part.Header.ContentType()
		if err != nil || kind != "text/html" && kind != "image/png" {
			return err
		}
		body, err := io.ReadAll(part.Body)
		if err != nil {
			return err
		}
		if kind == "text/html" {
			page = string(body)
			return nil
		}
		size, err := png.DecodeConfig(bytes.NewReader(body))
		pictures[strings.Trim(part.Header.Get("Content-Id"), "<>")] = fmt.Sprintf(`data-name="%s" src="data:image/svg+xml,%%3Csvg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d'/%%3E"`, printOf(body), size.Width, size.Height)
		return err
	})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for id, picture := range pictures {
		page = strings.ReplaceAll(page, `src="cid:`+id+`"`, picture)
	}
	if strings.Contains(page, "cid:") {
		t.Errorf("%s shows a picture that it does not bring", filepath.Base(name))
	}
	texts := textsOf(t, name)
	return page, strings.ReplaceAll(strings.Join(texts[:min(2, len(texts))], "\n"), "\r\n", "\n")
}
