// Package cases reads and runs conformance cases: small games written as YAML,
// each of which says what a clause of the rules means.
//
// A case is given a position, takes orders and dice, and says what must follow.
// The same files are run by go test and by berthier case run, so that a game
// master or a club can add their own. The form is described in docs/cases.md.
//
// A case that can't be read is refused with the line of every fault; a case that
// fails says what was wanted and what was found. A fault of a ruleset, a panic
// included, fails the case and nothing else.
package cases

import (
	"os"
	"slices"

	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A Case is one example of the rules.
type Case struct {
	Name    string
	File    string   // where it stands
	Line    int      // of its name in the file, from 1
	Clauses []string // of which it is an example: "NAP-5.5", "NAP-R03"
	Ruleset string

	Setup    engine.Setup
	Position *orders.Node // laid over the position of the set-up; nil leaves it
	Dice     []int        // for all steps; unused if steps have their own
	Steps    []Step

	places places       // where the parts of given stand in the file
	board  *orders.Node // the scenario file that [Stager.Stage] changed; nil if it did not
}

// A Step is something done and what must follow.
type Step struct {
	Line    int
	Dice    []int
	OwnDice bool // the step has dice of its own, all of which it must use
	when    []act
	then    []check
}

// An act is one line of when: a side's order file, or answers by default.
type act struct {
	line     int
	number   int          // of the order file in its step, from 1; 0 for resolve
	side     engine.Side  // whose; for resolve "" means everyone
	orders   *orders.Node // lines count from the file's first key
	standing *orders.Node
	policies *orders.Node
	base     int    // line of the case file on which the order file begins
	draft    bool   // judge only
	resolve  bool   // answer by default
	until    string // resolve stop after stop until this decision is owed
}

// Load reads the cases of a file; each is of one of the given rulesets. If there is any
// problem, there are no cases.
func Load(rulesets map[string]engine.Ruleset, file string) ([]Case, orders.Problems) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, orders.Problems{{Why: phrase.Say("case.unreadable", phrase.Literal("file", file), phrase.Literal("cause", err.Error()))}}
	}
	return Parse(rulesets, file, data)
}

// Parse reads cases from the text of a file. A scenario file that a case names
// is looked for beside it.
func Parse(rulesets map[string]engine.Ruleset, file string, data []byte) ([]Case, orders.Problems) {
	root, problems := orders.ParseNode(data)
	if len(problems) > 0 {
		return nil, problems
	}
	p := parser{Reader: orders.NewReader(orders.NewWords()), rulesets: rulesets, file: file, digests: map[string][]engine.Clause{}, boards: map[string]*orders.Node{}}
	p.root(root)
	p.resolve()
	if len(p.Problems) > 0 {
		p.Problems.Sort()
		// What a file gives once for all its cases is read for each of them.
		return nil, slices.CompactFunc(p.Problems, func(a, b orders.Problem) bool {
			return a.Line == b.Line && a.Column == b.Column && describe(a) == describe(b)
		})
	}
	return p.cases, nil
}

// parser reads one file.
type parser struct {
	*orders.Reader
	rulesets map[string]engine.Ruleset
	file     string
	cases    []Case
	digests  map[string][]engine.Clause // by ruleset
	boards   map[string]*orders.Node    // scenario files that have been read, by their text

	// Of the case that is being read.
	ruleset string
	files   []engine.Side // of the step: whose its order files are
	same    []*twin       // of the file: cases that are to be found by their names
}

func (p *parser) root(root *orders.Node) {
	switch {
	case root == nil:
		p.Refuse(nil, "", phrase.Say("case.empty"))
	case root.Kind == orders.List:
		p.list(root, common{})
	case root.Kind == orders.Map && root.Get("cases") != nil:
		f := p.Fields(root, "ruleset", "given", "cases", "note")
		c := common{}
		p.ofRuleset(f.Get("ruleset"), &c)
		p.given(f.Get("given"), &c)
		p.list(p.Require(f, "cases"), c)
	default:
		p.one(root, common{})
	}
}

func (p *parser) list(n *orders.Node, c common) {
	for _, item := range p.List(n) {
		p.one(item, c)
	}
}

func (p *parser) one(n *orders.Node, inherited common) {
	f := p.Fields(n, "case", "clauses", "ruleset", "given", "dice", "when", "then", "steps", "note")
	c := Case{File: p.file, Line: n.Line}
	name := p.Require(f, "case")
	if c.Name, _ = p.Text(name); name != nil {
		c.Line = name.Line
	}
	p.ofRuleset(f.Get("ruleset"), &inherited)
	if inherited.ruleset == "" && n.Kind == orders.Map {
		p.Require(f, "ruleset")
	}
	p.ruleset = inherited.ruleset
	for _, clause := range p.List(p.Require(f, "clauses")) {
		if id := p.clause(clause); id != "" {
			c.Clauses = append(c.Clauses, id)
		}
	}
	p.given(f.Get("given"), &inherited)
	c.Ruleset, c.Setup, c.Position, c.places = inherited.ruleset, inherited.setup, inherited.position, inherited.places
	if c.places.given == 0 {
		c.places.given = c.Line
	}
	p.stage(&c, inherited.short)

	c.Dice = p.dice(f.Get("dice"))
	if steps := f.Get("steps"); steps != nil {
		if extra := f.Get("when"); extra != nil {
			p.Refuse(extra, "", phrase.Say("case.steps-or-when"))
		}
		if extra := f.Get("then"); extra != nil {
			p.Refuse(extra, "", phrase.Say("case.steps-or-when"))
		}
		for i, step := range p.List(steps) {
			c.Steps = append(c.Steps, p.step(step, i+1, f.Get("dice") == nil))
		}
	} else {
		c.Steps = []Step{p.whenThen(Step{Line: c.Line}, 1, f.Get("when"), p.Require(f, "then"))}
	}
	p.cases = append(p.cases, c)
}

