package napoleon

import (
	"slices"

	"berthier/engine"
)

// traces tell what an event leaves on the pictures, by its code without "-block".
var traces = map[string]func(recounting) []engine.Trace{
	"nap.march":             recounting.marched,
	"nap.march-blocks":      recounting.marched,
	"nap.reinforces":        recounting.marched,
	"nap.reinforces-blocks": recounting.marched,
	"nap.retreats":          recounting.marched,
	"nap.retreats-blocks":   recounting.marched,
	"nap.regroups":          recounting.marched,
	"nap.regroups-blocks":   recounting.marched,

	"nap.moves":      recounting.stepped,
	"nap.engages":    recounting.stepped,
	"nap.charges":    recounting.stepped,
	"nap.disengages": recounting.stepped,
	"nap.falls-back": recounting.stepped,

	"nap.fires":          recounting.firedClose,
	"nap.fires-squares":  recounting.firedClose,
	"nap.fires-long":     recounting.fired,
	"nap.skirmish-fires": recounting.fired,

	"nap.hit":           func(r recounting) []engine.Trace { return r.hit(1) },
	"nap.hit-dies":      func(r recounting) []engine.Trace { return r.hit(1) },
	"nap.forced-lost":   func(r recounting) []engine.Trace { return r.hit(1) },
	"nap.retreat-costs": func(r recounting) []engine.Trace { return r.hit(r.number("n")) },
	"nap.rout-costs":    func(r recounting) []engine.Trace { return r.hit(r.number("n")) },

	"nap.eliminated":     recounting.eliminated,
	"nap.revealed":       recounting.shown,
	"nap.skirmish-shows": recounting.shown,
	"nap.leader-shown":   recounting.shown,
}

// names are the unit of the event, if it is told, and its army.
func (r recounting) names() []string {
	army := armyLetters[r.army()]
	if unit := r.arg("unit").Text; unit != "" {
		return []string{unit, army}
	}
	return []string{army}
}

// marched is the way of units from town to town.
func (r recounting) marched() []engine.Trace {
	way := []string{r.arg("from").Text}
	for _, town := range r.arg("via").List {
		way = append(way, town.Text)
	}
	return []engine.Trace{{Kind: engine.Moved, Way: append(way, r.arg("to").Text), N: r.units(), Own: r.own(r.army())}}
}

// stepped is the way of a unit from one field of a board to another.
func (r recounting) stepped() []engine.Trace {
	return []engine.Trace{{Kind: engine.Moved, Way: []string{r.ofArmy("from"), r.ofArmy("to")}, Own: r.own(r.army())}}
}

// ofArmy is a field of the board that the event names; of the reserve, which both sides have
// under one name, that of the unit's side.
func (r recounting) ofArmy(place string) string { return fieldSpot(r.arg(place).Text, r.army().camp()) }

// fieldSpot is what pictures call a field of a board.
func fieldSpot(field string, c camp) string {
	if field == fieldWords[reserve] {
		return field + "/" + campWords[c]
	}
	return field
}

func (r recounting) fired() []engine.Trace {
	return []engine.Trace{{Kind: engine.Fired, Of: r.names()}}
}

// firedClose is fire of a unit at those in its own field, where it is if it was not named.
func (r recounting) firedClose() []engine.Trace {
	return []engine.Trace{{Kind: engine.Fired, Of: r.names(), Way: []string{r.ofArmy("field")}}}
}

func (r recounting) hit(n int) []engine.Trace {
	return []engine.Trace{{Kind: engine.Hit, Of: r.names(), N: n, Own: r.own(r.army())}}
}

func (r recounting) eliminated() []engine.Trace {
	t := engine.Trace{Kind: engine.Gone, Of: r.names()[:1], Own: r.own(r.army())}
	if town := r.arg("town").Text; town != "" {
		t.Way = []string{town}
	}
	return []engine.Trace{t}
}

// shown are units that everybody saw for a moment.
func (r recounting) shown() []engine.Trace {
	units := r.arg("units").List
	if len(units) == 0 {
		units = append(units, r.arg("unit"))
	}
	way := []string{r.arg("town").Text}
	if field := r.arg("field").Text; field != "" {
		way = slices.Insert(way, 0, r.ofArmy("field"))
	}
	all := make([]engine.Trace, len(units))
	for i, unit := range units {
		all[i] = engine.Trace{Kind: engine.Seen, Of: []string{unit.Text}, Way: way}
	}
	return all
}
