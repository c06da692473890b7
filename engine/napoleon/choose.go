package napoleon

import (
	"slices"
	"strconv"
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
	volley := v.volley(b, d.Side)
	first := volley.next()
	took := v.madeHits(volley, made)
	var list []engine.Choice
	for _, id := range volley.next() {
		c := engine.Choice{Of: v.unitName(id), What: hitNumber(took, id)}
		if containsUnit(first, id) && !containsUnit(took, id) {
			c.Shown = c.Of
		}
		list = append(list, c)
	}
	return list
}

// madeHits lets the hits of choices fall in their order.
func (v *View) madeHits(volley *volley, made []engine.Choice) []unitID {
	var took []unitID
	for _, id := range v.madeUnits(made) {
		if containsUnit(volley.next(), id) {
			volley.hit(id)
			took = append(took, id)
		}
	}
	return took
}

// hitNumber says of a unit which of its hits the next one is.
func hitNumber(took []unitID, id unitID) string {
	n := 1
	for _, one := range took {
		if one == id {
			n++
		}
	}
	if n == 1 {
		return "hit"
	}
	return "hit " + strconv.Itoa(n)
}

func (s hitsStop) compose(v *View, d engine.Decision, made []engine.Choice) play.Reply {
	b := v.battleOf(d)
	if b == nil || b.hits == nil {
		return s.Fallback(v, d)
	}
	volley := v.volley(b, d.Side)
	units := v.madeHits(volley, made)
	return hitsAnswer{v.scenario, append(units, volley.pick(v.cheaper)...)}
}

func (hitsStop) chosen(v *View, d engine.Decision, a play.Reply) []engine.Choice {
	units := a.(hitsAnswer).units
	return v.unitsChosen(units, func(i int) string { return hitNumber(units[:i], units[i]) })
}
