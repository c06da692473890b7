package napoleon

import (
	"slices"
	"strings"

	"berthier/engine"
	"berthier/engine/play"
)

// What may be chosen at each stop. All of it is found with the same functions
// that judge an order file and lead the bots: the mover for marches, judge and
// choices for battle turns, the faults of reinforcement, retreat, regrouping and
// deployment for the others.

var _ engine.Chooser = Ruleset{}

// A chooserStop lists what its decision may be answered with, choice by choice
// (see [engine.Chooser]).
type chooserStop interface {
	choose(v *View, d engine.Decision, made []engine.Choice) []engine.Choice
	// compose makes an answer of at least one choice.
	compose(v *View, d engine.Decision, made []engine.Choice) play.Reply
	chosen(v *View, d engine.Decision, a play.Reply) []engine.Choice
}

// Choices implements [engine.Chooser].
func (r Ruleset) Choices(view engine.View, d engine.Decision, made []engine.Choice) []engine.Choice {
	if s, ok := stops[d.Kind].(chooserStop); ok {
		return s.choose(view.(*View), d, made)
	}
	return r.Desk.Choices(view, d, made)
}

// Compose implements [engine.Chooser].
func (r Ruleset) Compose(view engine.View, d engine.Decision, made []engine.Choice) engine.Answer {
	s, ok := stops[d.Kind].(chooserStop)
	switch {
	case len(made) == 0:
		return r.Default(view, d)
	case !ok:
		return r.Desk.Compose(view, d, made)
	}
	return play.Answer{To: d, Reply: s.compose(view.(*View), d, made)}
}

// Chosen implements [engine.Chooser].
func (r Ruleset) Chosen(view engine.View, d engine.Decision, a engine.Answer) []engine.Choice {
	if s, ok := stops[d.Kind].(chooserStop); ok {
		return s.chosen(view.(*View), d, a.(play.Answer).Reply)
	}
	return r.Desk.Chosen(view, d, a)
}

// unitCalled finds a unit by its id; noUnit if there is none.
func (s *scenario) unitCalled(id string) unitID {
	return unitID(slices.IndexFunc(s.roster, func(c unitDef) bool { return c.id == id }))
}

// townCalled finds a town by its name; noTown if there is none.
func (s *scenario) townCalled(name string) townID {
	for t := range s.towns {
		if s.towns[t].name == name {
			return townID(t)
		}
	}
	return noTown
}

// isChosen tells whether a unit has been given a choice that begins with a word;
// the empty word is any.
func isChosen(made []engine.Choice, of, word string) bool {
	return slices.ContainsFunc(made, func(c engine.Choice) bool { return c.Of == of && strings.HasPrefix(c.What, word) })
}

// picked are choices of so many out of some.
func (v *View) picked(units []unitID, most int, what string, made []engine.Choice) []engine.Choice {
	var list []engine.Choice
	for _, id := range units {
		if name := v.unitName(id); len(made) < most && !isChosen(made, name, "") {
			list = append(list, engine.Choice{Of: name, What: what, Shown: name})
		}
	}
	return list
}

// madeUnits gives the units of choices in their order.
func (v *View) madeUnits(made []engine.Choice) []unitID {
	units := make([]unitID, len(made))
	for i, c := range made {
		units[i] = v.unitCalled(c.Of)
	}
	return units
}

// unitsChosen is the reverse.
func (v *View) unitsChosen(units []unitID, what func(i int) string) []engine.Choice {
	list := make([]engine.Choice, len(units))
	for i, id := range units {
		list[i] = engine.Choice{Of: v.unitName(id), What: what(i)}
	}
	return list
}

func constant(what string) func(int) string { return func(int) string { return what } }

// filled adds to a list those of another that it does not hold.
func filled(list, more []unitID) []unitID {
	list = slices.Clone(list)
	for _, id := range more {
		if !containsUnit(list, id) {
			list = append(list, id)
		}
	}
	return list
}

// hits

func (hitsStop) choose(v *View, d engine.Decision, made []engine.Choice) []engine.Choice {
	b := v.battleOf(d)
	if b == nil || b.hits == nil {
		return nil
	}
	return v.picked(v.struck(b, b.hits), int(b.hits.left), "hit", made)
}

func (s hitsStop) compose(v *View, d engine.Decision, made []engine.Choice) play.Reply {
	b := v.battleOf(d)
	if b == nil || b.hits == nil {
		return s.Fallback(v, d)
	}
	all := slices.Clone(v.struck(b, b.hits))
	v.cheapestFirst(all)
	units := filled(v.madeUnits(made), all)
	return hitsAnswer{v.scenario, units[:min(int(b.hits.left), len(units))]}
}

func (hitsStop) chosen(v *View, d engine.Decision, a play.Reply) []engine.Choice {
	return v.unitsChosen(a.(hitsAnswer).units, constant("hit"))
}

// reinforce

// reinforceChoices are the units that may come besides those that do.
func (v *View) reinforceChoices(b *battle, word string, come []place) []engine.Choice {
	var list []engine.Choice
	for _, id := range v.livingUnits() {
		u := v.unit(id)
		if v.mayReinforce(b, u) != nil {
			continue
		}
		try := allotment{append(come[:len(come):len(come)], place{id, u.town})}
		if _, f := v.reinforceFault(b, try); f == nil {
			list = append(list, engine.Choice{Of: v.unitName(id), What: word + v.towns[u.town].name, Shown: v.brief(id)})
		}
	}
	return list
}

// madePlaces gives units the towns of choices that begin with a word.
func (v *View) madePlaces(made []engine.Choice, word string) []place {
	var list []place
	for _, c := range made {
		if town, ok := strings.CutPrefix(c.What, word); ok && c.Of != "" {
			if t := v.townCalled(town); t != noTown {
				list = append(list, place{v.unitCalled(c.Of), t})
			}
		}
	}
	return list
}

// placesChosen is the reverse.
func (v *View) placesChosen(list []place, word string) []engine.Choice {
	var all []engine.Choice
	for _, pl := range townLists.InOrder(list) {
		all = append(all, engine.Choice{Of: v.unitName(pl.unit), What: word + v.towns[pl.town].name})
	}
	return all
}

// regroup

// regroupChoices are the units that may be brought in or sent out besides those
// that are.
func (v *View) regroupChoices(b *battle, word string, so regroupAnswer) []engine.Choice {
	var list []engine.Choice
	for _, road := range v.towns[b.town].roads {
		t := v.roads[road].from(b.town)
		for k, key := range [2]string{"in ", "out "} {
			at := t
			if k == 1 {
				at = b.town
			}
			for _, id := range v.group(at) {
				if _, f := v.regroupFault(b, so.and(k == 0, place{id, t})); f == nil {
					list = append(list, engine.Choice{Of: v.unitName(id), What: word + key + v.towns[t].name, Shown: v.brief(id)})
				}
			}
		}
	}
	return list
}

// and is an answer with one more place.
func (a regroupAnswer) and(in bool, pl place) *regroupAnswer {
	if in {
		a.in = append(slices.Clone(a.in), pl)
	} else {
		a.out = append(slices.Clone(a.out), pl)
	}
	return &a
}

func (v *View) madeRegroup(made []engine.Choice, word string) regroupAnswer {
	return regroupAnswer{s: v.scenario, in: v.madePlaces(made, word+"in "), out: v.madePlaces(made, word+"out ")}
}

func (v *View) regroupChosen(a *regroupAnswer, word string) []engine.Choice {
	return append(v.placesChosen(a.in, word+"in "), v.placesChosen(a.out, word+"out ")...)
}
