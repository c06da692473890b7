package hfg

import (
	"slices"

	"berthier/engine"
	"berthier/engine/sheet"
	"berthier/orders/phrase"
)

// Page implements [engine.View]: the field, whole and where things happen, with the weather; one's
// commands with their PIPs, one's elements, and what is known of the enemy.
func (v *View) Page() engine.Page {
	page := engine.Page{Title: v.title(), Stood: v.stood(), Looks: v.looks()}
	if v.Phase == preparing && v.Prepare != nil && v.Prepare.Map != nil {
		page.Sections = append(page.Sections, v.mapSection())
	}
	page.Sections = append(page.Sections, v.fieldSection(page.Title))
	page.Sections = append(page.Sections, v.nearSections(page.Title)...)
	for s := first; s < sides; s++ {
		one := engine.Section{Heading: phrase.Say("hfg.page-army", v.sideArg("side", s)), Told: engine.Changes}
		if v.of == s || v.of == noSide {
			one.Tables = append(one.Tables, v.commandTable(s))
		}
		one.Tables = append(one.Tables, v.elementTable(s))
		page.Sections = append(page.Sections, one)
	}
	if s, ok := v.whereSection(); ok {
		page.Sections = append(page.Sections, s)
	}
	return page
}

// title is the pair of turns, and whose turn it is.
func (v *View) title() phrase.Phrase {
	if v.Phase == preparing {
		return phrase.Say("hfg.page-before")
	}
	return phrase.Say("hfg.page-turn", phrase.Number("pair", v.pair()), phrase.Number("last", v.lastPair()), v.sideArg("side", max(v.phasing(), first)))
}

// commandTable lists the commands of a side with their PIPs.
func (v *View) commandTable(s side) engine.Table {
	t := engine.Table{Head: []engine.Column{sheet.Words("hfg.page-command"), sheet.Words("hfg.page-general"), sheet.Numbers("hfg.page-die"), sheet.Numbers("hfg.page-pips"), sheet.Words("hfg.page-status")}}
	t.Head[2].Quiet, t.Head[3].Quiet = true, true // each die is told as it is rolled
	for c := commandID(1); int(c) < len(v.Commands); c++ {
		d, x := v.lead(c), &v.Commands[c]
		if d.side != s || x.Status == absent || v.of != noSide && !v.hearsOf(v.seat, c) {
			continue
		}
		general := sheet.Text("")
		if d.general != 0 {
			general = sheet.Name("element", v.def(d.general).id)
		}
		t.Rows = append(t.Rows, []phrase.Value{sheet.Name("corps", d.id), general, sheet.Number(x.Die), sheet.Number(v.pips(c)), sheet.Name("status", statusWords[x.Status])})
	}
	return t
}

// listed are the elements on the field as letters list them: one's own in the order of the list, enemies by their names, for the
// list of their army has them command by command.
func (v *View) listed() []elementID {
	all := slices.Clone(v.standing())
	sortThose(all, func(e elementID) string { return v.def(e).id }, v.foreign)
	return all
}

// elementTable lists the elements of a side that are seen on the field.
func (v *View) elementTable(s side) engine.Table {
	t := engine.Table{Head: []engine.Column{sheet.Words("hfg.page-element"), sheet.Words("hfg.page-type"), sheet.Words("hfg.page-place"), sheet.Numbers("hfg.page-facing"), sheet.Words("hfg.page-marks")}}
	t.Head[2].Quiet, t.Head[3].Quiet = true, true // each move is told as it is made, and drawn
	for _, e := range v.listed() {
		d, x := v.def(e), &v.Elements[e]
		if d.side != s {
			continue
		}
		at := sheet.Text(inline(scale.WritePoint(wholePaces(point(x.At)))))
		if x.Holds != 0 {
			at = sheet.Name("area", v.area(x.Holds).id)
		}
		t.Rows = append(t.Rows, []phrase.Value{sheet.Name("element", d.id), sheet.Name("type", d.troop.String()), at, sheet.Number(x.Facing), v.marks(e)})
	}
	return t
}

// marks are the states of an element that can be seen.
func (v *View) marks(e elementID) phrase.Value {
	var all []phrase.Value
	add := func(is bool, code string) {
		if is {
			all = append(all, sheet.Phrase(code))
		}
	}
	x := &v.Elements[e]
	add(x.Spirit == repulsed, "hfg.mark-repulsed")
	add(x.Spirit == routed, "hfg.mark-routed")
	add(x.Silenced > 0, "hfg.mark-silenced")
	add(x.Disabled, "hfg.mark-disabled")
	add(x.Damaged, "hfg.mark-damaged")
	add(x.Concealed, "hfg.mark-concealed")
	return sheet.List(all...)
}

// looks is the facing of each element that is seen on the field.
func (v *View) looks() map[string]int {
	all := map[string]int{}
	for _, e := range v.standing() {
		all[v.def(e).id] = v.Elements[e].Facing
	}
	return all
}

// stood is where each element stands that is seen on the field.
func (v *View) stood() map[string]string {
	all := map[string]string{}
	for _, e := range v.standing() {
		if x := &v.Elements[e]; x.Holds == 0 {
			all[v.def(e).id] = engine.Place(x.At.X, x.At.Y)
		}
	}
	return all
}
