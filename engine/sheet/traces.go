package sheet

import (
	"maps"
	"slices"

	"berthier/engine"
)

// Inks of traces. Each mark has a core and a rim that differ in lightness, so that it is
// readable on any ground, by night and in grey.
const (
	inkRim      engine.Ink = "#ffffff"
	inkOutline  engine.Ink = "#1d1b18"
	inkOwn      engine.Ink = "#4a148c"
	inkOther    engine.Ink = "#7a0c3e"
	inkAttacked engine.Ink = "#ffb300"
	inkHit      engine.Ink = "#c40000"
	inkStrip    engine.Ink = "#fdfaf1"
)

// Measures of traces.
const (
	headLength   = 13
	headHalf     = 7
	beside       = 5  // how far an arrow between small places runs to the right of the way
	smallPlace   = 60 // places up to this width are left from their middle, larger ones from their edge
	flashRadius  = 9
	pipRadius    = 6
	mostPips     = 4
	smallCounter = 30  // how high a counter is on which a pip would hide what it says
	ringed       = 28  // places up to this width get a ring, counters a frame
	signWidth    = 147 // of a sign of the legend with its words
	stripHeight  = 20  // of a row of them
	stripPad     = 4
	signSize     = 12  // of its words, larger on a picture that is shown smaller than it is
	windowWidth  = 738 // of a picture in a window of 760 pixels
	leastSeen    = 9   // pixels that letters are to have there
)

// Trace draws on the pictures of a page what the events that a side was told since its last
// report have left, and a ring round the place about which the side is asked. Each picture says
// below what these marks mean. Was is what the last report showed; nil: there was none. Nothing
// is drawn that is neither a trace nor on the picture.
func Trace(page, was *engine.Page, traces []engine.Trace, asked string) {
	for i := range page.Sections {
		if scene := page.Sections[i].Picture; scene != nil {
			stood := map[string]string{}
			if was != nil {
				maps.Copy(stood, was.Stood)
			}
			trace(scene, stood, traces, asked)
		}
	}
}

func trace(scene *engine.Scene, stood map[string]string, traces []engine.Trace, asked string) {
	t := tracing{scene: scene, under: NewBrush(4 * len(traces)), over: NewBrush(2 * len(traces)), last: stood}
	for i := range traces {
		if one := &traces[i]; scene.About == "" || one.At == scene.About {
			t.trace(one)
		}
	}
	t.ghosts()
	for i := range t.arrows {
		t.arrow(&t.arrows[i])
	}
	t.ring(asked)
	for _, n := range scene.Names {
		if slices.ContainsFunc(t.crossed, func(r Box) bool { return r.Common(n.Box) > 0 }) {
			t.under.Again(n)
		}
	}
	t.crossed = nil
	for _, r := range t.flashes {
		t.flash(r)
	}
	for i := range t.hits {
		t.pips(&t.hits[i])
	}
	t.rewrite()
	if len(t.kinds) == 0 {
		return
	}
	scene.Marks = slices.Concat(scene.Marks[:scene.Below], t.under.marks, scene.Marks[scene.Below:], t.over.marks)
	scene.Below += len(t.under.marks)
	t.legend()
}

// Signs of the legend, beside the kinds of traces.
const (
	signOther = "other" // an arrow of pieces that are not the reader's
	signGhost = "ghost"
	signAsked = "asked"
)

// signs are all that a legend may explain, in its order.
var signs = [...]string{string(engine.Moved), signOther, string(engine.Attacked), string(engine.Fired), string(engine.Hit), signGhost, signAsked}

// A tracing is the traces of one scene.
type tracing struct {
	scene       *engine.Scene
	under, over *Brush
	arrows      []arrow
	flashes     []Box
	hits        []wound
	ghostly     []Box
	last        map[string]string // where a piece was last told to be
	kinds       []string          // what the legend explains
	crossed     []Box             // what is drawn below what stands on the scene
}

// An arrow is the way of pieces.
type arrow struct {
	way  []engine.Spot
	ink  engine.Ink
	edge engine.Ink
	dash int
	n    int
}

