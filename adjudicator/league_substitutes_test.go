package adjudicator

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league/book"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/league/table"
	"berthier/mail"
)

// seasonNow is the season of the league as it stands.
func (h *testOffice) seasonNow() (s *season.Season) {
	h.Helper()
	if err := (leagues{h.office}).look("aquila", func(b *openBook) error { s = b.Season; return nil }); err != nil {
		h.Fatal(err)
	}
	return s
}

// games of a member that are not decided.
func (h *testOffice) undecidedOf(member string) (all []string) {
	h.Helper()
	s := h.seasonNow()
	for _, id := range s.Undecided() {
		if slices.Contains(s.Game(id).Players, member) {
			all = append(all, id)
		}
	}
	return all
}

// answers lets everybody but one answer what is owed in a game.
func (h *testOffice) answersBut(id, silent string) {
	h.Helper()
	for _, s := range h.record(id).Seats {
		if s.Owes != nil && s.Person.Address != silent {
			if faults, err := h.office.Clerk().Answer(context.Background(), id, s.Side, fmt.Sprintf("stop: %d\norders: default\n", s.Owes.Stop)); err != nil || len(faults) > 0 {
				h.Fatal(err, faults)
			}
		}
	}
}

// playByLetters plays a game to its end by letters of its players, with default orders.
func (h *testOffice) playByLetters(id string) {
	h.Helper()
	for range 40 {
		for _, s := range h.record(id).Seats {
			if now := h.record(id).Seat(s.Side); now.Owes != nil {
				h.write(s.Person.Address, fmt.Sprintf("game: %s\nkey: %s\nstop: %d\norders: default\n", id, h.office.keys.Seat(h.record(id), now), now.Owes.Stop), mail.Processed)
			}
		}
		if h.record(id).Phase != game.Running {
			return
		}
		h.tick()
	}
	h.Fatalf("%s does not end", id)
}

// offered is the letter that offers somebody a side.
func (h *testOffice) offered(name string) *mail.Letter {
	h.Helper()
	var all []*mail.Letter
	for _, l := range h.deliver(name + "@play.example") {
		if strings.Contains(l.Subject, "is offered to you") {
			all = append(all, l)
		}
	}
	return h.one(all)
}

// If a member withdraws late, his game goes on and counts. His seat is offered to the first on the waiting
// list, who takes it by sending a file back, even if the office dies in between. The points go to
// the row of the member who left.
func TestASubstituteTakesOver(t *testing.T) {
	withoutRace(t)
	names := []string{"ada", "bea", "cara", "dora", "eva", "fay"}
	h := aLeagueOf(t, aquila, map[string]string{"lots.yaml": "options: {rounds: 3}\n"}, names...)
	h.enter(names...)
	h.start()
	waiting := h.seasonNow().Waiting()
	nameOf := func(id string) string { return names[int(id[len(id)-1]-'1')] }
	leaver := h.seasonNow().Divisions[0].Members[0]
	games := h.undecidedOf(leaver)
	for _, id := range games[:2] {
		h.playOut(id)
	}
	h.tick()
	h.asMember(nameOf(leaver)+"@play.example", h.keyOf(nameOf(leaver)), "command: withdraw\n", mail.Processed)
	h.tick()
	first := nameOf(waiting[0])
	letter := h.offered(first)
	h.says(letter, "it is your turn", games[2])
	second := nameOf(waiting[1])
	h.asMember(second+"@play.example", h.keyOf(second), "command: accept\n", mail.Rejected) // it is not his turn
	h.asMember(first+"@play.example", h.keyOf(first), "command: decline\noffer: "+games[2]+"\n", mail.Processed)
	h.tick()
	h.asMember(second+"@play.example", h.keyOf(second), "command: accept\n", mail.Processed)
	h.restart()
	h.tick()
	h.tick()
	seated := slices.ContainsFunc(h.record(games[2]).Seats, func(s *game.Seat) bool { return s.Person.Address == second+"@play.example" })
	if !seated {
		t.Fatal("the substitute has no seat")
	}
	h.asMember(second+"@play.example", h.keyOf(second), "command: accept\n", mail.Rejected) // nothing is offered any more
	h.playByLetters(games[2])
	h.tick()
	made, err := h.seasonNow().Table("first")
	if err != nil {
		t.Fatal(err)
	}
	marked := false
	for _, row := range made.Rows {
		for _, c := range row.Cells {
			marked = marked || row.Entry == leaver && c.Game == games[2] && slices.Contains(c.Marks, table.BySubstitute)
		}
	}
	if !marked {
		t.Errorf("no mark in %+v", made.Rows)
	}
	h.clock.move(finalAfter)
	h.tick()
	rated := func(member string) int {
		all, _, err := h.office.Secretary().Ratings("aquila")
		if err != nil || len(all) != 1 {
			t.Fatal(all, err)
		}
		return all[0].Played(member)
	}
	if won, lost := rated(waiting[1]), rated(leaver); won != 1 || lost != 2 {
		t.Errorf("the substitute is rated for %d games, who left for %d", won, lost)
	}
	if v := h.leagueKinds(); v["book.Offered"] != 2 || v["book.Replied"] != 2 || v["book.Vacant"] != 1 {
		t.Errorf("%v", v)
	}
}

