package adjudicator

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/league/season"
	"berthier/mail"
)

// who gives the name of a member by his id, among some who have entered in their order.
func (h *testOffice) who(id string, names ...string) string {
	h.Helper()
	for _, name := range names {
		m, err := h.office.Secretary().ShowMember(name + "@play.example")
		if err != nil {
			h.Fatal(err)
		}
		if m.ID == id {
			return name
		}
	}
	h.Fatalf("nobody is %s", id)
	return ""
}

// A player protests about a game of his: the secretaries who have no stake in it are told, and nobody else; the
// game goes on, but its result is not final until one of them has answered. Only who plays there protests, and once.
func TestAProtest(t *testing.T) {
	names := []string{"ada", "bea", "cara", "dora"}
	h := aLeague(t, twoPeople, append(names, "eva")...)
	h.enter(names...)
	h.start()
	games := h.league().Divisions[0].Playing
	id := games[0]
	g := h.seasonNow().Game(id)
	who := h.who(g.Entries[1], names...)
	protest := "command: protest\nleague: aquila\nabout: " + id + "\nreason: he had help\n"
	h.asMember("eva@play.example", h.keyOf("eva"), protest, mail.Rejected)
	h.asMember(who+"@play.example", h.keyOf(who), strings.Replace(protest, "reason: he had help\n", "", 1), mail.Rejected)
	h.asMember(who+"@play.example", h.keyOf(who), strings.Replace(protest, id, "aquila-9-9-9", 1), mail.Rejected)
	for _, at := range append(slices.Clone(names), "eva") {
		h.deliver(at + "@play.example")
	}
	h.deliver(secretaryAt)
	h.asMember(who+"@play.example", h.keyOf(who), protest, mail.Processed)
	h.says(h.last(who+"@play.example"), "is not final until")
	h.says(h.last(secretaryAt), "he had help", id)
	for _, name := range append(slices.Clone(names), "eva") { // ada is a secretary, too, but plays in that division
		for _, l := range h.deliver(name + "@play.example") {
			if strings.Contains(wordsOf(l), "he had help") {
				t.Errorf("%s reads the protest", name)
			}
		}
	}
	h.asMember(who+"@play.example", h.keyOf(who), protest, mail.Rejected)
	for _, one := range games {
		h.playOut(one)
	}
	h.tick()
	h.clock.move(finalAfter + time.Hour)
	h.tick()
	if v := h.seasonNow(); v.Game(id).Final || !v.Game(games[1]).Final || v.Value(v.Game(id)).Kind == "open" {
		t.Fatalf("final: %v, and the other: %v", v.Game(id).Final, v.Game(games[1]).Final)
	}
	h.deliver(secretaryAt)
	h.monday()
	h.says(h.last(secretaryAt), "protested about these games", id)
	if got := h.league().Protests; !slices.Equal(got, []string{id}) {
		t.Errorf("shown to wait: protests about %v", got)
	}
	s := h.office.Secretary()
	ruling := LeagueRuling{Kind: "dismiss", Game: id, By: "ada@play.example", Reason: "r"}
	_, err := s.Rule(context.Background(), "aquila", ruling, "", true)
	h.refusedAs("league.stake", err)
	ruling.By = secretaryAt
	other := ruling
	other.Game = games[1]
	_, err = s.Rule(context.Background(), "aquila", other, "", true)
	h.refusedAs("league.protest.none", err)
	h.deliver(who + "@play.example")
	if done, err := s.Rule(context.Background(), "aquila", ruling, "", true); err != nil || !done.Done || len(done.Changes) > 0 {
		t.Fatalf("%+v, %v", done, err)
	}
	h.says(h.last(who+"@play.example"), "has answered your protest")
	h.tick()
	if !h.seasonNow().Game(id).Final {
		t.Error("the answer does not make the result final")
	}
	h.asMember(who+"@play.example", h.keyOf(who), protest, mail.Rejected)
	h.must(s.End(context.Background(), "aquila"))
	h.verified("aquila")
}

// A ruling answers a protest, too. After that the same member protests once more only when the game counts as something else.
// Where every secretary has a stake nobody reads a protest.
func TestARulingAnswersAProtest(t *testing.T) {
	names := []string{"ada", "bea", "cara", "dora"}
	h := aLeague(t, aquila, names...)
	h.enter(names...)
	h.start()
	id := h.league().Divisions[0].Playing[0]
	g := h.seasonNow().Game(id)
	who := h.who(g.Entries[0], names...)
	at, protest := who+"@play.example", "command: protest\nleague: aquila\nabout: "+id+"\nreason: r\n"
	h.asMember(at, h.keyOf(who), protest, mail.Processed)
	s := h.office.Secretary()
	rule := func(kind string, of ...string) {
		t.Helper()
		h.clock.move(time.Minute)
		if _, err := s.Rule(context.Background(), "aquila", LeagueRuling{Kind: kind, Game: id, Of: of, Reason: "r"}, "", true); err != nil {
			t.Fatal(err)
		}
	}
	rule("forfeit", g.Entries[1])
	_, err := s.Rule(context.Background(), "aquila", LeagueRuling{Kind: "dismiss", Game: id, Reason: "r"}, "", true)
	h.refusedAs("league.protest.none", err)
	h.asMember(at, h.keyOf(who), protest, mail.Rejected)
	rule("overrule")
	h.asMember(at, h.keyOf(who), protest, mail.Processed) // it counts as something else
	rule("cancel")
	h.asMember(at, h.keyOf(who), protest, mail.Rejected)
	h.verified("aquila")

	alone := aLeague(t, strings.Replace(aquila, "[secretary@club.example]", "[ada@play.example]", 1), names...)
	alone.enter(names...)
	alone.start()
	log := alone.league().Log
	id = alone.gameOf("bea@play.example")
	alone.deliver("bea@play.example")
	alone.asMember("bea@play.example", alone.keyOf("bea"), "command: protest\nleague: aquila\nabout: "+id+"\nreason: r\n", mail.Rejected)
	alone.says(alone.last("bea@play.example"), "none of them may read")
	if alone.league().Log != log {
		t.Error("a protest that nobody may read is taken")
	}
}

