package hfg

import (
	"slices"
	"testing"
)

func TestListsAtHome(t *testing.T) {
	data, _ := files.ReadFile("scenarios/armies.yaml")
	told, _, faults := judgeList(data, "")
	is(t, "faults of the book", len(faults), 0)
	is(t, "lines of the book", len(told), 8+3+3+4+3+4+4+3+2)

	sound := "game: fields-3\nside: red\nstop: 1 list\norders:\n  list: own\n  year: 1863\n  commands:\n    - {id: i, kind: c-in-c, general: cp-1, elements: [min1, min2, min3, art1, cav1]}\n  elements: {cp-1: cp, min1: minie, min2: minie, min3: {minie: [inferior]}, art1: {mixed: [heavy]}, cav1: dragoons}\n  defending: [{entrenchment: 2}, {concealed-position: 1}]\n  attacking: [{concealed-position: 1}]\n"
	told, remarks, faults := judgeList([]byte(sound), "union-1863")
	is(t, "faults of an order file", len(faults), 0)
	is(t, "remarks", len(remarks), 0)
	is(t, "lines", len(told), 2)
	is(t, "points", told[0].Args[1].Value.Num, 16+11+11+8+18+10)

	codes := func(text, base string) []string {
		_, _, faults := judgeList([]byte(text), base)
		var all []string
		for _, p := range faults {
			if p.Line == 0 {
				t.Errorf("%v has no place", p)
			}
			all = append(all, p.Why.Code)
		}
		return all
	}
	bad := "year: 1860\nap: 200\ncommands: [{id: i, kind: c-in-c, general: cp-1, elements: [rep-1..5]}]\nelements: {cp-1: {cp: elite}, rep-1..5: repeaters}\ndefending: [{strong-point: 4}]\n"
	want := append([]string{"hfg.list-grade", "hfg.list-prepared"}, slices.Repeat([]string{"hfg.list-not-yet"}, 5)...)
	got := codes(bad, "")
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	_, remarks, _ = judgeList([]byte(bad), "")
	is(t, "remarks on a year that the book hasn't", len(remarks), 1)
	is(t, "on a list of another year", codes(bad, "union-1863")[0], "hfg.list-none")
	is(t, "without a year", codes("commands: []\nelements: {}\n", "")[0], "order.missing-key")
	is(t, "a list of the book", len(codes("list: union-1863\n", "")), 0)
	is(t, "none of the book", codes("list: nobody\n", "")[0], "hfg.list-none")
	_, _, faults = judgeList(nil, "")
	is(t, "an empty file is refused", len(faults) > 0, true)
}

// What could be read of a list is judged though other things couldn't, and what would only follow from these isn't refused; the
// options of the game that bear on a list may be given.
func TestFaultsOfListsInOneRound(t *testing.T) {
	codes := func(text string) []string {
		_, _, faults := judgeList([]byte(text), "")
		var all []string
		for _, p := range faults {
			all = append(all, p.Why.Code)
		}
		slices.Sort(all)
		return all
	}
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"a key, a type, grades, two chiefs, small commands, too many strong points",
			"yeer: 1863\nap: 100\ncommands:\n  - {id: i, kind: c-in-c, general: cp-1, elements: [min1, min2, rep1]}\n  - {id: j, kind: c-in-c, general: cp-2, elements: [x1]}\nelements: {cp-1: cp, cp-2: {cp: elite}, min1: minie, min2: {minie: heavy}, rep1: rifle-horse, x1: bayonets}\ndefending: [{strong-point: 4}]\n",
			[]string{"hfg.list-chiefs", "hfg.list-grade", "hfg.list-grade", "hfg.list-prepared", "hfg.list-small", "hfg.list-small", "hfg.list-word", "order.missing-key", "order.unknown-key", "order.unknown-troop"}},
		{"a kind that can't be read is no missing chief, and its size is left alone",
			"year: 1863\ncommands: [{id: i, kind: chief, general: cp-1, elements: [min-1..5]}]\nelements: {cp-1: cp, min-1..5: minie, gun: {minie: brass}}\n",
			[]string{"hfg.list-grade", "order.unknown-word"}},
		{"an option of the game", "year: 1863\nmax-barricades: 2\nmax-train: 5\ncommands: [{id: i, kind: c-in-c, general: cp-1, elements: [min-1..5]}]\nelements: {cp-1: cp, min-1..5: minie}\ndefending: [{barricade: 3}]\n",
			[]string{"hfg.list-prepared", "play.option-value"}},
	} {
		if got := codes(c.text); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	two := "year: 1863\nmax-train: 2\ncommands: [{id: i, kind: c-in-c, general: cp-1, elements: [min-1..3, pon-1, pon-2]}]\nelements: {cp-1: cp, min-1..3: minie, pon-1: pontoneers, pon-2: pontoneers}\n"
	is(t, "two trains where two are agreed", len(codes(two)), 0)
}
