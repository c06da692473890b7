package hfg

import (
	"slices"

	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// How the results of combats are carried out.

// suffers carries out a result that doesn't lead forward.
func (p *battlefield) suffers(j *job) {
	if j.At.Element == 0 {
		p.placeSuffers(j)
		return
	}
	if !p.on(j.Of) {
		return
	}
	if j.Breach {
		p.wrecksBarricade(j.Of)
	}
	name := p.elementArg("element", j.Of)
	was, stood := p.pose(j.Of), slices.Clone(p.Elements)
	var c *chain
	how := recoiled
	r := recoil{by: j.By, close: j.Close, behind: j.Behind}
	switch j.What {
	case unharmed:
	case halts:
		p.tellOf(j.Of, "HFG-16.14", "hfg.halts", name)
	case recoils, hurt:
		c, how = p.recoils(j.Of, r)
		p.Elements[j.Of].Disabled = p.Elements[j.Of].Disabled || j.What == hurt
	case falls:
		c, how = p.isRepulsed(j.Of, j.Said.Far, r)
	case runs:
		c = p.flees(j)
	case hushedOrFalls:
		if j.Said.Yes { // repulsed
			c, how = p.isRepulsed(j.Of, max(j.Said.Far, j.Low), r)
			break
		}
		fallthrough
	case hushed:
		p.Elements[j.Of].Silenced = p.Turn
		p.tellOf(j.Of, "HFG-16.3", "hfg.silenced", name)
	case dies:
		p.falls(j)
	case tires:
		p.loses(j.Of, spent)
	case holed:
		p.Elements[j.Of].Damaged = true
		p.tellOf(j.Of, "HFG-16.16", "hfg.damaged", name)
	}
	if c != nil {
		p.straits(j, c, how, stood)
	}
	p.hindsight(j, c, was)
}

// flees routs an element, through the enemies into whom it ran if it has fought them.
func (p *battlefield) flees(j *job) *chain {
	if j.Runner {
		x := &p.Elements[j.Of]
		x.Through = append(slices.Clone(x.Through), j.By)
		return p.runsOn(j.Of, j.Low)
	}
	return p.isRouted(j.Of, j.By, j.Low, j.Said.Way)
}

// loses takes an element off the field and tells it.
func (p *battlefield) loses(e elementID, why fate) {
	if why == spent {
		p.tellParting(e, "HFG-16.2", "hfg.spent", p.ofArg(e))
	} else {
		p.tellOf(e, "HFG-16.1", "hfg.destroyed", p.elementArg("element", e), p.ofArg(e))
	}
	p.remove(e, why)
}

// tellParting tells of an element that leaves the field and isn't lost: its own side why, the enemy that it rides off, in the
// same words and by the same clause whatever the reason (section 7 of the digest).
func (p *battlefield) tellParting(e elementID, clause, code string, more ...phrase.Arg) {
	name := p.elementArg("element", e)
	p.tellFriends(e, clause, code, append([]phrase.Arg{name}, more...)...)
	p.Tell("HFG-17.8", play.To(p.watchers(e), "hfg.withdrawn", name))
}

// falls destroys an element; by option foot that destroys the garrison of an SP takes it
// (HFG-R27).
func (p *battlefield) falls(j *job) {
	held := p.Elements[j.Of].Holds
	p.loses(j.Of, destroyed)
	if p.spRecapture != 0 && held != 0 && p.area(held).kind == strongPoint && p.on(j.By) && p.class(j.By) == foot {
		x := &p.Elements[j.By]
		x.Holds, x.At = held, place{}
		p.tellOf(j.By, "HFG-R27", "hfg.sp-taken", p.elementArg("element", j.By), phrase.Name("area", "area", p.area(held).id))
	}
}

// straits carries out what becomes of an element that couldn't complete its recoil, and of those who have run into enemies:
// itself, and the friends who stood otherwise before and have routed with it or aside for it (HFG-16.5, HFG-16.8).
func (p *battlefield) straits(j *job, c *chain, how strait, before []element) {
	switch how {
	case crushed:
		p.tellOf(j.Of, "HFG-16.5", "hfg.recoil-crushed", p.elementArg("element", j.Of))
		p.loses(j.Of, destroyed)
		return
	case broken:
		p.tellOf(j.Of, "HFG-16.5", "hfg.recoil-broken", p.elementArg("element", j.Of))
		with := slices.DeleteFunc(slices.Clone(c.met), func(e elementID) bool { return !p.on(e) || p.Elements[e].Holds != 0 })
		r := p.isRouted(j.Of, j.By, footRout, "")
		p.retell(r)
		for _, e := range with {
			if p.on(e) && p.Elements[e].Spirit != routed {
				p.retell(p.isRouted(e, j.By, footRout, ""))
			}
		}
	default:
		p.retell(c)
	}
	for _, e := range append(p.haveRun(j.Of, before), j.Of) { // what comes last is fought first
		if enemy := p.ranInto(e); enemy != 0 {
			p.collides(e, enemy)
		}
	}
}

// haveRun lists the friends of an element who are routed and stand elsewhere than before, the first of the list last.
func (g *game) haveRun(of elementID, before []element) []elementID {
	var all []elementID
	for _, e := range g.standing() {
		if x := &g.Elements[e]; e != of && !g.enemies(e, of) && x.Spirit == routed && x.At != before[e].At {
			all = append(all, e)
		}
	}
	slices.Reverse(all)
	return all
}

// ranInto is the enemy whom an element's front touches after it has run, and through whom it may
// not go (HFG-16.8, HFG-9.15); 0: none.
func (g *game) ranInto(e elementID) elementID {
	if !g.on(e) || g.Elements[e].Spirit == steady {
		return 0
	}
	for _, o := range g.standing() {
		if g.enemies(e, o) && g.fronts(e, o) && !slices.Contains(g.Elements[e].Through, o) {
			return o
		}
	}
	return 0
}

// collides has an element that has run into an enemy conform to him and fight him at once
// (HFG-16.8).
func (p *battlefield) collides(e, enemy elementID) {
	c, ok := p.try(e, func(c *chain) bool {
		b := c.game.body(e)
		all := c.game.closings(e, enemy, &b)
		if len(all) > 0 {
			c.set(e, all[0].to)
		}
		return true
	})
	if ok {
		p.retell(c)
	}
	p.Elements[enemy].Concealed = false
	p.tellOf(e, "HFG-16.8", "hfg.ran-into", p.elementArg("element", e), elementArg("other", p.def(enemy)))
	p.next(job{Kind: fighting, Of: e, Runner: true, Bout: &bout{A: fighter{Element: e}, B: fighter{Element: enemy}}})
}

// hindsight notes for the winner of a combat what has become of the beaten one.
func (p *battlefield) hindsight(j *job, c *chain, was pose) {
	gone := !p.on(j.Of)
	for i := range p.Fray.Jobs {
		n := &p.Fray.Jobs[i]
		if n.Kind != forwards || n.By != j.At.Element || n.Of != j.By {
			continue
		}
		n.Gone, n.Back = gone, !gone && p.pose(j.Of) != was
		if n.Legs = nil; c != nil && (!gone || p.Elements[j.Of].Fate == fled) {
			n.Legs = c.legs
		}
		return
	}
}

// wrecksBarricade destroys the barricade that protects whom artillery has beaten by fire
// (HFG-15.10).
func (p *battlefield) wrecksBarricade(e elementID) {
	w := p.shelter(e)
	if w == nil || w.Kind != barricade {
		return
	}
	id := w.ID
	p.Works = slices.DeleteFunc(slices.Clone(p.Works), func(x placedWork) bool { return x.ID == id })
	p.tellOf(e, "HFG-15.10", "hfg.barricade-gone", p.elementArg("element", e))
}

// placeSuffers carries out a result of a BUA, an SP or a bridge.
func (p *battlefield) placeSuffers(j *job) {
	switch j.What {
	case ablaze:
		if !p.burns(j.At.Area) {
			p.Burning = append(slices.Clone(p.Burning), j.At.Area)
			slices.Sort(p.Burning)
			p.tell("HFG-15.13", "hfg.on-fire", p.fighterArg("area", j.At))
		}
	case collapses:
		p.Bridges = slices.DeleteFunc(slices.Clone(p.Bridges), func(b bridge) bool { return b.ID == j.At.Bridge })
		p.tell("HFG-15.25", "hfg.bridge-down", p.fighterArg("bridge", j.At))
	}
}

// forward carries out a result that leads forward.
func (p *battlefield) forward(j *job) {
	if !p.on(j.Of) {
		return
	}
	switch j.What {
	case charging:
		if all := p.chargeable(j.Of); len(all) > 0 {
			to := all[0]
			if slices.Contains(all, j.Said.Enemy) {
				to = j.Said.Enemy
			}
			p.retell(p.charges(j.Of, to))
			p.turnAtOnce(j.Of)
		}
	case pressing, pressesOrHalts:
		if j.Said.Yes {
			all := append(p.prolongs(j.Of), j.Of)
			if c, ok := p.presses(j.Of, p.awaitsShot); ok {
				p.retell(c)
				for _, e := range all {
					if p.Elements[e].Pressed {
						p.turnAtOnce(e)
					}
				}
			}
		}
	case boards:
		if all := p.boardable(j.Of); j.Said.Yes && len(all) > 0 {
			to := slices.MinFunc(all, func(a, b elementID) int { return paces(p.apart(j.Of, a)) - paces(p.apart(j.Of, b)) })
			if slices.Contains(all, j.Said.Enemy) {
				to = j.Said.Enemy
			}
			p.board(j.Of, to)
		}
	case pursuing:
		if j.Gone || j.Back {
			c, reached := p.pursues(chase{e: j.Of, from: geometry.Frame{At: point(j.From), Heading: geometry.Heading(j.Looks)}, legs: j.Legs, low: j.Low, far: min(max(j.Said.Far, j.Low), j.High), rough: j.Said.Rough, off: j.Said.Off})
			p.retell(c)
			p.turnAtOnce(j.Of)
			p.clashes(j.Of, j.By, reached)
		}
	case passing:
		c, reached := p.passesThrough(j.Of, j.By, min(max(j.Said.Far, j.Low), j.High), j.Said.Rough)
		p.retell(c)
		p.turnAtOnce(j.Of)
		p.clashes(j.Of, j.By, reached)
	}
}

// awaitsShot says whether an element is a target still to be shot at (HFG-16.9).
func (p *battlefield) awaitsShot(e elementID) bool {
	return slices.ContainsFunc(p.Fray.Jobs, func(j job) bool { return j.Kind == shootingAt && j.At.Element == e })
}

// clashes has a pursuer fight at once whom it has come to touch: the enemy whom it has beaten, or a new one (HFG-16.12).
func (p *battlefield) clashes(e, beaten elementID, reached []elementID) {
	if len(reached) == 0 {
		return
	}
	to := reached[max(slices.IndexFunc(reached, func(o elementID) bool { return p.fronts(e, o) }), 0)] // of two who have turned to it, the first fights
	p.next(job{Kind: fighting, Bout: &bout{A: fighter{Element: e}, B: fighter{Element: to}, Pursuer: e, Again: to == beaten}})
}

// follow carries out what becomes of an element with its front on a flank or the rear of an enemy:
// it recoils if its friend was driven back, and may join him if he goes forward (HFG-16.11); not who never moves (HFG-3.7).
func (p *battlefield) follow(j *job) {
	if !p.on(j.Of) || p.rooted(j.Of) {
		return
	}
	friend := &p.Elements[j.By]
	switch {
	case j.What == recoils || j.What == falls || j.What == runs || j.What == dies:
		stood := slices.Clone(p.Elements)
		c, how := p.recoils(j.Of, recoil{by: j.At.Element, close: true})
		p.straits(j, c, how, stood)
	case forwardEffect(j.What) && friend.At != j.Start && j.Said.Yes:
		to, ok := p.beside(j)
		if !ok {
			return
		}
		c, done := p.try(j.Of, func(c *chain) bool {
			c.set(j.Of, to)
			c.tell(j.Of, "HFG-16.11", "hfg.joins", elementArg("other", c.game.def(j.By)))
			return true
		})
		if done {
			p.retell(c)
		}
	}
}

// beside is the place where an element prolongs a friend's front, if it is free and no further
// than the friend has gone; behind him for who stood behind his command party (HFG-16.11,
// HFG-16.13, HFG-R79).
func (g *game) beside(j *job) (geometry.Frame, bool) {
	if !forwardEffect(j.What) || !g.on(j.Of) || g.rooted(j.Of) || !g.on(j.By) || g.Elements[j.By].Holds != 0 || g.Elements[j.By].At == j.Start {
		return geometry.Frame{}, false
	}
	b, own := g.body(j.By), g.body(j.Of)
	gone := geometry.Dist(point(j.Start), b.At)
	spots := []point{{X: -(own.U1 - own.U0)}, {X: own.U1 - own.U0}}
	if g.def(j.By).troop == commandParty {
		spots = []point{{Y: b.V0}}
		gone += pace
	}
	best, found := geometry.Frame{}, false
	for _, s := range spots {
		f := geometry.Frame{At: b.World(s), Heading: b.Heading}
		far := geometry.Dist(own.At, f.At)
		if far <= gone && g.free(j.Of, f) && (!found || far < geometry.Dist(own.At, best.At)) {
			best, found = f, true
		}
	}
	return best, found
}