// A wound is how often something was hit.
type wound struct {
	at Box
	n  int
}

// notes that the legend must explain something.
func (t *tracing) notes(sign string) {
	if !slices.Contains(t.kinds, sign) {
		t.kinds = append(t.kinds, sign)
	}
}

// find gives the spot of something: of its names the first that the scene has, by itself or
// at the place of the event.
func (t *tracing) find(names []string, at string) (engine.Spot, bool) {
	for _, name := range names {
		if s, ok := t.scene.Spots[name]; ok {
			return s, true
		}
		if s, ok := t.scene.Spots[name+"@"+at]; ok {
			return s, true
		}
		if t.scene.Scale != nil {
			if s, ok := t.scene.Scale.Spot(name); ok {
				return s, true
			}
		}
	}
	return engine.Spot{}, false
}

// around gives the spot of something, or else of the place where it happened.
func (t *tracing) around(one *engine.Trace) (engine.Spot, bool) {
	names := slices.Concat(one.Of, one.Way)
	if t.scene.About == "" {
		names = append(names, one.At)
	}
	return t.find(names, one.At)
}

func (t *tracing) trace(one *engine.Trace) {
	switch one.Kind {
	case engine.Moved:
		t.moved(one)
	case engine.Attacked:
		t.attacked(one)
	case engine.Fired:
		if s, ok := t.around(one); ok {
			if !slices.Contains(t.flashes, s.Box) {
				t.flashes = append(t.flashes, s.Box)
			}
			t.notes(string(engine.Fired))
		}
	case engine.Hit:
		if s, ok := t.around(one); ok {
			i := slices.IndexFunc(t.hits, func(w wound) bool { return w.at == s.Box })
			if i < 0 {
				i, t.hits = len(t.hits), append(t.hits, wound{at: s.Box})
			}
			t.hits[i].n += max(one.N, 1)
			t.notes(string(engine.Hit))
		}
	case engine.Gone, engine.Seen:
		t.vanished(one)
	}
}

// moved adds an arrow, or makes the one that is there already stand for more.
func (t *tracing) moved(one *engine.Trace) {
	way := one.Way
	for _, piece := range one.Of {
		if before, known := t.last[piece]; known && len(way) == 1 {
			way = []string{before, way[0]}
		}
		t.last[piece] = way[len(way)-1]
	}
	spots := make([]engine.Spot, 0, len(way))
	for _, name := range way {
		if s, ok := t.find([]string{name}, one.At); ok && (len(spots) == 0 || spots[len(spots)-1] != s) {
			spots = append(spots, s)
		}
	}
	if len(spots) < 2 || t.scene.Scale != nil && samePlace(spots[0].Middle(), spots[len(spots)-1].Middle()) {
		return
	}
	a := arrow{way: spots, ink: inkOwn, edge: inkRim}
	sign := string(engine.Moved)
	if !one.Own {
		a.ink, a.dash, sign = inkOther, 7, signOther
	}
	t.notes(sign)
	if from := spots[0]; !from.Taken && !slices.Contains(t.ghostly, from.Box) {
		t.ghostly = append(t.ghostly, from.Box)
	}
	i := slices.IndexFunc(t.arrows, func(b arrow) bool { return b.ink == a.ink && slices.Equal(b.way, a.way) })
	if i < 0 {
		i, t.arrows = len(t.arrows), append(t.arrows, a)
	}
	t.arrows[i].n += max(one.N, 1)
}

// samePlace tells whether two points are so near to each other that an arrow between them would be
// all head: on a measured field pieces may stand anywhere.
func samePlace(p, q engine.Point) bool {
	return (p.X-q.X)*(p.X-q.X)+(p.Y-q.Y)*(p.Y-q.Y) < headLength*headLength
}

