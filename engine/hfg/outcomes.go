package hfg

import (
	"slices"

	"berthier/engine/geometry"
)

// Outcomes: chapter 15. Each table is read from the top: the first line that applies counts.

// An effect is what a combat does to one of the two.
type effect int8

const (
	unharmed       effect = iota
	halts                 // HFG-16.14
	recoils               // HFG-16.5
	falls                 // repulsed (HFG-16.6)
	runs                  // routed (HFG-16.7)
	dies                  // destroyed (HFG-16.1)
	tires                 // spent (HFG-16.2)
	hushed                // silenced (HFG-16.3)
	hurt                  // recoils, disabled (HFG-16.4)
	holed                 // damaged (HFG-16.16)
	charging              // HFG-16.10
	pressing              // forward (HFG-16.9)
	pursuing              // HFG-16.12
	passing               // through the enemy, and pursuing (HFG-15.2)
	boards                // of ships: into close combat (HFG-15.5)
	ablaze                // is set on fire (HFG-15.13)
	collapses             // of bridges (HFG-15.25)
	hushedOrFalls         // the owner chooses (HFG-15.11)
	pressesOrHalts        // the owner chooses (HFG-15.6)
)

// An outcome is a line of the tables.
type outcome struct {
	What   effect
	Clause string
	Low    int // the distance in paces, where the owner may choose: from
	High   int // to
}

// does makes an outcome without a distance, moves one with a distance, chooses one whose owner
// chooses the distance.
func does(clause string, what effect) outcome { return outcome{What: what, Clause: clause} }
func moves(clause string, what effect, far int) outcome {
	return outcome{What: what, Clause: clause, Low: far, High: far}
}
func chooses(clause string, what effect, low, high int) outcome {
	return outcome{What: what, Clause: clause, Low: low, High: high}
}

const (
	footRout   = 800  // unless told (HFG-R68)
	horseRout  = 1200 // of mounted
	repulseLow = 600  // of mounted, unless told (HFG-R70)
	repulseTop = 1200
)

// A verdict is what a combat comes to for one of the two.
type verdict struct {
	*standpoint
	is    result
	short int  // by how much its total is less
	press bool // the foe will press forward into contact with it (HFG-15.10)
}

// outcome is the line that applies.
func (v *verdict) outcome() outcome {
	o := v.line()
	if v.ignores(o.What) {
		return outcome{}
	}
	return o
}

// line is the line of the tables, whether or not it is ignored.
func (v *verdict) line() outcome {
	switch {
	case v.own.Bridge != "":
		if v.is == half {
			return does("HFG-15.25", collapses)
		}
		return outcome{}
	case v.as == 0 || v.own.Area != 0:
		return v.ofPlace()
	}
	switch v.is {
	case more:
		return v.more()
	case equal:
		return v.equal()
	case half:
		return v.half()
	}
	if v.close() {
		return v.lessClose()
	}
	return v.lessDistant()
}

// ofPlace is what happens to a BUA or SP that guns or ships shoot at (HFG-15.13, HFG-15.25).
func (v *verdict) ofPlace() outcome {
	c := v.game.ofClass(v.foe)
	if v.game.area(v.own.Area).square() && (c == artillery || c == naval) &&
		(v.is == half || v.is == less && v.game.area(v.own.Area).kind == bua) {
		return does("HFG-15.13", ablaze)
	}
	return outcome{}
}

// ignores says whether an outcome isn't carried out: of who shoots without being shot at
// (HFG-12.13), in a fight against a bridge (HFG-10.7), of who fights Aeronauts (HFG-19.1), and what
// leads routed troops forward, who stay where they are until their own turn (HFG-16.7).
func (v *verdict) ignores(what effect) bool {
	allowed := what == charging || what == pressing || what == pressesOrHalts
	switch {
	case v.foe.Bridge != "":
		return true
	case v.shoots && !v.shot:
		return !allowed
	case forwardEffect(what) && v.as != 0 && v.game.Elements[v.as].Spirit == routed:
		return true
	case v.close() && v.foe.Element != 0 && v.game.def(v.foe.Element).troop == aeronauts:
		return v.is != more
	case v.own.Element != 0 && v.game.walled(v.own.Element):
		return what != dies
	}
	return false
}

// def2 is the type of an element; 0 for none.
func (s *setting) def2(e elementID) troop {
	if e == 0 {
		return 0
	}
	return s.def(e).troop
}

// arms are what lines ask about the opponent.
func (v *verdict) arms() (class, troop) { return v.game.ofClass(v.foe), v.game.def2(v.foe.Element) }

