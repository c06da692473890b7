package hfg

import (
	"slices"

	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/engine/sheet"
)

// A setting is what never changes in a battle: the year, the ground, the commands and the
// elements. It comes whole from a scenario file, or is made piece by piece while two armies
// are prepared by letter. Whoever changes one makes another, for positions share it. Fields
// with a key are written and read by [play.Codec]; complete works out the others.
type setting struct {
	year     int          `pos:"year,required,min=1701,max=1914"` // HFG-3.1
	size     place        `pos:"size,required"`                   // of the field: its north-east corner
	sides    []sideDef    `pos:"sides,required,items=2,most=2,ids=side"`
	areas    []areaDef    `pos:"areas,most=200,ids=area"`
	lines    []lineDef    `pos:"lines,most=200,ids=line"`
	bridges  []bridge     `pos:"bridges,most=50"` // at the start
	fords    []ford       `pos:"fords,most=50"`   // at the start, beside those of roads
	places   []placeDef   `pos:"places,most=99"`
	commands []commandDef `pos:"commands,most=60,ids=command"`
	roster   []elementDef `pos:"elements,most=900,ids=element"`
	seats    []seatDef    `pos:"seats,most=20"` // if a side may have several players

	outlines []geometry.Area    `pos:"-"` // of the areas
	blocks   []geometry.Body    `pos:"-"` // of the areas that are BUA or SP
	crests   [][]point          `pos:"-"` // of the areas that are hills
	codec    func() *play.Codec `pos:"-"` // of positions
	chart    *sheet.Chart       `pos:"-"` // the ground of the picture of the field: empty until it is first drawn
}

// A sideDef is a side with its base edge (HFG-4.1, HFG-4.23).
type sideDef struct {
	id   string `pos:"id,required,name"`
	role role   `pos:"role"`
	base edge   `pos:"base"`
}

// A seatDef is one of several players of a side, with the commands that he leads.
type seatDef struct {
	id       string      `pos:"id,required,name,unique"`
	side     side        `pos:"side,required"`
	commands []commandID `pos:"commands,required,items=1,most=60,unique"`
}

// An areaDef is a piece of terrain with an outline (HFG-1.12).
type areaDef struct {
	id      string  `pos:"id,required,name"`
	kind    ground  `pos:"kind,required"`
	name    string  `pos:"name,name"`
	outline []place `pos:"outline,required,items=3,most=60"`
	slope   slope   `pos:"slope"`         // of a hill
	crest   []place `pos:"crest,most=60"` // of a hill (HFG-4.11)
	// Plateau says that the crest is the rim of a flat top, and so closed.
	plateau bool `pos:"plateau"`
	// Even says that a hill rises evenly from its outline, as those by dice do; else its
	// heights are told by outline and crest (HFG-1.13).
	even bool  `pos:"even"`
	by   side  `pos:"by"`         // who placed it
	from place `pos:"flows_from"` // of a waterway that is a large river: its upstream end
}

// A lineDef is a road, a railway, or a course of water.
type lineDef struct {
	id    string  `pos:"id,required,name"`
	kind  track   `pos:"kind,required"`
	name  string  `pos:"name,name"`
	path  []place `pos:"path,required,items=2,most=200"`
	good  bool    `pos:"good"`     // a paved road (HFG-4.14)
	width length  `pos:"width"`    // of water
	up    bool    `pos:"upstream"` // the path's last point is upstream, not its first (HFG-10.8)
	by    side    `pos:"by"`       // who placed it

	points []point `pos:"-"`
}

// A bridge over water (HFG-10.1).
type bridge struct {
	ID        string `pos:"id,required,name,unique"`
	Over      lineID `pos:"over,required"`
	At        place  `pos:"at,required"`             // where it meets the middle of the water
	Facing    int    `pos:"facing,required,max=359"` // along the bridge, either way
	Temporary bool   `pos:"temporary"`               // made by Pontoneers (HFG-10.5)
}

