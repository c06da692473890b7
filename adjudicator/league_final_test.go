package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league/book"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/league/table"
	"berthier/engine"
	"berthier/mail"
	"berthier/orders/phrase"
)

// refusedAs expects that something is refused for a reason.
func (h *testOffice) refusedAs(code string, err error) {
	h.Helper()
	var refused *game.RefusedError
	if !errors.As(err, &refused) || refused.Why.Code != code {
		h.Errorf("%v, not %s", err, code)
	}
}

// twoPeople is the league with two secretaries, of whom ada is one, who plays.
var twoPeople = strings.Replace(aquila, "[secretary@club.example]", "[secretary@club.example, ada@play.example]", 1)

// played is a league whose games are all over.
func played(t *testing.T, text string) (h *testOffice, games []string) {
	h, games = begun(t, text)
	for _, id := range games {
		h.playOut(id)
	}
	h.tick()
	return h, games
}

// rewind takes a game back to its beginning.
func (h *testOffice) rewind(id string) {
	h.Helper()
	if _, err := h.office.Clerk().Rule(context.Background(), id, "command: rewind\nstop: 1\norders: new\nreason: r\n", "", true); err != nil {
		h.Fatal(err)
	}
	h.tick()
}

// leagueKinds counts the entries of the league's log by their kinds.
func (h *testOffice) leagueKinds() map[string]int {
	h.Helper()
	all := map[string]int{}
	h.leagueLog("aquila", func(in book.Input) { all[fmt.Sprintf("%T", in)]++ })
	return all
}

// A result is final fourteen days after it was made, not while its game is disputed. A rewind after that
// changes nothing until two people agree, and all are told; also in a season that is closed.
func TestFinalResults(t *testing.T) {
	withoutRace(t)
	h, games := played(t, twoPeople)
	s := h.office.Secretary()
	before := standings(h.league())
	h.clock.move(finalAfter - time.Hour)
	h.tick()
	if h.leagueKinds()["book.Final"] != 0 {
		t.Fatal("results are final too early")
	}
	h.clock.move(time.Hour)
	h.tick()
	if n := h.leagueKinds()["book.Final"]; n != 1 {
		t.Fatalf("%d entries make results final", n)
	}
	first := games[0]
	h.rewind(first)
	if v := h.league(); standings(v) != before || v.Phase != season.Settling || h.leagueKinds()["book.Contested"] != 1 {
		t.Fatalf("a rewind after a final result: %s, %s", v.Phase, standings(v))
	}
	if _, err := s.End(context.Background(), "aquila"); err == nil {
		t.Error("a season ends while a result is contested")
	}
	h.deliver(secretaryAt)
	h.monday()
	h.says(h.last(secretaryAt), "say something else than their final results: "+first)
	ruling := LeagueRuling{Kind: "stand", Game: first, By: "ada@play.example", Reason: "r"}
	_, err := s.Rule(context.Background(), "aquila", ruling, "", true)
	h.refusedAs("league.stake", err)
	ruling.By = "other@club.example" // an umpire may be the second person
	if one, err := s.Rule(context.Background(), "aquila", ruling, "", true); err != nil || !one.Second || !one.Done {
		t.Fatalf("%+v, %v", one, err)
	}
	if _, err := s.Rule(context.Background(), "aquila", ruling, "", true); err == nil {
		t.Error("one person settles it alone")
	}
	ruling.By = secretaryAt
	if two, err := s.Rule(context.Background(), "aquila", ruling, "", true); err != nil || two.Second {
		t.Fatalf("%+v, %v", two, err)
	}
	h.must(s.End(context.Background(), "aquila"))
	// The game goes on all the same, and ends otherwise, after the season is closed.
	said := h.leagueKinds()["book.Contested"]
	if _, err := h.office.Clerk().Rule(context.Background(), first, "command: rule\noutcome: draw\nreason: r\n", "", true); err != nil {
		t.Fatal(err)
	}
	h.tick()
	if h.leagueKinds()["book.Contested"] != said+1 {
		t.Fatalf("news of a closed season are dropped: %v", h.leagueKinds())
	}
	if now := h.league(); now.Season != "2" { // nor does the next season hide them
		t.Fatalf("the season is %s", now.Season)
	}
	h.corrects(first)
	var past *season.Season
	if err := (leagues{h.office}).look("aquila", func(b *openBook) error { past = b.Past[0]; return nil }); err != nil {
		t.Fatal(err)
	}
	if g := past.Game(first); !g.Reopened || past.Value(g).Kind != table.Adjudicated {
		t.Errorf("corrected: %+v", g)
	}
}

