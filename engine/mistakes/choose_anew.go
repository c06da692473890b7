package mistakes

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/engine/play"
)

// What may be chosen of a redeployment: unit by unit who is put elsewhere, and where; then unit by unit
// which formations are restated.
//
// Whatever was chosen so far is completed: whoever stands in the way of a unit gives way, and what no
// longer hangs together becomes formations of its own. Therefore units are chosen in an order in which, as
// far as there is one, each finds its place free.

// A refit is a redeployment in the making.
type refit struct {
	files *game  // the field, whose formations files name
	board *game  // the field on which places are judged
	first string // the formation that must be among those that are redeployed
	may   []bool // who may be redeployed by the same order, by unit
	legal func(*redeployment) bool
	lucky spot // the last for which a place was found: mostly the next unit, or turn, finds it there, too

	units []unit // of the field on which a place is tried, which is not kept
}

// those lists by unit whether it may be redeployed.
func (g *game) those(may func(unitID) bool) []bool {
	all := make([]bool, len(g.Units))
	for u := unitID(1); int(u) < len(all); u++ {
		all[u] = may(u)
	}
	return all
}

// formationOf is the formation of a unit, as files name it.
func (r *refit) formationOf(u unitID) string { return r.files.of(u).ID }

// clone copies a redeployment, so that it can be changed.
func (d *redeployment) clone() *redeployment {
	c := &redeployment{}
	if d != nil {
		c.named, c.spots, c.groups = slices.Clone(d.named), slices.Clone(d.spots), slices.Clone(d.groups)
	}
	return c
}

// puts says whether a unit is among those of which it is said where they are put.
func (d *redeployment) puts(u unitID) bool {
	return slices.ContainsFunc(d.spots, func(s spot) bool { return s.unit == u })
}

// restates says whether a unit is in a formation that is restated.
func (d *redeployment) restates(u unitID) bool {
	return slices.ContainsFunc(d.groups, func(one regroup) bool { return slices.Contains(one.units, u) })
}

// open says whether nothing is said yet of where a unit is put.
func (s *spot) open() bool { return s.by == inPlace && !s.turned }

// half says whether a place still lacks its millimetres to the north, or all.
func (s *spot) half() bool { return s.by == atPlace && s.at.Y == 0 }

// with is a redeployment whose last spot is changed.
func (d *redeployment) with(change func(*spot)) *redeployment {
	c := d.clone()
	change(&c.spots[len(c.spots)-1])
	return c
}

// anewSlots are what may be said of a redeployment in a value of T.
func anewSlots[W, T any](at func(T) *redeployment, with func(T, *redeployment) T, refitting func(W, T) *refit) []slot[W, T] {
	one := func(next func(*refit, *redeployment) iter.Seq[play.Span[*redeployment]], says func(*View, *redeployment) []engine.Choice,
		number func(*redeployment, int) *redeployment) slot[W, T] {
		return slot[W, T]{
			Again: true,
			Next: func(w W, o T) iter.Seq[play.Span[T]] {
				return func(yield func(play.Span[T]) bool) {
					r := refitting(w, o)
					if r == nil {
						return
					}
					for s := range next(r, at(o).clone()) {
						if !yield(play.Span[T]{Value: with(o, s.Value), Low: s.Low, High: s.High}) {
							return
						}
					}
				}
			},
			Says: func(v *View, o T) []engine.Choice { return says(v, at(o).clone()) },
			At:   func(o T, n int) T { return with(o, number(at(o), n)) },
		}
	}
	return []slot[W, T]{one((*refit).nextSpots, (*View).saysSpots, spotAt), one((*refit).nextGroups, (*View).saysGroups, groupAt)}
}

