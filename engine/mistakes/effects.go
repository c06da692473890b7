package mistakes

import (
	"slices"
	"strconv"

	"berthier/engine/geometry"
	"berthier/orders/phrase"
)

// Effects: chapter 12. Backing off, rout, losses, and what leaves the field.

// limberUp puts the limber of a gun behind it, or else to its right, to its left or ahead of
// it, where there is room. A contact with an enemy that only the limber makes is none
// (EM-15.2, EM-R86), and a free leader gives way to it (EM-8.5). It is false if there is no room anywhere.
func (g *game) limberUp(u unitID) bool {
	x := &g.Units[u]
	if x.Limber != unlimbered || g.def(u).arm != artillery {
		return true
	}
	var touched []unitID
	for _, e := range g.standing() {
		if g.enemies(u, e) && g.contact(u, e) {
			touched = append(touched, e)
		}
	}
	for _, side := range []limber{behind, toRight, toLeft, ahead} {
		x.Limber = side
		b := g.body(u)
		if g.leaves(&b) || slices.ContainsFunc(g.standing(), func(other unitID) bool {
			o := g.body(other)
			return other != u && g.overlap(&b, &o)
		}) {
			continue
		}
		x.Limbered = true
		for _, e := range g.standing() {
			if g.enemies(u, e) && g.contact(u, e) && !slices.Contains(touched, e) {
				g.part(u, e)
			}
		}
		g.makeRoom(u)
		return true
	}
	x.Limber = unlimbered
	return false
}

// leaning lists the friends that touch a side of a unit over more than the contact tolerance
// (EM-R81).
func (g *game) leaning(u unitID, side geometry.Flank) []unitID {
	b := g.body(u)
	var all []unitID
	for _, other := range g.standing() {
		o := g.body(other)
		if other != u && !g.enemies(u, other) && !g.def(other).garrison() && g.contact(u, other) &&
			g.lengthOn(&b, &o, side) > int64(g.measures.contact) {
			all = append(all, other)
		}
	}
	return all
}

// facing gives the side of a unit that looks most nearly to a heading; on a tie its rear
// (EM-R81).
func (g *game) facing(u unitID, to geometry.Heading) geometry.Flank {
	best, least := geometry.Rear, 361
	for _, s := range []struct {
		side geometry.Flank
		turn int
	}{{geometry.Rear, 180}, {geometry.Front, 0}, {geometry.Left, -90}, {geometry.Right, 90}} {
		off := int(geometry.Heading(g.Units[u].Heading).Plus(s.turn).Plus(-int(to)))
		if off = min(off, 360-off); off < least {
			best, least = s.side, off
		}
	}
	return best
}

// A backing is what became of a unit that must back off.
type backing int

const (
	backed  backing = iota // it has, or need not
	stopped                // friends in a column behind it: none moves (EM-12.3)
	stuck                  // it can't (EM-12.2)
)

// giveWay backs a unit off, with the friend behind it (EM-12.1 to EM-12.3). Cause is the unit
// that it gives way to; rear says that it was bombarded from behind. If it is stuck, so are
// the friends that are listed; if it is stopped, the one that is listed is shaken with it, where
// it had to back off (EM-R94).
func (p *battlefield) giveWay(u, cause unitID, segments int, rear bool) (backing, []unitID) {
	stays := func(v unitID, clause, code string, args ...phrase.Arg) {
		p.tell(clause, "em.backs-not", p.unitArg("unit", v), phrase.Within("why", phrase.Say(code, args...)))
	}
	switch {
	case p.def(u).garrison():
		return backed, nil // EM-14.1
	case rear:
		stays(u, "EM-7.12", "em.stuck-rear")
		return stuck, nil
	case !p.limberUp(u):
		stays(u, "EM-15.2", "em.stopped-room")
		return stuck, nil
	}
	back := geometry.Heading(p.Units[u].Heading).Plus(180)
	friends := p.leaning(u, geometry.Rear)
	for _, f := range friends {
		third := p.leaning(f, p.facing(f, back))
		if len(slices.DeleteFunc(third, func(v unitID) bool { return v == u })) > 0 {
			stays(u, "EM-12.3", "em.stuck-column", p.unitArg("by", f))
			return stopped, []unitID{f}
		}
	}
	movers := append([]unitID{u}, friends...)
	if len(friends) > 0 {
		segments = 1
	}
	var cannot []unitID
	for _, f := range friends {
		if !p.limberUp(f) {
			stays(f, "EM-15.2", "em.stopped-room")
			cannot = append(cannot, f)
		}
	}
	far, met, barred := p.wayBack(movers, back, int64(segments)*int64(p.segment()), cause)
	for _, v := range movers {
		if by, is := barred[v]; is && by == 0 {
			stays(v, "EM-12.2", "em.stuck-nearer", p.unitArg("by", cause))
		} else if is {
			stays(v, "EM-12.2", "em.stopped-enemy", p.unitArg("by", by))
		}
		if _, is := barred[v]; is && v != u && !slices.Contains(cannot, v) {
			cannot = append(cannot, v)
		}
	}
	if _, is := barred[u]; is || len(cannot) > 0 {
		return stuck, cannot
	}
	var why []phrase.Arg
	if met != 0 {
		why = append(why, phrase.Within("why", phrase.Say("em.stopped-at", p.unitArg("by", met))))
	}
	p.shove(movers, back, far, "EM-12.1", "em.backs", why...)
	p.settle()
	return backed, nil
}

