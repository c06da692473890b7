package adjudicator

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league/book"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/log"
	"berthier/adjudicator/setup"
	"berthier/engine"
	"berthier/mail"
)

// running makes a game that two play before any season.
func (h *testOffice) running(id, red, blue, more string) {
	h.Helper()
	h.newGame(fmt.Sprintf("game: %s\nsystem: lots\noptions: {rounds: 2}\nseats: {red: {name: R, address: %s}, blue: {name: B, address: %s}}\ngm: {address: gm@club.example}\ndeadline: 3d\n%s", id, red, blue, more))
}

// setUpOf is a set-up like that of a game.
func (h *testOffice) setUpOf(id string) *setup.Setup {
	g := h.record(id)
	return &setup.Setup{System: g.System, Rules: engine.Setup{Scenario: g.Scenario, Options: g.Options}, Silence: log.Silence{Forfeit: 6}}
}

// A running game is taken into a season: both of its players ask for it before the list is closed, and it is the game
// of their pairing, on the sides on which they play it, with an umpire of the rota. Nobody else can bring it, nor a
// game that is unlike the league's, nor one player alone, nor anybody once the list is closed.
func TestRunningGamesAreTakenIntoASeason(t *testing.T) {
	withoutRace(t)
	names := []string{"ada", "bea", "cara", "dora"}
	files := map[string]string{"lots.yaml": "options: {rounds: 2}\n"}
	h := aLeagueOf(t, aquila, files, names...)
	at := func(name string) string { return name + "@play.example" }
	h.running("old-3", at("ada"), at("cara"), "seed: \"chosen\"\n") // somebody chose its dice
	h.office.opt.Repeatable = false
	h.running("old-1", at("bea"), at("ada"), "")
	h.running("old-2", at("cara"), at("dora"), "") // only cara wants it
	h.running("old-4", at("ada"), foeAt, "")
	h.newGame("game: old-5\nsystem: lots\noptions: {rounds: 5}\nseats: {red: {name: R, address: ada@play.example}, blue: {name: B, address: dora@play.example}}\ngm: {address: gm@club.example}\ndeadline: 3d\n")
	bring := func(name, id, more string, want mail.Folder, says string) {
		t.Helper()
		h.deliver(at(name))
		h.asMember(at(name), h.keyOf(name), "command: bring\nleague: aquila\nabout: "+id+"\n"+more, want)
		letters := h.deliver(at(name))
		if len(letters) == 0 || !strings.Contains(wordsOf(letters[len(letters)-1]), says) {
			t.Errorf("%s about %s: %v does not say %q", name, id, subjects(letters), says)
		}
	}
	bring("ada", "old-1", "", mail.Rejected, "have not entered")
	for _, name := range names {
		h.deliver(at(name))
	}
	h.enter(names...)
	h.deliver(at("bea"))
	bring("ada", "old-3", "", mail.Rejected, "set up in another way")
	bring("ada", "old-4", "", mail.Rejected, "Not everybody")
	bring("ada", "old-5", "", mail.Rejected, "set up in another way")
	bring("ada", "old-2", "", mail.Rejected, "don't play in a game old-2") // the same words as
	bring("ada", "old-9", "", mail.Rejected, "don't play in a game old-9") // of a game that is not there
	bring("ada", "lot-1", "", mail.Rejected, "don't play in a game lot-1")
	bring("ada", "old-1", "cancel: yes\n", mail.Rejected, "Nobody has brought")
	h.deliver(at("bea"))
	bring("ada", "OLD-1", "", mail.Processed, "Noted")
	all := h.deliver(at("bea"))
	asked := all[len(all)-1]
	h.says(asked, "wants your game old-1 to count")
	h.write(at("bea"), h.backIn(asked), mail.Processed)
	bring("cara", "old-2", "", mail.Processed, "Noted")
	bring("dora", "old-2", "", mail.Processed, "Noted")
	bring("dora", "old-2", "cancel: yes\n", mail.Processed, "Noted") // she thinks better of it
	h.must(h.office.Secretary().CloseEntries(context.Background(), "aquila"))
	bring("dora", "old-2", "", mail.Rejected, "can't be done now")
	h.must("", h.office.Secretary().Start(context.Background(), "aquila"))
	l := steward{leagues{h.office}}
	if _, err := l.adopt(context.Background(), book.Bring{Game: "old-1", Seats: []string{"M-0002", "M-0001"}}, h.setUpOf("old-1"), "aquila"); err != nil {
		t.Fatal(err)
	}
	h.restart() // the office dies before the league's log has it
	h.tick()
	h.tick()
	playing := h.league().Divisions[0].Playing
	if len(playing) != 6 || !slices.Contains(playing, "old-1") || slices.Contains(playing, "old-2") {
		t.Fatalf("playing %v", playing)
	}
	g := h.seasonNow().Game("old-1")
	if !slices.Equal(g.Entries, []string{"M-0002", "M-0001"}) {
		t.Errorf("bea plays the first side of old-1, but its entries are %v", g.Entries)
	}
	record := h.record("old-1")
	if record.League != "aquila" || record.Silence.Forfeit != 6 || !slices.Contains([]string{"gm@club.example", "other@club.example"}, record.GM.Address) {
		t.Errorf("%+v", record)
	}
	if other := h.record("old-2"); other.League != "" {
		t.Error("old-2 is taken though dora did not want it")
	}
	bring("ada", "old-1", "", mail.Rejected, "is a league's game already")
	for _, id := range playing {
		h.playOut(id)
	}
	h.tick()
	if v := h.league(); v.Phase != season.Settling || h.record("old-2").Phase != game.Running {
		t.Errorf("after all games %s", v.Phase)
	}
	if n := strings.Count(fmt.Sprint(h.leagueKinds()), "book.Brought:5"); n != 1 {
		t.Errorf("%v", h.leagueKinds())
	}
}