// corrects has two people correct the final result of a game in a season that is closed: all who played it are told, once, whether they have
// entered the next one or not, and the week's letter has it.
func (h *testOffice) corrects(first string) {
	h.Helper()
	told := func() map[string]int {
		all := map[string]int{}
		for _, name := range []string{"ada", "bea", "cara", "dora"} {
			for _, l := range h.deliver(name + "@play.example") {
				if strings.Contains(wordsOf(l), "result of the game "+first+" was final and is another now") {
					all[name]++
				}
			}
		}
		return all
	}
	told()
	h.enter("cara", "dora") // in both seasons; ada and bea in the one that is closed
	for i, at := range []string{secretaryAt, "other@club.example"} {
		ruling := LeagueRuling{Kind: "correct", Game: first, By: at, Reason: "r"}
		if _, err := h.office.Secretary().Rule(context.Background(), "aquila", ruling, "", true); err != nil {
			h.Fatal(err)
		}
		if got := told(); i == 0 && len(got) > 0 || i == 1 && !maps.Equal(got, map[string]int{"ada": 1, "bea": 1, "cara": 1, "dora": 1}) {
			h.Errorf("%d agree, and are told: %v", i+1, got)
		}
	}
	l := h.nextWeek("ada")
	if got := newsOfGame(l, first); !strings.HasSuffix("|"+got, "|How: decided by ruling or count, in place of another result") {
		h.Errorf("%q in %s", got, wordsOf(l))
	}
	h.lacks(l, "you stand at place") // of a season that is closed
}

