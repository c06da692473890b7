package orders

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

var slipUnits = []Choice{{ID: "F-01", Names: []string{"Reille"}}, {ID: "F-03", Names: []string{"Quiot"}}, {ID: "F-07", Names: []string{"Kellermann"}}, {ID: "F-13", Names: []string{"Milhaud"}}}

var slipTowns = []Choice{{ID: "charleroi", Names: []string{"Charleroi"}}, {ID: "ligny", Names: []string{"Ligny"}}, {ID: "hal", Names: []string{"Hal"}}, {ID: "wavre", Names: []string{"Wavre"}},
	{ID: "marbais", Names: []string{"Marbais"}}, {ID: "marbaix", Names: []string{"Marbaix"}}}

// What is misspelt and can mean one thing only is taken, and told; what could mean two, is
// short, or differs in a figure is refused.
func TestSlipsWithOneReadingAreTaken(t *testing.T) {
	for _, c := range []struct {
		text   string
		things []Choice
		is     string // "": refused
		kind   string
		told   bool
	}{
		{"F3", slipUnits, "F-03", "", true},
		{"f 07", slipUnits, "F-07", "", false},
		{"F-003", slipUnits, "F-03", "", true},
		{"F-07 Keller", slipUnits, "F-07", "", false},
		{"F-07 Quiot", slipUnits, "", "", false},
		{"Kellerman", slipUnits, "F-07", "unit", true},
		{"F-33", slipUnits, "", "", false},
		{"P-03", slipUnits, "", "", false},
		{"Charleroy", slipTowns, "charleroi", "town", true},
		{"Lingy", slipTowns, "ligny", "town", true},
		{"Hel", slipTowns, "", "", false},
		{"Marbai", slipTowns, "", "", false},
		{"Paris", slipTowns, "", "", false},
	} {
		r := NewReader(nil)
		r.Mends = true
		kind := "unit"
		if len(c.things) == len(slipTowns) {
			kind = "town"
		}
		id, ok := r.Pick(&Node{Text: c.text, Line: 3, Column: 7}, kind, c.things)
		if ok != (c.is != "") || id != c.is {
			t.Errorf("%q is read as %q, %v", c.text, id, ok)
		}
		if told := len(r.Repairs) > 0; told != c.told {
			t.Errorf("%q: told %v", c.text, r.Repairs)
		} else if told && (r.Repairs[0].Kind != c.kind || r.Repairs[0].Line != 3 || r.Repairs[0].Column != 7) {
			t.Errorf("%q: told as %+v", c.text, r.Repairs[0])
		}
		strict := NewReader(nil)
		if _, ok := strict.Pick(Text(c.text), kind, c.things); ok && c.told {
			t.Errorf("%q is taken by a reader that does not mend", c.text)
		}
	}
}

// A list may lack its brackets and its commas, and name all from one unit to another. Each
// item is told at its own place.
func TestListsWithoutBracketsAreTaken(t *testing.T) {
	for _, c := range []struct {
		text    string
		want    []string
		columns []int
	}{
		{"F-01, F-03", []string{"F-01", "F-03"}, []int{5, 11}},
		{"F-01 F-03", []string{"F-01", "F-03"}, []int{5, 10}},
		{"F-01 and F-03; F-07", []string{"F-01", "F-03", "F-07"}, []int{5, 14, 20}},
		{"F-01..F-03", []string{"F-01", "F-02", "F-03"}, []int{5, 5, 5}},
		{"F-09..11", []string{"F-09", "F-10", "F-11"}, nil},
		{"F-1/I", []string{"F-1/I"}, nil},
		{"Quatre Bras, Ligny", []string{"Quatre Bras", "Ligny"}, []int{5, 18}},
		{"Quatre Bras", []string{"Quatre Bras"}, nil},
		{"F-03..F-01", []string{"F-03..F-01"}, nil},
		{"F-03..A-05", []string{"F-03..A-05"}, nil},
		{"F-0..F-9999", []string{"F-0..F-9999"}, nil},
		{"è, F-01", []string{"è", "F-01"}, []int{5, 8}},
	} {
		r := NewReader(nil)
		r.Mends = true
		var got []string
		var columns []int
		for _, item := range r.List(&Node{Text: c.text, Line: 2, Column: 5}) {
			got, columns = append(got, item.Text), append(columns, item.Column)
		}
		if !slices.Equal(got, c.want) || c.columns != nil && !slices.Equal(columns, c.columns) {
			t.Errorf("%q is read as %q at %v", c.text, got, columns)
		}
		if strict := NewReader(nil).List(Text(c.text)); len(strict) != 1 {
			t.Errorf("%q is taken apart by a reader that does not mend", c.text)
		}
	}
}

