package waterloo

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
	"berthier/orders/phrase"
)

// What the totals of a battle are said to bring is what comes: a stop at which the one who is
// named chooses, or the loss, or that the attack fails. Before fire that may change the totals
// nothing is said. Taken apart, they are the two tellings of former programs, once each.
func TestTotalsSayWhatComes(t *testing.T) {
	if rulestest.Race {
		return // nothing here runs side by side
	}
	said := map[string]int{}
	for i := range 12 {
		setup := setups[i%len(setups)]
		_, err := playout.Run(New(), setup.Setup, uint64(700+i), func(m playout.Moment) error {
			for n, e := range m.Events {
				say := e.Tellings[0].Say
				if say.Code != "wat.totals" {
					continue
				}
				if err := twoTellings(e); err != nil {
					return err
				}
				outcome := recounting{say: say}.arg("outcome")
				if outcome.Say == nil {
					said[""]++
					continue
				}
				code := outcome.Say.Code
				said[code]++
				after := slices.IndexFunc(m.Events[n+1:], func(e engine.Event) bool { return e.Tellings[0].Say.Code != "wat.command-idle" })
				next := ""
				if after >= 0 {
					next = m.Events[n+1+after].Tellings[0].Say.Code
				}
				asked := ""
				if len(m.Owed) == 1 && next == "" {
					asked = m.Owed[0].Kind
				}
				if !slices.Contains(follows[code], cmp.Or(next, asked)) {
					return fmt.Errorf("stop %d: %s, and then %q, %q", m.Number, code, next, asked)
				}
			}
			return nil
		})
		if err != nil {
			t.Errorf("%s: %v", setup.Name, err)
		}
	}
	for code := range follows {
		if said[code] == 0 && code != "wat.outcome-attacker-choose" { // fair players rarely come to that
			t.Errorf("nothing was followed by %s: %v", code, said)
		}
	}
	t.Log(said)
}

// follows are the tellings, or kinds of stops, that may come next after an outcome.
var follows = map[string][]string{
	"wat.outcome-choose":          {stopLoss},
	"wat.outcome-defender":        {"wat.spends-cdp", "wat.reduced", "wat.eliminated"},
	"wat.outcome-none":            {"wat.attack-fails"},
	"wat.outcome-attacker":        {"wat.reduced", "wat.eliminated"},
	"wat.outcome-attacker-choose": {stopAttackerLoss},
}

// twoTellings tells what is wrong with totals as former programs told them.
func twoTellings(e engine.Event) error {
	say := recounting{say: e.Tellings[0].Say}
	apart := New().Apart([]engine.Event{e})
	if len(apart) != 2 {
		return fmt.Errorf("former programs told %d events", len(apart))
	}
	for r, was := range formerTotals {
		old := recounting{say: apart[r].Tellings[0].Say}
		if old.say.Code != was.code || apart[r].Clause != was.clause || !reflect.DeepEqual(apart[r].Tellings[0].To, e.Tellings[0].To) {
			return fmt.Errorf("former programs told %+v", apart[r])
		}
		parts := 0
		for _, unit := range old.arg("units").List {
			sum := recounting{say: *unit.Say}
			parts += sum.arg("points").Num + sum.arg("command").Num
		}
		if total := old.arg("total").Num; total != parts+old.arg("cards").Num || total != say.arg(was.total).Num {
			return fmt.Errorf("a total of %d, made of %d and %d by cards", total, parts, old.arg("cards").Num)
		}
	}
	return nil
}

// A log of a former program tells the totals of a battle one after the other, each with the
// command bonus of its side that had no effect: what this program tells is the same.
func TestTotalsOfFormerPrograms(t *testing.T) {
	everybody := []engine.Side{"french", "allied"}
	event := func(clause, code string, args ...argument) engine.Event {
		return engine.Event{Clause: clause, Tellings: []engine.Telling{{To: everybody, Say: phrase.Say(code, args...)}}}
	}
	sum := func(place, unit string, points int) argument {
		return phrase.Phrases(place, []phrase.Phrase{phrase.Say("wat.sum", phrase.Name("unit", "unit", unit), phrase.Number("points", points))})
	}
	idle := func(a army) engine.Event { return event("WAT-R19", "wat.command-idle", armyArg("army", a)) }
	reveals, fails := event("WAT-9.10", "wat.reveals-none"), event("WAT-9.34", "wat.attack-fails")
	totals := event("WAT-9.31", "wat.totals", sum("attackers", "F-1/I", 5), phrase.Number("attack", 9), phrase.Number("attack-cards", 4),
		sum("defenders", "A-5/R", 7), phrase.Number("defence", 7), phrase.Within("outcome", phrase.Say("wat.outcome-choose")))
	attack := event("WAT-9.21", "wat.total-attack", sum("units", "F-1/I", 5), phrase.Number("total", 9), phrase.Number("cards", 4))
	defence := event("WAT-9.22", "wat.total-defence", sum("units", "A-5/R", 7), phrase.Number("total", 7), phrase.Number("against", 9))
	for name, c := range map[string]struct{ now, then []engine.Event }{
		"alone":              {[]engine.Event{totals}, []engine.Event{attack, defence}},
		"among others":       {[]engine.Event{reveals, totals, fails}, []engine.Event{reveals, attack, defence, fails}},
		"attacker idle":      {[]engine.Event{totals, idle(french), fails}, []engine.Event{attack, idle(french), defence, fails}},
		"defender idle":      {[]engine.Event{totals, idle(anglo)}, []engine.Event{attack, defence, idle(anglo)}},
		"both idle":          {[]engine.Event{totals, idle(french), idle(anglo)}, []engine.Event{attack, idle(french), defence, idle(anglo)}},
		"twice in one stop":  {[]engine.Event{totals, idle(french), totals}, []engine.Event{attack, idle(french), defence, attack, defence}},
		"nothing to rejoin":  {[]engine.Event{reveals, fails}, []engine.Event{reveals, fails}},
		"nothing whatsoever": {nil, nil},
	} {
		if got := New().Apart(c.now); !reflect.DeepEqual(got, c.then) {
			t.Errorf("%s: former programs told %+v, not %+v", name, got, c.then)
		}
	}
}
