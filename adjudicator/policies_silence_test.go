package adjudicator

import (
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/engine"
	"berthier/engine/napoleon"
	"berthier/mail"
)

// A seat for which only its policies answer is not silent: nobody asked it. No stop that they
// answer counts as missed, or lets the bot or a reserve take the seat, however long the other
// side takes.
func TestWhoIsAnsweredByPoliciesIsNotSilent(t *testing.T) {
	if raceEnabled {
		return // left to the run without the race detector
	}
	h := sit(t, napoleon.New(), "setup: historical", []string{"french", "allied"},
		masterOfHisOwn+"pace: postal\nsilence: {bot: 2, replace: 4}\nreserves: [{name: Rita, address: rita@play.example, language: it}]\n")
	answered, missed := 0, 0
	for range 60 {
		if h.record(h.id).Phase != game.Running {
			break
		}
		h.clock.move(40 * time.Hour) // past no deadline; a stop held for a second look is resolved
		h.tick()
		position := h.position()
		owed := position.Owed()
		if missed == 0 && answered > 2 && owed[0].Side == "french" { // the French are late once
			missed++
			h.clock.move(73 * time.Hour)
			h.tick()
		} else {
			for _, d := range owed {
				h.write(mailboxOf(d.Side), h.order(d.Side, h.rules.Sensible(position.View(d.Side), d, h.chance)), mail.Processed)
			}
		}
		for _, l := range h.deliver(mailboxOf("allied")) {
			answered += strings.Count(l.Parts[0].Text, "la tua direttiva")
		}
		if s := h.record(h.id).Seat("allied"); s.Missed > 0 || s.Streak > 0 || s.Bot || s.Person.Address != mailboxOf("allied") {
			t.Fatalf("the Allies are counted as silent after %d stops that their policies answered: missed %d, in a row %d, bot %v", answered, s.Missed, s.Streak, s.Bot)
		}
	}
	if s := h.record(h.id).Seat("french"); answered < 5 || missed != 1 || s.Missed != 1 {
		t.Errorf("the policies of the Allies answered %d stops, the French missed %d deadlines", answered, s.Missed)
	}
}

// An interlock waits only for those who are asked: if policies have answered a stop for all
// sides but one, the answer of that side resolves it at once.
func TestPoliciesDelayNothing(t *testing.T) {
	if raceEnabled {
		return // left to the run without the race detector
	}
	h := sit(t, napoleon.New(), "setup: historical", []string{"french", "allied"}, masterOfHisOwn+"pace: postal\nsecond-thoughts: none\n")
	stops := 20
	if fullSamples {
		stops = 40
	}
	for range stops {
		before := h.record(h.id)
		if before.Phase != game.Running {
			break
		}
		position := h.position()
		owed := position.Owed()
		for _, d := range owed {
			h.write(mailboxOf(d.Side), h.order(d.Side, h.rules.Sensible(position.View(d.Side), d, h.chance)), mail.Processed)
		}
		if after := h.record(h.id); after.Stop <= before.Stop && after.Phase == game.Running {
			t.Fatalf("stop %d waits though %v have answered", after.Stop, owed)
		}
		for _, side := range []engine.Side{"french", "allied"} {
			asked := false
			for _, d := range h.position().Owed() {
				asked = asked || d.Side == side
			}
			if s := h.record(h.id).Seat(side); asked != (s.Owes != nil) && h.record(h.id).Phase == game.Running {
				t.Fatalf("%s: asked %v, owes %v", side, asked, s.Owes)
			}
		}
	}
}
