package mistakes

import (
	"errors"

	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// decimals is how finely files measure: millimetres, to the micrometre.
const decimals = 3

// A length is a number of micrometres. Files have millimetres, with at most three decimals.
type length int64

// MarshalPos implements [play.PosMarshaler].
func (l length) MarshalPos(*play.Scribe) *orders.Node {
	return orders.Text(geometry.WriteLength(int64(l), decimals))
}

// UnmarshalPos implements [play.PosUnmarshaler].
func (l *length) UnmarshalPos(x *play.Scribe, n *orders.Node) {
	if v, ok := readLength(x.Reader, n); ok {
		*l = length(v)
	}
}

// A place is a point of the field: [630, 250.125] in files.
type place geometry.Point

// MarshalPos implements [play.PosMarshaler].
func (p place) MarshalPos(*play.Scribe) *orders.Node {
	return orders.Texts(geometry.WriteLength(p.X, decimals), geometry.WriteLength(p.Y, decimals))
}

// UnmarshalPos implements [play.PosUnmarshaler].
func (p *place) UnmarshalPos(x *play.Scribe, n *orders.Node) {
	items := x.List(n)
	if len(items) != 2 {
		if n.Kind == orders.List {
			x.Refuse(n, "", phrase.Say("em.place-pair"))
		}
		return
	}
	a, first := readLength(x.Reader, items[0])
	b, second := readLength(x.Reader, items[1])
	if first && second {
		*p = place{X: a, Y: b}
	}
}

// readLength reads millimetres, and refuses what is none, too fine, or longer than any
// field.
func readLength(r *orders.Reader, n *orders.Node) (int64, bool) {
	text, ok := r.Text(n)
	if !ok {
		return 0, false
	}
	v, err := geometry.ReadLength(text, decimals)
	switch {
	case errors.Is(err, geometry.ErrTooFine):
		r.Refuse(n, "EM-3.1", phrase.Say("em.length-fine", phrase.Literal("text", text), phrase.Number("decimals", decimals)))
	case err == nil && v > -reach && v < reach:
		return v, true
	case err == nil, errors.Is(err, geometry.ErrTooLong):
		r.Refuse(n, "EM-3.1", phrase.Say("em.length-far", phrase.Literal("text", text)))
	default:
		r.Refuse(n, "EM-3.1", phrase.Say("em.length", phrase.Literal("text", text)))
	}
	return 0, false
}

// points gives places as package geometry takes them.
func points(places []place) []geometry.Point {
	all := make([]geometry.Point, len(places))
	for i, p := range places {
		all[i] = geometry.Point(p)
	}
	return all
}
