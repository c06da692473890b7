package hfg

import (
	"slices"
	"strings"

	"berthier/engine/hfg/campaign"
	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
)

// The policy map (section 5.3 of the digest): what the forces of a side do on the map of a campaign for which
// it isn't asked at dawn (HFG-S15). All of them rest, or each goes on along a way of its own.

// mostSpared is how many dawns in a row a side isn't asked: two sides that both rest would wait for ever.
const mostSpared = 9

// routesShape is how the ways of forces are written.
var routesShape = shape.Map(shape.Name("command"), shape.Either(shape.Words("rest"), shape.List(nodeShape)))

// asksMap says whether a side is asked at dawn. That hangs on what it has said, and on how long ago it was
// asked.
func (g *game) asksMap(of side) bool {
	switch w := g.word(g.sideID(of), policyMap); w {
	case "", "ask", "default": // what a day is used for nobody can guess
		return true
	}
	return g.Prepare.Spared[of] >= mostSpared
}

// routes reads {guard: [ash, elm], left: rest}: by which nodes each force goes on, day by day.
func (c *caseReader) routes(n *orders.Node) []readCase {
	v := c.w.v
	if v.Prepare == nil || v.Prepare.Map == nil {
		c.r.Refuse(n, "HFG-20.2", phrase.Say("hfg.map-later"))
		return nil
	}
	on := v.onMap()
	x := &deployReader{c.r, v.game, &deployment{side: v.of}}
	var all []readCase
	for _, p := range n.Pairs {
		since := len(c.r.Problems)
		cmd, ok := x.command(p.Key)
		said := policyCase{Key: policyMap, Do: "rest"}
		if !c.r.Is(p.Value, "rest") {
			var ids []string
			for _, item := range c.r.List(p.Value) {
				if at := readNode(c.r, on, item); at != 0 {
					ids = append(ids, on.Def(at).ID)
				}
			}
			said.Do, said.Road = "way", strings.Join(ids, " ")
			ok = ok && len(ids) > 0
		}
		if ok {
			said.Of = v.short(v.lead(cmd).id, v.of)
		}
		all = append(all, readCase{p.Value, said, ok && len(c.r.Problems) == since, since})
	}
	return all
}

// routesNode writes what [caseReader.routes] reads.
func routesNode(all []policyCase) *orders.Node {
	n := orders.Inline()
	for i := range all {
		if c := &all[i]; c.Do == "rest" {
			n.Set(c.Of, orders.Text("rest"))
		} else {
			n.Set(c.Of, flow(orders.Texts(strings.Fields(c.Road)...)))
		}
	}
	return n
}

// marchesBeforehand orders the day of the sides that weren't asked for it, and tells them what has.
func (p *prologue) marchesBeforehand() {
	for of := first; of < sides; of++ {
		if p.field.Prepare.day[of] {
			p.field.Prepare.Spared[of] = 0
			continue
		}
		seat := p.field.sideID(of)
		cases := p.field.casesOf(seat, policyMap)
		p.orderMarches(p.field.routed(of, cases))
		p.field.Prepare.Spared[of]++
		p.field.creditsSaid(seat, stopMap, cases[0])
	}
	p.field.Prepare.day = [sides]bool{}
}

// routed is a day in which each force goes on along its way as far as it may, in the morning and in the
// afternoon; whoever can't, or has arrived, rests (HFG-20.4 to HFG-20.9).
func (g *game) routed(of side, cases []policyCase) *mapOrder {
	c, o := g.onMap(), resting(g, of)
	told := map[int]*campaign.Order{}
	for _, i := range g.forcesOf(of) {
		j := slices.IndexFunc(cases, func(x policyCase) bool { return x.Of == g.short(g.setting.commands[i].id, of) })
		if j < 0 || cases[j].Road == "" {
			continue
		}
		var way []campaign.Node
		for _, id := range strings.Fields(cases[j].Road) {
			if n, ok := c.Node(id); ok {
				way = append(way, n)
			}
		}
		at := c.Stands[i].At
		if k := slices.Index(way, at); k >= 0 {
			way = way[k+1:]
		}
		var day campaign.Order
		for _, period := range []campaign.Period{campaign.Morning, campaign.Afternoon} {
			for k := len(way); k > 0; k-- {
				try := day
				try.Tasks[period].Path = way[:k]
				told[i] = &try
				if len(c.Judge(i, &try)) == 0 && len(c.JudgeTogether(told)[i]) == 0 {
					day, way = try, way[k:]
					break
				}
			}
		}
		told[i] = &day
		o.of[i] = day
	}
	return o
}
