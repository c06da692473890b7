package hfg

import (
	"berthier/engine"
	"berthier/engine/play"
	"berthier/engine/sheet"
	"berthier/orders/phrase"
)

var _ engine.Sketcher = Ruleset{}

// Sketched implements [engine.Sketcher]: the moves of a turn. What each comes to is said by [Ruleset.Reckoned].
func (Ruleset) Sketched(view engine.View, _ engine.Decision, given engine.Answer) []engine.Section {
	v := view.(*View)
	w, ok := play.World[*View, *turnWorld](given.(play.Answer).Reply)
	if !ok {
		return nil
	}
	would := &View{game: w.board, seat: v.seat, of: v.of}
	d := sheet.Draft{Is: engine.Page{Stood: v.drawnAt(), Looks: v.looks()}, Would: engine.Page{Stood: would.drawnAt(), Looks: would.looks()},
		Own: func(piece string) bool {
			e, ok := v.elementNamed(piece)
			return ok && v.def(e).side == v.of
		}}
	if len(d.Moved()) == 0 {
		return nil
	}
	var all []engine.Section
	title := phrase.Say("hfg.sketched", phrase.Within("turn", v.title()))
	if v.closer() {
		for i, part := range d.Parts(closeUps, point(v.size)) {
			_, s := would.closeUp(i, part, title)
			all = append(all, s)
		}
	}
	if len(all) == 0 {
		all = []engine.Section{would.fieldSection(title)}
	}
	d.Draw(all)
	return all
}

// drawnAt is where each element is drawn that is seen on the field: who holds a BUA or an SP in the middle of it.
func (v *View) drawnAt() map[string]string {
	all := v.stood()
	for _, e := range v.standing() {
		if v.Elements[e].Holds != 0 {
			at := v.drawn(e).At
			all[v.def(e).id] = engine.Place(at.X, at.Y)
		}
	}
	return all
}
