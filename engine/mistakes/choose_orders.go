package mistakes

import (
	"iter"
	"slices"
	"strings"

	"berthier/engine"
	"berthier/engine/play"
)

// What may be chosen of the orders of the stop orders.

// next lists the orders that may be given to each formation, with nothing said besides.
func (w *ordered) next(yield func(order) bool) {
	for i := range w.Formations {
		f := &w.Formations[i]
		if !slices.Contains(w.armies, w.army(f.Corps)) {
			continue
		}
		for _, o := range w.joinsOf(i) {
			if !yield(o) {
				return
			}
		}
		for l := leaderID(1); int(l) < len(w.Leaders); l++ {
			if f.Ordered || !w.commands(l, f) {
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
	first := &w.Formations[i]
	chain := []*formation{first}
	for k := 0; k < len(chain); k++ {
		for j := range w.Formations {
			f := &w.Formations[j]
			if f.Corps == first.Corps && f.ID > first.ID && w.heading(f) == w.heading(first) && !slices.Contains(chain, f) && w.touches(chain[k], f) {
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
	f := w.formationNamed(o.of)
	may := func(n order) bool { return w.fault(n) == nil }
	switch {
	case o.does == joins && o.as == "":
		o.as = strings.Fields(o.of)[0]
	case f == nil:
	case o.does == rallies && o.units == unitSet{}:
		for _, u := range w.shaken(f) {
			if o.units = setOf([]unitID{u}); may(o) {
				break
			}
		}
	case o.does == splitsOff && o.units == unitSet{}:
		if parts := w.partsOf(f, o); len(parts) > 0 {
			o.units = setOf(parts[0])
		}
		o.as = w.freeID(o.of)
	case o.does == redeploys && o.anew == nil:
		for _, s := range []spot{{by: backward, far: w.segment()}, {turned: true, turn: 180}, {turned: true, turn: 90}, {by: backward, far: ringStep}} {
			if o.anew = w.shift(f, s); may(o) {
				break
			}
		}
	}
	return o
}

// shift is a redeployment in which all units of a formation do the same.
func (g *game) shift(f *formation, s spot) *redeployment {
	d := &redeployment{named: []string{f.ID}, spots: [][]spot{nil}}
	for _, u := range f.Units {
		s.unit = u
		d.spots[0] = append(d.spots[0], s)
	}
	return d
}

// shiftOf is what all units of a redeployment do, if it names the units of one formation alone, all of
// them do the same, and no formation is restated.
func (g *game) shiftOf(d *redeployment) (spot, bool) {
	if d == nil || len(d.named) != 1 || len(d.groups) > 0 || len(d.spots[0]) == 0 {
		return spot{}, false
	}
	first := d.spots[0][0]
	if first.unit = 0; first.by == atPlace || first.by > rightward || first.far%ringStep != 0 {
		return spot{}, false
	}
	var units []unitID
	for _, s := range d.spots[0] {
		units = append(units, s.unit)
		if s.unit = 0; s != first {
			return spot{}, false
		}
	}
	f := g.formationNamed(d.named[0])
	return first, f != nil && slices.Equal(units, f.Units)
}

// partsOf lists the parts of a formation that an order may split off.
func (w *ordered) partsOf(f *formation, o order) [][]unitID {
	o.as = w.freeID(o.of)
	return subsets(f.Units, func(part []unitID) bool {
		o.units = setOf(part)
		return w.splitFault(f, part) == nil && w.fault(o) == nil
	})
}

// orderChoice is how an order is listed, with nothing said besides.
func orderChoice(v *View, o order) engine.Choice {
	ids := strings.Fields(o.of)
	if o.does == joins {
		return engine.Choice{Of: ids[0], What: "join " + strings.Join(ids[1:], " ")}
	}
	what := v.lead(o.by).id + " " + verbWords[o.does]
	if o.does == redeploys && o.anew != nil {
		if _, same := v.shiftOf(o.anew); !same {
			what += " " + v.redeployNode(o.anew).OneLine()
		}
	}
	return engine.Choice{Of: ids[0], What: what}
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
		return w.shaken(w.formationNamed(o.of))
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
				o.as = w.freeID(o.of)
				for _, part := range w.partsOf(w.formationNamed(o.of), o) {
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
		partName(func(o *order) *string { return &o.as }, func(o order) string { return o.of }, parts, func(w *ordered, id string) bool { return w.taken(id) }),
	}
	for by := backward; by <= rightward; by++ {
		all = append(all, shiftSlot(spotWords[by], 1, mostFar, func(s spot) int {
			if s.by != by {
				return 0
			}
			return int(s.far / ringStep)
		}, func(s *spot, n int) { s.by, s.far = by, length(n)*ringStep }, func(s spot) bool { return s == spot{} }, may))
	}
	all = append(all,
		shiftSlot("turn right", 0, mostTurn, func(s spot) int {
			if !s.turned {
				return -1
			}
			return s.turn
		}, func(s *spot, n int) { s.turned, s.turn = true, n }, func(s spot) bool { return !s.turned }, may),
		shiftSlot("turn left", 1, mostTurn, func(s spot) int { return -s.turn }, func(s *spot, n int) { s.turned, s.turn = true, -n },
			func(s spot) bool { return !s.turned }, may))
	return append(all, byFlag("points keep", func(o *order) *bool { return &o.keep }, func(w *ordered, o order) bool { return o.does != joins && may(w, o) }, of))
}()

// shiftSlot is a slot of how far all units of a redeployment go, or how far they turn.
func shiftSlot(word string, low, high int, at func(spot) int, with func(*spot, int), open func(spot) bool, may func(*ordered, order) bool) slot[*ordered, order] {
	now := func(o order) spot {
		if o.anew == nil {
			return spot{}
		}
		s := o.anew.spots[0][0]
		s.unit = 0
		return s
	}
	set := func(o order, units []unitID, n int) order {
		s := now(o)
		with(&s, n)
		o.anew = &redeployment{named: []string{o.of}, spots: [][]spot{nil}}
		for _, u := range units {
			s.unit = u
			o.anew.spots[0] = append(o.anew.spots[0], s)
		}
		return o
	}
	return slot[*ordered, order]{
		Next: func(w *ordered, o order) iter.Seq[play.Span[order]] {
			if o.does != redeploys || !open(now(o)) {
				return none[order]
			}
			units := w.formationNamed(o.of).Units
			most := high
			if word == "back" || word == "forward" || word == "left" || word == "right" {
				most = int(redeployReach*int64(w.segment())/ringStep) + 1
			}
			return play.Spans(low, most, func(n int) order { return set(o, units, n) }, func(n int) bool { return may(w, set(o, units, n)) })
		},
		Says: func(v *View, o order) []engine.Choice {
			if s, same := v.shiftOf(o.anew); same && o.does == redeploys && at(s) >= low {
				return []engine.Choice{{Of: o.of, What: word, Measure: true, Value: at(s)}}
			}
			return nil
		},
		At: func(o order, n int) order {
			var units []unitID
			for _, s := range o.anew.spots[0] {
				units = append(units, s.unit)
			}
			return set(o, units, n)
		},
	}
}
