package verify

import (
	"fmt"
	"strings"
	"testing"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/logtest"
	"berthier/engine"
	"berthier/engine/napoleon"
	"berthier/engine/systems"
	"berthier/orders"
)

// Games that began when keys were written with underscores are hashed with underscores: so all
// their stops keep their normal form, and with it their dice.
func TestOldGamesKeepTheirWords(t *testing.T) {
	rulesets := systems.All()
	for _, name := range []string{"napoleon", "waterloo-quick", "napoleon-bot"} {
		v, err := Game(oldGame(t, name), rulesets)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range v.Differ {
			if strings.Contains(line, "normal form") {
				t.Errorf("%s: %s", name, line)
			}
		}
	}
}

// An office that writes an answer of such a game in the words of now, to get other dice
// for it, is found out.
func TestNoDiceAreChosenByASpelling(t *testing.T) {
	x := oldGame(t, "napoleon")
	logtest.ResolvedWith(t, x, func(r *log.Resolved) bool {
		return len(r.Rolls) > 0 && strings.Contains(r.Answers[0].Orders, "on_fail")
	}, func(r *log.Resolved) {
		r.Answers[0].Orders = strings.Replace(r.Answers[0].Orders, "on_fail", "on-fail", 1)
		r.Orders = fmt.Sprintf("%x", log.HashOrders(r.Answers))
	})
	logtest.Rechained(t, x)
	v, err := Game(x, []engine.Ruleset{napoleon.New()})
	if err != nil || v.Verdict() == Holds || !strings.Contains(fmt.Sprint(v.Differ), "normal form") {
		t.Errorf("%v %+v", err, v)
	}
}

// What a game's first entry says of its words decides what its answers look like when
// they are hashed, and what an empty map means; a game that is made now says so.
func TestAGameKeepsItsWords(t *testing.T) {
	rules := napoleon.New()
	doc, problems := orders.Parse("standing: [{bid: {camp: allied, up-to: 2}}, {retreat-to: {at: any, towns: [Ligny]}}]\n", nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	p, err := rules.New(engine.Setup{Options: map[string]string{"sides": "bid"}})
	if err != nil {
		t.Fatal(err)
	}
	a, problems := rules.ReadStanding(p.View(p.Sides()[0]), doc)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for words, want := range map[int]string{0: "up_to: 2", log.Words: "up-to: 2"} {
		r := &replay{made: log.Made{Words: words}, rules: rules}
		turn := &game.Turn{Loaded: &game.Loaded{Game: &game.State{Spelling: words}, Rules: rules}}
		for _, text := range []string{r.normal(a), game.Normal(turn, a)} {
			if !strings.Contains(text, want) || strings.Contains(text, "retreat_to") != (words == 0) {
				t.Errorf("words %d: %s", words, text)
			}
		}
		if r.dated(doc); doc.Former != (words == 0) {
			t.Errorf("words %d: a file is read as one of former words: %v", words, doc.Former)
		}
	}
}
