package shape_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"berthier/engine/rulestest"
	"berthier/engine/shape"
	"berthier/orders"
)

var vocabulary = orders.NewWords(orders.Common, map[string][]string{
	"move": {"muovi"}, "units": {"unità"}, "unit": {"unità"}, "path": {"percorso"}, "n": {"nord"}, "s": {"sud"}, "keep": {"tieni"},
	"then": {"poi"}, "ask": {"chiedi"}, "end": {"fine"}, "none": {"nessuno"}, "rest": {"resto"}, "on_fail": {"se-fallisce"},
})

// picnic is a shape that contains every other kind of shape.
var picnic = shape.Either(shape.Words("default"), shape.Record(
	shape.Need("actions", shape.List(shape.Verbs(
		shape.May("move", shape.RecordOf([]string{"unit", "units"}, shape.May("unit", shape.Name("unit")), shape.May("units", shape.Some("unit")),
			shape.Need("path", shape.Filled(shape.Either(shape.Said("face", shape.Words("n", "s")), shape.Name("square"), shape.Record(shape.Need("to", shape.Name("square")), shape.May("face", shape.Words("n", "s", "keep")))))))),
		shape.May("retreat", shape.Map(shape.Name("town"), shape.Some("unit"))),
	))),
	shape.May("on_fail", shape.OrNone(shape.RecordWith([]string{"minus", "then"}, shape.May("minus", shape.Number(1, 9)), shape.May("then", shape.Words("ask", "end"))))),
))

func names(kind string) []orders.Choice {
	if kind != "unit" {
		return nil
	}
	return []orders.Choice{{ID: "F-03", Names: []string{"Girard"}}, {ID: "F-07"}}
}

func told(t testing.TB, file string, names shape.Names) string {
	t.Helper()
	doc, faults := orders.Parse("orders:\n"+file, vocabulary)
	if len(faults) > 0 {
		t.Fatalf("%v\n%s", faults, file)
	}
	r := orders.NewReader(vocabulary)
	shape.Read(r, doc.Orders, picnic, names)
	var all []string
	for _, p := range r.Problems {
		all = append(all, fmt.Sprintf("%d:%d %s", p.Line-1, p.Column, p.Why.Code))
	}
	return strings.Join(all, "; ")
}

// files are some files, each well written or with the places of its faults.
var files = []struct{ file, want string }{
	{" default", ""},
	{" {}", ""},
	{" actions: none", ""},
	{" actions: []", ""},
	{" AZIONI: nessuno", "1:2 order.unknown-key"},
	{" actions:\n  - move: {unit: F-03, path: [forward, face N, {to: G-9, face: keep}]}\n  - muovi: {units: [Girard, rest], Percorso: G-9}\n  - retreat: {Ligny: all, Wavre: [F-07]}\n on-fail: none", ""},
	{" actions: {move: {unità: F-03, path: G-9}}\n ON FAIL: {minus: 3, poi: fine}", ""},
	{" actions: []\n on_fail: {minus: 10}", "2:19 order.want-number"},
	{" actions: []\n on_fail: {}", ""},
	{" actions: []\n on_fail: {after: ask}", "2:12 order.unknown-key"},
	{" actions: []\n on_fail: ask", "2:11 order.unknown-word"},
	{" on_fail: none", "1:2 order.missing-key"},
	{" actions: [{move: {path: G-9}}, {move: {unit: F-03, units: F-03, path: G-9}}]", "1:19 order.missing-key; 1:60 order.want-one-key"},
	{" actions: [{move: {unit: [F-03], path: G-9}}]", "1:26 order.want-text"},
	{" actions: [{move: {unit: F-03, path: G-9}, retreat: none}]", "1:12 order.want-one-key"},
	{" actions: [{march: F-03}, {retreat: F-03}]", "1:13 order.unknown-key; 1:37 order.want-map"},
	{" actions: [{move: {unit: F-03, path: [face W, {to: G-9, face: W}]}}]", "1:39 order.unknown-word; 1:63 order.unknown-word"},
	{" [actions]", "1:2 order.want-map"},
}

// Everything that is badly written is told at its place, whatever the position.
func TestRead(t *testing.T) {
	for _, c := range files {
		if got := told(t, c.file, nil); got != c.want {
			t.Errorf("%s\nis told %q\nwant    %q", c.file, got, c.want)
		}
	}
}

