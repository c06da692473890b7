package napoleon

import (
	"strconv"

	"berthier/engine"
	"berthier/engine/sheet"
	"berthier/orders/phrase"
)

// Size of the map's sheet and of what stands on it.
const (
	mapWidth  = 900
	mapHeight = 720
	cellSize  = 6 // of the grid that tells where there is room
	townDot   = 5
	cityDot   = 9
	townText  = 13
	cityText  = 15
	blockW    = 34
	blockH    = 26
	blockGap  = 2
	bigW      = 2*blockW + blockGap // of a counter that stands for many
	panelPad  = 3
)

// A palette is the inks of the ground, by day or by night.
type palette struct {
	paper, river, casing, road, lane, border, line, dot, edge, text, bank engine.Ink
}

var dayInks = palette{
	paper: "#f3ead3", river: "#7fb0cf", bank: "#5f92b5", casing: "#4a3a28", road: "#f7d98c", lane: "#6b5942",
	border: "#a33b2f", line: "#3f6b3a", dot: "#fdfaf1", edge: "#1d1b18", text: "#1d1b18",
}

var nightInks = palette{
	paper: "#2a3348", river: "#53779d", bank: "#6f93b8", casing: "#0f1420", road: "#c9b27a", lane: "#94886f",
	border: "#e08a78", line: "#9cc98f", dot: "#e9e4d4", edge: "#0b0e16", text: "#f4efdf",
}

// disrupted marks a block whose unit has retreated (NAP-7.3): a stripe along its
// left edge.
func (b *brush) disrupted(r sheet.Box) {
	b.Box(sheet.Box{X: r.X, Y: r.Y, W: max(3, r.W/9), H: r.H}, inkMarker, inkBlack, 8)
}

// mapScene draws the map as the side sees it.
func (v *View) mapScene(title phrase.Phrase) *engine.Scene {
	c := v.charted()
	scene := &engine.Scene{Name: "map", Width: mapWidth, Height: mapHeight, Paper: dayInks.paper, Ground: c.day, Names: c.named[0],
		Alt: phrase.Say("nap.map.alt", phrase.Within("turn", title))}
	if v.turn < len(v.turns) && v.turns[v.turn].night {
		scene.Paper, scene.Ground = nightInks.paper, c.night
		scene.Names = c.named[1]
	}
	stacks := v.stacks()
	v.place(c, stacks)
	b := newBrush(6*len(v.units) + 2*len(v.turns) + 80)
	v.calendarMarks(b, c, title)
	scene.Below = len(b.Marks())
	for i := range stacks {
		s := &stacks[i]
		if len(s.own)+len(s.enemy) == 0 {
			continue
		}
		if from, to, ok := tether(c.at[s.town], s.panel); ok {
			b.Line(inkCard, 34, from, to)
			b.Line(inkBlack, 14, from, to)
			if !s.battle {
				b.Disc(from, 3, inkBlack, inkCard, 8)
			}
		}
	}
	for i := range stacks {
		if s := &stacks[i]; s.battle {
			b.swords(c.at[s.town], 14)
			b.Again(scene.Names[s.town])
		}
	}
	scene.Spots = v.townSpots(c, stacks)
	for i := range stacks {
		v.panel(b, &stacks[i], scene.Spots)
		scene.Blocks = append(scene.Blocks, stacks[i].panel)
	}
	v.margin(b, scene, stacks)
	scene.Marks = b.Marks()
	return scene
}

// panel draws what stands in a town, and notes where.
func (v *View) panel(b *brush, s *stack, spots map[string]engine.Spot) {
	if len(s.own)+len(s.enemy) == 0 {
		return
	}
	edge := 8
	if s.battle {
		edge = 20
	}
	b.Box(s.panel, inkCard, inkBlack, edge)
	y := s.panel.Y + panelPad
	for g, group := range [2][]token{s.own, s.enemy} {
		if len(group) == 0 {
			continue
		}
		if g == 1 && len(s.own) > 0 {
			b.Line(inkBlack, 8, sheet.At(s.panel.X, y), sheet.At(s.panel.X+s.panel.W, y))
			y += 3
		}
		cols, width := spread(group, s.cols)
		for i := range group {
			r := sheet.Box{X: s.panel.X + panelPad + i%cols*(width+blockGap), Y: y + i/cols*(blockH+blockGap), W: width, H: blockH}
			if group[i].many == nil {
				r.W = blockW
			}
			v.token(b, r, &group[i])
			v.spotToken(spots, r, &group[i], s.town)
		}
		y += (len(group) + cols - 1) / cols * (blockH + blockGap)
	}
}

// token draws one block of the map.
func (v *View) token(b *brush, r sheet.Box, t *token) {
	switch {
	case t.many != nil:
		b.Box(r, armyInks[t.army], inkBlack, 8)
		b.Label(r.Middle(), sheet.Text(t.counted()), sheet.Lettering{Size: 13, Bold: true, Ink: inkWhite})
	case t.unit == nil:
		b.hidden(r, t.army, t.n)
	default:
		b.Box(r, armyInks[t.army], inkBlack, 8)
		b.symbol(sheet.Box{X: r.X + 4, Y: r.Y + 3, W: 15, H: 10}, t.unit.kind, inkWhite, 12)
		b.Label(sheet.At(r.X+27, r.Y+8), sheet.Text(strconv.Itoa(int(t.unit.strength))), sheet.Lettering{Size: 13, Bold: true, Ink: inkWhite})
		b.Label(sheet.At(r.X+r.W/2, r.Y+r.H-7), sheet.Text(v.roster[t.unit.id].id), sheet.Lettering{Size: 12, Bold: true, Ink: inkWhite})
	}
	if t.disrupted {
		b.disrupted(r)
	}
}

// hidden draws so many blocks of an army whose units are not known: a pile.
func (b *brush) hidden(r sheet.Box, a army, n int) {
	for shift := min(n-1, 2); shift > 0; shift-- {
		b.Box(sheet.Box{X: r.X + 2*shift, Y: r.Y, W: r.W - 4, H: r.H - 2*shift}, armyInks[a], inkWhite, 6)
	}
	front := r
	if n > 1 {
		d := 2 * min(n-1, 2)
		front = sheet.Box{X: r.X, Y: r.Y + d, W: r.W - d, H: r.H - d}
	}
	b.Box(front, armyInks[a], inkWhite, 8)
	size := r.H / 2
	if n > 9 {
		size = r.H * 42 / 100
	}
	b.Label(front.Middle(), sheet.Text(armyLetters[a]+"×"+strconv.Itoa(n)), sheet.Lettering{Size: max(12, size), Bold: true, Ink: inkWhite})
}
