package mistakes

import (
	"slices"

	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/engine/sheet"
	"berthier/orders/phrase"
)

var _ engine.Sketcher = Ruleset{}

// Sketched implements [engine.Sketcher]: manoeuvres, redeployments, what is done out of sequence, reinforcements, and
// where units and leaders are placed.
func (Ruleset) Sketched(view engine.View, _ engine.Decision, given engine.Answer) []engine.Section {
	v := view.(*View)
	board := v.written(given.(play.Answer).Reply)
	if board == nil {
		return nil
	}
	would := &View{game: board, side: v.side}
	d := sheet.Draft{Is: engine.Page{Stood: v.stood(), Looks: v.looks()}, Would: engine.Page{Stood: would.stood(), Looks: would.looks()},
		Own: func(piece string) bool { return v.owns(v.ownerOf(piece)) }}
	moved := d.Moved()
	if len(moved) == 0 {
		return nil
	}
	title := phrase.Say("em.sketched", phrase.Within("turn", v.title()))
	all := would.closeUpsOf(d.Parts(closeUps, geometry.Point(would.size)), title)
	if len(all) == 0 {
		all = []engine.Section{would.fieldSection(title)}
	}
	all[0].Gist = would.whereMoved(moved)
	d.Draw(all)
	return all
}

// written is the field as it is when all that an answer orders has gone as it is written; nil for an answer that orders
// nobody to another place.
func (v *View) written(reply play.Reply) *game {
	if w, ok := play.World[*View, *moving](reply); ok {
		return w.board
	}
	if w, ok := play.World[*View, *ordered](reply); ok {
		return w.game
	}
	if w, ok := play.World[*View, *reacting](reply); ok && w.said != (reaction{}) {
		board, _ := v.reacted(w.said)
		return board
	}
	if w, ok := play.World[*View, *duel[relief]](reply); ok && w.said.formation != "" {
		board, _ := v.relieved(w.said)
		return board
	}
	if w, ok := play.World[*View, *staff](reply); ok {
		return w.board
	}
	if w, ok := play.World[*View, *entrance](reply); ok {
		return w.filled()
	}
	return nil
}

// ownerOf is the army of a unit or a leader, given by its name.
func (s *scenario) ownerOf(piece string) army {
	if u, ok := s.unitNamed(piece); ok {
		return s.def(u).army
	}
	i := slices.IndexFunc(s.leaders, func(d leaderDef) bool { return d.id == piece })
	return s.leaders[i].army
}

// whereMoved says of pieces that have moved where they stand: of each formation by one of its units, and of
// leaders but those who go with a unit.
func (v *View) whereMoved(moved []string) []phrase.Phrase {
	var all []phrase.Phrase
	marks := v.guidemarks()
	for i := range v.Formations {
		for _, u := range v.Formations[i].Units {
			if d := v.def(u); slices.Contains(moved, d.id) {
				all = append(all, phrase.Say("em.sketched-unit", phrase.Literal("formation", v.Formations[i].ID), v.unitArg("unit", u),
					placeArg("at", v.Units[u].At), phrase.Number("heading", v.Units[u].Heading), phrase.Phrases("parts", v.where(marks, u))))
				break
			}
		}
	}
	for l := leaderID(1); int(l) < len(v.Leaders); l++ {
		x := &v.Leaders[l]
		if goes := x.Attached != 0 && slices.Contains(moved, v.def(x.Attached).id); !goes && slices.Contains(moved, v.lead(l).id) {
			all = append(all, phrase.Say("em.sketched-leader", v.leaderArg("leader", l), placeArg("at", place(v.whereIs(l)))))
		}
	}
	return all
}