// What a hand lets slip in a file is taken where one reading is left, and told with its place.
func TestSlipsInTheFormOfAFileAreTaken(t *testing.T) {
	for _, c := range []struct{ name, text, like, told string }{
		{"an example whose # was taken away and whose blank was left", "game: x\norders:\n   - a: 1\n  - end\n", "game: x\norders:\n  - a: 1\n  - end\n", "4:3"},
		{"the same below another entry", "game: x\norders:\n  - a: 1\n   - b: 2\n  - end\n", "game: x\norders:\n  - a: 1\n  - b: 2\n  - end\n", "4:4"},
		{"a key of the orders", "game: x\norders:\n   bid: 3\n  rest: default\n", "game: x\norders:\n  bid: 3\n  rest: default\n", "4:3"},
		{"a key of the file", "game: x\norders:\n  rest: default\n policies: {a: ask}\n", "game: x\norders:\n  rest: default\npolicies: {a: ask}\n", "4:2"},
		{"names without brackets in brackets", "game: x\norders:\n  - {from: A, units: F-01, F-02, F-03, to: B}\n", "game: x\norders:\n  - {from: A, units: [F-01, F-02, F-03], to: B}\n", "3:22"},
		{"a remark behind", "game: x\norders:\n  - {a: 1} and long live the Emperor!\n", "game: x\norders:\n  - {a: 1}\n", "3:12 remark"},
		{"a remark below", "game: x\norders:\n  - a: 1\nThat is all for today\n", "game: x\norders:\n  - a: 1\n", "4:1 remark"},
		{"greetings below", "game: x\norders: [a]\n\nBest regards,\nAnna\n", "game: x\norders: [a]\n", "4:1 remark 5:1 remark"},
	} {
		d, problems := Parse(c.text, nil)
		like, faults := Parse(c.like, nil)
		if len(problems)+len(faults) > 0 || !Equal(d.Root, like.Root) {
			t.Errorf("%s: %v %v", c.name, problems, faults)
		}
		var told []string
		for _, r := range d.Repairs {
			place := fmt.Sprintf("%d:%d", r.Line, r.Column)
			if r.Kind != "" {
				place += " " + r.Kind
			}
			told = append(told, place)
		}
		if got := strings.Join(told, " "); got != c.told {
			t.Errorf("%s: told %q", c.name, got)
		}
	}
	for _, text := range []string{
		"game: x\norders:\n  - {a: 1} F-02 too\n",          // an order may hide in it
		"game: x\norders:\n  - {a: 1}\nattack at 5\nall\n", // a figure
		"game: x\nand then\nside: y\n",                     // not below
		"game: x\norders:\n  - {from: A, to B, units: F-01}\n",
	} {
		if _, problems := Parse(text, nil); len(problems) == 0 {
			t.Errorf("%q is taken", text)
		}
	}
}

// Lines that look like orders are counted in a letter without a file; those of people are not.
func TestLikelyOrders(t *testing.T) {
	for text, want := range map[string]int{
		"Hello,\n\nBeaumont - Thuin: all\nF-02 forward\nfire F-05, F-10\n- reveal: F-01\n\nBye": 4,
		"Hello,\n\nI can't play before 3 June, at 18:00. See you on the 2nd.\n- Bob\n":          0,
		"My key is JB58-EPTM.\nK7QF-2M9D\nABCD-E123\nMove F-02, or what now?":                   0,
		"F-11C/III - K-6\nA-3/I - G-9":      2,
		"> F-02 forward\n> fire F-05\nfine": 0,
		"I would move F-02 up the road if the enemy had not been there all the time, you know": 0,
	} {
		f, problems := Find([]Part{{Kind: Plain, Text: text}})
		if len(problems) != 1 || f.Text != "" {
			t.Fatalf("%q: %v", text, problems)
		}
		got := 0
		if problems[0].Why.Code == "order.no-file-lines" {
			got = likely(textsOf([]Part{{Kind: Plain, Text: text}}))
		}
		if got != want {
			t.Errorf("%q has %d lines that look like orders, want %d: %v", text, got, want, problems)
		}
	}
}

