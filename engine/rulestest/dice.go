package rulestest

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
)

// Dice holds that nothing that costs a die is ever filled in. Which dice a player may order, and
// by which keys, the ruleset says once, in [shape.Sheet.Dice]; free are the codes of all others,
// which are rolled without being ordered, or cost nothing. In games of players who order such
// dice now and then:
//
//   - no default, and nothing that goes with a choice about something else, holds such a key;
//   - a file without the keys, or with some of them, is refused or read without those that it
//     has not: the answer with them taken away, with other things taken away, and the template
//     with one line uncommented;
//   - a die is rolled only after an answer that orders it, and every die is one that the sheet
//     names, or free.
//
// A game without a way to choose is played half by chance and half by bots; one with a number of
// stops is left after these.
//
// Then an office takes its place that fills in such dice, in each of the three ways: each is
// found out.
func Dice(t *testing.T, rules engine.Ruleset, games []playout.Game, free ...string) {
	t.Helper()
	if Race {
		return // nothing here runs side by side, and it takes long
	}
	sheet := rules.(engine.Shaped).Shapes()
	games = slices.Clone(games)
	for i := range games {
		if games[i].Choose == nil {
			games[i].Choose = fairOrNot
		}
	}
	honest := watched(t, rules, rules, sheet.Dice, games, free, false)
	for _, fault := range honest.faults {
		t.Error(fault)
	}
	for _, die := range sheet.Dice {
		if honest.ordered[die.Roll] == 0 || honest.rolled[die.Roll] == 0 || honest.files[die.Roll] == 0 {
			t.Errorf("%s was ordered %d times, rolled %d times, and left out of %d files: not enough was tried",
				die.Roll, honest.ordered[die.Roll], honest.rolled[die.Roll], honest.files[die.Roll])
		}
	}
	t.Logf("ordered %v, rolled %v, left out of files %v", honest.ordered, honest.rolled, honest.files)
	if len(sheet.Dice) == 0 {
		return
	}
	for name, cheat := range map[string]generous{"defaults": {defaults: true}, "choices": {choices: true}, "reading": {reading: true}} {
		cheat.Ruleset, cheat.Chooser, cheat.dice, cheat.choose = rules, rules.(engine.Chooser), sheet.Dice, games[0].Choose
		if found := watched(t, rules, cheat, sheet.Dice, games, free, true); len(found.faults) == 0 {
			t.Errorf("an office that fills in dice by %s is not found out", name)
		}
	}
}

// fairOrNot answers by chance or as a fair player.
func fairOrNot(rules engine.Ruleset, view engine.View, d engine.Decision, chance *rand.Rand) engine.Answer {
	if chance.IntN(2) == 0 {
		return rules.Sensible(view, d, chance)
	}
	return rules.Random(view, d, chance)
}

// A generous office fills in dice that nobody has ordered.
type generous struct {
	engine.Ruleset
	engine.Chooser
	dice                       []shape.Die
	choose                     playout.Chooser
	defaults, choices, reading bool
}

// risky is an answer to a decision that orders dice; the one given if there is none at hand.
func (g generous) risky(view engine.View, d engine.Decision, a engine.Answer) engine.Answer {
	for _, die := range g.dice {
		for n := range 24 {
			if die.Stop != d.Kind {
				break
			}
			if other := g.choose(g.Ruleset, view, d, rand.New(rand.NewPCG(uint64(n), 24))); len(piecesIn(other.Orders().Get("orders"), die)) > 0 {
				return other
			}
		}
	}
	return a
}

func (g generous) Default(view engine.View, d engine.Decision) engine.Answer {
	a := g.Ruleset.Default(view, d)
	if g.defaults {
		return g.risky(view, d, a)
	}
	return a
}

func (g generous) Compose(view engine.View, d engine.Decision, made []engine.Choice) engine.Answer {
	a := g.Chooser.Compose(view, d, made)
	if g.choices && len(made) > 0 {
		return g.risky(view, d, a)
	}
	return a
}

func (g generous) Read(view engine.View, d engine.Decision, file *orders.Document) (engine.Answer, orders.Problems) {
	a, faults := g.Ruleset.Read(view, d, file)
	if g.reading && len(faults) == 0 {
		return g.risky(view, d, a), nil
	}
	return a, faults
}

// errLeft ends a game that is left before its end.
var errLeft = errors.New("left")