// wayBack says how far units get back: to the first friend on the way, whom it gives and where the effect is
// done; and which of them an enemy bars, who is given, or the rule that nobody comes nearer to who drives
// him off, with 0 (EM-12.2, EM-12.3).
func (g *game) wayBack(movers []unitID, back geometry.Heading, far int64, cause unitID) (int64, unitID, map[unitID]unitID) {
	var bodies, friends, enemies []geometry.Body
	var foes, mates []lying
	for _, u := range movers {
		bodies = append(bodies, g.body(u))
	}
	for _, other := range g.standing() {
		switch {
		case slices.Contains(movers, other):
		case g.enemies(movers[0], other):
			enemies, foes = append(enemies, g.body(other)), append(foes, lying{other, g.body(other)})
		default:
			friends, mates = append(friends, g.body(other)), append(mates, lying{other, g.body(other)})
		}
	}
	way := g.straightWay(back, far)
	met := unitID(0)
	if way.Far, _ = way.Slide(bodies, friends, nil); way.Far < far {
		met = firstOn(shifted(bodies, back, way.Far+1), mates)
	}
	for i := range bodies { // contact is contact by a corner, too (EM-R120)
		for j := range mates {
			t, is := way.Graze(&bodies[i], &friends[j], int64(g.measures.slack))
			if is && t < way.Far && !g.near(&bodies[i], &friends[j]) {
				way.Far, met = t, mates[j].unit
			}
		}
	}
	barred := map[unitID]unitID{} // only looked up
	for i, u := range movers {
		free, ok := way.Slide(bodies[i:i+1], enemies, nil)
		end := bodies[i].At.Plus(geometry.Step(back, way.Far))
		switch {
		case !ok || free < way.Far:
			barred[u] = firstOn(shifted(bodies[i:i+1], back, free+1), foes)
		case g.nears(cause, bodies[i].At, end):
			barred[u] = 0
		}
	}
	return way.Far, met, barred
}

// firstOn gives the first of some units on whom bodies lie; 0 for none.
func firstOn(bodies []geometry.Body, others []lying) unitID {
	for i := range others {
		if anyEntered(bodies, &others[i].body) {
			return others[i].unit
		}
	}
	return 0
}

// nears says whether a move brings a piece nearer to the unit that caused it, if one did
// (EM-12.2).
func (g *game) nears(cause unitID, from, to geometry.Point) bool {
	at := geometry.Point(g.Units[cause].At)
	return cause != 0 && geometry.Dist2(to, at) < geometry.Dist2(from, at)
}

// armyOf is the army of a unit that caused something; none if nothing did.
func (g *game) armyOf(cause unitID) army {
	if cause == 0 {
		return noArmy
	}
	return g.def(cause).army
}

