package hfg

import (
	"math/rand/v2"
	"slices"
	"strings"

	"berthier/engine/geometry"
)

// Answers of a fair player, who looks at nothing but the view: he rallies, goes into contact where the
// factors are with him, brings up what isn't in the fight, and lets guns that have a target shoot.

// Distances of a fair player, in paces, and times, in pairs of turns.
const (
	outOfFire  = 450  // foot and guns keep so far from enemies with muskets
	assault    = 150  // foot goes so near that is to go into contact next
	outOfReach = 650  // mounted keep so far from enemies whom they don't charge
	defends    = 1500 // a defender moves only against enemies who are so near
	behindLine = 1200 // staff keeps so far from enemies
	gunRange   = 1500 // guns go so near to what they are to shoot at
	nearby     = 900  // who stands so near to an enemy counts where he is attacked
	massed     = 400  // so much farther a gun looks for an enemy for each other that bears on him
	leastStep  = 50
	comrades   = 800  // so far an element goes to rejoin friends
	secondLine = 1400 // so near to a loose enemy come those who wait for their guns
	cannonade  = 3    // pairs of turns for which an attacker's guns work alone
	longest    = 6    // and for which they do against a loose enemy, while that costs him little
	patience   = 6    // pairs of turns for which a defender waits for an enemy who doesn't come
	late       = 9    // pairs of turns after which a defender who has held goes over to the attack
	hunts      = 3    // pairs of turns after which a defender goes for a loose enemy
	daring     = 9    // pairs of turns after which everything is risked against a loose enemy
	fewGuns    = 2    // against so many of the enemy's nobody waits for them
)

// What a contact must promise, over all pairs of dice: as a rule, and where everything is risked.
const (
	worthwhile = 30
	reckless   = -100
)

// worthDoubling is the least die that a brilliant general doubles.
const worthDoubling = 4

// tries is how many distances a fair player tries, from the farthest down.
const tries = 6

// fan is by how many degrees a fair player swerves who finds the way to the enemy barred; the last only if the
// enemy is loose.
var fan = []int{0, 30, -30, 60, -60, 90, -90}

// straighter is how many of the fan go on towards the enemy.
const straighter = 5

// An attack is what a fair player thinks of at a turn: the enemies whom he knows, and those about whom his
// side is the stronger.
type attack struct {
	*turnWorld
	x      *draft[*turnWorld]
	foes   []elementID
	weak   map[elementID]bool
	storms bool // the seat's side attacks
	loose  bool // the enemy doesn't keep his line
}

// senseTurn moves as a fair player does: who comes on and who rallies first, then contacts, the best
// first, then groups towards the enemy, those nearest to him first, then guns to where many of them bear on one
// enemy, and with what PIPs are left everybody else towards the enemy. While the guns are to work alone they come
// first. The defender waits for the enemy to come, but goes for those who are weak, and for all once he
// outnumbers them, or once it is plain that they don't come, or have come in vain, or don't keep their line. Who
// attacks such a loose enemy spares his troops first; after some hours he risks everything.
func senseTurn(x *draft[*turnWorld], _ *rand.Rand) {
	w := x.World
	a := &attack{turnWorld: w, x: x, foes: w.foes(), weak: map[elementID]bool{}, loose: w.facesLoose()}
	a.storms = w.v.of == w.board.attacker() || w.outnumbers() || w.waitsInVain() || w.hasHeld() || a.hunts()
	a.doubles()
	usualTurn(x)
	x.Try("combat", policyCase{Key: policyOrder, Do: "best-first"})
	defer senseFire(x, &w.fireWorld)
	for _, e := range a.foes {
		a.weak[e] = a.stronger(e)
	}
	mine := w.ready()
	if len(a.foes) == 0 {
		return
	}
	a.strikes(mine)
	if a.waitsForGuns() {
		a.lays(mine)
	}
	crews := a.crews(mine)
	gone := map[elementID]bool{}
	for _, crew := range crews {
		for _, e := range a.marches(crew) {
			gone[e] = true
		}
	}
	a.lays(mine)
	a.retires(mine)
	for _, crew := range crews {
		for _, e := range crew {
			if !gone[e] && !a.rejoins(e) {
				a.closes(e)
			}
		}
	}
}

// hasHeld says whether a defender has stood the attack: it is late, and he has lost little. What the enemy has
// lost he doesn't know (HFG-17.8).
func (w *turnWorld) hasHeld() bool {
	own := w.board.tollOn(w.v.of)
	return w.board.pair() >= late && 6*own.lost <= own.original
}

