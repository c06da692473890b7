package mistakes

import (
	"cmp"
	"slices"

	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// Initiative and substitutes: chapter 5.

// inPlay lists the armies that have units on the field, in the order blue, red, black.
func (g *game) inPlay() []army {
	var all []army
	for a := blue; a < armies; a++ {
		if g.fielded(a) {
			all = append(all, a)
		}
	}
	return all
}

// draw gives each army its markers: a die, and one for each general of a corps on the field.
// Black has no die without Blucher. They come from the reserve as far as it lasts, and lie in
// the box of the commander-in-chief, even of one who is gone (EM-5.1).
func (p *battlefield) draw() {
	for _, a := range p.inPlay() {
		n := 0
		for l := leaderID(1); int(l) < len(p.Leaders); l++ {
			if d := p.lead(l); d.army == a && d.role == general && p.inField(l) {
				n++
			}
		}
		chief := p.chief(a)
		if p.inField(chief) {
			n += p.roll("em.roll-markers", a)
		}
		n = min(n, p.Reserve[a])
		p.Reserve[a] -= n
		p.Leaders[chief].Markers += n
		p.tell("EM-5.1", "em.drawn", armyArg("army", a), phrase.Number("n", n))
	}
}

// firstOrder is the order of the first turn, in which nobody bids (EM-5.2).
func (p *battlefield) firstOrder() {
	p.Order = p.inPlay()
}

// bids says whether armies bid in this turn: in any but the first (EM-5.2).
func (g *game) bids() bool { return g.Turn > g.length().turns[0] }

// bidFault says why an army may not bid so many markers (EM-5.3): at least 1 and at most those
// that it has just drawn; one that drew none bids none.
func (g *game) bidFault(a army, n int) *play.Fault {
	drawn := g.Leaders[g.chief(a)].Markers
	if n < min(drawn, 1) || n > drawn {
		return &play.Fault{Clause: "EM-5.3", Why: phrase.Say("em.bid-range", armyArg("army", a), phrase.Number("n", n),
			phrase.Number("least", min(drawn, 1)), phrase.Number("most", drawn))}
	}
	return nil
}

// rewards are the markers for the first and, with three armies, for the second in initiative
// (EM-5.4).
var rewards = [...]int{2, 1}

// contest settles the order of the turn by the bids: the highest first, on a tie who acted
// earlier in the turn before; an army that was not on the field then comes last (EM-5.4,
// EM-5.5). All bids return to the reserves, won or lost (EM-5.3).
func (p *battlefield) contest(bid [armies]int) {
	p.Was, p.Order = p.Order, p.inPlay()
	before := func(a army) int {
		if i := slices.Index(p.Was, a); i >= 0 {
			return i
		}
		return len(p.Was)
	}
	slices.SortStableFunc(p.Order, func(a, b army) int {
		return cmp.Or(cmp.Compare(bid[b], bid[a]), cmp.Compare(before(a), before(b)))
	})
	for i, a := range p.Order {
		chief := &p.Leaders[p.chief(a)]
		chief.Markers -= bid[a]
		p.Reserve[a] += bid[a]
		gain := 0
		if i < len(p.Order)-1 && i < len(rewards) {
			gain = min(rewards[i], p.Reserve[a])
		}
		p.Reserve[a] -= gain
		chief.Markers += gain
		p.tell("EM-5.4", "em.initiative", armyArg("army", a), phrase.Number("place", i+1), phrase.Number("bid", bid[a]), phrase.Number("gain", gain))
	}
}

// lost lists the generals of an army for whom a substitute is due: lost, with a unit left in
// their corps (EM-5.6, EM-R29).
func (g *game) lost(a army) []leaderID {
	var all []leaderID
	for l := leaderID(1); int(l) < len(g.Leaders); l++ {
		x, d := &g.Leaders[l], g.lead(l)
		if d.army != a || d.role != general || x.Gone == present || !g.remains(d.corps) || g.oneSubstitute != 0 && x.Substitute {
			continue
		}
		if _, room := g.substitutePlace(l); room { // a unit of the corps is on the field, too
			all = append(all, l)
		}
	}
	return all
}

// substitutes rolls for the generals that were lost, in the order of initiative, and lists
// those who return: each must be placed (EM-5.6).
func (p *battlefield) substitutes() []leaderID {
	var back []leaderID
	for _, a := range p.Order {
		for _, l := range p.lost(a) {
			x := &p.Leaders[l]
			x.Tries++
			die := p.roll("em.roll-substitute", a, p.leaderArg("leader", l))
			if !widening(die, x.Tries, p.substituteOn) {
				p.tell("EM-5.6", "em.no-substitute", p.leaderArg("leader", l), phrase.Number("die", die))
				continue
			}
			*x = leader{Substitute: true, Lost: append(x.Lost, loss{x.Gone, x.By})}
			back = append(back, l)
			p.tell("EM-5.6", "em.substitute", p.leaderArg("leader", l), phrase.Number("die", die))
		}
	}
	return back
}

// substituteReach is how far from a unit of his corps a substitute is placed, in segments.
const substituteReach = 2

// standsFault says why a substitute may not be placed at a point (EM-5.6): it is within two
// segments of a unit of his corps, on the field, and free (EM-8.3).
func (g *game) standsFault(l leaderID, at geometry.Point) *play.Fault {
	near := slices.ContainsFunc(g.standing(), func(u unitID) bool {
		return g.within(at, geometry.Point(g.Units[u].At), substituteReach) && g.corpsOf(u) == g.lead(l).corps
	})
	switch {
	case !near:
		return &play.Fault{Clause: "EM-5.6", Why: phrase.Say("em.substitute-far", g.leaderArg("leader", l))}
	case !g.freeFor(at):
		return &play.Fault{Clause: "EM-8.3", Why: phrase.Say("em.leader-no-room", g.leaderArg("leader", l))}
	}
	return nil
}

// freeFor says whether the counter of a free leader may lie at a point: on the field, and over
// no unit (EM-8.3).
func (g *game) freeFor(at geometry.Point) bool { return g.freeAmong(at, g.crowd(at, 0)) }

// freeAmong says it where the units near the point are known.
func (g *game) freeAmong(at geometry.Point, crowd []geometry.Body) bool {
	c := g.counter(at)
	if g.leaves(&c) {
		return false
	}
	for i := range crowd {
		if g.overlap(&c, &crowd[i]) {
			return false
		}
	}
	return true
}

// crowd are the units that a counter may touch whose centre lies no farther than so far from a point.
func (g *game) crowd(about geometry.Point, far int64) []geometry.Body {
	var all []geometry.Body
	near := far + 2*int64(g.measures.tile) // no unit reaches farther from its centre with a counter beside it
	for u := unitID(1); int(u) < len(g.Units); u++ {
		if g.on(u) && geometry.Dist2(about, geometry.Point(g.Units[u].At)) <= near*near {
			all = append(all, g.body(u))
		}
	}
	return all
}

// ringStep is the step of the rings on which a free place is looked for (EM-8.5).
const ringStep = 1000

// substitutePlace is where a substitute stands if nobody says where: the first free place on
// rings about the unit of his corps that is farthest from any enemy (stop EM-S2).
func (g *game) substitutePlace(l leaderID) (geometry.Point, bool) {
	best, far := unitID(0), int64(-1)
	for _, u := range g.standing() {
		if g.def(u).garrison() || g.corpsOf(u) != g.lead(l).corps {
			continue
		}
		if d := g.nearestEnemy(u); d > far {
			best, far = u, d
		}
	}
	if best == 0 {
		return geometry.Point{}, false
	}
	most := substituteReach * int64(g.segment())
	return geometry.Rings(geometry.Point(g.Units[best].At), ringStep, most, func(at geometry.Point) bool {
		return g.standsFault(l, at) == nil
	})
}

// nearestEnemy is the square of the distance from a unit to the nearest enemy unit; very far
// where there is none.
func (g *game) nearestEnemy(u unitID) int64 {
	least := int64(geometry.Limit) * geometry.Limit
	for _, e := range g.standing() {
		if g.enemies(u, e) {
			least = min(least, geometry.Dist2(geometry.Point(g.Units[u].At), geometry.Point(g.Units[e].At)))
		}
	}
	return least
}
