package napoleon

import (
	"fmt"
	"slices"
	"strings"

	"berthier/engine"
	"berthier/engine/play"
)

// What may be asked about any decision (section 6 of the digest): facts that the side sees
// at its stop. Most are about the battle of the stop; without one, some are about the map.

// inTown is of which town the battle is.
var inTown = play.Is("at", someTowns, func(x scene, t townID) bool { return x.b != nil && x.b.town == t })

// inBattle lets a measure of battles hold in a battle only.
func inBattle(m measure[scene]) measure[scene] {
	return play.Where(func(x scene) bool { return x.b != nil }, m)
}

// asked is what conditions about a decision are asked of.
func asked(v *View, d engine.Decision) scene { return since(v, d, true) }

// since is what conditions that were filed ahead of a decision are asked of.
func since(v *View, d engine.Decision, changed bool) scene {
	return scene{world{v.game, v.battleOf(d)}, v.campOf(d.Side), changed}
}

// watched writes how the enemy stands, for all that the side sees.
func (v *View) watched() string {
	var s strings.Builder
	for i := range v.units {
		if u := &v.units[i]; u.army.camp() != v.camp() {
			fmt.Fprintln(&s, u.id, u.army, u.town, u.field, u.strength, u.disrupted, u.dead)
		}
	}
	fmt.Fprint(&s, v.losses)
	return s.String()
}

// there tells whether a unit is where the stop is: in the town of the battle, or on the map.
func (x scene) there(u *unit) bool {
	if x.b != nil {
		return u.present(x.b.town)
	}
	return u.town != noTown && !u.dead
}

// some counts the units of a camp that are where the stop is.
func (x scene) some(c camp) (n int) {
	for i := range x.game.units {
		if u := &x.game.units[i]; u.army.camp() == c && x.there(u) {
			n++
		}
	}
	return n
}

// assailants counts the enemy units that attack: in the battle of the stop, or in all.
func (x scene) assailants() (n int) {
	for i := range x.game.battles {
		b := &x.game.battles[i]
		if b.stage != finished && b.attacker != x.c && (x.b == nil || x.b == b) {
			n += x.game.blocks(b.town, b.attacker)
		}
	}
	return n
}

// decided tells whether the battle is over, and who has won it.
func (b *battle) decided() (winner camp, over bool) {
	switch b.stage {
	case withdrawing, routing, regrouping, finished:
		return b.won, !b.empty
	}
	return b.won, false
}

// about tells whether an own unit that the stop is about is the one named, or of the class:
// one of those that were fired at, or one that is where the stop is.
func (x scene) about(who quarry) bool {
	for i := range x.game.units {
		u := &x.game.units[i]
		if u.id == noUnit || u.army.camp() != x.c || !who.covers(u) {
			continue
		}
		if x.b != nil && x.b.hits != nil && x.b.hits.victims == x.c {
			if x.b.hits.mayHit(x.b, u) {
				return true
			}
		} else if x.there(u) {
			return true
		}
	}
	return false
}

// holds tells whether units of a camp, and none of the other, are in a town.
func (x scene) holds(t townID, c camp) bool {
	return x.game.blocks(t, c) > 0 && x.game.blocks(t, c.enemy()) == 0
}

// howMany is a measure that is a number of things.
func howMany(key string, of func(scene) int) measure[scene] {
	return play.Counted[*View, *scenario](key, "nap.plan-measure", of)
}

// fact is a measure that is a word alone.
func fact(key string, holds func(scene) bool) measure[scene] {
	return play.State[*View, *scenario](key, holds)
}

// The words of all rulesets.
var (
	commonMeasures = measures[scene]{
		fact("attacked", func(x scene) bool { return x.assailants() > 0 }),
		inBattle(fact("won", func(x scene) bool { winner, over := x.b.decided(); return over && winner == x.c })),
		inBattle(fact("lost", func(x scene) bool { winner, over := x.b.decided(); return over && winner != x.c })),
		inBattle(fact("routed", func(x scene) bool { return x.b.stage == routing && x.b.won != x.c })),
		play.Unchanged[*View, *scenario](func(x scene) bool { return x.changed }),
		inTown,
		play.Is("of", quarries, scene.about),
		howMany("attacked-by", scene.assailants),
		howMany("remaining", func(x scene) int { return x.some(x.c) }),
		word("enemy", enemyWords, func(x scene, word string) bool {
			return x.among(word, func(e *unit) bool { return e.army.camp() != x.c && x.there(e) })
		}),
		play.Is("taken", someTowns, func(x scene, t townID) bool { return x.holds(t, x.c) }),
		play.Is("free", someTowns, func(x scene, t townID) bool { return x.game.blocks(t, frenchCamp)+x.game.blocks(t, alliedCamp) == 0 }),
		play.Is("moved", ownUnits, func(x scene, id unitID) bool {
			return slices.ContainsFunc(x.game.units, func(u unit) bool { return u.id == id && (u.moved || u.came != noTown) })
		}),
	}
	sceneMeasures = append(commonMeasures,
		inBattle(routRisk),
		inBattle(reinforced),
		inBattle(inRole),
		howMany("turn", func(x scene) int { return x.game.turn + 1 }),
		howMany("losses", func(x scene) (n int) {
			for a, lost := range x.game.losses {
				if army(a).camp() == x.c {
					n += lost
				}
			}
			return n
		}),
		inBattle(battleTurn("battle-turn")),
		inBattle(ownStrength("strength")),
		inBattle(totals("odds", ":")),
	)
)
