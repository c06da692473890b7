package orders

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func tree(t *testing.T, text string) *Node {
	t.Helper()
	n, problems := ParseNode([]byte(text))
	if len(problems) > 0 {
		t.Fatalf("%s\n%s", tell(problems), text)
	}
	return n
}

func TestMerge(t *testing.T) {
	base := tree(t, "a: 1\nb: {c: 2, d: [1, 2], e: {f: 3}}\ng: x\nn: ~\n")
	before := base.Encode()
	overlay := tree(t, "b: {d: [9], e: {h: 4}, c: ~}\ng: ~\ni: {j: 5}\nk: ~\n")
	got := Merge(base, overlay)
	want := tree(t, "a: 1\nb: {d: [9], e: {f: 3, h: 4}}\nn: ~\ni: {j: 5}\n")
	if !Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got.Encode(), want.Encode())
	}
	got.Get("b").Get("e").Get("f").Text = "changed"
	got.Get("i").Get("j").Text = "changed"
	if base.Encode() != before || overlay.Get("i").Get("j").Text != "5" {
		t.Error("shares nodes")
	}
	if !Equal(Merge(nil, base), base) || !Equal(Merge(base, nil), base) || Merge(nil, nil) != nil {
		t.Error("with nothing")
	}
}

func TestDiff(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"a: 1\n", "a: 1\n", ""},
		{"a: 1\nb: 2\n", "a: 2\nc: 3\n", "a: 1 -> 2|c: nothing -> 3|b: 2 -> nothing"},
		{"l: [a, b, c]\n", "l: [x, a, b, c]\n", "l[1]: nothing -> x"},
		{"l: [a, b, c]\n", "l: [a, c]\n", "l[2]: b -> nothing"},
		{"l: [{m: {to: A, n: 1}}, b]\n", "l: [{m: {to: B, n: 1}}, b]\n", "l[1].m.to: A -> B"},
		{"l: [a, b, c, d]\n", "l: [d, a, b, x]\n", "l[1]: nothing -> d|l[4]: c -> x|l[4]: d -> nothing"},
		{"a: [x]\n", "a: x\n", "a: [x] -> x"},
	} {
		var got []string
		for _, ch := range Diff(tree(t, c.old), tree(t, c.new)) {
			got = append(got, ch.Path+": "+brief(ch.Old)+" -> "+brief(ch.New))
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("%q to %q: got %s, want %s", c.old, c.new, s, c.want)
		}
	}
	if c := Diff(nil, Text("x")); len(c) != 1 || c[0].Old != nil {
		t.Error(c)
	}
}

// brief writes a node on one line, cut if it is long.
func brief(n *Node) string {
	if n == nil {
		return "nothing"
	}
	line := ""
	for _, atom := range atoms(n, true) {
		if line += " " + atom; len(line) > 200 {
			break
		}
	}
	return short(line[1:])
}

func TestEncode(t *testing.T) {
	n := Mapping().
		Set("game", Text("ligny-7").Remark("filled in for you")).
		Set("stop", Text("12 move")).
		Set("odd", Texts("", "no", "010", "null", "~", "a: b", "#x", "- y", "12:30", "-5", "it's", "“x”", "a, b", "tab\there", "Condé", "F–03", "日本", "\u202f")).
		Set("orders", Items(
			Inline().Set("move", Inline().Set("from", Text("Charleroi")).Set("to", Text("Ligny")).
				Set("units", Texts("F-01", "F-02", "F-03", "F-04", "F-05", "F-06", "F-07", "F-08", "F-09", "F-10"))).Over("The first group.\nThe road takes eight."),
			Mapping().Set("at", Text("Ligny").Remark("infantry 3, cavalry 2, of which one reserve: all of them are named in the table of the report")).
				Set("actions", Items(Inline().Set("fire", Text("F-10")).Remark("F-10 or F-11"))),
			Inline().Set("fire", Text("F-12").Remark("so it is no longer in braces")),
		).Remark("one or more")).
		Set("none", Items()).
		Set("empty", Mapping()).
		Set("text", Text("one\n\n two\nthree\n")).
		Set("lines", Text("one\ntwo")).
		Set("long", Text("I shall be away; \"please\" don't wait for me, and if it comes to the worst, hold the bridge as long as you can, then fall back"))
	want, err := os.ReadFile("testdata/encode.golden")
	if *update {
		err = os.WriteFile("testdata/encode.golden", []byte(n.Encode()), 0o666)
		want = []byte(n.Encode())
	}
	if err != nil {
		t.Fatal(err)
	}
	if n.Encode() != string(want) {
		t.Errorf("got\n%s", n.Encode())
	}
	for _, line := range strings.Split(n.Encode(), "\n") {
		if len([]rune(line)) > 76 {
			t.Errorf("too long: %s", line)
		}
	}
	if back := tree(t, n.Encode()); !Equal(back, n) {
		t.Errorf("reads back as\n%s", dump(back))
	}
}

