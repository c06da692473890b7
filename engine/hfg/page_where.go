package hfg

import (
	"slices"

	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/engine/sheet"
	"berthier/orders/phrase"
)

// Where elements stand, in words, for readers without pictures. Everything comes from the view.

// landmarks are the things of the ground by which places are told: towns and strong points, named
// places, and what an element may stand in or on.
func (v *View) landmarks() []sheet.Landmark {
	var all []sheet.Landmark
	for a := areaID(1); int(a) <= len(v.areas); a++ {
		d := v.area(a)
		m := sheet.Landmark{Name: sheet.Name("area", d.id), Path: v.outline(a).P, Holds: "hfg.where-in", Far: d.square()}
		if d.kind == hill {
			m.Holds = "hfg.where-on"
		}
		all = append(all, m)
	}
	for i := range v.places {
		d := &v.places[i]
		name := sheet.Name("called", d.name)
		if d.name == "" {
			name = sheet.Text(d.id)
		}
		all = append(all, sheet.Landmark{Name: name, Path: []point{point(d.at)}, Far: true})
	}
	return all
}

// where tells where an element stands, in short phrases.
func (v *View) where(marks []sheet.Landmark, e elementID) []phrase.Phrase {
	if held := v.Elements[e].Holds; held != 0 {
		return []phrase.Phrase{phrase.Say("hfg.where-holds", sheet.Filled("mark", sheet.Name("area", v.area(held).id)))}
	}
	b := v.body(e)
	parts := sheet.Whereabouts(marks, b.At, "hfg.where-off", pace)
	for l := lineID(1); int(l) <= len(v.lines); l++ {
		if d := v.line(l); d.kind == road && d.name != "" && v.onRoad(e) {
			if _, off := geometry.Nearest(d.points, b.At); off <= slack {
				parts = append(parts, phrase.Say("hfg.where-on", sheet.Filled("mark", sheet.Name("called", d.name))))
				break
			}
		}
	}
	return parts
}

// whereSection tells of every element that is seen where it stands.
func (v *View) whereSection() (engine.Section, bool) {
	s := engine.Section{Heading: phrase.Say("hfg.page-where"), Told: engine.Apart}
	marks := v.landmarks()
	for _, e := range v.listed() {
		if parts := v.where(marks, e); len(parts) > 0 {
			s.Lines = append(s.Lines, phrase.Say("hfg.where", v.elementArg("element", e), phrase.Phrases("parts", parts)))
		}
	}
	return s, len(s.Lines) > 0
}

// mostWhere is how many lines a close-up has for those who don't see it.
const mostWhere = 2

// nearWhere says what a close-up shows to those who don't see it: where the seat's elements in it stand that
// are nearest to an enemy who may reach them, and how far he is off and which way.
func (v *View) nearWhere(marks []sheet.Landmark, k *sketch, part [2]point) []phrase.Phrase {
	own := slices.DeleteFunc(slices.Clone(k.pieces), func(e elementID) bool {
		return v.of != noSide && !v.owns(e) || !sheet.Within(part, k.bodies[e].At)
	})
	var lines []phrase.Phrase
	for _, f := range sheet.Facings(own, v.standing(), v.body, v.enemies, mostWhere) {
		if f.Far > mountedContact*pace {
			break // nothing happens there yet
		}
		lines = append(lines, phrase.Say("hfg.where-near", v.elementArg("element", f.Own), phrase.Phrases("parts", v.where(marks, f.Own)),
			v.elementArg("other", f.Foe), phrase.Number("far", paces(f.Far)), phrase.Within("toward", phrase.Say("play.toward-"+f.Toward))))
	}
	return lines
}