// nextSpots gives what may be said of where units are put: more of the one that was named last, or another
// unit.
func (r *refit) nextSpots(d *redeployment) iter.Seq[play.Span[*redeployment]] {
	return func(yield func(play.Span[*redeployment]) bool) {
		if n := len(d.spots); n > 0 {
			for one := range r.ways(d) {
				if !yield(one) {
					return
				}
			}
			if last := &d.spots[n-1]; last.open() || last.half() {
				return // one is put somewhere before the next is named
			}
		}
		for u := unitID(1); int(u) < len(r.board.Units); u++ {
			if !r.may[u] || d.puts(u) {
				continue
			}
			next := d.clone()
			next.spots = append(next.spots, spot{unit: u, of: r.formationOf(u)})
			if r.completable(next) && !yield(play.Span[*redeployment]{Value: next}) {
				return
			}
		}
	}
}

// ways gives what may be said of where the unit is put that was named last.
func (r *refit) ways(d *redeployment) iter.Seq[play.Span[*redeployment]] {
	s := &d.spots[len(d.spots)-1]
	measure := func(low, high int, say func(*spot, int)) iter.Seq[play.Span[*redeployment]] {
		at := func(n int) *redeployment { return d.with(func(s *spot) { say(s, n) }) }
		return play.Spans(low, high, at, func(n int) bool { return r.can(at(n)) })
	}
	middle, far := r.board.Units[s.unit].At, int(redeployReach*int64(r.board.segment())/ringStep)
	var all []iter.Seq[play.Span[*redeployment]]
	if s.open() {
		all = append(all, measure(0, mostTurn, func(s *spot, n int) { s.turned, s.turn = true, n }),
			measure(1, mostTurn, func(s *spot, n int) { s.turned, s.turn = true, -n }),
			measure(0, 359, func(s *spot, n int) { s.by, s.turned, s.turn = atPlace, true, n }), r.neighbours(d))
	}
	for by := backward; by <= rightward && s.by == inPlace; by++ {
		all = append(all, measure(1, far, func(s *spot, n int) { s.by, s.far = by, length(n)*ringStep }))
	}
	switch {
	case s.open(), s.half() && s.at.X == 0:
		low, high := bounds(middle.X, far)
		all = append(all, measure(low, high, func(s *spot, n int) { s.by, s.at.X = atPlace, int64(n)*ringStep }))
	case s.half():
		low, high := bounds(middle.Y, far)
		all = append(all, measure(low, high, func(s *spot, n int) { s.at.Y = int64(n) * ringStep }))
	}
	return func(yield func(play.Span[*redeployment]) bool) {
		for _, one := range all {
			for span := range one {
				if !yield(span) {
					return
				}
			}
		}
	}
}

// neighbours gives the units at which the unit may be put that was named last.
func (r *refit) neighbours(d *redeployment) iter.Seq[play.Span[*redeployment]] {
	return func(yield func(play.Span[*redeployment]) bool) {
		u := d.spots[len(d.spots)-1].unit
		for _, next := range r.board.standing() {
			for by := behindOf; by <= rightOf && next != u; by++ {
				c := d.with(func(s *spot) { s.by, s.next = by, next })
				if r.can(c) && !yield(play.Span[*redeployment]{Value: c}) {
					return
				}
			}
		}
	}
}

// spotAt is a redeployment in which the number that was said last is another.
func spotAt(d *redeployment, n int) *redeployment {
	return d.with(func(s *spot) {
		switch {
		case s.by > atPlace:
			s.far = length(n) * ringStep
		case s.at.Y != 0:
			s.at.Y = int64(n) * ringStep
		case s.at.X != 0:
			s.at.X = int64(n) * ringStep
		case s.turn < 0:
			s.turn = -n
		default:
			s.turn = n
		}
	})
}

// saysSpots lists where units are put.
func (v *View) saysSpots(d *redeployment) []engine.Choice {
	var all []engine.Choice
	for _, s := range d.spots {
		of := v.unitText(s.unit)
		say := func(what string) { all = append(all, engine.Choice{Of: of, What: what}) }
		number := func(what string, n int) {
			all = append(all, engine.Choice{Of: of, What: what, Measure: true, Value: n})
		}
		say("put")
		switch {
		case !s.turned:
		case s.by == atPlace:
			number("heading", s.turn)
		case s.turn < 0:
			number("turn left", -s.turn)
		default:
			number("turn right", s.turn)
		}
		switch {
		case s.by == atPlace:
			if s.at.X != 0 {
				number("x", int(s.at.X/ringStep))
			}
			if s.at.Y != 0 {
				number("y", int(s.at.Y/ringStep))
			}
		case s.by >= leftOf:
			say("beside " + v.unitText(s.next) + " " + spotWords[s.by-leftOf+leftward])
		case s.by >= behindOf:
			say(spotWords[s.by] + " " + v.unitText(s.next))
		case s.by >= backward:
			number(spotWords[s.by], int(s.far/ringStep))
		}
	}
	return all
}

