package ahead

import (
	"slices"

	"berthier/engine"
	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
)

// An Outcome is what came of what was filed when a stop had come.
type Outcome struct {
	Answer engine.Answer // nil: the side is asked
	Key    string        // of the part that answers, or says that the side is asked; "": none speaks of the stop
	Mark   string        // which of its answers counts
	Misfit []Misfit      // answers that were meant for the stop and no longer fit
	Void   []string      // keys of what was filed for stops that were to follow at once, and do not
}

// A Misfit is an answer that no longer fits.
type Misfit struct {
	Key      string
	Says     string // the answer, on one line
	Problems orders.Problems
}

// Answer answers a decision by what waits, as far as that speaks of it, from what the side
// sees now. An answer is used once, whether it fits or not; a word, and what a policy would
// say, at each stop. What was filed for the stop that follows at once counts before all
// else, and at this stop alone: if it is not of this kind, or does not answer it, the rest
// of its row is void. Former is as in [orders.Document].
func (f *Filed) Answer(rules engine.Ruleset, view engine.View, d engine.Decision, former bool) Outcome {
	sheet, _ := Sheet(rules)
	var o Outcome
	next, parts := apart(f.Waiting(sheet))
	for i := range next {
		p := &next[i]
		if !slices.Contains(p.Kinds, d.Kind) {
			continue
		}
		f.use(p.mark(0))
		if spoke := f.tries(&o, stop{rules, sheet, view, d, former, p, f.Seen}); o.Answer != nil {
			return o
		} else if spoke {
			o.Void = f.Void(sheet)
			return o
		}
	}
	o.Void = f.Void(sheet)
	slices.SortStableFunc(parts, func(a, b Part) int { // the stop's own key before that of its policy
		return bit(a.Key != d.Kind) - bit(b.Key != d.Kind)
	})
	for i := range parts {
		if p := &parts[i]; slices.Contains(p.Kinds, d.Kind) && f.tries(&o, stop{rules, sheet, view, d, former, p, f.Seen}) {
			break
		}
	}
	return o
}

// tries tries the answers of a part, of which the first counts whose conditions hold, and
// tells whether one did.
func (f *Filed) tries(o *Outcome, x stop) bool {
	p := x.part
	used := func(i int) bool { return p.Row == 0 && slices.Contains(f.Used, p.mark(i)) }
	for i, c := range p.answers() {
		if used(i) || !x.holds(c.If) {
			continue
		}
		answer, once, problems := x.answer(c.Do)
		if once {
			f.use(p.mark(i))
		}
		if len(problems) == 0 {
			o.Answer, o.Key, o.Mark = answer, p.Key, p.mark(i)
			return true
		}
		o.Misfit = append(o.Misfit, Misfit{p.Key, c.Do.OneLine(), problems})
		if other := len(p.Cases) - 1; other > i && p.Cases[other].If == nil && !used(other) {
			if answer, _, problems = x.answer(p.Cases[other].Do); len(problems) == 0 { // what does not fit goes to its else
				o.Answer, o.Key, o.Mark = answer, p.Key, p.mark(other)
			}
		}
		return true
	}
	return false
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// A stop is a decision that has come, with a part that is to answer it.
type stop struct {
	rules  engine.Ruleset
	sheet  shape.Sheet
	view   engine.View
	d      engine.Decision
	former bool
	part   *Part
	since  string // how the enemy stood where it was filed
}

// holds tells whether conditions hold.
func (x stop) holds(conditions *orders.Node) bool {
	if conditions == nil {
		return true
	}
	judge, ok := x.rules.(engine.Conditions)
	if !ok {
		return false
	}
	holds, problems := judge.Hold(x.view, x.d, x.since, conditions)
	return holds && len(problems) == 0
}

// answer makes the answer that a value means; nil if the side is asked. It tells whether
// that may be used once only, and what is wrong with it where it no longer fits.
func (x stop) answer(n *orders.Node) (a engine.Answer, once bool, problems orders.Problems) {
	how, field := x.sheet.CaseAnswers(x.part.Key, n)
	switch how {
	case shape.MeansWord:
		return x.word(n.Text), false, nil
	case shape.MeansPolicy:
		foreseer, ok := x.rules.(engine.Foreseer)
		if !ok {
			return nil, true, open()
		}
		if a, problems = foreseer.Saying(x.view, x.d, x.part.Key, n); a == nil && len(problems) == 0 {
			problems = open()
		}
		return a, false, problems
	case shape.MeansField:
		n = orders.Mapping().Set(field, n)
	}
	a, problems = x.rules.Read(x.view, x.d, &orders.Document{Orders: n, Former: x.former})
	return a, true, problems
}

// open says that something does not settle its stop.
func open() orders.Problems {
	return orders.Problems{{Why: phrase.Say("play.ahead-open")}}
}

// word makes the answer that a word means.
func (x stop) word(word string) engine.Answer {
	switch word {
	case "default":
		return x.rules.Default(x.view, x.d)
	case "standing":
		if instructor, ok := x.rules.(engine.Instructor); ok {
			if a, ok := instructor.Answers(x.view, x.d); ok {
				return a
			}
		}
	}
	return nil
}

// Changed lists the kinds of stops of which an answer's standing orders and policies say
// something else than those that are in force in a view.
func Changed(rules engine.Ruleset, view engine.View, given engine.Answer) []string {
	sheet, ok := Sheet(rules)
	foreseer, able := rules.(engine.Foreseer)
	if !ok || !able || given == nil {
		return nil
	}
	n := given.Orders()
	standing, policies := foreseer.Lines(view)
	var kinds []string
	change := func(some []string) {
		for _, kind := range some {
			if !slices.Contains(kinds, kind) {
				kinds = append(kinds, kind)
			}
		}
	}
	if now := n.Get("standing"); now != nil {
		lines := linesOf(now)
		for kind, keys := range sheet.Answered {
			for _, key := range keys {
				if lines[key] != standing[key] {
					change([]string{kind})
				}
			}
		}
	}
	if now := n.Get("policies"); now != nil {
		for _, p := range sheet.Layer {
			said := "ask" // the word alone is for all of them
			if now.Kind == orders.Map {
				value := now.Get(p.Key)
				if value == nil {
					continue
				}
				said = value.OneLine()
			}
			if said == "ask" || said != policies[p.Key] {
				change(p.Stops)
			}
		}
	}
	slices.Sort(kinds)
	return kinds
}

// Lines are standing orders in normal form by their keys; those of one key together.
func Lines(n *orders.Node) map[string]string { return linesOf(n) }

func linesOf(n *orders.Node) map[string]string {
	all := map[string]string{}
	if n == nil {
		return all
	}
	for _, item := range n.Items {
		for _, pair := range item.Pairs {
			all[pair.Key.Text] += pair.Value.OneLine() + "\n"
		}
	}
	for _, pair := range n.Pairs {
		all[pair.Key.Text] += pair.Value.OneLine() + "\n"
	}
	return all
}
