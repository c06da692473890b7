package napoleon

import (
	"strings"

	"berthier/engine"
	"berthier/engine/sheet"
)

// Inks. They differ in lightness as well as in colour, so that the pictures are readable
// in grey; letters and symbols also tell the armies apart.
const (
	inkWhite  engine.Ink = "#ffffff"
	inkBlack  engine.Ink = "#1d1b18"
	inkCard   engine.Ink = "#fdfaf1" // of panels, boxes and legends
	inkShade  engine.Ink = "#8b8272" // of what is past or beside the point
	inkBurst  engine.Ink = "#f2c230"
	inkSword  engine.Ink = "#4d1410"
	inkMarker engine.Ink = "#ffd84d" // of marks on units
)

// armyInks are the colours of the blocks (NAP-3.1).
var armyInks = [armies]engine.Ink{"#2456a6", "#c0342c", "#2f3033"}

// armyLetters stand before the numbers of a unit's id.
var armyLetters = [armies]string{"F", "A", "P"}

// A brush draws on the sheets of napoleon.
type brush struct{ *sheet.Brush }

func newBrush(marks int) *brush { return &brush{sheet.NewBrush(marks)} }

// swords marks a battle: crossed swords on a burst.
func (b *brush) swords(at engine.Point, radius int) {
	b.Polygon(inkBurst, inkSword, 8, sheet.Burst(at, radius)...)
	d := radius * 52 / 100
	g, h := d*45/100, max(2, radius*22/100) // the guard: how far from the middle, how wide
	for _, side := range [2]int{-1, 1} {
		b.Line(inkSword, 10+radius/2, sheet.At(at.X-side*d, at.Y-d), sheet.At(at.X+side*d, at.Y+d))
		b.Line(inkSword, 10+radius/2, sheet.At(at.X+side*(g+h), at.Y+g-h), sheet.At(at.X+side*(g-h), at.Y+g+h))
	}
}

// symbol draws the arm of a unit in a box: crossed belts for infantry, a sabre
// for cavalry (heavy cavalry half filled), a ball for artillery (on a sabre for
// horse artillery), a star for a leader.
func (b *brush) symbol(r sheet.Box, k kind, ink engine.Ink, width int) {
	x, y := r.X+r.W, r.Y+r.H
	if k == leader {
		b.Polygon(ink, "", 0, sheet.Star(sheet.At(r.X+r.W/2, r.Y+r.H/2+1), r.H*62/100)...)
		return
	}
	if k == heavyCavalry {
		b.Polygon(ink, "", 0, sheet.At(r.X, y), sheet.At(x, r.Y), sheet.At(x, y))
	}
	switch k {
	case infantry:
		b.Line(ink, width, sheet.At(r.X, r.Y), sheet.At(x, y))
		b.Line(ink, width, sheet.At(r.X, y), sheet.At(x, r.Y))
	case lightCavalry, heavyCavalry, horseArtillery:
		b.Line(ink, width, sheet.At(r.X, y), sheet.At(x, r.Y))
	}
	if k.artillery() {
		b.Disc(r.Middle(), max(2, r.H*3/10), ink, "", 0)
	}
	b.Box(r, "", ink, width)
}

// shortID is a unit's id without the letter of its army: "03".
func (s *scenario) shortID(id unitID) string {
	full := s.roster[id].id
	if _, short, ok := strings.Cut(full, "-"); ok {
		return short
	}
	return full
}
