package waterloo

import (
	"berthier/engine"
	"berthier/engine/sheet"
	"berthier/orders/phrase"
)

// Progress implements [engine.Progressing]: points or squares as they stand, which squares
// could change hands next, and how long the game lasts. All of it is on the board.
func (Ruleset) Progress(view engine.View) []phrase.Phrase {
	v, ok := view.(*View)
	if !ok || v.outcome != nil || v.Turn == 0 {
		return nil
	}
	var all []phrase.Phrase
	last := phrase.Number("last", v.length().turns)
	if v.length().prussians {
		points := func(place string, c camp) []argument {
			squares, units := v.points(c)
			return []argument{phrase.Number(place, squares+units), phrase.Number(place+"-squares", squares), phrase.Number(place+"-units", units)}
		}
		all = append(all, phrase.Say("wat.progress.points", append(points("french", frenchCamp), append(points("allied", alliedCamp), last)...)...))
	} else {
		var held []phrase.Value
		for i := range v.objectives {
			if v.objectives[i].quick && v.Control[i+1] == frenchCamp {
				held = append(held, sheet.Name("objective", v.objectives[i].id))
			}
		}
		all = append(all, phrase.Say("wat.progress.squares", sheet.Filled("held", sheet.List(held...)), last))
	}
	if next := v.threatened(); len(next) > 0 {
		all = append(all, phrase.Say("wat.progress.threatened", sheet.Filled("squares", sheet.List(next...))))
	}
	return append(all, phrase.Say("wat.progress.turns", phrase.Number("turn", v.Turn), last, phrase.Number("left", v.length().turns-v.Turn)))
}

// threatened lists the victory squares next to which a unit of the other side stands.
func (v *View) threatened() []phrase.Value {
	var all []phrase.Value
	for i := range v.objectives {
		o := objectiveID(i + 1)
		at := v.objectives[i].at
		if !v.marked(o) || v.Control[o] == noCamp {
			continue
		}
		for _, f := range facingsAll {
			if u := v.unitAt(v.next(at, f)); u != 0 && v.campOf(u) != v.Control[o] {
				all = append(all, sheet.Phrase("wat.progress.square", v.squareArg("square", at), campArg("camp", v.Control[o])))
				break
			}
		}
	}
	return all
}
