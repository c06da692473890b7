package mistakes

import (
	"math/rand/v2"
	"slices"

	"berthier/engine/geometry"
)

// Units that nobody has placed enter in columns; who plays by chance may place some by themselves.

// The packing of [entrance.columns]: how many tiles stand behind each other, in which heading.
const (
	columnDepth  = 3
	entryHeading = 270
)

// columns places what nobody has placed: tiles in columns with their rear at the edge, from the
// south northwards, then each gun by itself; what finds no place waits (stop EM-S3). It gives the
// first of each column.
func (w *entrance) columns() (heads []unitID) {
	for _, c := range w.board.Entering {
		heads = append(heads, w.columnsOf(c)...)
	}
	return heads
}

// join attaches the leaders that nobody has placed: the general to the first of the first column,
// the commander-in-chief to that of the second (stop EM-S3).
func (w *entrance) join(heads []unitID) {
	for _, l := range w.arriving() {
		tries := heads
		if w.board.lead(l).role == commander && len(heads) > 1 {
			tries = append(slices.Clone(heads[1:]), heads[0])
		}
		if !slices.ContainsFunc(tries, func(u unitID) bool { return w.put(posting{leader: l, does: attaches, to: u}) }) {
			w.arrive(l)
		}
	}
}

// arrive places a leader who finds no unit: nearest to the middle of the area.
func (w *entrance) arrive(l leaderID) {
	lo, hi := geometry.Bounds(points(w.outline()))
	middle := geometry.Point{X: (lo.X + hi.X) / 2, Y: (lo.Y + hi.Y) / 2}
	if at, ok := geometry.Rings(middle, ringStep, geometry.Reach/2, w.admits); ok {
		w.put(posting{leader: l, does: goes, at: place(at)})
	}
}

// columnsOf places the units of a corps, and gives the first of each column.
func (w *entrance) columnsOf(c corpsID) (heads []unitID) {
	g, s := w.board, w.board.stretchOf(c)
	tile, counter := int64(g.measures.tile), int64(g.measures.counter)
	south, north := min(s.from.Y, s.to.Y), max(s.from.Y, s.to.Y)
	at := south + tile/2
	var tiles [armWide][]unitID
	for _, u := range g.waiting(c) {
		tiles[g.def(u).arm] = append(tiles[g.def(u).arm], u)
	}
	last := int64(-1)
	for _, of := range [][]unitID{tiles[infantry], tiles[cavalry]} {
		for column := range slices.Chunk(of, columnDepth) {
			put := func(y int64) *drawnUp {
				d := &drawnUp{id: g.newID(c), heading: entryHeading}
				for i, u := range column {
					d.units = append(d.units, stationed{u, place{X: g.size.X - tile/2 - int64(i)*tile, Y: y}})
				}
				return d
			}
			if y, ok := w.northward(at, north, put); ok {
				heads, last, at = append(heads, column[0]), y, y+tile+ringStep
			}
		}
	}
	at = south + counter/2
	if last >= 0 {
		at = last + tile/2 + counter/2 + 3*ringStep/2
	}
	for _, u := range tiles[artillery] {
		put := func(y int64) *drawnUp {
			return &drawnUp{id: g.newID(c), heading: entryHeading, units: []stationed{{u, place{X: g.size.X - counter - counter/2, Y: y}}}, limbered: setOf([]unitID{u})}
		}
		if y, ok := w.northward(at, north, put); ok {
			at = y + counter + ringStep
		}
	}
	return heads
}

// armWide is how long lists by arm are: index 0 is unused.
const armWide = artillery + 1

// northward tries places from a height northwards, a millimetre at a time.
func (w *entrance) northward(from, to int64, put func(y int64) *drawnUp) (int64, bool) {
	for y := from; y <= to; y += ringStep {
		if w.put(put(y)) {
			return y, true
		}
	}
	return 0, false
}

// fresh is a formation of a corps to be put on the field, with a name that is free.
func (g *game) fresh(c corpsID, heading int, units ...stationed) *drawnUp {
	d := &drawnUp{id: g.newID(c), heading: heading, units: units}
	d.base, d.number, _ = g.nameParts(g.army(c), d.id)
	return d
}

// newID is a name for a formation that enters.
func (g *game) newID(c corpsID) string {
	for n := 1; ; n++ {
		if id := g.named(g.corpsBase(c), n); g.formationNamed(id) == nil {
			return id
		}
	}
}

// straggle places some units of a corps by chance, each by itself.
func (w *entrance) straggle(x *draft[*entrance], c corpsID, chance *rand.Rand) {
	s := w.board.stretchOf(c)
	south, north := min(s.from.Y, s.to.Y), max(s.from.Y, s.to.Y)
	for _, u := range w.board.waiting(c) {
		if chance.IntN(3) > 0 {
			continue
		}
		at := place{X: w.board.size.X - int64(15+chance.IntN(8))*ringStep, Y: south/ringStep*ringStep + chance.Int64N(north-south)/ringStep*ringStep}
		x.Try("formations", w.board.fresh(c, chance.IntN(360), stationed{u, at}))
	}
}