// crews are the elements that are to go towards the enemy, as they stand together, those nearest to him first.
func (a *attack) crews(mine []elementID) [][]elementID {
	g, taken := a.board, map[elementID]bool{}
	var all [][]elementID
	for _, e := range mine {
		c := g.command(e)
		free := func(o elementID) bool {
			return a.v.owns(o) && g.command(o) == c && g.moveFault(o, tactical) == nil && a.wanders(o)
		}
		if taken[e] || g.pips(c) <= 0 && !g.onRoad(e) || !free(e) {
			continue
		}
		crew := g.linked(e, free)
		for _, o := range crew {
			taken[o] = true
		}
		all = append(all, crew)
	}
	return all
}

// doubles doubles the dice of brilliant generals who attack, once the guns have worked, if that gives much
// (HFG-7.3).
func (a *attack) doubles() {
	g := a.board
	if !a.storms || a.waitsForGuns() {
		return
	}
	for c := commandID(1); int(c) < len(g.Commands); c++ {
		if e := g.lead(c).general; e != 0 && a.v.leads(c) && g.Commands[c].Die >= worthDoubling {
			a.x.Try("dice", diceOrder{verb: diceDouble, of: g.def(e).id})
		}
	}
}

// waitsInVain says whether a defender's enemy doesn't come: when he has had time for it, less than a quarter of his
// foot and horse in the open is near.
func (w *turnWorld) waitsInVain() bool {
	g := w.board
	if g.pair() < patience {
		return false
	}
	all, come := 0, 0
	for _, o := range w.foes() {
		if k := g.class(o); k != foot && k != mounted || g.Elements[o].Spirit != steady || g.Elements[o].Holds != 0 {
			continue
		}
		all += g.def(o).eq()
		b := g.body(o)
		if slices.ContainsFunc(g.standing(), func(e elementID) bool {
			x := g.body(e)
			return w.v.owns(e) && g.Elements[e].Holds == 0 && within(between(&b, &x), defends)
		}) {
			come += g.def(o).eq()
		}
	}
	return 4*come < all
}

// ready lists the elements of the seat that may move, those nearest to an enemy first.
func (w *turnWorld) ready() []elementID {
	return w.byNearness(func(e elementID) bool {
		return w.v.owns(e) && w.board.Elements[e].Holds == 0 && w.board.moveFault(e, tactical) == nil
	})
}

// byNearness lists the elements on the field that count, those nearest to an enemy of the seat first.
func (w *turnWorld) byNearness(counts func(elementID) bool) []elementID {
	g, foes := w.board, w.foes()
	all := slices.DeleteFunc(g.standing(), func(e elementID) bool { return !counts(e) })
	far := map[elementID]int{}
	for _, e := range all {
		_, n := g.nearest(e, foes)
		far[e] = paces(n)
	}
	slices.SortStableFunc(all, func(a, b elementID) int { return far[a] - far[b] })
	return all
}

// foes lists the enemies whom the seat knows.
func (w *turnWorld) foes() []elementID {
	return slices.DeleteFunc(w.board.standing(), func(e elementID) bool {
		return w.board.def(e).side == w.v.of || w.board.Elements[e].Concealed
	})
}

// nearest is the nearest of some elements to one, by their middles, and how far off it is.
func (g *game) nearest(e elementID, of []elementID) (elementID, int64) {
	b := g.body(e)
	best, least := elementID(0), int64(geometry.Reach)
	for _, o := range of {
		x := g.body(o)
		if d := geometry.Dist(b.At, centre(&x)); d < least {
			best, least = o, d
		}
	}
	return best, least
}

// outnumbers says whether the seat's side has on the field a fifth more than the enemy, as far as it knows.
func (w *turnWorld) outnumbers() bool {
	var eq [sides]int
	for _, e := range w.board.standing() {
		if w.board.Elements[e].Spirit != routed && w.board.Elements[e].Holds == 0 {
			eq[w.board.def(e).side] += w.board.def(e).eq()
		}
	}
	return 5*eq[w.v.of] >= 6*eq[w.v.of.enemy()]
}

// stronger says whether the seat's side may go near an enemy: an attacker, or who hunts a loose enemy, near any in
// the open, for time is against him; a defender where he has half as much again about him; near one who holds a
// place both only with three times as much, for there they are shot at by one who doesn't give way.
func (a *attack) stronger(enemy elementID) bool {
	g, own, theirs := a.board, 0, 0
	if (a.v.of == g.attacker() || a.hunts()) && g.Elements[enemy].Holds == 0 {
		return true
	}
	at := g.body(enemy)
	for _, e := range g.standing() {
		b := g.body(e)
		if k := g.class(e); k == staff || k == train || g.Elements[e].Concealed || g.Elements[e].Spirit != steady || !within(between(&at, &b), nearby) {
			continue
		}
		if g.def(e).side == a.v.of {
			own += g.def(e).eq()
		} else {
			theirs += g.def(e).eq()
		}
	}
	if g.Elements[enemy].Holds != 0 {
		return own >= 3*theirs
	}
	return 2*own >= 3*theirs
}

