package mistakes

import (
	"flag"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/orders/phrase"
)

var benchGames = flag.Int("bench-games", 2, "how many games BenchmarkTurns plays")

// A resolved is a stop that was played: what it began with, what was answered, what was rolled.
type resolved struct {
	before  engine.Position
	answers map[engine.Side]engine.Answer
	rolls   []engine.Roll
}

// again are dice that fall as they did.
type again struct{ rolls []engine.Roll }

// Roll implements [engine.Dice].
func (r *again) Roll(int, phrase.Phrase) int {
	roll := r.rolls[0]
	r.rolls = r.rolls[1:]
	return roll.Result
}

// BenchmarkTurns resolves the turns of games between fair players, with the view of each side
// after each stop; what the players think is left out. One operation is all of them; the metric says what one turn takes.
func BenchmarkTurns(b *testing.B) {
	var stops []resolved
	turns := 0
	for seed := range uint64(*benchGames) {
		played := playout.Game{Rules: New(), Seed: seed, Choose: engine.Ruleset.Sensible}
		result, err := played.Play(func(m playout.Moment) error {
			if n := len(stops); m.Number > 1 {
				stops[n-1].rolls = m.Rolls
			}
			if len(m.Owed) > 0 {
				stops = append(stops, resolved{before: m.Position.Clone(), answers: m.Answers})
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
		turns += result.Final.(*game).Turn
	}
	for b.Loop() {
		b.StopTimer()
		positions := make([]engine.Position, len(stops))
		for i := range stops {
			positions[i] = stops[i].before.Clone()
		}
		b.StartTimer()
		for i, p := range positions {
			if _, err := p.Advance(stops[i].answers, &again{stops[i].rolls}); err != nil {
				b.Fatal(err)
			}
			for _, side := range p.Sides() {
				p.View(side)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N)/float64(turns), "ms/turn")
	b.ReportMetric(float64(len(stops))/float64(turns), "stops/turn")
}
