package engine

import "berthier/orders/phrase"

// A Page is a view as a person reads it, before it is put into words: the same
// page becomes plain text, HTML and pictures.
type Page struct {
	Title    phrase.Phrase // "Turn 5: 16 June 1815, midday (French)"
	Sections []Section
}

// A Section is a part of a page with a heading. Its parts come in this order.
type Section struct {
	Heading phrase.Phrase
	Picture *Scene
	Lines   []phrase.Phrase // sentences, each a paragraph
	Tables  []Table
}

// A Table has a head and rows of as many cells.
type Table struct {
	Caption phrase.Phrase
	Head    []Column
	Rows    [][]phrase.Value
}

// A Column of a table.
type Column struct {
	Head  phrase.Phrase
	Right bool // numbers stand to the right
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
