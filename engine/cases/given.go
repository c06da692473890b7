package cases

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A Stager is a ruleset whose cases may say in few words what they play with:
// "given" may have keys of the ruleset's own, such as units and roads, so that nobody needs
// a scenario file of his own for a line that differs.
type Stager interface {
	// GivenKeys lists these keys.
	GivenKeys() []string
	// ScenarioFile is the text of the scenario that a set-up plays, nil if the
	// ruleset has no such files. The error is an [orders.Problems] or says that
	// there is no such scenario.
	ScenarioFile(engine.Setup) ([]byte, error)
	// Stage carries out what a case gives under these keys. It changes the tree of the
	// scenario file (nil if there is none), and gives what must be laid over the
	// position after set-up, nil if nothing must. Faults go to the reader.
	//
	// A node that Stage makes gets the line and column of what it is made from, see
	// [Made]: if it is found wrong when the file or the position is read, the fault is
	// told at that place. Nodes of the scenario file have no place.
	Stage(r *orders.Reader, given orders.Fields, setup engine.Setup, file *orders.Node) *orders.Node
}

// Made gives a node the place of that from which it was made.
func Made(n, from *orders.Node) *orders.Node {
	n.Line, n.Column = from.Line, from.Column
	for _, pair := range n.Pairs {
		Made(pair.Key, from)
		Made(pair.Value, from)
	}
	for _, item := range n.Items {
		Made(item, from)
	}
	return n
}

// common is what a file may say once for all of its cases.
type common struct {
	ruleset  string
	setup    engine.Setup
	position *orders.Node
	short    *orders.Node // what is given under the ruleset's own keys
	places   places
}

// places has the lines on which the parts of "given" stand; 0 for a part that is not there.
type places struct {
	given, scenario, file, position int
	fileName                        string
	options                         map[string]int
}

// ofRuleset reads of which ruleset cases are.
func (p *parser) ofRuleset(n *orders.Node, c *common) {
	name, ok := p.Text(n)
	if !ok {
		return
	}
	c.ruleset = name
	if _, known := p.rulesets[name]; !known {
		names := slices.Sorted(maps.Keys(p.rulesets))
		p.RefuseWith(n, "", phrase.Say("case.no-ruleset", phrase.Literal("ruleset", name)),
			phrase.Say("case.write-ruleset", phrase.Literals("rulesets", names)))
	}
}

// keysOf lists the keys that "given" may have besides those of every ruleset: the keys of
// one ruleset or, as long as the ruleset is not known, of all rulesets.
func (p *parser) keysOf(ruleset string) []string {
	var keys []string
	for _, name := range slices.Sorted(maps.Keys(p.rulesets)) {
		if s, ok := p.rulesets[name].(Stager); ok && (ruleset == "" || ruleset == name) {
			for _, key := range s.GivenKeys() {
				if !slices.Contains(keys, key) {
					keys = append(keys, key)
				}
			}
		}
	}
	return keys
}

