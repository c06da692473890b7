package waterloo

import (
	"berthier/engine"
	"berthier/engine/sheet"
	"berthier/orders/phrase"
)

// Tally implements [engine.Chronicled]: units eliminated and victory points, or in the quick game,
// which has none, victory squares held, all of it on the board (WAT-13.1, WAT-13.3).
func (Ruleset) Tally(view engine.View) engine.Tally {
	v, ok := view.(*View)
	if !ok || v.Turn == 0 {
		return engine.Tally{}
	}
	t := engine.Tally{Hour: hourOf(v.Turn), Holding: phrase.Say("wat.course.squares")}
	pointed := v.length().prussians
	if pointed {
		t.Holding = phrase.Say("wat.course.points")
	}
	for c := frenchCamp; c <= alliedCamp; c++ {
		p := engine.Party{Who: sheet.Name("who", c.String())}
		for i := range v.roster {
			if v.Units[i+1].Dead && v.roster[i].army.camp() == c {
				p.Lost++
			}
		}
		for i := range v.objectives {
			if o := objectiveID(i + 1); v.marked(o) && v.Control[o] == c {
				p.Held++
			}
		}
		if pointed {
			p.Held = v.total(c)
		}
		t.Parties = append(t.Parties, p)
	}
	return t
}

// hourOf names a turn. The battle is one day, so that each turn is told by itself.
func hourOf(turn int) engine.Hour {
	if turn == 0 {
		return engine.Hour{}
	}
	say := phrase.Say("wat.course.turn", phrase.Number("turn", turn))
	return engine.Hour{Turn: turn, Name: say, Day: say}
}

// Hidden implements [engine.Chronicled]: the cards that the others hold.
func (Ruleset) Hidden(all engine.View, from engine.Side) []phrase.Phrase {
	v, ok := all.(*View)
	if !ok || from == engine.GM || from == engine.Public {
		return nil
	}
	var lines []phrase.Phrase
	for a := french; a <= prussian; a++ {
		if hand := v.Decks[a].Hand; len(hand) > 0 && !v.shared(a, armyOfSeat(from)) {
			cards := make([]string, len(hand))
			for i, c := range hand {
				cards[i] = v.card(c).id
			}
			lines = append(lines, phrase.Say("wat.course.hand", armyArg("army", a), phrase.Literals("cards", cards)))
		}
	}
	return lines
}
