package templates

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"
	"strconv"
	"sync"

	"berthier/engine"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// Bounds of a scene. They are far above what a letter needs, and keep a faulty
// scene from taking the machine's memory.
const (
	widestScene = 4000
	mostPixels  = 4_000_000
	largestText = 200
)

// Labels puts the labels of a scene into words, in the order in which they
// stand in its ground and then in its marks.
func Labels(words *Words, language string, spell Spell, scene *engine.Scene) []string {
	if scene == nil {
		return nil
	}
	var out []string
	for _, marks := range [][]engine.Mark{scene.Ground, scene.Marks} {
		for i := range marks {
			if marks[i].Shape == engine.Label {
				out = append(out, words.Value(language, marks[i].Text, spell))
			}
		}
	}
	return out
}

// Draw draws a scene as a PNG with a palette of few colours, one pixel a unit. The
// labels are those that [Labels] gave. The same scene and labels give the same
// bytes, whatever was drawn before. The error names the mark at fault.
//
// The ground is drawn once and kept for the scenes that share it.
func Draw(s *engine.Scene, labels []string) ([]byte, error) {
	png, err := easel.draw(s, labels)
	if err != nil {
		name := ""
		if s != nil {
			name = " " + s.Name
		}
		return nil, fmt.Errorf("draw scene%s: %w", name, err)
	}
	drawn(s, png)
	return png, nil
}

// easel is what all drawing shares: it only saves time.
var easel = painter{grounds: newGrounds(mostGroundBytes)}

// A painter draws scenes, many at once.
type painter struct {
	grounds *grounds
	benches sync.Pool // of *bench
}

// A bench is what one picture is made on, kept for the next.
type bench struct {
	picture *image.RGBA
	raster  vector.Rasterizer
	pens    [2]pen // regular, bold
	mask    image.Alpha
	rim     image.Alpha
	points  []point
	path    []point
	reduce  reducer
	press   press
	out     bytes.Buffer
}

type point struct{ x, y float32 }

func (p *painter) draw(s *engine.Scene, labels []string) ([]byte, error) {
	b, _ := p.benches.Get().(*bench)
	if b == nil {
		b = new(bench)
	}
	defer p.benches.Put(b)
	return p.drawOn(b, s, labels)
}

// drawOn draws on a bench, whose picture shows afterwards what was drawn, before its colours were
// reduced.
func (p *painter) drawOn(b *bench, s *engine.Scene, labels []string) ([]byte, error) {
	switch {
	case s == nil:
		return nil, errors.New("there is none")
	case s.Width < 1 || s.Height < 1 || s.Width > widestScene || s.Height > widestScene || s.Width*s.Height > mostPixels:
		return nil, fmt.Errorf("%d by %d is no size to draw", s.Width, s.Height)
	}
	inGround, inMarks := countLabels(s.Ground), countLabels(s.Marks)
	if len(labels) != inGround+inMarks {
		return nil, fmt.Errorf("%d labels for %d marks with text", len(labels), inGround+inMarks)
	}
	paper, err := colour(s.Paper, "#ffffff")
	if err != nil {
		return nil, fmt.Errorf("paper: %w", err)
	}
	size := image.Rect(0, 0, s.Width, s.Height)
	if b.picture == nil || cap(b.picture.Pix) < 4*s.Width*s.Height {
		b.picture = image.NewRGBA(size)
	} else {
		b.picture = &image.RGBA{Pix: b.picture.Pix[:4*s.Width*s.Height], Stride: 4 * s.Width, Rect: size}
	}
	key := groundKey(s, labels[:inGround])
	on := p.grounds.get(key)
	if on == nil {
		draw.Draw(b.picture, size, image.NewUniform(paper), image.Point{}, draw.Src)
		if err := b.marks(s.Ground, labels[:inGround]); err != nil {
			return nil, fmt.Errorf("ground %w", err)
		}
		// The ground is kept without the foot, which differs from picture to picture.
		if on, err = b.backdrop(b.picture.Pix[:4*s.Width*groundHeight(s)], s.Width, inksOf(*paper, s.Ground)); err != nil {
			return nil, err
		}
		p.grounds.put(key, on)
	}
	copy(b.picture.Pix, on.pix)
	draw.Draw(b.picture, image.Rect(0, groundHeight(s), s.Width, s.Height), image.NewUniform(paper), image.Point{}, draw.Src)
	if err := b.marks(s.Marks, labels[inGround:]); err != nil {
		return nil, fmt.Errorf("marks %w", err)
	}
	return b.print(on, inksOf(*paper, s.Marks))
}

