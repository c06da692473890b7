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

// What a player of a league's game books for his seat there alone counts within a year, too, and not over the whole game.
func TestAnAbsenceInALeaguesGameCountsWithinAYear(t *testing.T) {
	h := aLeague(t, strings.NewReplacer("games: {most-at-once: 3}", "games: {most-at-once: 3}\nabsence: 5d", "brisk: 2d", "brisk: 90d").Replace(aquila), "ada", "bea")
	h.enter("ada", "bea")
	h.start()
	id := h.league().Divisions[0].Playing[0]
	books := func(text, says string, want mail.Folder) {
		t.Helper()
		h.clock.move(time.Hour)
		h.deliver("ada@play.example")
		g := h.record(id)
		for _, s := range g.Seats {
			if s.Person.Address == "ada@play.example" {
				h.write("ada@play.example", "game: "+id+"\nkey: "+h.office.keys.Seat(g, s)+"\ncommand: vacation\n"+text, want)
			}
		}
		h.says(h.last("ada@play.example"), says)
	}
	books("from: 2026-03-03\nuntil: 2026-03-05\n", "2 more days within a year", mail.Processed)
	books("from: 2026-03-10\nuntil: 2026-03-12\n", "away for 5d within a year, and you have 2d left", mail.Rejected)
	h.clock.move(7 * 24 * time.Hour)
	books("from: 2027-02-27\nuntil: 2027-03-03\n", "within a year, and you have", mail.Rejected)
	books("from: 2027-03-07\nuntil: 2027-03-08\n", "3 more days within a year", mail.Processed)
	books("from: 2026-06-01\nuntil: 2026-06-03\n", "within a year, and you have", mail.Rejected)
	books("from: 2026-06-01\nuntil: 2026-06-01\n", "one more whole day within a year", mail.Processed)
}
