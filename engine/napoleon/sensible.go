package napoleon

import (
	"math/rand/v2"
	"slices"
)

// The sensible player does what a fair club player would do. It knows what the side sees,
// and judges what is legal by the same code as order files. It looks one decision ahead
// and knows the advice of NAP-13.1 and NAP-13.2, nothing more. Chance only breaks ties and
// picks openings.

// might is what a unit is worth in a fight: its strength, weighed with its fire.
// A block counts as the mean of its army.
func (g *game) might(u *unit) int {
	if u.id != noUnit {
		return int(u.strength) * (int(u.fire) + 1)
	}
	return g.mean(u.army)
}

// mean is the might of an average unit of an army as it began.
func (g *game) mean(a army) int {
	sum, n := 0, 0
	for i := range g.roster {
		if d := &g.roster[i]; d.army == a {
			sum += int(d.strength) * (int(d.fire) + 1)
			n++
		}
	}
	return sum / max(n, 1)
}

// help is two thirds of the might that a camp could bring to a battle by the roads in two
// battle turns (NAP-6.34).
func (g *game) help(b *battle, c camp) int {
	sum := 0
	for _, r := range g.towns[b.town].roads {
		t := g.roads[r].from(b.town)
		if g.battleIn(t) != nil {
			continue
		}
		all, n := 0, 0
		for i := range g.units {
			if u := &g.units[i]; u.present(t) && !u.disrupted && u.army.camp() == c {
				all += g.might(u)
				n++
			}
		}
		if n > 0 {
			sum += all * min(n, 2*g.numbers.battleRoad.of(g.roads[r])) / n
		}
	}
	return sum * 2 / 3
}

// forces gives the force of both camps in a battle, with what may come.
func (g *game) forces(b *battle, c camp) (mine, theirs int) {
	for i := range g.units {
		if u := &g.units[i]; u.present(b.town) {
			if u.army.camp() == c {
				mine += g.might(u)
			} else {
				theirs += g.might(u)
			}
		}
	}
	return mine + g.help(b, c), theirs + g.help(b, c.enemy())
}

// hopeless tells whether a camp should leave a battle: it has less than three
// fifths of the enemy's force, or less than half if the town supplies it.
func (g *game) hopeless(b *battle, c camp) bool {
	mine, theirs := g.forces(b, c)
	if t := &g.towns[b.town]; t.loss > 0 && c == alliedCamp {
		return mine*2 < theirs
	}
	return mine*5 < theirs*3
}

// senseOrder fights the battles first in which the side is strongest, so that the winners
// can help elsewhere.
func senseOrder(x *saying[*ordering], _ *rand.Rand) {
	x.World.say(x, x.View.bestOdds())
}

// senseTerrain puts terrain that helps into the centre, and terrain that hinders on a
// wing: an attacker keeps streams and woods out of his way, a defender behind them holds a
// wing with few units (NAP-13.1).
func senseTerrain(x *saying[*laying], chance *rand.Rand) {
	wing := chance.IntN(2) * 2
	for _, what := range x.World.drawn {
		if what == wood || what == stream {
			layFirst(x, what, wing, 2-wing, 1)
		} else {
			layFirst(x, what, 1, wing, 2-wing)
		}
	}
}

// senseReinforce brings all that the roads take, the strongest first, to a battle
// that can be won, and leaves one unit in a supply town (NAP-6.34).
func senseReinforce(x *saying[*bringing], _ *rand.Rand) {
	v, b := x.View, x.World.b
	if v.hopeless(b, v.camp()) {
		return
	}
	for _, road := range v.towns[b.town].roads {
		t := v.roads[road].from(b.town)
		group := v.byMight(v.group(t))
		spare := len(group)
		if v.towns[t].loss > 0 {
			spare--
		}
		for _, id := range group {
			if spare <= 0 {
				break
			}
			if x.Try("reinforce", place{id, t}) {
				spare--
			}
		}
	}
}

// byMight sorts units, the strongest first.
func (v *View) byMight(ids []unitID) []unitID {
	slices.SortStableFunc(ids, func(x, y unitID) int { return v.might(v.unit(y)) - v.might(v.unit(x)) })
	return ids
}

// senseRegroup brings units into a town that was won if the enemy could attack it
// with more force than stands there (NAP-7.5).
func senseRegroup(x *saying[*regroups], _ *rand.Rand) {
	v, b := x.View, x.World.b
	mine, near := 0, 0
	for i := range v.units {
		u := &v.units[i]
		if u.dead || u.town == noTown {
			continue
		}
		if u.present(b.town) && u.army.camp() == v.camp() {
			mine += v.might(u)
		} else if _, joined := v.roadBetween(u.town, b.town); joined && u.army.camp() != v.camp() {
			near += v.might(u)
		}
	}
	for _, road := range v.towns[b.town].roads {
		t := v.roads[road].from(b.town)
		if v.towns[t].loss > 0 {
			continue
		}
		for _, id := range v.byMight(v.group(t)) {
			if mine >= near {
				return
			}
			if x.Try("regroup", shift{true, place{id, t}}) {
				mine += v.might(v.unit(id))
			}
		}
	}
}
