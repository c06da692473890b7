package templates

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"berthier/orders/phrase"
)

// ratings is the page of all ratings, each with its history as a plot.
func (p *sitePage) ratings() {
	p.heading = p.say("site.ratings")
	some := false
	for i := range p.site.Ladders {
		if len(p.site.Ladders[i].Rows) > 0 {
			p.ladder(&p.site.Ladders[i])
			some = true
		}
	}
	if !some {
		p.element("p", p.say("site.no-ratings"))
	}
}

// ladder writes the ratings of a system.
func (p *sitePage) ladder(l *SiteLadder) {
	p.raw("<section>")
	p.element("h2", l.System)
	p.element(`p class="soft"`, p.say("site.ratings-how"))
	p.head([][2]string{{"n", p.say("site.place")}, {"who", p.say("league.table.member")}, {"n", p.say("site.rating")}, {"n", p.say("site.more")}, {"n", p.say("league.table.games")}, {"", ""}})
	for i, r := range l.Rows {
		p.raw("<tr>")
		p.number("n", i+1)
		p.who(r.Member)
		p.number("n", r.now().Points)
		p.number("n", r.now().More)
		p.number("n", r.Games)
		provisional := ""
		if r.Provisional {
			provisional = p.say("site.provisional")
		}
		p.cell("soft", provisional)
		p.raw("</tr>\n")
	}
	p.endTable()
	p.sides(l)
	low, high := l.bounds()
	p.raw("<div class=\"plots\">\n")
	for _, r := range l.Rows {
		if r.Games > 0 {
			p.plot(l, r, low, high)
		}
	}
	p.raw("</div></section>\n")
}

// sides writes what playing a side is reckoned to be worth.
func (p *sitePage) sides(l *SiteLadder) {
	if len(l.Sides) == 0 {
		return
	}
	p.element(`p class="soft"`, p.say("site.sides-how"))
	p.raw("<ul>")
	for _, s := range l.Sides {
		p.element("li", p.say("site.side", phrase.Literal("side", s.Side), phrase.Literal("setup", s.SetUp), phrase.Literal("points", fmt.Sprintf("%+d", s.Points))))
	}
	p.raw("</ul>\n")
}

// plotStep is what the bounds of all plots of a system are whole multiples of, in points.
const plotStep = 100

// bounds are the lowest and the highest points that the plots of a system show: the same for all, so
// that they can be compared.
func (l *SiteLadder) bounds() (low, high int) {
	first := true
	for _, r := range l.Rows {
		for _, at := range r.Ratings {
			if r.Games == 0 {
				continue
			}
			if first {
				low, high, first = at.Points, at.Points, false
			}
			low, high = min(low, at.Points-at.More), max(high, at.Points+at.More)
		}
	}
	return max(low, 0) / plotStep * plotStep, (high + plotStep - 1) / plotStep * plotStep
}

// Measures of a plot.
const (
	plotWidth, plotHeight = 320, 150
	plotLeft, plotRight   = 34, 8
	plotTop, plotBottom   = 8, 20
)

// plot draws the history of a rating, with twice its deviation to both sides.
func (p *sitePage) plot(l *SiteLadder, r SiteRated, low, high int) {
	x := func(i int) int {
		if len(r.Ratings) == 1 {
			return plotLeft + (plotWidth-plotLeft-plotRight)/2
		}
		return plotLeft + i*(plotWidth-plotLeft-plotRight)/(len(r.Ratings)-1)
	}
	y := func(points int) int {
		points = min(max(points, low), high)
		return plotTop + (high-points)*(plotHeight-plotTop-plotBottom)/max(high-low, 1)
	}
	said := p.say("site.plot", phrase.Literal("member", r.Member.shown()), phrase.Number("rating", r.now().Points), phrase.Number("more", r.now().More))
	p.raw("<figure>")
	p.element("figcaption", said)
	p.raw(fmt.Sprintf(`<svg viewBox="0 0 %d %d" role="img" aria-label="`, plotWidth, plotHeight))
	p.text(said)
	p.raw(`">`)
	step := (high - low + 3*plotStep) / (4 * plotStep) * plotStep
	for at := low; at <= high; at += max(step, plotStep) {
		p.raw(fmt.Sprintf(`<path class="grid" d="M%d %dH%d"/><text x="%d" y="%d" text-anchor="end">%d</text>`, plotLeft, y(at), plotWidth-plotRight, plotLeft-4, y(at)+4, at))
	}
	var band, back, line strings.Builder
	for i, at := range r.Ratings {
		fmt.Fprintf(&band, "%d,%d ", x(i), y(at.Points+at.More))
		fmt.Fprintf(&line, "%d,%d ", x(i), y(at.Points))
		under := r.Ratings[len(r.Ratings)-1-i]
		fmt.Fprintf(&back, "%d,%d ", x(len(r.Ratings)-1-i), y(under.Points-under.More))
	}
	p.raw(`<polygon class="band" points="`, strings.TrimSpace(band.String()+back.String()), `"/><polyline class="line" points="`, strings.TrimSpace(line.String()), `"/>`)
	p.raw(fmt.Sprintf(`<circle class="dot" cx="%d" cy="%d" r="3"/>`, x(len(r.Ratings)-1), y(r.now().Points)))
	p.label(plotLeft, "start", r.From)
	if len(r.Ratings) > 1 {
		p.label(plotWidth-plotRight, "end", r.Until)
	}
	p.raw("</svg></figure>\n")
}

// label writes a day under a plot.
func (p *sitePage) label(x int, anchor string, at time.Time) {
	p.raw(`<text x="`, strconv.Itoa(x), `" y="`, strconv.Itoa(plotHeight-6), `" text-anchor="`, anchor, `">`)
	p.text(at.In(p.site.Zone).Format("2006-01-02"))
	p.raw("</text>")
}
