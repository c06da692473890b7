package adjudicator

import (
	"strings"
	"testing"

	"berthier/adjudicator/league"
	"berthier/engine"
)

// What the sides of a game are worth hangs on what is played, and not on where that is written: two files that set up the same
// game have one name, whatever they are called and in whatever language they are written, and one that sets up another game has
// another. Where players bid for sides none is told apart.
func TestSidesAreToldApartByWhatIsPlayed(t *testing.T) {
	h := newTestOffice(t)
	l := leagues{h.office}
	name := func(file, text string) string {
		t.Helper()
		s, problems := h.office.Secretary().CheckLeague(strings.ReplaceAll(aquila, "lots.yaml", file), map[string]string{file: text})
		if len(problems) > 0 {
			t.Fatalf("%q: %+v", text, problems)
		}
		return l.toldApart(s.Divisions[0])
	}
	usual := name("lots.yaml", "options: {}\n")
	first := h.rules.About().Options[0]
	for text, same := range map[string]bool{
		"system: lots\n":  true,
		"scenario: two\n": true,
		"keep: always\n":  true,
		"options: {" + first.Name + ": " + first.Values[0] + "}\n": true,
		"opzioni: {rounds: 5}\n":                                   false,
		"options: {rounds: 2}\n":                                   false,
		"options: {coins: 3}\n":                                    false,
	} {
		if got := name("other.yaml", text); got == "" || (got == usual) != same {
			t.Errorf("%q is %q, and the usual game %q", text, got, usual)
		}
	}
	if got := name("a.yaml", "options: {rounds: 5, coins: 3}\n"); got != name("b.yaml", "opzioni: {coins: 3, rounds: 5}\n") {
		t.Errorf("the same options in another order are another game than %q", got)
	}
	bids := league.Division{System: "lots", Rules: engine.Setup{Options: map[string]string{"sides": "bid"}}}
	if got := l.toldApart(bids); got != "" {
		t.Errorf("where players bid for sides they are told apart: %q", got)
	}
}
