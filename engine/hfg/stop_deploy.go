package hfg

import (
	"math/rand/v2"
	"slices"
	"strings"

	"berthier/engine/geometry"
	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
)

// How deployments are written: the stops plan and deploy.

// deployKeys are those of a deployment; which of them a side may write at a stop, says
// deployWords.
var deployKeys = []string{"commands", "deploy", "works", "concealed", "delayed"}

// deployWords are the keys of a side at a stop: the defender orders all in his plan, the attacker his
// commands and delays there, and where his troops stand when he sees the defender's (HFG-6.2,
// HFG-6.4).
func deployWords(as role, at step) []string {
	switch {
	case as == defender:
		return deployKeys
	case at == planning:
		return []string{"commands", "delayed"}
	}
	return []string{"deploy", "concealed"}
}

// A deployReader reads the deployment of a side.
type deployReader struct {
	*orders.Reader
	g *game
	d *deployment
}

// readDeployment reads a deployment and judges it. Whoever isn't posted is drawn up in line.
func readDeployment(r *orders.Reader, g *game, of side, at step, n *orders.Node) (*deployment, bool) {
	since := len(r.Problems)
	f := r.Fields(n, deployWords(g.role(of), at)...)
	d := &deployment{side: of, at: nodes{"": n}}
	for _, key := range deployKeys {
		d.at[key] = f.Get(key)
	}
	x := &deployReader{r, g, d}
	x.commands(f.Get("commands"))
	for _, item := range itemsOf(r, f.Get("works")) {
		x.work(item)
	}
	if deploy := f.Get("deploy"); !r.Is(deploy, "line") {
		for _, item := range r.List(deploy) {
			x.posts(item, 0)
		}
	}
	number := 1
	for _, item := range itemsOf(r, f.Get("concealed")) {
		from, all := len(d.posts), []*orders.Node{item}
		if item.Kind == orders.List { // a group of which each part is said by itself
			all = item.Items
		}
		for _, one := range all {
			x.posts(one, number)
		}
		if len(d.posts) > from { // one without anybody is none
			number++
		}
	}
	for _, item := range itemsOf(r, f.Get("delayed")) {
		x.delay(item)
	}
	if len(r.Problems) > since {
		return nil, false
	}
	_, faults := g.deployed(d)
	tellFaults(r, faults, n)
	return d, len(r.Problems) == since
}

// mine are the elements of the side, with their ids in short.
func (x *deployReader) mine() []orders.Choice {
	var all []orders.Choice
	for i := range x.g.roster {
		d := &x.g.roster[i]
		if d.side == x.d.side && d.troop != spGarrison {
			all = append(all, orders.Choice{ID: d.id, Names: []string{x.g.short(d.id, d.side)}})
		}
	}
	return all
}

// short is an id as its side writes it: without the side before it.
func (s *setting) short(id string, of side) string {
	return strings.TrimPrefix(id, s.sides[of-1].id+"-")
}

// element reads an element of the side.
func (x *deployReader) element(n *orders.Node) (elementID, bool) {
	id, ok := x.Pick(n, "element", x.mine())
	if !ok {
		return 0, false
	}
	return x.g.elementNamed(id)
}

// elements reads a list of elements, numbered ones in one word.
func (x *deployReader) elements(n *orders.Node) []elementID {
	var all []elementID
	for _, item := range x.List(n) {
		if item.Kind == orders.Scalar && strings.Contains(item.Text, "..") {
			for _, id := range readIDs(x.Reader, item) {
				e, ok := x.g.elementNamed(x.g.sides[x.d.side-1].id + "-" + id)
				if !ok {
					x.Refuse(item, "", phrase.Say("order.unknown-element", phrase.Literal("name", id)))
					continue
				}
				all = append(all, e)
			}
			continue
		}
		if e, ok := x.element(item); ok {
			all = append(all, e)
		}
	}
	return all
}

// command reads a command of the side.
func (x *deployReader) command(n *orders.Node) (commandID, bool) {
	var list []orders.Choice
	for i := range x.g.setting.commands {
		if c := &x.g.setting.commands[i]; c.side == x.d.side {
			list = append(list, orders.Choice{ID: c.id, Names: []string{x.g.short(c.id, c.side)}})
		}
	}
	id, ok := x.Pick(n, "corps", list)
	return commandID(slices.IndexFunc(x.g.setting.commands, func(c commandDef) bool { return c.id == id }) + 1), ok
}