// attacked adds an arrow from each attacker to who was attacked.
func (t *tracing) attacked(one *engine.Trace) {
	target, ok := t.find(one.Way, one.At)
	for _, piece := range one.Of {
		from, known := t.find([]string{piece}, one.At)
		if !ok || !known || from.Box == target.Box || from.Common(target.Box) > 0 {
			continue
		}
		a := arrow{way: []engine.Spot{from, target}, ink: inkAttacked, edge: inkOutline, n: 1}
		if !slices.ContainsFunc(t.arrows, func(b arrow) bool { return b.ink == a.ink && slices.Equal(b.way, a.way) }) {
			t.arrows = append(t.arrows, a)
			t.notes(string(engine.Attacked))
		}
	}
}

// vanished adds a ghost of a piece that is not on the scene any more.
func (t *tracing) vanished(one *engine.Trace) {
	if _, there := t.find(one.Of[:min(1, len(one.Of))], one.At); there {
		return
	}
	where := *one
	where.Of = nil
	if before, known := t.last[first(one.Of)]; known && len(one.Way) == 0 {
		where.Way = []string{before}
	}
	if s, ok := t.around(&where); ok && !slices.Contains(t.ghostly, s.Box) {
		t.ghostly = append(t.ghostly, s.Box)
	}
}

func first(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return names[0]
}

// ghosts draws where something stood that stands there no more.
func (t *tracing) ghosts() {
	for _, r := range t.ghostly {
		w, h := min(max(r.W, 30), 37), min(max(r.H, 24), 37)
		t.under.ghost(r.Middle(), w, h)
		t.crosses(Box{X: r.Middle().X - w/2, Y: r.Middle().Y - h/2, W: w, H: h})
		t.notes(signGhost)
	}
}

// ghost draws the outline of a counter.
func (b *Brush) ghost(m engine.Point, w, h int) {
	r := Box{X: m.X - w/2, Y: m.Y - h/2, W: w, H: h}
	b.Box(r, "", inkRim, 36)
	corners := [...]engine.Point{At(r.X, r.Y), At(r.X+r.W, r.Y), At(r.X+r.W, r.Y+r.H), At(r.X, r.Y+r.H), At(r.X, r.Y)}
	b.Dashed(inkOutline, 16, 5, corners[:]...)
}

// ring draws a ring round the place about which the reader is asked.
func (t *tracing) ring(asked string) {
	s, ok := t.scene.Spots[asked]
	if !ok || asked == "" {
		return
	}
	t.notes(signAsked)
	if s.W > ringed { // below what stands there: it hides neither a mark on a counter nor a name
		r := s.Box.Grown(4)
		t.under.frame(r)
		t.crosses(r.Grown(3))
		return
	}
	radius := max(s.W, s.H)/2 + 5
	t.under.ring(s.Middle(), radius)
	t.crosses(Box{X: s.Middle().X, Y: s.Middle().Y}.Grown(radius + 3))
}

// crosses notes what may lie over the names of places.
func (t *tracing) crosses(r Box) { t.crossed = append(t.crossed, r) }

// crossesLine notes it of a line.
func (t *tracing) crossesLine(from, to engine.Point) {
	const step = 6
	n := max(from.X-to.X, to.X-from.X, from.Y-to.Y, to.Y-from.Y)/step + 1
	for i := range n + 1 {
		t.crosses(Box{X: from.X + (to.X-from.X)*i/n, Y: from.Y + (to.Y-from.Y)*i/n}.Grown(headHalf))
	}
}

// frame is the ring round a counter.
func (b *Brush) frame(r Box) {
	b.Box(r, "", inkOutline, 60)
	b.Box(r, "", inkAttacked, 34)
}

func (b *Brush) ring(at engine.Point, radius int) {
	b.Disc(at, radius, "", inkOutline, 64)
	b.Disc(at, radius, "", inkAttacked, 36)
}

// flash draws where a shot was fired.
func (b *Brush) flash(at engine.Point) {
	b.Polygon(inkOutline, inkOutline, 20, Burst(at, flashRadius)...)
	b.Polygon(inkAttacked, "", 0, Burst(at, flashRadius)...)
}

