package mistakes

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"berthier/engine/geometry"
)

// Answers of a fair player, who looks at nothing but the view. This file holds what he orders:
// he gives command points to formations that have something to do, and charges where more is to be won
// than lost. Where formations go is in sensible_ways.go, what a charge is worth in
// sensible_worth.go, leaders are in sensible_leaders.go, guns in sensible_fire.go.

// A plan is the field as a fair player sees it at one stop, and which armies would win if the game
// ended now, by more than a combat may turn: these wait until an enemy is near.
type plan struct {
	game  *game
	leads [armies]bool
	near  map[unitID][]geometry.Point // the approaches to a garrison, once they are known
}

// unwary says whether the enemies of an army hold fewer markers with their generals than they have generals, from the
// second turn on: who keeps in reserve what he might command with can send hardly anybody to help his friends, so that he may be
// attacked at once, and at odds.
func (g *game) unwary(a army) bool {
	n := 0
	for l := leaderID(1); int(l) < len(g.Leaders); l++ {
		if d := g.lead(l); d.role == general && !d.army.allied(a) && g.inField(l) {
			n += g.Leaders[l].Markers - 1
		}
	}
	return n < 0 && g.Turn > g.length().turns[0]
}

// safeLead is a lead in points that a combat won't turn.
const safeLead = 20

// planOf begins a plan.
func planOf(g *game) *plan {
	p, won := &plan{game: g, near: map[unitID][]geometry.Point{}}, g.winner()
	if won == noArmy {
		return p
	}
	for a := blue; a < armies; a++ {
		if !g.ofSide(a, won) && g.length().scoring != scoreShort && g.score(won)-g.score(a) < safeLead && !(a == black && g.separateScores == 0) {
			return p
		}
	}
	for a := blue; a < armies; a++ {
		p.leads[a] = won.allied(a)
	}
	return p
}

// senseBid bids a quarter of the draw: what is bid is lost.
func senseBid(x *draft[*bids], _ *rand.Rand) {
	for _, a := range x.World.armies {
		low, high := x.View.bidRange(a)
		x.Try("bid", armyBid{a, max(low, high/4)})
	}
}

// A task is what a fair player would have a formation do, and what that promises.
type task struct {
	order
	worth int
	near  int64 // square of the way to the nearest enemy
}

// What orders promise that are no charge, in the measure of [game.exchange].
const (
	worthRally = 2 * onePoint
	worthAim   = onePoint
	worthKeep  = onePoint / 2
	worthTake  = 8 * onePoint
	worthStorm = 2 * onePoint
	worthMarch = 1
)

// senseOrders orders what promises most first: charges, rallying, guns that turn to a target, and
// then marches, those nearest to an enemy first. A formation that can't do anything is left alone,
// for who moves bars the way to his friends.
func senseOrders(x *draft[*ordered], _ *rand.Rand) {
	w := x.World
	p, halted := planOf(w.game), planOf(w.game.halted())
	prospects := map[string]int{}
	for i := range w.game.Formations {
		f, by := &w.game.Formations[i], p
		if f.Orange > 0 || !slices.Contains(w.armies, w.game.army(f.Corps)) {
			continue
		}
		if _, takes := p.takes(f); takes { // several go for the same town
			f, by = &halted.game.Formations[i], halted
		}
		prospects[f.ID] = by.prospect(f)
	}
	var all []task
	for o := range w.next {
		f := w.game.formationNamed(o.of)
		if f == nil {
			continue
		}
		t := task{order: o, worth: prospects[o.of], near: p.haste(f)}
		switch {
		case o.does == rallies:
			t.order, t.worth = w.whole(o), worthRally
		case o.does == keepsMoving && t.worth > 0:
			t.worth += worthKeep // it costs least
		case o.does != setsInMotion || t.worth == 0:
			continue
		}
		all = append(all, t)
	}
	for i := range w.game.Formations {
		f := &w.game.Formations[i]
		if !slices.Contains(w.armies, w.game.army(f.Corps)) {
			continue
		}
		if o, ok := w.aim(f); ok {
			worth := worthAim
			if p.saves(f.Units[0]) {
				worth = worthTake
			}
			all = append(all, task{o, worth, w.game.nearestEnemy(f.Units[0])})
		}
	}
	slices.SortStableFunc(all, func(a, b task) int {
		return cmp.Or(cmp.Compare(b.worth, a.worth), cmp.Compare(a.near, b.near))
	})
	for _, t := range all {
		x.Try("", t.order)
	}
}

// halted is the field as it is if nobody is ordered any more: who isn't kept moving stands then, and may be passed (EM-9.9,
// EM-10.11).
func (g *game) halted() *game {
	c := g.trial()
	c.loseGreen(func(f *formation) bool { return f.Kept })
	return c
}

// haste is the square of the way that a formation has to go: to where it storms, or else to the nearest enemy.
func (p *plan) haste(f *formation) int64 {
	if to, ok := p.goal(f); ok && p.storms(p.game.army(f.Corps)) {
		return geometry.Dist2(geometry.Point(p.game.Units[f.Units[0]].At), to)
	}
	return p.game.nearestEnemy(f.Units[0])
}

