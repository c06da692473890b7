package orders

import (
	"strings"
	"testing"
)

// Letters that are no text are told with their place in the text as it was read:
// old line breaks count, invisible signs before them don't.
func TestPlaceOfWhatIsNoText(t *testing.T) {
	for _, test := range []struct {
		file         string
		line, column int
	}{
		{"orders:\n  x: a\xff\n", 2, 7},
		{"orders:\r  x: y\r  z: a\x80\r", 3, 7},
		{"orders:\n  x: \u200by\xff\n", 2, 7},
		{"orders:\n  x: e\u0301\xff\n", 2, 7},
	} {
		_, problems := Parse(test.file, nil)
		if len(problems) == 0 || problems[0].Why.Code != "order.not-utf8" || problems[0].Line != test.line || problems[0].Column != test.column {
			t.Errorf("%q: %v, want order.not-utf8 at %d:%d", test.file, problems, test.line, test.column)
		}
	}
}

// A sign that no file may hold is told where it stands in the text as it is shown:
// behind spaces and invisible signs that were dropped, accents that were composed,
// bullets and tabs that were repaired.
func TestPlaceOfRefusedSigns(t *testing.T) {
	for text, want := range map[string]string{
		"game: x\u200b\u200b\u200b\x01\n":            "game: x",
		"gamé: e\u0301e\u0301\x01\n":                 "gamé: éé",
		"game: x? y？\x01\n":                          "game: x? y?",
		"orders:\n*    at: \x01\n":                   "- at: ",
		"\u200borders?: \x02\n  \u200b* \x01: ？\x01": "orders?: ",
		"game: é\u200b\xff\x01\n":                    "game: é",
	} {
		d, problems := Parse(text, nil)
		found := false
		for _, p := range problems {
			if code := p.Why.Code; code == "order.control" || code == "order.not-utf8" {
				line := []rune(strings.Split(d.Source, "\n")[p.Line-1])
				if p.Column > len(line) || line[p.Column-1] != '?' {
					t.Errorf("%q: %s in %q", text, tell(Problems{p}), string(line))
				}
				found = found || string(line[:p.Column-1]) == want
			}
		}
		if !found {
			t.Errorf("%q: none behind %q: %s\n%s", text, want, tell(problems), d.Source)
		}
	}
}

// Where tabs stand in front of a line whose depth nobody can know, a fault on it is
// told where it stands.
func TestPlaceBehindTabs(t *testing.T) {
	text := "orders:\n   b:\n\t\t\t\tc: &\n            d: e\n"
	d, problems := Parse(text, nil)
	if d.Source != text {
		t.Fatalf("repaired: %q", d.Source)
	}
	if told := tell(problems); !strings.Contains(told, "3:8 anchor") {
		t.Fatal(told)
	}
}
