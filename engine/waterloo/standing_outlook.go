package waterloo

import (
	"fmt"
	"slices"
	"strings"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/engine/shape"
	"berthier/orders"
)

// What may be asked about any decision (section 5.3 of the digest): facts that the seat sees
// at its stop. Most are about the battle of the stop, or the unit that it is about.

// An outlook is what a seat sees where it owes a decision.
type outlook struct {
	view    *View
	b       *battleFrame // nil without a battle
	w       *windowFrame // nil without a window of artillery
	changed bool         // the enemy stands otherwise than where conditions were filed, or they were filed nowhere
}

// asked is what conditions about a decision are asked of.
func asked(v *View, _ engine.Decision, changed bool) outlook {
	return outlook{v, under[*battleFrame](v.game), under[*windowFrame](v.game), changed}
}

// watched writes how the enemy stands, which everybody sees.
func (v *View) watched() string {
	var s strings.Builder
	for _, id := range v.ofCamp(v.camp().enemy()) {
		u := v.Units[id]
		fmt.Fprintln(&s, id, u.At, u.Face, u.Reduced, u.Dead, u.Disordered)
	}
	for c := range v.Commanders {
		if c > 0 && v.lead(commanderID(c)).army.camp() != v.camp() {
			fmt.Fprintln(&s, v.Commanders[c].At)
		}
	}
	return s.String()
}

// subject is the unit that a stop is about: the one attacked, the one that has entered, the
// one that moves; 0 if there is none.
func (x outlook) subject() unitID {
	if under[*placeFrame](x.view.game) != nil {
		return 0 // it is about a commander
	}
	if x.w != nil && x.w.Unit != 0 {
		return x.w.Unit
	}
	if c := under[*cavalryFrame](x.view.game); c != nil {
		return c.Unit
	}
	if x.b != nil {
		return x.b.Target
	}
	if m := under[*moveFrame](x.view.game); m != nil {
		return m.Unit
	}
	return 0
}

// place is the square of the stop; 0 if it has none.
func (x outlook) place() square {
	switch id := x.subject(); {
	case x.b != nil && id == x.b.Target:
		return x.b.Square
	case id != 0:
		return x.view.Units[id].At
	}
	return 0
}

// some lists the units of a camp with which the stop is concerned: in its battle, else the
// one that it is about.
func (x outlook) some(c camp) (all []unitID) {
	if x.b == nil {
		if id := x.subject(); id != 0 && x.view.campOf(id) == c {
			all = append(all, id)
		}
		return all
	}
	if x.view.campOf(x.b.Target) == c {
		return append(all, x.b.Target)
	}
	return x.b.still()
}

// assailants counts the enemy units that attack in the battle of the stop.
func (x outlook) assailants() int {
	if x.b == nil || x.view.roleIn(x.b) != defending {
		return 0
	}
	return len(x.b.still())
}

// won tells whether the totals of a battle stand and a role has won: the attacker if they
// make the defender lose, the defender if they make an attacker lose (WAT-9.31, 9.35).
func (b *battleFrame) won(r role) bool {
	attack, defence := b.Attack.Total, b.Defence.Total
	if b.Stage < battleJudged {
		return false
	}
	if r == attacking {
		return attack > defence
	}
	return defence > 2*attack
}

// ofArm tells whether a unit is of an arm, by its word.
func (x outlook) ofArm(id unitID, word string) bool { return x.view.def(id).arm.String() == word }

// anyUnits are units of both camps.
var anyUnits = ofThose(func(v *View) []unitID { return append(v.ofCamp(v.camp()), v.ofCamp(v.camp().enemy())...) })

// A subject is a unit or an arm that conditions name.
type subject struct {
	id  unitID // 0: any of the arm
	arm string
}

