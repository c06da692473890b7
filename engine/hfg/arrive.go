package hfg

import (
	"slices"

	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// How delayed commands come on, and how long a surprise lasts: chapter 6.

// waiting lists the elements of a command that are due, in the order of the list.
func (g *game) waiting(c commandID) []elementID {
	var all []elementID
	for e := elementID(1); int(e) < len(g.Elements); e++ {
		if g.command(e) == c && g.Elements[e].Fate == due {
			all = append(all, e)
		}
	}
	return all
}

// coming lists those of them who can come by the line of the command's arrival: whoever can't bars nobody's way.
func (g *game) coming(c commandID) []elementID {
	return slices.DeleteFunc(g.waiting(c), func(e elementID) bool {
		a := g.lead(c).arrival
		return a == nil || !g.comesBy(e, g.line(a.road).kind)
	})
}

// comesBy says whether an element can come on by a road or by rail at all: ships can't, and by road nobody who doesn't move, such
// as a Supply Base (HFG-6.13, HFG-6.16).
func (g *game) comesBy(e elementID, by track) bool {
	d := g.def(e)
	return troops[d.troop].class != naval && (by == railway || g.setting.moves(d)[good] > 0)
}

// gate is where the road of a command's arrival cuts its edge, looking onto the field; false: it
// doesn't come by a road (HFG-6.13).
func (g *game) gate(c commandID) (station, bool) {
	a := g.lead(c).arrival
	if a == nil || g.line(a.road).kind != road {
		return station{}, false
	}
	return g.cutsEdge(g.lead(c).side, a)
}

// cutsEdge is where the line of an arrival of a side cuts its edge, looking onto the field: if both ends lie on it, on the own half of the
// field (HFG-R177).
func (s *setting) cutsEdge(of side, a *arrivalDef) (station, bool) {
	p := s.line(a.road).points
	one, other := p[0], p[len(p)-1]
	front, back := edgeHas(a.edge, one, s.size), edgeHas(a.edge, other, s.size)
	if back && (!front || !s.ownHalf(of, one) && s.ownHalf(of, other)) {
		return station{road: a.road, along: longOf(p)}, true
	}
	return station{road: a.road, ahead: true}, front
}

// comesOn plans how a command comes on by its road: its elements that are due in one column, the
// first so many paces from the edge, as many of them as have room behind it (HFG-6.13, HFG-R31).
// What is left follows in later turns.
func (g *game) comesOn(c commandID, far int) (*plan, bool) {
	at, ok := g.gate(c)
	if !ok {
		return nil, false
	}
	way := g.ahead(at, nil)
	p := &plan{manner: march, road: at.road, bad: g.badWay(at, nil), price: far, single: true}
	head := min(int64(far)*pace, longOf(way))
	for _, e := range g.coming(c) {
		box := g.box(g.def(e))
		depth := box.V1 - box.V0
		if head < depth {
			break
		}
		from := g.bodyAt(e, geometry.Frame{At: way[0], Heading: geometry.Toward(way[0], way[1])})
		to := g.bodyAt(e, onTrack(way, head, depth))
		if len(p.paths) > 0 && g.leaves(&to) {
			break
		}
		x := path{element: e, from: from, to: to, legs: append(stretch(way, 0, head), centre(&to))}
		p.paths = append(p.paths, x)
		head -= depth
	}
	p.column, p.single = len(p.paths) > 1, len(p.paths) == 1
	p.track = stretch(way, 0, min(int64(far)*pace, longOf(way)))
	return p, len(p.paths) > 0
}

// entryFault says why a command can't come on now.
func (g *game) entryFault(c commandID) *play.Fault {
	x := &g.Commands[c]
	name := g.commandArg("command", c)
	switch {
	case !g.mayCome(c), len(g.coming(c)) == 0:
		return refuse("HFG-6.13", "hfg.entry-who", name)
	case g.phasing() != g.lead(c).side:
		return refuse("HFG-7.1", "hfg.entry-turn", name)
	}
	_, rail := g.byRail(c)
	if x.Entered == g.Turn && (rail || !g.followedOn(c)) {
		return refuse("HFG-6.13", "hfg.entry-once", name)
	}
	if _, ok := g.gate(c); !ok && !rail {
		return refuse("HFG-6.13", "hfg.entry-road", name)
	}
	return nil
}

// mayCome says whether elements of a command that are due may come on: once it arrives, and when it is defeated, too, but for an ally,
// which withdraws (HFG-6.13, HFG-R190).
func (g *game) mayCome(c commandID) bool {
	s := g.Commands[c].Status
	return s == arriving || s == active || s == defeated && !g.lead(c).allied
}

// followedOn says whether the column of a command that comes on has marched on along its road since its last elements came: who is
// off the field still is of the same column, and comes on for its PIPs (HFG-6.13).
func (g *game) followedOn(c commandID) bool {
	a := g.lead(c).arrival
	return a != nil && slices.ContainsFunc(g.standing(), func(e elementID) bool {
		b := g.body(e)
		at, ok := g.stationOf(b.Frame, b.V1-b.V0)
		return ok && at.road == a.road && g.command(e) == c && g.Elements[e].Marches > max(g.Commands[c].Entries, 1)
	})
}

// plannedEntry works out how a command comes on.
func (g *game) plannedEntry(c commandID, far int) (*plan, *play.Fault) {
	if fault := g.entryFault(c); fault != nil {
		return nil, fault
	}
	if at, ok := g.byRail(c); ok {
		return g.plannedTrain(c, at, far)
	}
	none := refuse("HFG-6.13", "hfg.entry-room", g.commandArg("command", c))
	plan := func(n int) *plan {
		p, ok := g.comesOn(c, n)
		if !ok {
			return nil
		}
		return p
	}
	if far != mostFar {
		p := plan(far)
		if p == nil {
			return nil, none
		}
		return p, g.judge(p)
	}
	next := g.coming(c)[:1]
	most := g.farthest(next)
	for n := most; n > 0; n-- {
		p := plan(n)
		if p == nil {
			break
		}
		if g.judge(p) == nil {
			return p, nil
		}
	}
	box := g.box(g.def(next[0]))
	for n := 1; n <= max(most, paces(box.V1-box.V0))+mostSkew; n++ { // its whole move, till it is wholly on the field (HFG-R135)
		p := plan(n)
		if p == nil {
			continue
		}
		if far, _ := g.reach(p, &p.paths[0]); p.price > far {
			p.price = far
		}
		if g.judge(p) == nil {
			return p, nil
		}
	}
	return nil, none
}

// mostSkew is how much further than its move, or than its base is deep, an element may come on whose road runs askew to
// the edge, in paces (HFG-R135).
const mostSkew = 200

// entryCosts is what it costs a command to come on; whoever follows in the same turn is of the column that has paid for its march.
func (g *game) entryCosts(c commandID, p *plan) cost {
	if g.Commands[c].Entered == g.Turn {
		return cost{}
	}
	return g.costs(p)
}

// entersBy puts the elements of a plan onto the field: the command is active from now on.
func (g *game) entersBy(c commandID, p *plan) {
	g.Commands[c].Spent += g.entryCosts(c, p).sum()
	lead := &g.Commands[c]
	if lead.Entered != g.Turn {
		lead.Entries = 0
	}
	lead.Entered, lead.Entries = g.Turn, lead.Entries+1
	if lead.Status != defeated { // that is never undone (HFG-R81)
		lead.Status = active
	}
	for i := range p.paths {
		x := &g.Elements[p.paths[i].element]
		x.Fate, x.Manner, x.Marches, x.RoadAll, x.Moved = present, march, lead.Entries, !g.mires(p.bad), p.price
		x.At, x.Facing = place(p.paths[i].to.At), int(p.paths[i].to.Heading)
	}
	g.note(p.elements(), p.track)
}

// Surprise: HFG-6.14.

const (
	mistHides    = 3 // what adds to the die
	inertHides   = 2
	balloonFinds = -4
	seenNear     = 800 // so near to the enemy the attacker's troops give it away, in paces
)

// surprises rolls for a surprise in the attacker's first turn, if he has bought concealed positions, whether or not he uses
// them (HFG-6.14, HFG-R32).
func (p *battlefield) surprises() {
	hidden := 0
	if p.Prepare != nil {
		hidden = max(p.Prepare.Hidden[p.attacker()], p.Prepare.has(p.attacker(), attacker, buysConcealed))
	}
	if hidden == 0 {
		return
	}
	die := p.roll("hfg.roll-surprise", p.sideArg("side", p.attacker()))
	n := die + hidden
	if e := p.chiefOf(p.attacker()); e != 0 && p.def(e).is(brilliant) {
		n++
	}
	if e := p.chiefOf(p.attacker().enemy()); e != 0 && p.def(e).is(inert) {
		n += inertHides
	}
	if p.Sky == misty {
		n += mistHides
	}
	if p.goodWeather() && slices.ContainsFunc(p.roster, func(d elementDef) bool { return d.troop == aeronauts && d.side != p.attacker() }) {
		n += balloonFinds
	}
	p.Surprise = max(n, 0)
	p.tellSide(p.attacker(), "HFG-6.14", "hfg.surprise", phrase.Number("die", die), phrase.Number("turns", p.Surprise))
}

// chiefOf is the element of a side's commander-in-chief.
func (s *setting) chiefOf(of side) elementID {
	for i := range s.commands {
		if d := &s.commands[i]; d.side == of && d.rank == chief {
			return d.general
		}
	}
	return 0
}

// discovers ends the surprise when anybody shoots or is in close combat, or when the defender sees
// the attacker's troops within 800 paces (HFG-6.14).
func (p *battlefield) discovers() {
	if p.Surprise == 0 {
		return
	}
	found := slices.ContainsFunc(p.Elements, func(x element) bool { return x.Shot })
	for _, e := range p.standing() {
		if found || p.def(e).side != p.attacker() {
			continue
		}
		found = p.game.fights(e)
		for _, o := range p.standing() {
			if found = found || p.enemies(e, o) && within(p.apart(e, o), seenNear) && p.sees(o, e); found {
				break
			}
		}
	}
	if found {
		p.Surprise = 0
		p.tell("HFG-6.14", "hfg.surprise-over")
	}
}

// Minefields: HFG-6.11.

// A berth is where a ship stood before an outcome move, or where one led it off the field.
type berth struct {
	ship elementID
	body geometry.Body
}

// berths lists where ships stand, if there are mines.
func (g *game) berths() []berth {
	if !slices.ContainsFunc(g.Works, func(w placedWork) bool { return w.Kind == minefield }) {
		return nil
	}
	var all []berth
	for _, e := range g.standing() {
		if troops[g.def(e).troop].class == naval {
			all = append(all, berth{e, g.body(e)})
		}
	}
	return all
}

// drift rolls for the minefields into which outcome moves have led ships, straight from where they stood, and through which they have
// led them off the field (HFG-6.11, HFG-R30).
func (p *battlefield) drift(from []berth) {
	driven := p.driven
	p.drifting, p.driven = false, nil
	for _, b := range from {
		to := b.body
		i := slices.IndexFunc(driven, func(t tale) bool { return t.off.ship == b.ship })
		switch {
		case p.on(b.ship):
			to = p.body(b.ship)
		case i >= 0:
			to = driven[i].off.body
		}
		if centre(&to) == centre(&b.body) {
			continue
		}
		x := path{element: b.ship, from: b.body, to: to, legs: []point{centre(&b.body), centre(&to)}}
		if p.on(b.ship) {
			p.mined(b.ship, &x)
		} else if t := driven[i]; !p.minedAmong(b.ship, &x, t.to) {
			p.Elements[b.ship].Fate = destroyed
			p.Tell("HFG-16.1", play.To(t.to, "hfg.destroyed", t.args...))
		} else {
			p.Tell(t.clause, play.To(t.to, t.code, t.args...))
		}
	}
}

// mined rolls for each minefield of the enemy that a ship's move crosses: with a 1 it is
// destroyed (HFG-6.11, HFG-R30). It says whether the ship is still there.
func (p *battlefield) mined(e elementID, x *path) bool {
	if !p.minedAmong(e, x, p.toldOf(e, nil)) {
		p.loses(e, destroyed)
		return false
	}
	return true
}

// minedAmong rolls for them, and tells some seats of it. It says whether the ship has come through.
func (p *battlefield) minedAmong(e elementID, x *path, to []engine.Side) bool {
	if troops[p.def(e).troop].class != naval {
		return true
	}
	for i := range p.Works {
		w := &p.Works[i]
		if w.Kind != minefield || w.Side == p.def(e).side || !w.crosses(x) {
			continue
		}
		w.Hidden = false
		die := p.roll("hfg.roll-mine", p.elementArg("element", e))
		p.Tell("HFG-6.11", play.To(to, "hfg.mined", p.elementArg("element", e), phrase.Number("die", die)))
		if die == 1 {
			return false
		}
	}
	return true
}
