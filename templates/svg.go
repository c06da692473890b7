package templates

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"

	"berthier/engine"
)

// A plate gathers the marks of many pictures as SVG, each kind of mark once: the
// maps of a whole game differ in a few blocks, so they share nearly all.
type plate struct {
	defs   strings.Builder
	known  map[string]int    // SVG of a mark: its number
	groups map[string]string // marks one after another: the name of the group
}

func newPlate() *plate { return &plate{known: map[string]int{}, groups: map[string]string{}} }

// picture gives a scene as an SVG element that uses what the plate holds. The
// labels are those that [Labels] gave.
func (p *plate) picture(s *engine.Scene, labels []string, alt string) (string, error) {
	if s.Width < 1 || s.Height < 1 || s.Width > widestScene || s.Height > widestScene {
		return "", fmt.Errorf("draw scene %s: %d by %d is no size to draw", s.Name, s.Width, s.Height)
	}
	inGround := countLabels(s.Ground)
	if len(labels) != inGround+countLabels(s.Marks) {
		return "", fmt.Errorf("draw scene %s: %d labels for %d marks with text", s.Name, len(labels), inGround+countLabels(s.Marks))
	}
	paper, err := svgInk(s.Paper, "#ffffff")
	if err != nil {
		return "", fmt.Errorf("draw scene %s: paper: %w", s.Name, err)
	}
	ground, err := p.uses(s.Ground, labels[:inGround])
	if err != nil {
		return "", fmt.Errorf("draw scene %s: ground %w", s.Name, err)
	}
	marks, err := p.uses(s.Marks, labels[inGround:])
	if err != nil {
		return "", fmt.Errorf("draw scene %s: marks %w", s.Name, err)
	}
	return fmt.Sprintf(`<svg viewBox="0 0 %d %d" role="img" aria-label="%s"><rect width="%d" height="%d" fill="%s"/><use href="#%s"/><use href="#%s"/></svg>`,
		s.Width, s.Height, html.EscapeString(alt), s.Width, s.Height, paper, p.group(ground), p.group(marks)), nil
}

// group keeps a sequence of marks and gives the name of the group.
func (p *plate) group(uses string) string {
	id, ok := p.groups[uses]
	if !ok {
		id = "g" + strconv.Itoa(len(p.groups)+1)
		p.groups[uses] = id
		p.defs.WriteString(`<g id="` + id + `">` + uses + "</g>\n")
	}
	return id
}

// uses names marks one after another, and keeps those that are new.
func (p *plate) uses(marks []engine.Mark, labels []string) (string, error) {
	var out strings.Builder
	var piece []int
	flush := func() {
		var uses strings.Builder
		for _, n := range piece {
			uses.WriteString(`<use href="#m` + strconv.Itoa(n) + `"/>`)
		}
		switch len(piece) {
		case 0:
		case 1:
			out.WriteString(uses.String())
		default:
			out.WriteString(`<use href="#` + p.group(uses.String()) + `"/>`)
		}
		piece = piece[:0]
	}
	for i := range marks {
		m := &marks[i]
		text := ""
		if m.Shape == engine.Label {
			text, labels = labels[0], labels[1:]
		}
		shape, err := svgMark(m, text)
		if err != nil {
			return "", fmt.Errorf("%d (%s): %w", i+1, m.Shape, err)
		}
		if shape == "" {
			continue
		}
		n, ok := p.known[shape]
		if !ok {
			n = len(p.known) + 1
			p.known[shape] = n
			p.defs.WriteString(`<g id="m` + strconv.Itoa(n) + `">` + shape + "</g>\n")
		}
		piece = append(piece, n)
		if n%pieceMarks == 0 { // where a piece ends depends on the mark alone, so that pieces are found again
			flush()
		}
	}
	flush()
	return out.String(), nil
}

// pieceMarks is how many marks a piece of a picture has, more or less. Pieces
// that stay the same from picture to picture are written once.
const pieceMarks = 12

func svgInk(ink, otherwise engine.Ink) (string, error) {
	c, err := colour(ink, otherwise)
	if err != nil || c == nil {
		return "none", err
	}
	return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B), nil
}

