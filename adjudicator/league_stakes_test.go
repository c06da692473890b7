package adjudicator

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/mail"
)

// ruled gives the code of the refusal of what somebody wants to decide; "": he is not refused.
func (h *testOffice) ruled(r LeagueRuling) string {
	h.Helper()
	r.Reason = "r"
	_, err := h.office.Secretary().Rule(context.Background(), "aquila", r, "", true)
	var refused *game.RefusedError
	if errors.As(err, &refused) {
		return refused.Why.Code
	}
	if err != nil {
		h.Fatal(err)
	}
	return ""
}

// A secretary who favours a friend decides nothing in a division in which his family plays, whatever he tries, nor does an
// umpire agree there as the second person. Of the two one has said that they are family; it may be the other one, and
// after the games were made. Somebody else decides.
func TestASecretaryWhoFavoursAFriend(t *testing.T) {
	names := []string{"ada", "bea", "cara", "dora"}
	text := strings.NewReplacer("[secretary@club.example]", "[secretary@club.example, sam@play.example]", "of: [gm@club.example", "of: [uma@play.example, gm@club.example").Replace(aquila)
	h := aLeague(t, text, append(names, "sam", "uma")...)
	h.enter(names...)
	h.start()
	games := h.league().Divisions[0].Playing
	h.playOut(games[0])
	h.tick()
	h.clock.move(finalAfter)
	h.tick()
	h.rewind(games[0])                                                                                      // so that there is something to be settled, too
	h.asMember("cara@play.example", h.keyOf("cara"), "command: member\nfamily: [M-0005]\n", mail.Processed) // sam
	h.asMember("uma@play.example", h.keyOf("uma"), "command: member\nfamily: [M-0002]\n", mail.Processed)   // bea
	for _, id := range games {
		sides := h.seasonNow().Game(id).Entries
		h.deliver("sam@play.example")
		h.deliver(secretaryAt)
		name := names[sides[0][len(sides[0])-1]-'1']
		if h.seasonNow().Game(id).Final {
			continue
		}
		h.asMember(name+"@play.example", h.keyOf(name), "command: protest\nleague: aquila\nabout: "+id+"\nreason: r\n", mail.Processed)
		h.silent("sam@play.example")
		h.says(h.one(h.deliver(secretaryAt)), id)
	}
	before := h.league().Log
	for _, id := range games {
		for _, kind := range []string{"forfeit", "cancel", "overrule", "correct", "stand", "dismiss", "import", "extend"} {
			r := LeagueRuling{Kind: kind, Game: id, By: "sam@play.example"}
			if kind == "forfeit" {
				r.Of = []string{"M-0001"}
			}
			if got := h.ruled(r); got != "league.stake-family" {
				t.Errorf("%s of %s by family: %q", kind, id, got)
			}
			r.By = "uma@play.example"
			if got := h.ruled(r); (kind == "correct" || kind == "stand") && got != "league.stake-family" || got != "league.stake-family" && got != "league.no-secretary" {
				t.Errorf("%s of %s by an umpire who is family: %q", kind, id, got)
			}
		}
		h.asMember("sam@play.example", h.keyOf("sam"), "command: secretary\nleague: aquila\nact: cancel\nabout: "+id+"\nreason: r\n", mail.Rejected)
	}
	if got := h.ruled(LeagueRuling{Kind: "withdraw", Of: []string{"M-0001"}, By: "sam@play.example"}); got != "league.stake-family" {
		t.Errorf("a rival of family is taken out: %q", got)
	}
	h.asMember("sam@play.example", h.keyOf("sam"), "command: secretary\nleague: aquila\nact: merge\nmembers: [M-0001, M-0002]\nreason: r\n", mail.Rejected)
	if now := h.league().Log; now != before {
		t.Fatalf("the log has grown from %d to %d", before, now)
	}
	if got := h.ruled(LeagueRuling{Kind: "cancel", Game: games[1], By: secretaryAt}); got != "" {
		t.Errorf("who has no stake can't decide: %q", got)
	}
}

// A secretary who takes part in a season gives it no other dates; another one does.
func TestASecretaryGivesHisOwnSeasonNoOtherDates(t *testing.T) {
	names := []string{"ada", "bea", "cara", "dora"}
	text := strings.NewReplacer("[secretary@club.example]", "[secretary@club.example, ada@play.example]", "enter-until: 2026-03-05", "enter-until: 2026-03-05, length: 4w").Replace(aquila)
	h := aLeague(t, text, names...)
	h.enter(names...)
	twice := func(r LeagueRuling) {
		t.Helper()
		before := h.league().Log
		r.By = "ada@play.example"
		if got := h.ruled(r); got != "league.dates.stake" || h.league().Log != before {
			t.Errorf("%s by who takes part: %q", r.Kind, got)
		}
		h.asMember(r.By, h.keyOf("ada"), "command: secretary\nleague: aquila\nreason: r\nact: "+r.Kind+"\nuntil: "+r.Until.Format(time.DateOnly)+"\n", mail.Rejected)
		r.By = secretaryAt
		if got := h.ruled(r); got != "" {
			t.Errorf("%s by who does not: %q", r.Kind, got)
		}
	}
	twice(LeagueRuling{Kind: "postpone", Until: time.Date(2026, 3, 20, 0, 0, 0, 0, time.UTC)})
	h.start()
	twice(LeagueRuling{Kind: "extend", Until: time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC)})
}
