package templates

import (
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"berthier/orders/phrase"
)

func Example() {
	words, err := New(nil) // the office's own words; a ruleset adds its own
	if err != nil {
		panic(err)
	}
	stop := phrase.Say("letter.stop", phrase.Number("stop", 12), phrase.Name("name", "stop", "move"))
	fmt.Println(words.Say("en", stop, nil))
	fmt.Println(words.Say("it", stop, func(kind, id, language string) string { return "movimento" }))
	// Output:
	// stop 12: move
	// domanda 12: movimento
}

// TestCatalogues checks the office's own words: both languages complete, with
// the same places.
func TestCatalogues(t *testing.T) {
	for _, err := range sampleWords(t).Check() {
		t.Error(err)
	}
}

// TestFiledAheadHasOneTerm holds that the Italian tables say what is filed ahead in one way:
// a reader who meets two looks for the difference.
func TestFiledAheadHasOneTerm(t *testing.T) {
	other := regexp.MustCompile(`(?i)(mand|invi|spedi|deposit)\w* in anticipo`)
	tables, err := fs.Glob(office, "words/*.it.yaml")
	if err != nil {
		t.Fatal(err)
	}
	said := 0
	for _, name := range tables {
		text, err := office.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			said += strings.Count(line, "in anticipo")
			if found := other.FindString(line); found != "" {
				t.Errorf("%s:%d: %q: say \"dare in anticipo\"", name, i+1, found)
			}
		}
	}
	if said == 0 {
		t.Error("no table speaks of what is given ahead: the test looks at nothing")
	}
}