// groundHeight is how far down the ground of a scene reaches: to its foot.
func groundHeight(s *engine.Scene) int { return s.Height - min(max(s.Foot, 0), s.Height) }

func countLabels(marks []engine.Mark) int {
	n := 0
	for i := range marks {
		if marks[i].Shape == engine.Label {
			n++
		}
	}
	return n
}

// marks draws marks over each other.
func (b *bench) marks(marks []engine.Mark, labels []string) error {
	for i := range marks {
		m := &marks[i]
		text := ""
		if m.Shape == engine.Label {
			text, labels = labels[0], labels[1:]
		}
		if err := b.mark(m, text); err != nil {
			return fmt.Errorf("%d (%s): %w", i+1, m.Shape, err)
		}
	}
	return nil
}

func (b *bench) mark(m *engine.Mark, text string) error {
	fill, err := colour(m.Fill, "")
	if err != nil {
		return err
	}
	stroke, err := colour(m.Stroke, "")
	if err != nil {
		return err
	}
	least := map[engine.Shape]int{engine.Polygon: 3, engine.Line: 2, engine.Curve: 2, engine.Disc: 1, engine.Label: 1}[m.Shape]
	switch {
	case least == 0:
		return errors.New("is no shape")
	case len(m.Points) < least:
		return fmt.Errorf("has %d of at least %d points", len(m.Points), least)
	}
	b.points = b.points[:0]
	for _, p := range m.Points {
		b.points = append(b.points, point{within(p.X), within(p.Y)})
	}
	width := min(float32(max(m.Width, 0))/10, 2*widestScene)
	if width == 0 {
		width = 1
	}
	switch m.Shape {
	case engine.Polygon:
		upright := upright(b.points)
		switch {
		case fill == nil:
		case upright:
			b.rect(b.points[0], b.points[2], fill)
		default:
			b.area(b.points, fill)
		}
		switch {
		case stroke == nil:
		case upright && m.Dash <= 0:
			b.frame(b.points[0], b.points[2], width/2, stroke)
		default:
			b.stroke(b.points, true, width, m.Dash, stroke)
		}
	case engine.Line:
		b.stroke(b.points, false, width, m.Dash, stroke)
	case engine.Curve:
		b.stroke(b.bend(b.points), false, width, m.Dash, stroke)
	case engine.Disc:
		radius := min(float32(max(m.Radius, 0)), widestScene)
		b.disc(b.points[0], radius, width, fill, stroke, m.Dash)
	case engine.Label:
		return b.label(b.points[0], m, text, fill, stroke)
	}
	return nil
}

// within keeps a coordinate where single precision and the rasteriser are exact
// enough.
func within(v int) float32 { return float32(min(max(v, -2*widestScene), 3*widestScene)) }

// colour reads an ink; nil for none.
func colour(ink engine.Ink, otherwise engine.Ink) (*color.RGBA, error) {
	if ink == "" {
		ink = otherwise
	}
	if ink == "" {
		return nil, nil
	}
	if len(ink) != 7 || ink[0] != '#' {
		return nil, fmt.Errorf("%q is no ink such as #1f3a5f", string(ink))
	}
	v, err := strconv.ParseUint(string(ink[1:]), 16, 32)
	if err != nil {
		return nil, fmt.Errorf("%q is no ink such as #1f3a5f", string(ink))
	}
	return &color.RGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255}, nil
}

// paint gathers closed paths, all turning the same way, and fills their union.
type paint struct {
	b        *bench
	box      image.Rectangle
	origin   point
	inkColor *color.RGBA
}

// start opens a painting within the bounds of some points and a margin. It
// tells whether any of it is on the sheet.
func (b *bench) start(points []point, margin float32, ink *color.RGBA) (paint, bool) {
	if ink == nil || len(points) == 0 {
		return paint{}, false
	}
	low, high := points[0], points[0]
	for _, p := range points[1:] {
		low.x, low.y = min(low.x, p.x), min(low.y, p.y)
		high.x, high.y = max(high.x, p.x), max(high.y, p.y)
	}
	box := image.Rect(int(low.x-margin)-2, int(low.y-margin)-2, int(high.x+margin)+3, int(high.y+margin)+3).Intersect(b.picture.Rect)
	if box.Empty() {
		return paint{}, false
	}
	b.raster.Reset(box.Dx(), box.Dy())
	return paint{b, box, point{float32(box.Min.X), float32(box.Min.Y)}, ink}, true
}

