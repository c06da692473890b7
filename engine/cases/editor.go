package cases

import (
	"slices"

	"berthier/orders"
	"berthier/orders/phrase"
)

// An Editor changes a scenario file as a case says, for rulesets that are a
// [Stager]. What it puts into the file gets the place in the case from which it comes.
type Editor struct {
	*orders.Reader
	File *orders.Node
}

// Put sets a key of a map of the file to a value that stands in the case at a place.
func Put(n *orders.Node, key string, value, from *orders.Node) {
	pair := orders.Pair{Key: Made(orders.Text(key), from), Value: value}
	if i := slices.IndexFunc(n.Pairs, func(p orders.Pair) bool { return p.Key.Text == key }); i >= 0 {
		n.Pairs[i] = pair
		return
	}
	n.Pairs = append(n.Pairs, pair)
}

// PutText sets a key of a map of the file to a text that is made of what stands in the case.
func PutText(n *orders.Node, key, text string, from *orders.Node) {
	Put(n, key, Made(orders.Text(text), from), from)
}

// Drop takes keys out of a map of the file.
func Drop(n *orders.Node, keys ...string) {
	n.Pairs = slices.DeleteFunc(n.Pairs, func(p orders.Pair) bool { return slices.Contains(keys, p.Key.Text) })
}

// Said is the text of a key of a map of the file; "" if there is none.
func Said(n *orders.Node, key string) string {
	if v := n.Get(key); v != nil {
		return v.Text
	}
	return ""
}

// Items are the items of a list of the file.
func (e Editor) Items(key string) []*orders.Node {
	if n := e.File.Get(key); n != nil {
		return n.Items
	}
	return nil
}

// Each goes through what a case gives for the things of a list of the file,
// {F-02: ...}, and hands each of them on with the item that it is about; nil if there is
// none yet. If the case gives something that is not a map, the refusal shows example, a
// key. What is wrong with the list as a whole is the case's fault from then on.
func (e Editor) Each(given *orders.Node, example, key string, is func(item *orders.Node, name string) bool, do func(list, item *orders.Node, pair orders.Pair)) {
	if given == nil {
		return
	}
	if given.Kind != orders.Map {
		e.Refuse(given, "", phrase.Say("order.want-map", phrase.Literals("keys", []string{example})))
		return
	}
	list := e.File.Get(key)
	if list == nil {
		list = orders.Items()
		Put(e.File, key, list, given)
	}
	list.Line, list.Column = given.Line, given.Column
	for _, pair := range given.Pairs {
		i := slices.IndexFunc(list.Items, func(item *orders.Node) bool { return is(item, pair.Key.Text) })
		if i < 0 {
			do(list, nil, pair)
			continue
		}
		if item := list.Items[i]; item.Kind == orders.Map {
			do(list, item, pair)
		}
	}
}

// Lay lays what a case gives of a thing, in the keys of the file, over its item.
func Lay(item, given *orders.Node) {
	for _, pair := range given.Pairs {
		Put(item, pair.Key.Text, pair.Value, pair.Key)
	}
}

// At gives an item the place of what stands in the case.
func At(item, from *orders.Node) *orders.Node {
	item.Line, item.Column = from.Line, from.Column
	return item
}

// Remove takes an item out of a list of the file.
func Remove(list, item *orders.Node) {
	list.Items = slices.DeleteFunc(list.Items, func(n *orders.Node) bool { return n == item })
}

// Units lays units that a case gives in few words over the list of units in a file. Each
// stands under its id, either as a map of the keys that differ, or as a text, which printed
// reads. If the list does not have a unit, recruit makes it, or gives nil if it can't.
// Example is an id to show in refusals.
func (e Editor) Units(n *orders.Node, example string, recruit func(list, id *orders.Node) *orders.Node, printed func(unit, text *orders.Node)) {
	is := func(item *orders.Node, id string) bool { return orders.Fold(Said(item, "id")) == orders.Fold(id) }
	e.Each(n, example, "units", is, func(list, unit *orders.Node, pair orders.Pair) {
		if unit == nil {
			unit = recruit(list, pair.Key)
		}
		switch {
		case unit == nil:
		case pair.Value.Kind == orders.Map:
			Lay(At(unit, pair.Key), pair.Value)
		default:
			printed(At(unit, pair.Key), pair.Value)
		}
	})
}