// area reads a piece of the ground.
func (x *deployReader) area(n *orders.Node) (areaID, bool) {
	id, ok := x.Pick(n, "area", choicesOf(x.g.areas, func(d *areaDef) (string, string) { return d.id, d.name }))
	if !ok {
		return 0, false
	}
	return x.g.areaNamed(id)
}

// line reads a road, a railway or a course of water.
func (x *deployReader) line(n *orders.Node) (lineID, bool) {
	id, ok := x.Pick(n, "line", choicesOf(x.g.lines, func(d *lineDef) (string, string) { return d.id, d.name }))
	if !ok {
		return 0, false
	}
	return x.g.lineNamed(id)
}

// choicesOf are things by their ids and names.
func choicesOf[T any](all []T, of func(*T) (id, name string)) []orders.Choice {
	var list []orders.Choice
	for i := range all {
		id, name := of(&all[i])
		c := orders.Choice{ID: id}
		if name != "" {
			c.Names = []string{name}
		}
		list = append(list, c)
	}
	return list
}

// commands reads {guard: [hq-1, gren-1..2]}, or {guard: {elements: [gren-1..2]}}.
func (x *deployReader) commands(n *orders.Node) {
	if n == nil {
		return
	}
	if n.Kind != orders.Map {
		x.Refuse(n, "HFG-6.1", phrase.Say("hfg.deploy-commands"))
		return
	}
	for _, p := range n.Pairs {
		c, ok := x.command(p.Key)
		list := p.Value
		if list.Kind == orders.Map {
			list = x.Require(x.Fields(list, "elements"), "elements")
		}
		all := x.elements(list)
		if ok {
			x.d.groups = append(x.d.groups, regrouping{c, all, p.Value})
		}
	}
}

// postKeys are those of a place in a deployment; each of the first four says for whom.
var postKeys = []string{"element", "line", "column", "garrison", "at", "left", "facing", "road", "head", "in", "behind"}

// posts reads one place of a deployment: {element: gren-1, at: [5000, 700], facing: n}, {line: [art-1,
// art-2], left: [5400, 700], facing: n}, {column: [lc-1], road: brussels, head: 400}, {garrison: m-3,
// in: hougoumont}.
func (x *deployReader) posts(n *orders.Node, hidden int) {
	f := x.Fields(n, postKeys...)
	if n.Kind != orders.Map {
		return
	}
	var who string
	for _, key := range postKeys[:4] {
		if f.Get(key) == nil {
			continue
		}
		if who != "" {
			x.Refuse(f.Get(key), "HFG-6.2", phrase.Say("hfg.deploy-one"))
			return
		}
		who = key
	}
	if who == "" {
		x.Refuse(n, "HFG-6.2", phrase.Say("hfg.deploy-one"))
		return
	}
	since, from := len(x.Problems), len(x.d.posts)
	switch who {
	case "element":
		if e, ok := x.element(f.Get(who)); ok {
			x.d.posts = append(x.d.posts, posting{element: e, at: x.place(f, "at"), facing: x.facing(f), node: n})
		}
	case "line":
		x.lined(f, n)
	case "column":
		x.column(f, n)
	case "garrison":
		e, ok := x.element(f.Get(who))
		town, ok2 := x.area(x.Require(f, "in"))
		if ok && ok2 {
			x.d.posts = append(x.d.posts, posting{element: e, holds: town, node: n})
		}
	}
	if len(x.Problems) > since {
		x.d.posts = x.d.posts[:from]
		return
	}
	for i := range x.d.posts[from:] {
		x.d.posts[from+i].hidden = hidden
	}
}

// place reads a place that must be there.
func (x *deployReader) place(f orders.Fields, key string) place {
	n := x.Require(f, key)
	if n == nil {
		return place{}
	}
	p, _ := scale.ReadPoint(x.Reader, n)
	return place(p)
}

