package hfg

import (
	"regexp"
	"slices"
	"strings"

	"berthier/engine/geometry"
)

// Chapter 4: the ground that is made piece by piece. This file has what is ordered: kinds of
// pieces, their sizes, and the six sections of the field's edge.

// A pieceKind is what is placed as a piece of terrain, in the order in which pieces are placed
// (HFG-4.5, HFG-R14). Of streams that run between the long edges one may be made a river; in
// dry climates the others are gullies.
type pieceKind int8

const (
	waterwayPiece pieceKind = iota + 1
	riverPiece
	streamPiece
	marshPiece
	hillPiece
	roadPiece
	railwayPiece
	buaPiece
	woodPiece
	slowPiece
	pieceKindsEnd // how long lists by kind are: index 0 is unused
)

// pieceWords are the kinds as files write them.
var pieceWords = []string{"", "waterway", "river", "stream", "marsh", "hill", "road", "railway", "bua", "wood", "slow-going"}

// String gives the word of files.
func (k pieceKind) String() string { return pieceWords[k] }

// pieceName is how pieces are called, such as hill-2. Elements are called otherwise.
var pieceName = regexp.MustCompile(`^(?:` + strings.Join(pieceWords[1:], "|") + `|gully|strong-point)-[0-9]+$`)

// Bounds of how many pieces there are (HFG-4.3).
const (
	mostOfKind    = 6
	squareMiles   = 9 // to these belong so many pieces:
	leastPieces   = 4
	mostPieces    = 6
	mostBig       = 2 // of them larger than bigPiece in every direction
	bigPiece      = 1000
	mile          = 2000
	leastRoads    = 2
	leastBUA      = 2
	attackerLays  = 2   // HFG-4.4
	pieceGap      = 400 // between two area pieces, or none (HFG-4.4)
	railwaysSince = 1859
)

// A pieceDef is what the rules say of a kind of piece.
type pieceDef struct {
	clause      string
	ground      ground // of an area
	track       track  // of a line
	dice        int    // that settle its place (HFG-4.5)
	least, most int    // paces each way; of a waterway how far it reaches
	narrow      int    // the most of its lesser extent; 0: as most
	atMost      int    // so many in a game (HFG-4.3)
}

// pieceDefs by kind.
var pieceDefs = [pieceKindsEnd]pieceDef{
	waterwayPiece: {clause: "HFG-4.6", ground: waterway, dice: 1, least: 600, most: 2000, atMost: 1},
	riverPiece:    {clause: "HFG-4.8", track: river, dice: 2, least: 100, most: 400, atMost: 1},
	streamPiece:   {clause: "HFG-4.7", track: stream, dice: 2, atMost: mostOfKind},
	marshPiece:    {clause: "HFG-4.10", ground: marsh, dice: 1, least: 100, most: 3000, narrow: 500, atMost: mostOfKind},
	hillPiece:     {clause: "HFG-4.11", ground: hill, dice: 1, least: 500, most: 4000, atMost: mostOfKind},
	roadPiece:     {clause: "HFG-4.14", track: road, dice: 2, atMost: mostOfKind},
	railwayPiece:  {clause: "HFG-4.15", track: railway, dice: 1, atMost: 1},
	buaPiece:      {clause: "HFG-4.16", ground: bua, dice: 1, least: 500, most: 600, atMost: mostOfKind},
	woodPiece:     {clause: "HFG-4.20", ground: wood, dice: 1, least: 500, most: 3000, atMost: mostOfKind},
	slowPiece:     {clause: "HFG-4.21", ground: slowGoing, dice: 1, least: 500, most: 3000, atMost: mostOfKind},
}

// area says whether a kind is an area piece: gaps between these are judged, and they count as
// big ones (HFG-4.3, HFG-4.4). A waterway is none.
func (k pieceKind) area() bool { return pieceDefs[k].ground != 0 && k != waterwayPiece }

// line says whether a kind is a line.
func (k pieceKind) line() bool { return pieceDefs[k].track != 0 }

// streamWidth is how wide streams and gullies are, in paces (HFG-4.7).
const streamWidth = 100

// A terrainPiece is a piece of terrain that a side has ordered.
type terrainPiece struct {
	Kind    pieceKind `pos:"kind,required"`
	By      side      `pos:"by,required"`
	Size    []int     `pos:"size,most=2,max=4000,flow"` // paces, long and deep; of a waterway how far it reaches; of a river its width
	Outline []place   `pos:"outline,most=60"`           // of an area that isn't ordered by its size, about its middle
	Slope   slope     `pos:"slope"`                     // of a hill
	Good    bool      `pos:"good"`                      // a road (HFG-4.14)
	Bridges bool      `pos:"bridges"`                   // a road has bridges where it crosses water
	Up      bool      `pos:"upstream_last"`             // of a river: upstream is the section of the second die (HFG-10.8)
	Source  place     `pos:"source"`                    // of a waterway that is a large river: its upstream end, on the edge of the field
	Any     bool      `pos:"anywhere"`                  // where: first-legal
	Where   []wish    `pos:"where,most=42"`             // by what the dice may show
}

