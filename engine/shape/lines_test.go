package shape_test

import (
	"slices"
	"strings"
	"testing"

	"berthier/engine/shape"
	"berthier/orders"
)

var lineWords = orders.NewWords(orders.Common, map[string][]string{
	"move": {"muovi"}, "units": {"unità"}, "from": {"da"}, "via": {"per"}, "to": {"a"}, "path": {"percorso"}, "fire": {"fuoco"}, "forward": {"avanti"},
	"left": {"sinistra"}, "right": {"destra"}, "end": {"fine"}, "rest": {"resto"}, "actions": {"azioni"}, "then": {"poi"}, "ask": {"chiedi"},
	"deploy": {"schiera"}, "hits": {"colpite"}, "swap": {"scambia"}, "with": {"con"}, "unit": nil, "default": nil, "guard": nil,
})

// march is a list of orders, battle a record that holds one, camp a map of lists.
var (
	march = shape.Either(shape.Words("default", "none"), shape.Filled(shape.Either(shape.Words("end"), shape.InShort(shape.Verbs(
		shape.May("move", shape.Record(shape.Need("from", shape.Name("town")), shape.May("via", shape.Filled(shape.Name("town"))), shape.Need("to", shape.Name("town")), shape.Need("units", shape.Some("unit")))),
		shape.May("reveal", shape.Filled(shape.Name("unit"))),
	), "[move] {move.from} - [{move.via/-} -] {move.to}: {move.units}"))))
	battle = shape.Either(shape.Words("default", "none"), shape.Record(
		shape.May("actions", shape.List(shape.InShort(shape.Verbs(
			shape.May("fire", shape.Some("unit")),
			shape.May("guard", shape.Record(shape.Need("unit", shape.Name("unit")), shape.Need("with", shape.Name("unit")))),
			shape.May("move", shape.Record(shape.Need("units", shape.Some("unit")), shape.Need("path", shape.Filled(shape.Words("left", "right", "forward"))))),
			shape.May("swap", shape.Record(shape.Need("unit", shape.Name("unit")), shape.Need("with", shape.Name("unit")))),
		), "[move] {move.units} {move.path}", "{swap.unit} with {swap.with}", "{guard.unit} with {guard.with}"))),
		shape.May("then", shape.Words("ask", "end")),
	))
	camp = shape.Either(shape.Words("default"), shape.Record(shape.Need("deploy", shape.Map(shape.Name("town"), shape.Some("unit")))))
	hits = shape.Either(shape.Words("default"), shape.Record(shape.Need("hits", shape.Filled(shape.Name("unit")))))
)

func lineNames(kind string) []orders.Choice {
	switch kind {
	case "town":
		return []orders.Choice{{ID: "Beaumont"}, {ID: "Thuin"}, {ID: "Charleroi"}, {ID: "Quatre Bras"}, {ID: "Mont-St-Jean"}}
	case "unit":
		return []orders.Choice{{ID: "F-01", Names: []string{"Napoleon"}}, {ID: "F-02", Names: []string{"Reille"}}, {ID: "F-03", Names: []string{"Girard"}}, {ID: "F-10"}}
	}
	return nil
}

// readLines reads a file whose orders are written as a shape says or in short lines, and gives
// what they stand for.
func readLines(t testing.TB, file string, s shape.Shape) (*orders.Node, *orders.Reader) {
	t.Helper()
	doc, faults := orders.Parse("orders:"+file+"\n", lineWords)
	if len(faults) > 0 {
		t.Fatalf("%v\n%s", faults, file)
	}
	r := orders.NewReader(lineWords)
	r.Mends = true
	return shape.Long(r, doc.Orders, s, lineWords, lineNames), r
}