func (p *paint) finish() {
	p.b.raster.DrawOp = draw.Over
	p.b.raster.Draw(p.b.picture, p.box, image.NewUniform(*p.inkColor), image.Point{})
}

func (p *paint) move(x, y float32) { p.b.raster.MoveTo(x-p.origin.x, y-p.origin.y) }
func (p *paint) line(x, y float32) { p.b.raster.LineTo(x-p.origin.x, y-p.origin.y) }

// loop adds a closed path. Paths that turn the other way are turned round, so
// that where two overlap they add up instead of making a hole.
func (p *paint) loop(points ...point) {
	var twice float32
	for i := range points {
		a, b := points[i], points[(i+1)%len(points)]
		twice += (a.x-p.origin.x)*(b.y-p.origin.y) - (b.x-p.origin.x)*(a.y-p.origin.y)
	}
	if twice < 0 {
		p.move(points[len(points)-1].x, points[len(points)-1].y)
		for i := len(points) - 2; i >= 0; i-- {
			p.line(points[i].x, points[i].y)
		}
	} else {
		p.move(points[0].x, points[0].y)
		for _, q := range points[1:] {
			p.line(q.x, q.y)
		}
	}
	p.b.raster.ClosePath()
}

// circle adds a disc, turning as loop does.
func (p *paint) circle(c point, r float32) {
	const k = 0.5522848 // of the radius: where a cubic curve's handles make a quarter circle
	x, y := c.x-p.origin.x, c.y-p.origin.y
	z := &p.b.raster
	z.MoveTo(x+r, y)
	z.CubeTo(x+r, y+k*r, x+k*r, y+r, x, y+r)
	z.CubeTo(x-k*r, y+r, x-r, y+k*r, x-r, y)
	z.CubeTo(x-r, y-k*r, x-k*r, y-r, x, y-r)
	z.CubeTo(x+k*r, y-r, x+r, y-k*r, x+r, y)
	z.ClosePath()
}

// area fills a polygon.
func (b *bench) area(points []point, ink *color.RGBA) {
	if p, ok := b.start(points, 0, ink); ok {
		p.loop(points...)
		p.finish()
	}
}

// upright tells whether a polygon is a rectangle along the axes, its first and
// third points being opposite corners. There are many of those, blocks and
// panels, and they need no rasteriser.
func upright(p []point) bool {
	return len(p) == 4 && (p[0].y == p[1].y && p[1].x == p[2].x && p[2].y == p[3].y && p[3].x == p[0].x ||
		p[0].x == p[1].x && p[1].y == p[2].y && p[2].x == p[3].x && p[3].y == p[0].y)
}

// frame draws the edge of an upright rectangle with square corners.
func (b *bench) frame(p, q point, half float32, ink *color.RGBA) {
	x0, y0, x1, y1 := min(p.x, q.x), min(p.y, q.y), max(p.x, q.x), max(p.y, q.y)
	b.rect(point{x0 - half, y0 - half}, point{x1 + half, y0 + half}, ink)
	b.rect(point{x0 - half, y1 - half}, point{x1 + half, y1 + half}, ink)
	b.rect(point{x0 - half, y0}, point{x0 + half, y1}, ink)
	b.rect(point{x1 - half, y0}, point{x1 + half, y1}, ink)
}

// rect fills an upright rectangle between two opposite corners. Pixels that it
// covers in part are blended by as much.
func (b *bench) rect(p, q point, ink *color.RGBA) {
	x0, y0, x1, y1 := min(p.x, q.x), min(p.y, q.y), max(p.x, q.x), max(p.y, q.y)
	size := b.picture.Rect
	left, right := max(int(math.Floor(float64(x0))), 0), min(int(math.Ceil(float64(x1))), size.Max.X)
	top, bottom := max(int(math.Floor(float64(y0))), 0), min(int(math.Ceil(float64(y1))), size.Max.Y)
	if left >= right {
		return
	}
	// Between these the pixels of a row are covered from side to side, each as much as the next.
	inner, outer := min(max(int(math.Ceil(float64(x0))), left), right), min(int(math.Floor(float64(x1))), right)
	outer = max(outer, inner)
	for y := top; y < bottom; y++ {
		down := min(y1, float32(y+1)) - max(y0, float32(y))
		row := b.picture.Pix[y*b.picture.Stride:][:4*size.Max.X]
		edge := func(from, to int) {
			for x := from; x < to; x++ {
				blend(row[4*x:4*x+4], ink, int32(256*down*(min(x1, float32(x+1))-max(x0, float32(x)))+0.5))
			}
		}
		edge(left, inner)
		cover := int32(256*down + 0.5)
		for rest := row[4*inner : 4*outer]; len(rest) >= 4; rest = rest[4:] {
			blend(rest[:4], ink, cover)
		}
		edge(outer, right)
	}
}