// shove moves units by force, the last first, with what that does to guns in the water, to
// leaders in the way, and at the field's edge (EM-4.10, EM-8.5, EM-12.8). It tells of each how far it went, and where
// it stands. Formations are put in order when the whole effect has been carried out: that is up to who calls it (EM-R79).
func (p *battlefield) shove(units []unitID, heading geometry.Heading, far int64, clause, code string, more ...phrase.Arg) {
	for left := slices.Clone(units); len(left) > 0; {
		i := p.firstFree(left, heading, far)
		u := left[i]
		left = slices.Delete(left, i, i+1)
		from := p.body(u)
		to := from.Shifted(geometry.Step(heading, far))
		if p.leaves(&to) { // it stands nowhere off the field, not even while that is told
			p.meet([]unitID{u}, []geometry.Body{from}, heading, far)
			p.takeOff(u, offField, noArmy)
			continue
		}
		p.stand([]unitID{u}, []geometry.Body{to})
		p.tell(clause, code, append([]phrase.Arg{p.unitArg("unit", u), phrase.Literal("mm", millimetres(far)), placeArg("at", p.Units[u].At)}, more...)...)
		if p.wade(u, from, heading, far) {
			p.tell("EM-4.10", "em.shaken", p.unitArg("unit", u))
		}
		p.meet([]unitID{u}, []geometry.Body{from}, heading, far)
		p.makeRoom(u)
	}
}

// firstFree is the place, in a list of units that are moved by one way, of the one that goes next: the last whose end is free of
// the others that are still to go, so that no two overlap while that is told; the last of all if there is none.
func (g *game) firstFree(units []unitID, heading geometry.Heading, far int64) int {
	for i, u := range slices.Backward(units) {
		b := g.body(u)
		to := b.Shifted(geometry.Step(heading, far))
		if !slices.ContainsFunc(units, func(v unitID) bool {
			o := g.body(v)
			return v != u && g.overlap(&to, &o)
		}) {
			return i
		}
	}
	return len(units) - 1
}

// makeRoom does what a unit does to free leaders of its side on whose counters it has come to
// stand: one of its corps is attached, the commander-in-chief always, unless its formation
// has a leader; another, and Ney, who has no corps, gives way by the least distance (EM-8.5, EM-12.9).
func (g *game) makeRoom(u unitID) {
	b := g.body(u)
	for l := leaderID(1); int(l) < len(g.Leaders); l++ {
		x := &g.Leaders[l]
		if x.At == (place{}) || !g.lead(l).army.allied(g.def(u).army) {
			continue
		}
		at := geometry.Point(x.At)
		c := g.counter(at)
		if !g.overlap(&b, &c) {
			continue
		}
		if f := g.of(u); f != nil && g.attachedTo(f) == 0 && g.mayAttach(l, u) && g.lead(l).role != ney {
			x.At, x.Attached = place{}, u
			continue
		}
		g.setFree(l, at)
	}
}

// shake gives a unit a yellow marker if it has none.
func (p *battlefield) shake(u unitID, clause string) {
	if p.on(u) && p.Units[u].Yellow == 0 && !p.def(u).garrison() {
		p.Units[u].Yellow = 1
		p.tell(clause, "em.shaken", p.unitArg("unit", u))
	}
}

// balked is what a unit suffers that can't back off: a yellow marker, or a loss if it has one
// (EM-12.4).
func (p *battlefield) balked(u unitID, by army) {
	if p.Units[u].Yellow == 0 {
		p.shake(u, "EM-12.4")
		return
	}
	p.lose(u, 1, by)
}

// backOff makes a unit back off, or suffer in place of it (EM-12.1, EM-12.4). It says whether
// the unit has backed off.
func (p *battlefield) backOff(u, cause unitID, segments int, rear bool) bool {
	how, cannot := p.givesWay(u, cause, segments, rear)
	if how == stuck {
		by := p.armyOf(cause)
		for _, v := range append([]unitID{u}, cannot...) {
			p.balked(v, by)
		}
	}
	return how == backed
}

// givesWay backs off a unit that must: before a column of two or more it is shaken, and the first of
// them with it (EM-12.3).
func (p *battlefield) givesWay(u, cause unitID, segments int, rear bool) (backing, []unitID) {
	how, friends := p.giveWay(u, cause, segments, rear)
	if how != stopped {
		return how, friends
	}
	for _, v := range append([]unitID{u}, friends...) {
		p.shake(v, "EM-12.3")
	}
	return how, nil
}

