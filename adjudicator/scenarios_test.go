package adjudicator

import (
	"flag"
	"slices"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/engine"
	"berthier/engine/mistakes"
	"berthier/mail"
)

// wholeScenarios is for a long run.
var wholeScenarios = flag.Bool("scenarios", false, "play every scenario of Enemy Mistakes to its end by letter")

// scenariosOf are the set-ups of Enemy Mistakes: each of its scenarios, for as many players as it
// may have (EM-18).
func scenariosOf(rules engine.Ruleset) (all []setting) {
	at := slices.IndexFunc(rules.About().Options, func(o engine.Option) bool { return o.Name == "game" })
	for _, name := range rules.About().Options[at].Values {
		for _, players := range []string{"2", "3"} {
			if _, err := rules.New(engine.Setup{Options: map[string]string{"game": name, "players": players}}); err == nil {
				all = append(all, setting{name: name + " " + players, options: "game: " + name + ", players: " + players})
			}
		}
	}
	return all
}

// ofThree is a game of two turns for three players, which is played to its end each time: they deploy, the corps of Bülow enters,
// and whoever has more points has won (EM-1.4, EM-18.5, EM-18.6).
const ofThree = "game: free-deploy-3p, players: 3, last-turn: 9"

// Every scenario of Enemy Mistakes is played by letter, by two players and by three, at the paces by turns: each seat
// answers what it is asked, and the log verifies. With -scenarios each game is played to its end, and the last letter names the winner;
// else one is, with full samples the short game too, and the others end after their first stops.
func TestEveryScenarioOfEnemyMistakesByLetter(t *testing.T) {
	if raceEnabled {
		return // left to the run without the race detector: what happens here happens one after the other
	}
	rules := mistakes.New()
	games := scenariosOf(rules)
	if len(games) < 10 {
		t.Errorf("only %d scenarios with their players: %v", len(games), games)
	}
	for i, one := range append(games, setting{name: "three players to the end", options: ofThree}) {
		whole := *wholeScenarios || fullSamples && one.name == "short 2" || one.options == ofThree
		t.Run(one.name, func(t *testing.T) {
			t.Parallel()
			sides := sidesOf(rules, one.options)
			h := sit(t, rules, one.options, sides, masterOfHisOwn+"second-thoughts: none\npace: "+[]string{engine.EveryDecision, engine.Postal}[i%2]+"\n")
			stops, kinds, told := 3, map[string]int{}, map[engine.Side]string{}
			if whole {
				stops = 2000
			}
			for n := 0; n < stops && h.record(h.id).Phase == game.Running; n++ {
				position := h.position()
				for _, d := range position.Owed() {
					kinds[d.Kind]++
					view := position.View(d.Side)
					answer := rules.Sensible(view, d, h.chance)
					if (n+i)%3 == 0 {
						answer = rules.Random(view, d, h.chance)
					}
					h.write(mailboxOf(d.Side), h.order(d.Side, answer), mail.Processed)
					h.clock.move(time.Minute)
				}
				for _, side := range sides {
					for _, l := range h.deliver(mailboxOf(engine.Side(side))) {
						told[engine.Side(side)] = l.Parts[0].Text
					}
				}
				for i := range h.post.sent {
					h.post.sent[i].raw = nil // a game's letters with their pictures are hundreds of megabytes
				}
			}
			h.clock.move(time.Hour)
			for _, side := range sides { // the last letter of a game follows its last report
				for _, l := range h.deliver(mailboxOf(engine.Side(side))) {
					told[engine.Side(side)] = l.Parts[0].Text
				}
			}
			t.Log(kinds)
			for _, side := range sides {
				if told[engine.Side(side)] == "" {
					t.Errorf("%s got no letter", side)
				}
			}
			if _, over := h.position().Outcome(); over != whole {
				t.Errorf("the game is over: %v", over)
			}
			for _, c := range h.verify(h.export(h.id, engine.GM)).Checks {
				if len(c.Wrong) > 0 {
					t.Errorf("%s: %q", c.What, c.Wrong)
				}
			}
			if !whole {
				return
			}
			for i, side := range sides {
				if want := []string{"Thank you", "Grazie"}[i%2]; !strings.Contains(told[engine.Side(side)], want) {
					t.Errorf("the last letter to %s has no %q:\n%s", side, want, told[engine.Side(side)])
				}
			}
		})
	}
}