// facing reads a heading; without one the side looks at the enemy's base edge.
func (x *deployReader) facing(f orders.Fields) int {
	if n := f.Get("facing"); n != nil {
		v, _ := readFacing(x.Reader, n)
		return v
	}
	return x.g.toEnemy(x.d.side)
}

// toEnemy is the heading from a side's base edge to the enemy's.
func (s *setting) toEnemy(of side) int { return s.base(of.enemy()).outward() }

// lined reads a line: bases side by side, the first to the left.
func (x *deployReader) lined(f orders.Fields, n *orders.Node) {
	all, left, facing := x.elements(f.Get("line")), x.place(f, "left"), x.facing(f)
	at := geometry.Frame{At: point(left), Heading: geometry.Heading(facing)}
	u := int64(0)
	for _, e := range all {
		b := x.g.box(x.g.def(e))
		front := at.World(point{X: u - b.U0})
		x.d.posts = append(x.d.posts, posting{element: e, at: place(front), facing: facing, node: n})
		u += b.U1 - b.U0
	}
}

// column reads a column on a road, its head so many paces along the road from the road's first
// point. It looks the way of the road that is nearer to the given facing.
func (x *deployReader) column(f orders.Fields, n *orders.Node) {
	all := x.elements(f.Get("column"))
	road, ok := x.line(x.Require(f, "road"))
	head, ok2 := x.Int(x.Require(f, "head"), 0, 99999)
	facing := x.facing(f)
	if !ok || !ok2 {
		return
	}
	path := x.g.line(road).points
	at := int64(head) * pace
	back := int64(1)
	if way := bearingAt(path, at); turnBetween(way, geometry.Heading(facing)) > 90 {
		back = -1
	}
	number, long := 1, int64(0)
	for _, p := range x.d.posts {
		number = max(number, p.column+1)
	}
	for _, e := range all {
		long += -x.g.box(x.g.def(e)).V0
	}
	if tail := at - back*long; at > longOf(path) || tail < 0 || tail > longOf(path) {
		x.Refuse(f.Get("head"), "HFG-9.9", phrase.Say("hfg.deploy-column", phrase.Literal("line", x.g.line(road).id), phrase.Number("n", paces(longOf(path))), phrase.Number("long", paces(long))))
		return
	}
	for _, e := range all {
		b := x.g.box(x.g.def(e))
		way := bearingAt(path, at-back*(b.V1-b.V0)/2)
		if back < 0 {
			way = way.Plus(180)
		}
		x.d.posts = append(x.d.posts, posting{element: e, at: place(geometry.Along(path, at)), facing: int(way), road: road, column: number, head: head, back: back < 0, node: n})
		at -= back * (b.V1 - b.V0)
	}
}

// bearingAt is the heading of a path so far along it.
func bearingAt(path []point, n int64) geometry.Heading {
	for i := 1; i < len(path); i++ {
		long := geometry.Dist(path[i-1], path[i])
		if n <= long || i == len(path)-1 {
			return geometry.Toward(path[i-1], path[i])
		}
		n -= long
	}
	return 0
}

// turnBetween is how many degrees lie between two headings.
func turnBetween(a, b geometry.Heading) int {
	d := int(a-b+720) % 360
	return min(d, 360-d)
}

// delay reads {command: iv, by: road-1, edge: e}.
func (x *deployReader) delay(n *orders.Node) {
	f := x.Fields(n, "command", "by", "edge")
	d := delay{at: nodes{"": n, "command": f.Get("command"), "by": f.Get("by"), "edge": f.Get("edge")}}
	var ok, ok2, ok3 bool
	d.command, ok = x.command(x.Require(f, "command"))
	d.road, ok2 = x.line(x.Require(f, "by"))
	word, ok3 := x.Word(x.Require(f, "edge"), edgeWords[1:]...)
	d.edge = edge(slices.Index(edgeWords, word))
	if !ok || !ok2 || !ok3 {
		return
	}
	if slices.ContainsFunc(x.d.delays, func(o delay) bool { return o.command == d.command }) {
		x.Refuse(n, "HFG-6.13", phrase.Say("hfg.delay-twice", commandText(x.g.lead(d.command).id)))
		return
	}
	x.d.delays = append(x.d.delays, d)
}

