package cases

import (
	"bytes"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// mostStops bounds how many stops a line with "until" plays on.
const mostStops = 1000

// mostLog bounds what is noted of a case, and mostTold how much of that the report of a
// failure tells.
const (
	mostLog  = 100_000
	mostTold = 400
)

// A Result is how a case went.
type Result struct {
	Case     Case
	Failures []Failure // none: the case holds
	Log      []Happening

	// Spell names the things of the game in the sentences of the log; nil if
	// there was no game.
	Spell func(kind, id, language string) string
}

// A Happening is one thing that happened in a case.
type Happening struct {
	Step int           // in which step, from 1
	Text string        // with the codes and ids that checks compare
	Say  phrase.Phrase // the same for the catalogue, if there is a sentence
}

// A Failure is one thing that is not as the case wants it.
type Failure struct {
	Line int    // of the case file
	Text string // further lines are details
}

// OK tells whether the case holds.
func (r Result) OK() bool { return len(r.Failures) == 0 }

// Place is where a line of the case stands: file:line.
func (c Case) Place(line int) string { return fmt.Sprintf("%s:%d", c.File, line) }

// String is the report of a result: the case with its place, all failures with their
// places and, if there are any, what happened in the case.
func (r Result) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s (%s)\n", r.Case.Place(r.Case.Line), r.Case.Name, strings.Join(r.Case.Clauses, ", "))
	for _, f := range r.Failures {
		fmt.Fprintf(&b, "  %s: %s\n", r.Case.Place(f.Line), strings.ReplaceAll(f.Text, "\n", "\n    "))
	}
	if !r.OK() && len(r.Log) > 0 {
		b.WriteString("  what happened:\n")
		for i, h := range r.Log {
			if i == mostTold {
				b.WriteString("    and so on\n")
				break
			}
			b.WriteString("    " + strings.ReplaceAll(h.Text, "\n", "\n      ") + "\n")
		}
	}
	return b.String()
}

// run is a case being run.
type run struct {
	result   Result
	rulesets map[string]engine.Ruleset
	rules    engine.Ruleset
	position engine.Position
	noGame   error // why there is no game
	answers  map[engine.Side]engine.Answer
	fixed    *engine.FixedDice
	stopped  bool // a failure after which nothing can be told
	step     int  // from 1

	told   []engine.Event // in all steps until now
	judged []file

	// Of the present step.
	files  []file
	events []engine.Event
	dice   *engine.Recorder
}

// A file is an order file of a case as it was judged.
type file struct {
	act      act
	number   int           // in its step, from 1
	answer   engine.Answer // nil if it was refused
	problems orders.Problems
}

func newRun(rulesets map[string]engine.Ruleset, c Case) *run {
	return &run{result: Result{Case: c}, rulesets: rulesets, answers: map[engine.Side]engine.Answer{}}
}

// Run plays a case with the ruleset it names, and judges it.
func Run(rulesets map[string]engine.Ruleset, c Case) Result {
	r := newRun(rulesets, c)
	r.play(len(c.Steps), true, nil)
	return r.end()
}

// A Moment is a case after one of its steps.
type Moment struct {
	Step     int // from 1
	Line     int // of the case file, where the step begins
	Rules    engine.Ruleset
	Position engine.Position
	Log      []Happening // of this step
}

// Show plays a case without judging it, and shows every moment until it can't go
// on. The result says why, if it could not.
func Show(rulesets map[string]engine.Ruleset, c Case, show func(Moment) error) (Result, error) {
	r := newRun(rulesets, c)
	var failed error
	before := 0
	r.play(len(c.Steps), false, func() {
		m := Moment{Step: r.step, Line: c.Steps[r.step-1].Line, Rules: r.rules, Position: r.position, Log: r.result.Log[before:]}
		before = len(r.result.Log)
		if failed == nil && r.position != nil {
			failed = show(m)
		}
	})
	return r.end(), failed
}

// end gives the result.
func (r *run) end() Result {
	if r.position != nil {
		view := r.position.View(engine.GM)
		r.result.Spell = view.Spell
	}
	return r.result
}

// play plays the first steps of the case, judging them or not, and tells after
// each.
func (r *run) play(last int, judging bool, after func()) {
	c := r.result.Case
	defer func() {
		if fault := recover(); fault != nil {
			r.fail(c.Line, "the ruleset panicked: %v\n%s", fault, debug.Stack())
		}
	}()
	rules, ok := r.rulesets[c.Ruleset]
	if !ok {
		r.fail(c.Line, "there is no ruleset %q", c.Ruleset)
		return
	}
	r.rules = rules
	shared := &engine.FixedDice{Results: c.Dice}
	r.fixed = shared
	for i, step := range c.Steps[:last] {
		r.step = i + 1
		if step.OwnDice && len(c.Dice) == 0 {
			r.fixed = &engine.FixedDice{Results: step.Dice}
		}
		r.files, r.events, r.dice = nil, nil, &engine.Recorder{Dice: r.fixed}
		if i == 0 {
			r.begin(judging)
		}
		if r.position != nil {
			for _, a := range step.when {
				if !r.stopped {
					r.do(a)
				}
			}
		}
		r.told, r.judged = append(r.told, r.events...), append(r.judged, r.files...)
		if judging {
			r.judge(step)
		}
		if r.fixed != shared {
			r.leftOver(step.Line, judging)
		}
		if after != nil {
			after()
		}
	}
	if r.fixed == shared {
		r.leftOver(c.Line, judging)
	}
}

