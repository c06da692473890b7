package adjudicator

import (
	"strings"
	"testing"
	"time"

	"berthier/engine"
	"berthier/mail"
)

// TestTheLastLetterTellsTheGameAndNoneBeforeIt plays a few stops of each ruleset. As long as
// the game goes on, a history has how it went as its own side knows it: not what is hidden from
// it, nor who else answered. When the game is over each seat gets all of it, once; and after it
// was taken back behind its end, a history tells no more again than before.
func TestTheLastLetterTellsTheGameAndNoneBeforeIt(t *testing.T) {
	if raceEnabled {
		return // left to the run without the race detector: what happens here happens one after the other
	}
	for _, game := range matches[:unraced(len(matches))] {
		t.Run(game.name, func(t *testing.T) {
			h := sit(t, game.rules, game.options, game.sides, masterOfHisOwn+"second-thoughts: none\n")
			master := func(lines ...string) {
				t.Helper()
				for _, more := range [][]string{nil, {"confirm: "}} {
					if more != nil {
						code := codeIn.FindStringSubmatch(wordsOf(h.one(h.deliver(gmAt))))
						if code == nil {
							t.Fatalf("no code for %q", lines)
						}
						lines = []string{lines[0], "confirm: " + code[1]}
					}
					h.deliver(gmAt)
					h.write(gmAt, command(h.testOffice, h.id, engine.GM, lines...), mail.Processed)
				}
				h.deliver(gmAt)
			}
			play := func(stops int) {
				for range stops {
					position := h.position()
					for _, d := range position.Owed() {
						answer := game.rules.Sensible(position.View(d.Side), d, h.chance)
						h.write(mailboxOf(d.Side), h.order(d.Side, answer), mail.Processed)
						h.clock.move(time.Minute)
					}
				}
			}
			play(6)
			first := engine.Side(game.sides[0]) // reads English
			history := func() string {
				t.Helper()
				h.deliver(mailboxOf(first))
				h.write(mailboxOf(first), command(h.testOffice, h.id, first, "command: history"), mail.Processed)
				return h.deliver(mailboxOf(first))[0].Parts[0].Text
			}
			secret := []string{"What you could not see", "Thank you", "in contact, unseen"}
			running := func(when string) {
				t.Helper()
				text := history()
				if !strings.Contains(text, "Who answered") {
					t.Errorf("%s: a history does not say how the game went:\n%s", when, text)
				}
				for _, other := range secret {
					if strings.Contains(text, other) {
						t.Errorf("%s: a history has %q:\n%s", when, other, text)
					}
				}
				_, answers, _ := strings.Cut(text, "Who answered")
				if n := strings.Count(strings.SplitN(answers, "\n\n", 3)[1], ":"); n > 1 {
					t.Errorf("%s: a history says who else answered:\n%s", when, answers)
				}
			}
			running("while it goes on")
			for _, side := range game.sides {
				h.deliver(mailboxOf(engine.Side(side)))
			}
			master("command: rule", "outcome: ["+game.sides[0]+"]", "reason: the others give up")
			for i, side := range game.sides {
				last := h.deliver(mailboxOf(engine.Side(side)))
				text := ""
				for _, l := range last {
					text += l.Parts[0].Text
				}
				want := [][]string{{"How the game went ---", "Luck ---", "Who answered ---", "What you could not see ---", "Thank you ---"},
					{"Come è andata la partita ---", "La fortuna ---", "Chi ha risposto ---", "Ciò che non potevi vedere ---", "Grazie ---"}}[i%2]
				for _, heading := range want {
					if strings.Count(text, heading) != 1 {
						t.Errorf("the last letter to %s has %q %d times:\n%s", side, heading, strings.Count(text, heading), text)
					}
				}
			}
			if text := history(); !strings.Contains(text, "What you could not see") {
				t.Errorf("the history of a finished game hides something:\n%s", text)
			}
			master("command: rewind", "stop: 4", "orders: new", "reason: a mistake")
			running("after it was taken back")
		})
	}
}
