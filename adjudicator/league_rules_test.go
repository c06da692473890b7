package adjudicator

import (
	"slices"
	"testing"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league/book"
	"berthier/adjudicator/log"
	"berthier/adjudicator/verify"
	"berthier/engine"
	"berthier/engine/enginetest"
)

// A season notes the rules with which it was announced. A program that has others says so, and plays the games of the season
// again when it is asked: it names those that would have gone otherwise, and changes nothing, neither in the games nor in the league.
// So does whoever has only the exports.
func TestRulesThatChangeWithinASeason(t *testing.T) {
	withoutRace(t)
	h := aLeagueOf(t, aquila, map[string]string{"lots.yaml": "options: {rounds: 3}\n"}, "ada", "bea", "cara")
	h.enter("ada", "bea", "cara")
	h.start()
	games := h.league().Divisions[0].Playing
	h.playOut(games[0])
	h.answersBut(games[1], "")
	h.tick()
	h.leagueLog("aquila", func(in book.Input) {
		if a, ok := in.(book.Announced); ok && a.Rules["lots"] != engine.Digest(h.rules) {
			t.Errorf("the season notes the rules %v", a.Rules)
		}
	})
	again := func(all bool) (played, differ []string) {
		t.Helper()
		found, err := h.office.Secretary().PlayLeagueAgain("aquila", all)
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range found {
			played = append(played, g.Game)
			if g.Where != "" {
				differ = append(differ, g.Game)
			}
		}
		return played, differ
	}
	if played, _ := again(false); len(played) > 0 || len(h.league().OtherRules) > 0 {
		t.Errorf("under the same rules: played again %v, others are %v", played, h.league().OtherRules)
	}
	if played, differ := again(true); !slices.Equal(played, games) || len(differ) > 0 {
		t.Errorf("all under the same rules: played again %v, of which differ %v", played, differ)
	}
	h.rules = changedRules{Lots: enginetest.New(), source: "a comment was mended"}
	h.restart()
	if played, differ := again(false); !slices.Equal(played, games) || len(differ) > 0 {
		t.Errorf("under rules that play alike: played again %v, of which differ %v", played, differ)
	}
	h.rules = changedRules{Lots: enginetest.New(), source: "a rule was mended", twice: true}
	h.restart()
	if other := h.league().OtherRules; !slices.Equal(other, []string{"lots"}) {
		t.Errorf("other rules: %v", other)
	}
	before, entries := h.league().Log, h.entriesKept(games[1])
	if played, differ := again(false); !slices.Equal(played, games) || !slices.Equal(differ, games[:2]) {
		t.Errorf("under other rules: played again %v, of which differ %v", played, differ)
	}
	if h.league().Log != before || h.entriesKept(games[1]) != entries || !h.record(games[1]).Paused.IsZero() || h.record(games[0]).Phase != game.Over {
		t.Error("to play again changes something")
	}
	whole, _ := h.exported(false)
	own := map[string]*log.Export{games[0]: h.export(games[0], engine.GM)}
	v, err := verify.League(whole, own, []engine.Ruleset{h.rules})
	if err != nil || len(v.Differ) != 1 || v.Verdict() != verify.Unproven {
		t.Errorf("by the exports: %+v, %v", v, err)
	}
}