// Silence draws from those who wait: an offer that is not answered goes to the next after two days; who answers again
// has his seat back; where nobody is left the secretaries are told, and after seven days the side is lost.
func TestSilenceDrawsFromSubstitutes(t *testing.T) {
	withoutRace(t)
	names := []string{"ada", "bea", "cara", "dora"}
	h := aLeagueOf(t, strings.NewReplacer("size: 4", "size: 2", "brisk: 2d", "brisk: 1d", "umpires:", "silence: {bot: 1, replace: 1}\nforfeit: {stops: 90}\numpires:").Replace(aquila),
		map[string]string{"lots.yaml": "options: {rounds: 20}\n"}, names...)
	h.enter(names...)
	h.start()
	id := h.league().Divisions[0].Playing[0]
	silent := ""
	for _, s := range h.record(id).Seats {
		silent = s.Person.Address
	}
	waiting := h.seasonNow().Waiting()
	quiet := func(hours int) {
		for range hours / 20 {
			h.answersBut(id, silent)
			h.clock.move(20 * time.Hour)
			h.tick()
			h.tick()
		}
	}
	for range 12 {
		if len(h.seasonNow().Vacancies) > 0 {
			break
		}
		quiet(20)
	}
	v := h.seasonNow().Vacancies
	if len(v) != 1 || !slices.Equal(v[0].Asked, waiting[:1]) {
		t.Fatalf("offered: %+v", v)
	}
	if l := h.last(gmAt); strings.Contains(wordsOf(l), "no reserve is left") {
		t.Error("the umpire is to find a player")
	}
	quiet(60)
	if v = h.seasonNow().Vacancies; len(v) != 1 || !slices.Equal(v[0].Asked, waiting) {
		t.Fatalf("after two days: %+v", v)
	}
	quiet(60)
	if !h.seasonNow().Alone(id) {
		t.Fatalf("nobody is left: %+v", h.seasonNow().Vacancies)
	}
	quiet(60)
	h.tick()
	o := h.seasonNow().Value(h.seasonNow().Game(id))
	if o.Kind != table.Forfeit || h.record(id).Phase != game.Closed || h.leagueKinds()["book.Abandoned"] != 1 {
		t.Errorf("after seven days %+v; the game is %s", o, h.record(id).Phase)
	}
	member := h.seasonNow().Divisions[0].Members[0]
	if got := newsOfGame(h.nextWeek(names[member[5]-'1']), id); !strings.HasSuffix(got, "|How: by forfeit") {
		t.Errorf("the week's news: %q", got)
	}
}

// A player who answers before somebody has taken his seat over has it back, and the offer is void.
func TestWhoComesBackKeepsHisSeat(t *testing.T) {
	names := []string{"ada", "bea", "cara"}
	h := aLeagueOf(t, strings.NewReplacer("size: 4", "size: 2", "umpires:", "silence: {bot: 9, replace: 1}\nforfeit: {stops: 90}\numpires:").Replace(aquila),
		map[string]string{"lots.yaml": "options: {rounds: 20}\n"}, names...)
	h.enter(names...)
	h.start()
	id := h.league().Divisions[0].Playing[0]
	silent := h.record(id).Seats[0]
	for range 40 {
		if len(h.seasonNow().Vacancies) > 0 {
			break
		}
		h.answersBut(id, silent.Person.Address)
		h.clock.move(12 * time.Hour)
		h.tick()
	}
	third := names[int(h.seasonNow().Waiting()[0][5]-'1')]
	h.offered(third)
	key := h.office.keys.Seat(h.record(id), h.record(id).Seats[0])
	h.write(silent.Person.Address, fmt.Sprintf("game: %s\nkey: %s\nstop: %d\norders: default\n", id, key, h.record(id).Seats[0].Owes.Stop), mail.Processed)
	h.answersBut(id, silent.Person.Address)
	h.tick()
	if v := h.seasonNow().Vacancies; len(v) > 0 {
		t.Fatalf("still wanted: %+v", v)
	}
	h.says(h.last(third+"@play.example"), "no longer needs a player")
	h.asMember(third+"@play.example", h.keyOf(third), "command: accept\n", mail.Rejected)
	taken := 0
	h.leagueLog("aquila", func(in book.Input) {
		if _, ok := in.(book.Replied); ok {
			taken++
		}
	})
	if taken > 0 {
		t.Errorf("%d replies", taken)
	}
}
