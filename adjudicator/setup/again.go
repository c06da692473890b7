package setup

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/log"
	"berthier/engine"
)

// Again is the set-up of a game that was played, once more: with the same settings, the same
// people and bots, and each of them one seat further on, in the order of the rules. Paces go
// with the people. Made is what the game was made of, and id what the new one is called. The
// dice come from a new seed.
func Again(g *game.State, made log.Made, id string, rules engine.Ruleset) (*Setup, error) {
	s := &Setup{
		Game: id, Title: g.Title, System: g.System, Seats: map[engine.Side]log.Person{}, GM: g.GM, Timing: g.Timing, Luck: g.Luck != nil,
		Press: slices.Clone(g.Press), Silence: g.Silence, Reserves: slices.Clone(g.Reserves), Proof: g.Proof, Absence: g.Absence, Keep: g.Keep,
		Lending: g.Lending, GMPlays: g.GMPlays, Solo: g.Solo,
		Rules: engine.Setup{Scenario: g.Scenario, Options: maps.Clone(g.Options)},
	}
	if made.Data != "" {
		s.Rules.Data = []byte(made.Data)
	}
	for _, seat := range g.Seats {
		next := g.Next(seat).Side
		s.Seats[next] = seat.Person
		if pace, ok := g.Pace[seat.Side]; ok {
			if s.Pace == nil {
				s.Pace = map[engine.Side]string{}
			}
			s.Pace[next] = pace
		}
	}
	if policied, ok := rules.(engine.Policied); ok && s.Pace != nil {
		s.Rules = engine.AtPace(policied, s.Rules, s.Pace)
	}
	if _, err := rules.New(s.Rules); err != nil {
		return nil, fmt.Errorf("set up %s again: %w", g.ID, err)
	}
	return s, nil
}

// numbered is the id of a game that is the rematch of another.
var numbered = regexp.MustCompile(`^(.*)-again([0-9]+)?$`)

// AgainID is what the n-th attempt to name a rematch of a game comes to: lot-1-again, then
// lot-1-again2. It is "" if no such name is short enough.
func AgainID(id string, n int) string {
	if m := numbered.FindStringSubmatch(id); m != nil {
		id = m[1]
		last, _ := strconv.Atoi(m[2])
		n += max(last, 1)
	}
	again := id + "-again"
	if n > 1 {
		again += strconv.Itoa(n)
	}
	if !intake.GameID.MatchString(again) {
		return ""
	}
	return again
}
