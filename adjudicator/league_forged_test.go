package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league/season"
	"berthier/mail"
)

// Whoever writes a letter in another's name does nothing, for each of the verbs of a league: from a
// stranger's address, with a key that was guessed, with another member's, with a game's, or with none.
func TestForgedLettersAboutALeague(t *testing.T) {
	names := []string{"ada", "bea", "cara", "dora", "eva"}
	h := aLeague(t, aquila, names...)
	h.enter(names[1:]...)
	h.start()
	id := h.league().Divisions[0].Playing[0]
	seat := h.record(id).Seats[0]
	keys := map[string]string{"none": "", "guessed": "key: ABCD-EFGH\n", "another's": h.keyOf("eva") + "\n", "a game's": "key: " + h.office.keys.Seat(h.record(id), seat) + "\n"}
	before := h.league().Log
	for _, command := range leagueCommands {
		for what, key := range keys {
			for _, from := range []string{"ada@play.example", foeAt} {
				h.deliver(from)
				h.clock.move(time.Minute)
				if _, err := h.office.Take(context.Background(), h.letter(from, fmt.Sprintf("command: %s\nleague: aquila\noffer: %s\n%s", command, id, key))); err != nil {
					t.Fatal(err)
				}
				h.tick()
				if now := h.league(); now.Log != before || slices.Contains(now.Entries, "M-0001") {
					t.Fatalf("%s with the key %s from %s has done something", command, what, from)
				}
				for _, l := range h.deliver(from) {
					if strings.Contains(wordsOf(l), "Division first") || strings.Contains(wordsOf(l), "M-0002") {
						t.Errorf("%s with the key %s from %s is told: %s", command, what, from, l.Subject)
					}
				}
			}
		}
	}
}

// A secretary who plays, and an umpire who does, decide nothing where they gain, whatever they try and by
// whichever of their addresses: only who has no stake gets anything done. Nobody but these decides at all.
func TestNobodyDecidesWhereHeGains(t *testing.T) {
	names := []string{"ada", "bea", "cara", "dora"}
	text := strings.NewReplacer("[secretary@club.example]", "[secretary@club.example, ada@play.example]", "of: [gm@club.example", "of: [bea@work.example, gm@club.example").Replace(aquila)
	h := aLeague(t, text, names...)
	h.asMember("bea@play.example", h.keyOf("bea"), "command: address\naddress: bea@work.example\n", mail.Processed)
	back := h.backIn(h.one(h.deliver("bea@work.example")))
	h.write("bea@work.example", back, mail.Processed)
	h.deliver("bea@work.example")
	h.deliver("bea@play.example")
	h.enter(names...)
	h.start()
	games := h.league().Divisions[0].Playing
	for _, id := range games {
		if got := h.umpiresOf(id); slices.Contains(got, "bea@work.example") {
			t.Fatalf("bea rules on %s under her other address", id)
		}
	}
	h.playOut(games[0])
	h.tick()
	h.clock.move(finalAfter)
	h.tick()
	h.rewind(games[0]) // so that there is something to be settled, too
	s := h.office.Secretary()
	rapid.Check(t, func(rt *rapid.T) {
		r := LeagueRuling{Kind: rapid.SampledFrom([]string{"forfeit", "cancel", "overrule", "correct", "stand", "extend"}).Draw(rt, "kind"), Game: rapid.SampledFrom(games).Draw(rt, "game"),
			By: rapid.SampledFrom([]string{"ada@play.example", "ADA@play.example", "bea@work.example", "bea@play.example", "cara@play.example", "mallory@far.example"}).Draw(rt, "by"), Reason: "r"}
		if r.Kind == "forfeit" {
			r.Of = []string{rapid.SampledFrom([]string{"M-0001", "M-0002", "M-0003", "M-0004"}).Draw(rt, "whom")}
		}
		before := h.league().Log
		_, err := s.Rule(context.Background(), "aquila", r, "", rapid.Bool().Draw(rt, "sure"))
		var refused *game.RefusedError
		if !errors.As(err, &refused) || refused.Why.Code != "league.stake" && refused.Why.Code != "league.no-secretary" {
			rt.Fatalf("%s decides %s on %s: %v", r.By, r.Kind, r.Game, err)
		}
		if now := h.league().Log; now != before {
			rt.Fatalf("the log has grown from %d to %d", before, now)
		}
	})
	var g *season.Game
	if g = h.seasonNow().Game(games[0]); g.Claim == nil {
		t.Fatal("nothing is contested")
	}
	if _, err := s.Rule(context.Background(), "aquila", LeagueRuling{Kind: "stand", Game: games[0], By: secretaryAt, Reason: "r"}, "", true); err != nil {
		t.Errorf("who has no stake can't decide: %v", err)
	}
}
