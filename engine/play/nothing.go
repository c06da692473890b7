package play

import (
	"slices"

	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// How files are read that say nothing. At every stop the word none and an empty list
// mean that nothing is done; an empty map and the word default mean the default. Most
// stops must be answered with something: there the word none is refused, with the clause
// that demands an answer and with what the default would be.

// empty tells whether a node is an empty list or map.
func empty(n *orders.Node, kind orders.Kind) bool {
	return n != nil && n.Kind == kind && len(n.Items)+len(n.Pairs) == 0
}

// Nothing tells whether a node says that there is nothing: none, or an empty list.
func Nothing(r *orders.Reader, n *orders.Node) bool {
	return r.Is(n, "none") || empty(n, orders.List)
}

// Ended gives a list without the word end that closes it; nil, which means the default, if
// nothing else stands in it.
func Ended(r *orders.Reader, n *orders.Node) *orders.Node {
	if n == nil || n.Kind != orders.List || len(n.Items) == 0 || !r.Is(n.Items[len(n.Items)-1], "end") {
		return n
	}
	if len(n.Items) == 1 {
		return nil
	}
	c := *n
	c.Items = n.Items[:len(n.Items)-1]
	return &c
}

// joined makes one map of a list of maps, as a template has them: the word end closes it there,
// but who writes a dash before a key of his own need not. It is nil, which means the default, if
// there is nothing but that word. Any other node it gives back.
func joined(r *orders.Reader, n *orders.Node, gathers bool) *orders.Node {
	open := Ended(r, n)
	if open == nil || open.Kind != orders.List || len(open.Items) == 0 {
		return open
	}
	one := *open
	one.Kind, one.Items, one.Pairs = orders.Map, nil, nil
	for _, item := range open.Items {
		if item.Kind != orders.Map {
			return n
		}
		if !gathers {
			one.Pairs = append(one.Pairs, item.Pairs...)
			continue
		}
		for _, p := range item.Pairs {
			gather(r, &one, p)
		}
	}
	return &one
}

// gather adds a key to a map. What it has already as a list or a map, in whatever spelling, goes on
// in a copy.
func gather(r *orders.Reader, n *orders.Node, p orders.Pair) {
	for i, had := range n.Pairs {
		kind := had.Value.Kind
		if !r.Is(p.Key, had.Key.Text) && p.Key.Text != had.Key.Text || kind != p.Value.Kind || kind != orders.Map && kind != orders.List {
			continue
		}
		more := *had.Value
		more.Pairs = slices.Concat(had.Value.Pairs, p.Value.Pairs)
		more.Items = slices.Concat(had.Value.Items, p.Value.Items)
		n.Pairs[i].Value = &more
		return
	}
	n.Pairs = append(n.Pairs, p)
}

// closed gives the value of a key without the word end that closes it. A list of that word
// alone holds nothing.
func closed(r *orders.Reader, n *orders.Node) *orders.Node {
	if open := Ended(r, n); open != nil {
		return open
	}
	return none(n)
}

// onlyEnd tells whether a list that holds nothing but the word end is all that an answer says.
func (f *Form[V, P, W]) onlyEnd(r *orders.Reader, body *orders.Node) bool {
	if body == nil || body.Kind != orders.Map || len(body.Pairs) != 1 {
		return false
	}
	for i := range f.Fields {
		if f.Fields[i].listed && r.Under(body, f.Fields[i].Key) != nil {
			return Ended(r, body.Pairs[0].Value) == nil
		}
	}
	return false
}

// orNone gives the word none in place of an empty list.
func orNone(n *orders.Node) *orders.Node {
	if !empty(n, orders.List) {
		return n
	}
	return none(n)
}

// none is the word none at the place of a node.
func none(at *orders.Node) *orders.Node {
	n := orders.Text("none")
	n.Line, n.Column = at.Line, at.Column
	return n
}

// body is the value of an orders key, in which all ways of saying nothing are made one:
// nil for the default, the word none for nothing. In games that began before an empty map
// meant the default everywhere it still means nothing at the stops in Hollow.
func (k Stops[V, P]) body(r *orders.Reader, d engine.Decision, n *orders.Node) *orders.Node {
	switch {
	case !empty(n, orders.Map):
		return orNone(n)
	case r.Former && slices.Contains(k.Hollow, d.Kind):
		return n
	}
	return nil
}

// mostUsual is the length, in bytes, up to which a default is quoted whole.
const mostUsual = 100

// readNothing reads the word none in place of all keys as if it stood at each of them.
// Where that is no answer, the faults have a clause and a remedy.
func (f *Form[V, P, W]) readNothing(x *Draft[V, W], r *orders.Reader, body *orders.Node) Reply {
	body = orNone(body)
	own := *r // with the same words
	own.Problems = nil
	said := false
	for i := range f.Fields {
		if one := &f.Fields[i]; !one.Optional || !said && i == len(f.Fields)-1 {
			one.Read(x, &own, body)
			said = true
		}
	}
	if f.Lacks != nil && len(own.Problems) == 0 {
		f.Lacks(x.World).Refuse(&own, body)
	}
	if len(own.Problems) == 0 {
		return x.done()
	}
	// Faults of the word none itself are not told where it is no answer.
	faults := slices.DeleteFunc(own.Problems, func(p orders.Problem) bool { return p.Clause == "" })
	if len(faults) == 0 {
		faults = orders.Problems{{Clause: f.Clause, Why: phrase.Say("play.nothing")}}
	}
	remedy := phrase.Say("play.nothing-default")
	if usual := OneLine(f.usual(x.View, x.To).Node()); usual != "{}" && len(usual) <= mostUsual { // {} would tell a reader nothing
		remedy = phrase.Say("play.nothing-remedy", phrase.Literal("orders", usual))
	}
	for _, p := range faults {
		if p.Remedy.Code == "" {
			p.Remedy = remedy
		}
		r.RefuseWith(body, p.Clause, p.Why, p.Remedy)
	}
	return nil
}