// squareTroops says whether mounted may pass through troops of a type, as round unbroken
// squares or guns (HFG-15.2).
func (s *setting) squareTroops(e elementID) bool {
	t := s.def2(e)
	return t != 0 && (troops[t].class == artillery || s.year >= squaresFrom && (t == bayonets || t == lightInfantry || t == stoicFoot))
}

// squaresFrom is the first year in which foot that fight on in squares are passed through.
const squaresFrom = 1790

// more is what an element with the greater total does (HFG-15.3 to HFG-15.5).
func (v *verdict) more() outcome {
	c, _ := v.arms()
	switch v.game.class(v.as) {
	case mounted:
		if v.close() {
			return chooses("HFG-15.3", pursuing, pursuitLow, pursuitTop)
		}
		return does("HFG-15.3", charging)
	case foot, dismounted:
		body := c == mounted || c == foot || c == dismounted
		if v.close() || body || v.game.pressGuns != 0 {
			return moves("HFG-15.4", pressing, pressDistance)
		}
	case naval:
		return does("HFG-15.5", boards)
	}
	return outcome{}
}

// equal is what an element with an equal total does (HFG-15.2, HFG-15.6, HFG-15.8).
func (v *verdict) equal() outcome {
	c, t := v.arms()
	switch v.game.class(v.as) {
	case mounted, staff:
		switch {
		case !v.close():
		case v.game.squareTroops(v.foe.Element) && v.game.room(v.own.Element, v.foe.Element):
			return chooses("HFG-15.2", passing, passLow, passTop)
		case v.game.def(v.as).troop != lightHorse:
			return chooses("HFG-15.2", falls, repulseLow, repulseTop)
		}
	case foot, dismounted:
		ownTurn := v.game.def(v.as).side == v.game.phasing()
		if v.shot && !v.shoots && ownTurn && (c == foot || c == dismounted) {
			return moves("HFG-15.6", pressesOrHalts, pressDistance)
		}
		return does("HFG-15.6", halts)
	case naval:
		own := v.game.def(v.as)
		frail := func(d *elementDef) bool { return d.troop == submarine && d.is(inferior) }
		if v.close() && v.game.year <= 1877 && (frail(own) || t == submarine && frail(v.game.def(v.foe.Element))) {
			return does("HFG-15.8", dies)
		}
	}
	return outcome{}
}

// lessDistant is what fire does to an element with a total that is less, but more than half
// (HFG-15.9 to HFG-15.12).
func (v *verdict) lessDistant() outcome {
	c, _ := v.arms()
	d := v.game.def(v.as)
	switch v.game.class(v.as) {
	case mounted, staff:
		switch {
		case v.shotFromBehind():
			return moves("HFG-15.9", runs, horseRout)
		case c != artillery:
			return chooses("HFG-15.9", falls, repulseLow, repulseTop)
		case d.troop == lightHorse:
			return chooses("HFG-15.9", falls, 1600, 2400)
		}
		return does("HFG-15.9", recoils)
	case foot, dismounted:
		return v.lessFoot()
	case artillery:
		return v.lessGuns()
	case naval:
		if v.short >= 2 && (c == artillery || c == naval && v.game.def2(v.foe.Element) != submarine) {
			return does("HFG-15.12", holed)
		}
	}
	return outcome{}
}

// lessFoot is what fire does to foot and dismounted (HFG-15.10).
func (v *verdict) lessFoot() outcome {
	d := v.game.def(v.as)
	onFoot := v.game.class(v.as) == dismounted
	switch {
	case v.press:
		return does("HFG-15.10", halts)
	case v.dugIn():
		return does("HFG-15.10", hushed)
	case onFoot && (d.troop == dragoons || d.troop == repeaters):
		return chooses("HFG-15.10", falls, repulseLow, repulseTop)
	case (onFoot || d.troop == rifles || d.troop == breechloaders) && v.allBeyond(400):
		return does("HFG-15.10", halts)
	case d.troop == stoicFoot:
		return does("HFG-15.10", halts)
	}
	return does("HFG-15.10", recoils)
}

// lessGuns is what fire does to artillery (HFG-15.11, HFG-R104).
func (v *verdict) lessGuns() outcome {
	switch {
	case v.short < 2:
		return outcome{}
	case v.game.worksIn(v.as) == redoubt:
		return does("HFG-15.11", hushed)
	case v.game.footing(v.as) != good:
		return moves("HFG-15.11", hushedOrFalls, 200)
	case v.game.def(v.as).is(horse):
		return chooses("HFG-15.11", hushedOrFalls, 1200, 1600)
	}
	return moves("HFG-15.11", hushedOrFalls, 400)
}

