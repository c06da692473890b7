package geometry

// A Figure is a polygon, if it is closed, or a path, a segment or a point.
type Figure struct {
	P      []Point
	Closed bool
}

// edges gives the number of a figure's edges; a point is one edge without length.
func (f Figure) edges() int {
	if f.Closed || len(f.P) == 1 {
		return len(f.P)
	}
	return len(f.P) - 1
}

// edge gives the ends of an edge by its number.
func (f Figure) edge(i int) (a, b Point) {
	if i+1 < len(f.P) {
		return f.P[i], f.P[i+1]
	}
	return f.P[i], f.P[0]
}

// holds says whether a point lies in a closed figure or on the figure's outline.
func (f Figure) holds(p Point) bool { return f.Closed && Where(f.P, p) >= 0 }

// Distance gives the distance of two figures, to the nearest whole number; 0 if they
// have a point in common.
func Distance(f, g Figure) int64 {
	if f.holds(g.P[0]) || g.holds(f.P[0]) {
		return 0
	}
	for i := range f.edges() {
		a, b := f.edge(i)
		for j := range g.edges() {
			if c, d := g.edge(j); Meet(a, b, c, d) {
				return 0
			}
		}
	}
	return min(f.nearest(g), g.nearest(f))
}

// endless is longer than anything, and its square.
const endless = 1<<63 - 1

// nearest gives the least distance of another figure's corners from this one's edges.
//
// It is the least that [DistSegment] gives. A root is taken of the least square alone, and of a distance
// across an edge only if its square, rounded down, is no greater than the least one before it.
func (f Figure) nearest(g Figure) int64 {
	corner, across, least := int64(endless), int64(endless), uint64(endless)
	for i := range f.edges() {
		a, b := f.edge(i)
		whole := Dist2(a, b)
		for _, p := range g.P {
			k := dot(a, b, a, p)
			if k > 0 && k < whole {
				n := cross(a, b, a, p)
				if square := divSquare(n, whole); square <= least {
					across, least = min(across, abs(DivRoot(n, whole))), square
				}
				continue
			}
			if k > 0 {
				corner = min(corner, Dist2(p, b))
			} else {
				corner = min(corner, Dist2(p, a))
			}
			least = min(least, uint64(corner))
		}
	}
	if corner < endless {
		return min(Root(corner), across)
	}
	return across
}

// Ray gives how far ahead of (u, v0) in a body's frame a figure begins: 0 if the start
// lies in it or on it, and false if nothing of it lies ahead. An edge that runs along
// the ray begins at its lower end.
func (f Frame) Ray(u, v0 int64, of Figure) (int64, bool) {
	start := Point{u, v0}
	var w winding
	least, found := int64(0), false
	for i := range of.edges() {
		from, to := of.edge(i)
		p, q := f.Local(from), f.Local(to)
		w.edge(p, q, start)
		if u < min(p.X, q.X) || u > max(p.X, q.X) {
			continue
		}
		v, ok := cutAt(p.X, p.Y, q.X, q.Y, u)
		if !ok { // along the ray
			v = min(p.Y, q.Y)
			if v < v0 && max(p.Y, q.Y) >= v0 {
				v = v0
			}
		}
		if v >= v0 && (!found || v < least) {
			least, found = v, true
		}
	}
	if w.on || of.Closed && w.odd {
		return 0, true
	}
	return least - v0, found
}

// A Flaw says why points are no polygon, or no path. The zero Flaw is none.
type Flaw int

// What may be wrong with a polygon or a path. At says where, by number, from 0.
const (
	Sound    Flaw = iota
	TooFew        // fewer than three corners, or two points
	Repeated      // a point like the one before it
	Straight      // a corner on the line of its neighbours
	Knotted       // an edge that meets an edge which is not its neighbour, or meets a neighbour elsewhere than at their corner
)

// Polygon says whether points are a simple polygon, in either direction: it has at least
// three corners, none of them on the line of its neighbours, and no two edges meet except
// neighbours at their corner. If the points are no such polygon, it says why, and at which
// corner.
func Polygon(p []Point) (flaw Flaw, at int) {
	n := len(p)
	if n < 3 {
		return TooFew, 0
	}
	for i := range p {
		if p[i] == p[(i+n-1)%n] {
			return Repeated, i
		}
	}
	for i := range p {
		if Side(p[(i+n-1)%n], p[i], p[(i+1)%n]) == 0 {
			return Straight, i
		}
	}
	for i := range p {
		for j := i + 2; j < n; j++ {
			if i == 0 && j == n-1 {
				continue // neighbours round the end
			}
			if Meet(p[i], p[i+1], p[j], p[(j+1)%n]) {
				return Knotted, j
			}
		}
	}
	return Sound, 0
}

// Path says whether points are a path: at least two, no two neighbours equal. If not it
// says why, and at which point.
func Path(p []Point) (flaw Flaw, at int) {
	if len(p) < 2 {
		return TooFew, 0
	}
	for i := range p[1:] {
		if p[i] == p[i+1] {
			return Repeated, i + 1
		}
	}
	return Sound, 0
}
