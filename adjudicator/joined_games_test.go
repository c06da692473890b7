package adjudicator

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/engine/playout"
	"berthier/mail"
)

// Games of the real rulesets in which each file also answers what follows with nothing in
// between, and the same games in which each answer comes by a letter at its stop: the same
// dice, events and positions, byte for byte, and logs that differ only in who answered and by
// which letter. Both verify.
func TestOneFileForTwoQuestionsIsTheSameGame(t *testing.T) {
	if raceEnabled {
		return // whole games by letter: the run without the race detector plays them
	}
	for _, m := range matches {
		if m.name == "waterloo, three players" && !fullSamples {
			continue
		}
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			stops, written := 16, 0
			if fullSamples {
				stops = 24
			}
			played := func(say func(h *match, o *game.Owes, number int) string) (*match, []log.Resolved) {
				h := sit(t, m.rules, m.options, m.sides, masterOfHisOwn+"second-thoughts: none\n")
				for range stops {
					g := h.record(h.id)
					i := slices.IndexFunc(g.Seats, func(s *game.Seat) bool { return s.Owes != nil && s.Owes.Answer == nil })
					if g.Phase != game.Running || i < 0 {
						break
					}
					_, done := h.resolutions(h.id)
					h.clock.move(time.Minute)
					h.write(mailboxOf(g.Seats[i].Side), fill(h.template(mailboxOf(g.Seats[i].Side)), say(h, g.Seats[i].Owes, len(done))), mail.Processed)
				}
				_, all := h.resolutions(h.id)
				for _, c := range h.verify(h.export(h.id, engine.GM)).Checks {
					if len(c.Wrong) > 0 {
						t.Errorf("%s: %q", c.What, c.Wrong)
					}
				}
				return h, all
			}
			files := playout.Joined(engine.Ruleset.Sensible, nil)
			_, joined := played(func(h *match, o *game.Owes, _ int) string {
				view := h.position().View(o.Decision.Side)
				a := m.rules.Sensible(view, o.Decision, h.chance)
				text := "\n  " + strings.ReplaceAll(strings.TrimSpace(a.Orders().Get("orders").Encode()), "\n", "\n  ")
				if filed := files(m.rules, view, o.Decision, a, h.chance); filed != "" {
					written++
					text += "\nahead:\n  " + strings.ReplaceAll(strings.TrimSpace(filed), "\n", "\n  ")
				}
				return text
			})
			_, single := played(func(_ *match, o *game.Owes, number int) string {
				if number < len(joined) {
					for _, given := range joined[number].Answers {
						if given.Decision == o.Decision {
							return strings.TrimPrefix(strings.TrimSpace(given.Orders), "orders:")
						}
					}
				}
				return "default"
			})
			by := 0
			for i := range min(len(joined), len(single)) {
				a, b := joined[i], single[i]
				for j := range a.Answers {
					if a.Answers[j].By == log.ByAhead {
						by++
					}
					if a.Answers[j].Orders != b.Answers[j].Orders || a.Answers[j].Decision != b.Answers[j].Decision {
						t.Errorf("stop %d: %+v and %+v", i+1, a.Answers[j], b.Answers[j])
					}
				}
				first, _ := json.Marshal([]any{a.Rolls, a.Events, a.Orders, a.Position})
				second, _ := json.Marshal([]any{b.Rolls, b.Events, b.Orders, b.Position})
				if string(first) != string(second) {
					t.Fatalf("stop %d went otherwise:\n%s\n%s", i+1, first, second)
				}
			}
			// No stops of hfg are joined; in enemy-mistakes blue must come between red's two armies, which seldom happens before stop 100.
			if by == 0 && (written > 0 || fullSamples && m.name != "hfg" && m.name != "enemy-mistakes") {
				t.Errorf("%d and %d stops, %d files for what follows, and none was answered by the file before", len(joined), len(single), written)
			}
		})
	}
}
