package geometry

// cross gives the cross product of the vectors from a to b and from c to d: positive
// if the second points to the left of the first.
func cross(a, b, c, d Point) int64 {
	return (b.X-a.X)*(d.Y-c.Y) - (b.Y-a.Y)*(d.X-c.X)
}

// dot gives the dot product of the vectors from a to b and from c to d.
func dot(a, b, c, d Point) int64 {
	return (b.X-a.X)*(d.X-c.X) + (b.Y-a.Y)*(d.Y-c.Y)
}

// Dist2 gives the square of the distance of two points.
func Dist2(p, q Point) int64 { return dot(p, q, p, q) }

// Dist gives the distance of two points, to the nearest whole number.
func Dist(p, q Point) int64 { return Root(Dist2(p, q)) }

// Side says on which side of the line from a to b a point lies: 1 is left, -1 right,
// 0 on the line.
func Side(a, b, p Point) int { return sign(cross(a, b, a, p)) }

// DistSegment gives the distance from p to the segment from a to b, to the nearest
// whole number.
func DistSegment(p, a, b Point) int64 {
	k, whole := dot(a, b, a, p), Dist2(a, b)
	switch {
	case k <= 0:
		return Dist(p, a)
	case k >= whole:
		return Dist(p, b)
	}
	return abs(DivRoot(cross(a, b, a, p), whole))
}

// Leg gives where p lies as seen from a towards b, which is another point: how far
// along that line, and how far across it, to the right. It is for corridors and lanes, and
// the only frame whose heading need not be a whole degree.
func Leg(a, b, p Point) (along, across int64) {
	whole := Dist2(a, b)
	return DivRoot(dot(a, b, a, p), whole), DivRoot(-cross(a, b, a, p), whole)
}

// Crosses says whether two segments cross properly: each has the other's ends on its
// two sides.
func Crosses(a, b, c, d Point) bool {
	return Side(a, b, c)*Side(a, b, d) < 0 && Side(c, d, a)*Side(c, d, b) < 0
}

// Meet says whether two segments have any point in common. A segment may be a point.
func Meet(a, b, c, d Point) bool {
	if max(a.X, b.X) < min(c.X, d.X) || max(c.X, d.X) < min(a.X, b.X) ||
		max(a.Y, b.Y) < min(c.Y, d.Y) || max(c.Y, d.Y) < min(a.Y, b.Y) {
		return false
	}
	// Their bounds meet: they miss each other only if one lies wholly on one side of
	// the other's line.
	return Side(a, b, c)*Side(a, b, d) <= 0 && Side(c, d, a)*Side(c, d, b) <= 0
}

// Cut gives the point in which the line through a and b crosses the line through c and
// d. It is false if the lines are parallel, or so nearly parallel that the point lies out
// of all bounds.
func Cut(a, b, c, d Point) (Point, bool) {
	den := cross(a, b, c, d)
	if den == 0 {
		return Point{}, false
	}
	num := cross(a, c, c, d)
	x, okX := MulDiv(b.X-a.X, num, den)
	y, okY := MulDiv(b.Y-a.Y, num, den)
	if !okX || !okY {
		return Point{}, false
	}
	return a.Plus(Point{x, y}), true
}

// Along gives the point that lies n along a path from its first point; its ends, before
// and past them.
func Along(path []Point, n int64) Point {
	if n <= 0 {
		return path[0]
	}
	for i, p := range path[1:] {
		from := path[i]
		length := Dist(from, p)
		if n < length {
			return from.Plus(Point{RDiv((p.X-from.X)*n, length), RDiv((p.Y-from.Y)*n, length)})
		}
		n -= length
	}
	return path[len(path)-1]
}

// Nearest gives the position along a path, as [Along] counts it, that lies nearest to
// p, and its distance. Of several positions it is the first.
func Nearest(path []Point, p Point) (position, distance int64) {
	position, distance = 0, Dist(path[0], p)
	var before int64
	for i, b := range path[1:] {
		a := path[i]
		length := Dist(a, b)
		if d := DistSegment(p, a, b); d < distance {
			k := min(max(dot(a, b, a, p), 0), Dist2(a, b))
			position, distance = before+min(DivRoot(k, Dist2(a, b)), length), d
		}
		before += length
	}
	return position, distance
}
