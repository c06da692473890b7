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

// What may be chosen of a formation that is put on the field: its name, its heading, and its units one
// after the other, each with its place in whole millimetres, so that those named so far hang together.

// unsaid is the heading of a formation of which none has been said.
const unsaid = -1

// The name of a new formation is that of one of the set-up, a letter, or that of a corps. All may have a
// number behind them, and the last must.

// nameBases lists what names of new formations of an army may begin with.
func (g *game) nameBases(a army) []string {
	var all []string
	for c := byte('a'); c <= 'z'; c++ {
		all = append(all, string(c))
	}
	for i := range g.corps {
		if g.corps[i].army == a {
			all = append(all, g.corpsBase(corpsID(i+1)))
		}
	}
	for _, f := range g.scenario.formations {
		if f.army == a {
			all = append(all, f.id)
		}
	}
	return all
}

// corpsBase is what the names of formations of a corps begin with: black-IV.
func (s *scenario) corpsBase(c corpsID) string { return strings.ReplaceAll(s.corps[c-1].id, " ", "-") }

// named puts a name together.
func (s *scenario) named(base string, n int) string {
	switch {
	case n == 0:
		return base
	case len(base) == 1:
		return base + strconv.Itoa(n)
	}
	return base + "-" + strconv.Itoa(n)
}

// nameParts takes a name apart; false if it can't be that of a new formation of the army.
func (g *game) nameParts(a army, id string) (base string, n int, ok bool) {
	for _, base := range g.nameBases(a) {
		text, fits := strings.CutPrefix(id, base)
		if !fits {
			continue
		}
		if text == "" {
			return base, 0, !g.numbered(base)
		}
		if len(base) > 1 {
			if text, fits = strings.CutPrefix(text, "-"); !fits {
				continue
			}
		}
		if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= mostParts && strconv.Itoa(n) == text {
			return base, n, true
		}
	}
	return "", 0, false
}

// numbered says whether a name must have a number: that of a corps alone names no formation.
func (g *game) numbered(id string) bool {
	for c := range g.corps {
		if g.corpsBase(corpsID(c+1)) == id {
			return true
		}
	}
	return false
}

// freeNumber is the number behind a name: the one that is said, else none if none is needed, else the
// first that is free.
func (w *entrance) freeNumber(base string, said int) int {
	if said > 0 || !w.board.numbered(base) && !w.board.taken(base) {
		return said
	}
	for n := 1; n <= mostParts; n++ {
		if !w.board.taken(w.board.named(base, n)) {
			return n
		}
	}
	return 0
}

// owner is the army that is placed.
func (w *entrance) owner() army {
	if w.army != noArmy {
		return w.army
	}
	return black
}

// placedBody is what a unit of a formation covers that is put on the field.
func (g *game) placedBody(d *drawnUp, s stationed, heading int) geometry.Body {
	l := unlimbered
	if d.limbered.has(s.unit) {
		l = behind
	}
	return geometry.NewBody(geometry.Piece{Frame: geometry.Frame{At: geometry.Point(s.at), Heading: geometry.Heading(heading)}, Box: g.footprint(g.def(s.unit), l)})
}

// inTouch puts the units of a formation in the order in which they can be chosen: first one that may
// stand alone, then always one that touches one before it; of several the lowest number.
func (v *View) inTouch(d *drawnUp) []stationed {
	left, all := unitsInOrder(d.units), []stationed(nil)
	body := func(s stationed) *geometry.Body {
		b := v.placedBody(d, s, d.heading)
		return &b
	}
	for len(left) > 0 {
		i := slices.IndexFunc(left, func(s stationed) bool {
			if len(all) == 0 {
				return v.Phase == deploying || v.meetsStretch(s.unit, body(s))
			}
			return slices.ContainsFunc(all, func(o stationed) bool { return v.near(body(s), body(o)) })
		})
		i = max(i, 0) // it will be refused
		all = append(all, left[i])
		left = slices.Delete(left, i, i+1)
	}
	return all
}

// meetsStretch says whether a unit of a corps that enters meets its stretch (EM-6.2).
func (s *scenario) meetsStretch(u unitID, b *geometry.Body) bool {
	by := s.stretchOf(s.def(u).corps)
	return by != nil && geometry.OnLine(b, []geometry.Point{geometry.Point(by.from), geometry.Point(by.to)}, int64(s.measures.contact))
}

// nextDrawnUp lists the names that a formation may begin with.
func (w *entrance) nextDrawnUp(yield func(*drawnUp) bool) {
	if len(w.allWaiting()) == 0 {
		return
	}
	for _, base := range w.board.nameBases(w.owner()) {
		if !yield(&drawnUp{base: base, heading: unsaid}) {
			return
		}
	}
}

