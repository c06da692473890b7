package waterloo

import (
	"berthier/engine"
	"berthier/orders/phrase"
)

// letters is about how many a seat writes in a game, as docs/pace.md counts them: quick, full,
// by two players or three.
var letters = [...]map[string]int{
	{engine.Postal: 31, engine.EveryDecision: 39, engine.ByPlan: 15},
	{engine.Postal: 65, engine.EveryDecision: 83, engine.ByPlan: 30},
	{engine.Postal: 55, engine.EveryDecision: 69, engine.ByPlan: 25},
}

// Introduce implements [engine.Introducing].
func (Ruleset) Introduce(view engine.View) engine.Introduction {
	v, ok := view.(*View)
	if !ok {
		return engine.Introduction{}
	}
	last := phrase.Number("last", v.length().turns)
	wins := phrase.Say("wat.intro.wins-quick", last)
	x := engine.Introduction{Letters: letters[0]}
	if v.length().prussians {
		wins, x.Letters = phrase.Say("wat.intro.wins", last), letters[1]
		if len(v.game.Sides()) > 2 {
			x.Letters = letters[2]
		}
	}
	x.Game = []phrase.Phrase{phrase.Say("wat.intro.game"), wins, phrase.Say("wat.intro.turn")}
	for i := range v.roster {
		if u := &v.Units[i+1]; u.At != 0 && v.own[v.roster[i].army] && v.roster[i].reduced > 0 {
			x.Signs = append(x.Signs, phrase.Say("wat.intro.unit", v.unitArg("unit", unitID(i+1)), v.squareArg("square", u.At),
				phrase.Number("full", v.roster[i].full), phrase.Number("reduced", v.roster[i].reduced)))
			break
		}
	}
	x.Signs = append(x.Signs, v.introCard(), phrase.Say("wat.intro.square"))
	return x
}

// introCard explains a card by one of the side's hand, or else by the first of its pack.
func (v *View) introCard() phrase.Phrase {
	for a := french; a <= prussian; a++ {
		if !v.own[a] {
			continue
		}
		for _, c := range v.Decks[a].Hand {
			if c != 0 {
				return v.introOf(c)
			}
		}
	}
	return v.introOf(1)
}

func (v *View) introOf(c cardID) phrase.Phrase {
	d := v.card(c)
	return phrase.Say("wat.intro.card", phrase.Literal("card", d.id), phrase.Number("mp", d.mp), phrase.Number("bp", d.bp))
}