// A ford that is marked, one element wide (HFG-10.2).
type ford struct {
	Over   lineID `pos:"over,required"`
	At     place  `pos:"at,required"`
	Facing int    `pos:"facing,required,max=359"` // across the water, either way
	Hidden side   `pos:"hidden"`                  // who doesn't know of it yet: it was found where he saw neither who looked nor the place
}

// A placeDef is a name for a point.
type placeDef struct {
	id   string `pos:"id,required,name,unique"`
	name string `pos:"name,name"`
	at   place  `pos:"at,required"`
}

// A commandDef is a command with its general (HFG-3.4).
type commandDef struct {
	id         string      `pos:"id,required,name"`
	name       string      `pos:"name,name"`
	side       side        `pos:"side,required"`
	rank       rank        `pos:"rank,required"`
	under      string      `pos:"under,name"` // the command of his superior; "": the chief's
	allied     bool        `pos:"allied"`     // of another nation than the chief's
	nation     string      `pos:"nation,name"`
	aggression int         `pos:"aggression,min=-9,max=9"` // HFG-4.1, HFG-6.15
	count      int         `pos:"eq,max=999"`              // equivalents, to be checked; 0: unsaid
	arrival    *arrivalDef `pos:"arrival"`                 // of a delayed command (HFG-6.13)

	general  elementID   `pos:"-"` // its staff element; 0: a fleet without a flagship has none
	superior commandID   `pos:"-"` // 0: none
	elements []elementID `pos:"-"` // that are of it at the start
}

// An arrivalDef is how a delayed command comes (HFG-6.13).
type arrivalDef struct {
	road       lineID `pos:"road,required"` // or a railway
	edge       edge   `pos:"edge,required"`
	die        int    `pos:"die,max=6"`              // the least unmodified die; 0: by the edge
	earliest   int    `pos:"earliest_pair,max=99"`   // dice count from this pair on
	historical int    `pos:"historical_pair,max=99"` // of option prussians
}

// An elementDef is the part of an element that never changes. One with neither a place nor
// a piece that it holds isn't on the field at the start.
type elementDef struct {
	id      string    `pos:"id,required,name"`
	command commandID `pos:"command,required"`
	troop   troop     `pos:"type,required"`
	grades  []grade   `pos:"grades,most=3,unique"`
	at      place     `pos:"at"` // the middle of its front edge (HFG-1.3)
	facing  int       `pos:"facing,max=359"`
	holds   areaID    `pos:"holds"`           // the BUA or SP that it garrisons
	what    string    `pos:"stands_for,name"` // for reports (HFG-2.3)

	side side `pos:"-"`
}

// PosNames implements [play.PosNamer].
func (d *sideDef) PosNames() []string { return []string{d.id} }

// PosNames implements [play.PosNamer].
func (d *areaDef) PosNames() []string { return []string{d.id} }

// PosNames implements [play.PosNamer].
func (d *lineDef) PosNames() []string { return []string{d.id} }

// PosNames implements [play.PosNamer].
func (d *commandDef) PosNames() []string { return []string{d.id} }

// PosNames implements [play.PosNamer].
func (d *elementDef) PosNames() []string { return []string{d.id} }

// attacker is the side that attacks (HFG-4.1); none before it is settled.
func (s *setting) attacker() side {
	return side(slices.IndexFunc(s.sides, func(d sideDef) bool { return d.role == attacker }) + 1)
}

// base is the base edge of a side.
func (s *setting) base(of side) edge { return s.sides[of-1].base }

// is says whether an element has a grade.
func (d *elementDef) is(g grade) bool { return slices.Contains(d.grades, g) }

// def is the part of an element that never changes.
func (s *setting) def(e elementID) *elementDef { return &s.roster[e-1] }

// lead is the part of a command that never changes.
func (s *setting) lead(c commandID) *commandDef { return &s.commands[c-1] }

// area is a piece of terrain with an outline.
func (s *setting) area(a areaID) *areaDef { return &s.areas[a-1] }