// allWaiting lists the units that may be placed now.
func (w *entrance) allWaiting() []unitID {
	var all []unitID
	for u := unitID(1); int(u) < len(w.board.Units); u++ {
		if w.waits(u) {
			all = append(all, u)
		}
	}
	return all
}

// drawnUpSlots are what may be said of a formation besides.
var drawnUpSlots = []slot[*entrance, *drawnUp]{
	byNumber("number", 1, mostParts, func(d *drawnUp) int { return d.number }, func(d *drawnUp, n int) *drawnUp {
		c := *d
		c.number = n
		return &c
	}, func(w *entrance, d *drawnUp) bool {
		return !w.board.taken(w.board.named(d.base, d.number)) && w.fits(d)
	}, (*View).drawnUpBase),
	byNumber("heading", 0, 359, func(d *drawnUp) int { return d.heading }, func(d *drawnUp, n int) *drawnUp {
		c := *d
		c.heading = n
		return &c
	}, func(w *entrance, d *drawnUp) bool { return w.fits(d) }, (*View).drawnUpBase),
	{Again: true, Next: (*entrance).nextStationed, Says: (*View).saysStationed, At: stationedAt},
}

// drawnUpBase is the name of a formation without its number.
func (v *View) drawnUpBase(d *drawnUp) string { return d.base }

// with is a formation with one more unit, whose place is not said.
func (d *drawnUp) with(u unitID, limbered bool) *drawnUp {
	c := *d
	c.units = append(slices.Clone(d.units), stationed{unit: u})
	if limbered {
		c.limbered = setOf(append(d.limbered.list(), u))
	}
	return &c
}

// stationedAt gives the unit that was named last another place: more to the north if its millimetres to
// the east are said, else to the east.
func stationedAt(d *drawnUp, n int) *drawnUp {
	c := *d
	c.units = slices.Clone(d.units)
	if at := &c.units[len(c.units)-1].at; at.Y != 0 {
		at.Y = int64(n) * ringStep
	} else {
		at.X = int64(n) * ringStep
	}
	return &c
}

// nextStationed gives what may be said of the units of a formation: where the one that was named last
// stands, else who is there besides.
func (w *entrance) nextStationed(d *drawnUp) iter.Seq[play.Span[*drawnUp]] {
	if i := len(d.units) - 1; i >= 0 && d.units[i].at.Y == 0 {
		lo, hi := w.around(d, i)
		low, high, open := lo.X, hi.X, *d
		open.units = slices.Clone(d.units)
		if d.units[i].at.X != 0 {
			low, high = lo.Y, hi.Y
			open.units[i].at.Y = ringStep // to be said
		}
		return play.Spans(int(low), int(high), func(n int) *drawnUp { return stationedAt(&open, n) }, func(n int) bool { return w.fits(stationedAt(&open, n)) })
	}
	return func(yield func(play.Span[*drawnUp]) bool) {
		for _, u := range w.allWaiting() {
			if !w.mayJoin(d, u) || slices.ContainsFunc(d.units, func(s stationed) bool { return s.unit == u }) {
				continue
			}
			if !yield(play.Span[*drawnUp]{Value: d.with(u, false)}) ||
				w.board.def(u).arm == artillery && !yield(play.Span[*drawnUp]{Value: d.with(u, true)}) {
				return
			}
		}
	}
}

// saysStationed lists the units of a formation with their places.
func (v *View) saysStationed(d *drawnUp) []engine.Choice {
	var all []engine.Choice
	for _, s := range d.units {
		of, what := v.unitText(s.unit), "place"
		if d.limbered.has(s.unit) {
			what = "place limbered"
		}
		all = append(all, engine.Choice{Of: of, What: what})
		if s.at.X != 0 {
			all = append(all, engine.Choice{Of: of, What: "x", Measure: true, Value: int(s.at.X / ringStep)})
		}
		if s.at.Y != 0 {
			all = append(all, engine.Choice{Of: of, What: "y", Measure: true, Value: int(s.at.Y / ringStep)})
		}
	}
	return all
}

// fits says whether a formation of which not everything is said can be completed. What it is called
// makes no difference.
func (w *entrance) fits(d *drawnUp) bool {
	if x := w.tried; x == nil || x.heading != d.heading || x.limbered != d.limbered || !slices.Equal(x.units, d.units) {
		w.tried, w.fitted = d, w.luckily(d)
		if !w.fitted {
			_, w.fitted = w.completed(d)
		}
	}
	return w.fitted
}

