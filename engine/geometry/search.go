package geometry

// Stop says how far a move gets: up to far, in samples of 0, step, 2 step and so on,
// and far itself. At the first forbidden sample the way between it and the one before
// is halved, at multiples of fine, and the answer is the last place that was found
// allowed, never a forbidden place. Stop does not look beyond the first forbidden sample,
// so a way that would be free again behind it is not found. It is false if the start is
// forbidden: then there is no move.
func Stop(far, step, fine int64, forbidden func(int64) bool) (int64, bool) {
	if forbidden(0) {
		return 0, false
	}
	for low := int64(0); low < far; {
		high := min(low+step, far)
		if forbidden(high) {
			return halve(low, high, fine, forbidden), true
		}
		low = high
	}
	return max(far, 0), true
}

// halve narrows a way whose start is allowed and whose end is forbidden.
func halve(low, high, fine int64, forbidden func(int64) bool) int64 {
	for high-low > fine {
		m := (low + high) / 2
		m -= m % fine
		if m <= low {
			m = low - low%fine + fine
		}
		if forbidden(m) {
			high = m
		} else {
			low = m
		}
	}
	return low
}

// A Way is a straight move of a block of bodies to be searched by [Way.Slide].
type Way struct {
	Heading Heading // of the move, whatever the bodies' own
	Far     int64   // the whole way
	Step    int64   // of the samples
	Fine    int64   // of the answer; Step is a multiple of it
	Margin  int64   // the least gap that a mover must keep from another
	// Slack is the least gap of a pair whose gap is under Margin at the start, or would be only by
	// roundings: see [Way.Least]. Of two that
	// overlap already, neither comes deeper into the other than roundings may tell: else each
	// move could use up the slack that is there for the roundings of later ones.
	Slack int64
}

// depth is how much deeper two pieces that touch or overlap may come to overlap: more than the
// roundings of a move can make it.
const depth = 5

// Slide says how far movers get before the gap of one of them to one of the others is
// under its margin, or also(t) forbids it; also may be nil. It gives the same answers as
// [Stop] with that condition, but finds them by leaps: for each unit moved a gap shrinks by
// at most 1, apart from 4 in all for roundings, so it need not look at nearer samples.
func (w Way) Slide(movers, others []Body, also func(int64) bool) (int64, bool) {
	var kept [fewPairs]pair
	near, first := kept[:0], w.Far+1 // the first forbidden sample
	for i := range movers {
		for j := range others {
			p := pair{&movers[i], &others[j], w.Margin}
			if w.misses(&p) {
				continue
			}
			p.margin = w.Least(p.mover, p.other)
			if first = w.firstUnder(&p, first); first == 0 {
				return 0, false
			}
			near = append(near, p)
		}
	}
	if also != nil {
		for t := int64(0); t < first && t <= w.Far; t = w.next(t) {
			if also(t) {
				if t == 0 {
					return 0, false
				}
				first = t
			}
		}
	}
	if first > w.Far {
		return max(w.Far, 0), true
	}
	low := (first - 1) / w.Step * w.Step
	return halve(low, first, w.Fine, func(t int64) bool {
		return w.under(near, t) || also != nil && also(t)
	}), true
}

// First gives the first sample below limit at which the gap of one of some movers to another
// is under the margin, or limit; nobody has slack in this.
func (w Way) First(movers []Body, other *Body, limit int64) int64 {
	for i := range movers {
		if p := (pair{&movers[i], other, w.Margin}); !w.misses(&p) {
			limit = w.firstUnder(&p, limit)
		}
	}
	return limit
}

// Graze says how far a mover gets before it is level with another body that it would pass with less than
// by between their sides, as seen along the way: there it touches that body by a corner. It is
// false if it passes no body so near, or begins beside it.
func (w Way) Graze(mover, other *Body, by int64) (int64, bool) {
	if w.misses(&pair{mover, other, by}) {
		return 0, false
	}
	right, left := w.sideways(mover, other)
	switch {
	case right >= -depth && right < by:
	case left >= -depth && left < by:
		by = -by
	default:
		return 0, false
	}
	aside := mover.Shifted(Step(w.Heading.Plus(90), by)) // as if it went so much nearer
	if !Apart(&aside, other, depth) {                    // it begins beside it, whatever the roundings
		return 0, false
	}
	t := w.firstUnder(&pair{&aside, other, 0}, w.Far+1)
	if t > w.Far {
		return 0, false
	}
	return halve((t-1)/w.Step*w.Step, t, w.Fine, func(t int64) bool {
		at := aside.Shifted(Step(w.Heading, t))
		return !Apart(&at, other, 0)
	}), true
}