// lessClose is what close combat does to an element with a total that is less, but more than
// half (HFG-15.14 to HFG-15.18).
func (v *verdict) lessClose() outcome {
	switch v.game.class(v.as) {
	case mounted:
		return v.lessMounted()
	case foot, staff:
		return v.lessOnFoot()
	case dismounted:
		return v.lessDismounted()
	case artillery:
		if c, _ := v.arms(); v.game.def(v.as).is(horse) && v.game.footing(v.as) == good && c == foot {
			return moves("HFG-15.17", runs, horseRout)
		}
		return does("HFG-15.17", dies)
	case naval:
		c, t := v.arms()
		switch {
		case v.game.def(v.as).troop == flotilla:
			return moves("HFG-15.18", falls, flotillaFlight)
		case t == submarine || t == flotilla:
			return does("HFG-15.18", dies)
		case c == naval:
			return does("HFG-15.18", holed)
		}
	}
	return outcome{}
}

// flotillaFlight is how far a repulsed Flotilla goes (HFG-R70).
const flotillaFlight = 1200

// lessMounted is HFG-15.14.
func (v *verdict) lessMounted() outcome {
	x := &v.game.Elements[v.as]
	_, by := v.arms()
	switch t := v.game.def(v.as).troop; {
	case v.foe.Element != 0 && v.game.Elements[v.foe.Element].Spirit == routed:
		return does("HFG-15.14", tires)
	case x.Spirit == routed:
		return does("HFG-15.14", dies)
	case (t == cuirassiers || t == heavyCavalry || t == dragoons || t == mountedRifles) && (by == sipahis || by == lightHorse):
		return does("HFG-15.14", dies)
	case x.Spirit == repulsed && x.Since == v.game.Turn || v.short >= 2:
		return moves("HFG-15.14", runs, horseRout)
	}
	return chooses("HFG-15.14", falls, repulseLow, repulseTop)
}

// lessOnFoot is HFG-15.15.
func (v *verdict) lessOnFoot() outcome {
	_, by := v.arms()
	arrived := v.foe.Element != 0 && v.game.Elements[v.foe.Element].Arrived
	held := v.game.Elements[v.as].Holds
	switch t := v.game.def(v.as).troop; {
	case v.game.footing(v.as) == good && v.ridden():
		return does("HFG-15.15", dies)
	case v.game.walled(v.as) || v.game.worksIn(v.as) == redoubt:
		return does("HFG-15.15", dies)
	case v.game.worksIn(v.as) == entrenchment || v.game.worksIn(v.as) == feature:
		return moves("HFG-15.15", runs, footRout)
	case held == 0 && v.game.inBUA(v.as):
		return moves("HFG-15.15", falls, 800)
	case held != 0 || v.game.inWood(v.as) || v.game.worksIn(v.as) == barricade:
		return does("HFG-15.15", recoils)
	case v.assaults():
		return moves("HFG-15.15", falls, 400)
	case t == stoicFoot:
		return does("HFG-15.15", recoils)
	case arrived && (by == firelocks || by == bayonets || by == lightInfantry || by == breechloaders || by == rifles):
		return moves("HFG-15.15", runs, footRout)
	case by == spearmen && (arrived || v.game.spearsArriving == 0):
		return does("HFG-15.15", dies)
	case v.flankTaken():
		return moves("HFG-15.15", runs, footRout)
	}
	return moves("HFG-15.15", falls, 400)
}

// lessDismounted is HFG-15.16.
func (v *verdict) lessDismounted() outcome {
	c, by := v.arms()
	held := v.game.Elements[v.as].Holds
	switch {
	case v.game.footing(v.as) == good && v.ridden():
		return does("HFG-15.16", dies)
	case held == 0 && v.game.inBUA(v.as) || v.game.worksIn(v.as) == barricade:
		return moves("HFG-15.16", falls, 1200)
	case held != 0 || v.game.inWood(v.as):
		return does("HFG-15.16", recoils)
	case v.assaults() || by == marksmen || c == artillery:
		return moves("HFG-15.16", falls, 400)
	case by == spearmen:
		return moves("HFG-15.16", falls, 800)
	}
	return moves("HFG-15.16", runs, horseRout)
}

