package waterloo

import (
	"strings"

	"berthier/engine"
	"berthier/orders/phrase"
)

// Recount implements [engine.Recounter].
func (Ruleset) Recount(told engine.Side, say phrase.Phrase) engine.Fact {
	r, f := recounting{told, say}, engine.Fact{}
	if tell, ok := facts[say.Code]; ok {
		f = tell(r)
	}
	if leave, ok := traces[say.Code]; ok {
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
	arrivals  = 10 * (iota + 1) // reinforcements, retreats
	disorders                   // a unit is disordered
	assaults                    // an attack, and its failure
	weakened                    // a unit is reduced
	killed                      // a unit is gone
	taken                       // a victory square changes hands
)

// facts tell what an event is to a story, by its code.
var facts = map[string]func(recounting) engine.Fact{
	"wat.turn":       recounting.turn,
	"wat.round":      recounting.begins,
	"wat.card-moves": recounting.begins,
	"wat.card-acts":  recounting.begins,

	"wat.attacks":        recounting.attack,
	"wat.charge-strikes": recounting.attack,
	"wat.attack-fails":   func(r recounting) engine.Fact { return r.clause(assaults, "wat.story.fails", "") },
	"wat.spends-cdp": func(r recounting) engine.Fact {
		return r.clause(assaults, "wat.story.walls", "square", "unit", "left")
	},
	"wat.reduced":        func(r recounting) engine.Fact { return r.hurt(weakened, "wat.story.reduced", "unit", "square") },
	"wat.eliminated":     func(r recounting) engine.Fact { return r.hurt(killed, "wat.story.gone", "unit", "square") },
	"wat.retreats":       func(r recounting) engine.Fact { return r.clause(arrivals, "wat.story.retreats", "from", "unit") },
	"wat.control":        func(r recounting) engine.Fact { return r.clause(taken, "wat.story.taken", "", "unit", "objective") },
	"wat.fire-disorders": func(r recounting) engine.Fact { return r.hurt(disorders, "wat.story.disordered", "target", "square") },
	"wat.fire-reduces":   func(r recounting) engine.Fact { return r.hurt(weakened, "wat.story.shot", "target", "square") },
	"wat.entered":        func(r recounting) engine.Fact { return r.clause(arrivals, "wat.story.entered", "square", "unit") },
	"wat.moved":          func(r recounting) engine.Fact { return engine.Fact{Marched: r.who("unit"), Units: 1} },
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

// camp is whose a unit that the event names is; its id tells.
func (r recounting) camp(place string) camp {
	if text := r.arg(place).Text; strings.HasPrefix(text, "F") || text == "napoleon" {
		return frenchCamp
	}
	return alliedCamp
}

func (r recounting) who(place string) phrase.Value {
	return phrase.Value{Kind: "who", Text: r.camp(place).String()}
}

// own tells whether a unit that the event names is one of the side that was told.
func (r recounting) own(place string) bool {
	return r.camp(place) == campOfSeat(r.told) && r.told != engine.GM && r.told != engine.Public
}

// turn begins a turn.
func (r recounting) turn() engine.Fact {
	return engine.Fact{Opens: true, Over: true, Begins: hourOf(r.arg("turn").Num)}
}

// begins is a part that has no place of its own.
func (r recounting) begins() engine.Fact { return engine.Fact{Opens: true, Over: true} }

// clause is a fact that is told at a square, with some of what fills the event.
func (r recounting) clause(weight int, code, square string, places ...string) engine.Fact {
	args := make([]argument, len(places))
	for i, place := range places {
		args[i] = argument{Name: place, Value: r.arg(place)}
	}
	f := engine.Fact{Weight: weight, Say: phrase.Say(code, args...)}
	if square != "" {
		f.At = r.arg(square)
	}
	return f
}

func (r recounting) attack() engine.Fact {
	f := r.clause(assaults, "wat.story.attack", "square", "units", "target")
	f.Opens = true
	return f
}

// hurt is a clause about a unit that suffers something.
func (r recounting) hurt(weight int, code, unit, square string) engine.Fact {
	f := r.clause(weight, code, square)
	f.Say = phrase.Say(code, argument{Name: "unit", Value: r.arg(unit)})
	f.Own = r.own(unit)
	return f
}
