package mistakes

import (
	"slices"

	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/engine/sheet"
	"berthier/orders/phrase"
)

// Where units stand, in words, for readers without pictures. Everything comes from the view.

// guidemarks are the things of the ground by which places are told: towns, and what a unit may stand in or on.
func (v *View) guidemarks() []sheet.Landmark {
	var all []sheet.Landmark
	for a := areaID(1); int(a) <= len(v.areas); a++ {
		d := v.area(a)
		if d.name == "" {
			continue
		}
		m := sheet.Landmark{Name: sheet.Name("called", d.name), Path: v.outline(a).P, Holds: "em.where-in", Far: d.kind == town}
		if d.kind == hill {
			m.Holds = "em.where-on"
		}
		all = append(all, m)
	}
	return all
}

// where tells where a unit stands, in short phrases.
func (v *View) where(marks []sheet.Landmark, u unitID) []phrase.Phrase {
	return sheet.Whereabouts(marks, geometry.Point(v.Units[u].At), "em.where-off", ringStep)
}

// whereSection tells of every unit on the field where it stands.
func (v *View) whereSection() (engine.Section, bool) {
	s := engine.Section{Heading: phrase.Say("em.page-where"), Told: engine.Apart}
	marks := v.guidemarks()
	for _, u := range v.standing() {
		if parts := v.where(marks, u); len(parts) > 0 {
			s.Lines = append(s.Lines, phrase.Say("em.where", v.unitArg("unit", u), phrase.Phrases("parts", parts)))
		}
	}
	return s, len(s.Lines) > 0
}

// nearSegments is how near an enemy is about whom a close-up says something in words: so far most charges reach.
const nearSegments = 3

// mostWhere is how many lines a close-up has for those who don't see it.
const mostWhere = 2

// nearWhere says what a close-up shows to those who don't see it: where the seat's units in it stand that are
// nearest to an enemy who may reach them, and how far he is off and which way.
func (v *View) nearWhere(marks []sheet.Landmark, part [2]geometry.Point) []phrase.Phrase {
	own := slices.DeleteFunc(v.standing(), func(u unitID) bool {
		return seatArmy(v.side) != noArmy && !v.owns(v.def(u).army) || !sheet.Within(part, geometry.Point(v.Units[u].At))
	})
	var lines []phrase.Phrase
	for _, f := range sheet.Facings(own, v.standing(), v.body, v.enemies, mostWhere) {
		if f.Far > nearSegments*int64(v.segment()) {
			break // nothing happens there yet
		}
		lines = append(lines, phrase.Say("em.where-near", v.unitArg("unit", f.Own), phrase.Phrases("parts", v.where(marks, f.Own)),
			v.unitArg("other", f.Foe), phrase.Number("far", int(f.Far/ringStep)), phrase.Within("toward", phrase.Say("play.toward-"+f.Toward))))
	}
	return lines
}