// A short line stands for what is written with its keys.
func TestShortLines(t *testing.T) {
	for _, one := range []struct {
		file  string
		shape shape.Shape
		want  string
	}{
		{"\n  - Beaumont - Thuin - Charleroi: F-01..F-03", march, "[{move: {from: Beaumont, via: [Thuin], to: Charleroi, units: [F-01, F-02, F-03]}}]"},
		{"\n  - Beaumont - Thuin: all\n  - end", march, "[{move: {from: Beaumont, to: Thuin, units: [all]}}, end]"},
		{"\n  - Beaumont -> Quatre Bras: F1, Girard", march, "[{move: {from: Beaumont, to: Quatre Bras, units: [F-01, F-03]}}]"},
		{"\n  - Beaumont-Mont-St-Jean-Thuin: F-02", march, "[{move: {from: Beaumont, via: [Mont-St-Jean], to: Thuin, units: [F-02]}}]"},
		{"\n  - muovi Beaumont – Thuin: F-02", march, "[{move: {from: Beaumont, to: Thuin, units: [F-02]}}]"},
		{"\n  - reveal F-01", march, "[{reveal: [F-01]}]"},
		{"\n  Beaumont - Thuin: all\n  Thuin - Charleroi: F-10", march, "[{move: {from: Beaumont, to: Thuin, units: [all]}}, {move: {from: Thuin, to: Charleroi, units: [F-10]}}]"},
		{"\n  - move: {from: Beaumont, to: Thuin, units: F-01}\n  - Thuin - Charleroi: F-10", march, "[{move: {from: Beaumont, to: Thuin, units: F-01}}, {move: {from: Thuin, to: Charleroi, units: [F-10]}}]"},
		{"\n  - Beaumond - Thuin: F-01", march, "[{move: {from: Beaumont, to: Thuin, units: [F-01]}}]"},
		{" Beaumont - Thuin", march, "Beaumont - Thuin"}, // it does not say who
		{"\n  - F-02 forward\n  - fire F-03, F-10\n  - then ask", battle, "{actions: [{move: {units: [F-02], path: [forward]}}, {fire: [F-03, F-10]}], then: ask}"},
		{"\n  - F-02, F-03 left forward", battle, "{actions: [{move: {units: [F-02, F-03], path: [left, forward]}}]}"},
		{"\n  actions:\n    - F-02 sinistra, avanti\n    - fuoco F-03 F-10\n  then: end", battle, "{actions: [{move: {units: [F-02], path: [left, forward]}}, {fire: [F-03, F-10]}], then: end}"},
		{" fire F-03", battle, "{actions: [{fire: [F-03]}]}"},
		{"\n  actions: [F-02 forwrad]", battle, "{actions: [{move: {units: [F-02], path: [forward]}}]}"},
		{"\n  Thuin: F-01, F-02\n  Quatre Bras: rest", camp, "{deploy: {Thuin: [F-01, F-02], Quatre Bras: [rest]}}"},
		{" F-03, F-03", hits, "{hits: [F-03, F-03]}"},
		{" hits Reille", hits, "{hits: [F-02]}"},
		{"\n  hits: F-03, F-03", hits, `{hits: "F-03, F-03"}`}, // slips are the reader's
		{" default", hits, "default"},
		{" F-09", hits, "F-09"},
	} {
		n, r := readLines(t, one.file, one.shape)
		if got := n.OneLine(); got != one.want || len(r.Problems) > 0 {
			t.Errorf("%q is read as %s, want %s (%v)", one.file, got, one.want, r.Problems)
		}
		if (len(r.Repairs) == 0) != (strings.Contains(one.file, n.OneLine()) || n.OneLine() == `{hits: "F-03, F-03"}`) {
			t.Errorf("%q: repairs %v", one.file, r.Repairs)
		}
	}
}

// What is taken is told with its keys.
func TestShortLinesAreTold(t *testing.T) {
	_, r := readLines(t, "\n  - Beaumond - Thuin: F-01..F-02\n  - reveal F-01", march)
	if len(r.Repairs) != 2 || r.Repairs[0].Was != "Beaumond - Thuin: F-01..F-02" || r.Repairs[0].ReadAs != "move: {from: Beaumont, to: Thuin, units: [F-01, F-02]}" ||
		r.Repairs[0].Line != 2 || r.Repairs[0].Kind != "town" || r.Repairs[1].Kind != "" || r.Repairs[1].ReadAs != "reveal: [F-01]" {
		t.Errorf("%+v", r.Repairs)
	}
}

// A line with two readings is refused, and both are named.
func TestTwofoldLines(t *testing.T) {
	n, r := readLines(t, "\n  actions:\n    - F-02 with F-03\n    - fire F-10", battle)
	if len(r.Problems) != 1 || r.Problems[0].Why.Code != "play.line-twofold" || r.Problems[0].Line != 3 {
		t.Fatalf("%v, read as %s", r.Problems, n.OneLine())
	}
	said := map[string]string{}
	for _, a := range r.Problems[0].Why.Args {
		said[a.Name] = a.Value.Text
	}
	if said["first"] != "swap: {unit: F-02, with: F-03}" || said["second"] != "guard: {unit: F-02, with: F-03}" || said["line"] != "F-02 with F-03" {
		t.Errorf("told %v", said)
	}
	if items := n.Get("actions").Items; len(items) != 2 || items[0].Kind != orders.Broken || items[1].OneLine() != "{fire: [F-10]}" {
		t.Errorf("read as %s", n.OneLine())
	}
}

