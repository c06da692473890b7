package hfg

import (
	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders"
)

// pace is how many units a pace has (HFG-1.1).
const pace = 100

// reach bounds every coordinate and every length of a file.
const reach = geometry.Reach / 2

// scale is how files measure: paces, to the hundredth (HFG-1.1).
var scale = &play.Scale{Decimals: 2, Reach: reach, Clause: "HFG-1.1",
	None: "hfg.length", Fine: "hfg.length-fine", Far: "hfg.length-far", Pair: "hfg.place-pair"}

// point is a place of the field, or a vector.
type point = geometry.Point

// A length is a number of units. Files have paces, with at most two decimals.
type length int64

// MarshalPos implements [play.PosMarshaler].
func (l length) MarshalPos(*play.Scribe) *orders.Node { return scale.WriteLength(int64(l)) }

// UnmarshalPos implements [play.PosUnmarshaler].
func (l *length) UnmarshalPos(x *play.Scribe, n *orders.Node) {
	if v, ok := scale.ReadLength(x.Reader, n); ok {
		*l = length(v)
	}
}

// A place is a point of the field: [5616, 4537.25] in files.
type place geometry.Point

// MarshalPos implements [play.PosMarshaler].
func (p place) MarshalPos(*play.Scribe) *orders.Node { return scale.WritePoint(point(p)) }

// UnmarshalPos implements [play.PosUnmarshaler].
func (p *place) UnmarshalPos(x *play.Scribe, n *orders.Node) {
	if at, ok := scale.ReadPoint(x.Reader, n); ok {
		*p = place(at)
	}
}

// points gives places as package geometry takes them.
func points(places []place) []point {
	all := make([]point, len(places))
	for i, p := range places {
		all[i] = point(p)
	}
	return all
}

// places gives points as files write them.
func places(points []point) []place {
	all := make([]place, len(points))
	for i, p := range points {
		all[i] = place(p)
	}
	return all
}
