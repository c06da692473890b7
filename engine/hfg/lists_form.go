package hfg

import (
	"regexp"
	"strconv"

	"berthier/orders"
)

// How an army is written in normal form, as a letter has it: the keys that [readArmy] reads.

// write adds the army's keys to a map. Elements stand in the order of the commands, numbered
// ones of one type in one line.
func (a *armyList) write(n *orders.Node) *orders.Node {
	if a.nation != "" {
		n.Set("nation", orders.Text(a.nation))
	}
	if a.native {
		n.Set("native", orders.Text("yes"))
	}
	commands := orders.Items()
	elements := orders.Mapping()
	for i := range a.commands {
		c := &a.commands[i]
		commands.Add(c.write())
		for _, one := range a.runs(c.all()) {
			elements.Set(one.text, a.element(one.first).write())
		}
	}
	n.Set("commands", commands).Set("elements", elements)
	n.Set("defending", writePurchases(a.defending)).Set("attacking", writePurchases(a.attacking))
	return n
}

// write writes a command on one line.
func (c *listCommand) write() *orders.Node {
	n := orders.Inline().Set("id", orders.Text(c.id)).Set("kind", orders.Text(rankWords[c.rank]))
	n.Set("general", orders.Text(c.general))
	for _, one := range []struct{ key, text string }{{"name", c.name}, {"nation", c.nation}, {"under", c.under}} {
		if one.text != "" {
			n.Set(one.key, orders.Text(one.text))
		}
	}
	if c.aggression != unsaid {
		n.Set("aggression", orders.Number(c.aggression))
	}
	list := orders.Texts()
	for _, one := range runsOf(c.elements, nil) {
		list.Add(orders.Text(one.text))
	}
	return n.Set("elements", list)
}

// write writes a type with its grades.
func (e *listElement) write() *orders.Node {
	switch len(e.grades) {
	case 0:
		return orders.Text(e.troop.String())
	case 1:
		return orders.Inline().Set(e.troop.String(), orders.Text(gradeWords[e.grades[0]]))
	}
	list := orders.Texts()
	for _, g := range e.grades {
		list.Add(orders.Text(gradeWords[g]))
	}
	return orders.Inline().Set(e.troop.String(), list)
}

// writePurchases writes what is bought.
func writePurchases(all []purchase) *orders.Node {
	list := &orders.Node{Kind: orders.List, Flow: true}
	for _, p := range all {
		list.Add(orders.Inline().Set(p.what.String(), orders.Number(p.number)))
	}
	return list
}

// A listRun is elements that are numbered on and on, written in one word.
type listRun struct{ text, first string }

// runs joins numbered elements of one type and grade.
func (a *armyList) runs(ids []string) []listRun {
	return runsOf(ids, func(one, next string) bool {
		x, y := a.element(one), a.element(next)
		return x.troop == y.troop && gradesText(x.grades) == gradesText(y.grades)
	})
}

// gradesText tells grades apart.
func gradesText(all []grade) (text string) {
	for _, g := range all {
		text += gradeWords[g] + " "
	}
	return text
}

// numberedForm is an id that ends in a number.
var numberedForm = regexp.MustCompile(`^(.*[^0-9])([1-9][0-9]{0,2}|0)$`)

// runsOf joins ids whose numbers follow each other, if alike has nothing against it.
func runsOf(ids []string, alike func(one, next string) bool) []listRun {
	var all []listRun
	for i := 0; i < len(ids); {
		head := numberedForm.FindStringSubmatch(ids[i])
		last := i
		for head != nil && last+1 < len(ids) {
			n, _ := strconv.Atoi(head[2])
			if ids[last+1] != head[1]+strconv.Itoa(n+last+1-i) || alike != nil && !alike(ids[i], ids[last+1]) {
				break
			}
			last++
		}
		one := listRun{text: ids[i], first: ids[i]}
		if last > i {
			one.text += ".." + numberedForm.FindStringSubmatch(ids[last])[2]
		}
		all = append(all, one)
		i = last + 1
	}
	return all
}
