package hfg

import (
	"slices"

	"berthier/engine"
	"berthier/engine/hfg/campaign"
	"berthier/engine/sheet"
	"berthier/orders/phrase"
)

// The picture of a campaign's map: nodes where their kilometres say, roads with the rivers that lie across them and their bridges, one's own
// forces where they stand and the enemy's where they stood at the last dawn, how many there are in each place (HFG-20.1, HFG-20.2).

// How the map is measured: units of the sheet for a kilometre, what is left beside it, and how large its signs are.
const (
	perKilometre = 17
	countryEdge  = 90
	countryHead  = 70
	nodeRadius   = 8
	forceWide    = 34
	forceHigh    = 24
	countryFoot  = 2*legendRow + legendHead + 8
)

// A country is a brush that draws the map of a campaign.
type country struct {
	*sheet.Brush
	*View
	c                      *campaign.Campaign
	west, south, deep, all int // kilometres of the map; the width of the sheet
}

// countryScene is the picture of the map.
func (v *View) countryScene(c *campaign.Campaign, title phrase.Phrase) *engine.Scene {
	k := &country{Brush: sheet.NewBrush(200), View: v, c: c, west: c.Nodes[0].X, south: c.Nodes[0].Y}
	east, north := k.west, k.south
	for _, n := range c.Nodes {
		k.west, east, k.south, north = min(k.west, n.X), max(east, n.X), min(k.south, n.Y), max(north, n.Y)
	}
	k.deep, k.all = (north-k.south)*perKilometre, (east-k.west)*perKilometre+2*countryEdge
	s := &engine.Scene{Name: "campaign", Alt: phrase.Say("hfg.map-campaign", phrase.Number("day", c.Day)), Width: k.all,
		Height: k.deep + countryHead + countryEdge + countryFoot, Paper: inkPaper}
	k.Box(engine.Box{X: 10, Y: 34, W: k.all - 20, H: k.deep + countryHead + countryEdge - 44}, inkMeadow, inkEdge, 10)
	k.Label(sheet.At(14, 18), sheet.Said(title), sheet.Lettering{Size: 18, Bold: true, Ink: inkText, Anchor: engine.Start})
	for i := range c.Stages {
		k.stage(campaign.Stage(i + 1))
	}
	for n := campaign.Node(1); int(n) <= len(c.Nodes); n++ {
		k.node(n)
	}
	k.forces()
	k.legend(k.deep + countryHead + countryEdge)
	s.Marks = k.Marks()
	return s
}

// at is where a node is on the sheet.
func (k *country) at(n campaign.Node) engine.Point {
	d := k.c.Def(n)
	return sheet.At(countryEdge+(d.X-k.west)*perKilometre, countryHead+k.deep-(d.Y-k.south)*perKilometre)
}

// between is a point of a stage, so many sixtieths of it from one of its ends.
func (k *country) between(s campaign.Stage, from campaign.Node, far int) engine.Point {
	d := k.c.Stage(s)
	a, b := k.at(d.From), k.at(d.To)
	if from == d.To {
		a, b = b, a
	}
	return sheet.At(a.X+(b.X-a.X)*far/60, a.Y+(b.Y-a.Y)*far/60)
}

// stage draws a road, good ones wide, and the river across it with its bridge, or the place where it was.
func (k *country) stage(s campaign.Stage) {
	d := k.c.Stage(s)
	k.road(d.Bad, k.at(d.From), k.at(d.To))
	if d.River == "" {
		return
	}
	k.river(k.between(s, d.From, 30), slices.Contains(k.c.Down, s))
}

func (k *country) road(bad bool, points ...engine.Point) {
	wide := 80
	if bad {
		wide = 50
	}
	k.Line(inkCasing, wide, points...)
	k.Line(inkRoad, wide*5/8, points...)
}

// river draws water that runs from north to south, with a bridge over it unless that is down.
func (k *country) river(at engine.Point, down bool) {
	k.Curve(inkBank, 110, sheet.At(at.X, at.Y-22), at, sheet.At(at.X, at.Y+22))
	k.Curve(inkStream, 90, sheet.At(at.X, at.Y-22), at, sheet.At(at.X, at.Y+22))
	if !down {
		k.Box(engine.Box{X: at.X - 10, Y: at.Y - 4, W: 20, H: 8}, inkRoad, inkText, 14)
	}
}

// node draws a place with its name above it; where the forces of a side begin it is filled.
func (k *country) node(n campaign.Node) {
	fill := inkCard
	if i := slices.Index(k.c.Bases, n); i >= 0 {
		fill = liveries[i+1].fill
	}
	at := k.at(n)
	k.Disc(at, nodeRadius, fill, inkText, 20)
	k.Label(sheet.At(at.X, at.Y-22), sheet.Text(k.c.Def(n).Name), sheet.Lettering{Size: mapText, Bold: true, Ink: inkText, Rim: inkMeadow})
}