// What is written in short lines reads back as itself, in each language.
func TestWriteShortLines(t *testing.T) {
	for _, one := range []struct {
		orders string
		shape  shape.Shape
		en     string
	}{
		{"[{move: {from: Beaumont, via: [Thuin], to: Charleroi, units: [F-01, F-02]}}, {reveal: [F-01]}]", march, "Beaumont - Thuin - Charleroi: F-01, F-02|reveal F-01"},
		{"{actions: [{move: {units: [F-02], path: [left, forward]}}, {fire: [F-03]}], then: end}", battle, "F-02 left, forward|fire F-03|then end"},
		{"{deploy: {Thuin: [F-01, F-02], Quatre Bras: [F-03]}}", camp, "Thuin: F-01, F-02|Quatre Bras: F-03"},
		{"{hits: [F-03, F-03]}", hits, "F-03, F-03"},
	} {
		doc, faults := orders.Parse("orders: "+one.orders, lineWords)
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		for _, language := range []string{"en", "it"} {
			lines := shape.Lines(doc.Orders, one.shape, lineWords, language)
			if language == "en" && strings.Join(lines, "|") != one.en {
				t.Errorf("%s is written %q", one.orders, lines)
			}
			n, r := readLines(t, "\n  - "+strings.Join(lines, "\n  - "), one.shape)
			if n.OneLine() != doc.Orders.OneLine() || len(r.Problems) > 0 {
				t.Errorf("%q is read as %s, want %s", lines, n.OneLine(), doc.Orders.OneLine())
			}
		}
	}
	if got := shape.Forms(battle, lineWords, "it"); !slices.Equal(got, []string{"[muovi] UNITÀ PERCORSO", "UNIT con CON"}) {
		t.Errorf("%q", got)
	}
}

// Of a file of lines that nearly are short ones no more is tried than of a player's: the rest
// stays as it is.
func TestHostileShortLines(t *testing.T) {
	for _, line := range []string{strings.Repeat("Beaumont - ", 54), strings.Repeat("F-01 ", 119), strings.Repeat("lefd ", 119), strings.Repeat("Beaumond, ", 59)} {
		file := strings.Repeat("\n  - "+line, 64<<10/(len(line)+5)-1)
		for _, s := range []shape.Shape{march, battle, camp} {
			if n, r := readLines(t, file, s); n.Kind != orders.List || len(r.Repairs)+len(r.Problems) > 0 {
				t.Errorf("%.20s...: %d repairs, %d faults", line, len(r.Repairs), len(r.Problems))
			}
		}
	}
}

// FuzzLines reads any line as a short one: nothing but a fault comes of what it is not, what
// is read can be read again with its keys, and it never takes long.
func FuzzLines(f *testing.F) {
	for _, line := range []string{"Beaumont - Thuin: F-01..F-06", "F-02 forward", "fire F-05, F-10", "F-02 with F-03", strings.Repeat("Beaumont - ", 50) + "Thuin: all", "deploy Thuin: F-01", "deploy\tTh: nuiF=01"} {
		f.Add(line)
	}
	shapes := []shape.Shape{march, battle, camp, hits}
	f.Fuzz(func(t *testing.T, line string) {
		doc, faults := orders.Parse("orders:\n  - "+strings.ReplaceAll(line, "\n", " ")+"\n", lineWords)
		if len(faults) > 0 || doc.Orders == nil {
			return
		}
		for _, s := range shapes {
			before := doc.Orders.Encode()
			r := orders.NewReader(lineWords)
			r.Mends = true
			n := shape.Long(r, doc.Orders, s, lineWords, lineNames)
			if doc.Orders.Encode() != before {
				t.Fatalf("%q was changed where it stands", line)
			}
			if n == doc.Orders || len(r.Problems) > 0 {
				continue
			}
			if len(r.Repairs) == 0 {
				t.Errorf("%q was read as %s, and nobody is told", line, n.OneLine())
			}
			again := orders.NewReader(lineWords)
			again.Mends = true
			if shape.Read(again, n, s, lineNames); len(again.Problems) > 0 {
				t.Errorf("%q is read as %s, which is refused: %v", line, n.OneLine(), again.Problems)
			}
		}
	})
}