// blend mixes an ink into a pixel, so many 256ths of it.
func blend(pixel []byte, ink *color.RGBA, cover int32) {
	_ = pixel[2]
	if cover >= 256 {
		pixel[0], pixel[1], pixel[2] = ink.R, ink.G, ink.B
		return
	}
	pixel[0] += uint8((int32(ink.R) - int32(pixel[0])) * cover >> 8)
	pixel[1] += uint8((int32(ink.G) - int32(pixel[1])) * cover >> 8)
	pixel[2] += uint8((int32(ink.B) - int32(pixel[2])) * cover >> 8)
}

// disc draws a disc with its edge.
func (b *bench) disc(c point, r, width float32, fill, stroke *color.RGBA, dash int) {
	if p, ok := b.start([]point{c}, r, fill); ok {
		p.circle(c, r)
		p.finish()
	}
	if stroke == nil {
		return
	}
	// The edge as a closed line of short pieces: round to the eye, and dashed
	// like any other line.
	n := min(max(int(r*1.5), 16), 180)
	b.path = b.path[:0]
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		b.path = append(b.path, point{c.x + r*float32(cos), c.y + r*float32(sin)})
	}
	b.stroke(b.path, true, width, dash, stroke)
}

// bend gives a smooth line through points (Catmull and Rom's), as short pieces.
func (b *bench) bend(points []point) []point {
	b.path = b.path[:0]
	last := len(points) - 1
	for i := range last {
		p0, p1, p2, p3 := points[max(i-1, 0)], points[i], points[i+1], points[min(i+2, last)]
		n := min(max(int(distance(p1, p2)/4), 2), 48)
		for j := range n {
			t := float32(j) / float32(n)
			b.path = append(b.path, point{bent(p0.x, p1.x, p2.x, p3.x, t), bent(p0.y, p1.y, p2.y, p3.y, t)})
		}
	}
	b.path = append(b.path, points[last])
	return b.path
}

func bent(a, b, c, d, t float32) float32 {
	return 0.5 * (2*b + (c-a)*t + (2*a-5*b+4*c-d)*t*t + (3*b-a-3*c+d)*t*t*t)
}

func distance(a, b point) float32 {
	return float32(math.Hypot(float64(b.x-a.x), float64(b.y-a.y)))
}

// mostDashes is how many dashes a line may have: beyond, it is drawn whole.
const mostDashes = 5000

// stroke draws a line with round ends and corners, or with dashes.
func (b *bench) stroke(points []point, closed bool, width float32, dash int, ink *color.RGBA) {
	p, ok := b.start(points, width/2, ink)
	if !ok {
		return
	}
	half := width / 2
	n := len(points)
	if !closed {
		n--
	}
	var length float32
	for i := range n {
		length += distance(points[i], points[(i+1)%len(points)])
	}
	if dash > 0 && length/float32(dash) < mostDashes {
		p.dashes(points, n, half, float32(dash))
	} else {
		for i := range n {
			p.bar(points[i], points[(i+1)%len(points)], half)
		}
		if half > 0.6 { // corners of a thinner line can't be seen
			for _, q := range points {
				p.circle(q, half)
			}
		}
	}
	p.finish()
}

// bar adds a piece of a thick line.
func (p *paint) bar(from, to point, half float32) {
	d := distance(from, to)
	if d == 0 {
		return
	}
	x, y := (to.x-from.x)/d*half, (to.y-from.y)/d*half
	p.loop(point{from.x + y, from.y - x}, point{to.x + y, to.y - x}, point{to.x - y, to.y + x}, point{from.x - y, from.y + x})
}

// dashes adds a line as dashes with gaps of three fifths, running on round its
// corners.
func (p *paint) dashes(points []point, n int, half, dash float32) {
	gap := dash * 0.6
	left, on := dash, true
	for i := range n {
		from, to := points[i], points[(i+1)%len(points)]
		d := distance(from, to)
		for at := float32(0); at < d; {
			step := min(left, d-at)
			if on {
				a, b := at/d, (at+step)/d
				p.bar(point{from.x + (to.x-from.x)*a, from.y + (to.y-from.y)*a},
					point{from.x + (to.x-from.x)*b, from.y + (to.y-from.y)*b}, half)
			}
			at += step
			if left -= step; left <= 0.001 {
				on = !on
				left = gap
				if on {
					left = dash
				}
			}
			if step <= 0 {
				break
			}
		}
	}
}

