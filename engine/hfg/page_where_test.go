package hfg

import (
	"slices"
	"strings"
	"testing"

	"berthier/engine/cases"
	"berthier/orders/phrase"
)

// plainly are sentences as a test reads them.
func plainly(all []phrase.Phrase) []string {
	var texts []string
	for _, say := range all {
		texts = append(texts, cases.Plain(say))
	}
	return texts
}

// Where elements stand is told in words: how far from which town and which way, in what they stand or
// what they hold, and of those nearest to an enemy where he is. Whom the seat doesn't know is nowhere.
func TestWordsOfPlaces(t *testing.T) {
	rise := octagon("rise", hill, 6000, 4400, 1000, 800)
	rise.crest = []place{place(pt(5800, 4400)), place(pt(6200, 4400))}
	ground := &setting{year: 1809, areas: []areaDef{octagon("town", bua, 6000, 3000, 400, 400), octagon("copse", wood, 7000, 3000, 800, 800), rise}}
	g := fieldOn(t, ground, piece{"r1", muskets, 7000, 3000, 0, nil}, piece{"r2", muskets, 6000, 2600, 0, nil}, piece{"b1", muskets, 6000, 4400, 180, nil}, piece{"b2", muskets, 0, 0, 0, nil}, piece{"b3", muskets, 7000, 3300, 180, nil})
	heldBy(t, g, "b2", 1)
	g.Elements[named(t, g, "b3")].Concealed = true
	v := g.view("red")
	marks := v.landmarks()
	for id, want := range map[string][]string{
		"r1": {`hfg.where-off far=800 toward=(play.toward-e) mark=town`, `hfg.where-in mark=copse`},
		"r2": {`hfg.where-off far=200 toward=(play.toward-s) mark=town`},
		"b1": {`hfg.where-off far=1200 toward=(play.toward-n) mark=town`, `hfg.where-on mark=rise`},
		"b2": {`hfg.where-holds mark=town`},
	} {
		if got := plainly(v.where(marks, named(t, g, id))); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
	s, ok := v.whereSection()
	is(t, "of all that are seen", ok && len(s.Lines) == len(v.standing()), true)
	for _, line := range plainly(s.Lines) {
		if strings.Contains(line, "element=b3") {
			t.Errorf("b3 is told: %s", line)
		}
	}
	near := plainly(v.nearWhere(marks, v.sketch(point{}, point(v.size), true), [2]point{{}, point(v.size)}))
	want := `hfg.where-near element=r2 parts=[(hfg.where-off far=200 toward=(play.toward-s) mark=town)] other=b2 far=200 toward=(play.toward-n)`
	is(t, "the nearest to an enemy first", len(near) > 0 && near[0] == want, true)
	is(t, "no more than there is room for", len(near) <= mostWhere, true)
	t.Log(near)
}

// A place whose name is translated has an article in both languages, so that sentences can say "della fattoria" and
// not "di fattoria". Towns and strong points have none.
func TestArticlesOfPlaces(t *testing.T) {
	v := begin(t, nil).view("french")
	articled := func(kind, id, name string) {
		for _, language := range []string{"en", "it"} {
			_, translated := names.Of("called", name, language)
			if article := v.Spell("article."+kind, id, language); (article != "") != translated {
				t.Errorf("%s in %s: article %q", name, language, article)
			}
		}
	}
	for _, d := range v.areas {
		articled("area", d.id, d.name)
	}
	for _, d := range v.lines {
		articled("called", d.name, d.name)
	}
	for _, d := range v.places {
		articled("called", d.name, d.name)
	}
}
