package napoleon

import (
	"slices"

	"berthier/orders"
	"berthier/orders/phrase"
)

// A moveReader reads a movement order.
type moveReader struct {
	*orders.Reader
	x      *saying[*marching]
	w      *marching
	v      *View
	own    []unitID // the side's living units
	marked []string // faults already reported of the present march

	attacks map[townID]*orders.Node // where the file first names each attacked town
	pushes  []pushAt                // where the file makes each forced march
	alone   []*orders.Node          // units that a move names alone and forces
}

// readMoves reads a list of {move: ...}, {forced: ...}, {reveal: ...} and
// {night-march: ...}. It goes through the list twice: a permission holds for all
// marches of the file; and where a chain of groups suffices, all attacks that the file
// announces count (NAP-R07).
func readMoves(x *saying[*marching], r *orders.Reader, body *orders.Node) {
	if r.Is(body, "none") {
		return
	}
	m := &moveReader{Reader: r, x: x, w: x.World, v: x.View, own: x.View.livingUnits(), attacks: map[townID]*orders.Node{}}
	since := len(r.Problems)
	for _, item := range r.List(body) {
		if item.Kind == orders.Map && len(item.Pairs) == 1 {
			switch key, value := item.Pairs[0].Key, item.Pairs[0].Value; {
			case r.Is(key, "night-march"):
				m.each(value, permitsForce)
			case r.Is(key, "move") && x.View.options.commandControl == commandChain:
				m.foresee(value)
			}
		}
	}
	var forced []*orders.Node
	for _, item := range r.List(body) {
		switch key, value := r.Only(item, "move", "forced", "reveal", "night-march"); key {
		case "move":
			m.move(value)
		case "forced":
			forced = append(forced, value)
		case "reveal":
			m.each(value, showsItself)
		}
	}
	m.forced(append(forced, m.alone...))
	if len(r.Problems) == since { // otherwise an attack may lack units because of other faults
		for i := range x.World.mover().fights {
			f := &x.World.mover().fights[i]
			x.View.lack(x.World.mover(), f).Refuse(r, m.attacks[f.town])
		}
	}
	x.Made()
}

// foresee notes an attack that a line announces. What can't be read is refused when the
// line itself is read.
func (x *moveReader) foresee(line *orders.Node) {
	town := func(key string) (townID, bool) {
		n := x.Under(line, key)
		if n == nil || n.Kind != orders.Scalar {
			return noTown, false
		}
		return x.v.townNamed(n.Text)
	}
	from, known := town("from")
	if to, ok := town("to"); ok && known && len(x.v.group(from)) > 0 {
		x.w.mover().plans = append(x.w.mover().plans, plannedAttack{to, from})
	}
}

// each reads the leaders who show themselves (NAP-8.1, NAP-R06), or who permit forced
// marches at night instead of helping them (NAP-8.1c).
func (x *moveReader) each(n *orders.Node, does moveDoing) {
	for _, item := range x.List(n) {
		if id, ok := x.v.pickUnit(x.Reader, item, x.own); ok {
			x.x.Judge(x.Reader, item, "", movePart{does: does, unit: id}, true, len(x.Problems))
		}
	}
}