// write writes a deployment as [readDeployment] reads it.
func (d *deployment) write(g *game, at step) *orders.Node {
	n := orders.Mapping()
	words := deployWords(g.role(d.side), at)
	if len(d.groups) > 0 {
		list := orders.Mapping()
		for _, r := range d.groups {
			ids := make([]string, len(r.elements))
			for i, e := range r.elements {
				ids[i] = g.short(g.def(e).id, d.side)
			}
			all := orders.Texts()
			for _, one := range runsOf(ids, nil) {
				all.Add(orders.Text(one.text))
			}
			list.Set(g.short(g.lead(r.command).id, d.side), all)
		}
		n.Set("commands", list)
	}
	if slices.Contains(words, "deploy") {
		n.Set("deploy", d.writePosts(g, 0))
	}
	if len(d.works) > 0 {
		list := orders.Items()
		for i := range d.works {
			list.Add(d.works[i].write(g, d.side))
		}
		n.Set("works", list)
	}
	hidden := orders.Items()
	for k := 1; slices.ContainsFunc(d.posts, func(p posting) bool { return p.hidden == k }); k++ {
		list := d.writePosts(g, k)
		if len(list.Items) == 1 {
			list = list.Items[0]
		}
		hidden.Add(list)
	}
	if len(hidden.Items) > 0 {
		n.Set("concealed", hidden)
	}
	if len(d.delays) > 0 {
		list := orders.Items()
		for _, x := range d.delays {
			list.Add(orders.Inline().Set("command", orders.Text(g.short(g.lead(x.command).id, d.side))).
				Set("by", orders.Text(g.line(x.road).id)).Set("edge", orders.Text(edgeWords[x.edge])))
		}
		n.Set("delayed", list)
	}
	if len(n.Pairs) == 0 {
		n.Set("delayed", orders.Texts())
	}
	return n
}

// writePosts writes where elements stand, those of one concealed position or those that are shown;
// the word line, if none is posted.
func (d *deployment) writePosts(g *game, hidden int) *orders.Node {
	list := orders.Items()
	for i, p := range d.posts {
		if p.hidden != hidden || p.column != 0 && i > 0 && d.posts[i-1].column == p.column {
			continue
		}
		n := orders.Inline()
		if p.column != 0 {
			list.Add(d.writeColumn(g, i, n))
			continue
		}
		id := orders.Text(g.short(g.def(p.element).id, d.side))
		if p.holds != 0 {
			list.Add(n.Set("garrison", id).Set("in", orders.Text(g.area(p.holds).id)))
			continue
		}
		list.Add(n.Set("element", id).Set("at", scale.WritePoint(point(p.at))).Set("facing", orders.Number(p.facing)))
	}
	if len(list.Items) == 0 {
		return orders.Text("line")
	}
	return list
}

// writeColumn writes a column from its first posting on, as it was said.
func (d *deployment) writeColumn(g *game, first int, n *orders.Node) *orders.Node {
	p := &d.posts[first]
	var ids []string
	for _, o := range d.posts[first:] {
		if o.column == p.column {
			ids = append(ids, g.short(g.def(o.element).id, d.side))
		}
	}
	facing := bearingAt(g.line(p.road).points, int64(p.head)*pace)
	if p.back {
		facing = facing.Plus(180)
	}
	return n.Set("column", orders.Texts(ids...)).Set("road", orders.Text(g.line(p.road).id)).Set("head", orders.Number(p.head)).Set("facing", orders.Number(int(facing)))
}

