package mistakes

import (
	"berthier/engine"
	"berthier/engine/sheet"
	"berthier/orders/phrase"
)

var _ engine.Chronicled = Ruleset{}

// Tally implements [engine.Chronicled]: units gone and towns held alone, all of it on the field.
func (Ruleset) Tally(view engine.View) engine.Tally {
	v, ok := view.(*View)
	if !ok {
		return engine.Tally{}
	}
	t := engine.Tally{Hour: hourOf(v.Turn), Holding: phrase.Say("em.course.towns")}
	for a := blue; a < armies; a++ {
		p := engine.Party{Who: sheet.Name("army", a.String())}
		for i := range v.roster {
			if v.roster[i].army == a && v.Units[i+1].Gone != present {
				p.Lost++
			}
		}
		for i := range v.areas {
			if v.areas[i].kind == town && v.alone(areaID(i+1), a) {
				p.Held++
			}
		}
		t.Parties = append(t.Parties, p)
	}
	return t
}

// alone says whether an army touches a town and no enemy does (EM-17.2).
func (g *game) alone(t areaID, a army) bool {
	return g.touching(t, func(b army) bool { return b == a }, true) && !g.touching(t, func(b army) bool { return !b.allied(a) }, true)
}

// hourOf names a turn. The battle is one day, so that each turn is told by itself.
func hourOf(turn int) engine.Hour {
	if turn == 0 {
		return engine.Hour{}
	}
	say := phrase.Say("em.course.turn", phrase.Number("turn", turn))
	return engine.Hour{Turn: turn, Name: say, Day: say}
}

// Hidden implements [engine.Chronicled]: nothing on the field is hidden (section 7 of the digest).
func (Ruleset) Hidden(engine.View, engine.Side) []phrase.Phrase {
	return []phrase.Phrase{phrase.Say("em.course.nothing")}
}
