package hfg

import (
	"slices"

	"berthier/orders"
)

// Chapter 3: armies from lists. A list names commands, each with its general, elements with
// their types and grades, and what the army would buy to prepare the field if it defends and if
// it attacks. The same form stands in the book of lists, in a file that is judged at home, and
// in a letter at the stop list.

// An armyList is what one side brings to the field.
type armyList struct {
	nation    string // whose troops it has; "" if it doesn't say. Only warnings look at it
	native    bool   // an army of Africa or Asia, which a potentate may lead (HFG-3.3)
	commands  []listCommand
	elements  []listElement // in the order of the file
	defending []purchase    // preparations that it buys if it defends (HFG-3.6)
	attacking []purchase    // and if it attacks

	at   nodes // where it was read: "", commands, elements, defending, attacking
	gaps gaps
}

// The gaps of an army are what of it couldn't be read. What would only follow from them isn't refused.
type gaps struct {
	elements bool     // how some of its elements are called
	ids      []string // elements of which the type or the grades aren't known
	commands bool     // some command, or who belongs to it
	year     bool     // its year
	base     bool     // the list on which it stands
}

// dear says whether what an army costs isn't known.
func (g *gaps) dear() bool { return g.elements || len(g.ids) > 0 || g.base }

// nodes are places of a file by their keys; none if it was not read from one.
type nodes map[string]*orders.Node

// A listCommand is a general with his elements (HFG-3.4).
type listCommand struct {
	id         string
	rank       rank
	name       string // of the general, for reports; "" if it has none
	nation     string // if it is not the army's
	under      string // the command of his superior; "": the commander-in-chief's
	aggression int    // of an ally; unsaid: the army's
	general    string // his element; of ships the flagship (HFG-3.5)
	elements   []string

	at    nodes // "", kind, general, under, aggression, elements
	vague bool  // not all of it could be read
}

// unsaid is an aggression that a command doesn't name.
const unsaid = -1

// A listElement is one base of an army.
type listElement struct {
	id     string
	troop  troop
	grades []grade // in the order of the grades

	at *orders.Node
}

// is says whether an element has a grade.
func (e *listElement) is(g grade) bool { return slices.Contains(e.grades, g) }

// class is that of the element's type.
func (e *listElement) class() class { return troops[e.troop].class }

// eq is what the element counts, in halves of an equivalent (HFG-2.5).
func (e *listElement) eq() int {
	d := elementDef{troop: e.troop, grades: e.grades}
	return d.eq()
}

// element finds an element by its id; nil if there is none.
func (a *armyList) element(id string) *listElement {
	i := slices.IndexFunc(a.elements, func(e listElement) bool { return e.id == id })
	if i < 0 {
		return nil
	}
	return &a.elements[i]
}

// command finds a command by its id; nil if there is none.
func (a *armyList) command(id string) *listCommand {
	i := slices.IndexFunc(a.commands, func(c listCommand) bool { return c.id == id })
	if i < 0 {
		return nil
	}
	return &a.commands[i]
}

// chief is the command of the commander-in-chief; nil if the army has none.
func (a *armyList) chief() *listCommand {
	i := slices.IndexFunc(a.commands, func(c listCommand) bool { return c.rank == chief })
	if i < 0 {
		return nil
	}
	return &a.commands[i]
}

// all gives the elements of a command, its general first.
func (c *listCommand) all() []string {
	if c.general == "" {
		return c.elements
	}
	return append([]string{c.general}, c.elements...)
}

// dice is how many dice for initiative points the army rolls a turn: one for each general, and
// one for a flagship (HFG-3.9).
func (a *armyList) dice() int { return len(a.commands) }

// eq is what the army counts in halves of an equivalent, garrisons of strong points that it
// buys as a defender included (HFG-2.5, HFG-6.5).
func (a *armyList) eq() int {
	n := 2 * bought(a.defending, buysStrongPoint)
	for i := range a.elements {
		n += a.elements[i].eq()
	}
	return n
}