// judge makes the checks of a step.
func (r *run) judge(step Step) {
	r.refusals(step)
	for _, check := range step.then {
		if r.position == nil && check.kind != "no-game" || r.stopped {
			continue
		}
		if r.position != nil {
			if strangers := r.strangers(check); len(strangers) > 0 {
				r.fail(check.line, "%s: %s", check.kind, strings.Join(strangers, "\n"))
				continue
			}
		}
		if diffs := check.test(r); len(diffs) > 0 {
			r.fail(check.line, "%s: %s", check.kind, strings.Join(diffs, "\n"))
		}
	}
}

// strangers says of which sides a check speaks that the game does not have. A
// check of what such a side is not told would always hold.
func (r *run) strangers(c check) []string {
	var all []string
	have := seats(r.position)
	for _, side := range c.sides {
		if !slices.Contains(have, side) {
			all = append(all, fmt.Sprintf("there is no side %q; there are %v", side, r.position.Sides()))
		}
	}
	return all
}

func (r *run) fail(line int, format string, args ...any) {
	r.result.Failures = append(r.result.Failures, Failure{Line: line, Text: fmt.Sprintf(format, args...)})
}

func (r *run) log(format string, args ...any) { r.note(phrase.Phrase{}, format, args...) }

// note notes what happened, and its sentence if it has one.
func (r *run) note(say phrase.Phrase, format string, args ...any) {
	switch n := len(r.result.Log); {
	case n < mostLog:
		r.result.Log = append(r.result.Log, Happening{Step: r.step, Text: fmt.Sprintf(format, args...), Say: say})
	case n == mostLog:
		r.result.Log = append(r.result.Log, Happening{Step: r.step, Text: "and so on"})
	}
}

// leftOver fails the case unless exactly its dice were rolled. A case that is not judged
// may leave some dice over.
func (r *run) leftOver(line int, judging bool) {
	for _, fault := range r.fixed.Faults {
		r.fail(line, "dice: %s", fault)
	}
	if n := len(r.fixed.Results) - r.fixed.Used; judging && n > 0 && !r.stopped {
		r.fail(line, "dice: %d left over: %v", n, r.fixed.Results[r.fixed.Used:])
	}
}

// begin sets the game up and lays the case's position over it.
func (r *run) begin(judging bool) {
	c := r.result.Case
	if misfits := r.setUp(c); len(misfits) > 0 {
		wanted := slices.ContainsFunc(c.Steps, func(s Step) bool {
			return slices.ContainsFunc(s.then, func(c check) bool { return c.kind == "no-game" })
		})
		for _, m := range misfits {
			if !judging || !wanted {
				r.fail(m.line, "no game: %s", m.text)
			}
		}
		r.position = nil
		return
	}
	if len(r.result.Log) == 0 {
		r.log("owed: %s", owing(r.position.Owed()))
	}
}

// setUp makes the position in which the case begins, or tells what is wrong with "given".
func (r *run) setUp(c Case) []misfit {
	position, err := r.rules.New(c.Setup)
	if err != nil {
		r.noGame = err
		return r.ofSetup(err)
	}
	r.position = position
	if c.Position != nil {
		tree, err := r.tree()
		if err != nil {
			r.noGame = err
			return []misfit{{c.Line, err.Error()}}
		}
		whole := merge(nowhere(tree), c.Position)
		if r.position, err = r.rules.Load([]byte(whole.Encode())); err != nil {
			r.noGame = fmt.Errorf("the position: %w", err)
			return misfits(err, whole, c.places.ofPosition(), "the position: ")
		}
	}
	if _, over := r.position.Outcome(); len(r.position.Owed()) == 0 && !over {
		r.advance(c.places.ofPosition()) // a position between two stops is played to the next
	}
	return nil
}

// tree is the position's YAML.
func (r *run) tree() (*orders.Node, error) {
	text, err := r.position.Marshal()
	if err != nil {
		return nil, fmt.Errorf("write the position: %w", err)
	}
	tree, problems := orders.ParseNode(text)
	if len(problems) > 0 {
		return nil, fmt.Errorf("read the position: %w", problems)
	}
	return tree, nil
}