// svgMark writes one mark.
func svgMark(m *engine.Mark, text string) (string, error) {
	fill, err := svgInk(m.Fill, "")
	if err != nil {
		return "", err
	}
	stroke, err := svgInk(m.Stroke, "")
	if err != nil {
		return "", err
	}
	least := map[engine.Shape]int{engine.Polygon: 3, engine.Line: 2, engine.Curve: 2, engine.Disc: 1, engine.Label: 1}[m.Shape]
	if least == 0 || len(m.Points) < least {
		return "", fmt.Errorf("has %d points, which is no shape", len(m.Points))
	}
	pen := ""
	if stroke != "none" {
		width := min(float64(max(m.Width, 0))/10, 2*widestScene)
		if width == 0 {
			width = 1
		}
		pen = ` stroke="` + stroke + `" stroke-width="` + decimal(width) + `"`
		if m.Dash > 0 {
			pen += fmt.Sprintf(` stroke-dasharray="%d %s"`, m.Dash, decimal(float64(m.Dash)*0.6))
		} else if m.Shape != engine.Polygon {
			pen += ` stroke-linecap="round" stroke-linejoin="round"`
		}
	}
	at := m.Points[0]
	switch m.Shape {
	case engine.Polygon:
		return `<polygon points="` + svgPoints(m.Points) + `" fill="` + fill + `"` + pen + `/>`, nil
	case engine.Line:
		return `<polyline points="` + svgPoints(m.Points) + `" fill="none"` + pen + `/>`, nil
	case engine.Curve:
		return `<path d="` + svgBend(m.Points) + `" fill="none"` + pen + `/>`, nil
	case engine.Disc:
		return fmt.Sprintf(`<circle cx="%d" cy="%d" r="%d" fill="%s"%s/>`, at.X, at.Y, max(m.Radius, 0), fill, pen), nil
	}
	return svgLabel(m, text, fill, stroke), nil
}

func svgPoints(points []engine.Point) string {
	parts := make([]string, len(points))
	for i, p := range points {
		parts[i] = strconv.Itoa(p.X) + "," + strconv.Itoa(p.Y)
	}
	return strings.Join(parts, " ")
}

// svgBend is the smooth line through points that [bench.bend] draws.
func svgBend(points []engine.Point) string {
	var out strings.Builder
	fmt.Fprintf(&out, "M%d %d", points[0].X, points[0].Y)
	last := len(points) - 1
	for i := range last {
		p0, p1, p2, p3 := points[max(i-1, 0)], points[i], points[i+1], points[min(i+2, last)]
		handle := func(at, from, to, sign int) string { return decimal(float64(at) + float64(sign*(to-from))/6) }
		fmt.Fprintf(&out, "C%s %s %s %s %d %d", handle(p1.X, p0.X, p2.X, 1), handle(p1.Y, p0.Y, p2.Y, 1),
			handle(p2.X, p1.X, p3.X, -1), handle(p2.Y, p1.Y, p3.Y, -1), p2.X, p2.Y)
	}
	return out.String()
}

func svgLabel(m *engine.Mark, text, fill, stroke string) string {
	text = clip(clean(text), longestName)
	if text == "" {
		return ""
	}
	size := m.Size
	if size <= 0 || size > largestText {
		size = 12
	}
	if fill == "none" {
		fill = "#000000"
	}
	style := ""
	if stroke != "none" {
		reach := min(float64(max(m.Width, 0))/10, widestRim)
		if reach == 0 {
			reach = usualRim
		}
		style = ` stroke="` + stroke + `" stroke-width="` + decimal(2*reach) + `" stroke-linejoin="round" paint-order="stroke"`
	}
	switch m.Anchor {
	case engine.Start:
	case engine.End:
		style += ` text-anchor="end"`
	default:
		style += ` text-anchor="middle"`
	}
	if m.Bold {
		style += ` font-weight="bold"`
	}
	return fmt.Sprintf(`<text x="%d" y="%d" dy=".36em" font-size="%d" fill="%s"%s>%s</text>`,
		m.Points[0].X, m.Points[0].Y, size, fill, style, html.EscapeString(text))
}

// decimal writes a number with one decimal at most.
func decimal(v float64) string { return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64) }
