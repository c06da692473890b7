package adjudicator

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league/book"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/league/table"
	"berthier/adjudicator/store"
	"berthier/mail"
)

// toRound plays a game until a turn of it is being played.
func (h *testOffice) toRound(id string, turn int) {
	h.Helper()
	for range 40 {
		if now, _ := h.turnsOf(id); now >= turn {
			return
		}
		h.answersBut(id, "")
	}
	h.Fatalf("%s does not come to turn %d", id, turn)
}

// turnsOf gives the turn that is being played in a game, and the last that it can have.
func (h *testOffice) turnsOf(id string) (turn, last int) {
	h.Helper()
	if err := h.office.read(func(tx store.Reader) (err error) {
		turn, last, err = turnsAt(leagues{h.office}, tx, id, h.record(id).Head)
		return err
	}); err != nil {
		h.Fatal(err)
	}
	return turn, last
}

// A game that is near its end when the season's time ends may be played on for three weeks, once: a secretary who has no
// stake in it says so by letter or at the office's machine. All others are counted at the end, and this one when its own time
// has ended, if it is not over by then.
func TestAGameNearItsEndIsPlayedOn(t *testing.T) {
	withoutRace(t)
	names := []string{"ada", "bea", "cara", "dora", "sam"}
	text := strings.NewReplacer("enter-until: 2026-03-05", "enter-until: 2026-03-05, length: 4w", "brisk: 2d", "brisk: 100d", "steady: 4d", "steady: 100d").Replace(samToo)
	h := aLeagueOf(t, text, map[string]string{"lots.yaml": "options: {rounds: 5}\n"}, names...)
	h.enter("ada", "bea", "cara", "dora")
	h.start()
	sam, s := "sam@play.example", h.office.Secretary()
	playing := h.league().Divisions[0].Playing
	late, other := playing[0], playing[1]
	ruling := LeagueRuling{Kind: "extend", Game: late, By: sam, Reason: "nearly there"}
	h.toRound(late, 2)
	_, err := s.Rule(context.Background(), "aquila", ruling, "", true)
	h.refusedAs("league.decide.not-near", err)
	h.toRound(late, 3)
	h.deliver(sam)
	h.monday()
	if slices.ContainsFunc(h.deliver(sam), func(l *mail.Letter) bool { return strings.Contains(wordsOf(l), "last three turns") }) {
		t.Error("the secretary is told of games near their end when the season's is far")
	}
	for h.seasonNow().Until.Sub(h.clock.Now()) > endingSoon {
		h.deliver(sam)
		h.monday()
	}
	if told := wordsOf(h.last(sam)); !strings.Contains(told, "last three turns") || !strings.Contains(told, late) || strings.Contains(told, other) {
		t.Errorf("the secretary is told: %s", told)
	}
	for code, change := range map[string]func(*LeagueRuling){
		"league.no-reason":          func(r *LeagueRuling) { r.Reason = "" },
		"league.no-secretary":       func(r *LeagueRuling) { r.By = "gm@club.example" },
		"league.stake":              func(r *LeagueRuling) { r.By = "ada@play.example" },
		"league.no-game":            func(r *LeagueRuling) { r.Game = "aquila-9-9-9" },
		"league.decide.not-near":    func(r *LeagueRuling) { r.Game = other },
		"league.act.until-or-about": func(r *LeagueRuling) { r.Until = h.clock.Now().AddDate(1, 0, 0) },
	} {
		wrong := ruling
		change(&wrong)
		_, err := s.Rule(context.Background(), "aquila", wrong, "", true)
		h.refusedAs(code, err)
	}
	log := h.league().Log
	wants := "command: secretary\nleague: aquila\nact: extend\nreason: nearly there\nabout: " + late + "\n"
	for _, who := range [][2]string{{"bea@play.example", h.keyOf("bea")}, {"ada@play.example", h.keyOf("ada")}, {sam, ""}, {sam, "key: ABCD-EFGH"}, {sam, h.keyOf("bea")}, {foeAt, h.keyOf("sam")}} {
		h.clock.move(time.Minute)
		if _, err := h.office.Take(context.Background(), h.letter(who[0], who[1]+"\n"+wants)); err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(h.deliver(who[0]), func(l *mail.Letter) bool { return strings.Contains(wordsOf(l), "Nothing has changed yet") }) {
			t.Errorf("%s is shown what it would do", who[0])
		}
	}
	if now := h.league().Log; now != log {
		t.Fatal("a forged letter does something")
	}
	until := h.seasonNow().Until.AddDate(0, 0, 21)
	h.says(h.secretary("sam", "act: extend\nreason: nearly there\nabout: "+late+"\n"), "turn 3 of 5", until.Format(time.DateOnly))
	if g := h.seasonNow().Game(late); !g.Until.Equal(until) || len(h.league().Prolonged) != 1 {
		t.Fatalf("%+v", g)
	}
	players := h.seasonNow().Game(late).Players
	for i, id := range []string{"M-0001", "M-0002", "M-0003", "M-0004"} {
		told := slices.ContainsFunc(h.deliver(names[i]+"@play.example"), func(l *mail.Letter) bool { return strings.Contains(wordsOf(l), "is near its end") })
		if told != slices.Contains(players, id) {
			t.Errorf("%s is told: %t", id, told)
		}
	}
	_, err = s.Rule(context.Background(), "aquila", ruling, "", true)
	h.refusedAs("league.decide.prolonged", err)
	h.goesOnUntil(late, until)
}

