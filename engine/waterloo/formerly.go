package waterloo

import (
	"slices"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// toldSince are the places of sentences that former programs did not fill.
var toldSince = map[string][]string{
	"wat.total-defence": {"against"},
	"wat.attack-fails":  {"attack", "defence"},
	"wat.won":           {"points", "other"},
}

// Formerly implements [engine.Retold].
func (Ruleset) Formerly(now, then phrase.Phrase) bool {
	return play.SaysMore(now, then, func(code, place string) bool { return slices.Contains(toldSince[code], place) })
}

// Apart implements [engine.Rejoined]. Former programs told the two totals of a battle one after
// the other, each with its own clause, and a command bonus without effect behind the total of
// its side.
func (Ruleset) Apart(now []engine.Event) []engine.Event {
	var apart []engine.Event
	for len(now) > 0 {
		e := now[0]
		now = now[1:]
		if len(e.Tellings) != 1 || e.Tellings[0].Say.Code != "wat.totals" {
			apart = append(apart, e)
			continue
		}
		to, say := e.Tellings[0].To, recounting{say: e.Tellings[0].Say}
		for r, was := range formerTotals {
			args := []argument{{Name: "units", Value: say.arg(was.units)}, {Name: "total", Value: say.arg(was.total)}}
			if cards := say.arg(was.total + "-cards"); cards.Kind != "" {
				args = append(args, argument{Name: "cards", Value: cards})
			}
			if role(r) == defending {
				args = append(args, argument{Name: "against", Value: say.arg(formerTotals[attacking].total)})
			}
			apart = append(apart, engine.Event{Clause: was.clause, Tellings: []engine.Telling{{To: to, Say: phrase.Say(was.code, args...)}}})
			if len(now) > 0 && idles(now[0], say.arg(was.units)) {
				apart = append(apart, now[0])
				now = now[1:]
			}
		}
	}
	return apart
}

// formerTotals say how former programs told the total of each role.
var formerTotals = [...]struct{ clause, code, units, total string }{
	attacking: {"WAT-9.21", "wat.total-attack", "attackers", "attack"},
	defending: {"WAT-9.22", "wat.total-defence", "defenders", "defence"},
}

// idles tells whether an event is that the command bonus of the side to which some units belong
// had no effect; the sums of the units are given.
func idles(e engine.Event, units phrase.Value) bool {
	if len(e.Tellings) != 1 || e.Tellings[0].Say.Code != "wat.command-idle" || len(units.List) == 0 {
		return false
	}
	of := recounting{say: *units.List[0].Say}
	idle := recounting{say: e.Tellings[0].Say}.arg("army").Text == french.String()
	return idle == (of.camp("unit") == frenchCamp)
}
