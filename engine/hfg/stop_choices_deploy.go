package hfg

import (
	"fmt"
	"iter"
	"slices"
	"strconv"

	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/orders"
)

// What may be chosen at the stops plan and deploy: places, towns, works, bridges, roads.

const (
	mostChosen  = 12 // elements at once of which places are offered
	chosenPlace = 4  // places of each, beside one another
)

// chooseDeployment offers at the stops plan and deploy places for the next elements that aren't posted yet,
// in sight and concealed, towns that they may hold, works, bridges, and roads by which a command comes later.
func chooseDeployment(at step) chooser {
	return func(g *game, of side, soFar *orders.Node) iter.Seq2[engine.Choice, *orders.Node] {
		return func(yield func(engine.Choice, *orders.Node) bool) {
			if soFar == nil {
				soFar = (&deployment{side: of}).write(g, at)
			}
			words := deployWords(g.role(of), at)
			if slices.Contains(words, "delayed") && !g.choosesDelays(of, soFar, yield) {
				return
			}
			if slices.Contains(words, "works") && !g.choosesWorks(of, soFar, yield) {
				return
			}
			if slices.Contains(words, "deploy") {
				g.choosesPosts(of, soFar, yield)
			}
		}
	}
}

// choosesDelays offers for each command that isn't delayed yet the roads by which it may come.
func (g *game) choosesDelays(of side, soFar *orders.Node, yield func(engine.Choice, *orders.Node) bool) bool {
	all := items(soFar, "delayed")
	for c := commandID(1); int(c) <= len(g.setting.commands); c++ {
		d := g.lead(c)
		id := g.short(d.id, of)
		if d.side != of || slices.ContainsFunc(all, func(n *orders.Node) bool { return n.Get("command").Text == id }) {
			continue
		}
		for i := range g.lines {
			for _, e := range edgeWords[1:] {
				n := orders.Inline().Set("command", orders.Text(id)).Set("by", orders.Text(g.lines[i].id)).Set("edge", orders.Text(e))
				if !yield(engine.Choice{Of: id, What: "delayed " + g.lines[i].id + ", " + e}, with(soFar, "delayed", orders.Items().Add(append(slices.Clone(all), n)...))) {
					return false
				}
			}
		}
	}
	return true
}

// choosesPosts offers places for the next elements: where anybody stands, and where the ground conceals them.
func (g *game) choosesPosts(of side, soFar *orders.Node, yield func(engine.Choice, *orders.Node) bool) {
	shown, hidden := items(soFar, "deploy"), items(soFar, "concealed")
	left := mostChosen
	spots := g.spots(of)
	conceals := g.Prepare.has(of, g.role(of), buysConcealed) > len(hidden)
	take := func(key string, all []*orders.Node, id, what string, n *orders.Node) bool {
		return yield(engine.Choice{Of: id, What: what}, with(soFar, key, orders.Items().Add(append(slices.Clone(all), n)...)))
	}
	for e := elementID(1); int(e) < len(g.Elements) && left > 0; e++ {
		id := g.short(g.def(e).id, of)
		if g.def(e).side != of || slices.ContainsFunc(slices.Concat(shown, hidden), func(n *orders.Node) bool {
			return slices.Contains(posted(n), id)
		}) {
			continue
		}
		left--
		for _, at := range spots {
			n := orders.Inline().Set("element", orders.Text(id)).Set("at", at.node()).Set("facing", orders.Number(g.toEnemy(of)))
			if !take("deploy", shown, id, at.String(), n) {
				return
			}
			if conceals && !take("concealed", hidden, id, "concealed "+at.String(), n) {
				return
			}
		}
		for a := range g.areas {
			if d := &g.areas[a]; d.square() && !take("deploy", shown, id, d.id, orders.Inline().Set("garrison", orders.Text(id)).Set("in", orders.Text(d.id))) {
				return
			}
		}
	}
}

// posted are the elements that an item of a deployment names.
func posted(n *orders.Node) (all []string) {
	if n.Kind == orders.List {
		for _, one := range n.Items {
			all = append(all, posted(one)...)
		}
		return all
	}
	for _, key := range postKeys[:4] {
		switch at := n.Get(key); {
		case at == nil:
		case at.Kind == orders.List:
			for _, one := range at.Items {
				all = append(all, one.Text)
			}
		default:
			all = append(all, at.Text)
		}
	}
	return all
}

// A spot is a place that is offered, in paces.
type spot struct{ x, y int64 }