// A watch is what was seen of dice that players order.
type watch struct {
	faults                 []string
	ordered, rolled, files map[string]int // by the code of the roll
}

func (w *watch) fault(format string, args ...any) {
	if len(w.faults) < 12 {
		w.faults = append(w.faults, fmt.Sprintf(format, args...))
	}
}

// watched plays games by the rules, and looks at the office at each stop whose answers may hold
// dice; if it shall, until the first fault is found.
func watched(t *testing.T, rules, office engine.Ruleset, dice []shape.Die, games []playout.Game, free []string, untilFound bool) *watch {
	t.Helper()
	w := &watch{ordered: map[string]int{}, rolled: map[string]int{}, files: map[string]int{}}
	for i, g := range games {
		g.Rules = rules
		choose, last, looked := g.Choose, g.MaxStops, map[string]int{}
		g.MaxStops = 0
		waiting := map[string][]string{} // what was ordered and is not rolled yet, by the code of the roll and the side
		g.Choose = func(rules engine.Ruleset, view engine.View, d engine.Decision, chance *rand.Rand) engine.Answer {
			a := choose(rules, view, d, chance)
			for _, die := range dice {
				if die.Stop != d.Kind {
					continue
				}
				pieces := piecesIn(a.Orders().Get("orders"), die)
				w.ordered[die.Roll] += len(pieces)
				waiting[die.Roll+" "+string(d.Side)] = pieces
				if looked[d.Kind]++; looked[d.Kind] <= 6 || FullSamples() {
					w.filledIn(office, view, d, die, chance)
					w.read(office, view, d, die, a, chance)
				}
			}
			return a
		}
		_, err := g.Play(func(m playout.Moment) error {
			for _, roll := range m.Rolls {
				w.roll(roll, dice, free, waiting)
			}
			if m.Number == last || untilFound && len(w.faults) > 0 {
				return errLeft
			}
			return nil
		})
		if err != nil && !errors.Is(err, errLeft) {
			t.Fatalf("game %d: %v", i, err)
		}
	}
	return w
}

// roll notes a die that was rolled: it must have been ordered, if the sheet says so.
func (w *watch) roll(roll engine.Roll, dice []shape.Die, free []string, waiting map[string][]string) {
	code := roll.Purpose.Code
	at := slices.IndexFunc(dice, func(die shape.Die) bool { return die.Roll == code })
	if at < 0 {
		if !slices.Contains(free, code) {
			w.fault("nobody says whether %s may cost its player something", code)
		}
		return
	}
	w.rolled[code]++
	for _, of := range slices.Sorted(maps.Keys(waiting)) {
		if !strings.HasPrefix(of, code+" ") {
			continue
		}
		n := slices.IndexFunc(waiting[of], func(who string) bool {
			return who == yes || slices.ContainsFunc(roll.Purpose.Args, func(a phrase.Arg) bool { return a.Value.Text == who })
		})
		if n >= 0 {
			waiting[of] = slices.Delete(slices.Clone(waiting[of]), n, n+1)
			return
		}
	}
	w.fault("%s was rolled, and nobody has ordered it: %v", code, roll.Purpose)
}

// filledIn looks at what is filled in where nothing is chosen, or something else.
func (w *watch) filledIn(office engine.Ruleset, view engine.View, d engine.Decision, die shape.Die, chance *rand.Rand) {
	usual := office.Default(view, d).Orders()
	if got := piecesIn(usual.Get("orders"), die); len(got) > 0 {
		w.fault("%s of %s: the default orders %s of %v:\n%s", d.Kind, d.Side, die.Keys[0], got, usual.Encode())
	}
	chooser := office.(engine.Chooser)
	list := chooser.Choices(view, d, nil)
	for range min(len(list), 12) {
		c := list[chance.IntN(len(list))]
		if c.Measure {
			continue
		}
		answer := chooser.Compose(view, d, []engine.Choice{c}).Orders()
		for _, who := range piecesIn(answer.Get("orders"), die) {
			if who != c.Of && !slices.ContainsFunc(die.Keys, func(key string) bool { return c.Of == key && c.What == who || strings.Contains(c.What, key) }) {
				w.fault("%s of %s: %s was chosen for %q, and %s of %s is filled in:\n%s", d.Kind, d.Side, c.What, c.Of, die.Keys[0], who, answer.Encode())
			}
		}
	}
}