// An open dispute keeps a result from being final.
func TestADisputeKeepsAResultOpen(t *testing.T) {
	h, games := played(t, aquila)
	if err := h.office.change(context.Background(), games[0], func(tr *transaction) error { tr.Game.Disputes = []uint64{1}; return nil }); err != nil {
		t.Fatal(err)
	}
	h.clock.move(finalAfter)
	h.tick()
	if err := (leagues{h.office}).look("aquila", func(b *openBook) error {
		if n := b.Season.Unsettled(); n != 1 || b.Season.Game(games[0]).Final {
			t.Errorf("%d results are not final", n)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// A secretary rules that a side has forfeited: he sees first what changes, the code holds for that
// alone, nobody rules in his own division or under another address, and it can be taken back.
func TestASecretaryRules(t *testing.T) {
	names := []string{"ada", "bea", "cara", "dora"}
	h := aLeague(t, twoPeople, names...)
	h.enter(names...)
	h.start()
	s, id := h.office.Secretary(), h.league().Divisions[0].Playing[0]
	var g *season.Game
	if err := (leagues{h.office}).look("aquila", func(b *openBook) error { g = b.Season.Game(id); return nil }); err != nil {
		t.Fatal(err)
	}
	ruling := LeagueRuling{Kind: "forfeit", Game: id, Of: []string{g.Entries[0]}, By: secretaryAt, Reason: "no answer"}
	for code, change := range map[string]func(*LeagueRuling){
		"league.no-reason":       func(r *LeagueRuling) { r.Reason = "" },
		"league.which-secretary": func(r *LeagueRuling) { r.By = "" },
		"league.no-secretary":    func(r *LeagueRuling) { r.By = "gm@club.example" },
		"league.stake":           func(r *LeagueRuling) { r.By = "ada@play.example" },
		"league.no-game":         func(r *LeagueRuling) { r.Game = "aquila-9-9-9" },
		"league.forfeit-whom":    func(r *LeagueRuling) { r.Of = nil },
	} {
		wrong := ruling
		change(&wrong)
		_, err := s.Rule(context.Background(), "aquila", wrong, "", true)
		h.refusedAs(code, err)
	}
	log := h.league().Log
	shown, err := s.Rule(context.Background(), "aquila", ruling, "", false)
	if err != nil || shown.Done || shown.Code == "" || len(shown.Changes) == 0 || h.league().Log != log {
		t.Fatalf("preview %+v, %v", shown, err)
	}
	other := ruling
	other.Of = []string{g.Entries[1]} // the code of one ruling does not confirm another
	_, err = s.Rule(context.Background(), "aquila", other, shown.Code, false)
	h.refusedAs("league.stale", err)
	done, err := s.Rule(context.Background(), "aquila", ruling, shown.Code, false)
	if err != nil || !done.Done || fmt.Sprint(done.Changes) != fmt.Sprint(shown.Changes) {
		t.Fatalf("%+v, %v; the preview was %+v", done, err, shown)
	}
	h.restart() // before the game is closed
	h.tick()
	if phase := h.record(id).Phase; phase != game.Closed {
		t.Errorf("the game is %s", phase)
	}
	if v := h.league(); v.Divisions[0].Decided != 1 || !strings.Contains(standings(v), g.Entries[1]+" 24/1") {
		t.Errorf("after the ruling: %s", standings(v))
	}
	ruling.Kind, ruling.Of = "overrule", nil
	if _, err := h.office.Secretary().Rule(context.Background(), "aquila", ruling, "", true); err != nil {
		t.Fatal(err)
	}
	if v := h.league(); v.Divisions[0].Decided != 0 {
		t.Errorf("overruled: %s", standings(v))
	}
	if n := h.leagueKinds()["book.Ruled"]; n != 1 {
		t.Errorf("%d rulings", n)
	}
}

// Somebody is taken out of a season by a secretary who has no place in his division, and sees first what changes; he is told.
func TestASecretaryTakesSomebodyOut(t *testing.T) {
	names := []string{"ada", "bea", "cara", "dora"}
	h := aLeague(t, twoPeople, names...)
	h.enter(names...)
	h.start()
	h.playOut(h.gameOf("cara@play.example"))
	h.tick()
	s, log := h.office.Secretary(), h.league().Log
	ruling := LeagueRuling{Kind: "withdraw", Of: []string{"M-0003"}}
	for by, code := range map[string]string{"ada@play.example": "league.stake", "cara@play.example": "league.no-secretary", "": "league.which-secretary"} {
		ruling.By = by
		_, err := s.Rule(context.Background(), "aquila", ruling, "", true)
		h.refusedAs(code, err)
	}
	ruling.By = secretaryAt
	h.deliver("cara@play.example")
	shown, err := s.Rule(context.Background(), "aquila", ruling, "", false)
	if err != nil || shown.Done || len(shown.Changes) == 0 || h.league().Log != log || len(h.deliver("cara@play.example")) > 0 {
		t.Fatalf("preview %+v, %v", shown, err)
	}
	if _, err := s.Rule(context.Background(), "aquila", ruling, shown.Code, false); err != nil {
		t.Fatal(err)
	}
	h.says(h.last("cara@play.example"), "has taken you out")
	if v := h.league(); !slices.Equal(v.Withdrawn, []string{"M-0003"}) {
		t.Errorf("withdrawn: %v", v.Withdrawn)
	}
}

// A player who misses too many stops in a row has lost. The log says so, and the league closes the
// game; the result stands, although the game was closed without one.
func TestAForfeitBySilence(t *testing.T) {
	h := aLeagueOf(t, strings.Replace(aquila, "umpires:", "silence: {bot: 1, replace: 1}\nforfeit: {stops: 2}\numpires:", 1), map[string]string{"lots.yaml": "options: {rounds: 3}\n"}, "ada", "bea")
	h.enter("ada", "bea")
	h.start()
	id := h.league().Divisions[0].Playing[0]
	for range 60 {
		if h.record(id).Phase != game.Running {
			break
		}
		for _, s := range h.record(id).Seats {
			if s.Owes != nil && s.Person.Address == "bea@play.example" {
				if faults, err := h.office.Clerk().Answer(context.Background(), id, s.Side, fmt.Sprintf("stop: %d\norders: default\n", s.Owes.Stop)); err != nil || len(faults) > 0 {
					t.Fatal(err, faults)
				}
			}
		}
		h.clock.move(24 * time.Hour)
		h.tick()
	}
	v := h.league()
	if v.Divisions[0].Decided != 1 || h.record(id).Phase == game.Running {
		t.Fatalf("%+v", v.Divisions)
	}
	var o season.Outcome
	if err := (leagues{h.office}).look("aquila", func(b *openBook) error { o = b.Season.Value(b.Season.Game(id)); return nil }); err != nil {
		t.Fatal(err)
	}
	if o.Kind != table.Forfeit || !strings.HasPrefix(standings(v), "M-0002 24/1") {
		t.Errorf("%+v, %s", o, standings(v))
	}
}

// scoredLots is the game of the tests with a count: whoever plays the first side is ahead.
type scoredLots struct{ engine.Ruleset }

func (scoredLots) Progress(engine.View) []phrase.Phrase { return nil }
func (scoredLots) Score(engine.View) []engine.Score {
	return []engine.Score{{Side: "blue", Points: 3, Inflicted: 4}, {Side: "red", Points: 5, Inflicted: 1}}
}

// Where losses part those who have as many points, they are the enemy's losses by the ruleset's count, and not who was ahead
// by it: nobody gains by tormenting an enemy who is beaten.
func TestLossesPart(t *testing.T) {
	h := clubOffice(t)
	h.office.systems["lots"] = scoredLots{h.office.systems["lots"]}
	s := h.office.Secretary()
	people, _ := s.ReadMembers(listOf([]string{"ada", "bea"}))
	if _, err := s.AddMembers(context.Background(), people); err != nil {
		t.Fatal(err)
	}
	h.must(s.NewLeague(context.Background(), strings.Replace(aquila, "umpires:", "ties: [losses-inflicted, lot]\numpires:", 1), map[string]string{"lots.yaml": "options: {rounds: 3}\n"}))
	h.must(s.Announce(context.Background(), "aquila"))
	h.must("", s.OpenEntries(context.Background(), "aquila"))
	for _, name := range []string{"ada", "bea"} {
		h.deliver(name + "@play.example")
	}
	h.enter("ada", "bea")
	h.start()
	id := h.league().Divisions[0].Playing[0]
	h.playOut(id)
	h.tick()
	g := h.seasonNow().Game(id)
	want := []int64{1, 4}
	if h.record(id).Seats[0].Side == "blue" {
		want = []int64{4, 1}
	}
	if !slices.Equal(g.Result.Inflicted, want) {
		t.Errorf("losses inflicted %v, not %v: %+v", g.Result.Inflicted, want, g.Result)
	}
	h.verified("aquila")
}

// When the time of a season ends, what was not begun is not played, and each game that is not over
// is decided by the count of its ruleset, or drawn where nothing can be counted. A secretary may give
// more time before that.
func TestTheTimeOfASeasonEnds(t *testing.T) {
	for _, counts := range []bool{true, false} {
		names := []string{"ada", "bea", "cara", "dora"}
		h := aLeague(t, strings.NewReplacer("most-at-once: 3", "most-at-once: 1", "enter-until: 2026-03-05", "enter-until: 2026-03-05, length: 4w", "brisk: 2d", "brisk: 100d", "steady: 4d", "steady: 100d").Replace(aquila), names...)
		count := func() {
			if counts {
				h.office.systems["lots"] = scoredLots{h.office.systems["lots"]}
			}
		}
		count()
		h.enter(names...)
		h.start()
		if _, err := h.office.Secretary().Rule(context.Background(), "aquila", LeagueRuling{Kind: "extend", Until: h.clock.Now().Add(5 * 7 * 24 * time.Hour), Reason: "summer"}, "", true); err != nil {
			t.Fatal(err)
		}
		h.says(h.last("cara@play.example"), "is extended")
		playing := h.league().Divisions[0].Playing
		h.clock.move(28 * 24 * time.Hour)
		h.tick()
		if v := h.league(); v.Phase != season.Running || len(v.Divisions[0].Playing) != len(playing) {
			t.Fatalf("before the end: %+v", v.Divisions)
		}
		h.clock.move(7 * 24 * time.Hour)
		h.tick()
		h.restart()
		count()
		h.tick()
		v := h.league()
		if v.Phase != season.Settling || v.Divisions[0].Decided != len(playing) {
			t.Fatalf("after the end: %s, %+v", v.Phase, v.Divisions)
		}
		if err := (leagues{h.office}).look("aquila", func(b *openBook) error {
			for _, id := range playing {
				o := b.Season.Value(b.Season.Game(id))
				want := []table.Place{table.Drew, table.Drew}
				if counts {
					want = []table.Place{table.Won, table.Lost}
					if b.Season.Game(id).Entries[0] != "" && h.record(id).Seats[0].Side != "red" {
						want = []table.Place{table.Lost, table.Won}
					}
				}
				if o.Kind != table.Adjudicated || !slices.Equal(o.Places, want) || h.record(id).Phase != game.Closed {
					t.Errorf("%s: %+v, the game is %s", id, o, h.record(id).Phase)
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		h.verified("aquila")
		h.store.Close()
	}
}

// The log of a league is read once: neither what happens in it nor what is refused has it read again, and its
// ratings follow it.
func TestALeaguesLogIsReadOnce(t *testing.T) {
	h := aLeague(t, aquila, "ada", "bea", "cara")
	l := leagues{h.office}
	kept := func() (kept *openBook) {
		if err := l.look("aquila", func(b *openBook) error { kept = b; return nil }); err != nil {
			t.Fatal(err)
		}
		return kept
	}
	first := kept()
	h.enter("ada", "bea", "cara")
	h.asMember("ada@play.example", h.keyOf("ada"), "command: enter\nleague: aquila\n", mail.Rejected) // he has entered already
	h.deliver("ada@play.example")
	h.start()
	h.playOut(h.league().Divisions[0].Playing[0])
	h.tick()
	if _, _, err := h.office.Secretary().Ratings("aquila"); err != nil {
		t.Fatal(err)
	}
	if kept() != first {
		t.Error("the log was read again")
	}
	if h.league().Divisions[0].Decided != 1 {
		t.Error("the result was not taken")
	}
}
