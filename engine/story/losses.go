package story

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"berthier/engine"
	"berthier/engine/sheet"
	"berthier/orders/phrase"
)

// turnsOf gives the last tally of each turn, in their order.
func (c *course) turnsOf() []engine.Tally {
	var all []engine.Tally
	add := func(t engine.Tally) {
		switch n := len(all); {
		case t.Hour.Turn == 0:
		case n > 0 && all[n-1].Hour.Turn == t.Hour.Turn:
			all[n-1] = t
		default:
			all = append(all, t)
		}
	}
	add(c.began)
	for _, m := range c.moments {
		add(m.After)
	}
	return all
}

// barWidth is how long the longest bar is, and barSign what it is made of: a sign that may stand
// many times in a row, which # and others in letters may not.
const (
	barWidth = 8
	barSign  = "•"
)

// bar draws a number as a bar, with the number behind it. A number that is not 0 has a bar.
func bar(n, most int) phrase.Value {
	long := 0
	if n > 0 && most > 0 {
		long = max(1, sheet.RoundDiv(n*barWidth, most))
	}
	return sheet.Text(strings.TrimSpace(strings.Repeat(barSign, long) + " " + strconv.Itoa(n)))
}

// mostTurns is how many turns the table of losses has: more are in its picture.
const mostTurns = 5

// weightiestTurns tells which turns have a line in the table: the last, and those in which most
// changed since the one before.
func weightiestTurns(turns []engine.Tally) map[int]bool {
	last := len(turns) - 1
	var by []int
	for i := 1; i < last; i++ {
		if change(turns[i-1], turns[i]) > 0 {
			by = append(by, i)
		}
	}
	slices.SortStableFunc(by, func(a, b int) int { return cmp.Compare(change(turns[b-1], turns[b]), change(turns[a-1], turns[a])) })
	shown := map[int]bool{last: true}
	for _, i := range by[:min(len(by), mostTurns-1)] {
		shown[i] = true
	}
	return shown
}

// losses shows what was lost and held turn by turn: the weightiest turns as bars, all in a picture.
func (c *course) losses() engine.Section {
	turns := c.turnsOf()
	if len(turns) < 2 {
		return engine.Section{}
	}
	last := turns[len(turns)-1]
	most, told := 1, false
	for _, p := range last.Parties {
		most, told = max(most, p.Lost), told || p.Lost > 0 || p.Held > 0
	}
	if !told {
		return engine.Section{} // losses that are secret to the end are told by [engine.Chronicled.Hidden]
	}
	table := engine.Table{Head: []engine.Column{{Head: phrase.Say("story.course.when")}}}
	for _, p := range last.Parties {
		table.Head = append(table.Head, engine.Column{Head: phrase.Say("story.course.losses-of", sheet.Filled("who", p.Who))})
	}
	if !last.Holding.IsZero() {
		table.Head = append(table.Head, engine.Column{Head: phrase.Say("story.course.holding", phrase.Within("what", last.Holding))})
	}
	shown := weightiestTurns(turns)
	for i, t := range turns {
		if !shown[i] {
			continue
		}
		row := []phrase.Value{sheet.Said(t.Hour.Name)}
		held := make([]phrase.Value, 0, len(t.Parties))
		for _, p := range t.Parties {
			row = append(row, bar(p.Lost, most))
			held = append(held, sheet.Number(p.Held))
		}
		if !last.Holding.IsZero() {
			row = append(row, sheet.Phrase("story.course.score", sheet.Filled("held", sheet.List(held...))))
		}
		table.Rows = append(table.Rows, row)
	}
	key := []phrase.Arg{}
	if !last.Holding.IsZero() {
		who := make([]phrase.Value, 0, len(last.Parties))
		for _, p := range last.Parties {
			who = append(who, p.Who)
		}
		key = append(key, phrase.Within("what", last.Holding), sheet.Filled("who", sheet.List(who...)))
	}
	return engine.Section{Heading: phrase.Say("story.course.losses"), Picture: plot(turns),
		Lines: []phrase.Phrase{phrase.Say("story.course.key", key...)}, Tables: []engine.Table{table}}
}

// Measures of the picture of losses.
const (
	plotWidth   = 720
	plotHeight  = 300
	plotLeft    = 46
	plotRight   = 20
	plotTop     = 42
	plotBottom  = 34
	plotHeld    = 90 // height of the lower part, where what is held is shown
	plotGap     = 44
	plotLetters = 20
)

