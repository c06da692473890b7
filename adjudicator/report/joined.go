package report

import (
	"slices"
	"strings"
	"unicode/utf8"

	"berthier/adjudicator/game"
	"berthier/engine"
	"berthier/engine/ahead"
	"berthier/engine/shape"
	"berthier/orders"
	"berthier/templates"
)

// A follows is the question that follows what a seat owes with nothing in between.
type follows struct {
	engine.Joined
	idle  bool         // its lines say nothing until one is uncommented
	again bool         // it is the same question, and comes again if the seat does something
	lines *orders.Node // that stand ready
}

// joined is the question that follows what a seat owes with nothing in between, as letters tell
// it; nil if none does: what follows if the answer is the default, or else the same question
// again where the seat is asked again as long as it does something, such as a shot. It is made
// of the seat's own view alone. Nor does one stand ready where something that the seat has filed
// ahead waits: a file that says something of what is ahead takes the place of that.
func joined(w *Writer, s *game.Seat) *follows {
	if s.Owes == nil || s.Draft != "" || len(w.turn.Filed(s)) > 0 {
		return nil
	}
	rules, d := w.turn.Rules, s.Owes.Decision
	follower, ok := rules.(engine.Follower)
	if !ok || len(follower.Follows(d)) == 0 {
		return nil
	}
	view, found := w.turn.View(s.Side), &follows{}
	if found.Joined, ok = engine.Follow(rules, view, d, rules.Default(view, d)); ok {
		found.idle = follower.Idle(found.Decision.Kind)
	} else if found.Joined, ok = askedAgain(rules, view, d); ok {
		found.idle, found.again = true, true
	} else {
		return nil
	}
	row := orders.Mapping()
	words := w.Keywords()
	row.Pairs = append(row.Pairs, ready(rules, found.idle, found.Joined, func(line string) bool {
		said := (&orders.Node{Kind: orders.List, Spare: []string{line}}).In(s.Person.Language, words)
		return utf8.RuneCountInString(said.Spare[0]) <= widestCase
	}))
	found.lines = orders.Mapping().Set(shape.Next, row)
	if found.again && len(row.Pairs[0].Value.Spare) == 0 || !legal(rules, view, found.Joined, found.lines) {
		return nil
	}
	return found
}

// mostTried choices are tried to see whether the same question follows.
const mostTried = 4

// askedAgain is the same question as it comes again after a choice, if there is one after which it
// does: a window of artillery opens again after a shot.
func askedAgain(rules engine.Ruleset, view engine.View, d engine.Decision) (engine.Joined, bool) {
	chooser, ok := rules.(engine.Chooser)
	if !ok || d.At == "" || !slices.Contains(rules.(engine.Follower).Follows(d), engine.Decision{Kind: d.Kind, At: d.At}) {
		return engine.Joined{}, false
	}
	for i, c := range chooser.Choices(view, d, nil) {
		if i == mostTried {
			break
		}
		if c.Measure {
			continue
		}
		next, ok := engine.Follow(rules, view, d, chooser.Compose(view, d, []engine.Choice{c}))
		if ok && next.Decision == d {
			return next, true
		}
	}
	return engine.Joined{}, false
}

// ready is the answer to a question that follows, as it stands ready in the file of the one
// before: what its own file would hold. Where its default does nothing the side is asked by
// itself, unless it takes away the # of an example. Examples that do not fit on a line as the
// side reads them are left out.
func ready(rules engine.Ruleset, idle bool, next engine.Joined, fits func(line string) bool) orders.Pair {
	template := rules.Template(next.View, next.Decision)
	i := 0
	for template.Pairs[i].Key.Text != "orders" {
		i++
	}
	body := template.Pairs[i]
	key := orders.Text(next.Decision.Kind)
	if !idle {
		key.Above = body.Key.Above
		body.Value.Spare = slices.DeleteFunc(body.Value.Spare, func(line string) bool { return line[0] != '#' && !fits(line) })
		return orders.Pair{Key: key, Value: body.Value}
	}
	value := orders.Items(orders.Inline().Set("else", orders.Text("ask")))
	for _, example := range body.Value.Spare {
		if do := caseOf(example); do != "" && len(value.Spare) < mostExamples && fits(do) {
			value.Spare = append(value.Spare, do)
		}
	}
	return orders.Pair{Key: key, Value: value}
}

// caseOf is an entry of a list, as an example of a template, as a case of what is filed ahead;
// "" for anything else.
func caseOf(example string) string {
	one, ok := strings.CutPrefix(example, "- ")
	if !ok {
		return ""
	}
	one, _, _ = strings.Cut(one, "  # ")
	if !strings.HasPrefix(one, "{") {
		one = "{" + one + "}"
	}
	return "- do: [" + one + ", end]"
}

// widestCase is how many columns a case may have, so that with the # and its indentation it
// stands on one line of a letter.
const widestCase = 64

// mostExamples is how many examples of a question that follows stand in a file.
const mostExamples = 6

// legal judges the lines that stand ready, as they come and as their stop comes.
func legal(rules engine.Ruleset, view engine.View, next engine.Joined, lines *orders.Node) bool {
	text, faults := ahead.Read(rules, view, lines)
	if len(faults) > 0 {
		return false
	}
	if text == "" {
		return true // it asks
	}
	filed := ahead.Filed{Text: text}
	o := filed.Answer(rules, next.View, next.Decision, false)
	return o.Answer != nil
}

// withJoined adds to what a seat owes the question that follows, and its lines to the file.
func withJoined(w *Writer, s *game.Seat, o *templates.Owed) {
	next := joined(w, s)
	if next == nil {
		return
	}
	o.Joined, o.Idle, o.Again = &next.Decision, next.idle, next.again
	o.Template.Set("ahead", next.lines)
	for _, p := range o.Template.Pairs { // what is remarked above both questions is said once
		if then := next.lines.Pairs[0].Value.Pairs[0].Key; p.Key.Text == "orders" && p.Key.Above == then.Above {
			then.Above = ""
		}
	}
}