// given lays what stands in one "given" over what was given before.
func (p *parser) given(n *orders.Node, c *common) {
	if n == nil {
		return
	}
	own := p.keysOf(c.ruleset)
	f := p.Fields(n, append([]string{"scenario", "file", "options", "position"}, own...)...)
	c.places.given = n.Line
	if scenario := f.Get("scenario"); scenario != nil {
		c.setup.Scenario, _ = p.Text(scenario)
		c.setup.Data = nil
		c.places.scenario, c.places.file = scenario.Line, 0
	}
	if file := f.Get("file"); file != nil {
		if name, ok := p.Text(file); ok {
			data, err := p.beside(name)
			if err != nil {
				p.Refuse(file, "", phrase.Say("case.unreadable", phrase.Literal("file", name), phrase.Literal("cause", err.Error())))
			}
			c.setup.Data = data
			c.places.file, c.places.fileName = file.Line, name
		}
	}
	if options := f.Get("options"); options != nil {
		all, lines := maps.Clone(c.setup.Options), maps.Clone(c.places.options)
		if all == nil {
			all, lines = map[string]string{}, map[string]int{}
		}
		if options.Kind != orders.Map {
			p.Refuse(options, "", phrase.Say("order.want-text"))
		}
		for _, option := range options.Pairs {
			all[option.Key.Text], _ = p.Text(option.Value)
			lines[option.Key.Text] = option.Key.Line
		}
		c.setup.Options, c.places.options = all, lines
	}
	if position := f.Get("position"); position != nil {
		if position.Kind != orders.Map {
			p.Refuse(position, "", phrase.Say("case.want-position"))
		} else {
			c.position, c.places.position = merge(c.position, position), position.Line
		}
	}
	short := orders.Mapping()
	for _, key := range own {
		if value := f.Get(key); value != nil {
			short.Pairs = append(short.Pairs, orders.Pair{Key: Made(orders.Text(key), value), Value: value})
		}
	}
	if len(short.Pairs) > 0 {
		short.Line, short.Column = n.Line, n.Column
		c.short = merge(c.short, short)
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

// stage lets the ruleset do what a case gives under keys of the ruleset's own.
func (p *parser) stage(c *Case, short *orders.Node) {
	rules, known := p.rulesets[c.Ruleset]
	if short == nil || !known {
		return
	}
	stager, ok := rules.(Stager)
	if !ok {
		p.Fields(short, "scenario", "file", "options", "position")
		return
	}
	before := len(p.Problems)
	given := p.Fields(short, stager.GivenKeys()...)
	if len(p.Problems) > before {
		return
	}
	text, err := stager.ScenarioFile(c.Setup)
	if err != nil {
		p.noScenario(c, err)
		return
	}
	var file, was *orders.Node
	if text != nil {
		if was = p.board(text); was == nil {
			return // a file of the user's own; the run will tell what is wrong with it
		}
		file = nowhere(was)
	}
	over := stager.Stage(p.Reader, given, c.Setup, file)
	if len(p.Problems) > before {
		return
	}
	if over != nil {
		position := over
		if c.Position != nil {
			position = merge(over, c.Position)
		}
		c.Position = position
		if c.places.position == 0 {
			c.places.position = short.Line
		}
	}
	if file != nil && !orders.Equal(was, file) {
		c.board = file
		c.Setup.Data, c.Setup.Scenario = []byte(file.Encode()), ""
	}
}

// board reads a scenario file, each once; nil if it can't be read.
func (p *parser) board(text []byte) *orders.Node {
	read, known := p.boards[string(text)]
	if !known {
		var faults orders.Problems
		if read, faults = orders.ParseNode(text); len(faults) > 0 || read != nil && read.Kind != orders.Map {
			read = nil
		}
		p.boards[string(text)] = read
	}
	return read
}

// noScenario refuses the scenario of a case at its place.
func (p *parser) noScenario(c *Case, err error) {
	var faults orders.Problems
	if !errors.As(err, &faults) {
		faults = orders.Problems{{Why: phrase.Say("case.no-scenario", phrase.Literal("cause", err.Error()))}}
	}
	for _, fault := range faults {
		fault.Line, fault.Column = c.places.ofScenario(), 0
		p.Problems = append(p.Problems, fault)
	}
}

func (p places) ofScenario() int {
	for _, line := range []int{p.file, p.scenario} {
		if line > 0 {
			return line
		}
	}
	return p.given
}

func (p places) ofPosition() int {
	if p.position > 0 {
		return p.position
	}
	return p.given
}

// nowhere is a tree without places: one that does not stand in the case file.
func nowhere(n *orders.Node) *orders.Node {
	c := n.Clone()
	Made(c, &orders.Node{})
	return c
}

// A misfit is something wrong with what a case gives, at its line.
type misfit struct {
	line int
	text string
}

// misfits tells at which lines of the case "given" is at fault. The text is made of the
// tree, and is what the ruleset was given to read.
func misfits(err error, tree *orders.Node, usual int, what string) []misfit {
	var faults orders.Problems
	if !errors.As(err, &faults) {
		return []misfit{{usual, what + err.Error()}}
	}
	read, unread := orders.ParseNode([]byte(tree.Encode()))
	var all []misfit
	for _, fault := range faults {
		line := usual
		if len(unread) == 0 && fault.Line > 0 {
			line = locate(tree, read, fault, usual)
		}
		all = append(all, misfit{line, what + aboutFault(fault)})
	}
	return all
}

// locate finds the line of the case file that is at fault: the line of the innermost node
// that begins at the fault's place and has a line, or of the node in which that stands.
func locate(tree, read *orders.Node, fault orders.Problem, usual int) int {
	own, near, found := 0, 0, false
	var walk func(n, m *orders.Node, around int)
	walk = func(n, m *orders.Node, around int) {
		if n.Line > 0 {
			around = n.Line
		}
		if m.Line == fault.Line && m.Column == fault.Column {
			if n.Line > 0 {
				own = n.Line
			}
			if !found {
				near, found = around, true
			}
		}
		for i := range min(len(n.Pairs), len(m.Pairs)) {
			at := around
			if n.Pairs[i].Key.Line > 0 {
				at = n.Pairs[i].Key.Line
			}
			walk(n.Pairs[i].Key, m.Pairs[i].Key, around)
			walk(n.Pairs[i].Value, m.Pairs[i].Value, at)
		}
		for i := range min(len(n.Items), len(m.Items)) {
			walk(n.Items[i], m.Items[i], around)
		}
	}
	walk(tree, read, usual)
	switch {
	case own > 0:
		return own
	case found:
		return near
	}
	return usual
}

// ofSetup tells where the fault of a set-up stands: where a key of the ruleset gave it, at
// the option without which the fault is gone, or otherwise at the scenario.
func (r *run) ofSetup(err error) []misfit {
	c := r.result.Case
	var faults orders.Problems
	if !errors.As(err, &faults) {
		return []misfit{{c.places.ofScenario(), err.Error()}}
	}
	var read *orders.Node
	if c.board != nil {
		read, _ = orders.ParseNode(c.Setup.Data)
	}
	left := map[string]map[string]bool{} // without an option
	for name := range c.Setup.Options {
		less := c.Setup
		less.Options = maps.Clone(c.Setup.Options)
		delete(less.Options, name)
		left[name] = map[string]bool{}
		var still orders.Problems
		if _, err := r.rules.New(less); errors.As(err, &still) {
			for _, fault := range still {
				left[name][aboutFault(fault)] = true
			}
		}
	}
	var all []misfit
	for _, fault := range faults {
		m := misfit{c.places.ofScenario(), aboutFault(fault)}
		switch {
		case fault.Line > 0 && read != nil:
			m.line = locate(c.board, read, fault, m.line)
		case fault.Line > 0 && c.places.file > 0:
			m.text = fmt.Sprintf("%s:%d:%d: %s", c.places.fileName, fault.Line, fault.Column, m.text)
		default:
			for _, name := range slices.Sorted(maps.Keys(left)) {
				if line := c.places.options[name]; line > 0 && !left[name][m.text] {
					m.line = line
					break
				}
			}
		}
		all = append(all, m)
	}
	return all
}

// aboutFault writes a fault without its place.
func aboutFault(fault orders.Problem) string {
	text := Plain(fault.Why)
	if fault.Clause != "" {
		text += " [" + fault.Clause + "]"
	}
	if !fault.Remedy.IsZero() {
		text += "; " + Plain(fault.Remedy)
	}
	return text
}
