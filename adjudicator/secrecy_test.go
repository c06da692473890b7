package adjudicator

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/engine"
	"berthier/engine/enginetest"
	"berthier/mail"
)

// A seat hears nothing of stops that are not its own, and counts only its own.
func TestOwnStopsOnly(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(strings.Replace(twoSides, "rounds: 3", "rounds: 5", 1))
	h.play("lot-1", h.anyUnit("lot-1"))
	g := h.record("lot-1")
	if g.Stop <= g.Seat("red").Stops || g.Stop <= g.Seat("blue").Stops {
		t.Fatal("no side was asked alone in this game")
	}
	for _, side := range []engine.Side{"red", "blue"} {
		s := g.Seat(side)
		last := 0
		for _, p := range h.post.sent {
			if p.to != s.Person.Address || p.letter.Subject == "" {
				continue
			}
			if m := regexp.MustCompile(`stop: (\d+) `).FindStringSubmatch(file(p.letter)); m != nil {
				var n int
				fmt.Sscan(m[1], &n)
				if n != last && n != last+1 {
					t.Errorf("%s: stop %d after %d", side, n, last)
				}
				last = n
			}
		}
		if last != s.Stops {
			t.Errorf("%s: last stop %d of %d", side, last, s.Stops)
		}
	}
}

// What a side must not know stands in none of its letters.
func TestNoLeaks(t *testing.T) {
	h := newTestOffice(t, func(h *testOffice) { h.opt.AnswersPerHour = 1000 })
	h.newGame(strings.Replace(twoSides, "rounds: 3", "rounds: 5", 1))
	blueKey := key(h, "lot-1", "blue")
	redKey := key(h, "lot-1", "red")
	pick := h.anyUnit("lot-1")
	h.play("lot-1", func(side engine.Side, o *game.Owes) string {
		if side == "blue" {
			h.write(blueAt, fill(h.template(blueAt), "{bid: R-1, nonsense: B-1}"), mail.Rejected)
			h.write(blueAt, fill(h.template(blueAt), pick(side, o), "draft: true", "note: secret-note"), mail.Processed)
			for _, c := range []string{"status", "report", "history", "rules", "help"} {
				h.write(blueAt, command(h, "lot-1", "blue", "command: "+c), mail.Processed)
			}
		}
		return pick(side, o)
	})
	for _, c := range []string{"status", "report", "history"} {
		h.write(redAt, command(h, "lot-1", "red", "command: "+c), mail.Processed)
		h.write(blueAt, command(h, "lot-1", "blue", "command: "+c), mail.Processed)
	}
	h.flush()
	hidden := map[string][]string{
		redAt:  {"B-1", "B-2", "B-3", "B-4", blueKey, blueAt, "Bruno", "secret-note"},
		blueAt: {"R-2", "R-3", "R-4", redKey, redAt, "Rosa"},
	}
	for _, p := range h.post.sent {
		text := wordsOf(p.letter) + string(p.raw)
		for _, secret := range hidden[p.to] {
			if strings.Contains(text, secret) {
				t.Errorf("letter %q to %s holds %q", p.letter.Subject, p.to, secret)
			}
		}
	}
}

