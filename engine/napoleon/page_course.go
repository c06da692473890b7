package napoleon

import (
	"berthier/engine"
	"berthier/engine/sheet"
	"berthier/orders/phrase"
)

// Tally implements [engine.Chronicled]: losses by army and who holds the cities, which all
// know (NAP-10.0, NAP-10.3).
func (Ruleset) Tally(view engine.View) engine.Tally {
	v := campaignOf(view)
	if v == nil || v.phase < movement {
		return engine.Tally{}
	}
	t := engine.Tally{Hour: v.hour(min(v.turn, len(v.turns)-1)), Holding: phrase.Say("nap.course.cities")}
	armed := v.armed()
	for a := range armies {
		if !armed[a] {
			continue
		}
		p := engine.Party{Who: sheet.Name("who", armyWords[a]), Lost: v.losses[a], Limit: v.numbers.defeat[a]}
		for i := range v.towns {
			if v.towns[i].city && v.blocks(townID(i), a.camp().enemy()) == 0 && v.stands(townID(i), a) {
				p.Held++
			}
		}
		t.Parties = append(t.Parties, p)
	}
	return t
}

// campaignOf is what a view of this ruleset holds; nil: it is none.
func campaignOf(view engine.View) *View {
	switch view := view.(type) {
	case *View:
		return view
	case publicView:
		return view.view
	}
	return nil
}

// armed tells which armies have units in the scenario.
func (v *View) armed() (armed [armies]bool) {
	for i := range v.roster {
		armed[v.roster[i].army] = true
	}
	return armed
}

// stands tells whether a unit of an army is in a town; it counts blocks, too.
func (v *View) stands(t townID, a army) bool {
	for i := range v.units {
		if u := &v.units[i]; u.army == a && u.present(t) {
			return true
		}
	}
	return false
}

// hour names a turn, given its index.
func (s *scenario) hour(turn int) engine.Hour {
	return hourOf(turn+1, s.turns[turn].date, s.turns[turn].part)
}

func hourOf(turn int, date, part string) engine.Hour {
	day := phrase.Name("day", "day", date)
	return engine.Hour{Turn: turn, Name: phrase.Say("nap.course.hour", day, phrase.Name("part", "part", part)), Day: phrase.Say("nap.course.day", day)}
}

// Hidden implements [engine.Chronicled]: the units that the side knew only as blocks, town by
// town.
func (Ruleset) Hidden(all engine.View, from engine.Side) []phrase.Phrase {
	v, ok := all.(*View)
	if !ok || from == engine.GM || from == engine.Public {
		return nil
	}
	var lines []phrase.Phrase
	for t := range v.towns {
		var ids []string
		for i := range v.units {
			if u := &v.units[i]; u.id != noUnit && !u.dead && !u.shown && u.town == townID(t) && u.army.camp() != v.campOf(from) {
				ids = append(ids, v.unitName(u.id))
			}
		}
		if len(ids) > 0 {
			lines = append(lines, phrase.Say("nap.course.hidden", v.townArg("town", townID(t)), phrase.Names("units", "unit-brief", ids)))
		}
	}
	return lines
}
