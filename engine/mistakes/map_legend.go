package mistakes

import (
	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/engine/sheet"
)

// A legendItem is a sign of the legend, with what it means.
type legendItem struct {
	says string
	draw func(k *sketch, at engine.Point)
}

// legendItems are what the legend explains, a column a list.
var legendItems = [...][]legendItem{
	{{"em.map-hill", areaSign(hill)}, {"em.map-wood", areaSign(wood)}, {"em.map-crops", areaSign(crops)}, {"em.map-town", areaSign(town)}, {"em.map-limit", limitSign}},
	{{"em.map-road", trackSign(road)}, {"em.map-sunken", trackSign(sunkenRoad)}, {"em.map-stream", trackSign(stream)}, {"em.map-bridge", bridgeSign}, {"em.map-scale", scaleSign}},
	{{"em.map-blue", armySign(blue)}, {"em.map-red", armySign(red)}, {"em.map-black", armySign(black)}, {"em.map-garrison", garrisonSign}, {"em.map-leader", leaderSign}},
	{{"em.map-infantry", unitSign(unitDef{arm: infantry})}, {"em.map-light", unitSign(unitDef{arm: cavalry, weight: light})},
		{"em.map-medium", unitSign(unitDef{arm: cavalry, weight: medium})}, {"em.map-heavy", unitSign(unitDef{arm: cavalry, weight: heavy})}, {"em.map-artillery", unitSign(unitDef{arm: artillery})}},
	{{"em.map-moving", stateSign(rimOf(inkGreen))}, {"em.map-recovering", stateSign(rimOf(inkOrange))}, {"em.map-shaken", stateSign(yellowOf(false))}, {"em.map-routed", stateSign(yellowOf(true))},
		{"em.map-loss", lossSign}},
}

const (
	legendRow  = 23
	legendHead = 8

	legendHeight = 5*legendRow + legendHead + 8
)

// legend explains below the field what it shows.
func (k *sketch) legend() {
	all := engine.Box{X: mapEdge, Y: k.Frame.Y + k.Frame.H + mapEdge, W: k.Frame.W, H: legendHeight - 8}
	k.Brush.Box(all, inkCard, inkEdge, 10)
	for i, column := range legendItems {
		x := all.X + 12 + i*(all.W-12)/len(legendItems)
		for j, item := range column {
			at := sheet.At(x+12, all.Y+legendHead/2+legendRow/2+legendRow*j)
			item.draw(k, at)
			k.Label(sheet.At(x+32, at.Y), sheet.Phrase(item.says), sheet.Lettering{Size: k.text, Ink: inkText, Anchor: engine.Start})
		}
	}
}

func areaSign(kind ground) func(*sketch, engine.Point) {
	return func(k *sketch, at engine.Point) {
		k.Box(engine.Box{X: at.X - 12, Y: at.Y - 8, W: 24, H: 16}, groundFill[kind], groundSign[kind], 10)
		for _, x := range [2]int{-5, 5} {
			k.sign(kind, sheet.At(at.X+x, at.Y))
		}
	}
}

func trackSign(kind track) func(*sketch, engine.Point) {
	return func(k *sketch, at engine.Point) {
		p, q := k.OffField(sheet.At(at.X-12, at.Y)), k.OffField(sheet.At(at.X+12, at.Y))
		k.lineMarks(&lineDef{kind: kind, points: []geometry.Point{p, q}})
	}
}

func limitSign(k *sketch, at engine.Point) {
	k.Dashed(inkLimit, 14, 9, sheet.At(at.X-12, at.Y), sheet.At(at.X+12, at.Y))
}

func bridgeSign(k *sketch, at engine.Point) {
	trackSign(stream)(k, at)
	k.Box(engine.Box{X: at.X - 6, Y: at.Y - 7, W: 12, H: 14}, inkRoad, inkText, 20)
}

// scaleSign is a bar of one segment.
func scaleSign(k *sketch, at engine.Point) {
	half := k.Long(int64(k.view.segment())) / 2
	k.Line(inkText, 26, sheet.At(at.X-half, at.Y), sheet.At(at.X+half, at.Y))
	for _, x := range [2]int{-half, half} {
		k.Line(inkText, 14, sheet.At(at.X+x, at.Y-5), sheet.At(at.X+x, at.Y+5))
	}
}

// legendTile is how large the pieces of the legend are.
const legendTile = 18_000

func armySign(a army) func(*sketch, engine.Point) {
	return func(k *sketch, at engine.Point) {
		b := k.Tile(at, legendTile, legendTile)
		k.Body(&b, liveries[a].fill, inkText, 10)
		k.Part(&b, geometry.Box{U0: b.U0 + 1000, V0: b.V1 - 4500, U1: b.U1 - 1000, V1: b.V1 - 1000}, liveries[a].text, "", 0)
	}
}

func unitSign(d unitDef) func(*sketch, engine.Point) {
	return func(k *sketch, at engine.Point) {
		b := k.Tile(at, legendTile, legendTile)
		k.Body(&b, liveries[blue].fill, inkText, 10)
		k.arm(&b, &d, liveries[blue])
	}
}

func garrisonSign(k *sketch, at engine.Point) {
	b := k.Tile(at, 12_000, 12_000)
	k.Body(&b, liveries[red].fill, inkWhite, 10)
	k.Part(&b, b.Box.In(-2500), "", liveries[red].fill, 24)
}

func leaderSign(k *sketch, at engine.Point) {
	k.Disc(at, 9, inkText, "", 0)
	k.Disc(at, 8, liveries[blue].fill, inkYellow, 18)
	k.Label(at, sheet.Text("N"), sheet.Lettering{Size: k.text, Bold: true, Ink: inkWhite})
}

// stateSign shows a state on a unit.
func stateSign(draw func(k *sketch, b *geometry.Body)) func(*sketch, engine.Point) {
	return func(k *sketch, at engine.Point) {
		b := k.Tile(at, 14_000, 14_000)
		draw(k, &b)
	}
}

func rimOf(ink engine.Ink) func(*sketch, *geometry.Body) {
	return func(k *sketch, b *geometry.Body) {
		k.Part(b, b.Box.In(-3000), ink, "", 0)
		k.Body(b, liveries[blue].fill, inkWhite, 10)
		if ink == inkGreen {
			k.arrowhead(b, b.V1-4000)
		}
	}
}

func yellowOf(routed bool) func(*sketch, *geometry.Body) {
	return func(k *sketch, b *geometry.Body) {
		fill := liveries[blue].fill
		if routed {
			fill = inkWhite
		}
		k.Body(b, fill, inkText, 10)
		k.yellowRim(b)
	}
}

func lossSign(k *sketch, at engine.Point) {
	k.Disc(sheet.At(at.X-6, at.Y), 3, inkLoss, inkWhite, 10)
	for _, p := range [...]engine.Point{{X: 3, Y: 1}, {X: 9, Y: 1}, {X: 6, Y: -3}} {
		k.Disc(sheet.At(at.X+p.X, at.Y+p.Y), 4, inkSmoke, inkWhite, 10)
	}
}
