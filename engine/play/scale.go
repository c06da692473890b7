package play

import (
	"errors"

	"berthier/engine/geometry"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A Scale is how finely the files of a ruleset measure, and what they are told where they
// measure otherwise.
type Scale struct {
	Decimals int    // that a length may have
	Reach    int64  // no length is as long
	Clause   string // of the rules
	// What is said of a text that is no length, of one that is too fine, of one that is too
	// long, and of what should be a pair of lengths.
	None, Fine, Far, Pair string
}

// ReadLength reads a length, and refuses what is none, too fine, or longer than any field.
func (s *Scale) ReadLength(r *orders.Reader, n *orders.Node) (int64, bool) {
	text, ok := r.Text(n)
	if !ok {
		return 0, false
	}
	v, err := geometry.ReadLength(text, s.Decimals)
	switch {
	case errors.Is(err, geometry.ErrTooFine):
		r.Refuse(n, s.Clause, phrase.Say(s.Fine, phrase.Literal("text", text), phrase.Number("decimals", s.Decimals)))
	case err == nil && v > -s.Reach && v < s.Reach:
		return v, true
	case err == nil, errors.Is(err, geometry.ErrTooLong):
		r.Refuse(n, s.Clause, phrase.Say(s.Far, phrase.Literal("text", text)))
	default:
		r.Refuse(n, s.Clause, phrase.Say(s.None, phrase.Literal("text", text)))
	}
	return 0, false
}

// ReadPoint reads a place, [x, y].
func (s *Scale) ReadPoint(r *orders.Reader, n *orders.Node) (geometry.Point, bool) {
	items := r.List(n)
	if len(items) != 2 {
		r.Refuse(n, "", phrase.Say(s.Pair))
		return geometry.Point{}, false
	}
	x, first := s.ReadLength(r, items[0])
	y, second := s.ReadLength(r, items[1])
	return geometry.Point{X: x, Y: y}, first && second
}

// WriteLength writes a length as [Scale.ReadLength] reads it.
func (s *Scale) WriteLength(n int64) *orders.Node {
	return orders.Text(geometry.WriteLength(n, s.Decimals))
}

// WritePoint writes a place as [Scale.ReadPoint] reads it.
func (s *Scale) WritePoint(p geometry.Point) *orders.Node {
	return orders.Texts(geometry.WriteLength(p.X, s.Decimals), geometry.WriteLength(p.Y, s.Decimals))
}
