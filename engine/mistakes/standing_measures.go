package mistakes

import (
	"fmt"
	"slices"
	"strings"

	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/engine/shape"
	"berthier/orders"
)

// What may be asked about any decision (section 5.1 of the digest): facts that the seat sees at its
// stop. Most are about the unit that the stop is about, and about the enemy that faces it there.

// An outlook is what a seat sees where it owes a decision.
type outlook struct {
	view       *View
	own, enemy unitID // whom the stop is about, and who faces him; 0: nobody
	declared   *move  // the manoeuvre that is made next; nil: none
	changed    bool   // the enemy stands otherwise than where conditions were filed, or they were filed nowhere
}

// outlookOf is what conditions about a decision are asked of.
func outlookOf(v *View, _ engine.Decision, changed bool) outlook {
	x := outlook{view: v, changed: changed}
	pair := func(a, b unitID) {
		if x.own, x.enemy = a, b; a != 0 && !v.owns(v.def(a).army) {
			x.own, x.enemy = b, a
		}
	}
	switch m, ok := v.declared(); {
	case v.Combat != nil && v.Combat.Melee != nil:
		pair(v.Combat.Melee.Attacker, v.Combat.Melee.Defender)
	case v.rush() != nil && v.rush().Target != 0:
		pair(v.rush().Target, v.rush().Units[0])
	case v.Under.Gun != 0:
		pair(v.Under.Target, v.Under.Gun)
	case v.Phase == manoeuvring && ok:
		x.declared = &m
		if units := v.unitsOf(m); len(units) > 0 {
			pair(m.First.Target, units[0])
		}
	}
	return x
}

// watched writes how the enemy stands, which everybody sees.
func (v *View) watched() string {
	var s strings.Builder
	own := seatArmy(v.side)
	for u := unitID(1); int(u) < len(v.Units); u++ {
		if x := &v.Units[u]; own == noArmy || !v.def(u).army.allied(own) {
			fmt.Fprintln(&s, u, x.At, x.Heading, x.Losses, x.Yellow, x.Smoke, x.Limber, x.Gone)
		}
	}
	for i := range v.Formations {
		if f := &v.Formations[i]; own == noArmy || !v.army(f.Corps).allied(own) {
			fmt.Fprintln(&s, f.ID, f.Units, f.Green, f.Orange)
		}
	}
	for l := leaderID(1); int(l) < len(v.Leaders); l++ {
		if own == noArmy || !v.lead(l).army.allied(own) {
			fmt.Fprintln(&s, l, v.Leaders[l].At, v.Leaders[l].Attached, v.Leaders[l].Markers)
		}
	}
	return s.String()
}

// attacked says whether the enemy attacks whom the stop is about.
func (x outlook) attacked() bool {
	switch {
	case x.own == 0:
		return false
	case x.view.Combat != nil && x.view.Combat.Melee != nil:
		return x.view.Combat.Melee.Defender == x.own
	case x.declared != nil:
		return x.declared.First.Target == x.own
	}
	return true // a gun that is charged, a target that was fired at
}

// distance is how near the manoeuvre that is made next brings its units to one of the seat, from
// centre to centre, in whole millimetres; of no manoeuvre it is farther than any.
func (x outlook) distance() int {
	return x.nears(func(g *game, u unitID) bool { return x.view.owns(g.def(u).army) })
}

// nears is the same of some units.
func (x outlook) nears(is func(*game, unitID) bool) int {
	if x.declared == nil {
		return mostFar
	}
	after := x.view.trial()
	after.tries(*x.declared)
	least := int64(mostFar) * ringStep
	for _, u := range after.unitsOf(*x.declared) {
		for _, own := range after.standing() {
			if is(after, own) {
				least = min(least, geometry.Dist(geometry.Point(after.Units[u].At), geometry.Point(after.Units[own].At)))
			}
		}
	}
	return int(least / ringStep)
}

// balance is how much better the modifiers of the seat are in a melee than those of the enemy, as far
// as they are known.
func (x outlook) balance() int {
	if x.view.Combat == nil || x.view.Combat.Melee == nil {
		return 0
	}
	i := 0
	if x.view.Combat.Melee.Defender == x.own {
		i = 1
	}
	return sum(x.view.meleeModifiers(i)) - sum(x.view.meleeModifiers(1-i))
}

// named are things of the field as conditions name them.
type namedBy[T comparable] = play.NamedBy[*View, *scenario, T]