// goal is the enemy for whom an element marches, and how far off he is: the nearest in the open, else the
// nearest. Foot goes for the nearest of a loose enemy even if he holds a place, for such places bar the way to the
// others.
func (a *attack) goal(e elementID) (elementID, int64) {
	if a.loose && a.board.class(e) == foot {
		return a.board.nearest(e, a.foes)
	}
	open := slices.DeleteFunc(slices.Clone(a.foes), func(o elementID) bool { return a.board.Elements[o].Holds != 0 })
	if len(open) > 0 {
		return a.board.nearest(e, open)
	}
	return a.board.nearest(e, a.foes)
}

// keeps is how far off an enemy an element stops.
func (a *attack) keeps(e, enemy elementID) int {
	if a.storms && a.waitsForGuns() {
		return secondLine
	}
	switch a.board.class(e) {
	case artillery:
		return gunRange
	case staff, train:
		return behindLine
	case mounted:
		return outOfReach
	}
	if a.weak[enemy] {
		return assault
	}
	return outOfFire
}

// wanders says whether an element is to go towards the enemy: not if it is near enough, nor if it is the
// enemy who must come.
func (a *attack) wanders(e elementID) bool {
	g := a.board
	enemy, far := a.goal(e)
	if g.class(e) == artillery || g.class(e) == naval || within(far, a.keeps(e, enemy)+leastStep) {
		return false
	}
	if a.storms && a.waitsForGuns() {
		return a.loose
	}
	return a.storms || g.lead(g.command(e)).arrival != nil ||
		within(far, defends) && (g.class(e) == mounted || g.class(e) == foot && a.weak[enemy])
}

// strikes makes the contacts that promise enough, the best first; each may change what the next ones promise.
func (a *attack) strikes(mine []elementID) {
	least := worthwhile
	if a.risksAll() {
		least = reckless
	}
	for range mine {
		best := blow{promise: least - 1}
		for _, e := range mine {
			for _, b := range a.blows(e) {
				if b.promise > best.promise {
					best = b
				}
			}
		}
		if best.promise < least || !a.x.Try("moves", best.order) {
			return
		}
	}
}

// A blow is a contact that may be made, and what the combat to which it leads promises.
type blow struct {
	order   order
	promise int
}

// blows lists the contacts that an element may make.
func (a *attack) blows(e elementID) []blow {
	g := a.board
	if k := g.class(e); k == artillery || k == staff || k == train || k == naval || g.pips(g.command(e)) <= 0 || g.moveFault(e, tactical) != nil {
		return nil
	}
	var all []blow
	b := g.body(e)
	for _, o := range a.foes {
		foe := g.body(o)
		if !within(between(&b, &foe), g.contactReach(e)) {
			continue
		}
		one := order{Verb: verbContact, Of: g.def(e).id, Enemy: g.def(o).id}
		if p, fault := a.moveFault(&one); fault == nil {
			after, bout := g.clash(&one, p, e, o)
			all = append(all, blow{one, after.promise(bout)})
		}
	}
	return all
}

// meeting gives the totals before the dice of the combat to which a contact leads, of who makes it and of his
// enemy.
func (g *game) meeting(o *order, p *plan, e, enemy elementID) (own, foe int) {
	after, b := g.clash(o, p, e, enemy)
	return after.before(b)
}

// clash is the combat to which a contact leads, and the field as it is then.
func (g *game) clash(o *order, p *plan, e, enemy elementID) (*game, *bout) {
	g = g.trial()
	g.makes(o, p)
	return g, &bout{A: fighter{Element: e}, B: fighter{Element: enemy}, Flank: g.Elements[enemy].Holds == 0 && g.touchedSide(enemy, e) != geometry.Front}
}