// Who pauses is offered no side of others, is entered by nobody, and hears of no further season; his own letter ends that.
func TestEntriesArePaused(t *testing.T) {
	withoutRace(t)
	names := []string{"ada", "bea", "cara", "dora"}
	h := aLeague(t, aquila, append(names, "eva", "finn")...)
	h.enter(append(slices.Clone(names), "eva", "finn")...)
	pause := "command: pause-entries\nleague: aquila\n"
	at := func(name string) string { return name + "@play.example" }
	h.asMember(at("ada"), h.keyOf("ada"), pause+"cancel: yes\n", mail.Rejected)
	h.start()
	waiting := h.league().Waiting
	if len(waiting) != 2 {
		t.Fatalf("%v wait", waiting)
	}
	first, second := h.who(waiting[0], append(names, "eva", "finn")...), h.who(waiting[1], append(names, "eva", "finn")...)
	h.deliver(at(first))
	h.deliver(at(second))
	var leaves string
	for _, name := range names {
		if m, _ := h.office.Secretary().ShowMember(at(name)); name != first && name != second && slices.Contains(h.league().Divisions[0].Members, m.ID) {
			leaves = name
		}
	}
	id := h.gameOf(at(leaves))
	h.resigns(id, at(leaves))
	h.says(h.last(at(first)), "is offered to you", id)
	h.asMember(at(first), h.keyOf(first), pause, mail.Processed) // while it is offered to him
	h.tick()
	h.says(h.last(at(second)), id)
	h.asMember(at(first), h.keyOf(first), pause, mail.Rejected)
	h.asMember(at(first), h.keyOf(first), "command: accept\nleague: aquila\noffer: "+id+"\n", mail.Rejected)
	h.asMember(at(second), h.keyOf(second), pause, mail.Processed) // nobody is left
	h.tick()
	v := h.seasonNow()
	if len(v.Vacancies) != 1 || !v.Vacancies[0].Offer.IsZero() || !v.Alone(id) {
		t.Fatalf("%+v", v.Vacancies)
	}
	h.asMember(at(second), h.keyOf(second), pause+"cancel: yes\n", mail.Processed)
	h.verified("aquila")
	h.ended()
	for _, name := range append(slices.Clone(names), "eva", "finn") {
		told := false
		for _, l := range h.deliver(at(name)) {
			told = told || strings.Contains(wordsOf(l), "season 2 is announced")
		}
		if told == (name == first) {
			t.Errorf("%s is told of the next season: %v", name, told)
		}
	}
	m, _ := h.office.Secretary().ShowMember(at(first))
	h.refusedAs("league.rest.enters", h.office.Secretary().Admit(context.Background(), "aquila", []string{m.ID}))
	h.asMember(at(first), h.keyOf(first), "command: enter\nleague: aquila\n", mail.Processed)
	if h.restart(); !slices.Contains(h.league().Entries, m.ID) {
		t.Errorf("%v", h.league().Entries)
	}
}

// resigns has somebody give up his seat in a game.
func (h *testOffice) resigns(id, address string) {
	h.Helper()
	for _, s := range h.record(id).Seats {
		if s.Person.Address == address {
			if _, err := h.office.Take(context.Background(), h.letter(address, "game: "+id+"\nkey: "+h.office.keys.Seat(h.record(id), s)+"\ncommand: resign\n")); err != nil {
				h.Fatal(err)
			}
		}
	}
	h.tick()
}

// ended has the season come to its end, whatever is open.
func (h *testOffice) ended() {
	h.Helper()
	for _, id := range h.league().Divisions[0].Playing {
		for range 40 {
			if h.record(id).Phase == "running" {
				h.playStop(id)
			}
		}
	}
	h.tick()
	h.clock.move(finalAfter + time.Hour)
	for range 3 {
		h.tick()
	}
	if v := h.league(); v.Phase == season.Settling {
		h.must(h.office.Secretary().End(context.Background(), "aquila"))
	}
	h.tick()
	if v := h.league(); v.Season != "2" {
		h.Fatalf("season %s is %s", v.Season, v.Phase)
	}
}

// A member who wants few games at once has no more of his own, though the league allows them.
func TestFewGamesAtOnce(t *testing.T) {
	names := []string{"ada", "bea", "cara", "dora"}
	h := aLeague(t, aquila, names...)
	h.asMember("ada@play.example", h.keyOf("ada"), "command: enter\nleague: aquila\ngames: 9\n", mail.Rejected)
	h.says(h.last("ada@play.example"), "3 games at once")
	h.asMember("ada@play.example", h.keyOf("ada"), "command: enter\nleague: aquila\ngames: 1\n", mail.Processed)
	h.enter(names[1:]...)
	h.start()
	count := func() (n int) {
		for _, id := range h.league().Divisions[0].Playing {
			if slices.Contains(h.seasonNow().Game(id).Players, "M-0001") {
				n++
			}
		}
		return n
	}
	for left := 3; left > 0; left-- {
		if n := count(); n != 1 {
			t.Fatalf("ada has %d games, with %d to play", n, left)
		}
		h.playOut(h.gameOf("ada@play.example"))
		h.tick()
	}
	if n := count(); n != 0 {
		t.Errorf("%d games", n)
	}
}
