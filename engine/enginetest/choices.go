package enginetest

import (
	"berthier/engine"
	"berthier/orders/phrase"
)

// Choices implements [engine.Chooser]: one unit, or none for a bid.
func (Lots) Choices(view engine.View, d engine.Decision, made []engine.Choice) []engine.Choice {
	var list []engine.Choice
	if len(made) > 0 {
		return nil
	}
	for _, u := range view.(*View).Own {
		list = append(list, engine.Choice{Of: u.ID, What: d.Kind, Shown: u.ID})
	}
	if d.Kind == Bid {
		list = append(list, engine.Choice{What: "none"})
	}
	return list
}

// Compose implements [engine.Chooser].
func (l Lots) Compose(view engine.View, d engine.Decision, made []engine.Choice) engine.Answer {
	if len(made) == 0 {
		return l.Default(view, d)
	}
	return Answer{Kind: d.Kind, Unit: made[0].Of}
}

// Chosen implements [engine.Chooser].
func (Lots) Chosen(_ engine.View, d engine.Decision, given engine.Answer) []engine.Choice {
	if a := given.(Answer); a.Unit != "" {
		return []engine.Choice{{Of: a.Unit, What: d.Kind}}
	}
	return []engine.Choice{{What: "none"}}
}

// Cautions implements [engine.Cautious]: it is odd to bid a unit when all others
// are stronger.
func (Lots) Cautions(view engine.View, d engine.Decision, given engine.Answer) []engine.Caution {
	a, own := given.(Answer), view.(*View).Own
	if d.Kind != Bid || a.Unit == "" || len(own) < 2 {
		return nil
	}
	strength := map[string]int{}
	for _, u := range own {
		strength[u.ID] = u.Strength
	}
	for _, u := range own {
		if u.ID != a.Unit && u.Strength <= strength[a.Unit] {
			return nil
		}
	}
	return []engine.Caution{{Kind: "weakest", Clause: "LOT-2", Say: phrase.Say("lots.odd-weakest", phrase.Name("unit", "unit", a.Unit))}}
}

// Asked implements [engine.Announcer]: all bid at once, and know it.
func (g *Game) Asked(by engine.Side) []engine.Side {
	var list []engine.Side
	for _, d := range g.Owed() {
		if d.Kind == Bid && d.Side != by {
			list = append(list, d.Side)
		}
	}
	return list
}
