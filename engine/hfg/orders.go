package hfg

import (
	"iter"
	"slices"
	"strings"

	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// Orders of a turn as players write them, without a ruler (section 6 of the digest). What their
// names and words mean is worked out when the move is made.

// A verb is what an order does.
type verb int8

const (
	verbGo      verb = iota + 1 // one element, to a place or straight on
	verbAdvance                 // a group, or a column off road: sidestep, wheel, straight on
	verbAlong                   // one element or a column, along roads
	verbForm                    // a column forms line, or a line column
	verbContact                 // one element or a group comes into contact
	verbRally
	verbEnter // a command comes on by its road
	verbFord  // one element goes to the bank and looks for a ford
	verbBuild // Pontoneers begin a bridge where they stand
	verbWreck // an element begins to destroy a bridge
)

// A bearing is which way one element goes straight on.
type bearing int8

const (
	ahead bearing = iota
	toRear
	toLeft
	toRight
)

var bearingWords = []string{"forward", "back", "left", "right"}

// headings of the bearings from an element's own.
var bearingTurns = []int{0, 180, -90, 90}

// mostFar stands for max: as far as is legal (HFG-R121).
const mostFar = 9999

// An order is one move of a turn.
type order struct {
	Verb   verb    `pos:"verb,required"`
	March  bool    `pos:"march"`       // it is a march move
	Column bool    `pos:"column"`      // the elements are a column, the leader first
	Of     string  `pos:"of,required"` // the elements, one word after the other
	To     string  `pos:"to"`          // a place, as it is written
	Via    string  `pos:"via"`         // places on the way, one after the other
	Turns  bool    `pos:"turns"`       // to a facing
	Facing int     `pos:"facing,max=359"`
	Toward bearing `pos:"toward"`
	Far    int     `pos:"far,max=9999"` // paces
	Wheel  int     `pos:"wheel,min=-180,max=180"`
	Side   int     `pos:"sidestep,min=-999,max=999"` // paces, to the right if positive
	Enemy  string  `pos:"enemy"`
	Edge   int     `pos:"edge,max=4"`     // less one the side of the enemy; 0: unsaid
	Short  int     `pos:"short,max=9999"` // so many paces short of the place, and one; 0: unsaid
	Road   string  `pos:"road"`           // roads, one after the other
	Deep   int     `pos:"deep,max=2"`     // of a line; 0: it forms column
	Right  bool    `pos:"right"`          // it forms to the right
	Then   *order  `pos:"then"`           // a further wheel and way of a group (HFG-9.7)
	Payer  string  `pos:"payer"`          // the general of another command who pays (HFG-7.9)
	Else   *order  `pos:"else"`           // in its place, if it isn't legal when its turn comes
	Late   bool    `pos:"-"`              // that is chosen after the move itself: see [turnWorld.settled]
}

// who lists the elements of an order.
func (g *game) who(o *order) []elementID {
	var all []elementID
	for _, id := range strings.Fields(o.Of) {
		if e, ok := g.elementNamed(id); ok {
			all = append(all, e)
		}
	}
	return all
}

// commandNamed finds a command by its id; 0: there is none.
func (s *setting) commandNamed(id string) commandID {
	return commandID(slices.IndexFunc(s.commands, func(d commandDef) bool { return d.id == id }) + 1)
}

// payer is the command that pays for an order.
func (g *game) payer(o *order) commandID {
	all := g.who(o)
	if o.Payer != "" {
		if e, ok := g.elementNamed(o.Payer); ok {
			return g.command(e)
		}
	}
	return g.command(all[0])
}

// orderFault says why an order can't be carried out now, or gives the plan of its move; a rally
// has none.
func (g *game) orderFault(o *order) (*plan, *play.Fault) {
	all := g.who(o)
	payer := g.payer(o)
	if fault := g.crewFault(o, all, payer); fault != nil {
		return nil, fault
	}
	if o.Verb == verbRally {
		if fault := g.rallyFault(all[0], payer); fault != nil {
			return nil, fault
		}
		return nil, g.affords(payer, g.rallyCosts(all[0]))
	}
	if o.Verb == verbBuild || o.Verb == verbWreck {
		if fault := g.taskFault(all[0], o.To); fault != nil {
			return nil, fault
		}
		return nil, g.affords(payer, taskCost(o))
	}
	how := tactical
	if o.March {
		how = march
	}
	for _, e := range all {
		if fault := g.moveFault(e, how); fault != nil {
			return nil, fault
		}
	}
	p, fault := g.planned(o, all)
	if fault != nil {
		return nil, fault
	}
	return p, g.affords(payer, g.costs(p))
}

// carriedOut gives the order that is carried out, with its plan: what is done in the place of one that isn't legal (section 6 of
// the digest).
func (g *game) carriedOut(o *order) (*order, *plan, *play.Fault) {
	p, fault := g.orderFault(o)
	if fault != nil && o.Else != nil {
		o = o.Else
		p, fault = g.orderFault(o)
	}
	return o, p, fault
}

// taskCost is what it costs to begin a work: to build is ordered, to destroy is declared.
func taskCost(o *order) cost {
	if o.Verb == verbBuild {
		return cost{base: 1}
	}
	return cost{}
}

// affords says why a command can't pay a price (HFG-7.6).
func (g *game) affords(c commandID, price cost) *play.Fault {
	if have := g.pips(c); price.sum() > have {
		return remedied(refuse("HFG-7.6", "hfg.order-price", g.commandArg("command", c), phrase.Number("price", price.sum()), phrase.Number("have", have)),
			phrase.Say("hfg.order-price-remedy"))
	}
	return nil
}

// crewFault says why some elements can't be ordered together, or by whom they are led (HFG-1.10,
// HFG-7.9, HFG-R112).
func (g *game) crewFault(o *order, all []elementID, payer commandID) *play.Fault {
	for _, e := range all {
		if g.withdrawn(e) && o.Verb != verbRally {
			return refuse("HFG-17.5", "hfg.move-withdraws", g.elementArg("element", e))
		}
		if g.command(e) != g.command(all[0]) {
			return remedied(refuse("HFG-R112", "hfg.order-commands", g.elementArg("element", e), g.elementArg("other", all[0])),
				phrase.Say("hfg.order-commands-remedy", g.elementArg("element", e)))
		}
		if !g.on(e) {
			return refuse("HFG-9.1", "hfg.move-absent", g.elementArg("element", e))
		}
	}
	if o.Payer != "" && (len(all) > 1 || !g.lends(payer, all[0])) {
		return refuse("HFG-7.9", "hfg.order-payer", g.elementArg("element", all[0]), phrase.Literal("general", o.Payer))
	}
	if len(all) == 1 {
		return nil
	}
	if g.joinsUp(o, all) {
		return nil
	}
	if o.Column || o.Verb == verbForm && o.Deep > 0 {
		if fault := g.columnFault(all); fault != nil {
			return fault
		}
		return nil
	}
	if o.Verb == verbForm {
		return g.lineFault(all, o.Right)
	}
	if !g.group(all) {
		return refuse("HFG-1.10", "hfg.order-group", phrase.Literals("elements", strings.Fields(o.Of)))
	}
	return nil
}

// joinsUp says whether an order leads elements into a column that they aren't yet: a leader's own
// move is ordered, and the others follow one by one (HFG-9.11).
func (g *game) joinsUp(o *order, all []elementID) bool {
	if !o.Column || len(all) < 2 {
		return false
	}
	return o.Verb == verbGo || o.Verb == verbAlong && g.columnFault(all) != nil
}

// columnFault says why elements are no column one wide, the leader first (HFG-1.10, HFG-9.9).
func (g *game) columnFault(all []elementID) *play.Fault {
	if fault := g.withinFault(all); fault != nil {
		return fault
	}
	for i := 1; i < len(all); i++ {
		a, b := g.body(all[i-1]), g.body(all[i])
		behind := coincide(b.Corner[0], a.Corner[3]) && coincide(b.Corner[1], a.Corner[2])
		if !behind && !g.follows(all[i-1], all[i]) && !(g.onRoad(all[i-1]) && g.onRoad(all[i]) && touch(&a, &b)) {
			return refuse("HFG-1.10", "hfg.order-column", g.elementArg("element", all[i]), g.elementArg("other", all[i-1]))
		}
	}
	return nil
}

// withinFault says why elements can't go along a road, or in a formation, from where they are: one of
// them defends the edge of a BUA, so that its move begins in the middle of it (HFG-4.17).
func (g *game) withinFault(all []elementID) *play.Fault {
	for _, e := range all {
		if held := g.Elements[e].Holds; held != 0 {
			return refuse("HFG-4.17", "hfg.order-within", g.elementArg("element", e), phrase.Name("area", "area", g.area(held).id))
		}
	}
	return nil
}

// lineFault says why elements are no line 1 or 2 deep that may form column to a side (HFG-9.10):
// the column that it forms, formed back, must be the line.
func (g *game) lineFault(all []elementID, right bool) *play.Fault {
	if fault := g.withinFault(all); fault != nil {
		return fault
	}
	bodies := make([]geometry.Body, len(all))
	for i, e := range all {
		bodies[i] = g.body(e)
	}
	column := make([]geometry.Body, len(all))
	for i, f := range filed(bodies, right) {
		column[i] = geometry.NewBody(geometry.Piece{Frame: f, Box: bodies[i].Box})
	}
	for deep := 1; deep <= 2; deep++ {
		sound := true
		for i, f := range formed(column, !right, deep) {
			sound = sound && f.Heading == bodies[i].Heading
		}
		if sound && inLine(bodies, right, deep) {
			return nil
		}
	}
	return refuse("HFG-9.10", "hfg.order-line", g.elementArg("element", all[0]))
}

// inLine says whether bodies are a line 1 or 2 deep, from the end of the side that it will face:
// each pair beside the one before it, its front level, its rear element straight behind.
func inLine(b []geometry.Body, right bool, deep int) bool {
	for i := range b {
		ahead, beside := i-i%deep-deep, i-i%deep
		switch {
		case i%deep == 1:
			if !coincide(b[i].Corner[0], b[beside].Corner[3]) || !coincide(b[i].Corner[1], b[beside].Corner[2]) {
				return false
			}
		case ahead >= 0 && right:
			if !coincide(b[i].Corner[1], b[ahead].Corner[0]) {
				return false
			}
		case ahead >= 0:
			if !coincide(b[i].Corner[0], b[ahead].Corner[1]) {
				return false
			}
		}
	}
	return true
}

// planned works an order out and judges it.
func (g *game) planned(o *order, all []elementID) (*plan, *play.Fault) {
	if g.joinsUp(o, all) {
		return g.plannedJoin(o, all)
	}
	switch o.Verb {
	case verbGo:
		return g.plannedGoing(o, all[0])
	case verbFord:
		p, fault := g.plannedGoing(o, all[0])
		if fault != nil {
			return nil, fault
		}
		p.search = true
		return p, g.fordFault(p)
	case verbContact:
		return g.plannedContact(o, all)
	case verbForm:
		p := g.reformed(all, o.Right, max(o.Deep, 1), o.Deep > 0)
		if o.March {
			p.manner = march // a group move like others (HFG-9.2, HFG-9.10)
		}
		return p, g.judge(p)
	case verbAlong:
		return g.plannedRoad(o, all)
	}
	return g.plannedAdvance(o, all)
}

// asFar gives the plan of a distance, or of max the greatest that is legal (HFG-R121); most is the
// farthest that can be. Straight tells that each plan is the way of those that go less far, and more of it
// straight on, off road.
func (g *game) asFar(far, most int, straight bool, plan func(int) *plan) (*plan, *play.Fault) {
	if far < mostFar {
		p := plan(far)
		return p, g.judge(p)
	}
	if far > mostFar {
		most = min(most, far-mostFar) // see upTo
	}
	var last *play.Fault
	for n := most; n > 0; n-- {
		p := plan(n)
		if last = g.judge(p); last == nil {
			if p.far = n; p.cut != 0 {
				p.far = p.price
			}
			return p, nil
		}
		if !straight || !lasting[last.Why.Code] {
			continue
		}
		for low := 0; n-low > 1; { // whatever lies between a way and a shorter one with the same fault has it, too
			half := (low + n) / 2
			if fault := g.judge(plan(half)); fault != nil && slices.Equal(gist(fault), gist(last)) {
				n, last = half, fault
			} else {
				low = half
			}
		}
	}
	return nil, last
}

// lasting are the faults that a straight way keeps from where they begin on; an element on which another
// would end, as long as it lies on him.
var lasting = map[string]bool{"hfg.move-off-field": true, "hfg.move-too-far": true, "hfg.move-blocked": true, "hfg.move-ground": true, "hfg.move-overlap": true}

// gist is what a fault is and what it names, without its numbers.
func gist(fault *play.Fault) []string {
	all := []string{fault.Why.Code}
	for _, a := range fault.Why.Args {
		all = append(all, a.Value.Text)
	}
	return all
}

// waterless says whether no stream and no gully lies in the way of a plan: at those a way may be cut (HFG-R126).
func (g *game) waterless(p *plan) bool {
	for i := range p.paths {
		lanes := p.paths[i].lanes()
		for l := lineID(1); int(l) <= len(g.lines); l++ {
			if d := g.line(l); (d.kind == stream || d.kind == gully) && meetsAny(lanes, d) || d.kind == river {
				return false
			}
		}
	}
	return true
}

// farthest is the greatest distance of any of some elements, by the table (HFG-9.3).
func (g *game) farthest(all []elementID) int {
	far := g.setting.moves(g.def(all[0]))[0]
	for _, e := range all[1:] {
		far = min(far, g.setting.moves(g.def(e))[0])
	}
	return far
}

// plannedGoing works out the move of one element.
func (g *game) plannedGoing(o *order, e elementID) (*plan, *play.Fault) {
	b := g.body(e)
	how := func(p *plan) *plan {
		if o.March {
			p.manner = march
		}
		if cut, ok := g.halved(p); ok {
			return cut
		}
		return p
	}
	facing := b.Heading
	if o.Turns {
		facing = geometry.Heading(o.Facing)
	}
	if o.To == "" {
		way, most := b.Heading.Plus(bearingTurns[o.Toward]), g.farthest([]elementID{e})
		going := func(n int) *plan {
			return g.alone(e, geometry.Frame{At: b.At.Plus(geometry.Step(way, int64(n)*pace)), Heading: facing})
		}
		straight := o.Far >= mostFar && !o.Turns && g.class(e) != naval && g.waterless(going(most))
		return g.asFar(o.Far, most, straight, func(n int) *plan { return how(going(n)) })
	}
	to, facing, via, fault := g.sentTo(o, e)
	if fault != nil {
		return nil, fault
	}
	if o.Short > 0 {
		return g.stopShort(o, e, to, facing, via, how)
	}
	p := how(g.alone(e, geometry.Frame{At: to.At, Heading: facing}, via...))
	return p, g.judge(p)
}

// plannedAdvance works out the move of a group, or of a column off road.
func (g *game) plannedAdvance(o *order, all []elementID) (*plan, *play.Fault) {
	by := o.Wheel
	if o.Turns {
		if by = turn(g.body(all[0]).Heading, geometry.Heading(o.Facing)); by == 180 {
			return nil, refuse("HFG-9.7", "hfg.order-half-turn", g.elementArg("element", all[0]))
		}
	}
	if o.Column {
		return g.asFar(o.Far, g.farthest(all), false, func(n int) *plan {
			p := g.wind(all, by, n)
			if o.March {
				p.manner = march
			}
			return p
		})
	}
	plan := func(n int) *plan {
		ahead := n
		if o.Turns { // what is left of it (HFG-9.7)
			ahead -= g.together(all, 0, by, 0).price
		}
		if o.Toward == toRear {
			ahead = -n
		}
		bends := []bend{{by, ahead}}
		for x := o.Then; x != nil; x = x.Then {
			bends = append(bends, bend{x.Wheel, x.Far})
		}
		p := g.bent(all, int64(o.Side)*pace, bends...)
		if o.March {
			p.manner = march
		}
		return p
	}
	if o.Turns && o.Far < g.together(all, 0, by, 0).price {
		return nil, refuse("HFG-9.7", "hfg.order-wheel", phrase.Number("price", g.together(all, 0, by, 0).price))
	}
	most := g.farthest(all)
	straight := o.Far >= mostFar && !o.Turns && by == 0 && o.Then == nil && g.class(all[0]) != naval && g.waterless(plan(most))
	return g.asFar(o.Far, most, straight, plan)
}

// plannedRoad works out the move of an element or a column along roads.
func (g *game) plannedRoad(o *order, all []elementID) (*plan, *play.Fault) {
	var roads []lineID
	for _, id := range strings.Fields(o.Road) {
		if l, ok := g.lineNamed(id); ok {
			roads = append(roads, l)
		}
	}
	if fault := g.withinFault(all[:1]); fault != nil {
		return nil, fault
	}
	if _, ok := g.byRoad(all, roads, 0); !ok {
		return nil, refuse("HFG-9.8", "hfg.order-road", g.elementArg("element", all[0]))
	}
	return g.asFar(o.Far, g.farthest(all), false, func(n int) *plan {
		p, _ := g.byRoad(all, roads, n)
		if !o.March {
			p.manner = tactical
		}
		return p
	})
}

// plannedContact works out how elements come into contact with an enemy (HFG-11.9), which no march does (HFG-9.2).
func (g *game) plannedContact(o *order, all []elementID) (*plan, *play.Fault) {
	enemy, ok := g.elementNamed(o.Enemy)
	if !ok || !g.on(enemy) || g.Elements[enemy].Concealed || !g.known(g.def(all[0]).side, enemy) {
		return nil, refuse("HFG-11.9", "hfg.order-enemy", phrase.Literal("enemy", o.Enemy))
	}
	if o.March {
		return nil, refuse("HFG-9.2", "hfg.march-contact", g.elementArg("element", all[0]), g.elementArg("other", enemy))
	}
	var edges []geometry.Flank
	if o.Edge > 0 {
		edges = []geometry.Flank{geometry.Flank(o.Edge - 1)}
	}
	p, ok := g.contact(all, enemy, edges...)
	if ok {
		return p, nil
	}
	// Why the first way isn't legal says more than that there is none.
	b := g.body(enemy)
	if edges == nil {
		edges = []geometry.Flank{geometry.Front}
	}
	if first := g.toward(all, all[0], &b, edges[0], g.Elements[enemy].Holds != 0); first != nil {
		if fault := g.judge(first); fault != nil {
			return nil, fault
		}
	}
	return nil, refuse("HFG-11.8", "hfg.order-contact", g.elementArg("element", all[0]), g.elementArg("other", enemy))
}

// makes carries an order out for those who move by it.
func (g *game) makes(o *order, p *plan) {
	if o.Verb == verbEnter {
		g.entersBy(g.commandNamed(o.Of), p)
		return
	}
	payer := g.payer(o)
	switch o.Verb {
	case verbRally:
		g.rally(g.who(o)[0], payer)
		return
	case verbBuild, verbWreck:
		g.Commands[payer].Spent += taskCost(o).sum()
		g.undertakes(g.who(o)[0], o.To)
		return
	}
	g.spend(p, payer)
	g.carry(p)
	for i := range p.paths {
		x := &p.paths[i]
		for _, c := range g.touches(x.element, &x.to) {
			if !touch(&x.from, &c.body) {
				g.Elements[x.element].Arrived = true
				g.Elements[x.element].TurnIn = p.overlap
				g.Elements[x.element].Charged = g.def(x.element).troop.dismountable() && p.price > otherContact
			}
		}
	}
	g.settles(p)
}

// settles lets foot that end wholly inside a BUA that nobody holds or contests defend its edge (HFG-4.17).
func (g *game) settles(p *plan) {
	for e, a := range g.intoTowns(p) {
		if !slices.ContainsFunc(g.standing(), func(o elementID) bool { return g.contests(o, e, a) }) {
			x := &g.Elements[e]
			x.Holds, x.Inside, x.At, x.Facing = a, 0, place{}, 0
		}
	}
}

// intoTowns gives the foot of a plan, and what may dismount, that ends wholly inside a BUA, with the BUA.
func (g *game) intoTowns(p *plan) iter.Seq2[elementID, areaID] {
	return func(yield func(elementID, areaID) bool) {
		for i := range p.paths {
			e := p.paths[i].element
			if d := g.def(e); troops[d.troop].class != foot && !d.troop.dismountable() {
				continue
			}
			for a := areaID(1); int(a) <= len(g.areas); a++ {
				if g.area(a).kind == bua && g.wholly(&p.paths[i].to, a) && !yield(e, a) {
					return
				}
			}
		}
	}
}

// contests says whether an element keeps another one in a BUA from defending its edge: it holds it, or is an enemy who stands there.
func (g *game) contests(o, e elementID, a areaID) bool {
	b := g.body(o)
	return g.Elements[o].Holds == a || g.enemies(o, e) && g.Elements[o].Holds == 0 && g.stands(&b, a)
}
