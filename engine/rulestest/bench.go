package rulestest

import (
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/orders/phrase"
)

// A record is a game that was played, to be resolved again.
type record struct {
	setup   engine.Setup
	before  []int // rolls before the first stop, in a game that begins with rolls
	answers []map[engine.Side]engine.Answer
	rolls   [][]int // of each stop
}

// rollsOf are dice that give the results in a list, and take no time for it.
type rollsOf struct {
	rolls []int
	next  int
}

// Roll implements [engine.Dice].
func (r *rollsOf) Roll(int, phrase.Phrase) int {
	r.next++
	return r.rolls[r.next-1]
}

// recorded plays a random game and records it.
func recorded(b *testing.B, rules engine.Ruleset, setup engine.Setup, seed uint64) record {
	b.Helper()
	r := record{setup: setup}
	_, err := playout.Run(rules, setup, seed, func(m playout.Moment) error {
		var rolls []int
		for _, roll := range m.Rolls {
			rolls = append(rolls, roll.Result)
		}
		if m.Number > 1 {
			r.rolls = append(r.rolls, rolls)
		} else {
			r.before = rolls
		}
		if len(m.Owed) > 0 {
			r.answers = append(r.answers, m.Answers)
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return r
}

// Stops measures how many stops of recorded games are resolved in a second: alone, with the
// view of one side after each stop, which is what playing it on costs, and with the views of
// all sides, which is what the office does between the last answer and the reports.
func Stops(b *testing.B, rules engine.Ruleset, setups ...Setup) {
	var all []record
	for i := range uint64(8) {
		all = append(all, recorded(b, rules, setups[i%uint64(len(setups))].Setup, i))
	}
	for _, views := range []struct {
		name string
		of   func([]engine.Side) []engine.Side
	}{
		{"no view", func([]engine.Side) []engine.Side { return nil }},
		{"one view", func(sides []engine.Side) []engine.Side { return sides[:1] }},
		{"all views", func(sides []engine.Side) []engine.Side { return sides }},
	} {
		b.Run(views.name, func(b *testing.B) {
			b.ReportAllocs()
			games, stops := 0, 0
			for b.Loop() {
				r := all[games%len(all)]
				games++
				stops += len(r.answers)
				if err := r.again(rules, views.of); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(stops)/b.Elapsed().Seconds(), "stops/s")
		})
	}
}

// again plays a recorded game again, and makes the views of some sides after each stop.
func (r record) again(rules engine.Ruleset, seen func([]engine.Side) []engine.Side) error {
	p, err := rules.New(r.setup)
	if err != nil {
		return err
	}
	if len(p.Owed()) == 0 {
		if _, err := p.Advance(nil, &rollsOf{rolls: r.before}); err != nil {
			return err
		}
	}
	for i, answers := range r.answers {
		if _, err := p.Advance(answers, &rollsOf{rolls: r.rolls[i]}); err != nil {
			return err
		}
		for _, side := range seen(p.Sides()) {
			p.View(side)
		}
	}
	return nil
}
