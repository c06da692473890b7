package adjudicator

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"berthier/mail"
)

// The weekly letter tells a member once whose rating has moved by more than a point, with the games of his that moved it;
// also when a result that was final long ago is another one now.
func TestTheWeeksLetterTellsThatARatingMoved(t *testing.T) {
	withoutRace(t)
	h, games := played(t, aquila)
	mine := func(l *mail.Letter, id string) bool { return strings.Contains(wordsOf(l), id) }
	moved := func() (all []*mail.Letter) {
		t.Helper()
		h.monday()
		for _, l := range weeklies(h.deliver("ada@play.example")) {
			if strings.Contains(wordsOf(l), "your rating is") {
				all = append(all, l)
			}
		}
		return all
	}
	for _, id := range games { // ada wins hers, the others are drawn
		for _, s := range h.record(id).Seats {
			if s.Person.Address == "ada@play.example" {
				if _, err := h.office.Clerk().Rule(t.Context(), id, fmt.Sprintf("command: rule\noutcome: %s\nreason: r\n", s.Side), "", true); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	h.tick()
	var told []*mail.Letter
	for range 8 {
		told = append(told, moved()...)
	}
	if len(told) != 1 {
		t.Fatalf("told %d times", len(told))
	}
	n := 0
	for _, id := range games {
		sits := false
		for _, s := range h.record(id).Seats {
			sits = sits || s.Person.Address == "ada@play.example"
		}
		if mine(told[0], id) != sits {
			t.Errorf("%s is named: %v, but ada plays there: %v", id, !sits, sits)
		}
		if sits {
			n++
		}
	}
	if n != 3 {
		t.Errorf("ada plays in %d games", n)
	}
	h.says(told[0], "a week ago it was 1500")
	h.scoresBySide(games)
	hers := ""
	for _, id := range games { // her game is drawn after all
		if mine(told[0], id) {
			hers = id
		}
	}
	if _, err := h.office.Clerk().Rule(t.Context(), hers, "command: rule\noutcome: draw\nreason: r\n", "", true); err != nil {
		t.Fatal(err)
	}
	h.tick()
	for _, by := range []string{"other@club.example", secretaryAt} {
		if _, err := h.office.Secretary().Rule(t.Context(), "aquila", LeagueRuling{Kind: "correct", Game: hers, By: by, Reason: "r"}, "", true); err != nil {
			t.Fatal(err)
		}
	}
	told = moved()
	h.says(h.one(told), hers)
	for _, id := range games {
		if id != hers && mine(told[0], id) {
			t.Errorf("%s is named, but nothing has changed there:\n%s", id, wordsOf(told[0]))
		}
	}
	if again := moved(); len(again) > 0 {
		t.Errorf("told again:\n%s", wordsOf(again[0]))
	}
}

// scoresBySide checks that ada, who has won all of some games, reads so for each side.
func (h *testOffice) scoresBySide(games []string) {
	h.Helper()
	h.asMember("ada@play.example", h.keyOf("ada"), "command: rating\n", mail.Processed)
	rating := h.one(h.deliver("ada@play.example"))
	sat := map[string]int{}
	for _, id := range games {
		for _, s := range h.record(id).Seats {
			if s.Person.Address == "ada@play.example" {
				sat[string(s.Side)]++
			}
		}
	}
	for side, n := range sat {
		row := regexp.MustCompile(fmt.Sprintf(`two, rounds: 1\W+%s\W+%d\W+0\W+0`, side, n))
		if !row.MatchString(wordsOf(rating)) {
			h.Errorf("no score of %d as %s in\n%s", n, side, wordsOf(rating))
		}
	}
}

// Who was silent until the bot plays for him reads when he loses his seat, and the game, in a league; in other
// games nothing of the kind.
func TestTheSilentAreWarned(t *testing.T) {
	withoutRace(t)
	h := aLeagueOf(t, strings.Replace(aquila, "size: 4", "size: 2", 1), map[string]string{"lots.yaml": "options: {rounds: 20}\n"}, "ada", "bea")
	h.enter("ada", "bea")
	h.start()
	id := h.league().Divisions[0].Playing[0]
	h.running("alone", "ada@play.example", foeAt, "silence: {bot: 1}\n")
	text := ""
	for range 16 {
		h.clock.move(20 * time.Hour)
		h.tick()
		for _, l := range h.deliver("ada@play.example") {
			if strings.Contains(wordsOf(l), "From now on the bot plays for your side") {
				text += fmt.Sprintln(l.Subject, strings.Contains(wordsOf(l), "after 4 missed stops in a row; after 6 the game is lost for you"))
			}
		}
	}
	for about, want := range map[string]string{id: "true", "alone": "false"} {
		if !strings.Contains(text, about) || strings.Count(text, want) != 1 {
			t.Errorf("%s: not once %s in\n%s", about, want, text)
		}
	}
}