var someUnits = namedBy[unitID]{Shape: units.Shape, Read: units.Read,
	Write: func(s *scenario, u unitID) string { return s.def(u).id }}

// A subject is a unit, or any of an arm.
type subject struct {
	unit unitID
	arm  arm
}

var subjects = namedBy[subject]{Shape: shape.Either(shape.Words(armWords[1:]...), units.Shape),
	Read: func(v *View, r *orders.Reader, n *orders.Node) (subject, bool) {
		for i, word := range armWords {
			if word != "" && r.Is(n, word) {
				return subject{arm: arm(i)}, true
			}
		}
		u, ok := units.Read(v, r, n)
		return subject{unit: u}, ok
	},
	Write: func(s *scenario, x subject) string {
		if x.arm != 0 {
			return armWords[x.arm]
		}
		return s.def(x.unit).id
	},
}

// An advanceReach is a unit, and so many millimetres from its centre.
type advanceReach struct {
	of unitID
	mm int
}

// reachShape is {of: red-7, mm: 40}.
var reachShape = shape.Record(shape.Need("of", units.Shape), shape.Need("mm", shape.Number(1, mostFar)))

// within asks whether the manoeuvre that is made next brings its units so near to a unit.
var within = play.Measure[*View, *scenario, outlook]{Key: "advance-within", Shape: reachShape,
	Read: func(v *View, r *orders.Reader, n *orders.Node) (any, bool) {
		var at advanceReach
		since, f := len(r.Problems), r.Fields(n, "of", "mm")
		if of := r.Require(f, "of"); of != nil {
			at.of, _ = units.Read(v, r, of)
		}
		if mm := r.Require(f, "mm"); mm != nil {
			at.mm, _ = r.Int(mm, 1, mostFar)
		}
		return at, len(r.Problems) == since
	},
	Write: func(s *scenario, value any) *orders.Node {
		at := value.(advanceReach)
		return orders.Inline().Set("of", orders.Text(s.def(at.of).id)).Set("mm", orders.Number(at.mm))
	},
	Holds: func(x outlook, value any) bool {
		at := value.(advanceReach)
		return x.declared != nil && x.nears(func(_ *game, u unitID) bool { return u == at.of }) <= at.mm
	},
}

// fact is a measure that is a word alone, number one that is a number.
func fact(key string, holds func(outlook) bool) play.Measure[*View, *scenario, outlook] {
	return play.State[*View, *scenario](key, holds)
}

func number(key string, of func(outlook) int) play.Measure[*View, *scenario, outlook] {
	return play.Counted[*View, *scenario](key, "em.comparison", of)
}

// outlookAsks are the measures. The words of all rulesets come first.
var outlookAsks = play.Measures[*View, *scenario, outlook]{
	fact("attacked", outlook.attacked),
	play.Unchanged[*View, *scenario](func(x outlook) bool { return x.changed }),
	play.Is("of", subjects, func(x outlook, s subject) bool {
		return x.own != 0 && (x.own == s.unit || x.view.def(x.own).arm == s.arm)
	}),
	number("remaining", func(x outlook) int {
		return len(slices.DeleteFunc(x.view.standing(), func(u unitID) bool { return !x.view.owns(x.view.def(u).army) }))
	}),
	play.Is("enemy", play.Keyed[*View, *scenario](append([]string{"none"}, armWords[1:]...)), func(x outlook, word string) bool {
		if x.enemy == 0 {
			return word == "none"
		}
		return armWords[x.view.def(x.enemy).arm] == word
	}),
	play.Is("moved", someUnits, func(x outlook, u unitID) bool { return x.view.Units[u].Manoeuvred }),
	number("turn", func(x outlook) int { return x.view.Turn }),
	number("losses", func(x outlook) int {
		if x.own == 0 {
			return 0
		}
		return x.view.Units[x.own].Losses
	}),
	number("balance", outlook.balance),
	fact("charge", func(x outlook) bool { return x.declared != nil && x.declared.First.Does == charging }),
	play.Is("charge-on", someUnits, func(x outlook, u unitID) bool {
		if x.declared == nil || x.declared.First.Target == 0 {
			return false
		}
		f := x.view.of(u)
		return x.declared.First.Target == u || f != nil && slices.Contains(f.Units, x.declared.First.Target)
	}),
	number("near", outlook.distance),
	within,
}
