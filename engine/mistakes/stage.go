package mistakes

import (
	"slices"

	"berthier/engine"
	"berthier/engine/cases"
	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// What a conformance case may give in few words: the pieces that stand on the field, and the units
// that there are.

var _ cases.Stager = Ruleset{}

// GivenKeys implements [cases.Stager].
func (Ruleset) GivenKeys() []string { return []string{"pieces", "only"} }

// ScenarioFile implements [cases.Stager].
func (Ruleset) ScenarioFile(setup engine.Setup) ([]byte, error) {
	s, faults := library.Of(setup)
	if len(faults) > 0 {
		return nil, faults
	}
	return s.source, nil
}

// Stage implements [cases.Stager]. It reads {blue-13: [630, 250, 0], blue-34: [300, 200, 0, behind],
// reille: [600, 100], derlon: blue-13}: a unit with its place and heading, a limbered gun also with
// the side on which its limber is; a free leader with his place, another with his unit. Nobody else
// is on the field. Units of a corps that touch and look the same way are a formation, which has the
// id of the first that is named. With {only: [black-18]} all other units that are not placed are gone.
func (Ruleset) Stage(r *orders.Reader, given orders.Fields, setup engine.Setup, _ *orders.Node) *orders.Node {
	n, only := given.Get("pieces"), given.Get("only")
	s, faults := library.Of(setup)
	if n == nil && only == nil || len(faults) > 0 {
		return nil // the run of the case will tell what is wrong with the set-up
	}
	g, faults := begun(s, setup.Options)
	if len(faults) > 0 {
		return nil
	}
	x := stager{Reader: r, game: g, bare: g.trial()}
	clear(x.bare.Units)
	clear(x.bare.Leaders)
	x.bare.Formations = nil
	switch {
	case n == nil:
		n = only
	case n.Kind != orders.Map:
		r.Refuse(n, "", phrase.Say("order.want-map", phrase.Literals("keys", []string{"blue-13"})))
		return nil
	}
	for _, pair := range n.Pairs {
		x.place(pair.Key, pair.Value)
	}
	x.forms()
	x.keeps(only)
	return cases.Made(x.difference(), n)
}

// keeps reads {only: [black-18, black-19]}: all other units that don't stand on the field are gone.
func (x *stager) keeps(n *orders.Node) {
	if n == nil {
		return
	}
	var kept []unitID
	for _, item := range x.List(n) {
		u, ok := x.game.unitNamed(item.Text)
		if !ok {
			x.Refuse(item, "", phrase.Say("order.unknown-unit", phrase.Literal("name", item.Text)))
		}
		kept = append(kept, u)
	}
	for u := unitID(1); int(u) < len(x.bare.Units); u++ {
		if !x.bare.on(u) && !slices.Contains(kept, u) {
			x.bare.Units[u].Gone = eliminated
		}
	}
}

// A stager puts pieces on an empty field.
type stager struct {
	*orders.Reader
	game  *game // as it is set up
	bare  *game
	named []unitID // in the order of the case
}

// place reads one piece.
func (x *stager) place(key, value *orders.Node) {
	u, isUnit := x.game.unitNamed(key.Text)
	l := leaderID(slices.IndexFunc(x.game.leaders, func(d leaderDef) bool { return d.id == key.Text }) + 1)
	if !isUnit && l == 0 {
		x.Refuse(key, "", phrase.Say("order.unknown-unit", phrase.Literal("name", key.Text)))
		return
	}
	if !isUnit && value.Kind == orders.Scalar {
		if x.bare.Leaders[l].Attached, _ = x.game.unitNamed(value.Text); x.bare.Leaders[l].Attached == 0 {
			x.Refuse(value, "", phrase.Say("order.unknown-unit", phrase.Literal("name", value.Text)))
		}
		return
	}
	items, least, most := x.List(value), 2, 2
	if isUnit {
		least, most = 3, 3
		if x.game.def(u).arm == artillery {
			most++
		}
	}
	if len(items) < least || len(items) > most {
		x.RefuseWith(value, "EM-3.1", phrase.Say("em.given-piece", phrase.Literal("piece", key.Text)), phrase.Say("em.given-piece-write"))
		return
	}
	west, first := readLength(x.Reader, items[0])
	south, second := readLength(x.Reader, items[1])
	if !first || !second {
		return
	}
	at := place{X: west, Y: south}
	if !isUnit {
		x.bare.Leaders[l].At = at
		return
	}
	one := unit{At: at}
	ok := false
	if one.Heading, ok = x.Int(items[2], 0, 359); !ok {
		return
	}
	if len(items) > 3 {
		word, ok := x.Word(items[3], limberWords[1:]...)
		if !ok {
			return
		}
		one.Limber = limber(slices.Index(limberWords, word))
	}
	x.bare.Units[u] = one
	x.named = append(x.named, u)
}

// forms makes formations of the units of a corps that touch and have one heading.
func (x *stager) forms() {
	g := x.bare
	for _, u := range x.named {
		if g.def(u).garrison() || g.of(u) != nil {
			continue
		}
		same := slices.DeleteFunc(slices.Clone(x.named), func(v unitID) bool {
			return g.def(v).corps != g.def(u).corps || g.Units[v].Heading != g.Units[u].Heading || g.of(v) != nil
		})
		slices.Sort(same)
		for _, part := range g.parts(same) {
			if slices.Contains(part, u) {
				g.Formations = append(g.Formations, formation{ID: g.def(u).id, Corps: g.def(u).corps, Units: part})
			}
		}
		g.arrange()
	}
}

// difference is what must be laid over the position after set-up: the pieces that stand, and
// nothing in place of all others.
func (x *stager) difference() *orders.Node {
	is, was := x.game.codec.Write(x.bare), x.game.codec.Write(x.game)
	all := orders.Mapping()
	for _, key := range []string{"units", "formations", "leaders"} {
		one := orders.Mapping()
		for _, pair := range pairsOf(was.Get(key)) {
			if one.Pairs = append(one.Pairs, orders.Pair{Key: pair.Key, Value: emptied(pair.Value)}); key == "formations" {
				one.Pairs[len(one.Pairs)-1].Value = nothing
			}
		}
		for _, pair := range pairsOf(is.Get(key)) {
			if before := one.Get(pair.Key.Text); before != nil && before.Kind == orders.Map {
				for _, own := range pair.Value.Pairs {
					cases.Put(before, own.Key.Text, own.Value, own.Key)
				}
				continue
			}
			cases.Put(one, pair.Key.Text, pair.Value, pair.Key)
		}
		play.Put(all, key, one)
	}
	return all
}

// nothing takes a key out.
var nothing = &orders.Node{Null: true}

// pairsOf are those of a map, or none.
func pairsOf(n *orders.Node) []orders.Pair {
	if n == nil {
		return nil
	}
	return n.Pairs
}

// emptied is what must be laid over a map so that nothing is left of it.
func emptied(n *orders.Node) *orders.Node {
	all := orders.Mapping()
	for _, pair := range n.Pairs {
		all.Pairs = append(all.Pairs, orders.Pair{Key: pair.Key, Value: nothing})
	}
	return all
}
