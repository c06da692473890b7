package napoleon

import (
	"strconv"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// SettlePos implements [play.PosSettler].
func (t *town) SettlePos(_ *play.Scribe, at orders.Fields) {
	if t.label == "" {
		t.label = "east"
	}
	if t.supplies != nil {
		t.supply = *t.supplies
	}
}

// SettlePos implements [play.PosSettler].
func (r *road) SettlePos(x *play.Scribe, at orders.Fields) {
	s := x.Whole.(*scenario)
	r.river = r.crosses != ""
	for _, end := range []townID{r.a, r.b} {
		if s.towns[end].apart {
			x.Refuse(at.Node, "", phrase.Say("nap.scenario-apart", phrase.Literal("town", s.towns[end].name)))
		}
	}
	if r.a == r.b {
		x.Refuse(at.Node, "", phrase.Say("nap.scenario-road-loop", s.ends(*r)...))
	}
}

// ends names the towns of a road.
func (s *scenario) ends(r road) []phrase.Arg {
	return []phrase.Arg{phrase.Literal("a", s.towns[r.a].name), phrase.Literal("b", s.towns[r.b].name)}
}

// net connects the roads with their towns; no two roads join the same towns.
func (l *loader) net() {
	roads := l.s.roads
	l.s.roads = nil
	for i, r := range roads {
		if r.a >= 0 && r.b >= 0 && r.a != r.b {
			if _, twice := l.s.roadBetween(r.a, r.b); twice {
				l.Refuse(play.At(l.root, "roads", strconv.Itoa(i)), "", phrase.Say("nap.scenario-road-twice", l.s.ends(r)...))
			}
			for _, end := range []townID{r.a, r.b} {
				t := &l.s.towns[end]
				t.roads, t.next = append(t.roads, len(l.s.roads)), append(t.next, r.from(end))
			}
		}
		l.s.roads = append(l.s.roads, r)
	}
}

// neighbours checks the list of neighbours against the roads.
func (l *loader) neighbours(n *orders.Node) {
	if n.Kind != orders.Map {
		l.Refuse(n, "", phrase.Say("order.want-map", phrase.Literals("keys", []string{"TOWN"})))
		return
	}
	listed := make([]bool, len(l.s.towns))
	for _, p := range n.Pairs {
		a, ok := l.s.pickTown(l.Reader, p.Key)
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
			b, ok := l.s.pickTown(l.Reader, q.Key)
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

// UnmarshalPos implements [play.PosUnmarshaler].
func (all *points) UnmarshalPos(x *play.Scribe, n *orders.Node) {
	items := x.List(n)
	if len(items) == 0 || len(items) > mostPoints {
		x.Refuse(n, "", phrase.Say("nap.scenario-list", phrase.Number("most", mostPoints)))
		return
	}
	for _, item := range items {
		if item.Kind != orders.List || len(item.Items) != 2 {
			x.Refuse(item, "", phrase.Say("nap.scenario-point"))
			continue
		}
		px, _ := x.Int(item.Items[0], 0, 10000)
		py, _ := x.Int(item.Items[1], 0, 10000)
		*all = append(*all, engine.Point{X: px, Y: py})
	}
}

// connected checks that roads connect all towns except those that lie apart.
func (l *loader) connected() {
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
		l.Refuse(l.root.Get("roads"), "NAP-1.1", phrase.Say("nap.scenario-unconnected", phrase.Literals("towns", alone)))
	}
}