// inks are the colours of the parties, and dashes tell their lines apart without colours.
var (
	inks   = []engine.Ink{"#1d3f8a", "#a5382b", "#2f6b3a", "#7a4a12"}
	dashes = []int{0, 12, 4, 20}
)

// stroke draws the line of a party, counted from 0.
func stroke(b *sheet.Brush, party int, points ...engine.Point) {
	ink := inks[party%len(inks)]
	if dash := dashes[party%len(dashes)]; dash > 0 {
		b.Dashed(ink, 35, dash, points...)
		return
	}
	b.Line(ink, 35, points...)
}

// plot draws what each party has lost by the end of each turn, and below it what it holds.
func plot(turns []engine.Tally) *engine.Scene {
	last := turns[len(turns)-1]
	lost, held := 1, 1
	for _, t := range turns {
		for _, p := range t.Parties {
			lost, held = max(lost, p.Lost), max(held, p.Held)
		}
	}
	height := plotHeight
	if !last.Holding.IsZero() {
		height += plotGap + plotHeld
	}
	b := sheet.NewBrush(40)
	from, to := turns[0].Hour.Turn, last.Hour.Turn
	x := func(turn int) int {
		return plotLeft + (plotWidth-plotLeft-plotRight)*(turn-from)/max(1, to-from)
	}
	upper := sheet.Box{X: plotLeft, Y: plotTop, W: plotWidth - plotLeft - plotRight, H: plotHeight - plotTop - plotBottom}
	draw := func(box sheet.Box, most int, of func(engine.Party) int) {
		b.Box(box, "#fffdf8", "#8a8373", 10)
		letters := sheet.Lettering{Size: plotLetters, Ink: "#4a4436", Anchor: engine.End}
		b.Label(sheet.At(box.X-6, box.Y+box.H), sheet.Number(0), letters)
		b.Label(sheet.At(box.X-6, box.Y+8), sheet.Number(most), letters)
		for i := range last.Parties {
			var points []engine.Point
			y := 0
			for j, t := range turns {
				n := 0
				if i < len(t.Parties) {
					n = of(t.Parties[i])
				}
				now := box.Y + box.H - box.H*n/most
				if j > 0 && now != y {
					points = append(points, sheet.At(x(t.Hour.Turn), y)) // what changes in a turn is a step
				}
				y = now
				points = append(points, sheet.At(x(t.Hour.Turn), y))
			}
			stroke(b, i, points...)
		}
	}
	draw(upper, lost, func(p engine.Party) int { return p.Lost })
	below := plotHeight - plotBottom
	if !last.Holding.IsZero() {
		lower := sheet.Box{X: plotLeft, Y: plotHeight, W: upper.W, H: plotHeld}
		draw(lower, held, func(p engine.Party) int { return p.Held })
		b.Label(sheet.At(plotLeft+6, lower.Y-plotGap/2+6), sheet.Phrase("story.course.holding", phrase.Within("what", last.Holding)),
			sheet.Lettering{Size: plotLetters, Bold: true, Ink: "#4a4436", Anchor: engine.Start})
		below = height - plotBottom + 4
	}
	b.Label(sheet.At(plotLeft, below+16), sheet.Number(from), sheet.Lettering{Size: plotLetters, Ink: "#4a4436", Anchor: engine.Start})
	b.Label(sheet.At(plotWidth-plotRight, below+16), sheet.Phrase("story.course.turn", phrase.Number("turn", to)), sheet.Lettering{Size: plotLetters, Ink: "#4a4436", Anchor: engine.End})
	for i, p := range last.Parties { // which line is whose
		at := plotLeft + i*(plotWidth-plotLeft-plotRight)/len(last.Parties)
		stroke(b, i, sheet.At(at, plotTop-18), sheet.At(at+36, plotTop-18))
		b.Label(sheet.At(at+42, plotTop-18), sheet.Phrase("story.course.losses-of", sheet.Filled("who", p.Who)),
			sheet.Lettering{Size: plotLetters, Ink: inks[i%len(inks)], Anchor: engine.Start})
	}
	return &engine.Scene{Name: "losses", Alt: phrase.Say("story.course.plot"), Width: plotWidth, Height: height, Paper: "#f4efe0", Marks: b.Marks()}
}