// half is what happens to an element with half the other total or less (HFG-15.19 to
// HFG-15.24).
func (v *verdict) half() outcome {
	c, by := v.arms()
	d := v.game.def(v.as)
	switch k := v.game.class(v.as); {
	case k == staff:
		if v.close() || d.troop == potentate {
			return does("HFG-15.19", dies)
		}
		return does("HFG-15.19", hurt)
	case k == mounted && v.close() && c != mounted:
		return does("HFG-15.20", tires)
	case k == mounted && d.troop == lightHorse && (by == cuirassiers || by == heavyCavalry):
		return chooses("HFG-15.20", falls, repulseLow, repulseTop)
	case k == mounted:
		return does("HFG-15.20", dies)
	case d.troop == marksmen:
		return v.halfMarksmen()
	case k == naval:
		return v.halfNaval()
	case v.game.walled(v.as):
		if v.close() {
			return does("HFG-15.23", dies)
		}
		return outcome{}
	case v.game.Elements[v.as].Holds != 0 || v.game.inBUA(v.as):
		if v.close() {
			return does("HFG-15.23", dies)
		}
		return moves("HFG-15.23", runs, 400)
	case v.game.inWood(v.as):
		return moves("HFG-15.23", runs, footRout)
	case d.troop == pontoneers && !v.close():
		return moves("HFG-15.24", falls, 400)
	}
	return does("HFG-15.24", dies)
}

// halfMarksmen is HFG-15.21.
func (v *verdict) halfMarksmen() outcome {
	c, by := v.arms()
	switch {
	case !v.close():
		return moves("HFG-15.21", falls, 800)
	case v.game.inBUA(v.as) || v.game.Elements[v.as].Holds != 0 && !v.game.walled(v.as),
		c == mounted && v.game.footing(v.as) == good,
		c == foot && by != muskets && by != stoicFoot:
		return does("HFG-15.21", dies)
	}
	return moves("HFG-15.21", runs, horseRout)
}

// halfNaval is HFG-15.22.
func (v *verdict) halfNaval() outcome {
	c, by := v.arms()
	rammed := v.close() && (by == flotilla || by == submarine)
	heavyGuns := (by == mixed || by == rifled) && v.game.def(v.foe.Element).is(heavy)
	switch {
	case v.game.def(v.as).troop == ironclad:
		if rammed || heavyGuns || by == ironclad || by == flotilla && v.game.year >= 1876 {
			return does("HFG-15.22", dies)
		}
	case rammed || by == ironclad || by == steamer || by == sail || by == bombs || c == artillery:
		return does("HFG-15.22", dies)
	case c != naval && v.foe.Element != 0:
		return moves("HFG-15.22", falls, 400)
	}
	if c == naval || c == artillery {
		return does("HFG-15.22", holed) // HFG-R72
	}
	return outcome{}
}

// shotFromBehind says whether all who shoot at own do so from directly behind it (HFG-15.9,
// HFG-16.5).
func (v *verdict) shotFromBehind() bool {
	if v.game.Elements[v.as].Holds != 0 || len(v.shooters) == 0 {
		return false
	}
	b := v.game.body(v.as)
	for _, e := range v.shooters {
		o := v.game.body(e)
		if a := areaOf(&o); !behind(&b, &a, endless) {
			return false
		}
	}
	return true
}

// allBeyond says whether all who shoot at own are further off than so many paces (HFG-R110).
func (v *verdict) allBeyond(paces int) bool {
	for _, e := range v.shooters {
		if within(v.game.rangeTo(e, v.own), paces) {
			return false
		}
	}
	return len(v.shooters) > 0
}

// worksIn is the kind of the work behind which an element stands; 0: none.
func (g *game) worksIn(e elementID) work {
	if w := g.shelter(e); w != nil {
		return w.Kind
	}
	return 0
}

// dugIn says whether own is in a redoubt, an entrenchment or a feature.
func (v *verdict) dugIn() bool {
	k := v.game.worksIn(v.as)
	return k == redoubt || k == entrenchment || k == feature
}

// ridden says whether mounted enemies have their front on own's front or a flank.
func (v *verdict) ridden() bool {
	for _, e := range v.game.fronting(v.as) {
		if v.game.class(e) == mounted && (v.game.Elements[v.as].Holds != 0 || v.game.touchedSide(v.as, e) != geometry.Rear) {
			return true
		}
	}
	return false
}

// assaults says whether own attacks the edge of a BUA or SP, an entrenchment or a redoubt.
func (v *verdict) assaults() bool {
	e := v.foe.Element
	if e == 0 {
		return false
	}
	if v.game.Elements[e].Holds != 0 {
		return true
	}
	w := v.game.shelter(e)
	return w != nil && w.Kind != barricade && v.game.protects(e, w, v.own.Element)
}

// flankTaken says whether an enemy has its front on one of own's flanks.
func (v *verdict) flankTaken() bool {
	return slices.ContainsFunc(v.game.onFlanks(v.as), func(e elementID) bool { return v.game.touchedSide(v.as, e) != geometry.Rear })
}