// nextGroups gives what may be said of formations that are restated: who else is in the last one, or that a
// unit begins another, under the name of its formation or under that with a number.
func (r *refit) nextGroups(d *redeployment) iter.Seq[play.Span[*redeployment]] {
	return func(yield func(play.Span[*redeployment]) bool) {
		moves, _ := r.board.relocations(d.spots)
		after := r.board.regroupedAs(moves, nil)
		with := func(id string, keeps bool, u unitID) *redeployment {
			c := d.clone()
			c.groups = append(c.groups, regroup{id, []unitID{u}, keeps})
			return c
		}
		var last regroup
		if n := len(d.groups) - 1; n >= 0 {
			last = d.groups[n]
		}
		for u := unitID(1); int(u) < len(r.board.Units); u++ {
			if !r.may[u] || d.restates(u) {
				continue
			}
			if meets := func(o unitID) bool { return after.contact(u, o) }; slices.ContainsFunc(last.units, meets) &&
				(u > last.units[0] || r.formationOf(u) != r.formationOf(last.units[0])) {
				next := d.clone()
				next.groups[len(next.groups)-1].units = append(slices.Clone(last.units), u)
				if r.completable(next) && !yield(play.Span[*redeployment]{Value: next}) {
					return
				}
			}
			if len(last.units) > 0 && u < last.units[0] {
				continue
			}
			of := r.formationOf(u)
			if next := with(of, true, u); r.completable(next) && !yield(play.Span[*redeployment]{Value: next}) {
				return
			}
			at := func(n int) *redeployment { return with(of+"-"+strconv.Itoa(n), false, u) }
			free := func(n int) bool {
				id := at(n).groups[len(d.groups)].id
				return !r.files.taken(id) && !slices.ContainsFunc(d.groups, func(one regroup) bool { return one.id == id })
			}
			for span := range play.Spans(2, mostParts, at, free) {
				if r.completable(span.Value) && !yield(span) {
					return
				}
			}
		}
	}
}

// groupAt is a redeployment in which the number behind the name of the last formation is another.
func groupAt(d *redeployment, n int) *redeployment {
	c := d.clone()
	one := &c.groups[len(c.groups)-1]
	one.id = one.id[:strings.LastIndexByte(one.id, '-')+1] + strconv.Itoa(n)
	return c
}

// saysGroups lists the formations that are restated, each by the unit that begins it, and the others in it.
func (v *View) saysGroups(d *redeployment) []engine.Choice {
	var all []engine.Choice
	for _, one := range d.groups {
		first := engine.Choice{Of: v.unitText(one.units[0]), What: "itself"}
		if !one.keeps {
			first.What, first.Measure = "new", true
			first.Value, _ = strconv.Atoi(one.id[strings.LastIndexByte(one.id, '-')+1:])
		}
		all = append(all, first)
		for _, u := range one.units[1:] {
			all = append(all, engine.Choice{Of: one.id, What: "with " + v.unitText(u)})
		}
	}
	return all
}

// can says whether the unit that was named last can be put where it is.
func (r *refit) can(d *redeployment) bool {
	switch s := &d.spots[len(d.spots)-1]; {
	case s.half() && s.at.X != 0:
		_, ok := r.column(d)
		return ok
	case s.half():
		return r.completable(d)
	}
	free, fits := r.stands(d)
	return free || (fits || d.spots[len(d.spots)-1].by == inPlace) && r.completable(d)
}

