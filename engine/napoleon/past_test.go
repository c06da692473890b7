package napoleon

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"berthier/orders"
)

// past gives positions as games of the past keep them: of each kind of stop in both
// editions, with battles at every stage. Their file is never written anew.
func past(t testing.TB) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/positions.gz")
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(text), "---\n")
}

// Games keep their positions for ever, and logs hold the digest of each position. So
// what was once written is read, and is written again byte for byte.
func TestPositionsOfThePast(t *testing.T) {
	at, named := map[string]bool{}, map[string]bool{}
	for i, text := range past(t) {
		p, err := New().Load([]byte(text))
		if err != nil {
			t.Errorf("position %d: %v", i, err)
			continue
		}
		g := p.(*game)
		for _, d := range g.asks {
			at[d.Kind] = true
			at[g.edition] = true
			if g.options.alliedOrder == orderSequential {
				at["sequential "+d.Kind] = true
			}
		}
		again, err := p.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		if string(again) != text {
			t.Errorf("position %d is written otherwise:\n%s\nwas\n%s", i, again, text)
		}
		keysOf(t, text, named)
	}
	for kind := range stops {
		if !at[kind] {
			t.Errorf("no position at the stop %s", kind)
		}
	}
	for _, mode := range []string{"3e", "4e", "sequential move", "sequential battle-turn"} {
		if !at[mode] {
			t.Errorf("no position of %s", mode)
		}
	}
	form := map[string]bool{}
	keysOf(t, New().PositionForm(), form)
	for key := range form {
		if !named[key] && key != "file" { // of a scenario of one's own, see TestOwnScenario
			t.Errorf("no position has the key %s", key)
		}
	}
}

// keysOf notes the keys of a position, one in the other; ids of things are left out.
func keysOf(t *testing.T, text string, into map[string]bool) {
	t.Helper()
	root, faults := orders.ParseNode([]byte(text))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	things := []string{"units", "roads", "french", "allied", "over", "attacks", "terrain", "brought", "retreated", "reinforce", "in", "out"}
	var walk func(n *orders.Node, path string)
	walk = func(n *orders.Node, path string) {
		for _, p := range n.Pairs {
			next := path
			if last := path[strings.LastIndex(path, " ")+1:]; !slices.Contains(things, last) {
				next = strings.TrimPrefix(path+" "+p.Key.Text, " ")
				into[next] = true
			}
			if next != "options" && next != "standing" {
				walk(p.Value, next)
				if slices.Contains(things, next[strings.LastIndex(next, " ")+1:]) {
					for _, q := range p.Value.Pairs {
						walk(q.Value, next+" *")
					}
				}
			}
		}
		for _, item := range n.Items {
			walk(item, path)
		}
	}
	walk(root, "")
}

// All that is wrong with a battle of a position is refused at once, each fault with its
// line and column.
func TestFaultsOfBattlesHaveTheirPlace(t *testing.T) {
	p := newDrill(t, nil)
	data, err := p.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	head := strings.Replace(string(data), "phase: movement", "phase: battle", 1)
	lines := strings.Count(head, "\n")
	for _, test := range []struct {
		name, battle string
		faults       []string // line:column code
	}{
		{"names that are none", "town: moon\nattacker: martian\nentries: [charleroi, paris]\nstage: fighting", []string{
			"1:11 order.unknown-town", "2:15 order.unknown-word", "3:26 order.unknown-town"}},
		{"keys left out", "stage: fighting", []string{"1:5 order.missing-key", "1:5 order.missing-key"}},
		{"a key that is none", "town: ligny\nattacker: french\nweather: rain", []string{"3:5 order.unknown-key"}},
		{"figures that are none", "town: ligny\nattacker: french\nturn: many\nidle: -1\ncrossed: [1, 0, 0, 1]", []string{
			"3:11 order.want-number", "4:11 order.want-number", "5:14 play.position-long"}},
		{"a stage of a skirmish", "town: ligny\nattacker: french\nstage: revealing", []string{"3:12 nap.position-stage"}},
		{"a stage of a battle", "town: ligny\nattacker: french\nskirmish: true\nstage: fighting", []string{"4:12 nap.position-stage"}},
		{"places that are none", "town: ligny\nattacker: french\nterrain: {reserve: wood, attacker-left: marsh}\nstreams: [center]\nmorale: [X-02]\nretreated: {moon: 1}", []string{
			"3:15 order.unknown-word", "3:45 order.unknown-word", "4:15 order.unknown-word", "5:14 order.unknown-unit", "6:17 nap.position-road"}},
		{"orders that fit no action", "town: ligny\nattacker: french\nstage: fighting\norders:\n  actions:\n    - {do: fire, unit: F-02, path: [reserve]}\n    - {do: swim, unit: F-02}\n    - {do: move, unit: F-02, with: F-03, to: ligny}", []string{
			"6:40 nap.position-action", "7:16 order.unknown-word", "8:40 nap.position-action", "8:50 nap.position-action"}},
		{"units from nowhere", "town: ligny\nattacker: french\nstage: fighting\norders:\n  reinforce: {moon: [F-02], ligny: [F-99]}\n  regroup: {in: {mars: []}}", []string{
			"5:19 order.unknown-town", "5:41 order.unknown-unit", "6:22 order.unknown-town"}},
		{"hits of nobody", "town: ligny\nattacker: french\nstage: fighting\nhits: {field: reserve, left: some, settled: [dutch]}", []string{
			"4:11 order.missing-key", "4:19 order.unknown-word", "4:34 order.want-number", "4:50 order.unknown-word"}},
		{"two battles in one town", "town: ligny\nattacker: french\n- \ntown: ligny\nattacker: french", []string{"3:11 play.twice"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := "battles:\n"
			for _, battle := range strings.Split(test.battle, "\n- \n") {
				text += "  - " + strings.ReplaceAll(battle, "\n", "\n    ") + "\n"
			}
			_, err := New().Load([]byte(head + text))
			faults, _ := err.(orders.Problems)
			var got []string
			for _, f := range faults {
				got = append(got, placed(f, lines+1))
			}
			if !slices.Equal(got, test.faults) {
				t.Errorf("got  %q\nwant %q", got, test.faults)
			}
		})
	}
}

// placed writes the place of a fault and its code. Its line is counted from a given
// line.
func placed(f orders.Problem, after int) string {
	return strconv.Itoa(f.Line-after) + ":" + strconv.Itoa(f.Column) + " " + f.Why.Code
}