// fonts are the two faces, taken apart once.
var fonts = sync.OnceValues(func() ([2]*opentype.Font, error) {
	var out [2]*opentype.Font
	for i, ttf := range [][]byte{goregular.TTF, gobold.TTF} {
		f, err := opentype.Parse(ttf)
		if err != nil {
			return out, fmt.Errorf("read built-in font: %w", err)
		}
		out[i] = f
	}
	return out, nil
})

// A pen writes in one face, and remembers the letters that it wrote.
type pen struct {
	faces  map[int]font.Face // by size
	glyphs map[glyphKey]glyph
}

type glyphKey struct {
	size  int
	rune  rune
	shift fixed.Int26_6 // by which it stands right of a whole pixel
}

// A glyph is the shape of a letter and where it stands from its origin.
type glyph struct {
	mask *image.Alpha // nil for none, such as a blank
	at   image.Point
}

const mostGlyphs = 4000

func (b *bench) pen(bold bool, size int) (*pen, font.Face, error) {
	all, err := fonts()
	if err != nil {
		return nil, nil, err
	}
	i := 0
	if bold {
		i = 1
	}
	p := &b.pens[i]
	if p.faces == nil || len(p.glyphs) > mostGlyphs || len(p.faces) > 32 {
		p.faces, p.glyphs = map[int]font.Face{}, map[glyphKey]glyph{}
	}
	face := p.faces[size]
	if face == nil {
		face, err = opentype.NewFace(all[i], &opentype.FaceOptions{Size: float64(size), DPI: 72, Hinting: font.HintingNone})
		if err != nil {
			return nil, nil, fmt.Errorf("make face of size %d: %w", size, err)
		}
		p.faces[size] = face
	}
	return p, face, nil
}

func (p *pen) glyph(face font.Face, size int, c rune, shift fixed.Int26_6) glyph {
	key := glyphKey{size, c, shift}
	g, ok := p.glyphs[key]
	if ok {
		return g
	}
	dr, mask, maskp, _, ok := face.Glyph(fixed.Point26_6{X: shift}, c)
	if ok && !dr.Empty() {
		g.mask = image.NewAlpha(image.Rect(0, 0, dr.Dx(), dr.Dy()))
		draw.Draw(g.mask, g.mask.Rect, mask, maskp, draw.Src)
		g.at = dr.Min
	}
	p.glyphs[key] = g
	return g
}

// A rim around a text reaches this far, in pixels, if its mark does not say, and
// never further than that.
const (
	usualRim  = 2.0
	widestRim = 5.0
)

// label writes a text, its middle height at a point, with a rim of the stroke's
// colour.
func (b *bench) label(at point, m *engine.Mark, text string, fill, stroke *color.RGBA) error {
	if fill == nil {
		fill = &color.RGBA{A: 255}
	}
	reach := 0.0
	if stroke != nil {
		if reach = min(float64(max(m.Width, 0))/10, widestRim); reach == 0 {
			reach = usualRim
		}
	}
	size := m.Size
	switch {
	case size == 0:
		size = 12
	case size < 0 || size > largestText:
		return fmt.Errorf("%d is no size of text", size)
	}
	text = clip(clean(text), longestName)
	if text == "" {
		return nil
	}
	pen, face, err := b.pen(m.Bold, size)
	if err != nil {
		return err
	}
	length := font.MeasureString(face, text)
	x := fixed.Int26_6(at.x * 64)
	switch m.Anchor {
	case engine.Start:
	case engine.End:
		x -= length
	default:
		x -= length / 2
	}
	// Half the height of the capitals and digits below the middle is the line
	// that letters stand on.
	capital := face.Metrics().CapHeight
	if capital <= 0 {
		capital = fixed.Int26_6(size * 64 * 7 / 10)
	}
	line := int(math.Round(float64(at.y) + float64(capital)/128))

	margin := int(math.Ceil(reach)) + 2
	ascent, descent := face.Metrics().Ascent.Ceil(), face.Metrics().Descent.Ceil()
	box := image.Rect(x.Floor()-margin, line-ascent-margin, (x+length).Ceil()+margin, line+descent+margin)
	if box.Intersect(b.picture.Rect).Empty() {
		return nil
	}
	resize(&b.mask, box)
	previous := rune(-1)
	for _, c := range text {
		if previous >= 0 {
			x += face.Kern(previous, c)
		}
		previous = c
		const quarter = 16
		exact := (x + quarter/2) / quarter * quarter
		whole := exact.Floor()
		g := pen.glyph(face, size, c, exact-fixed.I(whole))
		if g.mask != nil {
			add(&b.mask, g.mask, g.at.Add(image.Pt(whole, line)))
		}
		if advance, ok := face.GlyphAdvance(c); ok {
			x += advance
		}
	}
	if stroke != nil {
		spread(&b.rim, &b.mask, reach)
		draw.DrawMask(b.picture, box, image.NewUniform(*stroke), image.Point{}, &b.rim, box.Min, draw.Over)
	}
	draw.DrawMask(b.picture, box, image.NewUniform(*fill), image.Point{}, &b.mask, box.Min, draw.Over)
	return nil
}