// A lodging is where some forces of a side are.
type lodging struct {
	of   side
	at   campaign.Node
	on   campaign.Stage
	far  int
	seen bool // at the last dawn
}

// forces draws below each place how many forces are there: the first side's to the left of the other's.
func (k *country) forces() {
	count := map[lodging]int{}
	var all []lodging
	add := func(q lodging, n int) {
		if count[q] == 0 {
			all = append(all, q)
		}
		count[q] += n
	}
	for i := range k.c.Stands {
		if d, s := &k.commands[i], k.c.Stands[i]; s.At != 0 && (k.of == noSide || d.side == k.of) {
			add(lodging{d.side, s.At, s.On, s.Far, false}, 1)
		}
	}
	for _, s := range k.c.Seen {
		if of := side(s.Side + 1); k.of != noSide && of != k.of {
			add(lodging{of, s.At, s.On, 30, true}, s.Forces)
		}
	}
	for _, q := range all {
		at := k.at(q.at)
		if q.on != 0 {
			at = k.between(q.on, q.at, q.far)
		}
		right := 0
		if q.of == second {
			right = forceWide + 4
		}
		k.force(engine.Box{X: at.X - forceWide - 2 + right, Y: at.Y + nodeRadius + 4, W: forceWide, H: forceHigh}, q.of, q.seen, sheet.Number(count[q]))
	}
}

// force draws forces with their number; of an enemy who was seen at dawn the frame is dashed.
func (k *country) force(r engine.Box, of side, seen bool, n phrase.Value) {
	l := sheet.Lettering{Size: mapText, Bold: true, Ink: inkWhite}
	if seen {
		l.Ink = liveries[of].fill
		k.Box(r, inkCard, "", 0)
		k.Dashed(liveries[of].fill, 24, 5, sheet.At(r.X, r.Y), sheet.At(r.X+r.W, r.Y), sheet.At(r.X+r.W, r.Y+r.H), sheet.At(r.X, r.Y+r.H), sheet.At(r.X, r.Y))
	} else {
		k.Box(r, liveries[of].fill, inkText, 14)
	}
	k.Label(sheet.At(r.X+r.W/2, r.Y+r.H/2), n, l)
}

// legend explains the signs below the map.
func (k *country) legend(y int) {
	k.Box(engine.Box{X: 10, Y: y, W: k.all - 20, H: countryFoot - 8}, inkCard, inkEdge, 10)
	for i, item := range countryLegend {
		at := sheet.At(40+i%3*(k.all-20)/3, y+legendHead/2+legendRow/2+legendRow*(i/3))
		item.draw(k, at)
		k.Label(sheet.At(at.X+34, at.Y), sheet.Phrase(item.says), sheet.Lettering{Size: mapText, Ink: inkText, Anchor: engine.Start})
	}
}

// countryLegend are the signs of the map.
var countryLegend = []struct {
	says string
	draw func(k *country, at engine.Point)
}{
	{"hfg.map-road", func(k *country, at engine.Point) { k.road(false, sheet.At(at.X-16, at.Y), sheet.At(at.X+16, at.Y)) }},
	{"hfg.map-bridge", func(k *country, at engine.Point) { k.crossing(at, false) }},
	{"hfg.map-own", func(k *country, at engine.Point) {
		k.force(engine.Box{X: at.X - 17, Y: at.Y - 10, W: forceWide, H: 20}, max(k.of, first), false, sheet.Number(2))
	}},
	{"hfg.map-track", func(k *country, at engine.Point) { k.road(true, sheet.At(at.X-16, at.Y), sheet.At(at.X+16, at.Y)) }},
	{"hfg.map-down", func(k *country, at engine.Point) { k.crossing(at, true) }},
	{"hfg.map-dawn", func(k *country, at engine.Point) {
		k.force(engine.Box{X: at.X - 17, Y: at.Y - 10, W: forceWide, H: 20}, max(k.of, first).enemy(), true, sheet.Number(2))
	}},
}

// crossing is the sign of a river with its bridge, or without.
func (k *country) crossing(at engine.Point, down bool) {
	k.Line(inkBank, 110, sheet.At(at.X, at.Y-9), sheet.At(at.X, at.Y+9))
	k.Line(inkStream, 90, sheet.At(at.X, at.Y-9), sheet.At(at.X, at.Y+9))
	if !down {
		k.Box(engine.Box{X: at.X - 10, Y: at.Y - 4, W: 20, H: 8}, inkRoad, inkText, 14)
	}
}