// stands says whether the unit that was named last finds its place free, and whether it fits there once
// whoever may be redeployed, too, is out of the way.
func (r *refit) stands(d *redeployment) (free, fits bool) {
	moves, fault := r.board.relocations(d.spots)
	if fault != nil {
		return false, false
	}
	m := moves[len(moves)-1]
	if r.board.relocationFault(m) != nil {
		return false, false
	}
	after := *r.board
	r.units = append(r.units[:0], r.board.Units...)
	after.Units = r.units
	for _, x := range moves {
		after.put(x)
	}
	switch h := r.board.hindered(&after, m, moves); {
	case h.clause == "":
		return true, true
	case h.code != overlapping:
		return false, false // whoever gives way is of no help
	}
	for u := unitID(1); int(u) < len(after.Units); u++ {
		if r.may[u] && !d.puts(u) {
			after.Units[u].At = place{X: -geometry.Reach, Y: -geometry.Reach}
		}
	}
	return false, r.board.hindered(&after, m, moves).clause == ""
}

// column finds a place with the millimetres to the east that were said, free if there is one.
func (r *refit) column(d *redeployment) (*redeployment, bool) {
	at := r.board.Units[d.spots[len(d.spots)-1].unit].At
	low, high := bounds(at.Y, int(redeployReach*int64(r.board.segment())/ringStep))
	var cramped []*redeployment
	for y := range outward(low, high) {
		c := d.with(func(s *spot) { s.at.Y = int64(y) * ringStep })
		switch free, fits := r.stands(c); {
		case free:
			return c, true
		case fits:
			cramped = append(cramped, c)
		}
	}
	for _, c := range cramped {
		if r.completable(c) {
			return c, true
		}
	}
	return d, false
}

// completable says whether a redeployment can be completed.
func (r *refit) completable(d *redeployment) bool {
	c := r.complete(d)
	return c != nil && r.legal(c)
}

// complete completes a redeployment, and puts it in order; nil if it finds no way.
func (r *refit) complete(d *redeployment) *redeployment {
	c := d.clone()
	if n := len(c.spots); n > 0 {
		ok := true
		switch s := &c.spots[n-1]; {
		case s.half() && s.at.X != 0:
			c, ok = r.column(c)
		case s.by == inPlace, s.half():
			ok = r.settles(c)
		}
		if !ok || !r.clears(c) {
			return nil
		}
	}
	if !slices.ContainsFunc(c.spots, func(s spot) bool { return s.of == r.first }) &&
		!slices.ContainsFunc(c.groups, func(one regroup) bool {
			return slices.ContainsFunc(one.units, func(u unitID) bool { return r.formationOf(u) == r.first })
		}) && !r.begins(c) {
		return nil
	}
	r.restate(c)
	r.files.inOrder(c)
	return c
}

// begins names a unit of the formation that must be redeployed, and leaves it where it is.
func (r *refit) begins(c *redeployment) bool {
	for _, u := range r.files.formationNamed(r.first).Units {
		c.spots = append(c.spots, spot{unit: u, of: r.first, turned: true})
		if free, _ := r.stands(c); free {
			return true
		}
		c.spots = c.spots[:len(c.spots)-1]
	}
	return false
}

// clears has all give way who stand where others are put.
func (r *refit) clears(c *redeployment) bool {
	for u := r.blocking(c); u != 0; u = r.blocking(c) {
		c.spots = append(c.spots, spot{unit: u, of: r.formationOf(u)})
		if !r.settles(c) {
			return false
		}
	}
	return true
}

// blocking gives a unit that may be redeployed, too, and on which another is put; 0 for none.
func (r *refit) blocking(c *redeployment) unitID {
	moves, _ := r.board.relocations(c.spots)
	after := *r.board
	after.Units = slices.Clone(r.board.Units)
	for _, m := range moves {
		after.put(m)
	}
	for u := unitID(1); int(u) < len(after.Units); u++ {
		if !r.may[u] || c.puts(u) {
			continue
		}
		b := after.body(u)
		for _, m := range moves {
			if o := after.body(m.unit); after.overlap(&b, &o) {
				return u
			}
		}
	}
	return 0
}

