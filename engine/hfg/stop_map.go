package hfg

import (
	"math/rand/v2"
	"slices"

	"berthier/engine/hfg/campaign"
	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
)

// The stops map and night (HFG-S15, HFG-S16): a campaign before the battle.

// A mapOrder is what a side orders for a day: by command, less one.
type mapOrder struct{ of map[int]campaign.Order }

var (
	nodeShape = shape.Name("node")
	taskShape = shape.Either(shape.Words("rest", "entrench", "redoubt"), shape.List(nodeShape),
		shape.Record(shape.May("demolish", nodeShape), shape.May("repair", nodeShape), shape.May("build", nodeShape)))
	mapShape = shape.Map(shape.Name("command"), shape.Either(shape.Words("rest"), shape.Record(
		shape.May("morning", taskShape), shape.May("afternoon", taskShape), shape.May("night", taskShape), shape.May("avoid", shape.Words("yes", "no")))))
	nightShape = shape.Record(shape.Need("battle", shape.Words("stay", "avoid")), shape.May("towards", nodeShape))
)

// forcesOf lists the commands of a side, less one each.
func (g *game) forcesOf(of side) []int {
	var all []int
	for i := range g.setting.commands {
		if g.setting.commands[i].side == of {
			all = append(all, i)
		}
	}
	return all
}

// readMap reads {guard: {morning: [ash, elm], afternoon: rest, night: entrench}, left: rest}, and
// judges all of it together (HFG-20.4 to HFG-20.9).
func readMap(r *orders.Reader, g *game, of side, n *orders.Node) (*mapOrder, bool) {
	since := len(r.Problems)
	o := &mapOrder{of: map[int]campaign.Order{}}
	c := g.onMap()
	if n.Kind != orders.Map {
		r.Refuse(n, "HFG-20.2", phrase.Say("hfg.map-forces"))
		return nil, false
	}
	at := map[int]*orders.Node{}
	x := &deployReader{r, g, &deployment{side: of}}
	for _, p := range n.Pairs {
		cmd, ok := x.command(p.Key)
		if !ok {
			continue
		}
		i := int(cmd) - 1
		if at[i] != nil {
			r.Refuse(p.Key, "HFG-20.2", phrase.Say("order.key-twice", phrase.Literal("key", p.Key.Text)))
			continue
		}
		at[i], o.of[i] = p.Value, readDay(r, c, p.Value)
	}
	if len(r.Problems) > since {
		return nil, false
	}
	place := func(i int, p campaign.Place) *orders.Node {
		if p != campaign.Whole {
			if v := r.Under(at[i], campaign.PeriodWords[p]); v != nil {
				return v
			}
		}
		return at[i]
	}
	of2 := map[int]*campaign.Order{}
	for _, i := range g.forcesOf(of) {
		if one, ok := o.of[i]; ok {
			for _, f := range c.Judge(i, &one) {
				r.RefuseWith(place(i, f.At), f.Clause, f.Why, f.Remedy)
			}
			of2[i] = &one
		}
	}
	if r.Accepted { // the stage on which a force stands once didn't count
		return o, len(r.Problems) == since
	}
	together := c.JudgeTogether(of2)
	for _, i := range g.forcesOf(of) {
		for _, f := range together[i] {
			r.RefuseWith(place(i, f.At), f.Clause, f.Why, f.Remedy)
		}
	}
	return o, len(r.Problems) == since
}

// readDay reads the day of one force.
func readDay(r *orders.Reader, c *campaign.Campaign, n *orders.Node) campaign.Order {
	var o campaign.Order
	if r.Is(n, "rest") {
		return o
	}
	f := r.Fields(n, "morning", "afternoon", "night", "avoid")
	for p, word := range campaign.PeriodWords {
		if value := f.Get(word); value != nil {
			o.Tasks[p] = readTask(r, c, value)
		}
	}
	o.Avoid = readFlag(r, f.Get("avoid"))
	return o
}