// goesOnUntil expects that a game alone is played on when the time of the season has ended, until a moment at which it is counted.
func (h *testOffice) goesOnUntil(late string, until time.Time) {
	h.Helper()
	h.clock.move(h.seasonNow().Until.Sub(h.clock.Now()))
	h.tick()
	h.restart()
	h.tick()
	if v := h.league(); v.Phase != season.Running || !slices.Equal(v.Divisions[0].Playing, []string{late}) || h.record(late).Phase != game.Running {
		h.Fatalf("when the season's time has ended: %s, %v", v.Phase, v.Divisions[0].Playing)
	}
	x, _ := h.exported(true)
	for _, e := range x.Entries {
		if body := string(e.Body); strings.Contains(body, `"prolonged"`) && (!strings.Contains(body, `"Head":0`) || !strings.Contains(body, `"Reason":""`) || len(e.Private) > 0) {
			h.Errorf("everybody may read who had the game prolonged, or how long the log of a running game is: %s", body)
		}
	}
	h.clock.move(until.Sub(h.clock.Now()) - time.Hour)
	h.tick()
	if h.record(late).Phase != game.Running {
		h.Fatal("its own time has not ended yet")
	}
	h.clock.move(time.Hour)
	h.tick()
	if v := h.league(); v.Phase != season.Settling || h.seasonNow().Value(h.seasonNow().Game(late)).Kind != table.Adjudicated || h.record(late).Phase != game.Closed {
		h.Errorf("when its own time has ended: %s, %+v", v.Phase, h.seasonNow().Game(late))
	}
}

// Nobody gives a game more time by saying that it is nearer to its end than it is: the log of the game tells.
func TestVerifyFindsAFalseTurn(t *testing.T) {
	h := aLeagueOf(t, strings.Replace(aquila, "enter-until: 2026-03-05", "enter-until: 2026-03-05, length: 4w", 1), map[string]string{"lots.yaml": "options: {rounds: 5}\n"}, "ada", "bea")
	h.enter("ada", "bea")
	h.start()
	id := h.league().Divisions[0].Playing[0]
	h.must("", leagues{h.office}.act(context.Background(), "aquila", "secretary", "", store.Change{}, func(t *leagueTurn) error {
		return t.Do(book.Prolonged{Prolonged: season.Prolonged{Game: id, Turn: 4, Last: 5, Head: int(h.record(id).Head), By: secretaryAt, Reason: "r"}})
	}))
	if faults, err := h.office.Secretary().VerifyLeague("aquila"); err != nil || len(faults) != 1 || !strings.Contains(faults[0].Error(), "in turn 1 of 5 and not 4 of 5") {
		t.Errorf("a false turn: %v %v", faults, err)
	}
	h.store.Close()
}
