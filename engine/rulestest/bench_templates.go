package rulestest

import (
	"slices"
	"testing"
	"time"

	"berthier/engine"
	"berthier/engine/playout"
)

// An Owed is a decision with the view of the side that owes it.
type Owed struct {
	View engine.View
	To   engine.Decision
}

// workDone is the processor time that this process has used; nil where the system does not
// tell it.
var workDone func() time.Duration

// Worked is the processor time that this process has used; 0 where the system does not say.
func Worked() time.Duration {
	if workDone == nil {
		return 0
	}
	return workDone()
}

// Templates measures how long a template takes: at all stops of random games, as often as
// each kind comes, and at each kind of stop alone, of which it takes so many as the games
// come by first. More are stops that random games seldom come by.
func Templates(b *testing.B, rules engine.Ruleset, each int, more []Owed, games ...playout.Game) {
	all, kinds := slices.Clone(more), map[string][]Owed{}
	add := func(one Owed) {
		if kind := one.To.Kind; len(kinds[kind]) < each {
			kinds[kind] = append(kinds[kind], one)
		}
	}
	for _, one := range more {
		add(one)
	}
	for _, g := range games {
		g.Rules = rules
		_, err := g.Play(func(m playout.Moment) error {
			for _, d := range m.Owed {
				one := Owed{m.Position.Clone().View(d.Side), d}
				add(one)
				if m.Number%4 == 0 {
					all = append(all, one)
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	measure := func(name string, stops []Owed) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var began time.Duration
			if workDone != nil {
				began = workDone()
			}
			for b.Loop() {
				for _, one := range stops {
					rules.Template(one.View, one.To)
				}
			}
			n := float64(b.N * len(stops))
			if workDone != nil {
				b.ReportMetric(float64((workDone()-began).Nanoseconds())/n, "cpu-ns/stop")
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/n, "ns/stop")
			b.ReportMetric(float64(len(stops)), "stops")
		})
	}
	measure("all", all)
	for _, kind := range rules.About().Stops {
		if len(kinds[kind]) > 0 {
			measure(kind, kinds[kind])
		}
	}
}