// readTask reads what a force does in a period.
func readTask(r *orders.Reader, c *campaign.Campaign, n *orders.Node) campaign.Task {
	var t campaign.Task
	switch {
	case r.Is(n, "rest"):
	case n.Kind == orders.Scalar && (r.Is(n, "entrench") || r.Is(n, "redoubt")):
		t.Work = campaign.Entrench
		if r.Is(n, "redoubt") {
			t.Work = campaign.Redoubt
		}
	case n.Kind == orders.Map:
		word, value := r.Only(n, "demolish", "repair", "build")
		if word != "" {
			t.Work = campaign.Work(slices.Index(campaign.WorkWords, word))
			t.Bridge = readNode(r, c, value)
		}
	default:
		items := r.List(n)
		if len(items) > mostPath {
			r.Refuse(n, "HFG-20.4", phrase.Say("hfg.map-period", phrase.Number("n", len(items)), phrase.Number("most", mostPath)))
			return t
		}
		for _, item := range items {
			if at := readNode(r, c, item); at != 0 {
				t.Path = append(t.Path, at)
			}
		}
	}
	return t
}

// mostPath is how many nodes a march may name at all.
const mostPath = 9

// readNode reads a node of the map.
func readNode(r *orders.Reader, c *campaign.Campaign, n *orders.Node) campaign.Node {
	list := make([]orders.Choice, len(c.Nodes))
	for i := range c.Nodes {
		list[i] = orders.Choice{ID: c.Nodes[i].ID, Names: []string{c.Nodes[i].Name}}
	}
	id, ok := r.Pick(n, "node", list)
	if !ok {
		return 0
	}
	at, _ := c.Node(id)
	return at
}

// writeMap writes what [readMap] reads.
func writeMap(g *game, of side, o *mapOrder) *orders.Node {
	c, n := g.onMap(), orders.Mapping()
	for _, i := range g.forcesOf(of) {
		one, ok := o.of[i]
		if !ok {
			continue
		}
		day := orders.Inline()
		for p := range one.Tasks {
			if t := &one.Tasks[p]; len(t.Path) > 0 || t.Work != campaign.NoWork {
				day.Set(campaign.PeriodWords[p], writeTask(c, t))
			}
		}
		if one.Avoid {
			day.Set("avoid", orders.Text("yes"))
		}
		value := day
		if len(day.Pairs) == 0 {
			value = orders.Text("rest")
		}
		n.Set(g.short(g.setting.commands[i].id, of), value)
	}
	return n
}

// writeTask writes what a force does in a period.
func writeTask(c *campaign.Campaign, t *campaign.Task) *orders.Node {
	switch {
	case len(t.Path) > 0:
		list := orders.Texts()
		for _, n := range t.Path {
			list.Add(orders.Text(c.Def(n).ID))
		}
		return list
	case t.Work == campaign.Entrench || t.Work == campaign.Redoubt:
		return orders.Text(t.Work.String())
	}
	return orders.Inline().Set(t.Work.String(), orders.Text(c.Def(t.Bridge).ID))
}

// mapPreface is the stop map.
var mapPreface = preface[*mapOrder]{
	step:    marching,
	shape:   mapShape,
	read:    readMap,
	write:   writeMap,
	usual:   resting,
	chance:  chanceMap,
	sense:   chanceMap, // armies that rest never meet
	choices: chooseMap,
	primer:  mapPrimer,
	do:      func(p *prologue, of side, o *mapOrder) { p.orderMarches(o); p.field.Prepare.day[of] = true },
}

