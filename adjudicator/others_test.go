package adjudicator

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/engine"
	"berthier/mail"
)

// owedByOthers changes what the other seats owe, and gives back what they owed.
func (h *match) owedByOthers(side engine.Side, to func(s *game.Seat) *game.Owes) map[engine.Side]*game.Owes {
	h.Helper()
	was := map[engine.Side]*game.Owes{}
	err := h.office.change(h.Context(), h.id, func(tr *transaction) error {
		for _, s := range tr.Game.Seats {
			if s.Side != side {
				was[s.Side] = s.Owes
				s.Owes = to(s)
			}
		}
		return nil
	})
	if err != nil {
		h.Fatal(err)
	}
	return was
}

// mailed is all that went out since a letter of a number, and to whom.
func (h *match) mailed(since int) []byte {
	h.Helper()
	h.flush()
	var out bytes.Buffer
	for _, p := range h.post.sent[since:] {
		fmt.Fprintf(&out, "to %s\n%s\n", p.to, p.raw)
	}
	return out.Bytes()
}

// A seat that owes an answer is told nothing of the others, whatever it writes: neither
// whether they have answered, nor whether the game still waits for them, nor whether they
// are not asked because their standing orders answer. The same letters go out in the same
// order, to the byte, even if everything else that the seat can't see is different.
func TestOthersAreNotSpokenOf(t *testing.T) {
	withoutRace(t)
	for _, played := range matches {
		t.Run(played.name, func(t *testing.T) {
			t.Parallel()
			stops := played.stops
			if !fullSamples {
				stops = 3
			}
			ways := map[string]func(s *game.Seat) *game.Owes{
				"not asked": func(*game.Seat) *game.Owes { return nil },
				"has answered": func(s *game.Seat) *game.Owes {
					o := &game.Owes{Stop: s.Stops, Decision: engine.Decision{Side: s.Side, Kind: "any"}}
					o.Answer = &game.InForce{Final: true, Number: 1}
					return o
				},
				"is waited for": func(s *game.Seat) *game.Owes {
					return &game.Owes{Stop: s.Stops, Decision: engine.Decision{Side: s.Side, Kind: "any"}}
				},
			}
			games := map[string]*match{}
			for name := range ways {
				games[name] = sit(t, played.rules, played.options, played.sides, masterOfHisOwn+"second-thoughts: none\n")
			}
			rules := played.rules.(engine.Sampler)
			one := games["not asked"]
			for stop := range stops {
				position := one.position()
				for _, d := range position.Owed() {
					view := position.View(d.Side)
					good := played.rules.Sensible(view, d, one.chance)
					other, err := rules.Sample(view, d, rand.New(rand.NewPCG(uint64(stop), 1)))
					if err != nil {
						t.Fatal(err)
					}
					got := map[string][]byte{}
					for name, h := range games {
						h.flush()
						since, from := len(h.post.sent), mailboxOf(d.Side)
						if name != "not asked" {
							h.becomes(other.Clone())
						}
						was := h.owedByOthers(d.Side, ways[name])
						h.write(from, h.order(d.Side, good, "draft: true"), mail.Processed)
						for _, command := range []string{"status", "report", "help", "rules", "history", "resend"} {
							h.write(from, letterOf(h, d.Side, command), mail.Processed)
						}
						h.write(from, h.order(d.Side, good, "final: no"), mail.Processed)
						h.write(from, letterOf(h, d.Side, "status"), mail.Processed)
						h.write(from, h.order(d.Side, good, "stop: 999"), mail.Rejected)
						got[name] = h.mailed(since)
						h.owedByOthers(d.Side, func(s *game.Seat) *game.Owes { return was[s.Side] })
						h.becomes(position.Clone())
						h.clock.move(time.Minute)
					}
					for name, letters := range got {
						if !bytes.Equal(letters, got["not asked"]) {
							t.Fatalf("stop %d: %s, who owes %s, learns that another %s: %s", stop, d.Side, d.Kind, name, diffLine(got["not asked"], letters))
						}
					}
				}
				for _, d := range position.Owed() {
					answer := played.rules.Sensible(position.View(d.Side), d, one.chance)
					for _, h := range games {
						h.write(mailboxOf(d.Side), h.order(d.Side, answer), mail.Processed)
						h.clock.move(time.Minute)
					}
				}
			}
		})
	}
}

// letterOf is a command letter of a side.
func letterOf(h *match, side engine.Side, word string) string {
	h.Helper()
	return command(h.testOffice, h.id, side, "command: "+word)
}
