package napoleon

import (
	"berthier/engine"
	"berthier/engine/sheet"
	"berthier/orders/phrase"
)

// Progress implements [engine.Progressing]: losses against the limits of defeat, who holds
// the cities, how long the campaign lasts. All of it is public (NAP-10.0).
func (Ruleset) Progress(view engine.View) []phrase.Phrase {
	v := campaignOf(view)
	if v == nil || v.outcome != nil || v.phase < movement || v.turn >= len(v.turns) {
		return nil
	}
	return []phrase.Phrase{v.lossesSoFar(), v.frenchGoal(), v.alliedGoal()}
}

func (v *View) lossesSoFar() phrase.Phrase {
	armed := v.armed()
	var all []phrase.Value
	for a := range armies {
		switch {
		case !armed[a]:
		case v.defeated[a]:
			all = append(all, sheet.Phrase("nap.progress.defeated", armyArg("army", a)))
		default:
			all = append(all, sheet.Phrase("nap.progress.army", armyArg("army", a),
				phrase.Number("lost", v.losses[a]), phrase.Number("limit", v.numbers.defeat[a])))
		}
	}
	return phrase.Say("nap.progress.losses", sheet.Filled("armies", sheet.List(all...)))
}

func (v *View) frenchGoal() phrase.Phrase {
	n := &v.numbers
	if n.cityWinTurn < v.turn || n.cityWinNeed == 0 || n.cityWinTurn >= len(v.turns) {
		return phrase.Say("nap.progress.french")
	}
	var cities, held, contested []string
	for i := range v.towns {
		if t := townID(i); v.towns[i].city {
			cities = append(cities, v.towns[i].id)
			switch {
			case v.blocks(t, frenchCamp) == 0:
			case v.blocks(t, alliedCamp) == 0:
				held = append(held, v.towns[i].id)
			default:
				contested = append(contested, v.towns[i].id)
			}
		}
	}
	return phrase.Say("nap.progress.french", phrase.Names("cities", "town", cities), phrase.Number("need", n.cityWinNeed),
		phrase.Number("turn", n.cityWinTurn+1), phrase.Names("held", "town", held), phrase.Names("contested", "town", contested))
}

func (v *View) alliedGoal() phrase.Phrase {
	args := []argument{phrase.Number("last", len(v.turns)), phrase.Number("left", len(v.turns)-v.turn-1)}
	var leaders []string
	for _, id := range v.fatal {
		if id != noUnit {
			leaders = append(leaders, v.unitName(id))
		}
	}
	return phrase.Say("nap.progress.allied", append(args, phrase.Names("leaders", "unit", leaders))...)
}
