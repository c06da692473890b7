package napoleon

import (
	"strings"

	"berthier/engine"
	"berthier/orders/phrase"
)

// Recount implements [engine.Recounter].
func (Ruleset) Recount(told engine.Side, say phrase.Phrase) engine.Fact {
	r := recounting{told, say}
	code, f := strings.TrimSuffix(say.Code, "-block"), engine.Fact{}
	if tell, ok := facts[code]; ok {
		f = tell(r)
	}
	if leave, ok := traces[code]; ok {
		f.Traces = leave(r)
	}
	return f
}

// A recounting is an event as a side was told it.
type recounting struct {
	told engine.Side
	say  phrase.Phrase
}

// Weights of what a story tells of.
const (
	slight    = 10 * (iota + 1) // retreats, reinforcements
	opening                     // a fight begins
	clearing                    // a skirmish is decided
	unitLost                    // a unit is gone
	flight                      // a rout
	townWon                     // a battle is decided
	armyLost                    // an army is defeated
	shortages = clearing        // a supply town is held
)

// facts tell what an event is to a story, by its code without "-block".
var facts = map[string]func(recounting) engine.Fact{
	"nap.turn-begins":       recounting.turn,
	"nap.turn-begins-night": recounting.turn,

	"nap.march":        recounting.march,
	"nap.march-blocks": recounting.march,
	"nap.forced-lost":  recounting.deserters,
	"nap.forced-held":  recounting.arrives,
	"nap.morale-high":  func(r recounting) engine.Fact { return r.morale(1) },
	"nap.morale-low":   func(r recounting) engine.Fact { return r.morale(0) },

	"nap.battle-opens":         recounting.fight,
	"nap.skirmish-opens":       recounting.fight,
	"nap.forced-retreat-opens": recounting.fight,
	"nap.battle-turn-begins":   recounting.battleTurn,
	"nap.battle-won":           func(r recounting) engine.Fact { return r.decided("nap.story.won") },
	"nap.skirmish-over":        func(r recounting) engine.Fact { return r.decided("nap.story.holds") },
	"nap.battle-empty":         func(r recounting) engine.Fact { return engine.Fact{At: r.at("town"), Over: true, Ends: true} },
	"nap.skirmish-shows":       recounting.place,
	"nap.terrain-drawn":        recounting.place,
	"nap.terrain-placed":       recounting.place,
	"nap.battle-deployed":      recounting.place,
	"nap.revealed":             recounting.place,
	"nap.rout":                 recounting.rout,
	"nap.rout-empty":           recounting.rout,
	"nap.stalemate":            func(r recounting) engine.Fact { return r.clause(clearing, "nap.story.stalemate", "town", "camp") },
	"nap.attack-fails":         func(r recounting) engine.Fact { return r.clause(clearing, "nap.story.fails", "town") },

	"nap.fires":          recounting.fires,
	"nap.fires-long":     recounting.fires,
	"nap.fires-squares":  recounting.fires,
	"nap.skirmish-fires": recounting.fires,
	"nap.hit":            func(r recounting) engine.Fact { return r.loss(1) },
	"nap.hit-dies":       func(r recounting) engine.Fact { return r.loss(1) },
	"nap.retreat-costs":  func(r recounting) engine.Fact { return r.loss(r.number("n")) },
	"nap.rout-costs":     func(r recounting) engine.Fact { return r.loss(r.number("n")) },
	"nap.rout-costs-blocks": func(r recounting) engine.Fact {
		f := r.loss(r.number("points"))
		f.Of, f.Own = r.arg("camp"), false
		return f
	},
	"nap.eliminated":    recounting.gone,
	"nap.army-defeated": recounting.defeat,
	"nap.supply-held":   func(r recounting) engine.Fact { return r.clause(shortages, "nap.story.supply", "town", "army", "n") },

	"nap.reinforces":        func(r recounting) engine.Fact { return r.move("nap.story.reinforced", "to", "from") },
	"nap.reinforces-blocks": func(r recounting) engine.Fact { return r.move("nap.story.reinforced", "to", "from") },
	"nap.retreats":          func(r recounting) engine.Fact { return r.move("nap.story.retreated", "from", "to") },
	"nap.retreats-blocks":   func(r recounting) engine.Fact { return r.move("nap.story.retreated", "from", "to") },
}

// arg is what fills a place of the event.
func (r recounting) arg(place string) phrase.Value {
	for _, a := range r.say.Args {
		if a.Name == place {
			return a.Value
		}
	}
	return phrase.Value{}
}

func (r recounting) number(place string) int { return r.arg(place).Num }

// at is a town that the event names; nothing if it names none.
func (r recounting) at(place string) phrase.Value {
	if place == "" {
		return phrase.Value{}
	}
	return r.arg(place)
}

// army is whose the unit or block of the event is.
func (r recounting) army() army {
	word := r.arg("army").Text
	if unit := r.arg("unit").Text; word == "" && unit != "" {
		return armyOfID(unit)
	}
	if units := r.arg("units").List; word == "" && len(units) > 0 {
		return armyOfID(units[0].Text)
	}
	for a, w := range armyWords {
		if w == word {
			return army(a)
		}
	}
	return french
}