// A wish is where a piece is to stand if the dice show a section, or of a line two: w, w-ne.
type wish struct {
	For    string `pos:"for,name"`
	Siting siting `pos:"siting"`
}

// A siting is a place that may be said for a piece. Of an area it is its middle and its facing;
// of a line its ends, which may be left out, and the points between them.
type siting struct {
	At     place   `pos:"at"`
	Facing int     `pos:"facing,max=359"`
	From   place   `pos:"from"`
	To     place   `pos:"to"`
	Bends  []place `pos:"bends,most=30"`
}

// extent is how long and how deep an area piece is, in its own frame.
func (p *terrainPiece) extent() (long, deep int64) {
	if len(p.Outline) > 0 {
		lo, hi := geometry.Bounds(points(p.Outline))
		return hi.X - lo.X, hi.Y - lo.Y
	}
	switch len(p.Size) {
	case 0:
		return 0, 0
	case 1:
		return int64(p.Size[0]) * pace, int64(p.Size[0]) * pace
	}
	return int64(p.Size[0]) * pace, int64(p.Size[1]) * pace
}

// big says whether a piece counts as one of the big ones (HFG-4.3).
func (p *terrainPiece) big() bool {
	long, deep := p.extent()
	return p.Kind.area() && min(long, deep) > bigPiece*pace
}

// A section is one of six parts of the field's edge: the short sides, and the halves of the
// long ones (HFG-4.2).
type section int8

const (
	sectionW section = iota + 1
	sectionNW
	sectionNE
	sectionE
	sectionSE
	sectionSW
	sectionsEnd // how long lists by section are: index 0 is unused
)

// sectionWords are the sections as files write them.
var sectionWords = []string{"", "w", "nw", "ne", "e", "se", "sw"}

// String gives the word of files.
func (s section) String() string { return sectionWords[s] }

// A numbering says which section a die shows: index 0 is unused (HFG-4.2).
type numbering [sectionsEnd]section

// usualNumbering is that of the rules.
var usualNumbering = numbering{0, sectionW, sectionNW, sectionNE, sectionE, sectionSE, sectionSW}

// ends are the ends of a section, the western or the southern one first.
func (s section) ends(size place) (a, b point) {
	half := size.X / 2
	switch s {
	case sectionW:
		return point{}, point{Y: size.Y}
	case sectionE:
		return point{X: size.X}, point(size)
	case sectionNW:
		return point{Y: size.Y}, point{X: half, Y: size.Y}
	case sectionNE:
		return point{X: half, Y: size.Y}, point(size)
	case sectionSW:
		return point{}, point{X: half}
	}
	return point{X: half}, point{X: size.X}
}

// edge is the edge of the field that a section is of.
func (s section) edge() edge {
	switch s {
	case sectionW:
		return west
	case sectionE:
		return east
	case sectionNW, sectionNE:
		return north
	}
	return south
}

// long says whether a section is half of a long edge.
func (s section) long() bool { return s.edge() == north || s.edge() == south }

// middle is the middle of a section.
func (s section) middle(size place) point {
	a, b := s.ends(size)
	return point{X: (a.X + b.X) / 2, Y: (a.Y + b.Y) / 2}
}

// inward is the step of so many units from a section into the field.
func (s section) inward(n int64) point {
	return geometry.Step(geometry.Heading((s.edge().outward()+180)%360), n)
}

// along is the step of so many units along a section, to the east or to the north.
func (s section) along(n int64) point {
	if s.long() {
		return point{X: n}
	}
	return point{Y: n}
}

// has says whether a point lies on a section.
func (s section) has(p point, size place) bool {
	a, b := s.ends(size)
	return p.X >= a.X && p.X <= b.X && p.Y >= a.Y && p.Y <= b.Y
}

// across is the point of the opposite edge that lies straight across from a point of the edge.
func (s section) across(p point, size place) point {
	switch s.edge() {
	case west:
		return point{X: size.X, Y: p.Y}
	case east:
		return point{Y: p.Y}
	case north:
		return point{X: p.X}
	}
	return point{X: p.X, Y: size.Y}
}

// nearest says whether a section is nearer to a figure than every other section (HFG-4.5).
func (s section) nearest(f geometry.Figure, size place) bool {
	distance := func(s section) int64 {
		a, b := s.ends(size)
		return geometry.Distance(f, geometry.Figure{P: []point{a, b}})
	}
	own := distance(s)
	for other := sectionW; other < sectionsEnd; other++ {
		if other != s && distance(other) <= own {
			return false
		}
	}
	return true
}

// pieceOrder puts pieces in the order in which they are placed: by kind, and of one kind the
// defender's first (HFG-4.4, HFG-4.5).
func pieceOrder(all []terrainPiece, defends side) []terrainPiece {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b terrainPiece) int {
		if a.Kind != b.Kind {
			return int(a.Kind.turn() - b.Kind.turn())
		}
		switch {
		case a.By == b.By:
			return 0
		case a.By == defends:
			return -1
		}
		return 1
	})
	return all
}

// turn is when pieces of a kind are placed: a river is a stream that is converted.
func (k pieceKind) turn() pieceKind {
	if k == riverPiece {
		return streamPiece
	}
	return k
}
