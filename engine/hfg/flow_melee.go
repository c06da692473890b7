package hfg

import (
	"cmp"
	"slices"

	"berthier/engine/geometry"
)

// Phase 3: how pairs in contact become combats (HFG-13.6, HFG-13.8).

// opensMelee begins phase 3 with the pairs that are in contact now, in the order that the phasing
// side has chosen by its elements or theirs; the others follow from west to east.
func (p *battlefield) opensMelee(order []elementID) {
	p.Fray = fray{Stage: 1}
	all := p.duels()
	rank := func(d duel) int {
		for i, e := range order {
			if e == d.A || e == d.B {
				return i
			}
		}
		return len(order)
	}
	where := func(d duel) point { b := p.body(d.A); return midpoint(b.Corner[0], b.Corner[1]) }
	slices.SortStableFunc(all, func(a, b duel) int {
		x, y := where(a), where(b)
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(x.X, y.X), cmp.Compare(x.Y, y.Y), cmp.Compare(a.A, b.A))
	})
	for _, d := range all {
		p.Fray.Jobs = append(p.Fray.Jobs, job{Kind: duelling, Of: d.A, By: d.B, Bridge: d.Bridge})
	}
}

// duelNow fights a pair, if it is still in contact and neither has fought (HFG-13.6, HFG-13.8).
// Who holds a BUA or an SP fights everybody who attacks it.
func (p *battlefield) duelNow(j *job) {
	if !p.on(j.Of) || slices.Contains(p.Fray.Fought, j.Of) {
		return
	}
	b := &bout{A: fighter{Element: j.Of}, B: fighter{Element: j.By, Bridge: j.Bridge}}
	if j.Bridge != "" {
		if !p.wrecks(j.Of, j.Bridge) {
			return
		}
		p.fought(j.Of)
		p.next(job{Kind: fighting, Of: j.Of, Bout: b})
		return
	}
	holds := p.on(j.By) && p.Elements[j.By].Holds != 0
	if !p.on(j.By) || !holds && slices.Contains(p.Fray.Fought, j.By) || !p.fronts(j.Of, j.By) && !p.fronts(j.By, j.Of) {
		return
	}
	b.Flank = !holds && p.touchedSide(j.By, j.Of) != geometry.Front
	p.fought(j.Of)
	if !holds {
		p.fought(j.By)
	}
	p.next(job{Kind: fighting, Of: j.Of, Bout: b})
}

// fought notes that an element has fought in this phase.
func (p *battlefield) fought(e elementID) {
	if !slices.Contains(p.Fray.Fought, e) {
		p.Fray.Fought = append(p.Fray.Fought, e)
	}
}

// turnsToFace lists at the end of phase 3 the elements that may turn to face an enemy on a flank
// or their rear (HFG-7.1, HFG-16.11).
func (p *battlefield) turnsToFace() {
	p.Fray.Stage = 2
	for _, e := range p.standing() {
		if p.mayFace(e) && len(p.onFlanks(e)) > 0 {
			p.Fray.Jobs = append(p.Fray.Jobs, job{Kind: facing, Of: e})
		}
	}
}

// mayFace says whether an element may turn to face who touches its flank: it isn't in frontal
// contact, nor repulsed or routed, nor guns or train, nor held by a work (HFG-11.6, HFG-7.1).
func (g *game) mayFace(e elementID) bool {
	if !g.on(e) || g.fixed(e) || g.fronted(e) || g.Elements[e].Spirit != steady {
		return false
	}
	k := g.class(e)
	return k == staff || k == mounted || k == foot || k == dismounted
}

// turnsTo turns an element to face an enemy who touches its flank or rear: it takes the front
// position on him (HFG-11.7); where there is no room it stays as it is.
func (p *battlefield) turnsTo(j *job) {
	enemy := j.Said.Enemy
	if enemy == 0 || !p.mayFace(j.Of) || !slices.Contains(p.onFlanks(j.Of), enemy) {
		return
	}
	c, ok := p.try(j.Of, func(c *chain) bool { return c.face(j.Of, enemy) })
	if ok {
		p.retell(c)
	}
}

// face puts an element on the front position on an enemy, and a second one that he touches behind
// it (HFG-11.6, HFG-R127).
func (c *chain) face(e, enemy elementID) bool {
	if !c.game.faces(e, enemy) {
		return false
	}
	c.game.Elements[e].Faced = true
	c.tell(e, "HFG-11.6", "hfg.faces", elementArg("other", c.game.def(enemy)))
	return true
}

