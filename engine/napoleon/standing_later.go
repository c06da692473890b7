package napoleon

import (
	"slices"

	"berthier/engine/play"
	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
)

// deployKeys are the keys of the standing order deploy. The places of units are kept as
// orders for that stop: their names are checked now; when the stop opens, those units take
// part that are there.
var deployKeys = orderKeys[deployOrder]{
	play.IfKey(inTown, "any", true, ofDeploy),
	play.IfKey(partIn, "", false, ofDeploy),
	bodyKey("left", unitsShape, readStation), bodyKey("center", unitsShape, readStation), bodyKey("right", unitsShape, readStation), bodyKey("reserve", unitsShape, readStation),
	bodyKey("farm", heldShape, readHeld), bodyKey("hill", heldShape, readHeld),
}

// bodyKey is a key of the orders that a deployment keeps.
func bodyKey(key string, how shape.Shape, read func(*View, *orders.Reader, *orders.Node, *deployOrder) *orders.Node) orderKey[deployOrder] {
	return orderKey[deployOrder]{Key: key, Shape: how,
		Read: func(v *View, r *orders.Reader, n *orders.Node, o *deployOrder) {
			value := read(v, r, n, o)
			if o.body == nil {
				o.body = orders.Inline()
			}
			o.body.Set(key, value)
		},
		Write: func(_ *scenario, o *deployOrder) *orders.Node {
			if value := o.body.Get(key); value != nil {
				return play.Bare(value)
			}
			return nil
		},
	}
}

// someStation demands that at least one place says which units stand there.
func someStation(_ *View, r *orders.Reader, n *orders.Node, o *deployOrder) {
	if o.body == nil || o.body.Pairs[0].Value.Kind != orders.List {
		r.Require(orders.Fields{Node: n}, "left")
	}
}

// names tells whether a deployment says a name, or the word rest, already.
func (o *deployOrder) names(name string) bool {
	return o.body != nil && slices.ContainsFunc(o.body.Pairs, func(p orders.Pair) bool {
		return slices.ContainsFunc(p.Value.Items, func(item *orders.Node) bool { return item.Text == name })
	})
}

// readStation reads who stands in one place.
func readStation(v *View, r *orders.Reader, n *orders.Node, o *deployOrder) *orders.Node {
	list, own := orders.Texts(), v.ownRoster()
	here := func(name string) bool {
		return o.names(name) || slices.ContainsFunc(list.Items, func(item *orders.Node) bool { return item.Text == name })
	}
	for _, item := range r.List(n) {
		switch {
		case r.Is(item, "none"):
		case r.Is(item, "rest") || r.Is(item, "all"):
			if here("rest") {
				r.Refuse(item, "NAP-6.22", phrase.Say("nap.battle-rest-twice"))
			}
			list.Add(orders.Text("rest"))
		default:
			id, ok := v.pickUnit(r, item, own)
			switch {
			case !ok:
			case here(v.roster[id].id):
				r.Refuse(item, "NAP-6.22", phrase.Say("nap.named-twice", v.idArg("unit", id)))
			default:
				list.Add(orders.Text(v.roster[id].id))
			}
		}
	}
	return list
}

// readHeld reads who holds a farm or a hill in which position.
func readHeld(v *View, r *orders.Reader, n *orders.Node, _ *deployOrder) *orders.Node {
	held, kept := r.Fields(n, placeWords[:]...), orders.Inline()
	for _, word := range placeWords {
		if at := held.Get(word); at != nil {
			if id, ok := ownUnits.Read(v, r, at); ok {
				kept.Set(word, orders.Text(v.roster[id].id))
			}
		}
	}
	return kept
}

// movesKeys are the keys of the standing order moves. What the names mean is checked now;
// whether the moves are legal is not known before that turn.
var movesKeys = orderKeys[movesOrder]{
	play.NeedKey(play.IfKey(onTurn, "", false, ofMoves)),
	{Key: "orders", Need: true, Shape: moveShape, Read: readLater, Write: func(_ *scenario, o *movesOrder) *orders.Node { return play.Bare(o.body) }},
}

// A laterReader reads movement orders of a later turn, and writes them in normal form.
type laterReader struct {
	*orders.Reader
	v     *View
	own   []unitID
	force laterForce
}

// readLater reads the orders of a later turn.
func readLater(v *View, r *orders.Reader, n *orders.Node, o *movesOrder) {
	if r.Is(n, "none") {
		o.body = orders.Text("none")
		return
	}
	x := &laterReader{Reader: r, v: v, own: v.ownRoster()}
	list := orders.Items()
	for _, item := range r.List(n) {
		key, value := r.Only(item, "move", "forced", "reveal", "night-march")
		switch {
		case key == "":
		case key == "move":
			if move := x.march(value); move != nil {
				list.Add(orders.Inline().Set(key, move))
			}
		case key == "forced" && r.Is(value, "none"):
			x.force.said, x.force.none = true, 1
			list.Add(orders.Inline().Set(key, orders.Text("none")))
		default:
			named := x.some(value)
			if key == "forced" {
				x.force.name(named)
			}
			list.Add(orders.Inline().Set(key, named))
		}
	}
	if most := len(list.Items) - x.force.none; most == 0 || most > mostOrders {
		r.Refuse(n, "", phrase.Say("nap.plan-lines", phrase.Number("most", mostOrders)))
	}
	x.force.check(v, r, list)
	o.body = play.Bare(list)
}

// march reads a line move; nil if it is no map.
func (x *laterReader) march(n *orders.Node) *orders.Node {
	f := x.Fields(n, "from", "via", "to", "units")
	if n.Kind != orders.Map {
		return nil
	}
	move := orders.Inline().Set("from", x.town(x.Require(f, "from")))
	if via := f.Get("via"); via != nil {
		by := orders.Texts()
		for _, t := range x.List(via) {
			by.Add(x.town(t))
		}
		move.Set("via", by)
	}
	move.Set("to", x.town(x.Require(f, "to"))).Set("units", x.some(x.Require(f, "units")))
	x.force.march(x.v, move, f.Get("units"), x.own)
	return move
}

// town reads a town.
func (x *laterReader) town(n *orders.Node) *orders.Node {
	if t, ok := x.v.townIn(x.Reader, n); ok {
		return orders.Text(x.v.towns[t].name)
	}
	return orders.Text("")
}

// some reads units; it is not known yet whether they will be there.
func (x *laterReader) some(n *orders.Node) *orders.Node {
	texts := orders.Texts()
	for _, item := range x.List(n) {
		if x.Is(item, "all") || x.Is(item, "rest") {
			texts.Add(orders.Text("rest"))
		} else if id, ok := x.v.pickUnit(x.Reader, item, x.own); ok {
			texts.Add(orders.Text(x.v.roster[id].id))
		}
	}
	return texts
}