// lays has guns that have nothing worth their shot bear on an enemy on whom others bear, too.
func (a *attack) lays(mine []elementID) {
	g := a.board
	bears := map[elementID]int{}
	var idle []elementID
	for _, e := range mine {
		if g.class(e) != artillery {
			continue
		}
		worth := false
		for _, at := range g.targets(e) {
			if g.Elements[at].Holds == 0 {
				bears[at]++
				worth = true
			}
		}
		if !worth && g.pips(g.command(e)) > 0 {
			idle = append(idle, e)
		}
	}
	for _, e := range idle {
		at := g.body(e).At
		far := func(o elementID) int { b := g.body(o); return paces(geometry.Dist(at, centre(&b))) - massed*bears[o] }
		best := elementID(0)
		for _, o := range a.foes {
			if g.Elements[o].Holds == 0 && (best == 0 || far(o) < far(best)) {
				best = o
			}
		}
		if best != 0 && a.lay(e, best) {
			bears[best]++
		}
	}
}

// lay moves a gun to where it has an enemy before it, or nearer to him; if he is loose, round friends who bar the way.
func (a *attack) lay(e, enemy elementID) bool {
	g := a.board
	b, there := g.body(e), g.body(enemy)
	front, keeps := a.front(e, enemy), gunRange
	if far := between(&b, &there); within(far, gunRange) { // there he can be seen, and can't shoot back
		keeps = outOfFire
	}
	at := geometry.Frame{At: b.At, Heading: front}.Local(centre(&there))
	to := geometry.Frame{At: b.At, Heading: front}.World(point{X: at.X, Y: max(at.Y-int64(keeps)*pace, 0)})
	if a.loose {
		return a.swerves(e, geometry.Toward(b.At, to), geometry.Dist(b.At, to), front)
	}
	return a.goes(e, to, front, false)
}

// front is the way in which an element had best look when it goes for an enemy: as the friends look who are
// near it, for friends who look other ways run from each other's recoils; alone, straight on if he is before
// it, else to the quarter in which he is.
func (a *attack) front(e, enemy elementID) geometry.Heading {
	g := a.board
	b, there := g.body(e), g.body(enemy)
	var looks [4]int
	for _, o := range g.standing() {
		if x := g.body(o); o != e && a.v.owns(o) && x.Heading%90 == 0 && g.Elements[o].Spirit == steady && g.Elements[o].Holds == 0 && within(between(&b, &x), nearby) {
			looks[x.Heading/90]++
		}
	}
	if most := slices.Max(looks[:]); most > 0 {
		return geometry.Heading(90 * slices.Index(looks[:], most))
	}
	way := geometry.Toward(b.At, centre(&there))
	if turnBetween(b.Heading, way) <= 60 && b.Heading%90 == 0 {
		return b.Heading
	}
	return geometry.Heading((int(way) + 45) / 90 * 90 % 360)
}

// goes moves one element as far towards a place as it gets, and has it look some way; not if it gets less than half
// as far as it could and is to go that far.
func (a *attack) goes(e elementID, to point, front geometry.Heading, half bool) bool {
	g := a.board
	b := g.body(e)
	way, far := geometry.Toward(b.At, to), paces(geometry.Dist(b.At, to))
	most := min(g.farthest([]elementID{e}), far)
	least := 0
	if half {
		least = most / 2
	}
	for n := most / leastStep * leastStep; n > least || n == 0 && !half && front != b.Heading; n -= max(most/leastStep/tries, 1) * leastStep {
		at := wholePaces(b.At.Plus(geometry.Step(way, int64(n)*pace)))
		if end := g.bodyAt(e, geometry.Frame{At: at, Heading: front}); a.exposed(e, &end) {
			continue
		}
		if a.x.Try("moves", order{Verb: verbGo, Of: g.def(e).id, To: inline(scale.WritePoint(at)), Turns: true, Facing: int(front)}) {
			return true
		}
	}
	return false
}

// marches moves elements that stand together towards the enemy: by their road while he is far, else
// straight on as far as they can, if he is before them. It tells who goes.
func (a *attack) marches(crew []elementID) []elementID {
	g := a.board
	enemy, far := a.goal(crew[0])
	if g.onRoad(crew[0]) && !within(far, 2*defends) && a.x.Try("moves", order{Verb: verbAlong, March: true, Column: len(crew) > 1, Of: g.file(crew), Far: mostFar}) {
		return crew
	}
	b, there := g.body(crew[0]), g.body(enemy)
	if turnBetween(b.Heading, geometry.Toward(b.At, centre(&there))) > 45 || len(crew) == 1 {
		return nil
	}
	return a.advance(a.payable(crew), paces(far)-a.keeps(crew[0], enemy))
}

