package mistakes

import (
	"berthier/engine"
	"berthier/engine/sheet"
	"berthier/orders/phrase"
)

// Page implements [engine.View]: the field, whole and where things happen, then the commanders
// with their markers, the formations and what stands in them, army by army in the order of
// initiative.
func (v *View) Page() engine.Page {
	page := engine.Page{Title: v.title(), Stood: v.stood(), Looks: v.looks()}
	page.Sections = append(page.Sections, v.fieldSection(page.Title))
	page.Sections = append(page.Sections, v.nearSections(page.Title)...)
	for a := blue; a < armies; a++ {
		if !v.fielded(a) {
			continue
		}
		page.Sections = append(page.Sections, engine.Section{
			Heading: phrase.Say("em.page-army", armyArg("army", a)), Told: engine.Changes,
			Tables: []engine.Table{v.leaderTable(a), v.unitTable(a)},
		})
	}
	if s, ok := v.whereSection(); ok {
		page.Sections = append(page.Sections, s)
	}
	return page
}

// title is the turn, with the phase if all act in it one after the other.
func (v *View) title() phrase.Phrase {
	turn, last := phrase.Number("turn", v.Turn), phrase.Number("last", v.last())
	if kind := phaseStops[v.Phase]; kind != "" {
		return phrase.Say("em.page-phase", turn, last, sheet.Filled("stop", sheet.Name("stop", kind)))
	}
	return phrase.Say("em.page-turn", turn, last)
}

// leaderTable lists the leaders of an army that are on the field.
func (v *View) leaderTable(a army) engine.Table {
	t := engine.Table{Head: []engine.Column{sheet.Words("em.page-leader"), sheet.Words("em.page-place"), sheet.Numbers("em.page-markers")}}
	for l := leaderID(1); int(l) < len(v.Leaders); l++ {
		if x := &v.Leaders[l]; v.lead(l).army == a && v.inField(l) {
			at := sheet.Text(writePlace(x.At).OneLine())
			if x.Attached != 0 {
				at = sheet.Name("unit", v.def(x.Attached).id)
			}
			t.Rows = append(t.Rows, []phrase.Value{sheet.Name("leader", v.lead(l).id), at, sheet.Number(x.Markers)})
		}
	}
	return t
}

// unitTable lists the units of an army by their formations, the garrisons last.
func (v *View) unitTable(a army) engine.Table {
	t := engine.Table{Head: []engine.Column{sheet.Words("em.page-formation"), sheet.Words("em.page-unit"), sheet.Words("em.page-place"),
		sheet.Numbers("em.page-heading"), sheet.Numbers("em.page-losses"), sheet.Words("em.page-marks")}}
	row := func(formation phrase.Value, u unitID) {
		x := &v.Units[u]
		t.Rows = append(t.Rows, []phrase.Value{formation, sheet.Name("unit", v.def(u).id), sheet.Text(writePlace(x.At).OneLine()),
			sheet.Number(x.Heading), sheet.Number(x.Losses), v.marks(u)})
	}
	for i := range v.Formations {
		f := &v.Formations[i]
		if v.army(f.Corps) != a {
			continue
		}
		head := sheet.Text(f.ID)
		for _, u := range f.Units {
			row(head, u)
			head = sheet.Text("")
		}
	}
	for _, u := range v.standing() {
		if v.def(u).army == a && v.def(u).garrison() {
			row(sheet.Text(v.def(u).id), u)
		}
	}
	return t
}

// marks are what lies on a unit: its own markers and those of its formation.
func (v *View) marks(u unitID) phrase.Value {
	var all []phrase.Value
	add := func(is bool, code string) {
		if is {
			all = append(all, sheet.Phrase(code))
		}
	}
	x, f := &v.Units[u], v.of(u)
	add(f != nil && f.Green, "em.mark-moving")
	add(f != nil && f.Orange > 0, "em.mark-recovering")
	add(x.Yellow == 1, "em.mark-shaken")
	add(x.Yellow == 2, "em.mark-routed")
	add(x.Smoke, "em.mark-smoke")
	add(x.Limber != unlimbered, "em.mark-limbered")
	return sheet.List(all...)
}
