package napoleon

import (
	"slices"
	"strconv"

	"berthier/engine/play"
	"berthier/engine/shape"
	"berthier/orders"
)

// The conditions that lines of battle plans, and their ask-when, may have (section 5.3 of the digest).

type (
	condition       = play.Condition
	measure[X any]  = play.Measure[*View, *scenario, X]
	measures[X any] = play.Measures[*View, *scenario, X]
)

// A scene is a battle as one camp sees it, or the map if there is none.
type scene struct {
	world
	c       camp
	changed bool // the enemy stands otherwise than where conditions were filed, or they were filed nowhere
}

// A stander is a unit in its battle.
type stander struct {
	world
	u *unit
}

// scene is the battle as the unit's camp sees it.
func (x stander) scene() scene { return scene{world: x.world, c: x.u.army.camp()} }

// Measures of a battle.
var (
	routRisk   = play.State[*View, *scenario]("rout-risk", func(x scene) bool { return x.routRisk(x.c) })
	reinforced = play.State[*View, *scenario]("reinforced", func(x scene) bool { return x.b.reinforced > 0 && x.b.reinforced == x.b.number-1 })
	inRole     = play.Is("role", theRoles, func(x scene, r role) bool { return r.fits(x.b, x.c) })
)

// compared is a measure that is compared with a number, or with one number over another,
// which ratio separates; "" for a whole number.
func compared[X any](key, ratio string, of func(X) (a, b int)) measure[X] {
	unclear := "nap.plan-measure"
	if ratio == ":" {
		unclear = "nap.odds-measure"
	}
	return play.Compared[*View, *scenario](key, ratio, unclear, of)
}

// battleTurn counts the battle turns.
func battleTurn(key string) measure[scene] {
	return compared(key, "", func(x scene) (int, int) { return x.b.number, 1 })
}

// totals is the strength on the board over that of the enemy, as far as it is seen.
func totals(key, ratio string) measure[scene] {
	return compared(key, ratio, func(x scene) (int, int) { return x.strengths(x.c) })
}

// ownStrength is the strength on the board.
func ownStrength(key string) measure[scene] {
	return compared(key, "", func(x scene) (int, int) {
		own, _ := x.strengths(x.c)
		return own, 1
	})
}

// askMeasures are the conditions for which a plan hands the battle turn back to the player.
var askMeasures = measures[scene]{routRisk, reinforced, ownStrength("strength"), battleTurn("turn")}

// theRoles are the roles in a battle, by name.
var theRoles = namedBy[role]{Shape: shape.Words(roleWords[1:]...),
	Read: func(_ *View, r *orders.Reader, n *orders.Node) (role, bool) {
		word, ok := r.Word(n, roleWords[1:]...)
		return role(max(0, slices.Index(roleWords[:], word))), ok
	},
	Write: func(_ *scenario, r role) string { return roleWords[r] },
}

// unitClasses are classes of units.
var unitClasses = namedBy[quarry]{Shape: shape.Words(classWords...), Again: true,
	Read: func(_ *View, r *orders.Reader, n *orders.Node) (quarry, bool) {
		class, ok := r.Word(n, classWords...)
		return quarry{class: class, unit: noUnit}, ok
	},
	Write: quarries.Write,
}

// namedUnits are own units.
var namedUnits = namedBy[quarry]{Shape: unitShape, Again: true,
	Read: func(v *View, r *orders.Reader, n *orders.Node) (quarry, bool) {
		id, ok := ownUnits.Read(v, r, n)
		return quarry{unit: id}, ok
	},
	Write: quarries.Write,
}

// isOf tells whether a unit is one of the units or classes named.
func isOf(x stander, who []quarry) bool { return rank(who, x.u) < len(who) }

// word is a measure that is one of some words.
func word[X any](key string, words []string, holds func(X, string) bool) measure[X] {
	return play.Is(key, play.Keyed[*View, *scenario](words), holds)
}

// unitMeasures are those of the lines of a plan.
var unitMeasures = measures[stander]{
	play.State[*View, *scenario]("engaged", func(x stander) bool { return x.game.inContact(x.b, x.u) }),
	play.State[*View, *scenario]("unengaged", func(x stander) bool { return !x.game.inContact(x.b, x.u) }),
	play.Seen(routRisk, stander.scene),
	word("in", inWords, func(x stander, word string) bool {
		switch word {
		case "reserve":
			return x.u.field == reserve
		case "own":
			return x.b.own(x.u.field, x.u.army.camp())
		}
		return x.b.forward(x.u.field, x.u.army.camp())
	}),
	word("pos", placeWords[:], func(x stander, word string) bool {
		f := x.u.field
		if x.b.forward(f, x.u.army.camp()) {
			f = f.opposite()
		}
		return x.b.called(f, x.u.army.camp()) == word
	}),
	play.Among("type", "nap.act-nobody", false, unitClasses, isOf),
	play.Among("unit", "nap.act-nobody", false, namedUnits, isOf),
	compared("strength", "", func(x stander) (int, int) { return int(x.u.strength), 1 }),
	word("enemy", enemyWords, func(x stander, word string) bool { return x.faces(x.u, word) }),
	play.Seen(battleTurn("battle-turn"), stander.scene),
	play.Seen(totals("total", "/"), stander.scene),
	play.Seen(inRole, stander.scene),
}

// partIn is the role that an order is for; any is none that it asks for.
var partIn = play.Is("role", namedBy[role]{Shape: shape.Words(roleWords[:]...),
	Read: func(_ *View, r *orders.Reader, n *orders.Node) (role, bool) {
		word, ok := r.Word(n, roleWords[:]...)
		return role(slices.Index(roleWords[:], word)), ok && word != roleWords[anyRole]
	},
	Write: theRoles.Write,
}, func(x scene, r role) bool { return r.fits(x.b, x.c) })

// onTurn is for which turn of the game an order is.
var onTurn = play.Is("turn", namedBy[int]{Shape: shape.Number(1, mostNamed),
	Read:  func(v *View, r *orders.Reader, n *orders.Node) (int, bool) { return r.Int(n, 1, len(v.turns)) },
	Write: func(_ *scenario, turn int) string { return strconv.Itoa(turn) },
}, func(x scene, turn int) bool { return turn == x.game.turn+1 })

// orderMeasures are those of orders that are for one battle or turn.
var orderMeasures = measures[scene]{inTown, partIn, onTurn}

// ofDeploy gives the conditions of such an order, as ofMoves and ofPlan do.
func ofDeploy(o *deployOrder) *[]condition { return &o.when }
func ofMoves(o *movesOrder) *[]condition   { return &o.when }
func ofPlan(pl *plan) *[]condition         { return &pl.when }
