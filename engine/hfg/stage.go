package hfg

import (
	"slices"

	"berthier/engine"
	"berthier/engine/cases"
	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// What a conformance case may give in few words: the elements that stand on the field, and a field of its own.

var _ cases.Stager = Ruleset{}

// GivenKeys implements [cases.Stager].
func (Ruleset) GivenKeys() []string { return []string{"field", "pieces"} }

// ScenarioFile implements [cases.Stager].
func (Ruleset) ScenarioFile(setup engine.Setup) ([]byte, error) {
	s, faults := library.Of(setup)
	if len(faults) > 0 {
		return nil, faults
	}
	return s.source, nil
}

// Stage implements [cases.Stager]. It reads {charlet: [6200, 2950, 0], kempt: hougoumont}: an element with
// the middle of its front edge and its facing, or with the BUA or SP that it holds. Nobody else is on the
// field: garrisons of strong points are destroyed, all others have left. With a field of the case's own the elements
// are its own, too ([stagedField], [stagedArmies]).
func (Ruleset) Stage(r *orders.Reader, given orders.Fields, setup engine.Setup, file *orders.Node) *orders.Node {
	n, field := given.Get("pieces"), given.Get("field")
	s, faults := library.Of(setup)
	switch {
	case len(faults) > 0 || n == nil && field == nil:
		return nil // the run of the case will tell what is wrong with the set-up
	case field != nil && s.Letters:
		return stagedArmies(r, field, n, setup)
	case field != nil:
		return stagedField(r, field, n, file)
	}
	g, faults := begun(s, setup.Options)
	if len(faults) > 0 {
		return nil
	}
	if n.Kind != orders.Map {
		r.Refuse(n, "", phrase.Say("order.want-map", phrase.Literals("keys", []string{"charlet"})))
		return nil
	}
	bare := g.trial()
	var placed []elementID
	for _, pair := range n.Pairs {
		e, ok := g.elementNamed(pair.Key.Text)
		if !ok {
			r.Refuse(pair.Key, "", phrase.Say("order.unknown-element", phrase.Literal("name", pair.Key.Text)))
			continue
		}
		if x, ok := bare.stagedAt(r, pair.Value); ok {
			bare.Elements[e], placed = x, append(placed, e)
		}
	}
	for e := elementID(1); int(e) < len(bare.Elements); e++ {
		if slices.Contains(placed, e) || !bare.on(e) {
			continue
		}
		bare.Elements[e] = element{Fate: left}
		if bare.def(e).troop == spGarrison {
			bare.Elements[e].Fate = destroyed
		}
	}
	return cases.Made(g.difference(bare), n)
}

// stagedAt reads where an element stands.
func (g *game) stagedAt(r *orders.Reader, n *orders.Node) (element, bool) {
	if n.Kind == orders.Scalar {
		id, ok := r.Pick(n, "area", choicesOf(g.areas, func(d *areaDef) (string, string) { return d.id, d.name }))
		a, _ := g.areaNamed(id)
		return element{Holds: a}, ok
	}
	items := r.List(n)
	if len(items) != 3 {
		r.RefuseWith(n, "HFG-1.3", phrase.Say("hfg.given-piece"), phrase.Say("hfg.given-piece-write"))
		return element{}, false
	}
	at, ok := scale.ReadPoint(r, orders.Items(items[:2]...))
	facing, fine := r.Int(items[2], 0, 359)
	return element{At: place(at), Facing: facing}, ok && fine
}

// difference is what must be laid over a position to make another of its elements.
func (g *game) difference(bare *game) *orders.Node {
	was, is := g.setting.codec().Write(g).Get("elements"), g.setting.codec().Write(bare).Get("elements")
	all := orders.Mapping()
	nothing := &orders.Node{Null: true}
	for e := elementID(1); int(e) < len(g.Elements); e++ {
		id := g.def(e).id
		one := orders.Mapping()
		if n := keyOf(was, id); n != nil {
			for _, pair := range n.Pairs {
				one.Pairs = append(one.Pairs, orders.Pair{Key: pair.Key, Value: nothing})
			}
		}
		if n := keyOf(is, id); n != nil {
			for _, pair := range n.Pairs {
				cases.Put(one, pair.Key.Text, pair.Value, pair.Key)
			}
		}
		if len(one.Pairs) > 0 {
			all.Set(id, one)
		}
	}
	n := orders.Mapping()
	play.Put(n, "elements", all)
	return n
}

// keyOf is the value of a key of a map that may not be there.
func keyOf(n *orders.Node, key string) *orders.Node {
	if n == nil {
		return nil
	}
	return n.Get(key)
}