func (p *parser) dice(n *orders.Node) []int {
	var dice []int
	for _, item := range p.List(n) {
		if die, ok := p.Int(item, 1, 1000); ok {
			dice = append(dice, die)
		}
	}
	return dice
}

func (p *parser) step(n *orders.Node, number int, mayHaveDice bool) Step {
	f := p.Fields(n, "dice", "when", "then", "note")
	s := Step{Line: n.Line, OwnDice: mayHaveDice}
	if dice := f.Get("dice"); dice != nil {
		if !mayHaveDice {
			p.Refuse(dice, "", phrase.Say("case.dice-twice"))
		}
		s.Dice = p.dice(dice)
	}
	return p.whenThen(s, number, f.Get("when"), f.Get("then"))
}

// whenThen reads what is done in a step, and only then what must follow, because checks
// speak of the order files by their numbers.
func (p *parser) whenThen(s Step, number int, when, then *orders.Node) Step {
	s.when = p.when(when)
	p.files = nil
	for i := range s.when {
		if a := &s.when[i]; !a.resolve {
			p.files = append(p.files, a.side)
			a.number = len(p.files)
		}
	}
	s.then = p.then(then)
	for i := range s.then {
		if t := s.then[i].twin; t != nil && t.step == 0 {
			t.step = number
		}
	}
	return s
}

func (p *parser) when(n *orders.Node) []act {
	var acts []act
	for _, item := range p.List(n) {
		f := p.Fields(item, "side", "orders", "standing", "policies", "draft", "resolve", "until")
		a := act{line: item.Line}
		if side, ok := p.Text(f.Get("side")); ok {
			a.side = engine.Side(side)
		}
		if resolve := f.Get("resolve"); resolve != nil {
			_, a.resolve = p.Word(resolve, "default")
			a.until, _ = p.Text(f.Get("until"))
			for _, key := range []string{"orders", "standing", "policies", "draft"} {
				if extra := f.Get(key); extra != nil {
					p.Refuse(extra, "", phrase.Say("case.resolve-alone"))
				}
			}
			acts = append(acts, a)
			continue
		}
		if until := f.Get("until"); until != nil {
			p.Refuse(until, "", phrase.Say("case.until-alone"))
		}
		p.Require(f, "side")
		a.draft, _ = p.draft(f.Get("draft"))
		for _, pair := range pairs(item) {
			if slices.Contains([]*orders.Node{f.Get("orders"), f.Get("standing"), f.Get("policies")}, pair.Value) {
				a.base = pair.Key.Line
				break
			}
		}
		if a.base == 0 {
			p.Require(f, "orders")
		}
		p.noNulls(f.Get("orders"))
		p.noNulls(f.Get("standing"))
		p.noNulls(f.Get("policies"))
		a.orders, a.standing, a.policies = rebased(f.Get("orders"), a.base), rebased(f.Get("standing"), a.base), rebased(f.Get("policies"), a.base)
		acts = append(acts, a)
	}
	return acts
}

func (p *parser) draft(n *orders.Node) (bool, bool) {
	if n == nil {
		return false, true
	}
	return p.Bool(n)
}

// noNulls refuses missing values, as every order file does.
func (p *parser) noNulls(n *orders.Node) {
	if n == nil {
		return
	}
	if n.Null {
		p.Refuse(n, "", phrase.Say("case.no-value"))
	}
	for _, pair := range n.Pairs {
		p.noNulls(pair.Value)
	}
	for _, item := range n.Items {
		p.noNulls(item)
	}
}

func pairs(n *orders.Node) []orders.Pair {
	if n == nil {
		return nil
	}
	return n.Pairs
}

// rebased is a copy of a node whose lines count from a line of the case file,
// as if an order file began there.
func rebased(n *orders.Node, base int) *orders.Node {
	if n == nil {
		return nil
	}
	c := *n
	c.Line -= base - 1
	c.Pairs, c.Items = nil, nil
	for _, pair := range n.Pairs {
		c.Pairs = append(c.Pairs, orders.Pair{Key: rebased(pair.Key, base), Value: rebased(pair.Value, base)})
	}
	for _, item := range n.Items {
		c.Items = append(c.Items, rebased(item, base))
	}
	return &c
}
