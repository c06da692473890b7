package hfg

import (
	"fmt"
	"slices"
	"strings"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/engine/shape"
	"berthier/orders"
)

// What may be asked about any decision (section 5.4 of the digest): facts that the seat sees at its
// stop. Some are about the element that the stop is about, and about the enemy who brought it about.

// An outlook is what a seat sees where it owes a decision.
type outlook struct {
	view       *View
	own, enemy elementID // whom the stop is about, and the enemy of that combat; 0: nobody
	changed    bool      // the enemy stands otherwise than where conditions were filed, or they were filed nowhere
}

// outlookOf is what conditions about a decision are asked of.
func outlookOf(v *View, _ engine.Decision, changed bool) outlook {
	x := outlook{view: v, changed: changed}
	if q := v.Fray.Asks; q != nil && v.owns(q.Of) {
		x.own = q.Of
		if q.By != 0 && v.on(q.By) {
			x.enemy = q.By
		}
	}
	return x
}

// watched writes how the enemies stand whom the seat knows.
func (v *View) watched() string {
	var s strings.Builder
	for _, e := range v.standing() {
		if x := &v.Elements[e]; v.of == noSide || v.def(e).side != v.of {
			fmt.Fprintln(&s, v.def(e).id, x.At, x.Facing, x.Holds, x.Inside, x.Spirit, x.Silenced, x.Damaged)
		}
	}
	return s.String()
}

// mine lists the elements of the seat on the field.
func (x outlook) mine() []elementID {
	return slices.DeleteFunc(x.view.standing(), func(e elementID) bool { return !x.view.owns(e) })
}

// subjects are the elements that a condition looks at: the one that the stop is about, else all of the
// seat.
func (x outlook) subjects() []elementID {
	if x.own != 0 {
		return []elementID{x.own}
	}
	return x.mine()
}

// attacked says whether an enemy touches whom the stop is about, or, where it is about nobody, anybody
// of the seat.
func (x outlook) attacked() bool {
	return slices.ContainsFunc(x.subjects(), x.view.touched)
}

// distance is how near the nearest known enemy is to whom the stop is about, or to anybody of the seat,
// in paces, and no more than is compared.
func (x outlook) distance() int {
	least := farthestAsked
	for _, e := range x.subjects() {
		if !x.view.on(e) {
			continue
		}
		b := x.view.body(e)
		for _, o := range x.view.standing() {
			if x.view.enemies(e, o) && !x.view.Elements[o].Concealed {
				foe := x.view.body(o)
				least = min(least, paces(between(&b, &foe)))
			}
		}
	}
	return least
}

// farthestAsked is the greatest distance that conditions tell apart, in paces.
const farthestAsked = 999

// pipsLeft are the PIPs that the commands of the seat have left.
func (x outlook) pipsLeft() int {
	n := 0
	for c := commandID(1); int(c) < len(x.view.Commands); c++ {
		if x.view.leads(c) {
			n += max(x.view.pips(c), 0)
		}
	}
	return n
}

// losses are how many elements the side has lost (HFG-17.1).
func (x outlook) losses() int {
	n := 0
	for e := elementID(1); int(e) < len(x.view.Elements); e++ {
		if x.view.def(e).side == x.view.of && x.view.lost(e) {
			n++
		}
	}
	return n
}

// A subject is an element, or any of a type or class, by its word; none is nobody.
type subject string

// subjectWords are the types and classes of elements.
var subjectWords = func() []string {
	all := slices.Clone(classWords[1:])
	for t := hq; t < troopsEnd; t++ {
		all = append(all, t.String())
	}
	return all
}()

// elementShape is how an element, a type or a class is named.
var elementShape = shape.Name("troops")

// subjectOf reads a subject: one of the seat's own elements, or one of the enemies whom it knows.
func subjectOf(own bool, words ...string) play.NamedBy[*View, *scenario, subject] {
	how := elementShape
	if len(words) > 0 {
		how = shape.Either(shape.Words(words...), elementShape)
	}
	return play.NamedBy[*View, *scenario, subject]{Shape: how,
		Read: func(v *View, r *orders.Reader, n *orders.Node) (subject, bool) {
			for _, w := range words {
				if r.Is(n, w) {
					return subject(w), true
				}
			}
			id, ok := (&caseReader{w: &fireWorld{v: v, board: v.game}, r: r}).name(n, own)
			return subject(id), ok
		},
		Write: func(_ *scenario, s subject) string { return string(s) },
	}
}

// fits says whether an element is meant.
func (x outlook) fits(e elementID, s subject) bool {
	if e == 0 {
		return s == "none"
	}
	return x.view.among(e, string(s))
}

// counted is a measure that is a number.
func counted(key string, of func(outlook) int) play.Measure[*View, *scenario, outlook] {
	return play.Counted[*View, *scenario](key, "hfg.comparison", of)
}

// outlookAsks are the measures. The words of all rulesets come first.
var outlookAsks = play.Measures[*View, *scenario, outlook]{
	play.State[*View, *scenario]("attacked", outlook.attacked),
	play.Unchanged[*View, *scenario](func(x outlook) bool { return x.changed }),
	play.Is("of", subjectOf(true), func(x outlook, s subject) bool { return x.own != 0 && x.fits(x.own, s) }),
	counted("remaining", func(x outlook) int { return len(x.mine()) }),
	play.Is("enemy", subjectOf(false, "none"), func(x outlook, s subject) bool { return x.fits(x.enemy, s) }),
	counted("turn", func(x outlook) int { return x.view.pair() }),
	counted("losses", outlook.losses),
	counted("distance", outlook.distance),
	counted("pips", outlook.pipsLeft),
}