// If the names of a kind are given, only these are accepted, in any spelling. Of other
// kinds any name is accepted.
func TestReadNames(t *testing.T) {
	got := told(t, " actions: [{move: {units: [f03, girard, F-08], path: G-9}}, {retreat: {Nowhere: F-9}}]", names)
	if want := "1:41 order.unknown-unit; 1:81 order.unknown-unit"; got != want {
		t.Errorf("told %q, want %q", got, want)
	}
}

// The schema accepts and refuses the same files, except where one scalar holds several words.
func TestSchema(t *testing.T) {
	sheet := shape.Sheet{Vocabulary: vocabulary, Stops: map[string]shape.Shape{"picnic": picnic}, Standing: shape.OrNone(shape.Filled(picnic))}
	for _, language := range []string{"en", "it"} {
		schema := rulestest.Compile(t, sheet.Schema("picnic", language, names))
		check := func(file, want string) {
			t.Helper()
			root, faults := orders.ParseNode([]byte(file))
			if len(faults) > 0 {
				t.Fatal(faults)
			}
			for i, value := range rulestest.AsEditorsTake(root) {
				quoted := i == 0 && strings.Contains(want, "want-number") // the bounds of a number in quotes are not looked at
				if err := schema.Validate(value); (err == nil) != (want == "") && !quoted {
					t.Errorf("%s: want %q, have %v, of\n%s", language, want, err, file)
				}
			}
		}
		for _, c := range files {
			if !strings.Contains(c.file, "face W, {to") {
				check("stop: 3 picnic\norders:\n"+c.file, c.want)
				check("stop: 3\norders:\n"+c.file, c.want)
			}
		}
		check("stop: 3\norders: default\nstandings: none", "order.unknown-key")
		check("partita: 12\nSTOP: 3\nordini: default\nnote: [1, no]\nfinal: no\nserial: 7", "")
		check("final: maybe", "order.unknown-word")
		check("serial: -1", "order.want-number")
		check("command: report\nlanguage: it", "")
		check("comando: rapporto\nlanguage: it", "")
	}
}

// A schema in one language offers the words and keys of that language alone, and the
// names that are given.
func TestSchemaOffers(t *testing.T) {
	sheet := shape.Sheet{Vocabulary: vocabulary, Stops: map[string]shape.Shape{"picnic": picnic}}
	for language, want := range map[string][]string{"en": {`"on-fail"`, `"F-03"`, `"rest"`, `"units"`}, "it": {`"se-fallisce"`, `"F-03"`, `"resto"`, `"unità"`, `"units"`}} {
		text, err := json.Marshal(sheet.Schema("picnic", language, names))
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range want {
			if !strings.Contains(string(text), one) {
				t.Errorf("%s: %s is not offered", language, one)
			}
		}
	}
}

// The words of a shape are all the words that its files may hold.
func TestKeywords(t *testing.T) {
	got := shape.Keywords(picnic)
	for _, word := range []string{"default", "actions", "move", "all", "rest", "face", "n", "keep", "retreat", "on_fail", "minus", "ask", "none"} {
		if !slices.Contains(got, word) {
			t.Errorf("%s is missing in %v", word, got)
		}
	}
}

// A shape is described key by key, in either language.
func TestRows(t *testing.T) {
	kind := func(kind string) string { return kind }
	var b strings.Builder
	for _, language := range []string{"en", "it"} {
		for _, row := range shape.Rows(picnic, vocabulary, language, kind) {
			fmt.Fprintf(&b, "%s%s: %s\n", strings.Repeat("  ", row.Deep), row.Key, row.Value)
		}
	}
	const want = `actions: 
  - move: 
    unit?: UNIT
`
	if got := b.String(); !strings.HasPrefix(got, want) || !strings.Contains(got, "percorso: ") {
		t.Errorf("have\n%s", got)
	}
}

// A map for which several shapes are meant is read by the one that knows its keys, however many faults lie deeper in it.
func TestAMapIsMeantForWhoKnowsItsKeys(t *testing.T) {
	of := shape.Either(shape.Record(shape.May("path", shape.Record(shape.May("n", shape.Words("s"))))), shape.Record(shape.May("keep", shape.Words("s"))))
	doc, faults := orders.Parse("orders: {path: {one: 1, two: 2}}", vocabulary)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	r := orders.NewReader(vocabulary)
	shape.Read(r, doc.Orders, of, nil)
	var columns []int
	for _, p := range r.Problems {
		columns = append(columns, p.Column)
	}
	if !slices.Equal(columns, []int{17, 25}) {
		t.Errorf("faults at %v, want them at the two unknown keys: %v", columns, r.Problems)
	}
}
