package rulestest

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

var rewritePages = flag.Bool("pages", false, "write the pages of testdata/pages anew")

// spoken writes a value with codes and ids in place of words.
func spoken(v phrase.Value) string {
	switch v.Kind {
	case "":
		return ""
	case phrase.KindNumber:
		return strconv.Itoa(v.Num)
	case phrase.KindLiteral:
		return strconv.Quote(v.Text)
	case phrase.KindPhrase:
		return spokenPhrase(*v.Say)
	case phrase.KindList:
		var all []string
		for _, item := range v.List {
			all = append(all, spoken(item))
		}
		return "[" + strings.Join(all, ", ") + "]"
	}
	return v.Kind + ":" + v.Text
}

func spokenPhrase(p phrase.Phrase) string {
	out := p.Code
	for _, a := range p.Args {
		out += " " + a.Name + "=" + spoken(a.Value)
	}
	if len(p.Args) > 0 {
		return "(" + out + ")"
	}
	return out
}

// PageText writes a page with codes and ids in place of words, and without its pictures,
// of which it lists only the labels.
func PageText(p engine.Page) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n", spokenPhrase(p.Title))
	for _, s := range p.Sections {
		fmt.Fprintf(&out, "\n# %s\n", spokenPhrase(s.Heading))
		if s.Picture != nil {
			fmt.Fprintf(&out, "picture %s %dx%d %s\n", s.Picture.Name, s.Picture.Width, s.Picture.Height, spokenPhrase(s.Picture.Alt))
			for _, m := range s.Picture.Marks {
				if m.Shape == engine.Label {
					fmt.Fprintf(&out, " %s", spoken(m.Text))
				}
			}
			fmt.Fprintln(&out)
		}
		for _, l := range s.Lines {
			fmt.Fprintf(&out, "%s\n", spokenPhrase(l))
		}
		if s.Told != "" {
			fmt.Fprintf(&out, "reports tell %s\n", s.Told)
		}
		for _, l := range s.Gist {
			fmt.Fprintf(&out, "in short %s\n", spokenPhrase(l))
		}
		for _, t := range s.Tables {
			fmt.Fprintf(&out, "table %s\n", spokenPhrase(t.Caption))
			for i, c := range t.Head {
				if i > 0 {
					out.WriteString(" | ")
				}
				out.WriteString(spokenPhrase(c.Head))
			}
			out.WriteString("\n")
			for _, row := range t.Rows {
				for i, cell := range row {
					if i > 0 {
						out.WriteString(" | ")
					}
					out.WriteString(spoken(cell))
				}
				out.WriteString("\n")
			}
		}
	}
	return out.String()
}

// GoldenPage checks that a text is that of testdata/pages/<name>.txt, and that each
// row of the page's tables has a cell under each head. With the flag -pages it
// writes the file anew.
func GoldenPage(t *testing.T, name string, page engine.Page, got string) {
	t.Helper()
	for _, s := range page.Sections {
		for _, table := range s.Tables {
			for _, row := range table.Rows {
				if len(row) != len(table.Head) {
					t.Errorf("table %s: a row of %d cells under %d heads", table.Caption.Code, len(row), len(table.Head))
				}
			}
		}
	}
	file := filepath.Join("testdata", "pages", name+".txt")
	if *rewritePages {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (write it with go test -run TestPages -pages)", err)
	}
	if got != string(want) {
		t.Errorf("the page is not that of %s; first difference:\n%s", file, FirstDifference(got, string(want)))
	}
}

// FirstDifference tells the first line in which two texts differ.
func FirstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return "line " + strconv.Itoa(i+1) + "\n got " + a[i] + "\nwant " + b[i]
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(a), len(b))
}

// Catalogue reads the catalogues of one language, *.<language>.yaml, and checks
// that no code stands in two of them.
func Catalogue(t *testing.T, words fs.FS, language string) map[string]string {
	t.Helper()
	all := map[string]string{}
	names, err := fs.Glob(words, "*."+language+".yaml")
	if err != nil || len(names) == 0 {
		t.Fatalf("no catalogues of %s: %v", language, err)
	}
	for _, name := range names {
		data, err := fs.ReadFile(words, name)
		if err != nil {
			t.Fatal(err)
		}
		var some map[string]string
		if err := orders.Unmarshal(data, &some); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for code, text := range some {
			if _, twice := all[code]; twice {
				t.Errorf("%s stands in two files of %s", code, language)
			}
			all[code] = text
		}
	}
	return all
}

// PageWords checks that everything that pages say has a sentence in the ruleset's English
// and Italian catalogues, with the places that it fills, that both languages have the same
// sentences, and that the pages say at least so many of them.
func PageWords(t *testing.T, words fs.FS, pages []engine.Page, least int) {
	catalogue := map[string]map[string]string{"en": Catalogue(t, words, "en"), "it": Catalogue(t, words, "it")}
	seen := map[string]bool{}
	var checkValue func(phrase.Value)
	check := func(p phrase.Phrase) {
		for language, sentences := range catalogue {
			text, ok := sentences[p.Code]
			if !ok {
				t.Errorf("%s has no sentence in %s", p.Code, language)
			}
			for _, a := range p.Args {
				if !strings.Contains(text, "{"+a.Name) {
					t.Errorf("%s in %s has no place {%s}", p.Code, language, a.Name)
				}
			}
		}
		seen[p.Code] = true
		for _, a := range p.Args {
			checkValue(a.Value)
		}
	}
	checkValue = func(v phrase.Value) {
		if v.Say != nil {
			check(*v.Say)
		}
		for _, item := range v.List {
			checkValue(item)
		}
	}
	for _, page := range pages {
		check(page.Title)
		for _, s := range page.Sections {
			check(s.Heading)
			for _, l := range slices.Concat(s.Lines, s.Gist) {
				check(l)
			}
			for _, table := range s.Tables {
				check(table.Caption)
				for _, c := range table.Head {
					check(c.Head)
				}
				for _, row := range table.Rows {
					for _, cell := range row {
						checkValue(cell)
					}
				}
			}
			if s.Picture != nil {
				check(s.Picture.Alt)
				for _, marks := range [][]engine.Mark{s.Picture.Ground, s.Picture.Marks} {
					for _, m := range marks {
						checkValue(m.Text)
					}
				}
			}
		}
	}
	for code := range catalogue["en"] {
		if _, ok := catalogue["it"][code]; !ok {
			t.Errorf("%s has no sentence in it", code)
		}
	}
	for code := range catalogue["it"] {
		if _, ok := catalogue["en"][code]; !ok {
			t.Errorf("%s has no sentence in en", code)
		}
	}
	if len(seen) < least {
		t.Errorf("the positions say only %d of the codes", len(seen))
	}
}