// facedAtOnce lists those whom an enemy has contacted on flank or rear only, and who turn at once as
// he has moved more than 400 paces in this turn, by whatever moves, or turned in from an overlap; the one with
// the longer contact along his front first (HFG-11.6, HFG-R127).
func (g *game) facedAtOnce(by elementID) []elementID {
	x := &g.Elements[by]
	if x.Moved+x.Ran <= turnsAtOnce && !x.TurnIn {
		return nil
	}
	b := g.body(by)
	var all []elementID
	for _, o := range g.standing() {
		if g.enemies(by, o) && g.fronts(by, o) && g.mayFace(o) && slices.Contains(g.onFlanks(o), by) {
			all = append(all, o)
		}
	}
	long := func(e elementID) int { o := g.body(e); return paces(geometry.Contact(&b, &o, geometry.Front, slack)) }
	slices.SortStableFunc(all, func(p, q elementID) int { return cmp.Or(cmp.Compare(long(q), long(p)), cmp.Compare(p, q)) })
	return all
}

// turnsAtOnce is how far an enemy must have moved for whom he contacts on a flank to turn at once.
const turnsAtOnce = 400

// facesWith turns the first of two whom one enemy touches to him, and puts the second directly behind
// it: same heading, front on its rear edge (HFG-R127).
func (c *chain) facesWith(e, second, enemy elementID) bool {
	b, own := c.game.body(enemy), c.game.body(e)
	c.set(e, conformed(own.Box, &b, geometry.Front, false, own.At))
	first := c.game.body(e)
	c.set(second, geometry.Frame{At: first.World(point{X: (first.U0 + first.U1) / 2, Y: first.V0}), Heading: first.Heading})
	c.game.Elements[e].Faced = true
	c.tell(e, "HFG-11.6", "hfg.faces", elementArg("other", c.game.def(enemy)))
	c.tell(second, "HFG-R127", "hfg.stands-behind", elementArg("other", c.game.def(e)))
	behind := c.game.body(second)
	return c.game.standsOn(e, &first) && c.game.standsOn(second, &behind)
}

// declares says what a dismountable counts as in the combats of phase 3 that its owner leaves to
// the rules: mounted if it charges, or in good going against mounted; else dismounted (HFG-2.6,
// HFG-S11).
func (g *game) declares(e elementID) bool {
	x := &g.Elements[e]
	if x.Arrived {
		return false
	}
	riders := slices.ContainsFunc(g.fronting(e), func(o elementID) bool { return g.class(o) == mounted })
	return !(riders && g.footing(e) == good)
}

// declarable lists the dismountables in contact whose owner decides whether they fight mounted or
// dismounted: Repeaters and Rifle Cavalry that neither their move nor a shot or a work binds
// (HFG-2.6).
func (g *game) declarable() []elementID {
	var all []elementID
	for _, e := range g.standing() {
		if g.mayDeclare(e) && g.fights(e) {
			all = append(all, e)
		}
	}
	return all
}

// mayDeclare says whether what an element counts as in its next combat is its owner's to say: of Repeaters and Rifle
// Cavalry that neither their move nor a shot or a work binds (HFG-2.6).
func (g *game) mayDeclare(e elementID) bool {
	t, x := g.def(e).troop, &g.Elements[e]
	return (t == repeaters || t == rifleCavalry) && !x.Charged && !x.Shot && !g.entrenched(e) && x.Moved <= dismountAfter
}

// declaring is the question what a dismountable in contact counts as; its enemy is the first whom it touches, or who touches it.
func (g *game) declaring(e elementID) *question {
	q := &question{Of: e, Close: true}
	all := g.standing()
	if i := slices.IndexFunc(all, func(o elementID) bool { return g.enemies(e, o) && (g.fronts(o, e) || g.fronts(e, o)) }); i >= 0 {
		q.By = all[i]
	}
	return q
}

// saysOnFoot says whether a dismountable counts as dismounted by what its owner has said beforehand; false: he has said
// nothing that fits, or leaves it to the rules, or wants to be asked.
func (g *game) saysOnFoot(q *question) (onFoot, said bool) {
	all := g.casesOf(g.owner(q.Of), policyDismount)
	i := slices.IndexFunc(all, func(c policyCase) bool { return g.applies(&c, q) })
	if i < 0 {
		return false, false
	}
	switch all[i].Do {
	case "mounted":
		return false, true
	case "dismounted":
		return true, true
	case "best":
		return g.bestOnFoot(q.Of), true
	}
	return false, false
}

// awaitsShotsOnFoot says whether a dismountable that isn't in contact counts as dismounted in phase 2, before it has shot: its owner
// has said so (HFG-2.6, HFG-R205).
func (g *game) awaitsShotsOnFoot(e elementID) bool {
	if !g.mayDeclare(e) || g.fights(e) {
		return false
	}
	onFoot, _ := g.saysOnFoot(&question{Of: e})
	return onFoot
}