// prospect is what a formation that moves promises: a charge, or a way; 0 if neither is there.
func (p *plan) prospect(f *formation) int {
	if p.game.onlyGuns(f.Units) || p.holds(f) || p.escorts(f) || slices.ContainsFunc(f.Units, p.game.engaged) {
		return 0
	}
	far := int64(p.game.factor(f.Units))*int64(p.game.segment()) + 2*int64(p.game.measures.tile)
	if p.game.nearestEnemy(f.Units[0]) <= far*far && !p.rushes(f) {
		if _, worth := p.bestCharge(f.Units); worth > 0 {
			return worth
		}
	}
	if _, ok := p.hunt(f.Units); ok {
		return worthHunt
	}
	if p.goesOn(f) {
		if _, takes := p.takes(f); takes {
			return worthTake
		}
		switch {
		case p.storms(p.game.army(f.Corps)) && p.before(f) != 0:
			return 2 * worthStorm
		case p.storms(p.game.army(f.Corps)):
			return worthStorm
		}
		return worthMarch
	}
	return 0
}

// senseMoves has each formation ride down a leader, or charge whom it had best charge; else it goes
// where it is wanted.
func senseMoves(x *draft[*moving], _ *rand.Rand) {
	w := x.World
	p := planOf(w.board)
	for _, id := range w.ready() {
		f := w.board.formationNamed(id)
		if f == nil || w.board.readyFault(f) != nil || p.holds(f) || p.escorts(f) {
			continue
		}
		if s, ok := p.hunt(f.Units); ok && x.Try("", move{Of: id, First: s}) {
			continue
		}
		best, worth := p.bestCharge(f.Units)
		closer, further := p.toward(f)
		if p.rushes(f) && x.Try("", move{Of: id, First: closer}) {
			continue
		}
		if worth > 0 && x.Try("", move{Of: id, First: step{Does: charging, Target: best}, Else: closer}) {
			continue
		}
		if further {
			x.Try("", move{Of: id, First: closer})
		}
	}
}

// prudence is what a charge must promise to who leads: he has no need to dare anything.
const prudence = 6 * onePoint

// distracted is by how much less a charge on others is worth to who storms garrisons.
const distracted = 8

// bestCharge gives whom units had best charge, and what that promises; 0 if no charge is worth it.
func (p *plan) bestCharge(units []unitID) (unitID, int) {
	best, least := unitID(0), 0
	if p.leads[p.game.def(units[0]).army] {
		least = prudence
	}
	most := least
	for _, one := range p.game.chargesOf(units) {
		if p.early(one.target) {
			continue
		}
		n := p.game.assault(units, one) / p.distraction(units, one.target)
		if p.storms(p.game.def(units[0]).army) && p.bars(one.target) {
			n += ousting
		}
		if n > most {
			best, most = one.target, n
		}
	}
	if best == 0 {
		return 0, 0
	}
	return best, most
}

// distraction is by how much less a charge is worth to who storms garrisons, if it is neither on a
// garrison nor on who bars a town that counts.
func (p *plan) distraction(units []unitID, target unitID) int {
	if p.game.def(target).garrison() || !p.storms(p.game.def(units[0]).army) || p.bars(target) {
		return 1
	}
	return distracted
}

// rushes says whether a formation has a way into a town for which it goes, and no time for anything else.
func (p *plan) rushes(f *formation) bool {
	if _, takes := p.takes(f); !takes {
		return false
	}
	return p.goesOn(f)
}

// worthHunt is what it promises to ride down a leader.
const worthHunt = 12 * onePoint

// hunt gives a charge that rides down a free leader of the enemy (EM-10.15), a commander-in-chief
// rather than another.
func (p *plan) hunt(units []unitID) (step, bool) {
	if p.game.onlyGuns(units) || slices.ContainsFunc(units, p.game.engaged) {
		return step{}, false
	}
	own := []army{p.game.def(units[0]).army}
	at, reach := geometry.Point(p.game.Units[units[0]].At), int64(p.game.factor(units)+1)*int64(p.game.segment())
	best, most := step{}, -1
	for l := leaderID(1); int(l) < len(p.game.Leaders); l++ {
		to := geometry.Point(p.game.Leaders[l].At)
		if !p.game.preyOf(own, l) || p.game.level(l) <= most || geometry.Dist2(at, to) > reach*reach {
			continue
		}
		straight := p.game.turnFrom(units, int(bearing(at, to)))
		for _, by := range []int{0, -8, 8, -16, 16} {
			m := &manoeuvre{Units: units, Does: charging, Turn: straight + by, Far: asFarAsItGoes, Prey: l}
			if p.game.wayFault(m) == nil {
				best, most = step{Does: charging, Prey: l, Turns: byWheel, Turn: m.Turn}, p.game.level(l)
				break
			}
		}
	}
	return best, most >= 0
}