// read looks at what is read in files that order less than an answer does.
func (w *watch) read(office engine.Ruleset, view engine.View, d engine.Decision, die shape.Die, a engine.Answer, chance *rand.Rand) {
	body := a.Orders().Get("orders")
	files := []*orders.Node{orders.Text("default"), body}
	if len(piecesIn(body, die)) > 0 {
		w.files[die.Roll]++
		files = append(files, lessOf(body, func(key string, _ int) bool { return slices.Contains(die.Keys, key) }))
	}
	for range 4 {
		left, at := chance.IntN(3), 0
		files = append(files, lessOf(body, func(string, int) bool { at++; return at%3 == left }))
	}
	for _, file := range files {
		w.judged(office, view, d, die, "orders:"+under(file), file)
	}
	lines := strings.Split(office.Template(view, d).Encode(), "\n")
	for range 6 {
		at := chance.IntN(len(lines))
		trimmed := strings.TrimLeft(lines[at], " ")
		if !strings.HasPrefix(trimmed, "# ") || strings.HasPrefix(trimmed, "##") {
			continue
		}
		bare := lines[at][:len(lines[at])-len(trimmed)] + trimmed[2:]
		text := strings.Join(slices.Concat(lines[:at], []string{bare}, lines[at+1:]), "\n")
		if doc, faults := orders.Parse(text, nil); len(faults) == 0 && doc.Orders != nil {
			w.judged(office, view, d, die, text, doc.Orders)
		}
	}
}

// judged reads a file: what it does not order is not in the answer.
func (w *watch) judged(office engine.Ruleset, view engine.View, d engine.Decision, die shape.Die, text string, file *orders.Node) {
	doc, faults := orders.Parse(text, nil)
	if len(faults) > 0 {
		return
	}
	answer, faults := office.Read(view, d, doc)
	if len(faults) > 0 {
		return
	}
	said := piecesIn(file, die)
	for _, who := range piecesIn(answer.Orders().Get("orders"), die) {
		if !slices.Contains(said, who) && !slices.Contains(said, all) && !(slices.Contains(said, yes) && names(file, who)) {
			w.fault("%s of %s: %s of %s is read in a file that does not say it:\n%s\n%s", d.Kind, d.Side, die.Keys[0], who, text, answer.Orders().Encode())
		}
	}
}

// Words of order files by which a die is ordered for whoever is meant.
const (
	yes = "yes"
	all = "all"
)

// piecesIn lists who is ordered to roll a die, by the keys under which it is ordered; "yes" where
// that word alone is written.
func piecesIn(n *orders.Node, die shape.Die) []string {
	var who []string
	if n == nil {
		return nil
	}
	n.Walk(func(n *orders.Node) {
		for _, pair := range n.Pairs {
			if !slices.Contains(die.Keys, pair.Key.Text) {
				continue
			}
			pair.Value.Walk(func(n *orders.Node) {
				if n.Kind == orders.Scalar && n.Text != "no" && n.Text != "none" {
					who = append(who, n.Text)
				}
			})
		}
	})
	return who
}

// names tells whether a thing is named in a file.
func names(n *orders.Node, who string) bool {
	found := false
	n.Walk(func(n *orders.Node) { found = found || n.Text == who })
	return found
}

// lessOf is a file without some of its pairs; a map that is left without any goes, too.
func lessOf(n *orders.Node, leave func(key string, depth int) bool) *orders.Node {
	less := n.Clone()
	var prune func(n *orders.Node, depth int)
	prune = func(n *orders.Node, depth int) {
		n.Pairs = slices.DeleteFunc(n.Pairs, func(p orders.Pair) bool { return leave(p.Key.Text, depth) })
		for _, p := range n.Pairs {
			prune(p.Value, depth+1)
		}
		for _, item := range n.Items {
			prune(item, depth+1)
		}
		n.Items = slices.DeleteFunc(n.Items, func(item *orders.Node) bool { return item.Kind == orders.Map && len(item.Pairs) == 0 })
	}
	prune(less, 0)
	return less
}

// under writes a tree as the value of a key.
func under(n *orders.Node) string {
	text := n.Encode()
	if n.Kind == orders.Scalar {
		return " " + text
	}
	return "\n  " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n  ") + "\n"
}
