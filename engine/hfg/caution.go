package hfg

import (
	"slices"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

var _ engine.Cautious = Ruleset{}

// Kinds of moves that are legal but odd, by the sentences that tell them.
const (
	oddOpen   = "hfg.odd-open"   // an element ends in the open, and an enemy may charge it with the factors on his side
	oddMasked = "hfg.odd-masked" // a gun has no target because friends stand in its lane
	oddLoose  = "hfg.odd-loose"  // elements end out of reach of their general
)

// oddHolds are the kinds at which a player had better look again.
var oddHolds = []string{oddOpen, oddMasked}

// Cautions implements [engine.Cautious]. What is odd is judged on the field as it is when all that
// was ordered has gone as it is written, by what the seat sees of the enemy.
func (r Ruleset) Cautions(view engine.View, d engine.Decision, given engine.Answer) []engine.Caution {
	v := view.(*View)
	w, ok := play.World[*View, *turnWorld](given.(play.Answer).Reply)
	if !ok || len(w.moves) == 0 || given.Orders().Encode() == r.Default(view, d).Orders().Encode() {
		return nil
	}
	all := v.oddOpen(w)
	all = append(all, v.oddMasked(w)...)
	return append(all, v.oddLoose(w)...)
}

// displaced says whether orders leave an element elsewhere than it stands, or with another facing.
func (v *View) displaced(w *turnWorld, e elementID) bool {
	was, is := &v.Elements[e], &w.board.Elements[e]
	return was.At != is.At || was.Facing != is.Facing || was.Holds != is.Holds
}

// poorOdds is by how much an enemy's total before the dice must be the greater for a march within his
// reach to be odd.
const poorOdds = 2

// oddOpen warns of elements that were moved and touch nobody, on good going and behind no works, where
// an enemy is near enough to come into contact with factors that are much better (HFG-11.2).
func (v *View) oddOpen(w *turnWorld) []engine.Caution {
	var list []engine.Caution
	g := w.board
	foes := w.foes()
	for _, e := range g.standing() {
		if !v.owns(e) || !v.displaced(w, e) || g.touched(e) || g.entrenched(e) || g.footing(e) != good {
			continue
		}
		if by, own, foe := g.charger(e, foes); foe-own >= poorOdds {
			list = append(list, play.Odd(oddHolds, oddOpen, "HFG-11.2", v.elementArg("element", e), v.elementArg("other", by), phrase.Number("own", own), phrase.Number("foe", foe)))
		}
	}
	return list
}

// charger is the enemy who may come into contact with an element with the best factors, with both
// totals before the dice; 0: nobody may. Who is in contact already stays there.
func (g *game) charger(e elementID, foes []elementID) (by elementID, own, foe int) {
	b := g.body(e)
	for _, o := range foes {
		if k := g.class(o); k != mounted && k != foot && k != dismounted || g.Elements[o].Spirit != steady || g.Elements[o].Holds != 0 || g.touched(o) {
			continue
		}
		x := g.body(o)
		if !within(between(&b, &x), g.contactReach(o)) {
			continue
		}
		p, ok := g.contact([]elementID{o}, e)
		if !ok {
			continue
		}
		one := order{Verb: verbContact, Of: g.def(o).id, Enemy: g.def(e).id}
		if his, mine := g.meeting(&one, p, o, e); by == 0 || his-mine > foe-own {
			by, own, foe = o, mine, his
		}
	}
	return by, own, foe
}

// oddMasked warns of guns that had a target before the moves, or were moved themselves, and have none
// after them because friends stand in the way (HFG-12.7).
func (v *View) oddMasked(w *turnWorld) []engine.Caution {
	var list []engine.Caution
	g := w.board
	for _, e := range g.standing() {
		if !v.owns(e) || g.class(e) != artillery || g.noShot(e) != nil || len(g.targets(e)) > 0 {
			continue
		}
		if !v.displaced(w, e) && len(v.targets(e)) == 0 {
			continue
		}
		if by := g.masker(e); by != 0 {
			list = append(list, play.Odd(oddHolds, oddMasked, "HFG-12.7", v.elementArg("element", e), v.elementArg("other", by)))
		}
	}
	return list
}

// masker is the friend nearest to a gun that has no target whose going would give it one; 0: no friend's
// would.
func (g *game) masker(e elementID) elementID {
	friends := slices.DeleteFunc(g.standing(), func(o elementID) bool {
		return o == e || g.enemies(e, o) || g.Elements[o].Holds != 0
	})
	lifted := func(all ...elementID) bool {
		open := g.trial()
		for _, o := range all {
			open.remove(o, left)
		}
		return len(open.targets(e)) > 0
	}
	if !lifted(friends...) {
		return 0
	}
	slices.SortStableFunc(friends, func(a, b elementID) int { return paces(g.apart(e, a)) - paces(g.apart(e, b)) })
	for i, o := range friends {
		if lifted(o) || lifted(friends[:i+1]...) {
			return o
		}
	}
	return 0
}

// oddLoose warns of elements in reach of their general before the moves that are out of it after them:
// each of their moves costs a PIP more (HFG-7.5, HFG-7.7). One warning a command.
func (v *View) oddLoose(w *turnWorld) []engine.Caution {
	var list []engine.Caution
	g := w.board
	for c := commandID(1); int(c) < len(g.Commands); c++ {
		general := g.lead(c).general
		if !v.leads(c) || general == 0 || !g.on(general) {
			continue
		}
		var away []elementID
		for _, e := range g.standing() {
			if e != general && g.command(e) == c && g.Elements[e].Holds == 0 && !v.loose([]elementID{e}) && g.loose([]elementID{e}) {
				away = append(away, e)
			}
		}
		if len(away) > 0 {
			list = append(list, play.Odd(oddHolds, oddLoose, "HFG-7.7", v.elementsArg("elements", away), v.elementArg("general", general)))
		}
	}
	return list
}

// elementsArg names several elements.
func (g *game) elementsArg(name string, all []elementID) phrase.Arg {
	return phrase.NamesOf(name, "element", all, func(e elementID) string { return g.def(e).id })
}
