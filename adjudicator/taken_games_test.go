package adjudicator

import (
	"strings"
	"testing"
	"time"

	"berthier/mail"
)

// TestWhatResolvesAtOnceIsNotConfirmedByItself plays games of every ruleset in which each file
// that is the last to come resolves its stop. None of them is confirmed by a letter of its own:
// the report that follows says in its first lines that it was taken, and as which set, and says
// it once. A file that others have still to answer beside is confirmed at once.
func TestWhatResolvesAtOnceIsNotConfirmedByItself(t *testing.T) {
	if raceEnabled {
		return // whole games by letter: the run without the race detector plays them
	}
	for _, m := range matches {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			h := sit(t, m.rules, m.options, m.sides, masterOfHisOwn+"pace: every-decision\nsecond-thoughts: none\n")
			resolved, waited := 0, 0
			for range 8 {
				position := h.position()
				for _, d := range position.Owed() {
					to, stop := mailboxOf(d.Side), h.record(h.id).Stop
					order := h.order(d.Side, h.rules.Sensible(position.View(d.Side), d, h.chance))
					h.deliver(to)
					h.write(to, order, mail.Processed)
					h.clock.move(2 * time.Hour)
					taken, confirmed := 0, 0
					for _, l := range h.deliver(to) {
						text := strings.ToLower(strings.Join(strings.Fields(l.Parts[0].Text), " "))
						taken += strings.Count(text, "taken for ") + strings.Count(text, "ricevuto per la ")
						if strings.Contains(text, "orders taken:") || strings.Contains(text, "ordini ricevuti:") {
							confirmed++
						}
					}
					if h.record(h.id).Stop == stop {
						if waited++; confirmed != 1 || taken != 0 {
							t.Errorf("stop %d waits for others, and %s gets %d confirmations and %d reports of it", stop, d.Side, confirmed, taken)
						}
						continue
					}
					if resolved++; confirmed != 0 || taken != 1 {
						t.Errorf("stop %d is resolved, and %s gets %d confirmations and %d reports of it", stop, d.Side, confirmed, taken)
					}
				}
			}
			if resolved == 0 {
				t.Errorf("%d stops were resolved by the last file, at %d more it was not the last", resolved, waited)
			}
		})
	}
}
