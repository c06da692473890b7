package napoleon

import (
	"slices"
	"strings"

	"berthier/engine"
	"berthier/engine/sheet"
	"berthier/orders/phrase"
)

// calendar lists the days of the turn track and the parts of a day.
func (s *scenario) calendar() (days, parts []string) {
	for _, t := range s.turns {
		if !slices.Contains(days, t.date) {
			days = append(days, t.date)
		}
		if !slices.Contains(parts, t.part) {
			parts = append(parts, t.part)
		}
	}
	return days, parts
}

// titleSize is the size of the scenario's title on the card.
const titleSize = 13

// briefTitle is the title of a scenario as the card has it: without the edition, for which it has no room.
func briefTitle(title string) string {
	title, _, _ = strings.Cut(title, " (")
	return title
}

// card draws the frame of title and calendar; the turns themselves change.
func (b *brush) card(s *scenario, r sheet.Box, days, parts []string) {
	b.Box(r, inkCard, inkBlack, 12)
	b.Box(r.Grown(-3), "", inkShade, 6)
	b.Label(sheet.At(r.X+r.W/2, r.Y+17), sheet.Name("scenario-brief", s.name), sheet.Lettering{Size: titleSize, Bold: true, Ink: inkBlack})
	for i, day := range days {
		c := calendarCell(r, len(days), i, 0)
		b.Label(sheet.At(c.X+c.W/2, c.Y-8), sheet.Text(dayOf(day)), sheet.Lettering{Size: 12, Ink: inkBlack})
	}
	for i, part := range parts {
		c := calendarCell(r, len(days), 0, i)
		b.Label(sheet.At(c.X-6, c.Y+c.H/2), sheet.Name("part", part), sheet.Lettering{Size: 12, Ink: inkBlack, Anchor: engine.End})
	}
}

// dayOf is the day of the month of a date, without leading zero.
func dayOf(date string) string {
	if n := len(date); n >= 2 {
		if date[n-2] == '0' {
			return date[n-1:]
		}
		return date[n-2:]
	}
	return date
}

func calendarCell(card sheet.Box, days, day, part int) sheet.Box {
	left := card.X + (card.W-(72+26*days))/2 + 72
	return sheet.Box{X: left + 26*day, Y: card.Y + 58 + 17*part, W: 24, H: 15}
}

// legend lists what the ground shows.
func (s *scenario) legend() []string {
	all := []string{"main-road", "secondary-road", "bridge", "town", "supply"}
	for i := range s.lines {
		all = append(all, s.lines[i].id)
	}
	return all
}

func (b *brush) legend(s *scenario, r sheet.Box, p *palette) {
	b.Box(r, p.paper, inkBlack, 12)
	for i, what := range s.legend() {
		y := r.Y + 15 + 15*i
		from, to := sheet.At(r.X+9, y), sheet.At(r.X+37, y)
		label := sheet.Phrase("nap.map.legend-" + what)
		switch what {
		case "main-road":
			b.Line(p.casing, 52, from, to)
			b.Line(p.road, 28, from, to)
		case "secondary-road":
			b.Line(p.lane, 16, from, to)
		case "bridge":
			b.Line(p.river, 50, sheet.At(r.X+23, y-6), sheet.At(r.X+23, y+6))
			b.Line(p.lane, 16, from, to)
			b.bridge(bridge{at: sheet.At(r.X+23, y), along: sheet.At(100, 0)}, p)
		case "town":
			b.Disc(sheet.At(r.X+23, y), townDot, p.dot, p.edge, 18)
		case "supply":
			at := sheet.At(r.X+23, y)
			b.Disc(at, 7, p.dot, armyInks[angloDutch], 26)
			b.Polygon(p.edge, "", 0, sheet.Star(at, 5)...)
		default:
			if what == "border" {
				b.Dashed(p.border, 24, 10, from, to)
			} else {
				b.Dashed(p.line, 20, 4, from, to)
			}
		}
		b.Label(sheet.At(r.X+45, y), label, sheet.Lettering{Size: 12, Ink: p.text, Anchor: engine.Start})
	}
}

// arms explains the blocks.
func (b *brush) arms(r sheet.Box) {
	b.Box(r, inkCard, inkBlack, 12)
	all := [...]string{"infantry", "light-cavalry", "heavy-cavalry", "foot-artillery", "horse-artillery",
		"leader", "strength", "hidden", "disrupted", "battle"}
	for i, what := range all {
		x, y := r.X+8, r.Y+12+14*i
		if i >= 5 {
			x, y = r.X+166, y-70
		}
		label := sheet.Phrase("nap.map.legend-" + what)
		sign := sheet.Box{X: x + 2, Y: y - 5, W: 20, H: 11}
		switch what {
		case "strength":
			b.Box(sign, armyInks[french], "", 0)
			b.Label(sign.Middle(), sheet.Text("3"), sheet.Lettering{Size: 12, Bold: true, Ink: inkWhite})
		case "hidden":
			b.Box(sheet.Box{X: sign.X, Y: sign.Y, W: sign.W + 4, H: sign.H}, armyInks[prussian], "", 0)
			b.Label(sheet.At(sign.X+12, y), sheet.Text("P×3"), sheet.Lettering{Size: 12, Bold: true, Ink: inkWhite})
		case "disrupted":
			b.Box(sign, armyInks[french], "", 0)
			b.disrupted(sign)
		case "battle":
			b.swords(sheet.At(x+12, y), 7)
		default:
			k := kind(slices.Index(kindWords[:], what))
			b.Box(sign, armyInks[french], "", 0)
			b.symbol(sheet.Box{X: sign.X + 3, Y: sign.Y + 1, W: 14, H: 9}, k, inkWhite, 12)
			label = sheet.Name("kind", what)
		}
		b.Label(sheet.At(x+32, y), label, sheet.Lettering{Size: 12, Ink: inkBlack, Anchor: engine.Start})
	}
}

// calendarMarks draws the turn track: past turns faded, the present one framed.
func (v *View) calendarMarks(b *brush, c *chart, title phrase.Phrase) {
	days, parts := v.calendar()
	if v.outcome != nil { // who won and why has no room on the card
		title = phrase.Say("nap.map.over")
	}
	b.Label(sheet.At(c.card.X+c.card.W/2, c.card.Y+35), sheet.Said(title), sheet.Lettering{Size: 12, Ink: inkBlack})
	var now sheet.Box
	for i := range v.turns {
		t := &v.turns[i]
		r := calendarCell(c.card, len(days), slices.Index(days, t.date), slices.Index(parts, t.part))
		fill, ink, letter := armyInks[french], inkWhite, "F"
		if t.camp == alliedCamp {
			fill, letter = armyInks[angloDutch], "A"
		}
		edge := fill
		if t.night {
			fill = inkBlack
		}
		if i < v.turn {
			fill, ink, edge = inkCard, inkShade, inkShade
		}
		b.Box(r, fill, edge, 14)
		b.Label(r.Middle(), sheet.Text(letter), sheet.Lettering{Size: 12, Bold: true, Ink: ink})
		if i == v.turn {
			now = r
		}
	}
	if now.W > 0 {
		b.Box(now.Grown(2), "", inkBlack, 24)
		b.Box(now.Grown(2), "", inkBurst, 12)
	}
}
