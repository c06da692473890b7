package napoleon

import (
	"berthier/engine"
	"berthier/engine/sheet"
	"berthier/orders/phrase"
)

// letters is about how many a seat writes in a game, as docs/pace.md counts them: 4th edition,
// 3rd edition, three players.
var letters = [...]map[string]int{
	{engine.Postal: 36, engine.EveryDecision: 49, engine.ByPlan: 27},
	{engine.Postal: 63, engine.EveryDecision: 88, engine.ByPlan: 35},
	{engine.Postal: 30, engine.EveryDecision: 40, engine.ByPlan: 25},
}

// Introduce implements [engine.Introducing].
func (Ruleset) Introduce(view engine.View) engine.Introduction {
	v := campaignOf(view)
	if v == nil {
		return engine.Introduction{}
	}
	x := engine.Introduction{Letters: letters[0], Game: []phrase.Phrase{phrase.Say("nap.intro.game"), v.introGoals(), phrase.Say("nap.intro.turn")}}
	switch {
	case v.three():
		x.Letters = letters[2]
	case v.edition != editions[0]:
		x.Letters = letters[1]
	}
	for i := range v.units {
		if u := &v.units[i]; u.id != noUnit && v.own[u.army] && !u.dead && u.kind != leader {
			x.Signs = append(x.Signs, phrase.Say("nap.intro.unit", phrase.Name("unit", "unit-brief", v.unitName(u.id)),
				phrase.Number("strength", int(u.strength)), phrase.Number("fire", int(u.fire))))
			break
		}
	}
	x.Signs = append(x.Signs, v.introBlocks(), v.introRoad())
	return x
}

// citiesArg names the cities of which some win the game for the French (NAP-10.3).
func (v *View) citiesArg() argument {
	var cities []string
	for i := range v.towns {
		if v.towns[i].city {
			cities = append(cities, v.towns[i].id)
		}
	}
	return phrase.Names("cities", "town", cities)
}

// introGoals says how each side wins.
func (v *View) introGoals() phrase.Phrase {
	n := &v.numbers
	args := []argument{phrase.Number("last", len(v.turns))}
	if n.cityWinNeed > 0 && n.cityWinTurn < len(v.turns) {
		args = append(args, v.citiesArg(), phrase.Number("need", n.cityWinNeed), phrase.Number("turn", n.cityWinTurn+1))
	}
	var limits []phrase.Value
	for a, armed := range v.armed() {
		if armed {
			limits = append(limits, sheet.Phrase("nap.intro.limit", armyArg("army", army(a)), phrase.Number("limit", n.defeat[a])))
		}
	}
	return phrase.Say("nap.intro.wins", append(args, sheet.Filled("limits", sheet.List(limits...)))...)
}

// introBlocks explains a block by enemy blocks on the map, if there are any.
func (v *View) introBlocks() phrase.Phrase {
	for i := range v.units {
		u := &v.units[i]
		if v.own[u.army] || u.town == noTown || u.dead {
			continue
		}
		n := 0
		for j := range v.units {
			if w := &v.units[j]; w.army == u.army && w.present(u.town) {
				n++
			}
		}
		return phrase.Say("nap.intro.block", v.townArg("town", u.town), phrase.Literal("letter", armyLetters[u.army]), phrase.Number("n", n), armyArg("army", u.army))
	}
	return phrase.Say("nap.intro.block")
}

// introRoad explains what is written of a road by one that leads from a town of the side's own.
func (v *View) introRoad() phrase.Phrase {
	for i := range v.units {
		if u := &v.units[i]; v.own[u.army] && u.id != noUnit && u.town != noTown && len(v.towns[u.town].roads) > 0 {
			return v.introWay(v.towns[u.town].roads[0], u.town)
		}
	}
	return v.introWay(0, v.roads[0].a)
}

func (v *View) introWay(r int, from townID) phrase.Phrase {
	return phrase.Say("nap.intro.road", v.townArg("town", v.roads[r].from(from)), phrase.Number("used", int(v.roadUse[r])), phrase.Number("limit", v.numbers.road.of(v.roads[r])))
}
