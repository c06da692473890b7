package mistakes

import (
	"strings"

	"berthier/engine"
	"berthier/engine/sheet"
	"berthier/orders/phrase"
)

// Recount implements [engine.Recounter].
func (Ruleset) Recount(told engine.Side, say phrase.Phrase) engine.Fact {
	r, f := recounting{told, say}, engine.Fact{}
	if tell, ok := facts[say.Code]; ok {
		f = tell(r)
	}
	f.Traces = tracesOf(told, say)
	return f
}

// A recounting is an event as a side was told it.
type recounting struct {
	told engine.Side
	say  phrase.Phrase
}

// Weights of what a story tells of.
const (
	arrivalsWeight = 10 * (iota + 1) // units come onto the field
	shotsWeight                      // a bombardment that costs something
	clashesWeight                    // a melee
	routsWeight                      // a unit is routed
	killedWeight                     // a unit is gone
	fallenWeight                     // a leader is lost
)

// facts tell what an event is to a story, by its code.
var facts = map[string]func(recounting) engine.Fact{
	"em.turn":         recounting.turn,
	"em.combat":       recounting.begins,
	"em.fired":        recounting.fires,
	"em.damage":       recounting.damage,
	"em.melee-losses": recounting.damage,
	"em.throws":       func(r recounting) engine.Fact { return r.tested("em.luck.melee", r.arg("die")) },
	"em.melee": func(r recounting) engine.Fact {
		return r.clause(clashesWeight, "em.story.melee", "unit", "other", "by")
	},
	"em.outcome-throws": func(r recounting) engine.Fact {
		return r.tested("em.luck.outcome", r.arg("dice").List...)
	},
	"em.losses":        func(r recounting) engine.Fact { return engine.Fact{Own: ours(r.told, r.arg("unit"))} },
	"em.routed":        func(r recounting) engine.Fact { return r.clause(routsWeight, "em.story.routed", "unit") },
	"em.eliminated":    func(r recounting) engine.Fact { return r.clause(killedWeight, "em.story.eliminated", "unit") },
	"em.captured":      func(r recounting) engine.Fact { return r.clause(killedWeight, "em.story.captured", "unit") },
	"em.off-field":     func(r recounting) engine.Fact { return r.clause(killedWeight, "em.story.off-field", "unit") },
	"em.leader-killed": func(r recounting) engine.Fact { return r.clause(fallenWeight, "em.story.leader-killed", "leader") },
	"em.leader-bereft": func(r recounting) engine.Fact { return r.clause(fallenWeight, "em.story.leader-killed", "leader") },
	"em.leader-caught": func(r recounting) engine.Fact { return r.clause(fallenWeight, "em.story.leader-caught", "leader") },
	"em.enters":        func(r recounting) engine.Fact { return r.clause(arrivalsWeight, "em.story.enters", "corps", "units") },
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

// turn begins a turn.
func (r recounting) turn() engine.Fact {
	return engine.Fact{Opens: true, Over: true, Begins: hourOf(r.arg("turn").Num)}
}

// begins is a part of the story.
func (r recounting) begins() engine.Fact { return engine.Fact{Opens: true, Over: true} }

// clause is a fact that is told, with some of what fills the event. A loss of the side that was
// told is its own.
func (r recounting) clause(weight int, code string, places ...string) engine.Fact {
	args := make([]phrase.Arg, len(places))
	for i, place := range places {
		args[i] = phrase.Arg{Name: place, Value: r.arg(place)}
	}
	return engine.Fact{Weight: weight, Say: phrase.Say(code, args...), Own: weight >= killedWeight && ours(r.told, r.arg("unit"))}
}

// fires is a bombardment. Its two dice are luck by being high.
func (r recounting) fires() engine.Fact {
	f := r.tested("em.luck.fire", r.arg("dice").List...)
	f.Opens, f.Over = true, true
	if effect := r.arg("effect"); effect.Say != nil && effect.Say.Code != fireEffects[fireNothing] && effect.Say.Code != fireEffects[fireBackfires] {
		f.Weight, f.Say = shotsWeight, phrase.Say("em.story.fired", phrase.Arg{Name: "unit", Value: r.arg("unit")}, phrase.Arg{Name: "target", Value: r.arg("target")})
	}
	return f
}

// damage is dice of which some become losses: the luck of the enemy of who suffers them.
func (r recounting) damage() engine.Fact {
	return engine.Fact{By: whose(r.arg("by").Text), Dice: len(r.arg("dice").List), Need: dieSides + 1 - lossFrom, Hits: r.arg("n").Num}
}

// high is the least of the dice that count as good, where more is better: half of them.
const high = 4

// tested are dice of which the high ones are luck of the army that rolls them.
func (r recounting) tested(what string, dice ...phrase.Value) engine.Fact {
	t := engine.Test{What: phrase.Say(what), By: whose(r.arg("army").Text), Dice: len(dice), Need: dieSides + 1 - high}
	for _, die := range dice {
		if die.Num >= high {
			t.Good++
		}
	}
	return engine.Fact{Tests: []engine.Test{t}}
}

// whose names an army in a story: the French.
func whose(army string) phrase.Value { return sheet.Name("who", army) }

// ours says whether a unit is of the side that was told, or of its friends. Leaders have no army
// in their names: theirs count as others'. Garrisons, whose names have none, are red.
func ours(told engine.Side, v phrase.Value) bool {
	if v.Kind != "unit" || told == engine.GM || told == engine.Public {
		return false
	}
	army, _, _ := strings.Cut(v.Text, "-")
	return (told == "blue") == (army == "blue")
}
