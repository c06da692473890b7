package hfg

import (
	"slices"

	"berthier/engine"
	"berthier/engine/sheet"
	"berthier/orders/phrase"
)

var (
	_ engine.Recounter = Ruleset{}
	_ engine.Causal    = Ruleset{}
)

// Recount implements [engine.Recounter].
func (Ruleset) Recount(told engine.Side, say phrase.Phrase) engine.Fact {
	r, f := recounting{told, say}, engine.Fact{}
	if tell, ok := facts[say.Code]; ok {
		f = tell(r)
	}
	f.Traces = r.traces()
	return f
}

// A recounting is an event as a side was told it.
type recounting struct {
	told engine.Side
	say  phrase.Phrase
}

// Weights of what a story tells of.
const (
	arrivalsWeight = 10 * (iota + 1) // somebody comes onto the field
	contactsWeight                   // enemies come into contact
	takenWeight                      // a strong point changes hands
	routsWeight                      // an element runs
	killedWeight                     // an element is lost
	defeatsWeight                    // a command is defeated
)

// clauseOf gives a fact that is told in the sentence of a story, with some of what fills the event.
func clauseOf(weight int, code string, places ...string) func(recounting) engine.Fact {
	return func(r recounting) engine.Fact {
		args := make([]phrase.Arg, len(places))
		for i, place := range places {
			args[i] = phrase.Arg{Name: place, Value: r.arg(place)}
		}
		return engine.Fact{Weight: weight, Say: phrase.Say(code, args...)}
	}
}

// facts tell what an event is to a story, by its code.
var facts = map[string]func(recounting) engine.Fact{
	"hfg.turn":             recounting.turn,
	"hfg.pips":             recounting.pips,
	"hfg.combat-close":     recounting.combat,
	"hfg.combat-distant":   recounting.combat,
	"hfg.combat-unseen":    recounting.combat,
	"hfg.entered":          clauseOf(arrivalsWeight, "hfg.story.entered", "element"),
	"hfg.contacts":         clauseOf(contactsWeight, "hfg.story.contacts", "elements", "other"),
	"hfg.sp-taken":         clauseOf(takenWeight, "hfg.story.taken", "element", "area"),
	"hfg.routed":           clauseOf(routsWeight, "hfg.story.routed", "element"),
	"hfg.destroyed":        recounting.lost,
	"hfg.fled":             recounting.lost,
	"hfg.not-rallied":      recounting.lost,
	"hfg.command-defeated": recounting.defeated,
}

// arg is what fills a place of the event.
func (r recounting) arg(place string) phrase.Value { return argOf(&r.say, place) }

// argOf is what fills a place of a phrase.
func argOf(say *phrase.Phrase, place string) phrase.Value {
	for _, a := range say.Args {
		if a.Name == place {
			return a.Value
		}
	}
	return phrase.Value{}
}

// turn begins a turn.
func (r recounting) turn() engine.Fact {
	return engine.Fact{Opens: true, Over: true, Begins: hourOf(r.arg("pair").Num)}
}

// highDie is the least of the dice that count as luck, for a score is the better the higher they are: half of them.
const highDie = 4

// tested is a die of a side whose luck it is to be high.
func tested(what string, by phrase.Value, die int) engine.Test {
	t := engine.Test{What: phrase.Say(what), By: by, Dice: 1, Need: dieSides + 1 - highDie}
	if die >= highDie {
		t.Good = 1
	}
	return t
}

// pips is a PIP die.
func (r recounting) pips() engine.Fact {
	return engine.Fact{Tests: []engine.Test{tested("hfg.luck.pips", r.arg("army"), r.arg("die").Num)}}
}

// combat is a combat; what comes of it follows. Each of its scores tells whose die it has, if that was rolled for it.
func (r recounting) combat() engine.Fact {
	f, what := engine.Fact{Opens: true, Over: true}, "hfg.luck.shooting"
	if r.say.Code == "hfg.combat-close" {
		what = "hfg.luck.close"
	}
	for _, score := range r.arg("scores").List {
		if score.Say == nil {
			continue
		}
		by, marks := argOf(score.Say, "army"), argOf(score.Say, "marks").List
		if by.Text != "" && len(marks) > 0 && marks[0].Say != nil {
			f.Tests = append(f.Tests, tested(what, by, argOf(marks[0].Say, "n").Num))
		}
	}
	return f
}

// defeated is a command that is defeated, of which only its own side is told (HFG-17.8).
func (r recounting) defeated() engine.Fact {
	f := clauseOf(defeatsWeight, "hfg.story.defeated", "command")(r)
	f.Own = true
	return f
}

// lost is an element that is gone for good. It is told by its name, and has no strength points to be added up.
func (r recounting) lost() engine.Fact {
	f := clauseOf(killedWeight, "hfg.story.lost", "element", "army")(r)
	f.Own = r.arg("army").Text == string(r.told)
	f.Of = sheet.Name("side", r.arg("army").Text)
	return f
}

// traces are what an event leaves on pictures: whoever it names may have moved, which shows by where
// he stood in the last report.
func (r recounting) traces() []engine.Trace {
	var all []engine.Trace
	own := r.arg("army").Text == string(r.told)
	for _, a := range r.say.Args {
		for _, v := range append([]phrase.Value{a.Value}, a.Value.List...) {
			if v.Kind == "element" {
				all = append(all, engine.Trace{Kind: engine.Moved, Of: []string{v.Text}, Way: []string{v.Text}, Own: own && a.Name == "elements"})
			}
		}
	}
	who, other := r.arg("who").Text, r.arg("other").Text
	element := r.arg("element").Text
	switch r.say.Code {
	case "hfg.combat-distant":
		all = append(all, engine.Trace{Kind: engine.Fired, Of: []string{who}}, engine.Trace{Kind: engine.Attacked, Of: []string{who}, Way: []string{other}})
	case "hfg.combat-close":
		all = append(all, engine.Trace{Kind: engine.Attacked, Of: []string{who}, Way: []string{other}})
	case "hfg.recoils", "hfg.repulsed", "hfg.routed", "hfg.silenced", "hfg.damaged":
		all = append(all, engine.Trace{Kind: engine.Hit, Of: []string{element}})
	case "hfg.destroyed", "hfg.fled", "hfg.spent", "hfg.not-rallied", "hfg.withdrawn":
		all = append(all, engine.Trace{Kind: engine.Gone, Of: []string{element}})
	}
	return all
}

// causes are the events that come of an answer to a stop, by its kind.
var causes = map[string][]string{
	stopDice:    {"hfg.doubled", "hfg.exchanged", "hfg.transferred"},
	stopTurn:    {"hfg.moved", "hfg.contacts", "hfg.rallied", "hfg.entered", "hfg.begins-work", "hfg.ford-search", "hfg.ford-seen"},
	stopFire:    {"hfg.combat-distant"},
	stopFace:    {"hfg.faces"},
	stopShot:    {"hfg.charges", "hfg.presses", "hfg.repulsed", "hfg.silenced", "hfg.routed"},
	stopResult:  {"hfg.pursues", "hfg.presses", "hfg.joins", "hfg.repulsed", "hfg.routed"},
	stopTerrain: {"hfg.laid"},
	stopPlace:   {"hfg.laid"},
	stopEdge:    {"hfg.edge-taken"},
}

// ComesOf implements [engine.Causal].
func (Ruleset) ComesOf(event phrase.Phrase, stop string) bool {
	return slices.Contains(causes[stop], event.Code)
}
