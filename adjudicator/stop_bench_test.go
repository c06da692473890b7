package adjudicator

import (
	"testing"

	"berthier/adjudicator/game"
	"berthier/mail"
)

// BenchmarkStop plays the first stops of games the whole road: each side answers by letter
// what a bot would, the stop is resolved, and the confirmations and the reports with their
// maps are written and sent. What it counts is letters of players.
func BenchmarkStop(b *testing.B) {
	for _, played := range matches {
		b.Run(played.name, func(b *testing.B) {
			var h *match
			stop := 0
			b.ReportAllocs()
			for b.Loop() {
				if h == nil || stop > played.stops || h.record(h.id).Phase != game.Running {
					b.StopTimer()
					h, stop = sit(b, played.rules, played.options, played.sides, masterOfHisOwn), 0
					h.flush()
					b.StartTimer()
				}
				stop++
				position := h.position()
				d := position.Owed()[0]
				answer := played.rules.Sensible(position.View(d.Side), d, h.chance)
				h.write(mailboxOf(d.Side), h.order(d.Side, answer), mail.Processed)
				h.tick()
				h.flush()
			}
		})
	}
}
