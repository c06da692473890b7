package rulestest

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"berthier/engine"
	"berthier/engine/ahead"
	"berthier/engine/playout"
	"berthier/engine/shape"
	"berthier/orders"
)

// widest is how many columns a line of a template that is to be uncommented may have.
const widest = 72

// Uncomment plays games and looks at the templates of their stops: as it stands each is a
// legal file that means the default; and if the # is taken away from any one line that begins
// with it, what is left is a legal file, whether or not the blank behind the # went with it.
// Remarks begin with ##. An item of a list that somebody writes as his only line, behind a dash
// of a mail program and without the word end, means the same, and so does the whole template in
// another language. It tries about so many stops of each kind in each game, and those of the
// conformance cases of a name, if it has one; each kind of stop must have had a line to try, and
// each word of its grammar must have stood in one. It gives how many templates it tried.
func Uncomment(t *testing.T, name string, rules engine.Ruleset, games []playout.Game, each int) (templates int) {
	if Race {
		return 0 // nothing here runs side by side, and it takes long
	}
	u := uncommenter{T: t, rules: rules, tried: map[string]int{}, shown: wordsShown{}}
	later := 64 // each so manieth of the stops that come after the first
	if FullSamples() {
		later = 16
	}
	u.sheet, u.shaped = ahead.Sheet(rules)
	for i, g := range games {
		g.Rules = rules
		bot, counts := g.Choose, map[string]int{}
		g.Choose = func(rules engine.Ruleset, view engine.View, d engine.Decision, chance *rand.Rand) engine.Answer {
			counts[d.Kind]++
			u.look(view, d, counts[d.Kind] <= each || counts[d.Kind]%later == 0)
			if bot != nil {
				return bot(rules, view, d, chance)
			}
			if chance.IntN(2) == 0 {
				return rules.Sensible(view, d, chance)
			}
			return rules.Random(view, d, chance)
		}
		if _, err := g.Play(); err != nil {
			t.Fatalf("game %d: %v", i, err)
		}
	}
	seen := map[string]int{}
	if name != "" {
		HearCases(t, name, rules, func(view engine.View, d engine.Decision, _ *orders.Document) {
			seen[d.Kind]++
			u.look(view, d, FullSamples() || u.tried[d.Kind] == 0 || seen[d.Kind]%8 == 0)
		})
	}
	for _, kind := range rules.About().Stops {
		if u.tried[kind] == 0 {
			t.Errorf("%s: no line was tried", kind)
		}
	}
	u.shown.lacks(t, rules)
	t.Logf("of %d templates tried %v", u.templates, u.tried)
	return u.templates
}

// An uncommenter tries the templates of a ruleset's stops.
type uncommenter struct {
	*testing.T
	rules  engine.Ruleset
	sheet  shape.Sheet
	shaped bool           // it has a sheet
	tried  map[string]int // lines, by kind of stop

	templates int // that were tried
	shown     wordsShown
}

// look notes the words of a stop's template, and tries it, if it shall: as it stands, in another
// language, and line by line.
func (u *uncommenter) look(view engine.View, d engine.Decision, try bool) {
	template := u.rules.Template(view, d)
	text := template.Encode()
	if u.shown.see(d.Kind, text); !try {
		return
	}
	u.templates++
	answer, faults := readText(u.rules, view, d, text)
	switch usual := u.rules.Default(view, d).Orders().Encode(); {
	case len(faults) > 0:
		u.Errorf("%s of %s: as it stands it is refused: %s\n%s", d.Kind, d.Side, playout.Explain(faults), text)
	case answer.Orders().Encode() != usual:
		u.Errorf("%s of %s: as it stands it means\n%snot\n%s", d.Kind, d.Side, answer.Orders().Encode(), usual)
	}
	if u.shaped {
		sameIn(u.T, u.rules, view, d, template, "it", u.sheet.Vocabulary)
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if body := strings.TrimLeft(line, " "); strings.HasPrefix(body, "#") && !strings.HasPrefix(body, "##") {
			u.tried[d.Kind]++
			u.without(view, d, lines, i)
		}
	}
}

