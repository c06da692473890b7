package mistakes

import (
	"berthier/engine"
	"berthier/engine/sheet"
	"berthier/orders/phrase"
)

var _ engine.Introducing = Ruleset{}

// letters is about how many a seat writes in ten turns, as docs/pace.md counts them.
var letters = map[string]int{engine.Postal: 61, engine.EveryDecision: 90, engine.ByPlan: 62}

// Introduce implements [engine.Introducing].
func (Ruleset) Introduce(view engine.View) engine.Introduction {
	v, ok := view.(*View)
	if !ok {
		return engine.Introduction{}
	}
	last := phrase.Number("last", v.last())
	wins := phrase.Say("em.intro.wins", last, phrase.Phrases("towns", v.townsThatCount()))
	switch v.length().scoring {
	case scoreShort:
		wins = phrase.Say("em.intro.wins-short", last)
	case scoreFree:
		wins = phrase.Say("em.intro.wins-free", last, phrase.Phrases("towns", v.townsOfFree()), phrase.Phrases("generals", v.generalsOfFree()))
	}
	x := engine.Introduction{
		Game:    []phrase.Phrase{phrase.Say("em.intro.game"), wins, v.whatCounts(), phrase.Say("em.intro.fallen"), phrase.Say("em.intro.turn")},
		Letters: map[string]int{},
	}
	for pace, n := range letters {
		x.Letters[pace] = n * (v.last() - v.length().turns[0] + 1) / 10
	}
	for _, u := range v.standing() {
		if f := v.of(u); f != nil && v.owns(v.def(u).army) {
			at := v.Units[u].At
			x.Signs = append(x.Signs, phrase.Say("em.intro.unit", v.unitArg("unit", u), placeArg("place", at)),
				phrase.Say("em.intro.formation", phrase.Literal("formation", f.ID)))
			break
		}
	}
	x.Signs = append(x.Signs, phrase.Say("em.intro.heading"))
	for l := leaderID(1); int(l) < len(v.Leaders); l++ {
		if d := v.lead(l); d.role == general && v.owns(d.army) && v.inField(l) {
			x.Signs = append(x.Signs, phrase.Say("em.intro.leader", sheet.Filled("leader", sheet.Name("leader", d.id)), phrase.Literal("id", d.id)))
			break
		}
	}
	return x
}

// whatCounts says what the units of each army count in this game (EM-17.1), or in the short one, with how many losses a
// garrison is gone (EM-12.7).
func (v *View) whatCounts() phrase.Phrase {
	var all []phrase.Phrase
	if v.length().scoring == scoreShort {
		for _, u := range v.standing() {
			if d := v.def(u); d.garrison() {
				all = append(all, phrase.Say("em.intro.hold", phrase.Literal("town", d.name), phrase.Number("losses", v.capacity(u))))
			}
		}
		return phrase.Say("em.intro.holds", phrase.Phrases("towns", all))
	}
	for a := blue; a < armies; a++ {
		if a == black && v.length().black == 0 {
			continue
		}
		low, high := 0, -1
		for u := unitID(1); int(u) < len(v.Units); u++ {
			if d := v.def(u); d.army != a || d.garrison() {
				continue
			}
			if n := v.value(u); high < 0 {
				low, high = n, n
			} else {
				low, high = min(low, n), max(high, n)
			}
		}
		if high >= 0 {
			all = append(all, phrase.Say("em.intro.army", armyArg("army", a), phrase.Number("low", low), phrase.Number("high", high)))
		}
	}
	return phrase.Say("em.intro.units", phrase.Phrases("armies", all))
}

// townsOfFree lists the towns that count in a free scenario, with their points (EM-18.4, EM-18.6).
func (v *View) townsOfFree() []phrase.Phrase {
	var all []phrase.Phrase
	for a, vp := range v.townValues() {
		if vp > 0 {
			all = append(all, phrase.Say("em.intro.points", phrase.Literal("name", v.area(areaID(a)).name), phrase.Number("points", vp)))
		}
	}
	return all
}

// generalsOfFree lists the leaders who count in a free scenario by option, with their points (EM-R49).
func (v *View) generalsOfFree() []phrase.Phrase {
	var all []phrase.Phrase
	for l := leaderID(1); int(l) < len(v.Leaders) && v.freeGenerals != 0; l++ {
		d := v.lead(l)
		if d.vp > 0 && v.Leaders[l].Gone == present && (d.army != black || v.length().black > 0) && (d.role != ney || v.inField(l)) {
			all = append(all, phrase.Say("em.intro.points", phrase.Literal("name", d.name), phrase.Number("points", d.vp)))
		}
	}
	return all
}

// townsThatCount lists the towns with their points, and whose they are (EM-17.2).
func (v *View) townsThatCount() []phrase.Phrase {
	var all []phrase.Phrase
	for _, o := range v.objectives {
		all = append(all, phrase.Say("em.intro.town", phrase.Literal("town", v.area(o.town).name), phrase.Number("points", o.vp), armyArg("army", o.army)))
	}
	return all
}