// payable are those of a group for whom the PIPs are enough to move them together: all, or, if that is too
// dear, those who are in reach of their general and need no more than the least price (HFG-7.7).
func (a *attack) payable(crew []elementID) []elementID {
	g := a.board
	price := func(all ...elementID) int {
		p := &plan{manner: tactical}
		for _, e := range all {
			p.paths = append(p.paths, path{element: e, from: g.body(e), to: g.body(e)})
		}
		return g.costs(p).sum()
	}
	if price(crew...) <= g.pips(g.command(crew[0])) {
		return crew
	}
	near := slices.DeleteFunc(slices.Clone(crew), func(e elementID) bool { return price(e) > 1 })
	if len(near) == 0 {
		return crew
	}
	return g.linked(near[0], func(e elementID) bool { return slices.Contains(near, e) })
}

// rejoins moves an element that stands alone to the side of friends of its command who stand together and look
// the same way, so that it goes with them from then on for one price.
func (a *attack) rejoins(e elementID) bool {
	g := a.board
	if k := g.class(e); k != foot && k != mounted || g.pips(g.command(e)) <= 0 {
		return false
	}
	b := g.body(e)
	mates := func(o elementID) bool {
		return o != e && a.v.owns(o) && g.command(o) == g.command(e) && g.class(o) == g.class(e) && g.Elements[o].Spirit == steady && g.Elements[o].Holds == 0
	}
	if len(g.linked(e, mates)) > 1 {
		return false
	}
	best, least := geometry.Frame{}, int64(comrades*pace)
	for _, o := range g.standing() {
		if !mates(o) || len(g.linked(o, mates)) < 2 {
			continue
		}
		m := g.body(o)
		for _, way := range []int64{-1, 1} {
			there := geometry.Frame{At: m.World(point{X: way * (m.U1 - m.U0 + b.U1 - b.U0) / 2}), Heading: m.Heading}
			if d := geometry.Dist(b.At, there.At); d < least {
				if to := g.bodyAt(e, there); !a.taken(&to, []elementID{e}) && !a.exposed(e, &to) {
					best, least = there, d
				}
			}
		}
	}
	if least == comrades*pace {
		return false
	}
	return a.x.Try("moves", order{Verb: verbGo, Of: g.def(e).id, To: inline(scale.WritePoint(wholePaces(best.At))), Turns: true, Facing: int(best.Heading)})
}

// closes moves one element towards the enemy, or past who bars the way.
func (a *attack) closes(e elementID) {
	g := a.board
	if g.pips(g.command(e)) <= 0 {
		return
	}
	enemy, far := a.goal(e)
	b, there := g.body(e), g.body(enemy)
	a.swerves(e, geometry.Toward(b.At, centre(&there)), far-int64(a.keeps(e, enemy))*pace, a.front(e, enemy))
}

// advance moves elements that stand together straight on, at most so far: as many of them as have room
// and stay out of muskets, if that is half of them. It tells who goes.
func (a *attack) advance(crew []elementID, most int) []elementID {
	g := a.board
	most = min(g.farthest(crew), most)
	for n := most / leastStep * leastStep; n >= leastStep; n -= max(most/leastStep/tries, 1) * leastStep {
		free := slices.DeleteFunc(slices.Clone(crew), func(e elementID) bool {
			to := g.body(e)
			to = to.Shifted(geometry.Step(to.Heading, int64(n)*pace))
			return a.exposed(e, &to) || a.taken(&to, crew)
		})
		if len(free) == 0 {
			continue
		}
		free = g.linked(free[0], func(e elementID) bool { return slices.Contains(free, e) })
		if 2*len(free) < len(crew) {
			continue
		}
		o := order{Verb: verbGo, Of: g.def(free[0]).id, Far: n}
		if len(free) > 1 {
			o = order{Verb: verbAdvance, Of: g.ids(free), Far: n}
		}
		if a.x.Try("moves", o) {
			return free
		}
	}
	return nil
}

// taken says whether somebody stands where a body is to be, other than those who go with it.
func (a *attack) taken(to *geometry.Body, crew []elementID) bool {
	g := a.board
	return slices.ContainsFunc(g.standing(), func(o elementID) bool {
		if g.Elements[o].Holds != 0 || slices.Contains(crew, o) {
			return false
		}
		b := g.body(o)
		return g.overlap(to, &b)
	})
}

// ids are elements as an order has them.
func (g *game) ids(all []elementID) string {
	var ids []string
	for _, e := range all {
		ids = append(ids, g.def(e).id)
	}
	return strings.Join(ids, " ")
}

// file is a column as an order has it: who is foremost in their direction comes first.
func (g *game) file(crew []elementID) string {
	lead := g.body(crew[0])
	ahead := func(e elementID) int64 { b := g.body(e); return lead.Local(b.At).Y }
	all := slices.Clone(crew)
	slices.SortStableFunc(all, func(a, b elementID) int { return paces(ahead(b)) - paces(ahead(a)) })
	return g.ids(all)
}