// settles puts the unit that was named last where it may stand: where it is, as far as the one before it, or
// to the nearest place of those worth trying.
func (r *refit) settles(c *redeployment) bool {
	i := len(c.spots) - 1
	blank := c.spots[i]
	for s := range r.tries(c, blank) {
		c.spots[i] = s
		free, fits := r.stands(c)
		if free {
			r.lucky = s
			return true
		}
		if next := c.clone(); fits && (s.by != atPlace || blank.by == atPlace) && r.clears(next) {
			*c = *next
			return true
		}
	}
	c.spots[i] = blank
	return false
}

// How many millimetres lie between places that are tried for a unit, on the field and along its own front or
// flank.
const (
	tryStep  = 15
	trySteps = 5
)

// tries gives spots that are worth trying for a unit of which it is said at most how it turns, or looks.
func (r *refit) tries(c *redeployment, blank spot) iter.Seq[spot] {
	own, far := r.board.Units[blank.unit].At, int(redeployReach*int64(r.board.segment())/ringStep)
	return func(yield func(spot) bool) {
		if s := blank; s.by == inPlace {
			if s.turned = true; !yield(s) {
				return
			}
			if l := r.lucky; blank.turned && l.unit == blank.unit && l.by > atPlace {
				if s.by, s.far = l.by, l.far; !yield(s) {
					return
				}
			}
			for by := backward; by <= rightward && blank.turned; by++ {
				for n := trySteps; n <= far; n += trySteps {
					if s.by, s.far = by, length(n)*ringStep; !yield(s) {
						return
					}
				}
			}
			if blank.turned {
				return
			}
		}
		at := func(x, y int64) bool {
			s := blank
			s.by, s.at = atPlace, place{X: x / ringStep * ringStep, Y: y / ringStep * ringStep}
			return !r.board.within(geometry.Point(own), geometry.Point(s.at), redeployReach) || yield(s)
		}
		if l := r.lucky; l.unit == blank.unit && l.by == atPlace && !at(l.at.X, l.at.Y) {
			return
		}
		for _, o := range c.spots {
			if o.unit == blank.unit {
				continue
			}
			if o.by > atPlace && o.by <= rightward && blank.by == inPlace {
				if o.unit, o.of = blank.unit, blank.of; !yield(o) {
					return
				}
			} else if left := r.board.Units[o.unit].At; !at(left.X, left.Y) {
				return
			}
		}
		for x := range outward(-far/tryStep, far/tryStep) {
			for y := range outward(-far/tryStep, far/tryStep) {
				if !at(own.X+int64(x*tryStep)*ringStep, own.Y+int64(y*tryStep)*ringStep) {
					return
				}
			}
		}
	}
}

// restate makes formations of what no longer hangs together, or looks another way.
func (r *refit) restate(c *redeployment) {
	moves, _ := r.board.relocations(c.spots)
	after := r.board.regroupedAs(moves, nil)
	for _, f := range r.board.regrouped(moves, c.groups) {
		rest := *f
		rest.Units = slices.DeleteFunc(slices.Clone(f.Units), c.restates)
		keeps := slices.ContainsFunc(c.groups, func(one regroup) bool { return one.id == f.ID })
		parts := after.whole(rest)
		slices.SortFunc(parts, func(a, b []unitID) int { return int(a[0]) - int(b[0]) })
		for _, part := range parts {
			one := formation{Corps: f.Corps, Units: part}
			if !keeps && (r.board.def(part[0]).corps == f.Corps || after.battery(&one)) {
				keeps = true // these keep the name
				continue
			}
			c.groups = append(c.groups, regroup{id: r.freeName(c, r.formationOf(part[0])), units: part})
		}
	}
}

// freeName is the first name for a part of a formation that nobody has.
func (r *refit) freeName(c *redeployment, of string) string {
	for n := 2; ; n++ {
		id := of + "-" + strconv.Itoa(n)
		if r.board.formationNamed(id) == nil && r.files.formationNamed(id) == nil &&
			!slices.ContainsFunc(c.groups, func(one regroup) bool { return one.id == id }) {
			return id
		}
	}
}