// sideways gives how far another body lies to the right of a mover, and to its left, as seen along the way; less than
// nought if it doesn't.
func (w Way) sideways(mover, other *Body) (right, left int64) {
	way := Frame{mover.At, w.Heading}
	m, o := way.Extents(mover.Corner[:]), way.Extents(other.Corner[:])
	return o.U0 - m.U1, m.U0 - o.U1
}

// A pair is a mover and another body, with the least gap that they must keep.
type pair struct {
	mover, other *Body
	margin       int64
}

// fewPairs is how many pairs that may meet on a way are kept without an allocation.
const fewPairs = 32

// next gives the sample after t.
func (w Way) next(t int64) int64 {
	if t < w.Far {
		return min(t-t%w.Step+w.Step, w.Far)
	}
	return t + 1
}

// misses says whether the bounds of a whole way are so far from a pair's other body that their gap is
// never under the margin.
func (w Way) misses(p *pair) bool {
	d := Step(w.Heading, w.Far)
	lo := Point{p.mover.Lo.X + min(d.X, 0), p.mover.Lo.Y + min(d.Y, 0)}
	hi := Point{p.mover.Hi.X + max(d.X, 0), p.mover.Hi.Y + max(d.Y, 0)}
	return far(lo, hi, p.other.Lo, p.other.Hi, 2*max(p.margin, 0)+8)
}

// Least gives the least gap that a mover must keep from another by where it begins: the margin; but less by what
// roundings can make of it, and never less than the slack, for two that are nearer than that at the start, or whose
// sides are in line, so that the way leads past at just the margin.
func (w Way) Least(mover, other *Body) int64 {
	if w.Slack >= w.Margin {
		return w.Margin
	}
	if !Apart(mover, other, w.Margin) {
		return max(w.Slack, min(Gap(mover, other), 0)-depth)
	}
	if right, left := w.sideways(mover, other); max(right, left) >= w.Margin-depth && max(right, left) < w.Margin+depth {
		return max(w.Slack, w.Margin-2*depth)
	}
	return w.Margin
}

// firstUnder gives the first sample below limit at which a pair's gap is under its
// margin, or limit.
func (w Way) firstUnder(p *pair, limit int64) int64 {
	for t := int64(0); t < limit && t <= w.Far; {
		at := p.mover.Shifted(Step(w.Heading, t))
		gap := Gap(&at, p.other)
		if gap < p.margin {
			return t
		}
		free := t + max(gap-p.margin-4, 0) // allowed up to here
		if free >= w.Far {
			return limit
		}
		t = w.next(free)
	}
	return limit
}

// under says whether after t some pair's gap is under its margin.
func (w Way) under(pairs []pair, t int64) bool {
	d := Step(w.Heading, t)
	for i := range pairs {
		p := &pairs[i]
		if at := p.mover.Shifted(d); !Apart(&at, p.other, p.margin) {
			return true
		}
	}
	return false
}

// Runs gives the stretches of the whole numbers from lo to hi for which ok holds, in
// order.
func Runs(lo, hi int64, ok func(int64) bool) []Span {
	var runs []Span
	open := false
	for n := lo; n <= hi; n++ {
		switch {
		case !ok(n):
			open = false
		case open:
			runs[len(runs)-1].High = n
		default:
			runs, open = append(runs, Span{n, n}), true
		}
	}
	return runs
}

// Rings gives the first place that fits: p itself, then on circles of step, 2 step and
// so on up to last about it, each at the headings 0, 45, 90 and so on.
func Rings(p Point, step, last int64, fits func(Point) bool) (Point, bool) {
	if fits(p) {
		return p, true
	}
	for radius := step; radius <= last; radius += step {
		for h := Heading(0); h < 360; h += 45 {
			if q := p.Plus(Step(h, radius)); fits(q) {
				return q, true
			}
		}
	}
	return Point{}, false
}
