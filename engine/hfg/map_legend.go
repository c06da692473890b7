package hfg

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
	{{"hfg.map-hill", areaSign(hill)}, {"hfg.map-wood", areaSign(wood)}, {"hfg.map-slow", areaSign(slowGoing)}, {"hfg.map-bua", townSign}, {"hfg.map-marsh", areaSign(marsh)}, {"hfg.map-sea", areaSign(waterway)}},
	{{"hfg.map-road", trackSign(road, true)}, {"hfg.map-track", trackSign(road, false)}, {"hfg.map-water", trackSign(stream, false)}, {"hfg.map-gully", trackSign(gully, false)}, {"hfg.map-rails", trackSign(railway, false)}, {"hfg.map-scale", scaleSign}},
	{{"hfg.map-foot", classSignOf(foot, bayonets)}, {"hfg.map-heavy", classSignOf(mounted, cuirassiers)}, {"hfg.map-mounted", classSignOf(mounted, lightCavalry)}, {"hfg.map-guns", classSignOf(artillery, smoothbore)}, {"hfg.map-ships", classSignOf(naval, flotilla)}, {"hfg.map-train", classSignOf(train, supplyBase)}},
	{{"hfg.map-staff", classSignOf(staff, commandParty)}, {"hfg.map-band", bandSign}, {"hfg.map-work", workSign}, {"hfg.map-arc", arcSign}, {"hfg.map-ford", spanSign}, {"hfg.map-fire", fireSign}},
	{{"hfg.map-repulsed", stateSign(false)}, {"hfg.map-silenced", silencedSign}, {"hfg.map-seen", seenSign}, {"hfg.map-routed", stateSign(true)}, {"hfg.map-hidden", hiddenSign}, {"hfg.map-hurt", hurtSign}},
}

const (
	legendRow  = 24
	legendHead = 8

	legendHeight = 6*legendRow + legendHead + 8
)

// legend explains below the field what it shows.
func (k *sketch) legend() {
	all := engine.Box{X: mapEdge, Y: k.Frame.Y + k.Frame.H + mapEdge, W: k.Frame.W, H: legendHeight - 8}
	k.Brush.Box(all, inkCard, inkEdge, 10)
	for i, column := range legendItems {
		x := all.X + 12 + i*(all.W-12)/len(legendItems)
		for j, item := range column {
			at := sheet.At(x+20, all.Y+legendHead/2+legendRow/2+legendRow*j)
			item.draw(k, at)
			k.Label(sheet.At(x+48, at.Y), sheet.Phrase(item.says), sheet.Lettering{Size: mapText, Ink: inkText, Anchor: engine.Start})
		}
	}
}

func areaSign(kind ground) func(*sketch, engine.Point) {
	return func(k *sketch, at engine.Point) {
		k.Box(engine.Box{X: at.X - 14, Y: at.Y - 8, W: 28, H: 16}, groundFill[kind], groundSign[kind], 10)
		for _, x := range [2]int{-6, 6} {
			k.sign(kind, sheet.At(at.X+x, at.Y))
		}
	}
}

func trackSign(kind track, paved bool) func(*sketch, engine.Point) {
	return func(k *sketch, at engine.Point) {
		p, q := k.OffField(sheet.At(at.X-14, at.Y)), k.OffField(sheet.At(at.X+14, at.Y))
		k.lineMarks(&lineDef{kind: kind, good: paved, width: 40 * pace, points: []point{p, q}})
	}
}

// scaleSign is a base width, within a bar of 1,000 paces that begins where it does.
func scaleSign(k *sketch, at engine.Point) {
	half := k.Long(baseWidth*pace) / 2
	k.Line(inkText, 26, sheet.At(at.X-half, at.Y), sheet.At(at.X+half, at.Y))
	for _, x := range [2]int{-half, half} {
		k.Line(inkText, 14, sheet.At(at.X+x, at.Y-5), sheet.At(at.X+x, at.Y+5))
	}
}

// sample is a piece of the legend.
func (k *sketch) sample(at engine.Point) geometry.Body { return k.Tile(at, 36*k.Unit, 20*k.Unit) }

func classSignOf(c class, t troop) func(*sketch, engine.Point) {
	return func(k *sketch, at engine.Point) {
		b := k.sample(at)
		k.Body(&b, liveries[first].fill, inkText, 10)
		k.classSign(&b, c, &elementDef{troop: t}, liveries[first].sign)
	}
}