// Orders may stand one below the other without dashes; what may be something else is read as
// before.
func TestLinesWithoutDashes(t *testing.T) {
	for file, want := range map[string]string{
		"orders:\n  Beaumont - Thuin: F-01..F-03\n  F-02 forward\n":       "[{Beaumont - Thuin: F-01..F-03}, F-02 forward]",
		"orders:\n  F-02 forward\n  fire F-05, F-10  # a remark\nnote: x": `[F-02 forward, "fire F-05, F-10"]`,
		"ahead:\n  reinforce:\n    Thuin F-01\n    Hal F-02\n":            "{reinforce: [Thuin F-01, Hal F-02]}",
		"orders:\n  hits:\n    F-03\n    F-04\n":                          "{hits: F-03 F-04}",
		"orders:\n  one two\n  three\n":                                   "one two three",
		"note:\n  turn 1\n  and 2\n":                                      "",
	} {
		d, problems := Parse(file, nil)
		got := ""
		for _, n := range []*Node{d.Orders, d.Ahead} {
			if n != nil {
				got += n.OneLine()
			}
		}
		if got != want || len(problems) > 0 {
			t.Errorf("%q is read as %s, want %s (%v)", file, got, want, problems)
		}
	}
	if _, problems := Parse("orders:\n  at: Ligny\n  actions F-02\n", nil); len(problems) != 1 || problems[0].Why.Code != "order.missing-colon" && problems[0].Why.Code != "order.stray-line" {
		t.Errorf("a missing colon is told as %v", problems)
	}
}

// TestAMisspeltKeyIsTaken writes the key of what is ordered, or of the stop, a letter or two off, in
// a file whose game and key are right: it is read as what it can only mean, and that is told. Nothing
// else of the envelope is guessed.
func TestAMisspeltKeyIsTaken(t *testing.T) {
	const head = "game: lot-1\nkey: ABCD-EFGH\n"
	for _, x := range []struct {
		text, readAs string
		get          func(*Document) *Node
	}{
		{head + "odrers: {bid: R-1}\n", "orders", func(d *Document) *Node { return d.Orders }},
		{head + "odrini: {bid: R-1}\n", "ordini", func(d *Document) *Node { return d.Orders }},
		{head + "polices: {hits: ask}\n", "policies", func(d *Document) *Node { return d.Policies }},
		{head + "ahaed: {bid: none}\n", "ahead", func(d *Document) *Node { return d.Ahead }},
		{head + "stpo: 12 bid\norders: {bid: R-1}\n", "stop", func(d *Document) *Node { return d.Field("stop") }},
		{head + "domnada: 12\nordini: {bid: R-1}\n", "domanda", func(d *Document) *Node { return d.Field("stop") }},
	} {
		d, problems := Parse(x.text, nil)
		if len(problems) > 0 || x.get(d) == nil {
			t.Errorf("%q is not taken: %v", x.text, problems)
			continue
		}
		if len(d.Repairs) != 1 || d.Repairs[0].ReadAs != x.readAs || d.Repairs[0].Line != 3 || d.Guessed() {
			t.Errorf("%q: told is %+v", x.text, d.Repairs)
		}
	}
	for _, text := range []string{
		"game: lot-1\nodrers: {bid: R-1}\n",               // without a key nothing is taken anyway, and more may be missing
		head + "odrers: {bid: R-1}\norders: {bid: R-2}\n", // which of them?
		head + "odrers: {bid: R-1}\nordres: {bid: R-2}\n",
		"game: lot-1\nkay: ABCD-EFGH\norders: {bid: R-1}\n", // a key is never guessed
		head + "finla: no\norders: {bid: R-1}\n",
		head + "ordinary: {bid: R-1}\n",
		head + "stop: 12\nstpo: 13\norders: {bid: R-1}\n",
	} {
		if _, problems := Parse(text, nil); len(problems) == 0 {
			t.Errorf("%q is taken", text)
		}
	}
}