// move reads {from, via, to, units, force}.
func (x *moveReader) move(n *orders.Node) {
	v, m := x.v, x.w.mover()
	x.marked = x.marked[:0]
	f := x.Fields(n, "from", "via", "to", "units", "force")
	if n == nil || n.Kind != orders.Map {
		return
	}
	fromNode := x.Require(f, "from")
	from, ok := v.townIn(x.Reader, fromNode)
	var path []townID
	var steps []*orders.Node
	for _, item := range append(slices.Clone(x.List(f.Get("via"))), x.Require(f, "to")) {
		t, known := v.townIn(x.Reader, item)
		ok = ok && known
		path, steps = append(path, t), append(steps, item)
	}
	units, places := x.units(x.Require(f, "units"), from)
	x.byForce(f, units, places)
	if !ok {
		return
	}

	// Each army's group in a town needs a move of its army (NAP-5.1e).
	for a := range armies {
		o := origin{a, from}
		if !slices.ContainsFunc(units, func(id unitID) bool { return v.roster[id].army == a && v.unit(id).town == from }) {
			continue
		}
		if stop := m.mayLead(o); stop != nil {
			x.obstruct(fromNode, stop)
		}
		m.lead(o)
	}

	// Faults of the path are told once, where the path is written.
	sound := true
	at := from
	for i, to := range path {
		if _, joined := v.roadBetween(at, to); !joined {
			x.obstruct(steps[i], m.noRoad(at, to))
			sound = false
		}
		at = to
	}
	for i, id := range units {
		if x.w.callFault(id, from).Refuse(x.Reader, places[i]) {
			continue
		}
		if !sound {
			x.w.named = append(x.w.named, id)
			continue
		}
		made, stop := x.w.march(id, from, path)
		if stop != nil {
			place := places[i]
			if stop.Clause == "NAP-5.0" || stop.Why.Code == "nap.move-night-attack" {
				place = steps[made]
			}
			x.obstruct(place, stop)
			continue
		}
		if m.forced(v.unit(id)) {
			x.pushes = append(x.pushes, pushAt{id, places[i], from, path})
		}
		if t := path[len(path)-1]; x.attacks[t] == nil {
			x.attacks[t] = steps[len(steps)-1]
		}
	}
}

// byForce reads force: yes, which forces the unit that a move names alone.
func (x *moveReader) byForce(f orders.Fields, units []unitID, places []*orders.Node) {
	n := f.Get("force")
	if n == nil {
		return
	}
	if word, ok := x.Word(n, "yes", "no"); !ok || word == "no" {
		return
	}
	if len(units) != 1 || places[0].Kind != orders.Scalar || x.Is(places[0], "all") || x.Is(places[0], "rest") {
		x.Refuse(n, "NAP-5.6", phrase.Say("nap.move-force-one"))
		return
	}
	x.alone = append(x.alone, places[0])
}

// townIn reads a town; a nil node means that there is none.
func (v *View) townIn(r *orders.Reader, n *orders.Node) (townID, bool) {
	if n == nil {
		return noTown, false
	}
	return v.pickTown(r, n)
}

// obstruct refuses an order, but only once for the same cause in one march.
func (x *moveReader) obstruct(n *orders.Node, o *fault) {
	key := o.Why.Code
	for _, a := range o.Why.Args {
		key += " " + a.Value.Text
	}
	if slices.Contains(x.marked, key) {
		return
	}
	x.marked = append(x.marked, key)
	x.RefuseWith(n, o.Clause, o.Why, o.Remedy)
}

// units reads the units of a march with the node that names each: a list, or
// all of the group, or the rest of it that no order of the file has named yet.
func (x *moveReader) units(n *orders.Node, from townID) (ids []unitID, places []*orders.Node) {
	if n == nil {
		return nil, nil
	}
	items := x.List(n)
	if len(items) == 0 {
		x.Refuse(n, "NAP-5.1b", phrase.Say("nap.move-nobody"))
	}
	for _, item := range items {
		all, rest := x.Is(item, "all"), x.Is(item, "rest")
		if !all && !rest {
			if id, ok := x.v.pickUnit(x.Reader, item, x.own); ok {
				ids, places = append(ids, id), append(places, item)
			}
			continue
		}
		if from == noTown {
			continue
		}
		found := false
		for _, id := range x.own {
			if x.v.unit(id).town == from && !slices.Contains(ids, id) && (all || !containsUnit(x.w.named, id)) {
				ids, places, found = append(ids, id), append(places, item), true
			}
		}
		if !found {
			x.Refuse(item, "NAP-5.1b", phrase.Say("nap.move-empty", x.v.townArg("town", from)))
		}
	}
	return ids, places
}
