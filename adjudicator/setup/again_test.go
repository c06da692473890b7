package setup

import (
	"testing"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/engine/napoleon"
)

// Of three players each moves on by one seat, and takes his pace with him.
func TestAgainOfThree(t *testing.T) {
	rules := napoleon.New()
	p, err := rules.New(engine.Setup{Options: map[string]string{"players": "3"}})
	if err != nil {
		t.Fatal(err)
	}
	g := &game.State{ID: "trio", System: "napoleon", Options: map[string]string{"players": "3"}, Pace: map[engine.Side]string{}}
	for i, side := range p.Sides() {
		g.Seats = append(g.Seats, &game.Seat{Side: side, Person: log.Person{Address: string(side) + "@play.example"}})
		g.Pace[side] = []string{engine.Postal, engine.EveryDecision, engine.Postal}[i]
	}
	s, err := Again(g, log.Made{}, "trio-again", rules)
	if err != nil {
		t.Fatal(err)
	}
	for i, side := range p.Sides() {
		next := p.Sides()[(i+1)%3]
		if s.Seats[next].Address != string(side)+"@play.example" || s.Pace[next] != g.Pace[side] {
			t.Errorf("%s has moved to %v at %v", side, s.Seats, s.Pace)
		}
	}
	if len(s.Rules.Policies) != 3 {
		t.Errorf("policies %v", s.Rules.Policies)
	}
	g.Options["players"] = "nine"
	if _, err := Again(g, log.Made{}, "trio-again", rules); err == nil {
		t.Error("rules that don't take the set-up make a game")
	}
}

// Names of rematches count on, and stay as short as names of games are.
func TestAgainID(t *testing.T) {
	for _, c := range []struct {
		id   string
		n    int
		want string
	}{
		{"lot-1", 1, "lot-1-again"}, {"lot-1", 2, "lot-1-again2"}, {"lot-1-again", 1, "lot-1-again2"},
		{"lot-1-again2", 1, "lot-1-again3"}, {"lot-1-again2", 3, "lot-1-again5"}, {"a-name-of-thirty-six-characters-long", 1, ""},
	} {
		if got := AgainID(c.id, c.n); got != c.want {
			t.Errorf("%s, %d: %q, want %q", c.id, c.n, got, c.want)
		}
	}
}
