package mistakes

import (
	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders"
)

// scale is how files measure: millimetres, to the micrometre.
var scale = &play.Scale{Decimals: 3, Reach: reach, Clause: "EM-3.1",
	None: "em.length", Fine: "em.length-fine", Far: "em.length-far", Pair: "em.place-pair"}

// A length is a number of micrometres. Files have millimetres, with at most three decimals.
type length int64

// MarshalPos implements [play.PosMarshaler].
func (l length) MarshalPos(*play.Scribe) *orders.Node { return scale.WriteLength(int64(l)) }

// UnmarshalPos implements [play.PosUnmarshaler].
func (l *length) UnmarshalPos(x *play.Scribe, n *orders.Node) {
	if v, ok := readLength(x.Reader, n); ok {
		*l = length(v)
	}
}

// A place is a point of the field: [630, 250.125] in files.
type place geometry.Point

// MarshalPos implements [play.PosMarshaler].
func (p place) MarshalPos(*play.Scribe) *orders.Node { return scale.WritePoint(geometry.Point(p)) }

// UnmarshalPos implements [play.PosUnmarshaler].
func (p *place) UnmarshalPos(x *play.Scribe, n *orders.Node) {
	if at, ok := scale.ReadPoint(x.Reader, n); ok {
		*p = place(at)
	}
}

// readLength reads millimetres, and refuses what is none, too fine, or longer than any
// field.
func readLength(r *orders.Reader, n *orders.Node) (int64, bool) { return scale.ReadLength(r, n) }

// points gives places as package geometry takes them.
func points(places []place) []geometry.Point {
	all := make([]geometry.Point, len(places))
	for i, p := range places {
		all[i] = geometry.Point(p)
	}
	return all
}