// chanceMap orders a day at random: forces march towards the enemy's base, dig, or rest.
func chanceMap(g *game, of side, chance *rand.Rand) *mapOrder {
	c := g.onMap()
	o := resting(g, of)
	of2 := map[int]*campaign.Order{}
	for _, i := range g.forcesOf(of) {
		var one campaign.Order
		at := c.Stands[i].At
		for p := range one.Tasks {
			was := one.Tasks[p]
			switch chance.IntN(4) {
			case 0:
				one.Tasks[p].Work = campaign.Work(1 + chance.IntN(5))
				one.Tasks[p].Bridge = c.Beside(at)[chance.IntN(len(c.Beside(at)))]
				if one.Tasks[p].Work <= campaign.Redoubt {
					one.Tasks[p].Bridge = 0
				}
			case 1, 2:
				paths := c.Paths(at, 2)
				goal := c.Bases[2-int(of)]
				best := paths[chance.IntN(len(paths))]
				for range 4 {
					if other := paths[chance.IntN(len(paths))]; c.Distance(other[len(other)-1], goal) < c.Distance(best[len(best)-1], goal) {
						best = other
					}
				}
				one.Tasks[p].Path = best
			}
			of2[i] = &one
			if len(c.Judge(i, &one)) > 0 || len(c.JudgeTogether(of2)[i]) > 0 {
				one.Tasks[p] = was
			} else if path := one.Tasks[p].Path; len(path) > 0 {
				at = path[len(path)-1]
			}
		}
		of2[i] = &one
		o.of[i] = one
	}
	return o
}

// resting is rest for all.
func resting(g *game, of side) *mapOrder {
	o := &mapOrder{of: map[int]campaign.Order{}}
	for _, i := range g.forcesOf(of) {
		o.of[i] = campaign.Order{}
	}
	return o
}

// readNight reads {battle: stay}, or {battle: avoid, towards: greyfield}: where to, if the side has
// movement left (HFG-20.11). Whether the enemy is too fast, the answer can't tell.
func readNight(r *orders.Reader, g *game, of side, n *orders.Node) (campaign.Node, bool) {
	since := len(r.Problems)
	f := r.Fields(n, "battle", "towards")
	c := g.onMap()
	word, ok := r.Word(r.Require(f, "battle"), "stay", "avoid")
	if !ok || word == "stay" {
		return 0, ok && len(r.Problems) == since
	}
	refuges := c.Refuges(c.Met, int(of)-1)
	if len(refuges) == 0 {
		r.Refuse(f.Get("battle"), "HFG-20.11", phrase.Say("hfg.no-way"))
		return 0, false
	}
	to := refuges[0]
	if at := f.Get("towards"); at != nil {
		if to = readNode(r, c, at); to != 0 && !slices.Contains(refuges, to) {
			r.Refuse(at, "HFG-20.11", phrase.Say("hfg.no-refuge", phrase.Literal("node", c.Def(to).Name)))
		}
	}
	return to, len(r.Problems) == since
}

// nightPreface is the stop night, at a meeting.
var nightPreface = preface[campaign.Node]{
	step:  meeting,
	shape: nightShape,
	read:  readNight,
	write: func(g *game, _ side, to campaign.Node) *orders.Node {
		if to == 0 {
			return orders.Inline().Set("battle", orders.Text("stay"))
		}
		return orders.Inline().Set("battle", orders.Text("avoid")).Set("towards", orders.Text(g.onMap().Def(to).ID))
	},
	usual: func(g *game, of side) campaign.Node {
		c := g.onMap()
		refuges := c.Refuges(c.Met, int(of)-1)
		for _, f := range c.Met.Forces {
			if c.Forces[f].Side == int(of)-1 && f < len(c.Orders) && c.Orders[f].Avoid && len(refuges) > 0 {
				return refuges[0]
			}
		}
		return 0
	},
	chance: func(g *game, of side, chance *rand.Rand) campaign.Node {
		c := g.onMap()
		refuges := c.Refuges(c.Met, int(of)-1)
		if len(refuges) == 0 || chance.IntN(3) > 0 {
			return 0
		}
		return refuges[chance.IntN(len(refuges))]
	},
	choices: chooseNight,
	primer:  nightPrimer,
	do:      func(p *prologue, of side, to campaign.Node) { p.field.Prepare.flight[of] = to },
}