// shows tells whether a mark at a point of the sheet lies in the part of the field that it shows.
func (t *tracing) shows(at engine.Point) bool { return t.scene.Scale == nil || t.scene.Scale.Shows(at) }

// flash draws a flash on the edge of what fired, where it lies over no name if there is such a place.
func (t *tracing) flash(r Box) {
	const reach = flashRadius + 1
	least, best := -1, engine.Point{}
	for _, at := range [...]engine.Point{At(r.X+r.W/2, r.Y), At(r.X+r.W/2, r.Y+r.H), At(r.X, r.Y+r.H/2), At(r.X+r.W, r.Y+r.H/2),
		At(r.X, r.Y), At(r.X+r.W, r.Y), At(r.X, r.Y+r.H), At(r.X+r.W, r.Y+r.H)} {
		if !t.shows(at) {
			continue
		}
		hidden := 0
		for _, n := range t.scene.Names {
			hidden += n.Common(Box{X: at.X, Y: at.Y}.Grown(reach))
		}
		if least < 0 || hidden < least {
			least, best = hidden, at
		}
	}
	if least < 0 {
		return // it sticks out of the field on every side
	}
	t.over.flash(best)
	t.crosses(Box{X: best.X, Y: best.Y}.Grown(reach))
}

// rewrite writes the names again that the last marks cross: those on pieces lie among the marks of
// the scene.
func (t *tracing) rewrite() {
	for _, n := range t.scene.Names {
		if !slices.ContainsFunc(t.crossed, func(r Box) bool { return r.Common(n.Box) > 0 }) {
			continue
		}
		label := n.Label
		for _, m := range t.scene.Marks {
			if m.Shape == engine.Label && m.Stroke != "" && (Box{X: m.Points[0].X, Y: m.Points[0].Y, W: 1, H: 1}).Common(n.Box) > 0 {
				label = m
			}
		}
		t.over.Again(engine.Name{Box: n.Box, Label: label})
	}
}

// pips draws a pip for each hit, side by side from the left edge of what was hit: halfway down, or along the top of
// a small counter, whose sign and number they would hide there.
func (t *tracing) pips(w *wound) {
	y := w.at.Y + w.at.H/2
	if w.at.W > headLength && w.at.H <= smallCounter {
		y = w.at.Y
	}
	for i := range min(w.n, mostPips) {
		at := At(w.at.X+1+9*i, y)
		if !t.shows(at) {
			continue
		}
		t.over.pip(at)
		t.crosses(Box{X: at.X, Y: at.Y}.Grown(pipRadius + 1))
	}
}

func (b *Brush) pip(at engine.Point) {
	b.Disc(at, pipRadius, inkHit, inkRim, 18)
	b.Line(inkRim, 14, At(at.X-2, at.Y-2), At(at.X+2, at.Y+2))
	b.Line(inkRim, 14, At(at.X-2, at.Y+2), At(at.X+2, at.Y-2))
}

// arrow draws a way from place to place.
func (t *tracing) arrow(a *arrow) {
	points := make([]engine.Point, len(a.way))
	small := true
	for i, s := range a.way {
		points[i] = s.Middle()
		small = small && s.W <= 2*headLength
	}
	last := len(points) - 1
	if small {
		from, to := points[0], points[last]
		if length := Root((to.X-from.X)*(to.X-from.X) + (to.Y-from.Y)*(to.Y-from.Y)); length > 0 {
			for i := range points {
				points[i].X -= RoundDiv((to.Y-from.Y)*beside, length)
				points[i].Y += RoundDiv((to.X-from.X)*beside, length)
			}
		}
	}
	start, end := a.way[0].Box, a.way[last].Box
	if start.W <= smallPlace {
		start.W, start.H = min(start.W, headLength), min(start.H, headLength)
	}
	points[0], points[last] = Leave(points[0], points[1], start, 0), Leave(points[last], points[last-1], end, 2)
	for i := 1; i <= last; i++ {
		t.crossesLine(points[i-1], points[i])
	}
	t.under.Arrow(a.ink, a.edge, min(26+4*a.n, 60), a.dash, points...)
}