func TestSay(t *testing.T) {
	w, err := New(map[string]fs.FS{"s": fstest.MapFS{
		"en.yaml": {Data: []byte(`
a.plain: Nothing to fill.
a.place: "{unit} at {town}"
a.plural: "{n|one block|{n} blocks}"
a.three: "{n|no block|one block|{n} blocks}"
a.count: "{dice:#} dice: {dice:,}"
a.if: "{unit} moves{town? to {town}|, nowhere}"
a.list: "{units}; {units:or}; {dice}; {units:,}"
a.within: "first, {what}!"
a.gender: "{unit} {unit@falls|fall}"
a.article: "{mark:the}; {mark:di}; {mark:su}; {mark:in}"
a.colon: "{mark:by}"
a.yaml: "write {from: Ligny, to: {x: y}} or \\{n\\}"
a.branches: "{n|{from: a}|b \\| c}"
`)},
		"it.yaml": {Data: []byte(`
a.plain: Niente da riempire.
a.list: "{units}; {units:or}; {dice}; {units:,}"
a.article: "{mark:il}; {mark:di}; {mark:su}; {mark:in}"
`)},
	}})
	if err != nil {
		t.Fatal(err)
	}
	spell := func(kind, id, language string) string {
		switch {
		case kind == GenderKind+"unit" && id == "f-03":
			return Masculine
		case kind == ArticleKind+"area" && language == "en":
			return map[string]string{"farm": "the", "wood": "the"}[id]
		case kind == ArticleKind+"area":
			return map[string]string{"farm": "la", "wood": "il", "ridge": "l'", "rocks": "gli"}[id]
		case strings.HasPrefix(kind, ArticleKind):
			return id // a ruleset that knows no articles
		}
		return strings.ToUpper(id) + "." + language
	}
	unit := phrase.Name("unit", "unit", "f-03")
	units := phrase.Names("units", "unit", []string{"a", "b", "e"})
	area := func(id string) phrase.Arg { return phrase.Name("mark", "area", id) }
	for _, c := range []struct {
		name, language string
		say            phrase.Phrase
		want           string
	}{
		{"nothing", "en", phrase.Phrase{}, ""},
		{"plain", "en", phrase.Say("a.plain"), "Nothing to fill."},
		{"language", "it-IT", phrase.Say("a.plain"), "Niente da riempire."},
		{"other language", "fr", phrase.Say("a.plain"), "Nothing to fill."},
		{"names", "en", phrase.Say("a.place", unit, phrase.Name("town", "town", "ligny")), "F-03.en at LIGNY.en"},
		{"first language stands in", "it", phrase.Say("a.place", unit, phrase.Name("town", "town", "ligny")), "F-03.it at LIGNY.it"},
		{"missing", "en", phrase.Say("a.place", unit), "F-03.en at {town}"},
		{"one", "en", phrase.Say("a.plural", phrase.Number("n", 1)), "one block"},
		{"more", "en", phrase.Say("a.plural", phrase.Number("n", 12)), "12 blocks"},
		{"zero of two", "en", phrase.Say("a.plural", phrase.Number("n", 0)), "0 blocks"},
		{"zero of three", "en", phrase.Say("a.three", phrase.Number("n", 0)), "no block"},
		{"one of three", "en", phrase.Say("a.three", phrase.Number("n", 1)), "one block"},
		{"how many", "en", phrase.Say("a.count", phrase.Numbers("dice", []int{6, 4})), "2 dice: 6, 4"},
		{"how many of none", "en", phrase.Say("a.count", phrase.Numbers("dice", nil)), "0 dice: "},
		{"if", "en", phrase.Say("a.if", unit, phrase.Name("town", "town", "x")), "F-03.en moves to X.en"},
		{"if not", "en", phrase.Say("a.if", unit), "F-03.en moves, nowhere"},
		{"masculine", "en", phrase.Say("a.gender", unit), "F-03.en falls"},
		{"any other gender", "en", phrase.Say("a.gender", phrase.Name("unit", "unit", "f-04")), "F-04.en fall"},
		{"gender of several", "en", phrase.Say("a.gender", phrase.Names("unit", "unit", []string{"a", "b"})), "A.en and B.en fall"},
		{"gender of nothing", "en", phrase.Say("a.gender"), "{unit} fall"},
		{"article", "en", phrase.Say("a.article", area("farm")), "the FARM.en; di FARM.en; su FARM.en; in FARM.en"},
		{"no article", "en", phrase.Say("a.article", area("ligny")), "LIGNY.en; di LIGNY.en; su LIGNY.en; in LIGNY.en"},
		{"feminine", "it", phrase.Say("a.article", area("farm")), "la FARM.it; della FARM.it; sulla FARM.it; nella FARM.it"},
		{"masculine article", "it", phrase.Say("a.article", area("wood")), "il WOOD.it; del WOOD.it; sul WOOD.it; nel WOOD.it"},
		{"elided", "it", phrase.Say("a.article", area("ridge")), "l'RIDGE.it; dell'RIDGE.it; sull'RIDGE.it; nell'RIDGE.it"},
		{"plural article", "it", phrase.Say("a.article", area("rocks")), "gli ROCKS.it; degli ROCKS.it; sugli ROCKS.it; negli ROCKS.it"},
		{"without article", "it", phrase.Say("a.article", area("ligny")), "LIGNY.it; di LIGNY.it; su LIGNY.it; in LIGNY.it"},
		{"unknown article", "it", phrase.Say("a.article", phrase.Name("mark", "unit", "a")), "A.it; di A.it; su A.it; in A.it"},
		{"article of a text", "it", phrase.Say("a.article", phrase.Literal("mark", "Ligny")), "Ligny; di Ligny; su Ligny; in Ligny"},
		{"article of nothing", "it", phrase.Say("a.article"), "{mark}; {mark}; {mark}; {mark}"},
		{"no word for an article", "en", phrase.Say("a.colon", area("farm")), "{mark:by}"},
		{"lists", "en", phrase.Say("a.list", units, phrase.Numbers("dice", []int{4, 6, 2})), "A.en, B.en and E.en; A.en, B.en or E.en; 4, 6, 2; A.en, B.en, E.en"},
		{"liste", "it", phrase.Say("a.list", units, phrase.Numbers("dice", []int{4})), "A.it, B.it ed E.it; A.it, B.it o E.it; 4; A.it, B.it, E.it"},
		{"no list", "en", phrase.Say("a.list", phrase.Names("units", "unit", nil), phrase.Numbers("dice", nil)), "; ; ; "},
		{"phrase", "en", phrase.Say("a.within", phrase.Within("what", phrase.Say("a.place", unit, unit))), "first, F-03.en at {town}!"},
		{"braces", "en", phrase.Say("a.yaml"), "write {from: Ligny, to: {x: y}} or {n}"},
		{"braces in branches", "en", phrase.Say("a.branches", phrase.Number("n", 1)), "{from: a}"},
		{"bar in branches", "en", phrase.Say("a.branches", phrase.Number("n", 2)), "b | c"},
		{"unknown", "en", phrase.Say("b.other"), "b.other"},
		{"unknown with args", "en", phrase.Say("b.other", unit, phrase.Number("n", 3)), "b.other [unit: F-03.en, n: 3]"},
		{"literal", "en", phrase.Say("a.within", phrase.Literal("what", "<b>\r\nBcc: {unit}\u202e")), "first, <b> Bcc: {unit}!"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := w.Say(c.language, c.say, spell); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestSayEndsDeepPhrases(t *testing.T) {
	w := sampleWords(t)
	p := phrase.Say("smp.meant", phrase.Literal("name", "x"))
	for range 1000 {
		p = phrase.Say("smp.meant", phrase.Within("name", p))
	}
	if got := w.Say("en", p, nil); len(got) > 2000 {
		t.Errorf("%d bytes", len(got))
	}
	list := phrase.Value{Kind: phrase.KindList}
	list.List = append(list.List, list, list)
	for range 1000 {
		list = phrase.Value{Kind: phrase.KindList, List: []phrase.Value{list}}
	}
	w.Value("en", list, nil)
}

func TestNewTellsAllFaults(t *testing.T) {
	_, err := New(map[string]fs.FS{
		"one": fstest.MapFS{"en.yaml": {Data: []byte("a.b: same\na.c: one\na.d: '{n|open'\na.e: '{n|x}'\na.f: '{n@x}'\n")}},
		"two": fstest.MapFS{"more.en.yaml": {Data: []byte("a.b: same\na.c: other\n")}},
		"tre": fstest.MapFS{"en.yaml": {Data: []byte("a: [no, sentence]\n")}},
		"fou": fstest.MapFS{},
	})
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{"one/en.yaml: a.d: at character 1: a place", "one/en.yaml: a.e: at character 1: {n|...} has 1 forms", "one/en.yaml: a.f: at character 1: {n@...} has 1 forms", "two/more.en.yaml: a.c stands in one/en.yaml too", "tre/en.yaml: read yaml", "read words of fou: no file en.yaml"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in:\n%v", want, err)
		}
	}
}

func TestCheckTellsDifferences(t *testing.T) {
	w, err := New(map[string]fs.FS{"s": fstest.MapFS{
		"en.yaml": {Data: []byte("s.a: x\ns.b: '{n} of {m}'\ns.c: ''\n")},
		"it.yaml": {Data: []byte("s.b: '{n} di {k}'\ns.c: y\ns.d: z\n")},
	}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, err := range w.Check() {
		if strings.HasPrefix(err.Error(), "s.") {
			got = append(got, err.Error())
		}
	}
	want := []string{"s.a has no sentence in it", "s.b has the places [m n] in s/en.yaml and [k n] in s/it.yaml", "s.c is empty in s/en.yaml", "s.d has no sentence in en"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func FuzzSentence(f *testing.F) {
	for _, s := range []string{"{a}", "{n|one|{n} more}", "{a?x|y}", "{from: {b}}", `\{a\}`, "{a:or}", "{n|{n|{n|", "}|{", "{a?{b|{c}|d}|e}", "x{{a}}y"} {
		f.Add(s, "v", 1)
	}
	f.Fuzz(func(t *testing.T, text, literal string, n int) {
		s, err := parseSentence(text)
		if err != nil {
			return
		}
		w := &Words{languages: map[string]map[string]entry{"en": {"x": {sentence: s, text: text}}}}
		p := phrase.Say("x", phrase.Literal("a", literal), phrase.Number("n", n), phrase.Names("b", "unit", []string{literal, text}))
		said := w.Say("en", p, nil)
		if !strings.ContainsAny(text, `{}\`) && said != text {
			t.Errorf("%q is said as %q", text, said)
		}
		for _, place := range s.places() {
			if !strings.Contains(text, "{"+place) {
				t.Errorf("%q has no place %q", text, place)
			}
		}
		w.Say("it", p, func(kind, id, language string) string { return id })
	})
}

func BenchmarkSay(b *testing.B) {
	w := sampleWords(b)
	p := sampleReport("en").Happened[2].Say
	b.ReportAllocs()
	for b.Loop() {
		w.Say("en", p, sampleSpell)
	}
}

// A sentence has a capital first letter, behind the number of an event too.
func TestSentenceCase(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "il blu": "Il blu", "2. il blu prende": "2. Il blu prende", "È": "È", "12 passi": "12 passi", "12. ": "12. ",
		"1. 2. è": "1. 2. È", "3.5 mm": "3.5 mm",
	} {
		if got := sentenceCase(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
