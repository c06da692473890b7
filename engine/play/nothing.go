package play

import (
	"slices"
	"strings"

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

// orNone gives the word none in place of an empty list.
func orNone(n *orders.Node) *orders.Node {
	if !empty(n, orders.List) {
		return n
	}
	none := orders.Text("none")
	none.Line, none.Column = n.Line, n.Column
	return none
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
	if usual := strings.Join(strings.Fields(oneLine(f.usual(x.View, x.To).Node()).Encode()), " "); len(usual) <= mostUsual {
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

// oneLine is a node written on one line and without comments.
func oneLine(n *orders.Node) *orders.Node {
	c := &orders.Node{Kind: n.Kind, Null: n.Null, Text: n.Text, Flow: true}
	for _, p := range n.Pairs {
		c.Pairs = append(c.Pairs, orders.Pair{Key: oneLine(p.Key), Value: oneLine(p.Value)})
	}
	for _, item := range n.Items {
		c.Items = append(c.Items, oneLine(item))
	}
	return c
}