// outline is an area as package geometry takes it.
func (s *setting) outline(a areaID) *geometry.Area { return &s.outlines[a-1] }

// square says whether an area is a BUA or an SP (HFG-4.16, HFG-6.5).
func (d *areaDef) square() bool { return d.kind == bua || d.kind == strongPoint }

// block is the body of a BUA or an SP, and of whoever defends its edge.
func (s *setting) block(a areaID) geometry.Body { return s.blocks[a-1] }

// blockOf makes a body of the four corners of a rectangle; false if they are none at a
// heading of whole degrees. Its heading is under 90.
func blockOf(p []point) (geometry.Body, bool) {
	if len(p) != 4 {
		return geometry.Body{}, false
	}
	corners := slices.Clone(p)
	if geometry.Side(corners[0], corners[1], corners[2]) > 0 {
		slices.Reverse(corners) // a body's corners run clockwise
	}
	for range corners {
		h := geometry.Toward(corners[0], corners[1]).Plus(-90)
		if h < 90 {
			w, d := geometry.Dist(corners[0], corners[1]), geometry.Dist(corners[1], corners[2])
			f := geometry.Frame{At: corners[0], Heading: h}
			b := geometry.NewBody(geometry.Piece{Frame: geometry.Frame{At: f.World(point{X: w / 2}), Heading: h},
				Box: geometry.Box{U0: -w / 2, V0: -d, U1: w - w/2}})
			for i := range corners {
				if geometry.Dist(corners[i], b.Corner[i]) > 3 {
					return b, false
				}
			}
			return b, true
		}
		corners = append(corners[1:], corners[0])
	}
	return geometry.Body{}, false
}

// line is a road, a railway, or a course of water.
func (s *setting) line(l lineID) *lineDef { return &s.lines[l-1] }

// elementNamed finds an element by its id.
func (s *setting) elementNamed(id string) (elementID, bool) {
	i := slices.IndexFunc(s.roster, func(d elementDef) bool { return d.id == id })
	return elementID(i + 1), i >= 0
}

// areaNamed finds an area by its id.
func (s *setting) areaNamed(id string) (areaID, bool) {
	i := slices.IndexFunc(s.areas, func(d areaDef) bool { return d.id == id })
	return areaID(i + 1), i >= 0
}

// lineNamed finds a line by its id.
func (s *setting) lineNamed(id string) (lineID, bool) {
	i := slices.IndexFunc(s.lines, func(d lineDef) bool { return d.id == id })
	return lineID(i + 1), i >= 0
}

// complete works out what follows from the other fields: it is to be called after any of
// them has changed, in a setting that no position shares yet.
func (s *setting) complete() {
	s.outlines, s.blocks, s.crests = nil, make([]geometry.Body, len(s.areas)), make([][]point, len(s.areas))
	for i := range s.areas {
		s.outlines = append(s.outlines, geometry.NewArea(points(s.areas[i].outline)))
		if s.areas[i].square() {
			s.blocks[i], _ = blockOf(s.outlines[i].P)
		}
		if s.crests[i] = points(s.areas[i].crest); s.areas[i].plateau {
			s.crests[i] = append(s.crests[i], s.crests[i][0])
		}
	}
	for i := range s.lines {
		s.lines[i].points = points(s.lines[i].path)
	}
	for i := range s.commands {
		d := &s.commands[i]
		d.general, d.superior, d.elements = 0, 0, nil
		for j := range s.commands {
			above := &s.commands[j]
			if j != i && above.side == d.side && (above.id == d.under || d.under == "" && above.rank == chief) {
				d.superior = commandID(j + 1)
			}
		}
	}
	for i := range s.roster {
		d := &s.roster[i]
		c := s.lead(d.command)
		d.side = c.side
		c.elements = append(c.elements, elementID(i+1))
		if troops[d.troop].class == staff || d.is(flagship) {
			c.general = elementID(i + 1)
		}
	}
	codec := s.newCodec()
	s.codec, s.chart = func() *play.Codec { return codec }, new(sheet.Chart)
}
