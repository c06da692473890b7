package mistakes

import (
	"strings"
	"testing"

	"berthier/engine/cases"
	"berthier/engine/geometry"
)

// Where units stand is told in words: how far from which town and which way, in what they stand, and of
// those nearest to an enemy where he is.
func TestWordsOfPlaces(t *testing.T) {
	g := field(t, piece{"blue-13", 400_000, 210_000, 0}, piece{"red-20", 400_000, 255_000, 180})
	v := g.view("blue")
	s, ok := v.whereSection()
	if !ok || len(s.Lines) != len(v.standing()) {
		t.Fatalf("%d lines of %d units", len(s.Lines), len(v.standing()))
	}
	var all []string
	for _, line := range s.Lines {
		all = append(all, cases.Plain(line))
	}
	text := strings.Join(all, "\n")
	for _, want := range []string{"em.where unit=blue-13", "em.where-in", "Wood of Hougoumont", "em.where-off far=", "toward=(play.toward-"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	near := v.nearWhere(v.guidemarks(), [2]geometry.Point{{}, geometry.Point(v.size)})
	if len(near) == 0 || len(near) > mostWhere || !strings.Contains(cases.Plain(near[0]), "unit=blue-13") || !strings.Contains(cases.Plain(near[0]), "other=red-20") || !strings.Contains(cases.Plain(near[0]), "toward=(play.toward-n)") {
		t.Errorf("near the enemy: %v", near)
	}
}

// A piece of ground whose name is translated has an article in both languages, so that sentences can say
// "nella cresta" and not "in cresta". Towns have none.
func TestArticlesOfTheGround(t *testing.T) {
	v := begin(t, nil).view("blue")
	for _, d := range v.areas {
		for _, language := range []string{"en", "it"} {
			_, translated := names.Of("called", d.name, language)
			if article := v.Spell("article.called", d.name, language); (article != "") != translated {
				t.Errorf("%s in %s: article %q", d.name, language, article)
			}
		}
	}
}