// retreat makes a unit back off 1 and gives it a yellow marker; if it has one it is routed,
// and backs off 2 in all (EM-12.5, EM-12.6, EM-R51). The marker in place of a back-off that can't be
// made is one, that of the retreat the second (EM-R99).
func (p *battlefield) retreat(u, cause unitID, rear bool) {
	if p.Units[u].Yellow > 0 {
		p.rout(u, cause, rear)
		return
	}
	how, cannot := p.givesWay(u, cause, 1, rear)
	if how == backed {
		p.shake(u, "EM-12.5")
		return
	}
	p.breaks(u, cause)
	if how == stuck || p.routStrict != 0 {
		p.taken(u, cause, cannot)
	}
}

// rout gives a unit two yellow markers and makes it back off 2; if it can't, it is captured
// (EM-12.6). Friends behind it satisfy that as EM-12.3 says; by option a unit that has not got
// farther than one segment is captured (EM-R7).
func (p *battlefield) rout(u, cause unitID, rear bool) {
	p.breaks(u, cause)
	was := p.Units[u].At
	how, cannot := p.givesWay(u, cause, 2, rear)
	strict := p.routStrict != 0 && p.on(u) && p.within(geometry.Point(was), geometry.Point(p.Units[u].At), 1)
	if how == stuck || strict {
		p.taken(u, cause, cannot)
	}
}

// breaks gives a unit its second yellow marker: it is routed (EM-12.6).
func (p *battlefield) breaks(u, cause unitID) {
	p.Units[u].Yellow, p.Units[u].Routed = 2, p.armyOf(cause)
	p.tell("EM-12.6", "em.routed", p.unitArg("unit", u))
}

// taken captures a routed unit that can't back off; friends who couldn't either suffer in place of it
// (EM-12.4, EM-12.6, EM-R81).
func (p *battlefield) taken(u, cause unitID, cannot []unitID) {
	by := p.armyOf(cause)
	for _, v := range cannot {
		p.balked(v, by)
	}
	p.takeOff(u, captured, by)
	p.settle()
}

// lose gives a unit losses; at its capacity it is eliminated, and friends in column with it
// are shaken (EM-12.7).
func (p *battlefield) lose(u unitID, n int, by army) {
	x, most := &p.Units[u], p.capacity(u)
	if n == 0 || !p.on(u) {
		return
	}
	if x.Losses+n < most {
		x.Losses += n
		if by == black {
			x.ByBlack += n
		}
		p.tell("EM-12.7", "em.losses", p.unitArg("unit", u), phrase.Number("n", x.Losses), phrase.Number("capacity", most))
		return
	}
	p.eliminate(u, by)
}

// eliminate removes a unit and shakes those in column with it (EM-12.7).
func (p *battlefield) eliminate(u unitID, by army) {
	mates := p.column(u)
	p.takeOff(u, eliminated, by)
	for _, v := range mates {
		p.shake(v, "EM-12.7")
	}
	p.settle()
}

// takeOff removes a unit from the field, with its leader: free on the spot where it was
// eliminated, or next to it if another unit reaches there, else gone like it (EM-12.8). Its formation is put in order by settle. Its
// markers count on in the combat (EM-11.12, EM-R113).
func (p *battlefield) takeOff(u unitID, how fate, by army) {
	at, l := p.Units[u].At, p.leaderOf(u)
	if l != 0 && how != eliminated {
		p.remove(l, how, by)
	}
	p.moved(u)
	p.Joinable = slices.DeleteFunc(slices.Clone(p.Joinable), func(x pair) bool { return x.A == u || x.B == u })
	if p.Combat != nil {
		if r := p.noted(u); r != nil {
			r.marked(p.Units[u].Yellow)
		}
	}
	p.Units[u] = unit{Gone: how, By: by}
	was := slices.Clone(p.Leaders)
	if l != 0 && how == eliminated {
		p.setFree(l, geometry.Point(at))
	}
	p.tell("EM-12.8", removals[how], p.unitArg("unit", u))
	p.tellLeaders(was, "EM-12.8")
}

// removals say how a unit left the field.
var removals = [...]string{eliminated: "em.eliminated", captured: "em.captured", offField: "em.off-field"}

