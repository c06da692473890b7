package templates

import (
	"strings"
	"testing"
	"time"

	"berthier/engine"
	"berthier/orders/phrase"

	"golang.org/x/net/html"
	"pgregory.net/rapid"
)

func sampleArchive(language string) Archive {
	h := sampleHeading(language)
	h.Side = engine.GM
	a := Archive{Heading: h, Sides: []engine.Side{"french", "allied"}, Commitment: strings.Repeat("ab", 32), Seeds: []string{strings.Repeat("cd", 32)}}
	for n := 1; n <= 3; n++ {
		page := samplePage()
		a.Steps = append(a.Steps, Step{
			Entry: 2 * n, Hash: "0123456789abcdef", At: time.Date(2026, 3, n, 9, 0, 0, 0, time.UTC), Stop: n, Undone: n == 2,
			Orders: []Ordered{{Side: "french", Stop: phrase.Say("office.stop", phrase.Number("stop", n), phrase.Name("name", "stop", "move")), By: "player", Text: "orders: none\n"}},
			Rolls:  []engine.Roll{{Sides: 6, Result: n, Purpose: phrase.Say("office.stop", phrase.Number("stop", n))}}, Ruled: map[int]int{1: n},
			Told: []ToldTo{{Clause: "NAP-5.4", Tellings: []engine.Telling{
				{To: []engine.Side{"french"}, Say: phrase.Say("office.stop", phrase.Number("stop", n))},
				{To: []engine.Side{"allied"}, Say: phrase.Say("office.stop", phrase.Number("stop", n+1))}}}},
			Pages: []SidePage{{engine.GM, page}, {"french", page}},
		})
	}
	return a
}

// The page is whole HTML, refers to nothing outside itself, holds each step and
// each kind of mark once, and is the same each time.
func TestArchive(t *testing.T) {
	for _, language := range Languages {
		page, err := sampleWords(t).Archive(sampleArchive(language))
		if err != nil {
			t.Fatal(err)
		}
		again, err := sampleWords(t).Archive(sampleArchive(language))
		if err != nil || string(again) != string(page) {
			t.Errorf("%s: the page is another the second time (%v)", language, err)
		}
		text := string(page)
		ids := map[string]bool{}
		var uses []string
		z := html.NewTokenizer(strings.NewReader(text))
		for z.Next() != html.ErrorToken {
			token := z.Token()
			for _, a := range token.Attr {
				switch a.Key {
				case "id":
					if ids[a.Val] {
						t.Errorf("%s: two things are called %s", language, a.Val)
					}
					ids[a.Val] = true
				case "href":
					uses = append(uses, strings.TrimPrefix(a.Val, "#"))
				case "src", "action", "xlink:href":
					t.Errorf("%s: <%s %s=%q> refers outside", language, token.Data, a.Key, a.Val)
				}
			}
		}
		for _, use := range uses {
			if !ids[use] {
				t.Errorf("%s: %q is used, and not there", language, use)
			}
		}
		for _, id := range []string{"e2", "e4", "e6"} {
			if !ids[id] {
				t.Errorf("%s: step %s is not there", language, id)
			}
		}
		if n := strings.Count(text, "step undone"); n != 1 {
			t.Errorf("%s: %d steps are marked as undone", language, n)
		}
		if n := strings.Count(text, "<svg viewBox"); n != 6 {
			t.Errorf("%s: %d pictures, want 6", language, n)
		}
	}
}

// Whatever names and texts hold, they stay text.
func TestArchiveKeepsTextText(t *testing.T) {
	words := sampleWords(t)
	rapid.Check(t, func(t *rapid.T) {
		evil := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
			`</script><script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `'onload='x`, "\u202eevil", `</svg><style>*{}</style>`, `<!--`,
		})).Draw(t, "text")
		a := sampleArchive("en")
		a.Title, a.Game, a.Commitment, a.Seeds = evil, evil, evil, []string{evil}
		a.Spell = func(_, _, _ string) string { return evil }
		a.Steps[0].Orders[0].Text = evil
		a.Steps[0].Lines = []phrase.Phrase{phrase.Say("office.archive.rewound", phrase.Number("stop", 1), phrase.Literal("reason", evil))}
		page, err := words.Archive(a)
		if err != nil {
			t.Fatal(err)
		}
		scripts := 0
		z := html.NewTokenizer(strings.NewReader(string(page)))
		for z.Next() != html.ErrorToken {
			token := z.Token()
			if token.Type != html.StartTagToken && token.Type != html.SelfClosingTagToken {
				continue
			}
			switch token.Data {
			case "script":
				scripts++
			case "img", "iframe", "object", "a", "link", "form":
				t.Fatalf("a <%s> has come in", token.Data)
			}
			for _, a := range token.Attr {
				if strings.HasPrefix(a.Key, "on") {
					t.Fatalf("<%s> has %s=%q", token.Data, a.Key, a.Val)
				}
			}
		}
		if scripts != 1 {
			t.Fatalf("%d scripts, want the page's own", scripts)
		}
	})
}

// A scene with a fault is an error that names it, never half a picture.
func TestArchiveRefusesFaultyScenes(t *testing.T) {
	for name, spoil := range map[string]func(*engine.Scene){
		"size": func(s *engine.Scene) { s.Width = 0 },
		"ink": func(s *engine.Scene) {
			s.Marks = append(s.Marks, engine.Mark{Shape: engine.Disc, Points: []engine.Point{{}}, Fill: "red"})
		},
		"points": func(s *engine.Scene) {
			s.Marks = append(s.Marks, engine.Mark{Shape: engine.Line, Points: []engine.Point{{}}})
		},
		"shape": func(s *engine.Scene) {
			s.Ground = append(s.Ground, engine.Mark{Shape: "heart", Points: []engine.Point{{}}})
		},
		"paper": func(s *engine.Scene) { s.Paper = "url(http://x)" },
	} {
		a := sampleArchive("en")
		scene := sampleScene()
		spoil(scene)
		a.Steps[1].Pages[0].Page.Sections = []engine.Section{{Picture: scene}}
		if _, err := sampleWords(t).Archive(a); err == nil || !strings.Contains(err.Error(), scene.Name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A curve goes through its points.
func TestSVGCurve(t *testing.T) {
	got := svgBend([]engine.Point{{X: 0, Y: 0}, {X: 60, Y: 0}, {X: 60, Y: 60}})
	if want := "M0 0C10 0 50 -10 60 0C70 10 60 50 60 60"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := strings.Join([]string{decimal(1), decimal(0.25), decimal(-3.04)}, " "); got != "1 0.3 -3" {
		t.Error(got)
	}
}
