package adjudicator

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/league/season"
	"berthier/mail"
)

// A ladder by letter: one challenges upwards, the other is told, the game is made and its result moves the winner;
// who may not challenge is told why; when the season's time has ended the places are those of the ladder.
func TestALadder(t *testing.T) {
	withoutRace(t)
	names := []string{"ada", "bea", "cara", "dora", "eva", "fay", "gia"}
	h := aLeague(t, strings.NewReplacer("size: 4", "size: 8, form: ladder", "enter-until: 2026-03-05", "enter-until: 2026-03-05, length: 4w", "brisk: 2d", "brisk: 60d").Replace(aquila), names...)
	h.enter(names...)
	challenge := func(who, whom string, want mail.Folder, says string) {
		t.Helper()
		h.deliver(who + "@play.example")
		h.asMember(who+"@play.example", h.keyOf(who), "command: challenge\nagainst: "+whom+"\n", want)
		h.says(h.last(who+"@play.example"), says)
	}
	challenge("ada", "M-0002", mail.Rejected, "can't be done now")
	h.start()
	ladder := func() []string { return season.Ladder(h.seasonNow(), "first") }
	nameOf := func(id string) string { return names[int(id[len(id)-1]-'1')] }
	began := ladder()
	top, fifth, sixth, last := began[0], began[4], began[5], began[6]
	challenge(nameOf(last), top, mail.Rejected, "more than 5 places above")
	challenge(nameOf(top), last, mail.Rejected, "one challenges upwards")
	challenge(nameOf(top), top, mail.Rejected, "challenge yourself")
	challenge(nameOf(top), "M-0099", mail.Rejected, "M-0099 is not on this ladder")
	challenge(nameOf(top), "", mail.Rejected, "one fault") // and not also that a member can't give that command
	h.asMember(nameOf(top)+"@play.example", h.keyOf(nameOf(top)), "command: challenge\n", mail.Rejected)
	h.says(h.last(nameOf(top)+"@play.example"), "Say whom you challenge")
	h.deliver(nameOf(top) + "@play.example")
	challenge(nameOf(fifth), strings.ToLower(top), mail.Processed, "You have challenged "+top)
	h.says(h.last(nameOf(top)+"@play.example"), fifth+" has challenged you")
	challenge(nameOf(fifth), began[3], mail.Rejected, "challenged somebody already")
	challenge(nameOf(sixth), top, mail.Processed, "You have challenged")
	h.restart()
	h.tick()
	playing := h.league().Divisions[0].Playing
	if len(playing) != 2 || h.record(playing[0]).League != "aquila" {
		t.Fatalf("playing %v", playing)
	}
	for i, winner := range []string{fifth, top} {
		g := h.seasonNow().Game(playing[i])
		side := h.record(playing[i]).Seats[slices.Index(g.Entries, winner)].Side
		if _, err := h.office.Clerk().Rule(context.Background(), playing[i], fmt.Sprintf("command: rule\noutcome: %s\nreason: r\n", side), "", true); err != nil {
			t.Fatal(err)
		}
		h.tick()
	}
	if got := ladder(); got[2] != fifth || got[0] != top {
		t.Errorf("the ladder is %v, was %v", got, began)
	}
	h.deliver(nameOf(top) + "@play.example")
	h.asMember(nameOf(top)+"@play.example", h.keyOf(nameOf(top)), "command: table\n", mail.Processed)
	h.says(h.last(nameOf(top)+"@play.example"), "the ladder")
	if page := h.sitePages()["en/season-1.html"]; !strings.Contains(page, "the ladder") || strings.Contains(page, "Cross-table") {
		t.Error("the season's page is not that of a ladder")
	}
	h.clock.move(29 * 24 * time.Hour)
	h.tick()
	if v := h.league(); v.Phase != season.Settling {
		t.Errorf("when time has ended the season is %s", v.Phase)
	}
	challenge(nameOf(sixth), top, mail.Rejected, "can't be done now")
}
