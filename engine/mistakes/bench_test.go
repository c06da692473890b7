package mistakes

import (
	"context"
	"flag"
	"runtime"
	"runtime/pprof"
	"testing"
	"time"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
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
// after each stop; what the players think is left out. One operation is all games, of which each is played and then resolved; the
// metrics say what one turn takes, by the clock and in time of the processor. In a profile, what is
// counted has a label: `go tool pprof -tagfocus counted=rules`.
func BenchmarkTurns(b *testing.B) {
	turns, stops := 0, 0
	var worked time.Duration
	for b.Loop() {
		b.StopTimer()
		for seed := range uint64(*benchGames) {
			game, n := playedByBots(b, seed)
			turns, stops = turns+n, stops+len(game)
			runtime.GC() // what the players have thought is no work of the rules
			began := rulestest.Worked()
			b.StartTimer()
			pprof.Do(b.Context(), pprof.Labels("counted", "rules"), func(context.Context) {
				for i := range game {
					game[i].again(b)
				}
			})
			b.StopTimer()
			worked += rulestest.Worked() - began
		}
		b.StartTimer()
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(turns), "ms/turn")
	b.ReportMetric(float64(worked.Microseconds())/1000/float64(turns), "cpu-ms/turn")
	b.ReportMetric(float64(stops)/float64(turns), "stops/turn")
}

// playedByBots gives the stops of a game between fair players, and how many turns it took.
func playedByBots(b *testing.B, seed uint64) (stops []resolved, turns int) {
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
	return stops, result.Final.(*game).Turn
}

// again resolves a stop as it was played, and makes the views.
func (r *resolved) again(b *testing.B) {
	if _, err := r.before.Advance(r.answers, &again{r.rolls}); err != nil {
		b.Fatal(err)
	}
	for _, side := range r.before.Sides() {
		r.before.View(side)
	}
}