// armyOfID is the army of a unit, which its id tells.
func armyOfID(id string) army {
	switch {
	case strings.HasPrefix(id, "A"):
		return angloDutch
	case strings.HasPrefix(id, "P"):
		return prussian
	}
	return french
}

// own tells whether an army is one of those of the side that was told.
func (r recounting) own(a army) bool {
	return r.told == armySeats[a] || r.told == seats[a.camp()]
}

// who names an army as a story does: that of a player by its own name, else its camp.
func (r recounting) who(a army) phrase.Value {
	id := campWords[a.camp()]
	if r.told == armySeats[angloDutch] || r.told == armySeats[prussian] {
		id = armyWords[a]
	}
	return phrase.Value{Kind: "who", Text: id}
}

// units is how many units or blocks the event names.
func (r recounting) units() int {
	if list := r.arg("units").List; len(list) > 0 {
		return len(list)
	}
	return r.number("n")
}

// clause is a fact that is told at a town, with some of what fills the event.
func (r recounting) clause(weight int, code, town string, places ...string) engine.Fact {
	args := make([]argument, len(places))
	for i, place := range places {
		args[i] = argument{Name: place, Value: r.arg(place)}
	}
	return engine.Fact{At: r.at(town), Weight: weight, Say: phrase.Say(code, args...)}
}

// place is a fact that tells no more than where it happened.
func (r recounting) place() engine.Fact { return engine.Fact{At: r.at("town")} }

func (r recounting) turn() engine.Fact {
	return engine.Fact{Opens: true, Over: true, Begins: hourOf(r.number("turn"), r.arg("date").Text, r.arg("part").Text)}
}

func (r recounting) march() engine.Fact {
	return engine.Fact{Marched: r.who(r.army()), Units: r.units(), Over: true}
}

// deserters are lost on the way, where a forced march leads past towns.
func (r recounting) deserters() engine.Fact {
	f := r.loss(1)
	f.Over = true
	f.Tests = []engine.Test{r.test("nap.luck.march", lowestMarch, 0)}
	return f
}

// arrives is a forced march that cost nothing.
func (r recounting) arrives() engine.Fact {
	return engine.Fact{Over: true, Tests: []engine.Test{r.test("nap.luck.march", lowestMarch, 1)}}
}

// lowestMarch is the least modified roll with which a forced march costs nothing (NAP-5.6).
const lowestMarch = 4

// test is one die that is good from a result on, to which a bonus is added.
func (r recounting) test(code string, least, good int) engine.Test {
	return engine.Test{What: phrase.Say(code), By: r.who(r.army()), Dice: 1,
		Need: min(engine.Faces, engine.Faces+1-least+r.number("bonus")), Good: good}
}

// morale is a roll for morale; it tells nothing but luck.
func (r recounting) morale(good int) engine.Fact {
	return engine.Fact{Tests: []engine.Test{r.test("nap.luck.morale", highMorale, good)}}
}

func (r recounting) fight() engine.Fact {
	f := r.clause(opening, "nap.story.attack", "town", "attacker", "mine", "theirs")
	f.Opens = true
	return f
}

// battleTurn begins a part; the turns of a battle follow each other.
func (r recounting) battleTurn() engine.Fact {
	return engine.Fact{At: r.at("town"), Opens: true, Same: r.number("number") > 1}
}

func (r recounting) decided(code string) engine.Fact {
	f := r.clause(townWon, code, "town", "winner")
	f.Over, f.Ends = true, true
	return f
}

func (r recounting) rout() engine.Fact {
	return r.clause(flight, "nap.story.rout", "town", "camp")
}

func (r recounting) fires() engine.Fact {
	return engine.Fact{By: r.who(r.army()), Dice: len(r.arg("dice").List), Need: r.number("rating"), Hits: r.number("hits")}
}

func (r recounting) loss(n int) engine.Fact {
	a := r.army()
	return engine.Fact{Of: r.who(a), Lost: n, Own: r.own(a)}
}

func (r recounting) gone() engine.Fact {
	f := engine.Fact{At: r.at("town"), Own: r.own(r.army()), Weight: unitLost}
	if unit := r.arg("unit"); unit.Text != "" {
		f.Say = phrase.Say("nap.story.gone", argument{Name: "unit", Value: unit})
	} else {
		f.Say = phrase.Say("nap.story.gone-block", argument{Name: "army", Value: r.arg("army")}, phrase.Number("n", 1))
	}
	return f
}

// defeat is of the whole army, wherever its last unit fell.
func (r recounting) defeat() engine.Fact {
	f := r.clause(armyLost, "nap.story.defeated", "", "army")
	f.Opens = true
	return f
}

// move is a clause about units that came or went.
func (r recounting) move(code, town, other string) engine.Fact {
	a := r.army()
	return engine.Fact{At: r.at(town), Weight: slight, Say: phrase.Say(code, argument{Name: "who", Value: r.who(a)},
		phrase.Number("n", r.units()), argument{Name: "town", Value: r.arg(other)})}
}