// String writes it as files do.
func (s spot) String() string { return fmt.Sprintf("[%d, %d]", s.x, s.y) }

func (s spot) node() *orders.Node {
	return orders.Texts(strconv.FormatInt(s.x, 10), strconv.FormatInt(s.y, 10))
}

// spots are places of a side's zone, beside one another.
func (g *game) spots(of side) (all []spot) {
	z := g.zoneOf(of, false)
	for i := range int64(chosenPlace) {
		all = append(all, spot{(z.lo.X + (2*i+1)*(z.hi.X-z.lo.X)/(2*chosenPlace)) / pace, (z.lo.Y + z.hi.Y) / 2 / pace})
	}
	return all
}

// choosesWorks offers each work that is bought and not placed yet, at places of the zone, and bridges over the water there.
func (g *game) choosesWorks(of side, soFar *orders.Node, yield func(engine.Choice, *orders.Node) bool) bool {
	all := items(soFar, "works")
	take := func(what, where string, n *orders.Node) bool {
		return yield(engine.Choice{Of: what, What: where}, with(soFar, "works", orders.Items().Add(append(slices.Clone(all), n)...)))
	}
	for _, word := range worksWritten {
		made, taken := 0, map[string]bool{}
		for _, n := range all {
			if at := n.Get(word); at != nil {
				made, taken[orders.Fold(at.Text)] = made+1, true
			}
		}
		number := 1
		for taken[word+"-"+strconv.Itoa(number)] { // a player may have named his own so
			number++
		}
		id, what := word+"-"+strconv.Itoa(number), provisionOf(word)
		if word == "pontoon" {
			if !g.choosesBridges(of, all, take) {
				return false
			}
			continue
		}
		if made >= g.Prepare.has(of, g.role(of), what) {
			continue
		}
		for _, at := range g.spots(of) {
			n := orders.Inline().Set(word, orders.Text(id))
			switch what {
			case buysEntrenchment, buysBarricade:
				half := int64(map[provision]int{buysEntrenchment: entrenchmentLen, buysBarricade: barricadeLen}[what]) / 2
				n.Set("from", spot{at.x - half, at.y}.node()).Set("to", spot{at.x + half, at.y}.node())
			case buysELF:
				continue // it lies along a line: see below
			default:
				n.Set("at", at.node())
			}
			if !take(id, at.String(), n) {
				return false
			}
		}
		if what == buysELF && !g.choosesFeatures(id, take) {
			return false
		}
	}
	return true
}

// choosesFeatures offers as a feature the first straight stretch of each line that is long enough.
func (g *game) choosesFeatures(id string, take func(what, where string, n *orders.Node) bool) bool {
	for i := range g.lines {
		l := &g.lines[i]
		for k := 1; k < len(l.points); k++ {
			from, to := l.points[k-1], l.points[k]
			if d := geometry.Dist(from, to); d < featureLen*pace {
				continue
			} else if d > 0 {
				to = geometry.Frame{At: from, Heading: geometry.Toward(from, to)}.World(point{Y: featureLen * pace})
			}
			n := orders.Inline().Set("elf", orders.Text(id)).Set("on", orders.Text(l.id)).Set("from", scale.WritePoint(from)).Set("to", scale.WritePoint(to))
			if !take(id, l.id+" "+strconv.Itoa(k), n) {
				return false
			}
		}
	}
	return true
}

// choosesBridges offers for each of the side's Pontoneers that aren't gone yet the middle of each stretch of water.
func (g *game) choosesBridges(of side, made []*orders.Node, take func(what, where string, n *orders.Node) bool) bool {
	for e := elementID(1); int(e) < len(g.Elements); e++ {
		id := g.short(g.def(e).id, of)
		if g.def(e).side != of || g.def(e).troop != pontoneers || slices.ContainsFunc(made, func(n *orders.Node) bool { return n.Get("pontoon") != nil && n.Get("pontoon").Text == id }) {
			continue
		}
		for i := range g.lines {
			l := &g.lines[i]
			for k := 1; l.water() && k < len(l.points); k++ {
				at := point{X: (l.points[k-1].X + l.points[k].X) / 2, Y: (l.points[k-1].Y + l.points[k].Y) / 2}
				n := orders.Inline().Set("pontoon", orders.Text(id)).Set("over", orders.Text(l.id)).Set("at", scale.WritePoint(at))
				if !take(id, l.id+" "+strconv.Itoa(k), n) {
					return false
				}
			}
		}
	}
	return true
}
