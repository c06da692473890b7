package hfg

import (
	"slices"
	"strings"

	"berthier/engine/geometry"
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
	for _, item := range r.List(f.Get("works")) {
		x.work(item)
	}
	if deploy := f.Get("deploy"); !r.Is(deploy, "line") {
		for _, item := range r.List(deploy) {
			x.posts(item, 0)
		}
	}
	for i, item := range r.List(f.Get("concealed")) {
		x.posts(item, i+1)
	}
	for _, item := range r.List(f.Get("delayed")) {
		x.delay(item)
	}
	if len(r.Problems) > since {
		return nil, false
	}
	board, faults := g.deployed(d)
	tellFaults(r, faults, n)
	if len(r.Problems) > since {
		return nil, false
	}
	_ = board
	return d, true
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
	id, ok := x.Pick(n, "command", list)
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
	return x.g.ahead1(x.d.side)
}

// ahead1 is the heading from a side's base edge to the enemy's.
func (s *setting) ahead1(of side) int { return s.base(of.enemy()).outward() }

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
	for _, e := range all {
		b := x.g.box(x.g.def(e))
		way := bearingAt(path, at-back*(b.V1-b.V0)/2)
		if back < 0 {
			way = way.Plus(180)
		}
		x.d.posts = append(x.d.posts, posting{element: e, at: place(geometry.Along(path, at)), facing: int(way), road: road, node: n})
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

// workWords are the works as a deployment writes them: by what they are, with their names.
var workWords2 = []string{"strong-point", "redoubt", "entrenchment", "elf", "barricade", "naval-minefield", "pontoon"}

// work reads a work: {redoubt: r1, at: [6000, 3800], facing: s, holds: art-2}, {entrenchment: e1, from:
// [6400, 3800], to: [7200, 3800]}, {pontoon: pon-1, over: river-1, at: [5000, 2000]}.
func (x *deployReader) work(n *orders.Node) {
	f := x.Fields(n, append([]string{"at", "facing", "from", "to", "on", "over", "holds", "command", "size"}, workWords2...)...)
	if n.Kind != orders.Map {
		return
	}
	w := workOrder{node: nodes{"": n, "at": f.Get("at")}}
	for _, word := range workWords2 {
		value := f.Get(word)
		if value == nil {
			continue
		}
		if w.id != "" || w.pontoon != 0 {
			x.Refuse(value, "HFG-6.2", phrase.Say("hfg.work-one", phrase.Keywords("words", workWords2)))
			return
		}
		if word == "pontoon" {
			w.pontoon, _ = x.element(value)
			continue
		}
		w.what = provisionOf(word)
		w.id, _ = readID(x.Reader, value)
	}
	if w.id == "" && w.pontoon == 0 {
		x.Refuse(n, "HFG-6.2", phrase.Say("hfg.work-one", phrase.Keywords("words", workWords2)))
		return
	}
	since := len(x.Problems)
	x.workPlace(&w, f)
	if len(x.Problems) == since {
		x.d.works = append(x.d.works, w)
	}
}

// workPlace reads where a work stands.
func (x *deployReader) workPlace(w *workOrder, f orders.Fields) {
	switch w.what {
	case 0:
		w.at = x.place(f, "at")
		w.on, _ = x.line(x.Require(f, "over"))
	case buysEntrenchment, buysBarricade:
		x.stretch(w, f)
	case buysELF:
		w.on, _ = x.line(x.Require(f, "on"))
		x.stretch(w, f)
		if w.on != 0 {
			x.bank(w)
		}
	case buysStrongPoint:
		w.at, w.facing, w.width = x.place(f, "at"), x.facing(f)%90, strongPointSize*pace
		if n := f.Get("size"); n != nil {
			v, _ := x.Int(n, 1, 9999)
			w.width = length(v) * pace
		}
		if n := f.Get("command"); n != nil {
			w.command, _ = x.command(n)
		} else {
			w.command = x.chief()
		}
	default:
		w.at, w.facing = x.place(f, "at"), x.facing(f)
		if n := f.Get("holds"); n != nil {
			w.holds, _ = x.element(n)
		}
	}
}

// chief is the command of the side's commander-in-chief.
func (x *deployReader) chief() commandID {
	return commandID(slices.IndexFunc(x.g.setting.commands, func(c commandDef) bool { return c.side == x.d.side && c.rank == chief }) + 1)
}

// stretch reads a straight work from its ends. It looks to the side on which the enemy's base
// edge is, or the way that is given.
func (x *deployReader) stretch(w *workOrder, f orders.Fields) {
	from, to := point(x.place(f, "from")), point(x.place(f, "to"))
	if from == to {
		x.Refuse(f.Node, provisions[w.what].clause, phrase.Say("hfg.work-ends"))
		return
	}
	w.at = place(point{X: (from.X + to.X) / 2, Y: (from.Y + to.Y) / 2})
	w.width = length(geometry.Dist(from, to))
	along := geometry.Toward(from, to)
	look := geometry.Heading(x.facing(f))
	left, right := along.Plus(-90), along.Plus(90)
	w.facing = int(left)
	if turnBetween(right, look) < turnBetween(left, look) {
		w.facing = int(right)
	}
}

// bank moves a feature along a river to the bank on the enemy's side (HFG-6.8).
func (x *deployReader) bank(w *workOrder) {
	if d := x.g.line(w.on); d.kind == river {
		f := geometry.Frame{At: point(w.at), Heading: geometry.Heading(w.facing)}
		w.at = place(f.World(point{Y: int64(d.width) / 2}))
	}
}