// settle puts the formations in order after an effect: without the units that are gone, and
// in parts where they no longer hang together. The part of the lowest number keeps the name,
// each part its colours (EM-10.12, EM-R79). What is left of the Grand Battery is split by
// corps (EM-7.10).
func (g *game) settle() {
	was := g.Formations
	g.Formations = nil
	var more []formation
	for _, f := range was {
		f.Units = slices.DeleteFunc(slices.Clone(f.Units), func(u unitID) bool { return !g.on(u) })
		parts := g.whole(f)
		slices.SortFunc(parts, func(a, b []unitID) int { return int(a[0]) - int(b[0]) })
		for i, part := range parts {
			one := f
			one.Units = part
			if !g.battery(&one) {
				one.Corps = g.def(part[0]).corps
			}
			if i == 0 {
				g.Formations = append(g.Formations, one)
			} else {
				more = append(more, one)
			}
		}
	}
	for _, one := range more {
		one.ID = g.freeID(one.ID)
		g.Formations = append(g.Formations, one)
	}
	g.arrange()
	g.release()
	for c := range g.corps {
		g.bereft(corpsID(c + 1))
	}
}

// release sets leaders free who are attached to a unit of another corps now that the Grand
// Battery has come apart; each stands at the nearest free place (EM-7.10, EM-8.3).
func (g *game) release() {
	for l := leaderID(1); int(l) < len(g.Leaders); l++ {
		x := &g.Leaders[l]
		if x.Attached == 0 || !g.on(x.Attached) || g.mayAttach(l, x.Attached) {
			continue
		}
		g.setFree(l, g.whereIs(l))
	}
}

// setFree takes a leader from his unit and puts him at a point, or where it is free nearest to
// that (EM-8.5).
func (g *game) setFree(l leaderID, at geometry.Point) {
	if to, ok := geometry.Rings(at, ringStep, geometry.Reach/2, g.freeFor); ok {
		g.Leaders[l].At, g.Leaders[l].Attached = place(to), 0
	}
}

// whole gives the parts of a formation that can stand as formations: in contact, with one
// heading, and of one corps but for the Grand Battery.
func (g *game) whole(f formation) [][]unitID {
	var all [][]unitID
	for _, part := range g.aligned(f.Units) {
		one := f
		if one.Units = part; g.battery(&one) {
			all = append(all, part)
			continue
		}
		for _, c := range g.corpsAmong(part) {
			all = append(all, g.parts(slices.DeleteFunc(slices.Clone(part), func(u unitID) bool { return g.def(u).corps != c }))...)
		}
	}
	return all
}

// aligned gives the sets of units that hang together by contact and have one heading. Others than
// that come of a pursuit, in which some of a formation turn.
func (g *game) aligned(units []unitID) [][]unitID {
	var all [][]unitID
	for left := slices.Clone(units); len(left) > 0; {
		heading := g.Units[left[0]].Heading
		other := func(u unitID) bool { return g.Units[u].Heading != heading }
		all = append(all, g.parts(slices.DeleteFunc(slices.Clone(left), other))...)
		left = slices.DeleteFunc(left, func(u unitID) bool { return !other(u) })
	}
	return all
}

// corpsAmong lists the corps of units, in the order of their numbers.
func (g *game) corpsAmong(units []unitID) []corpsID {
	var all []corpsID
	for _, u := range units {
		if c := g.def(u).corps; !slices.Contains(all, c) {
			all = append(all, c)
		}
	}
	return all
}

// freeID gives the first name that no formation has: id-2, id-3 and so on.
func (g *game) freeID(id string) string {
	for n := 2; ; n++ {
		if next := id + "-" + strconv.Itoa(n); g.formationNamed(next) == nil {
			return next
		}
	}
}

// lossFrom is the least die of damage that is a loss (EM-7.11).
const lossFrom = 5

// costs says whether a die is a loss; by option the low ones are (EM-R20).
func (g *game) costs(die int) bool {
	if g.damageOn != 0 {
		die = dieSides + 1 - die
	}
	return die >= lossFrom
}

// damage rolls so many dice of damage for a unit and gives the number of losses (EM-7.11).
func (p *battlefield) damage(u unitID, n int, by army) int {
	losses, dice := 0, make([]int, n)
	for i := range dice {
		if dice[i] = p.roll("em.roll-damage", p.def(u).army, p.unitArg("unit", u)); p.costs(dice[i]) {
			losses++
		}
	}
	if n > 0 {
		p.tell("EM-7.11", "em.damage", p.unitArg("unit", u), armyArg("by", by), phrase.Numbers("dice", dice), phrase.Number("n", losses))
	}
	return losses
}