var (
	postShape = shape.Record(shape.May("element", shape.Name("element")), shape.May("line", shape.List(shape.Name("element"))), shape.May("column", shape.List(shape.Name("element"))),
		shape.May("garrison", shape.Name("element")), shape.May("at", pointShape), shape.May("left", pointShape), shape.May("facing", facingShape),
		shape.May("road", shape.Name("line")), shape.May("head", shape.Number(0, 99999)), shape.May("in", shape.Name("area")), shape.May("behind", shape.Name("area")))
	workShape = func() shape.Shape {
		keys := []shape.Key{shape.May("at", pointShape), shape.May("facing", facingShape), shape.May("from", pointShape), shape.May("to", pointShape),
			shape.May("on", shape.Name("line")), shape.May("over", shape.Name("line")), shape.May("holds", shape.Name("element")), shape.May("command", shape.Name("command")), shape.May("size", shape.Number(1, 9999))}
		for _, w := range worksWritten {
			keys = append(keys, shape.May(w, shape.Name("name")))
		}
		return shape.Record(keys...)
	}()
	planShape = shape.Record(
		shape.May("commands", shape.Map(shape.Name("command"), shape.Either(shape.List(shape.Name("element")), shape.Record(shape.Need("elements", shape.List(shape.Name("element"))))))),
		shape.May("deploy", shape.Either(shape.Words("line"), shape.List(postShape))),
		shape.May("works", shape.List(workShape)),
		shape.May("concealed", shape.List(shape.Either(postShape, shape.List(postShape)))),
		shape.May("delayed", shape.List(shape.Record(shape.Need("command", shape.Name("command")), shape.Need("by", shape.Name("line")), shape.Need("edge", shape.Words(edgeWords[1:]...))))),
	)
	// When the attacker sees the defender's plan he only says where his troops stand (HFG-6.4).
	deployShape = shape.Record(
		shape.May("deploy", shape.Either(shape.Words("line"), shape.List(postShape))),
		shape.May("concealed", shape.List(shape.Either(postShape, shape.List(postShape)))),
	)
)

// deployPreface is the stop plan, or the stop deploy.
func deployPreface(at step) preface[*deployment] {
	shapes := map[step]shape.Shape{planning: planShape, deploying: deployShape}
	return preface[*deployment]{
		step:  at,
		shape: shapes[at],
		read: func(r *orders.Reader, g *game, of side, n *orders.Node) (*deployment, bool) {
			return readDeployment(r, g, of, at, n)
		},
		write:   func(g *game, _ side, d *deployment) *orders.Node { return d.write(g, at) },
		usual:   func(_ *game, of side) *deployment { return &deployment{side: of} },
		chance:  func(g *game, of side, chance *rand.Rand) *deployment { return chanceDeployment(g, of, at, chance) },
		choices: chooseDeployment(at),
		primer:  deployPrimer(at),
		do:      func(p *prologue, of side, d *deployment) { p.field.Prepare.plans[of] = d },
	}
}

// chanceDeployment posts some elements at random, each where it can stand, holds a BUA, and keeps a
// command back.
func chanceDeployment(g *game, of side, at step, chance *rand.Rand) *deployment {
	d := &deployment{side: of}
	words := deployWords(g.role(of), at)
	legal := func(c *deployment) bool {
		_, faults := g.deployed(c)
		return len(faults) == 0
	}
	try := func(c deployment) {
		if legal(&c) {
			*d = c
		}
	}
	if slices.Contains(words, "delayed") && len(g.lines) > 0 && chance.IntN(3) == 0 {
		c := *d
		c.delays = append(slices.Clone(c.delays), delay{command: commandID(1 + chance.IntN(len(g.setting.commands))), road: lineID(1 + chance.IntN(len(g.lines))), edge: edge(1 + chance.IntN(4))})
		if g.lead(c.delays[0].command).side == of {
			try(c)
		}
	}
	if !slices.Contains(words, "deploy") {
		return d
	}
	z := g.zoneOf(of, false)
	for e := elementID(1); int(e) < len(g.Elements); e++ {
		if g.def(e).side != of || chance.IntN(4) > 0 {
			continue
		}
		p := posting{element: e, facing: chance.IntN(360), at: place{X: z.lo.X + chance.Int64N((z.hi.X-z.lo.X)/pace)*pace, Y: z.lo.Y + chance.Int64N((z.hi.Y-z.lo.Y)/pace)*pace}}
		if len(g.areas) > 0 && chance.IntN(3) == 0 {
			p = posting{element: e, holds: areaID(1 + chance.IntN(len(g.areas)))}
		}
		if chance.IntN(4) == 0 {
			p.hidden = 1 + slices.MaxFunc(append(d.posts, posting{}), func(a, b posting) int { return a.hidden - b.hidden }).hidden
		}
		c := *d
		c.posts = append(slices.Clone(c.posts), p)
		try(c)
	}
	return d
}