// subjects are units and arms.
var subjects = namedBy[subject]{Shape: shape.Either(shape.Words(armWords[1:]...), unitShape),
	Read: func(v *View, r *orders.Reader, n *orders.Node) (subject, bool) {
		for _, word := range armWords[1:] {
			if r.Is(n, word) {
				return subject{arm: word}, true
			}
		}
		id, ok := anyUnits.Read(v, r, n)
		return subject{id: id}, ok
	},
	Write: func(sc *scenario, s subject) string {
		if s.arm != "" {
			return s.arm
		}
		return anyUnits.Write(sc, s.id)
	},
}

// enemyWords are what the enemy may be.
var enemyWords = append([]string{"none"}, armWords[1:]...)

// howMany is a measure that is a number of things.
func howMany(key string, of func(outlook) int) measure[outlook] {
	return play.Counted[*View, *scenario](key, "wat.comparison", of)
}

// fact is a measure that is a word alone.
func fact(key string, holds func(outlook) bool) measure[outlook] {
	return play.State[*View, *scenario](key, holds)
}

// outlookAsks are the measures that may be asked about any decision. The words of all
// rulesets come first.
var outlookAsks = measures[outlook]{
	fact("attacked", func(x outlook) bool { return x.assailants() > 0 }),
	ofBattle(fact("won", func(x outlook) bool { return x.b.won(x.view.roleIn(x.b)) })),
	ofBattle(fact("lost", func(x outlook) bool { return x.b.won(attacking + defending - x.view.roleIn(x.b)) })),
	play.Unchanged[*View, *scenario](func(x outlook) bool { return x.changed }),
	play.Is("at", someSquares, func(x outlook, q square) bool { return x.place() == q }),
	play.Is("of", subjects, func(x outlook, s subject) bool {
		id := x.subject()
		return id != 0 && (id == s.id || x.ofArm(id, s.arm))
	}),
	howMany("attacked-by", outlook.assailants),
	howMany("remaining", func(x outlook) int {
		if x.b != nil {
			return len(x.some(x.view.camp()))
		}
		return len(slices.DeleteFunc(x.view.ofCamp(x.view.camp()), func(id unitID) bool { return x.view.Units[id].At == 0 }))
	}),
	play.Is("enemy", play.Keyed[*View, *scenario](enemyWords), func(x outlook, word string) bool {
		all := x.some(x.view.camp().enemy())
		return len(all) == 0 && word == "none" || slices.ContainsFunc(all, func(id unitID) bool { return x.ofArm(id, word) })
	}),
	play.Is("taken", someSquares, func(x outlook, q square) bool {
		id := x.view.unitAt(q)
		return id != 0 && x.view.campOf(id) == x.view.camp()
	}),
	play.Is("free", someSquares, func(x outlook, q square) bool { return x.view.unitAt(q) == 0 }),
	play.Is("moved", anyUnits, func(x outlook, id unitID) bool { return x.view.Units[id].Moved }),

	play.Is("unit", anyUnits, func(x outlook, id unitID) bool { return x.b != nil && x.b.Target == id }),
	play.Is("square", someSquares, func(x outlook, q square) bool { return x.b != nil && x.b.Square == q }),
	play.Is("when", artilleryWindows, func(x outlook, w window) bool { return x.w != nil && x.w.Window == w }),
	howMany("turn", func(x outlook) int { return x.view.Turn }),
	howMany("hand", func(x outlook) (n int) {
		for a := french; a <= prussian; a++ {
			if x.view.own[a] {
				n += len(x.view.Decks[a].Hand)
			}
		}
		return n
	}),
	howMany("losses", func(x outlook) (n int) {
		for i := range x.view.roster {
			if x.view.own[x.view.roster[i].army] && x.view.Units[i+1].Dead {
				n++
			}
		}
		return n
	}),
	ofBattle(play.Compared[*View, *scenario]("odds", ":", "wat.comparison", func(x outlook) (own, enemy int) {
		return x.view.foreseen(x.b, x.view.roleIn(x.b), nil)
	})),
}

// ofBattle lets a measure hold in a battle only.
func ofBattle(m measure[outlook]) measure[outlook] {
	return play.Where(func(x outlook) bool { return x.b != nil }, m)
}
