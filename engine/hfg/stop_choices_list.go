package hfg

import (
	"fmt"
	"iter"
	"slices"
	"strconv"

	"berthier/engine"
	"berthier/orders"
)

// What may be chosen at the stop list: a list of the book, what to buy, and an army of one's own, element by
// element.

// chooseList offers the lists of the book, then preparations, and to make the list one's own.
func chooseList(g *game, of side, soFar *orders.Node) iter.Seq2[engine.Choice, *orders.Node] {
	return func(yield func(engine.Choice, *orders.Node) bool) {
		if soFar == nil {
			for _, l := range book().lists {
				if !yield(engine.Choice{Of: "list", What: l.id}, orders.Mapping().Set("list", orders.Text(l.id))) {
					return
				}
			}
			return
		}
		if !choosesPurchases(soFar, yield) {
			return
		}
		if soFar.Get("list").Text == ownPair {
			choosesTroops(soFar, yield)
			return
		}
		o, ok := readList(orders.NewReader(vocabulary), g, of, soFar)
		if own := (&listOrder{army: new(armyList), own: true}); ok && g.ownLists > 0 {
			*own.army = *o.army
			yield(engine.Choice{Of: "list", What: ownPair}, g.writeList(own))
		}
	}
}

// choosesPurchases offers one more of each preparation that a side can use in its role (HFG-3.6) and must pay, and to buy none.
func choosesPurchases(soFar *orders.Node, yield func(engine.Choice, *orders.Node) bool) bool {
	for _, key := range []string{"defending", "attacking"} {
		all := readPurchases(orders.NewReader(vocabulary), soFar.Get(key))
		if len(all) > 0 && !yield(engine.Choice{Of: key, What: "none"}, with(soFar, key, orders.Text("none"))) {
			return false
		}
		for p := buysStrongPoint; p < provisionsEnd; p++ {
			if p == buysELF || key == "attacking" && provisions[p].attacker == 0 {
				continue
			}
			more := slices.Clone(all)
			if i := slices.IndexFunc(more, func(x purchase) bool { return x.what == p }); i >= 0 {
				more[i].number++
			} else {
				more = append(more, purchase{what: p, number: 1})
			}
			if !yield(engine.Choice{Of: key, What: fmt.Sprintf("%v %d", p, bought(more, p))}, with(soFar, key, writePurchases(more))) {
				return false
			}
		}
	}
	return true
}

// choosesTroops offers for each command of an army of one's own one more element of each type, and to leave out its last one.
func choosesTroops(soFar *orders.Node, yield func(engine.Choice, *orders.Node) bool) {
	a := readArmy(orders.NewReader(vocabulary), orders.NewReader(vocabulary).Fields(soFar, listKeys...))
	offer := func(command, what string, change func(*armyList)) bool {
		other := *a
		other.commands, other.elements = slices.Clone(a.commands), slices.Clone(a.elements)
		change(&other)
		return yield(engine.Choice{Of: command, What: what}, other.write(orders.Mapping().Set("list", orders.Text(ownPair))))
	}
	for i, c := range a.commands {
		if n := len(c.elements) - 1; n >= 0 {
			last := c.elements[n]
			if !offer(c.id, "without "+last, func(o *armyList) {
				o.commands[i].elements = slices.Clone(c.elements[:n])
				o.elements = slices.DeleteFunc(o.elements, func(e listElement) bool { return e.id == last })
			}) {
				return
			}
		}
		for _, t := range troopChoices {
			id := a.unused(t.ID)
			if !offer(c.id, t.ID, func(o *armyList) {
				o.commands[i].elements = append(slices.Clone(c.elements), id)
				o.elements = append(o.elements, listElement{id: id, troop: troopOf(t.ID)})
			}) {
				return
			}
		}
	}
}

// unused is an id for one more element of a type.
func (a *armyList) unused(word string) string {
	for n := 1; ; n++ {
		id := word + "-" + strconv.Itoa(n)
		if !slices.ContainsFunc(a.elements, func(e listElement) bool { return orders.Fold(e.id) == orders.Fold(id) }) {
			return id
		}
	}
}
