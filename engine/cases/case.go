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
	"path/filepath"

	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A Case is one example of the rules.
type Case struct {
	Name    string
	File    string   // where it stands
	Line    int      // of its name in the file, from 1
	Clauses []string // that it is an example of: "NAP-5.5", "NAP-R03"
	Ruleset string

	Setup    engine.Setup
	Position *orders.Node // laid over the position of the set-up; nil leaves it
	Dice     []int        // for all steps; unused if steps have their own
	Steps    []Step
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
	side     engine.Side  // whose; for resolve "" means everyone
	orders   *orders.Node // lines count from the file's first key
	standing *orders.Node
	base     int    // line of the case file on which the order file begins
	draft    bool   // judge only
	resolve  bool   // answer by default
	until    string // resolve stop after stop until this decision is owed
}

// Load reads the cases of a file. With any problem there are no cases.
func Load(file string) ([]Case, orders.Problems) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, orders.Problems{{Why: phrase.Say("case.unreadable", phrase.Literal("file", file), phrase.Literal("cause", err.Error()))}}
	}
	return Parse(file, data)
}

// Parse reads cases from the text of a file. A scenario file that a case names
// is looked for beside it.
func Parse(file string, data []byte) ([]Case, orders.Problems) {
	root, problems := orders.ParseNode(data)
	if len(problems) > 0 {
		return nil, problems
	}
	p := parser{Reader: orders.NewReader(orders.NewWords()), file: file}
	p.root(root)
	if len(p.Problems) > 0 {
		p.Problems.Sort()
		return nil, p.Problems
	}
	return p.cases, nil
}

// parser reads one file.
type parser struct {
	*orders.Reader
	file  string
	cases []Case
}

// common is what a file may say once for all of its cases.
type common struct {
	ruleset string
	setup   engine.Setup
	board   *orders.Node
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
		c.ruleset, _ = p.Text(f.Get("ruleset"))
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
	for _, clause := range p.List(p.Require(f, "clauses")) {
		if text, ok := p.Text(clause); ok {
			if !clauseID.MatchString(text) {
				p.Refuse(clause, "", phrase.Say("case.no-clause", phrase.Literal("clause", text)))
			}
			c.Clauses = append(c.Clauses, text)
		}
	}
	if own := f.Get("ruleset"); own != nil {
		inherited.ruleset, _ = p.Text(own)
	}
	if inherited.ruleset == "" && n.Kind == orders.Map {
		p.Require(f, "ruleset")
	}
	p.given(f.Get("given"), &inherited)
	c.Ruleset, c.Setup, c.Position = inherited.ruleset, inherited.setup, inherited.board

	c.Dice = p.dice(f.Get("dice"))
	if steps := f.Get("steps"); steps != nil {
		if extra := f.Get("when"); extra != nil {
			p.Refuse(extra, "", phrase.Say("case.steps-or-when"))
		}
		if extra := f.Get("then"); extra != nil {
			p.Refuse(extra, "", phrase.Say("case.steps-or-when"))
		}
		for _, step := range p.List(steps) {
			c.Steps = append(c.Steps, p.step(step, f.Get("dice") == nil))
		}
	} else {
		c.Steps = []Step{{Line: c.Line, when: p.when(f.Get("when")), then: p.then(p.Require(f, "then"))}}
	}
	p.cases = append(p.cases, c)
}

func (p *parser) given(n *orders.Node, c *common) {
	f := p.Fields(n, "scenario", "file", "options", "position")
	if scenario := f.Get("scenario"); scenario != nil {
		c.setup.Scenario, _ = p.Text(scenario)
		c.setup.Data = nil
	}
	if file := f.Get("file"); file != nil {
		if name, ok := p.Text(file); ok {
			data, err := p.beside(name)
			if err != nil {
				p.Refuse(file, "", phrase.Say("case.unreadable", phrase.Literal("file", name), phrase.Literal("cause", err.Error())))
			}
			c.setup.Data = data
		}
	}
	if options := f.Get("options"); options != nil {
		all := map[string]string{}
		for name, value := range c.setup.Options {
			all[name] = value
		}
		if options.Kind != orders.Map {
			p.Refuse(options, "", phrase.Say("order.want-text"))
		}
		for _, option := range options.Pairs {
			all[option.Key.Text], _ = p.Text(option.Value)
		}
		c.setup.Options = all
	}
	if board := f.Get("position"); board != nil {
		if board.Kind != orders.Map {
			p.Refuse(board, "", phrase.Say("case.want-position"))
			return
		}
		c.board = merge(c.board, board)
	}
}

// beside reads a file that lies in the folder of the case file or below it.
func (p *parser) beside(name string) ([]byte, error) {
	folder, err := os.OpenRoot(filepath.Dir(p.file))
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	return folder.ReadFile(filepath.FromSlash(name))
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

func (p *parser) step(n *orders.Node, mayHaveDice bool) Step {
	f := p.Fields(n, "dice", "when", "then", "note")
	s := Step{Line: n.Line, OwnDice: mayHaveDice}
	if dice := f.Get("dice"); dice != nil {
		if !mayHaveDice {
			p.Refuse(dice, "", phrase.Say("case.dice-twice"))
		}
		s.Dice = p.dice(dice)
	}
	s.when = p.when(f.Get("when"))
	s.then = p.then(f.Get("then"))
	return s
}

func (p *parser) when(n *orders.Node) []act {
	var acts []act
	for _, item := range p.List(n) {
		f := p.Fields(item, "side", "orders", "standing", "draft", "resolve", "until")
		a := act{line: item.Line}
		if side, ok := p.Text(f.Get("side")); ok {
			a.side = engine.Side(side)
		}
		if resolve := f.Get("resolve"); resolve != nil {
			_, a.resolve = p.Word(resolve, "default")
			a.until, _ = p.Text(f.Get("until"))
			for _, key := range []string{"orders", "standing", "draft"} {
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
			if pair.Value == f.Get("orders") || pair.Value == f.Get("standing") {
				a.base = pair.Key.Line
				break
			}
		}
		if a.base == 0 {
			p.Require(f, "orders")
		}
		p.noNulls(f.Get("orders"))
		p.noNulls(f.Get("standing"))
		a.orders, a.standing = rebased(f.Get("orders"), a.base), rebased(f.Get("standing"), a.base)
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