func bandSign(k *sketch, at engine.Point) {
	b := k.sample(at)
	k.Body(&b, liveries[second].fill, inkText, 10)
	k.Part(&b, geometry.Box{U0: b.U0 + 2*k.Unit, V0: b.V0 + k.Unit, U1: b.U1 - 2*k.Unit, V1: b.V0 + 4*k.Unit}, bands[1], "", 0)
	k.Part(&b, geometry.Box{U0: b.U0 + k.Unit, V0: b.V1 - 4*k.Unit, U1: b.U1 - k.Unit, V1: b.V1 - k.Unit}, inkWhite, "", 0)
}

func workSign(k *sketch, at engine.Point) {
	k.Box(engine.Box{X: at.X - 14, Y: at.Y - 5, W: 28, H: 10}, inkGully, inkWork, 14)
	k.Line(inkWork, 46, sheet.At(at.X-14, at.Y-5), sheet.At(at.X+14, at.Y-5))
}

func arcSign(k *sketch, at engine.Point) {
	k.Dashed(liveries[first].fill, 12, 5, sheet.At(at.X-14, at.Y-8), sheet.At(at.X-14, at.Y+8), sheet.At(at.X+14, at.Y+8), sheet.At(at.X+14, at.Y-8))
}

func stateSign(runs bool) func(*sketch, engine.Point) {
	return func(k *sketch, at engine.Point) {
		b := k.sample(at)
		if runs {
			b = k.Tile(sheet.At(at.X, at.Y-3), 36*k.Unit, 10*k.Unit)
			k.Tail(&b, 3*k.Unit, inkText, inkYellow)
		}
		k.Body(&b, inkWhite, liveries[first].fill, 20)
	}
}

func silencedSign(k *sketch, at engine.Point) {
	b := k.sample(at)
	k.Body(&b, liveries[first].fill, inkText, 10)
	k.Part(&b, geometry.Box{U0: b.U0 + k.Unit, V0: b.V1 - 5*k.Unit, U1: b.U1 - k.Unit, V1: b.V1 - k.Unit}, inkEdge, "", 0)
}

func seenSign(k *sketch, at engine.Point) {
	k.Dashed(liveries[second].fill, 14, 5, sheet.At(at.X-16, at.Y-8), sheet.At(at.X+16, at.Y-8), sheet.At(at.X+16, at.Y+8), sheet.At(at.X-16, at.Y+8), sheet.At(at.X-16, at.Y-8))
}

// townSign is a town beside a strong point.
func townSign(k *sketch, at engine.Point) {
	for i, kind := range [2]ground{bua, strongPoint} {
		x := at.X - 14 + 15*i
		k.Box(engine.Box{X: x, Y: at.Y - 7, W: 13, H: 14}, groundFill[kind], groundSign[kind], 14)
		k.sign(kind, sheet.At(x+6, at.Y))
	}
}

// spanSign is a bridge beside a ford.
func spanSign(k *sketch, at engine.Point) {
	k.lineMarks(&lineDef{kind: stream, width: 40 * pace, points: []point{k.OffField(sheet.At(at.X-16, at.Y)), k.OffField(sheet.At(at.X+16, at.Y))}})
	k.Box(engine.Box{X: at.X - 11, Y: at.Y - 8, W: 8, H: 16}, inkRoad, inkText, 20)
	k.Disc(sheet.At(at.X+8, at.Y), 4, "", inkCard, 20)
}

func fireSign(k *sketch, at engine.Point) {
	k.Polygon(inkFire, inkText, 8, sheet.Burst(at, 10)...)
}

func hiddenSign(k *sketch, at engine.Point) {
	b := k.sample(at)
	k.Body(&b, liveries[first].fill, inkWhite, 10)
	points := k.Points(b.Corner[:])
	k.Dashed(inkText, 20, 4, append(points, points[0])...)
}

func hurtSign(k *sketch, at engine.Point) {
	b := k.sample(at)
	k.Body(&b, liveries[first].fill, inkText, 10)
	inner := geometry.Box{U0: b.U0 + 2*k.Unit, V0: b.V0 + 2*k.Unit, U1: b.U1 - 2*k.Unit, V1: b.V1 - 2*k.Unit}
	k.Part(&b, inner, "", inkText, 46)
	k.Part(&b, inner, "", inkYellow, 26)
}
