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

// Stops measures how many stops of recorded games are resolved in a second, including the
// view of each side after each stop: this is what the office does between the last answer
// and the reports.
func Stops(b *testing.B, rules engine.Ruleset, setups ...Setup) {
	var all []record
	for i := range uint64(8) {
		all = append(all, recorded(b, rules, setups[i%uint64(len(setups))].Setup, i))
	}
	b.ReportAllocs()
	games, stops := 0, 0
	for b.Loop() {
		r := all[games%len(all)]
		games++
		p, err := rules.New(r.setup)
		if err != nil {
			b.Fatal(err)
		}
		if len(p.Owed()) == 0 {
			if _, err := p.Advance(nil, &rollsOf{rolls: r.before}); err != nil {
				b.Fatal(err)
			}
		}
		for i, answers := range r.answers {
			if _, err := p.Advance(answers, &rollsOf{rolls: r.rolls[i]}); err != nil {
				b.Fatal(err)
			}
			for _, side := range p.Sides() {
				p.View(side)
			}
			stops++
		}
	}
	b.ReportMetric(float64(stops)/b.Elapsed().Seconds(), "stops/s")
}