// luckily says whether the last place that was found for a unit does for a formation of which not everything is said: mostly it
// does for the next heading, and its millimetres to the north for the next ones to the east. False says nothing.
func (w *entrance) luckily(d *drawnUp) bool {
	c, s := *d, w.lucky
	c.units = slices.Clone(d.units)
	switch i := len(c.units) - 1; {
	case s.at == (place{}) || c.heading == unsaid:
		return false
	case i < 0:
		c.units = []stationed{s}
		lo, hi := w.around(&c, 0)
		return w.waits(s.unit) && inside(s.at, lo, hi) && w.mayStand(&c, 0)
	case c.units[i].at.X == 0 || c.units[i].at.Y != 0 || c.units[i].unit != s.unit:
		return false
	default:
		lo, hi := w.around(&c, i)
		c.units[i].at.Y = s.at.Y
		return inside(c.units[i].at, lo, hi) && w.mayStand(&c, i) && w.gathered(&c)
	}
}

// inside says whether a place lies between two corners in millimetres.
func inside(at place, lo, hi geometry.Point) bool {
	return at.X >= lo.X*ringStep && at.X <= hi.X*ringStep && at.Y >= lo.Y*ringStep && at.Y <= hi.Y*ringStep
}

// whole completes a formation: with a number for its name, a heading, a unit, a place for the last one,
// and if units of several corps are named with all that the Grand Battery lacks (EM-7.10).
func (w *entrance) whole(d *drawnUp) *drawnUp {
	c, _ := w.completed(d)
	return c
}

// completed is the same; false if no place was found. If no heading is said it is the usual one, or if
// nobody can be placed with that the first with which somebody can.
func (w *entrance) completed(d *drawnUp) (*drawnUp, bool) {
	c := *d
	c.number = w.freeNumber(d.base, d.number)
	c.id, c.heading = w.board.named(d.base, c.number), d.heading
	if c.heading != unsaid {
		return &c, w.settles(&c, d)
	}
	for by := range 360 {
		if c.heading = (w.front() + by) % 360; w.settles(&c, d) {
			return &c, true
		}
		if len(d.units) > 0 {
			break
		}
	}
	c.heading = w.front()
	return &c, false
}

// front is how formations look of which nobody says how.
func (w *entrance) front() int {
	switch w.army {
	case blue:
		return 0
	case red:
		return 180
	}
	return entryHeading
}

// settles finds places for the units of a formation that have none.
func (w *entrance) settles(c, d *drawnUp) bool {
	c.units = slices.Clone(d.units)
	if len(c.units) > 0 {
		return w.station(c, len(c.units)-1) && w.gathered(c)
	}
	if w.opened == nil {
		w.opened = map[int][]stationed{}
	}
	first, known := w.opened[c.heading]
	if !known {
		first = w.opens(c)
		w.opened[c.heading] = first
	}
	c.units = first
	return len(first) > 0
}

// opens finds a unit with a place for a formation that has none. Where one finds none, another of its
// corps with as large a piece doesn't, either.
func (w *entrance) opens(d *drawnUp) []stationed {
	c := *d
	type like struct {
		corps corpsID
		box   geometry.Box
	}
	failed := map[like]bool{}
	for _, u := range w.allWaiting() {
		one := like{w.board.def(u).corps, w.board.footprint(w.board.def(u), unlimbered)}
		if failed[one] {
			continue
		}
		if c.units = []stationed{{unit: u}}; w.station(&c, 0) {
			return c.units
		}
		failed[one] = true
	}
	return nil
}

// mayJoin says whether a unit may stand in a formation with others: it is of their corps, or all are of the
// Grand Battery or its corps (EM-7.10, EM-R54).
func (w *entrance) mayJoin(d *drawnUp, u unitID) bool {
	if len(d.units) == 0 || w.board.def(u).corps == w.board.def(d.units[0].unit).corps {
		return true
	}
	battery := w.board.scenario.battery
	of := func(u unitID) bool { return w.board.def(u).corps == battery.corps || slices.Contains(battery.units, u) }
	return of(u) && !slices.ContainsFunc(d.units, func(s stationed) bool { return !of(s.unit) })
}

// gathered adds the units of the Grand Battery that are lacking, if units of several corps are named.
func (w *entrance) gathered(c *drawnUp) bool {
	first := w.board.def(c.units[0].unit).corps
	if !slices.ContainsFunc(c.units, func(s stationed) bool { return w.board.def(s.unit).corps != first }) {
		return true
	}
	for _, u := range w.board.scenario.battery.units {
		if slices.ContainsFunc(c.units, func(s stationed) bool { return s.unit == u }) {
			continue
		}
		if c.units = append(c.units, stationed{unit: u}); !w.waits(u) || !w.station(c, len(c.units)-1) {
			return false
		}
	}
	return true
}

