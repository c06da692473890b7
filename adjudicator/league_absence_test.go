package adjudicator

import (
	"strings"
	"testing"
	"time"

	"berthier/mail"
)

// What a league's set-up says of absences binds a member who is away from all his games at once: in its games no more of it
// counts than that within a year, whether they were there when he booked it or began later, and however he has booked it; in other
// games all of it does.
func TestTheLeaguesAbsenceBindsItsMembers(t *testing.T) {
	withoutRace(t)
	names := []string{"ada", "bea"}
	h := aLeague(t, strings.Replace(aquila, "games: {most-at-once: 3}", "games: {most-at-once: 3}\nabsence: 5d", 1), names...)
	h.newGame(strings.NewReplacer("lot-1", "lot-9", "red@play.example", "ada@play.example").Replace(twoSides))
	h.deliver("ada@play.example")
	h.enter(names...)
	h.start()
	id := h.league().Divisions[0].Playing[0]
	away := func(id string) (all []string) {
		for _, s := range h.record(id).Seats {
			if s.Person.Address == "ada@play.example" {
				for _, a := range s.Absences {
					all = append(all, a.From.Format(time.DateOnly)+"+"+a.Until.Sub(a.From).String())
				}
			}
		}
		return all
	}
	expect := func(id, want string) {
		t.Helper()
		for range 3 {
			h.tick()
		}
		if got := strings.Join(away(id), " "); got != want {
			t.Errorf("in %s she is away %q, not %q", id, got, want)
		}
	}
	h.deliver("ada@play.example")
	book := func(text, says string) {
		t.Helper()
		h.asMember("ada@play.example", h.keyOf("ada"), "command: vacation\n"+text, mail.Processed)
		h.says(h.last("ada@play.example"), says)
	}
	book("from: 2026-03-10\nuntil: 2026-03-12\n", "in all your games")
	expect(id, "2026-03-10+72h0m0s")
	book("from: 2026-03-20\nuntil: 2026-03-29\n", "In games of the league aquila it counts until")
	expect(id, "2026-03-10+72h0m0s 2026-03-20+48h0m0s")
	expect("lot-9", "2026-03-10+72h0m0s 2026-03-20+240h0m0s")
	book("from: 2026-04-20\nuntil: 2026-04-22\n", "In games of the league aquila nothing of it counts")
	expect(id, "2026-03-10+72h0m0s 2026-03-20+48h0m0s")
	expect("lot-9", "2026-03-10+72h0m0s 2026-03-20+240h0m0s 2026-04-20+72h0m0s")
	book("cancel: yes\n", "withdrawn")
	expect(id, "")
	h.asMember("ada@play.example", h.keyOf("ada"), "command: vacation\nfrom: 2026-03-10\nuntil: 2026-03-20\n", mail.Processed)
	expect(id, "2026-03-10+120h0m0s")
}