// Whatever a player does besides answering, the other player's letters stay the same, except
// for the hash of the log and, once the whole log is open, its length.
func TestOthersDoingsDoNotShow(t *testing.T) {
	play := func(busy bool) []string {
		h := newTestOffice(t, func(h *testOffice) { h.opt.AnswersPerHour = 1000 })
		h.newGame(twoSides)
		h.flush()
		pick := h.anyUnit("lot-1")
		at := h.clock.Now()
		for range 50 {
			g := h.record("lot-1")
			if g.Phase != game.Running {
				break
			}
			for _, side := range []engine.Side{"red", "blue"} {
				s := h.record("lot-1").Seat(side)
				if s.Owes == nil || s.Owes.Answer != nil {
					continue
				}
				at = at.Add(time.Hour)
				h.clock.now = at
				if busy && side == "blue" {
					h.write(blueAt, fill(h.template(blueAt), "{bid: X-9}"), mail.Rejected)
					h.write(blueAt, fill(h.template(blueAt), pick(side, s.Owes), "final: no"), mail.Processed)
					h.write(blueAt, command(h, "lot-1", "blue", "command: status"), mail.Processed)
				}
				h.write(s.Person.Address, fill(h.template(s.Person.Address), pick(side, s.Owes)), mail.Processed)
				h.flush()
			}
		}
		var all []string
		for _, p := range h.post.sent {
			if p.to == redAt {
				text := marks.ReplaceAllString(wordsOf(p.letter), "~")
				if strings.Contains(text, "lot-1.zip") {
					text = ends.ReplaceAllString(text, "~")
				}
				all = append(all, text)
			}
		}
		return all
	}
	quiet, busy := play(false), play(true)
	if !slices.Equal(quiet, busy) {
		for i := range min(len(quiet), len(busy)) {
			if quiet[i] != busy[i] {
				t.Fatalf("letter %d differs:\n%s\n----\n%s", i, quiet[i], busy[i])
			}
		}
		t.Fatalf("%d letters and %d", len(quiet), len(busy))
	}
}

// Two positions that differ only in what red can't see give red the same
// letters.
func TestHiddenStateDoesNotShow(t *testing.T) {
	letters := func(scramble bool) []string {
		rules := &scrambled{enginetest.New(), scramble}
		h := newTestOffice(t, func(h *testOffice) { h.rules = rules })
		h.newGame(twoSides)
		h.write(redAt, fill(h.template(redAt), "{bid: R-7}"), mail.Rejected)
		h.write(redAt, fill(h.template(redAt), "{bid: B-1}"), mail.Rejected)
		h.write(redAt, fill(h.template(redAt), "{bid: R-1}"), mail.Processed)
		h.write(redAt, command(h, "lot-1", "red", "command: status"), mail.Processed)
		h.write(redAt, command(h, "lot-1", "red", "command: report"), mail.Processed)
		h.flush()
		var all []string
		for _, p := range h.post.sent {
			if p.to == redAt {
				all = append(all, marks.ReplaceAllString(string(p.raw)+wordsOf(p.letter), "~"))
			}
		}
		return all
	}
	if a, b := letters(false), letters(true); !slices.Equal(a, b) {
		t.Error("red's letters tell of blue's units")
	}
}

// scrambled deals blue other units.
type scrambled struct {
	enginetest.Lots
	on bool
}

func (s *scrambled) New(setup engine.Setup) (engine.Position, error) {
	p, err := s.Lots.New(setup)
	if err == nil && s.on {
		g := p.(*enginetest.Game)
		units := g.Players[1].Units
		for i := range units {
			units[i].Strength = 6 - units[i].Strength
		}
		g.Players[1].Units = units[:3]
	}
	return p, err
}

// The hash of the log at the foot of a letter does not tell whether the other
// side has written since the letter before.
func TestHashDoesNotTell(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	status := func() string {
		h.deliver(redAt)
		h.write(redAt, command(h, "lot-1", "red", "command: status"), mail.Processed)
		found := logHash.FindAllString(wordsOf(h.one(h.deliver(redAt))), -1)
		if len(found) == 0 {
			t.Fatal("the letter has no hash")
		}
		return found[len(found)-1]
	}
	first := status()
	h.write(blueAt, fill(h.template(blueAt), "{bid: X-9}"), mail.Rejected)
	h.write(blueAt, fill(h.template(blueAt), "{bid: B-1}", "final: no"), mail.Processed)
	if err := h.office.Clerk().Remind(context.Background(), "lot-1", "blue"); err == nil {
		t.Error("blue has answered and was reminded")
	}
	if got := status(); got != first {
		t.Error("red's hash changes when blue writes")
	}
	h.write(redAt, fill(h.template(redAt), "{bid: R-1}", "final: no"), mail.Processed)
	if got := status(); got == first {
		t.Error("red's hash does not change when his own orders are logged")
	}
}
