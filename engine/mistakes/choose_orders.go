package mistakes

import (
	"iter"
	"slices"
	"strings"

	"berthier/engine"
)

// What may be chosen of the orders of the stop orders.

// next lists the orders that may be given to each formation, with nothing said besides.
func (w *ordered) next(yield func(order) bool) {
	for i := range w.game.Formations {
		f := &w.game.Formations[i]
		if !slices.Contains(w.armies, w.game.army(f.Corps)) {
			continue
		}
		for _, o := range w.joinsOf(i) {
			if !yield(o) {
				return
			}
		}
		for l := leaderID(1); int(l) < len(w.game.Leaders); l++ {
			if f.Ordered || !w.game.commands(l, f) {
				continue
			}
			for _, does := range []verb{setsInMotion, keepsMoving, rallies, splitsOff, redeploys} {
				if f.Green == (does == keepsMoving) || does > keepsMoving {
					if !yield(order{does: does, by: l, of: f.ID}) {
						return
					}
				}
			}
		}
	}
}

// joinsOf lists the joins of a formation with others of its corps that come behind it.
func (w *ordered) joinsOf(i int) []order {
	if len(w.done) > 0 && w.done[len(w.done)-1].does != joins {
		return nil
	}
	first := &w.game.Formations[i]
	chain := []*formation{first}
	for k := 0; k < len(chain); k++ {
		for j := range w.game.Formations {
			f := &w.game.Formations[j]
			if f.Corps == first.Corps && f.ID > first.ID && w.game.heading(f) == w.game.heading(first) && !slices.Contains(chain, f) && w.game.touches(chain[k], f) {
				chain = append(chain, f)
			}
		}
	}
	behind := chain[1:]
	var all []order
	for bits := 1; bits < 1<<len(behind); bits++ {
		names := []string{first.ID}
		for k, f := range behind {
			if bits&(1<<k) != 0 {
				names = append(names, f.ID)
			}
		}
		if slices.Sort(names); w.joinFault(order{does: joins, of: strings.Join(names, " "), as: names[0]}) == nil {
			all = append(all, order{does: joins, of: strings.Join(names, " ")})
		}
	}
	return all
}

// whole completes an order: a join is called as its first formation, whoever comes first and may be is
// rallied or split off, and a redeployment goes one segment back or turns about.
func (w *ordered) whole(o order) order {
	f := w.game.formationNamed(o.of)
	may := func(n order) bool { return w.fault(n) == nil }
	switch {
	case o.does == joins && o.as == "":
		o.as = strings.Fields(o.of)[0]
	case f == nil:
	case o.does == rallies && o.units == unitSet{}:
		for _, u := range w.game.shaken(f) {
			if o.units = setOf([]unitID{u}); may(o) {
				break
			}
		}
	case o.does == splitsOff && o.units == unitSet{}:
		if parts := w.partsOf(f, o); len(parts) > 0 {
			o.units = setOf(parts[0])
		}
		o.as = w.game.freeID(o.of)
	case o.does == redeploys && o.anew == nil:
		for _, s := range w.game.usualShifts() {
			if o.anew = w.game.shift(f, s); may(o) {
				w.sound = o
				break
			}
			if w.redeployingFault(o) != nil {
				break // wherever it would go
			}
		}
	case o.does == redeploys:
		o.anew = w.refit(o).complete(o.anew)
		if o.anew == nil || !slices.Contains(o.anew.named, o.of) || o.anew.named[0] != o.of {
			o.anew = &redeployment{} // it will be refused
		}
	}
	return o
}

// shift is a redeployment in which all units of a formation do the same.
func (g *game) shift(f *formation, s spot) *redeployment {
	d := &redeployment{}
	for _, u := range f.Units {
		s.of, s.unit = f.ID, u
		d.spots = append(d.spots, s)
	}
	g.inOrder(d)
	return d
}

// usualShifts are what is tried for a formation of which nothing is said but that it is redeployed.
func (g *game) usualShifts() []spot {
	return []spot{{by: backward, far: g.segment()}, {turned: true, turn: 180}, {turned: true, turn: 90}, {by: backward, far: ringStep}}
}

// partsOf lists the parts of a formation that an order may split off.
func (w *ordered) partsOf(f *formation, o order) [][]unitID {
	o.as = w.game.freeID(o.of)
	return subsets(f.Units, func(part []unitID) bool {
		o.units = setOf(part)
		return w.game.splitFault(f, part) == nil && w.fault(o) == nil
	})
}

// orderChoice is how an order is listed, with nothing said besides.
func orderChoice(v *View, o order) engine.Choice {
	ids := strings.Fields(o.of)
	if o.does == joins {
		return engine.Choice{Of: ids[0], What: "join " + strings.Join(ids[1:], " ")}
	}
	return engine.Choice{Of: ids[0], What: v.lead(o.by).id + " " + verbWords[o.does]}
}

// orderSlots are what may be said of an order besides.
var orderSlots = func() []slot[*ordered, order] {
	of := func(_ *View, o order) string { return strings.Fields(o.of)[0] }
	may := func(w *ordered, o order) bool { return w.fault(w.whole(o)) == nil }
	parts := func(o order) bool { return o.does == splitsOff && o.units != unitSet{} }
	rallied := someOf("unit", func(o *order) *unitSet { return &o.units }, func(w *ordered, o order) []unitID {
		if o.does != rallies {
			return nil
		}
		return w.game.shaken(w.game.formationNamed(o.of))
	}, of)
	says := rallied.Says
	rallied.Says = func(v *View, o order) []engine.Choice {
		if o.does != rallies {
			return nil
		}
		return says(v, o)
	}
	all := []slot[*ordered, order]{
		byWord(func(w *ordered, o order) iter.Seq[order] {
			return func(yield func(order) bool) {
				for _, id := range strings.Fields(o.of) {
					if o.as = id; o.does == joins && !yield(o) {
						return
					}
				}
			}
		}, func(_ *View, o order) string {
			if o.does != joins {
				return ""
			}
			return "as " + o.as
		}, of),
		rallied,
		byWord(func(w *ordered, o order) iter.Seq[order] {
			return func(yield func(order) bool) {
				if o.does != splitsOff {
					return
				}
				o.as = w.game.freeID(o.of)
				for _, part := range w.partsOf(w.game.formationNamed(o.of), o) {
					if o.units = setOf(part); !yield(o) {
						return
					}
				}
			}
		}, func(v *View, o order) string {
			if !parts(o) {
				return ""
			}
			return "part " + v.unitsText(o.units.list())
		}, of),
		partName(func(o *order) *string { return &o.as }, func(o order) string { return o.of }, parts, func(w *ordered, id string) bool { return w.game.taken(id) }),
	}
	all = append(all, anewSlots(func(o order) *redeployment { return o.anew }, func(o order, d *redeployment) order {
		o.anew = d
		return o
	}, func(w *ordered, o order) *refit {
		if o.does != redeploys {
			return nil
		}
		return w.refit(o)
	})...)
	return append(all, byFlag("points keep", func(o *order) *bool { return &o.keep }, func(w *ordered, o order) bool { return o.does != joins && may(w, o) }, of))
}()

// refit is what the redeployment of an order is judged by.
func (w *ordered) refit(o order) *refit {
	return &refit{files: w.game, board: w.game, first: o.of,
		may: w.game.those(func(u unitID) bool {
			f := w.game.of(u)
			return f != nil && f.ID >= o.of && w.game.commands(o.by, f) && !f.Ordered && f.Orange == 0
		}),
		legal: func(d *redeployment) bool {
			o.anew = d
			return d.named[0] == o.of && w.fault(o) == nil
		}}
}
