package adjudicator

import (
	"strings"
	"testing"
	"time"

	"berthier/engine"
	"berthier/engine/napoleon"
	"berthier/mail"
)

// The confirmation of a newer file says, thing by thing and in the player's language, what the
// file orders otherwise. A file that says the same, and one with other standing orders only,
// are confirmed as before.
func TestANewerFileSaysWhatItOrdersOtherwise(t *testing.T) {
	for _, test := range []struct {
		sides    []string
		words    [3]string
		standing string
	}{
		{[]string{"french", "allied"}, [3]string{": now ", ", no longer ", "Against the orders that were in force"}, "+ standing:"},
		{[]string{"allied", "french"}, [3]string{": ora ", ", non più ", "Rispetto agli ordini che erano in vigore"}, "+ permanenti:"},
	} {
		h := sit(t, napoleon.New(), "setup: historical", test.sides, masterOfHisOwn)
		var files []string
		var side engine.Side
		h.at(func(tr *transaction) error {
			decision := tr.Position.Owed()[0]
			side = decision.Side
			view, rules := tr.View(side), tr.Rules.(engine.Chooser)
			var made []engine.Choice
			for _, c := range rules.Choices(view, decision, nil) {
				if len(made) == 0 || len(made) == 1 && c.Of == made[0].Of && c.What != made[0].What {
					made = append(made, c)
				}
			}
			for _, c := range made {
				files = append(files, rules.Compose(view, decision, []engine.Choice{c}).Orders().Encode())
			}
			return nil
		})
		if len(files) != 2 || files[0] == files[1] {
			t.Fatalf("no two choices of one thing: %q", files)
		}
		to := string(side) + "@play.example"
		h.deliver(to) // the report
		send := func(text string) string {
			h.clock.move(time.Hour)
			top, _, _ := strings.Cut(h.template(to), "\norders:")
			h.write(to, top+"\nfinal: no\n"+text, mail.Processed)
			return wordsOf(h.one(h.deliver(to)))
		}
		says := func(letter string, want bool, texts ...string) {
			t.Helper()
			for _, text := range texts {
				if strings.Contains(letter, text) != want {
					t.Errorf("the letter has %q: %v\n%s", text, !want, letter)
				}
			}
		}
		says(send(files[0]), false, test.words[:]...)
		says(send(files[1]), true, test.words[:]...)
		letter := send(files[1] + "standing: [{regroup: none}]\n")
		says(letter, true, test.standing)
		says(letter, false, test.words[2])
	}
}
