package play

import (
	"slices"

	"berthier/engine"
	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
)

// Lists is how a map of lists is written: {Ligny: [F-03, F-07], Wavre: rest}. P is one
// entry of it, such as a unit with its town.
type Lists[V engine.View, K, T, P comparable] struct {
	Where Kind[V, K] // the keys
	What  Kind[V, T] // the items; each is named once
	Title string     // what a key is, for the fault of a value that is no map
	Twice func(V, T) *Fault
	Join  func(K, T) P
	Split func(P) (K, T)
}

// Shape is how the lists are written, with none for no lists.
func (l Lists[V, K, T, P]) Shape() shape.Shape {
	return shape.OrNone(shape.Map(l.Where.Shape, listed(l.What.Shape, true)))
}

// Read gives the pairs of a node in the order of the file, each with the node that
// names its item. The words all and rest stand for the items that no other key has,
// which rest gives for each key; these pairs come last. None is no pair.
func (l Lists[V, K, T, P]) Read(v V, r *orders.Reader, n *orders.Node, rest func(K) []T) (pairs []P, nodes []*orders.Node) {
	if n == nil || Nothing(r, n) {
		return nil, nil
	}
	if n.Kind != orders.Map {
		r.Refuse(n, "", phrase.Say("order.want-map", phrase.Literals("keys", []string{l.Title})))
		return nil, nil
	}
	named := func(item T) bool {
		return slices.ContainsFunc(pairs, func(p P) bool {
			_, what := l.Split(p)
			return what == item
		})
	}
	type open struct {
		key  K
		node *orders.Node
	}
	var later []open
	for _, pair := range n.Pairs {
		key, ok := l.Where.Read(v, r, pair.Key)
		if !ok {
			continue
		}
		for _, item := range r.List(pair.Value) {
			if r.Is(item, "none") {
				continue
			}
			if r.Is(item, "all") || r.Is(item, "rest") {
				later = append(later, open{key, item})
				continue
			}
			what, ok := l.What.Read(v, r, item)
			if !ok || named(what) && l.Twice(v, what).Refuse(r, item) {
				continue
			}
			pairs, nodes = append(pairs, l.Join(key, what)), append(nodes, item)
		}
	}
	for _, o := range later {
		for _, what := range rest(o.key) {
			if !named(what) {
				pairs, nodes = append(pairs, l.Join(o.key, what)), append(nodes, o.node)
			}
		}
	}
	return pairs, nodes
}

// InOrder sorts pairs as files write them: key by key, in the order in which the keys
// first appear.
func (l Lists[V, K, T, P]) InOrder(pairs []P) []P {
	all := make([]P, 0, len(pairs))
	for i, p := range pairs {
		key, _ := l.Split(p)
		has := func(o P) bool {
			k, _ := l.Split(o)
			return k == key
		}
		if slices.ContainsFunc(pairs[:i], has) {
			continue
		}
		for _, o := range pairs[i:] {
			if has(o) {
				all = append(all, o)
			}
		}
	}
	return all
}

// Write writes pairs in their order.
func (l Lists[V, K, T, P]) Write(v V, pairs []P) *orders.Node {
	n := orders.Inline()
	var last K
	for i, p := range l.InOrder(pairs) {
		key, what := l.Split(p)
		if i == 0 || key != last {
			n.Set(l.Where.Write(v, key).Text, orders.Texts())
		}
		last = key
		n.Pairs[len(n.Pairs)-1].Value.Add(l.What.Write(v, what))
	}
	return n
}

// Places is a field of a map of lists, which says where each of some things is to go:
// retreat: {Ligny: [F-03, F-07]}; none where nothing goes anywhere. Rest gives what
// the words all and rest may stand for at a key.
func Places[V engine.View, W any, K, T, P comparable](key string, lists Lists[V, K, T, P], rest func(W, K) []T, rule Rule[V, W, P]) Field[V, W] {
	f := rule.field(key)
	f.Shape = lists.Shape()
	f.Read = func(x *Draft[V, W], r *orders.Reader, n *orders.Node) {
		since := len(r.Problems)
		pairs, nodes := lists.Read(x.View, r, n, func(k K) []T { return rest(x.World, k) })
		for i, p := range pairs {
			x.Judge(r, nodes[i], key, p, true, len(r.Problems))
		}
		if rule.End != nil {
			for _, fault := range rule.End(x.World, len(pairs), len(r.Problems) == since) {
				fault.Refuse(r, n)
			}
		}
	}
	f.Write = func(x *Draft[V, W], parts []Part) *orders.Node {
		if len(parts) == 0 {
			return orders.Text("none")
		}
		pairs := make([]P, len(parts))
		for i := range parts {
			pairs[i] = parts[i].Value.(P)
		}
		return lists.Write(x.View, pairs)
	}
	f.Arrange = func(_ W, parts []Part) {
		pairs := make([]P, len(parts))
		for i := range parts {
			pairs[i] = parts[i].Value.(P)
		}
		for i, p := range lists.InOrder(pairs) {
			parts[i].Value = p
		}
	}
	return f
}
