package adjudicator

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/napoleon"
	"berthier/mail"
)

var placeIn = regexp.MustCompile(`Line (\d+), column \d+`)

// The faults of what a game master wants to set are shown at the lines of his own letter:
// what the position can't be read with, and what breaks an invariant, which names a thing.
func TestFaultsOfWhatIsSetPointAtTheMastersLines(t *testing.T) {
	const set = `
game: ligny-7
system: napoleon
options: {setup: historical}
seats:
  french: {name: Rosa, address: red@play.example}
  allied: {name: Bruno, address: Blue@play.example}
gm: {name: Gina, address: gm@club.example}
deadline: 3d
`
	h := newTestOffice(t, func(h *testOffice) { h.rules = napoleon.New() })
	h.newGame(set)
	for _, c := range []struct {
		name  string
		lines []string
		want  map[string]int // part of a line of the letter → how often it is named
	}{
		{"what can't be read", []string{
			"set:", "  units:", "    F-03:", "      at: Nowhere", "    F-07: {at: Ligny, steps: many}", "  turn: 99",
		}, map[string]int{"at: Nowhere": 1, "F-07: {at: Ligny, steps: many}": 1, "turn: 99": 1}},
		{"in one line", []string{"set: {turn: 99, phase: lunch}"}, map[string]int{"set: {turn": 2}},
		{"an invariant", []string{"set:", "  # a comment", "  losses:", "    french: 5"}, map[string]int{"losses:": 0}},
	} {
		h.deliver(gmAt)
		h.clock.move(3600e9)
		file := "game: ligny-7\nkey: " + key(h, "ligny-7", engine.GM) + "\ncommand: rule\nreason: r\n" + strings.Join(c.lines, "\n") + "\n"
		h.write(gmAt, file, mail.Rejected)
		l := h.last(gmAt)
		source := strings.Split(file, "\n")
		named := map[string]int{}
		for _, m := range placeIn.FindAllStringSubmatch(l.Parts[0].Text, -1) {
			n, _ := strconv.Atoi(m[1])
			if n < 5 || n > len(source) {
				t.Errorf("%s: a fault is at line %d of %d:\n%s", c.name, n, len(source), l.Parts[0].Text)
				continue
			}
			for part := range c.want {
				if strings.Contains(source[n-1], part) {
					named[part]++
				}
			}
		}
		for part, n := range c.want {
			if named[part] < n {
				t.Errorf("%s: the line %q is named %d times, not %d:\n%s", c.name, part, named[part], n, l.Parts[0].Text)
			}
		}
		if len(placeIn.FindAllString(l.Parts[0].Text, -1)) == 0 || strings.Contains(l.Parts[0].Text, "The file as a whole") {
			t.Errorf("%s: a fault has no place:\n%s", c.name, l.Parts[0].Text)
		}
	}
}
