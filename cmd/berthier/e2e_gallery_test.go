//go:build e2e

package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"berthier/engine"
	"berthier/engine/rulestest"
	"berthier/templates"
)

// windows are how wide the windows are in which letters are opened: a phone's and a desk's.
var windows = []int{390, 760}

// An opened letter is what the browser says of a letter in a window.
type opened struct {
	Name   string
	Window int
	Dark   bool
	Seen   bool // the style for dark screens counts there
	Width  int  // of the whole document
	Wide   string
	Images []struct {
		Name  string
		Width float64 // as shown
	}
	Faint []string // text that hardly differs from what is behind it
}

// A shown letter or page is opened in frames of the browser.
type shown struct{ Name, HTML string }

// openAll opens letters or pages in Chromium, in each window, by day and by night, and gives what
// it says of them.
func openAll(t *testing.T, pages []shown) (all []opened) {
	t.Helper()
	data, err := json.Marshal(pages)
	if err != nil {
		t.Fatal(err)
	}
	driver, err := os.ReadFile(filepath.Join("testdata", "e2e", "letters.html"))
	if err != nil {
		t.Fatal(err)
	}
	page := filepath.Join(t.TempDir(), "letters.html")
	filled := strings.Replace(strings.Replace(string(driver), "LETTERS", string(data), 1), "WINDOWS", fmt.Sprint(strings.ReplaceAll(fmt.Sprint(windows), " ", ",")), 1)
	if err := os.WriteFile(page, []byte(filled), 0o600); err != nil {
		t.Fatal(err)
	}
	dom := chromium(t, "--hide-scrollbars", "--virtual-time-budget=60000", "--dump-dom", "file://"+page)
	found := regexp.MustCompile(`(?s)<pre id="found">(.*?)</pre>`).FindStringSubmatch(dom)
	if found == nil || json.Unmarshal([]byte(html.UnescapeString(found[1])), &all) != nil {
		t.Fatalf("the browser says nothing of the pages: %.2000s", dom)
	}
	return all
}

// ofFields are the rulesets whose pictures show a measured field, where no two are alike.
var ofFields = []string{"enemy-mistakes", "hfg"}

// inOtherTongues are the games of the gallery of the measured rulesets, each in the other language.
func inOtherTongues() (all []playthrough) {
	for _, p := range galleries {
		if slices.Contains(ofFields, p.system) {
			p.language = map[string]string{"en": "it", "it": "en"}[p.language]
			all = append(all, p)
		}
	}
	return all
}

// TestEndToEndLettersInABrowser opens a letter of each kind in Chromium, as on a phone and on a
// desk, by day and by night; those of measured fields in both languages, with their pictures as they
// go out. Nothing is wider than the window, no label of a picture smaller than
// nine pixels, no text faint, no counter over the name of a place, no label on another. No line of the text is longer
// than 72 columns. Some letters at a time are opened by one browser, in frames of one page.
func TestEndToEndLettersInABrowser(t *testing.T) {
	all := collect(t).letters
	for name, letter := range collectFrom(t, inOtherTongues()).letters {
		all[name+", in the other language"] = letter
	}
	openLetters(t, all)
}

// sourceOf is what stands in place of the picture of a letter in the page that the browser opens: the picture itself for measured fields,
// else an empty one of the same size, which takes the same room.
func sourceOf(t *testing.T, name string, s *templates.Scene) string {
	t.Helper()
	if !slices.ContainsFunc(ofFields, func(system string) bool { return strings.HasPrefix(name, system) }) {
		return fmt.Sprintf(`data-name="%s" src="data:image/svg+xml,%%3Csvg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d'/%%3E"`, s.Name, s.Scene.Width, s.Scene.Height)
	}
	png, err := templates.Draw(s.Scene, s.Labels)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf(`data-name="%s" src="data:image/png;base64,%s"`, s.Name, base64.StdEncoding.EncodeToString(png))
}

// atOnce is how many letters a browser opens: each of them in every window, with its pictures.
const atOnce = 20

// openLetters opens letters, by their names, and looks at what the browser says.
func openLetters(t *testing.T, of map[string]templates.Letter) {
	t.Helper()
	var letters []shown
	smallest := map[string]map[string][2]int{} // of each picture of each letter: its width and the size of its smallest label
	for name, letter := range of {
		page := letter.HTML
		smallest[name] = map[string][2]int{}
		for _, s := range letter.Scenes {
			if err := rulestest.ClearPicture(s.Scene); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			smallest[name][s.Name] = [2]int{s.Scene.Width, smallestLabel(s.Scene)}
			page = strings.ReplaceAll(page, `src="cid:`+s.Name+`"`, sourceOf(t, name, &s))
		}
		if strings.Contains(page, "cid:") {
			t.Errorf("%s shows a picture that it does not bring", name)
		}
		for _, line := range strings.Split(letter.Text, "\n") {
			if n := utf8.RuneCountInString(line); n > 72 && !strings.Contains(line, "://") {
				t.Errorf("%s: a line of %d columns: %s", name, n, line)
			}
		}
		letters = append(letters, shown{name, page})
	}
	var all []opened
	for some := range slices.Chunk(letters, atOnce) {
		all = append(all, openAll(t, some)...)
	}
	if want := len(letters) * len(windows) * 2; len(all) != want {
		t.Errorf("%d letters opened, should be %d", len(all), want)
	}
	pictures := 0
	for _, o := range all {
		where := fmt.Sprintf("%s at %d pixels, dark %v", o.Name, o.Window, o.Dark)
		if o.Seen != o.Dark {
			t.Errorf("%s: the style for dark screens counts: %v", where, o.Seen)
		}
		if o.Width > o.Window {
			t.Errorf("%s: %d wide, because of %s", where, o.Width, o.Wide)
		}
		for _, image := range o.Images {
			of := smallest[o.Name][image.Name]
			pictures++
			if high := labelHeight(of, image.Width); high < leastHeight {
				t.Errorf("%s: picture %s is %.1f wide, a label %.2f high", where, image.Name, image.Width, high)
			}
		}
		for _, text := range o.Faint {
			t.Errorf("%s: %s", where, text)
		}
	}
	if pictures < len(letters) {
		t.Errorf("only %d pictures were seen", pictures)
	}
}

// smallestLabel is the size of the smallest label of a picture; 0 if it has none.
func smallestLabel(s *engine.Scene) (least int) {
	for _, m := range slices.Concat(s.Ground, s.Marks) {
		if m.Shape == engine.Label && (least == 0 || m.Size < least) {
			least = m.Size
		}
	}
	return least
}

// leastHeight is how high a label must be at least, in pixels; the browser rounds.
const leastHeight = 8.95

// labelHeight is how high the smallest label of a picture is that is shown so wide, where the picture has
// a width and a smallest label; a picture without labels has none that is small.
func labelHeight(of [2]int, shown float64) float64 {
	if of[1] == 0 {
		return leastHeight
	}
	return float64(of[1]) * shown / float64(of[0])
}