// Leave is where the way from the middle of a box to another point comes out of the box, and
// a little farther, but never past that point.
func Leave(from, to engine.Point, r Box, more int) engine.Point {
	dx, dy := to.X-from.X, to.Y-from.Y
	length := Root(dx*dx + dy*dy)
	if length == 0 {
		return from
	}
	out := length
	if dx != 0 {
		out = min(out, r.W*length/(2*max(dx, -dx)))
	}
	if dy != 0 {
		out = min(out, r.H*length/(2*max(dy, -dy)))
	}
	out = min(out+more, length)
	return At(from.X+RoundDiv(dx*out, length), from.Y+RoundDiv(dy*out, length))
}

// Arrow draws an arrow along points, with a rim. Width is that of the shaft, in tenths; dash is
// the length of its dashes, 0 for a whole line.
func (b *Brush) Arrow(ink, rim engine.Ink, width, dash int, points ...engine.Point) {
	last := len(points) - 1
	tip, before := points[last], points[last-1]
	dx, dy := tip.X-before.X, tip.Y-before.Y
	length := Root(dx*dx + dy*dy)
	if length == 0 {
		return
	}
	back := func(along, across int) engine.Point {
		return At(tip.X-RoundDiv(dx*along+dy*across, length), tip.Y-RoundDiv(dy*along-dx*across, length))
	}
	if last > 1 || length > headLength {
		shaft := append(slices.Clone(points[:last]), back(headLength-2, 0))
		b.Line(rim, width+24, shaft...)
		if dash > 0 {
			b.Dashed(ink, width, dash, shaft...)
		} else {
			b.Line(ink, width, shaft...)
		}
	}
	b.Polygon(ink, rim, 12, tip, back(headLength, headHalf), back(headLength, -headHalf))
}

// legend says below the scene what the traces mean.
func (t *tracing) legend() {
	s := t.scene
	size := max(signSize, (leastSeen*s.Width+windowWidth-1)/windowWidth)
	wide := signWidth * size / signSize
	perRow := max(1, (s.Width-2*stripPad)/wide)
	rows := (len(t.kinds) + perRow - 1) / perRow
	strip := Strip(s, rows*stripHeight+2*stripPad)
	b := NewBrush(8 * len(t.kinds))
	b.Box(strip.Grown(-2), inkStrip, inkOutline, 8)
	n := 0
	for _, sign := range signs {
		if !slices.Contains(t.kinds, sign) {
			continue
		}
		r := Box{X: strip.X + stripPad + 6 + n%perRow*wide, Y: strip.Y + stripPad + n/perRow*stripHeight, W: 26, H: stripHeight}
		b.sign(sign, r)
		b.Label(At(r.X+r.W+7, r.Middle().Y), Phrase("story.mark-"+sign), Lettering{Size: size, Ink: inkOutline, Anchor: engine.Start})
		n++
	}
	s.Marks = append(s.Marks, b.marks...)
}

// sign draws what a legend explains.
func (b *Brush) sign(sign string, r Box) {
	m := r.Middle()
	from, to := At(r.X, m.Y), At(r.X+r.W, m.Y)
	switch sign {
	case string(engine.Moved):
		b.Arrow(inkOwn, inkRim, 30, 0, from, to)
	case signOther:
		b.Arrow(inkOther, inkRim, 30, 5, At(from.X-4, from.Y), to)
	case string(engine.Attacked):
		b.Arrow(inkAttacked, inkOutline, 30, 0, from, to)
	case string(engine.Fired):
		b.flash(m)
	case string(engine.Hit):
		b.pip(m)
	case signGhost:
		b.ghost(m, 22, 14)
	case signAsked:
		b.ring(m, 7)
	}
}

// Strip makes a scene higher, and gives the new part, below all that is there.
func Strip(s *engine.Scene, height int) Box {
	r := Box{Y: s.Height, W: s.Width, H: height}
	s.Height += height
	s.Foot += height
	return r
}