func TestFold(t *testing.T) {
	for text, want := range map[string]string{"Condé": "conde", "CONDE": "conde", "con-de ": "conde", "Braine-l’Alleud": "brainelalleud", "Straße": "strasse",
		"F–03": "f03", "Łódź": "lodz", "": "", "—": "", "ＡＢ": "ab", "sì": "si"} {
		if got := Fold(text); got != want {
			t.Errorf("%q folds to %q, want %q", text, got, want)
		}
	}
}

// Folds says what folding and comparing says.
func TestFolds(t *testing.T) {
	letter := rapid.SampledFrom([]rune("aAbB1 -–éÉßæłİıＡ\u0301\u00a0"))
	text := rapid.StringOfN(letter, 0, 4, -1)
	rapid.Check(t, func(t *rapid.T) {
		a, folded := text.Draw(t, "text"), Fold(text.Draw(t, "another"))
		if rapid.Bool().Draw(t, "of the same") {
			folded = Fold(a)
		}
		if got, want := Folds(a, folded), Fold(a) == folded; got != want {
			t.Fatalf("%q folds to %q: %v, want %v", a, folded, got, want)
		}
	})
}

func TestNearest(t *testing.T) {
	names := []string{"Ligny", "Quatre Bras", "Wavre", "F-03"}
	for text, want := range map[string]string{"Lingy": "Ligny", "quatrebra": "Quatre Bras", "Waver": "Wavre", "Paris": "", "x": "", "": "", strings.Repeat("Ligny", 100): ""} {
		if got := nearest(text, names); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestReader(t *testing.T) {
	towns := []Choice{{ID: "ligny"}, {ID: "quatre-bras", Names: []string{"Quatre Bras"}}}
	words := NewWords(Common, map[string][]string{"move": {"muovi"}, "to": {"a"}})
	n := tree(t, "a: {muovi: {a: lingy, from: x}}\nb: [F-01 F-02]\nc: Quatre-Bras\nd: 7\ne: [1, x]\ng: [400, 5]\n")
	r := NewReader(words)
	f := r.Fields(n, "a", "b", "c", "d", "e", "g")
	key, value := r.Only(f.Get("a"), "move", "hold")
	to := r.Fields(value, "to")
	if _, ok := r.Pick(to.Get("to"), "town", towns); ok || key != "move" {
		t.Error("picked a misspelt town")
	}
	units := []Choice{{ID: "F-01"}, {ID: "F-02"}}
	for _, item := range r.List(f.Get("b")) {
		r.Pick(item, "unit", units)
	}
	if id, ok := r.Pick(f.Get("c"), "town", towns); !ok || id != "quatre-bras" {
		t.Error("did not pick quatre-bras")
	}
	r.Int(f.Get("d"), 1, 6)
	r.Int(f.Get("g"), 1, 6)
	misspelt := NewReader(words)
	misspelt.Pick(tree(t, "a: Lingy").Pairs[0].Value, "town", []Choice{{ID: "wavre", Names: []string{"Wavre"}}, {ID: "ligny", Names: []string{"Ligny"}}})
	if got := tell(misspelt.Problems); !strings.Contains(got, "did-you-mean(Ligny)") {
		t.Errorf("a name is suggested as %s", got)
	}
	r.Require(f, "z")
	want := "1:16 unknown-town(lingy) -> did-you-mean(ligny)\n1:23 unknown-key(from|1 texts)\n2:5 unknown-unit(F-01 F-02) -> write([F-01, F-02])\n4:4 want-number(7|1|6)\n6:4 want-number(400, 5|1|6)\n1:1 missing-key(z)\n"
	got := strings.Split(tell(r.Problems), "\n")
	wanted := strings.Split(want, "\n")
	sort.Strings(got)
	sort.Strings(wanted)
	if !slices.Equal(got, wanted) {
		t.Errorf("got\n%s\nwant\n%s", tell(r.Problems), want)
	}
}

func TestMarks(t *testing.T) {
	framed := Frame("en", sampleFile)
	lines := strings.Split(framed, "\n")
	if !strings.HasPrefix(lines[0], BeginMark("en")) || lines[len(lines)-2] != EndMark("en") {
		t.Fatal(framed)
	}
	for _, marks := range [][2]string{{"# ===== ORDERS / ORDINI", "# ===== END / FINE ====="}, {BeginMark("it"), EndMark("it")}, {BeginMark("it"), EndMark("en")}} {
		other := strings.Replace(strings.Replace(framed, BeginMark("en"), marks[0], 1), EndMark("en"), marks[1], 1)
		if found, _ := Find([]Part{{Kind: Plain, Text: other}}); !found.Untouched || found.How != Marked {
			t.Errorf("between %q the file is %v", marks, found)
		}
	}
	if strings.Contains(Frame("it", sampleFile), "ORDERS") || strings.Contains(framed, "ORDINI") {
		t.Error("the marks are in two languages")
	}
	if d, problems := Parse(framed, nil); len(problems) > 0 || d.Game != "ligny-7" {
		t.Error("a framed file is no file:", problems)
	}
	for name, text := range map[string]string{"as it is": framed, "quoted": quoteMail(framed, "> "), "mangled": mangle(framed), "wrapped": wrapMail(framed, 60)} {
		found, _ := Find([]Part{{Kind: Plain, Text: text}})
		if !found.Untouched || found.How != Marked {
			t.Errorf("%s: %s", name, found)
		}
	}
	for _, change := range [][2]string{{"F-07", "F-08"}, {"  - supply", "  # - supply"}, {"final: no\n", ""}, {"[F-09]", "F-09"}} {
		found, _ := Find([]Part{{Kind: Plain, Text: strings.Replace(framed, change[0], change[1], 1)}})
		if found.Untouched {
			t.Errorf("%v passes for untouched", change)
		}
	}
}

// Every code has its sentence in both languages, with the same places.
func TestCatalogue(t *testing.T) {
	en, it := catalogue(t, "en"), catalogue(t, "it")
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	code := regexp.MustCompile(`"(order\.[a-z0-9-]*[a-z0-9])"`)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range code.FindAllStringSubmatch(string(data), -1) {
			used[m[1]] = true
		}
	}
	place := regexp.MustCompile(`\{([a-z]+)[}|:?]`)
	for c := range used {
		if en[c] == "" || it[c] == "" {
			t.Errorf("%s has no sentence: en %q, it %q", c, en[c], it[c])
		}
	}
	for c := range en {
		places := func(s string) []string {
			var all []string
			for _, m := range place.FindAllStringSubmatch(s, -1) {
				if m[1] != "from" && m[1] != "da" && !slices.Contains(all, m[1]) {
					all = append(all, m[1])
				}
			}
			sort.Strings(all)
			return all
		}
		if !slices.Equal(places(en[c]), places(it[c])) {
			t.Errorf("%s: places differ: %v, %v", c, places(en[c]), places(it[c]))
		}
		if !used[c] && !strings.HasPrefix(c, "order.unknown-") {
			t.Errorf("%s is never said", c)
		}
	}
	if len(en) != len(it) {
		t.Errorf("%d sentences in English, %d in Italian", len(en), len(it))
	}
}

func catalogue(t *testing.T, language string) map[string]string {
	t.Helper()
	data, err := os.ReadFile("../templates/words/orders." + language + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]string{}
	if err := Unmarshal(data, &words); err != nil {
		t.Fatal(err)
	}
	return words
}

func TestYAMLOfTheProgram(t *testing.T) {
	type file struct {
		Name string `yaml:"name"`
		N    int    `yaml:"n"`
	}
	data, err := Marshal(file{"x: y", 3})
	if err != nil {
		t.Fatal(err)
	}
	var back file
	if err := Unmarshal(data, &back); err != nil || back.Name != "x: y" || back.N != 3 {
		t.Error(err, back)
	}
	for _, bad := range []string{"name: x\nother: y\n", "name: x\n---\nname: y\n", "n: x\n", "name: [\n"} {
		if err := Unmarshal([]byte(bad), &back); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}
