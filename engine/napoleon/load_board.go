package napoleon

import (
	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

func (l *loader) towns(n *orders.Node) {
	for _, item := range l.items(n, mostTowns) {
		f := l.Noted(item, "id", "name", "aliases", "x", "y", "lat", "lon", "label", "zone", "supply", "big", "apart")
		if item.Kind != orders.Map {
			continue
		}
		t := town{id: l.Name(l.Require(f, "id")), name: l.Name(l.Require(f, "name")), label: "east", loss: -1}
		for _, alias := range l.List(f.Get("aliases")) {
			t.aliases = append(t.aliases, l.Name(alias))
		}
		t.x, _ = l.Int(l.Require(f, "x"), 0, 10000)
		t.y, _ = l.Int(l.Require(f, "y"), 0, 10000)
		if label := f.Get("label"); label != nil {
			t.label, _ = l.Word(label, "north", "east", "south", "west")
		}
		t.zone, _ = l.army(l.Require(f, "zone"))
		if supply := f.Get("supply"); !absent(supply) {
			t.supply, _ = l.army(supply)
			t.loss = 0 // edition_values must say how many
		}
		if apart := f.Get("apart"); apart != nil {
			t.apart, _ = l.Bool(apart)
		}
		for _, name := range append([]string{t.id, t.name}, t.aliases...) {
			if other, twice := l.s.townNamed(name); twice {
				l.Refuse(item, "", phrase.Say("nap.scenario-town-twice", phrase.Literal("name", name), phrase.Literal("town", l.s.towns[other].id)))
			}
		}
		l.s.townAt[t.id] = townID(len(l.s.towns))
		l.s.towns = append(l.s.towns, t)
		l.s.pick = append(l.s.pick, orders.Choice{ID: t.id, Names: append([]string{t.name}, t.aliases...)})
	}
}

func (l *loader) roads(n *orders.Node) {
	for _, item := range l.items(n, mostRoads) {
		f := l.Noted(item, "a", "b", "class", "river")
		if item.Kind != orders.Map {
			continue
		}
		a, okA := l.town(l.Require(f, "a"))
		b, okB := l.town(l.Require(f, "b"))
		class, okClass := l.Word(l.Require(f, "class"), "main", "secondary")
		if !okA || !okB || !okClass {
			continue
		}
		r := road{a: a, b: b, main: class == "main", river: !absent(f.Get("river"))}
		names := []phrase.Arg{phrase.Literal("a", l.s.towns[a].name), phrase.Literal("b", l.s.towns[b].name)}
		if a == b {
			l.Refuse(item, "", phrase.Say("nap.scenario-road-loop", names...))
			continue
		}
		if _, twice := l.s.roadBetween(a, b); twice {
			l.Refuse(item, "", phrase.Say("nap.scenario-road-twice", names...))
			continue
		}
		for _, end := range []townID{a, b} {
			if l.s.towns[end].apart {
				l.Refuse(item, "", phrase.Say("nap.scenario-apart", phrase.Literal("town", l.s.towns[end].name)))
			}
			l.s.towns[end].roads = append(l.s.towns[end].roads, len(l.s.roads))
		}
		l.s.roads = append(l.s.roads, r)
	}
}

// neighbours checks the list of neighbours against the roads.
func (l *loader) neighbours(n *orders.Node) {
	if n == nil || n.Kind != orders.Map {
		if n != nil {
			l.Refuse(n, "", phrase.Say("order.want-map", phrase.Literals("keys", []string{"TOWN"})))
		}
		return
	}
	listed := make([]bool, len(l.s.towns))
	for _, p := range n.Pairs {
		a, ok := l.town(p.Key)
		if !ok {
			continue
		}
		listed[a] = true
		if p.Value.Kind != orders.Map {
			l.Refuse(p.Value, "", phrase.Say("order.want-map", phrase.Literals("keys", []string{"TOWN"})))
			continue
		}
		count := 0
		for _, q := range p.Value.Pairs {
			b, ok := l.town(q.Key)
			if !ok {
				continue
			}
			code, _ := l.Text(q.Value)
			i, joined := l.s.roadBetween(a, b)
			if !joined || code != l.s.roads[i].code() {
				found := "-"
				if joined {
					found = l.s.roads[i].code()
				}
				l.Refuse(q.Key, "", phrase.Say("nap.scenario-neighbour", phrase.Literal("a", l.s.towns[a].name), phrase.Literal("b", l.s.towns[b].name),
					phrase.Literal("here", code), phrase.Literal("roads", found)))
				continue
			}
			count++
		}
		if count == len(p.Value.Pairs) && count != len(l.s.towns[a].roads) {
			l.Refuse(p.Key, "", phrase.Say("nap.scenario-neighbours", phrase.Literal("town", l.s.towns[a].name),
				phrase.Number("here", count), phrase.Number("roads", len(l.s.towns[a].roads))))
		}
	}
	for t, yes := range listed {
		if !yes && len(l.s.towns[t].roads) > 0 {
			l.Refuse(n, "", phrase.Say("nap.scenario-neighbours", phrase.Literal("town", l.s.towns[t].name),
				phrase.Number("here", 0), phrase.Number("roads", len(l.s.towns[t].roads))))
		}
	}
}

// code is how the neighbours write a road: M main, s secondary, ~ with a river.
func (r road) code() string {
	c := "s"
	if r.main {
		c = "M"
	}
	if r.river {
		c += "~"
	}
	return c
}

// courses reads what is only drawn.
func (l *loader) courses(rivers, lines *orders.Node) {
	if rivers != nil {
		for _, item := range l.items(rivers, mostLines) {
			f := l.Noted(item, "id", "name", "points")
			if item.Kind == orders.Map {
				l.s.rivers = append(l.s.rivers, l.course(l.Name(l.Require(f, "id")), f))
			}
		}
	}
	if lines == nil {
		return
	}
	f := l.Fields(lines, "border", "deployment")
	for _, id := range []string{"border", "deployment"} {
		if item := f.Get(id); item != nil {
			l.s.lines = append(l.s.lines, l.course(id, l.Noted(item, "name", "points")))
		}
	}
}

func (l *loader) course(id string, f orders.Fields) course {
	c := course{id: id, name: l.Title(f.Get("name"))}
	if f.Node.Kind != orders.Map {
		return c
	}
	for _, item := range l.items(l.Require(f, "points"), mostPoints) {
		if item.Kind != orders.List || len(item.Items) != 2 {
			l.Refuse(item, "", phrase.Say("nap.scenario-point"))
			continue
		}
		x, _ := l.Int(item.Items[0], 0, 10000)
		y, _ := l.Int(item.Items[1], 0, 10000)
		c.points = append(c.points, engine.Point{X: x, Y: y})
	}
	return c
}

// connected checks that all towns but those apart hang together.
func (l *loader) connected(n *orders.Node) {
	reached := make([]bool, len(l.s.towns))
	var queue []townID
	for t := range l.s.towns {
		if !l.s.towns[t].apart {
			queue = append(queue, townID(t))
			reached[t] = true
			break
		}
	}
	for len(queue) > 0 {
		t := queue[0]
		queue = queue[1:]
		for _, r := range l.s.towns[t].roads {
			if next := l.s.roads[r].from(t); !reached[next] {
				reached[next] = true
				queue = append(queue, next)
			}
		}
	}
	var alone []string
	for t := range l.s.towns {
		if !reached[t] && !l.s.towns[t].apart {
			alone = append(alone, l.s.towns[t].name)
		}
	}
	if len(alone) > 0 {
		l.Refuse(n, "NAP-1.1", phrase.Say("nap.scenario-unconnected", phrase.Literals("towns", alone)))
	}
}