// resize makes a mask empty and as large as a box.
func resize(mask *image.Alpha, box image.Rectangle) {
	n := box.Dx() * box.Dy()
	if cap(mask.Pix) < n {
		mask.Pix = make([]uint8, n)
	}
	mask.Pix = mask.Pix[:n]
	clear(mask.Pix)
	mask.Stride, mask.Rect = box.Dx(), box
}

// add lays a letter into a mask.
func add(mask, letter *image.Alpha, at image.Point) {
	for y := range letter.Rect.Dy() {
		my := at.Y + y
		if my < mask.Rect.Min.Y || my >= mask.Rect.Max.Y {
			continue
		}
		row := mask.Pix[(my-mask.Rect.Min.Y)*mask.Stride:][:mask.Stride]
		for x, v := range letter.Pix[y*letter.Stride:][:letter.Rect.Dx()] {
			mx := at.X + x - mask.Rect.Min.X
			if v != 0 && mx >= 0 && mx < len(row) {
				row[mx] = uint8(min(int(row[mx])+int(v), 255))
			}
		}
	}
}

// spread makes a mask that reaches further than another, with a soft edge.
func spread(to, from *image.Alpha, reach float64) {
	resize(to, from.Rect)
	w, h := from.Rect.Dx(), from.Rect.Dy()
	r := int(math.Ceil(reach))
	for y := range h {
		// Most of a mask is empty: what is spread of a row is what stands between the first and the last of it.
		row := from.Pix[y*w:][:w]
		first, last := 0, w
		for first < w && row[first] == 0 {
			first++
		}
		for last > first && row[last-1] == 0 {
			last--
		}
		if first == last {
			continue
		}
		for dy := max(-r, -y); dy <= min(r, h-1-y); dy++ {
			target := to.Pix[(y+dy)*w:][:w]
			for dx := -r; dx <= r; dx++ {
				weight := uint32(256 * min(max(reach+0.5-math.Hypot(float64(dx), float64(dy)), 0), 1))
				if begin, end := max(first, -dx), min(last, w-dx); weight > 0 && begin < end {
					heighten(target[begin+dx:end+dx], row[begin:end], weight)
				}
			}
		}
	}
}

// heighten raises each place of a row to what stands in another, by so many 256ths of it.
func heighten(target, source []uint8, weight uint32) {
	target = target[:len(source)]
	if weight == 256 {
		for i, v := range source {
			target[i] = max(target[i], v)
		}
		return
	}
	for i, v := range source {
		target[i] = max(target[i], uint8(uint32(v)*weight>>8))
	}
}

// groundKey tells grounds apart by all that they are drawn from.
func groundKey(s *engine.Scene, labels []string) [sha256.Size]byte {
	buf := make([]byte, 0, 64*len(s.Ground)+64)
	number := func(n int) { buf = binary.AppendVarint(buf, int64(n)) }
	text := func(t string) {
		number(len(t))
		buf = append(buf, t...)
	}
	number(s.Width)
	number(groundHeight(s))
	text(string(s.Paper))
	for i := range s.Ground {
		m := &s.Ground[i]
		text(string(m.Shape))
		number(len(m.Points))
		for _, p := range m.Points {
			number(p.X)
			number(p.Y)
		}
		number(m.Radius)
		text(string(m.Fill))
		text(string(m.Stroke))
		number(m.Width)
		number(m.Dash)
		if m.Shape == engine.Label {
			number(m.Size)
			if m.Bold {
				number(1)
			} else {
				number(0)
			}
			text(string(m.Anchor))
			text(labels[0])
			labels = labels[1:]
		}
	}
	return sha256.Sum256(buf)
}