// around are the millimetres between which a unit of a formation may be put: near those before it, and
// the first where the area is, or near the stretch by which its corps enters.
func (w *entrance) around(d *drawnUp, i int) (lo, hi geometry.Point) {
	near := 2 * int64(w.board.measures.tile)
	lo, hi = geometry.Bounds(points(w.outline()))
	clip := func(all []geometry.Point) {
		low, high := geometry.Bounds(all)
		lo = geometry.Point{X: max(lo.X, low.X-near), Y: max(lo.Y, low.Y-near)}
		hi = geometry.Point{X: min(hi.X, high.X+near), Y: min(hi.Y, high.Y+near)}
	}
	if i > 0 {
		var all []geometry.Point
		for _, s := range d.units[:i] {
			all = append(all, geometry.Point(s.at))
		}
		clip(all)
	} else if by := w.board.stretchOf(w.board.def(d.units[0].unit).corps); w.army == noArmy && by != nil {
		clip([]geometry.Point{geometry.Point(by.from), geometry.Point(by.to)})
	}
	mm := func(p geometry.Point) geometry.Point {
		return geometry.Point{X: max(p.X/ringStep, 1), Y: max(p.Y/ringStep, 1)}
	}
	return mm(lo), mm(hi)
}

// station says whether a unit of a formation may stand where it is put, or finds a place for it if it has
// none, or only its millimetres to the east.
func (w *entrance) station(d *drawnUp, i int) bool {
	if w.area == nil {
		area := geometry.NewArea(points(w.outline()))
		w.area = &area
	}
	at := &d.units[i].at
	if at.Y != 0 {
		return w.mayStand(d, i)
	}
	lo, hi := w.around(d, i)
	low, high := int(lo.X), int(hi.X)
	if at.X != 0 {
		low, high = int(at.X/ringStep), int(at.X/ringStep)
	}
	was := *at
	west, east := w.edge(d, i)
	for x := range outward(low, high) {
		if at.X = int64(x) * ringStep; at.X < west || at.X > east {
			continue
		}
		for y := range outward(int(lo.Y), int(hi.Y)) {
			if at.Y = int64(y) * ringStep; w.mayStand(d, i) {
				w.lucky = d.units[i]
				return true
			}
		}
	}
	*at = was
	return false
}

// edge is between which micrometres the first unit of a formation meets the stretch by which its corps
// enters, and lies in the area; for all others there is no bound.
func (w *entrance) edge(d *drawnUp, i int) (west, east int64) {
	by := w.board.stretchOf(w.board.def(d.units[i].unit).corps)
	if i > 0 || w.army != noArmy || by == nil {
		return 0, geometry.Limit
	}
	b := w.board.placedBody(d, stationed{unit: d.units[i].unit}, d.heading)
	near := 2*int64(w.board.measures.contact) + roundings // a corner reaches farther than a side
	return min(by.from.X, by.to.X) - b.Hi.X - near, min(max(by.from.X, by.to.X)-b.Lo.X+near, w.area.Hi.X-b.Hi.X+roundings)
}

// mayStand says whether a unit of a formation may be put there, as far as it hangs on it alone and on those
// before it: the first meets its stretch, each other one touches one before it.
func (w *entrance) mayStand(d *drawnUp, i int) bool {
	g, s := w.board, d.units[i]
	b := g.placedBody(d, s, d.heading)
	touches, far := i == 0, 2*int64(g.measures.tile)
	for _, o := range d.units[:i] {
		if geometry.Dist2(geometry.Point(s.at), geometry.Point(o.at)) > far*far {
			continue // two pieces whose centres are so far apart never meet
		}
		other := g.placedBody(d, o, d.heading)
		if g.overlap(&b, &other) {
			return false
		}
		touches = touches || g.near(&b, &other)
	}
	if !touches || i == 0 && w.army == noArmy && !g.meetsStretch(s.unit, &b) || !geometry.Holds(w.area, &b, 0) {
		return false
	}
	for l := leaderID(1); int(l) < len(g.Leaders); l++ {
		if w.spares(l) && g.covers([]geometry.Body{b}, l) {
			return false
		}
	}
	return g.roomFor(s, &b, w.army == noArmy)
}

// spares says whether no unit may be put on the counter of a leader: he is an enemy, or was placed by the
// same answer.
func (w *entrance) spares(l leaderID) bool {
	return w.board.lead(l).army == blue || slices.Contains(w.posted, l)
}

// roomFor says whether no unit on the field bars what is put on it: none lies there, and if somebody enters
// no enemy engages him.
func (g *game) roomFor(s stationed, b *geometry.Body, enters bool) bool {
	near, meet := g.farthest(), 2*int64(g.measures.tile)
	for u := unitID(1); int(u) < len(g.Units); u++ {
		far := geometry.Dist2(geometry.Point(s.at), geometry.Point(g.Units[u].At))
		if !g.on(u) || far > near*near {
			continue
		}
		if far <= meet*meet { // pieces whose centres are farther apart never meet
			if o := g.body(u); g.overlap(b, &o) {
				return false
			}
		}
		if enters && g.enemies(s.unit, u) {
			if area := g.engagement(u); entered(b, &area) {
				return false
			}
		}
	}
	return true
}