// without takes away the # of a line of a template.
func (u *uncommenter) without(view engine.View, d engine.Decision, lines []string, at int) {
	line := lines[at]
	if n := utf8.RuneCountInString(line); n > widest {
		u.Errorf("%s: %d columns: %s", d.Kind, n, line)
	}
	body := strings.TrimLeft(line, " ")
	indent := line[:len(line)-len(body)]
	for _, bare := range []string{indent + strings.TrimPrefix(body[1:], " "), indent + body[1:]} {
		file := strings.Join(slices.Concat(lines[:at], []string{bare}, lines[at+1:]), "\n")
		given, faults := readText(u.rules, view, d, file)
		if len(faults) > 0 {
			u.Errorf("%s of %s: %q alone is refused: %s", d.Kind, d.Side, bare, playout.Explain(faults))
			continue
		}
		item, ok := strings.CutPrefix(strings.TrimLeft(bare, " "), "- ")
		if !ok || len(indent) != 2 || !slices.Contains(lines, "orders:") {
			continue
		}
		typed, faults := readText(u.rules, view, d, "orders:\n  – "+item+"\n") // by hand, and nothing else
		if len(faults) > 0 || typed.Orders().Encode() != given.Orders().Encode() {
			u.Errorf("%s of %s: %q typed with another dash is refused or means something else: %s", d.Kind, d.Side, item, playout.Explain(faults))
		}
	}
}

// sameIn says that a template in a language is the same file: as it stands it means the same, and
// so does each of its lines that is an order once its # is taken away.
func sameIn(t *testing.T, rules engine.Ruleset, view engine.View, d engine.Decision, template *orders.Node, language string, words *orders.Words) {
	here, there := withoutRemarks(template), withoutRemarks(template.In(language, words))
	examples := func(lines []string) (at []int) {
		for i, line := range lines {
			if strings.HasPrefix(strings.TrimLeft(line, " "), "#") {
				at = append(at, i)
			}
		}
		return at
	}
	read := func(lines []string, bare int) string {
		lines = slices.Clone(lines)
		if bare >= 0 {
			lines[bare] = strings.Replace(lines[bare], "# ", "", 1)
		}
		answer, faults := readText(rules, view, d, strings.Join(lines, "\n"))
		if len(faults) > 0 {
			return playout.Explain(faults)
		}
		return answer.Orders().Encode()
	}
	own, others := append([]int{-1}, examples(here)...), append([]int{-1}, examples(there)...)
	if len(own) != len(others) {
		t.Errorf("%s: %d examples, and in %s %d", d.Kind, len(own)-1, language, len(others)-1)
		return
	}
	for i := range own {
		if want, got := read(here, own[i]), read(there, others[i]); got != want {
			t.Errorf("%s of %s: example %d in %s means\n%snot\n%s\n%s", d.Kind, d.Side, i, language, got, want, strings.Join(there, "\n"))
		}
	}
}

// withoutRemarks are the lines of a template that are orders, or would be without their #.
func withoutRemarks(template *orders.Node) []string {
	return slices.DeleteFunc(strings.Split(template.Encode(), "\n"), func(line string) bool {
		return strings.HasPrefix(strings.TrimLeft(line, " "), "##")
	})
}

// readText reads a file as the answer to a stop. Short lines are read as the office reads those of
// players; what is misspelt is not taken.
func readText(rules engine.Ruleset, view engine.View, d engine.Decision, text string) (engine.Answer, orders.Problems) {
	doc, faults := orders.Parse(text, nil)
	if len(faults) > 0 {
		return nil, faults
	}
	if doc.Ahead != nil {
		if _, faults := ahead.Read(rules, view, doc.Ahead); len(faults) > 0 {
			return nil, faults
		}
	}
	answer, faults := rules.Read(view, d, doc)
	if len(faults) == 0 {
		return answer, nil
	}
	if doc, _ = orders.Parse(text, nil); doc == nil {
		return nil, faults
	}
	doc.Mends = true
	answer, again := rules.Read(view, d, doc)
	if len(again) > 0 || doc.Guessed() {
		return nil, faults
	}
	return answer, nil
}
