package engine

import (
	"fmt"

	"berthier/orders/phrase"
)

// A Page is a view as a person reads it, before it is put into words: the same
// page becomes plain text, HTML and pictures.
type Page struct {
	Title    phrase.Phrase // "Turn 5: 16 June 1815, midday (French)"
	Sections []Section
	// Stood is where each piece on the field stands, by names of spots ([Scene.Spots]) or of
	// places of a measured field ([Place]), if events don't tell from where pieces move: the next report must know.
	Stood map[string]string `json:",omitempty"`
	// Looks is how each of these pieces is turned, in degrees, where that counts. It is for who compares two positions,
	// and is not kept.
	Looks map[string]int `json:"-"`
}

// A Section is a part of a page with a heading. Its parts come in this order.
//
// A page is whole. Of what a section shows, a report says as much as Told and Gist say;
// the whole goes with it as an attachment.
type Section struct {
	Heading phrase.Phrase
	Picture *Scene
	Lines   []phrase.Phrase // sentences, each a paragraph
	Tables  []Table
	// Told is how much of the section reports tell.
	Told Told `json:",omitempty"`
	// Gist is what a report says in place of the lines and tables, each a line. Where there
	// is a picture, it says what the picture shows, to those who see none.
	Gist []phrase.Phrase `json:",omitempty"`
}

// Told is how much of a section reports tell.
type Told string

// How much of a section reports tell.
const (
	Always  Told = ""        // all of it, each time
	Changes Told = "changes" // only what has changed since the last report to the side
	Once    Told = "once"    // all of it, in the first report alone: it never changes
	Apart   Told = "apart"   // nothing: it stands in the attachment
)

// A Table has a head and rows of as many cells. A row whose first cell is empty is about
// the same thing as the row above it.
type Table struct {
	Caption phrase.Phrase
	Head    []Column
	Rows    [][]phrase.Value
	Quiet   bool `json:",omitempty"` // reports don't tell what changes in it
}

// A Column of a table.
type Column struct {
	Head  phrase.Phrase
	Right bool // numbers stand to the right
	Quiet bool `json:",omitempty"` // reports don't tell what changes in it
}

// A Scene is a picture as marks on a sheet, drawn in their order. Units are
// whole numbers; y grows downwards.
type Scene struct {
	Name   string        // file name without ending: "map", "ligny"
	Alt    phrase.Phrase // what it shows, for people who can't see it
	Width  int
	Height int
	Paper  Ink    // colour of the sheet
	Ground []Mark // what never changes in a game: drawn once and kept
	Marks  []Mark // what stands on it now
	// Foot is how much of the height lies below the ground: lists and legends that come and go.
	Foot int `json:",omitempty"`

	// What follows is for who draws on the scene, and is not kept with it.

	About  string          `json:"-"` // the place that it shows from near; "": it shows all of them
	Spots  map[string]Spot `json:"-"` // where things are on it, each by a name that traces call it by
	Names  []Name          `json:"-"` // of places: nothing stands over them
	Blocks []Box           `json:"-"` // of what stands on it: counters, and cards of counters
	Below  int             `json:"-"` // how many of the marks lie below what stands on it
	Scale  *Scale          `json:"-"` // where the places of a measured field are on it; nil: places have names
}

// A Scale says where a measured field lies on a scene. The field's y grows upwards.
type Scale struct {
	West, North int64 // the field's measures at the upper left corner of Frame
	Unit        int64 // the field's measure of one unit of the sheet
	Frame       Box   // the part of the sheet that shows the field
}

// At is where a place of the field is on the sheet.
func (s *Scale) At(x, y int64) Point {
	return Point{s.Frame.X + int(toNearest(x-s.West, s.Unit)), s.Frame.Y + int(toNearest(s.North-y, s.Unit))}
}

// Shows tells whether a point of the sheet lies in the field.
func (s *Scale) Shows(p Point) bool {
	f := s.Frame
	return p.X >= f.X && p.Y >= f.Y && p.X <= f.X+f.W && p.Y <= f.Y+f.H
}

// Place is the name of a place of the field, as [Page.Stood] and [Trace.Way] have it.
func Place(x, y int64) string { return fmt.Sprintf("(%d %d)", x, y) }

// PlaceOf reads what [Place] has written.
func PlaceOf(name string) (x, y int64, ok bool) {
	n, _ := fmt.Sscanf(name, "(%d %d)", &x, &y)
	return x, y, n == 2
}

// Spot finds a place of the field by its name, if the scene shows it.
func (s *Scale) Spot(name string) (Spot, bool) {
	x, y, ok := PlaceOf(name)
	if !ok {
		return Spot{}, false
	}
	p := s.At(x, y)
	return Spot{Box: Box{X: p.X, Y: p.Y}.Grown(placeSize / 2)}, s.Shows(p)
}

// placeSize is how large the spot of a place is.
const placeSize = 20

// toNearest divides, to the nearest whole number.
func toNearest(a, b int64) int64 {
	if a < 0 {
		return -((-a + b/2) / b)
	}
	return (a + b/2) / b
}

// A Name is where the name of a place is written on a scene.
type Name struct {
	Box
	Label Mark // of the ground, to be written again over what crosses it; no shape: it lies over all
}

// A Spot is where something is on a scene.
type Spot struct {
	Box
	Taken bool // of a place: something stands there now
}

// A Mark is one thing drawn.
type Mark struct {
	Shape  Shape
	Points []Point // corners, or the two ends, or the middle
	Radius int     // of a disc
	Fill   Ink     // of areas and text; "" leaves it open
	Stroke Ink     // of lines and edges; of a label it is the rim around the letters; "" draws none
	Width  int     // of lines, and how far a label's rim reaches, in tenths
	Dash   int     // length of dashes, 0 for a whole line
	Text   phrase.Value
	Size   int    // of text
	Bold   bool   // of text
	Anchor Anchor // of text
}

// A Box is an upright rectangle: its upper left corner, its width and height.
type Box struct{ X, Y, W, H int }

// Grown is the box with a margin on all sides; a negative margin shrinks it.
func (r Box) Grown(by int) Box { return Box{r.X - by, r.Y - by, r.W + 2*by, r.H + 2*by} }

// Middle is the point in the middle.
func (r Box) Middle() Point { return Point{r.X + r.W/2, r.Y + r.H/2} }

// Common is the area that two boxes share.
func (r Box) Common(s Box) int {
	w := min(r.X+r.W, s.X+s.W) - max(r.X, s.X)
	h := min(r.Y+r.H, s.Y+s.H) - max(r.Y, s.Y)
	if w <= 0 || h <= 0 {
		return 0
	}
	return w * h
}

// A Point of a scene.
type Point struct{ X, Y int }

// Shape tells what a mark is.
type Shape string

// Shapes of marks.
const (
	Polygon Shape = "polygon" // three or more points
	Line    Shape = "line"    // two or more points
	Curve   Shape = "curve"   // a line that bends smoothly through its points
	Disc    Shape = "disc"    // one point and a radius
	Label   Shape = "label"   // one point and a text, in the middle of its height
)

// Anchor tells on which side of its point a text stands.
type Anchor string

// Anchors of text.
const (
	Middle Anchor = ""
	Start  Anchor = "start" // the point is at the left end
	End    Anchor = "end"   // the point is at the right end
)

// An Ink is a colour, as "#rrggbb".
type Ink string