// do gives an answer and, if it was the last one owed, plays on.
func (r *run) do(a act) {
	if a.resolve {
		r.resolve(a)
		return
	}
	owed := r.position.Owed()
	i := slices.IndexFunc(owed, func(d engine.Decision) bool { return d.Side == a.side })
	if i < 0 {
		r.fail(a.line, "%s owes nothing here; owed: %s", a.side, owing(owed))
		r.stopped = true
		return
	}
	root := orders.Mapping()
	for _, part := range []orders.Pair{{Key: orders.Text("orders"), Value: a.orders}, {Key: orders.Text("standing"), Value: a.standing}, {Key: orders.Text("policies"), Value: a.policies}} {
		if part.Value != nil {
			root.Pairs = append(root.Pairs, part)
		}
	}
	view := r.position.View(a.side)
	answer, problems := r.rules.Read(view, owed[i], &orders.Document{
		Source: root.Encode(), Side: string(a.side), Draft: a.draft, Final: true,
		Orders: a.orders, Standing: a.standing, Policies: a.policies, Root: root,
	})
	if len(problems) > 0 {
		answer = nil
		r.log("line %d: %s is refused", a.line, a.side)
		for _, fault := range problems {
			r.note(fault.Why, "  %s", describe(fault))
		}
	} else {
		r.log("line %d: %s is accepted: %s", a.line, a.side, short(answer.Orders()))
	}
	r.files = append(r.files, file{act: a, number: a.number, answer: answer, problems: problems})
	if answer == nil || a.draft {
		return
	}
	r.answers[a.side] = answer
	r.settle(a.line)
}

// resolve answers by default what has no answer yet.
func (r *run) resolve(a act) {
	for range mostStops {
		owed := r.position.Owed()
		if a.until != "" && slices.ContainsFunc(owed, func(d engine.Decision) bool {
			return d.Kind == a.until && (a.side == "" || a.side == d.Side)
		}) {
			return
		}
		if len(owed) == 0 {
			r.fail(a.line, "resolve: nobody owes anything")
			r.stopped = true
			return
		}
		answered := false
		for _, d := range owed {
			if r.answers[d.Side] != nil || a.until == "" && a.side != "" && a.side != d.Side {
				continue
			}
			r.answers[d.Side] = r.rules.Default(r.position.View(d.Side), d)
			r.log("line %d: %s answers by default: %s", a.line, d.Side, short(r.answers[d.Side].Orders()))
			answered = true
		}
		if !answered {
			r.fail(a.line, "resolve: %s owes nothing; owed: %s", a.side, owing(owed))
			return
		}
		r.settle(a.line)
		if a.until == "" || r.stopped || len(r.fixed.Faults) > 0 {
			return
		}
	}
	r.fail(a.line, "resolve: %s was not reached in %d stops", a.until, mostStops)
}

// settle plays on once every answer is in.
func (r *run) settle(line int) {
	for _, d := range r.position.Owed() {
		if r.answers[d.Side] == nil {
			return
		}
	}
	r.advance(line)
}

func (r *run) advance(line int) {
	rolled := len(r.dice.Rolls)
	events, err := r.position.Advance(r.answers, r.dice)
	if err != nil {
		r.fail(line, "advance: %v", err)
		r.stopped = true
		return
	}
	clear(r.answers)
	r.events = append(r.events, events...)
	for _, roll := range r.dice.Rolls[rolled:] {
		r.note(roll.Purpose, "roll %d of %d for %s", roll.Result, roll.Sides, Plain(roll.Purpose))
	}
	for _, e := range events {
		for _, t := range e.Tellings {
			r.note(t.Say, "told %v: %s [%s]", t.To, Plain(t.Say), e.Clause)
		}
	}
	r.log("owed: %s", owing(r.position.Owed()))
	r.readsBack(line)
}

// readsBack fails the case if the position is a different one after it is written and read.
func (r *run) readsBack(line int) {
	text, err := r.position.Marshal()
	if err != nil {
		r.fail(line, "write the position: %v", err)
		return
	}
	again, err := r.rules.Load(text)
	if err != nil {
		r.fail(line, "read the position back: %v", err)
		return
	}
	if second, err := again.Marshal(); err != nil || !bytes.Equal(text, second) {
		r.fail(line, "the position does not read back as it was written: %s", firstDifference(text, second))
	}
}

func firstDifference(a, b []byte) string {
	x, y := strings.Split(string(a), "\n"), strings.Split(string(b), "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return fmt.Sprintf("line %d: %q, then %q", i+1, x[i], y[i])
		}
	}
	return fmt.Sprintf("%d lines, then %d", len(x), len(y))
}

// refusals fails the case for every fault found that no check wants.
func (r *run) refusals(step Step) {
	for _, file := range r.files {
		for _, fault := range file.problems {
			expected := slices.ContainsFunc(step.then, func(c check) bool { return c.covers != nil && c.covers(file.number, file.act.side, fault) })
			if !expected {
				r.fail(file.act.base+max(fault.Line, 1)-1, "the orders of %s were refused, and the case does not say so: %s", file.act.side, describe(fault))
			}
		}
	}
}
