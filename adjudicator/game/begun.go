package game

import (
	"berthier/adjudicator/log"
	"berthier/engine"
)

// Begun is that the game was made: its log begins with its set-up, its first stop is opened,
// and every seat has a report.
type Begun struct {
	Data    string // of the set-up, as the ruleset took it
	Program string // the version that made it
	Letter  string // digest of the letter that asked for it, hex; "": none did
}

func (b Begun) happen(t *Turn) error {
	g := t.Game
	people, bots := map[engine.Side]log.Person{}, map[engine.Side]string{}
	for _, s := range g.Seats {
		people[s.Side] = s.Person
		if s.Person.Bot != "" {
			bots[s.Side] = s.Person.Bot
			continue
		}
		t.Joined = append(t.Joined, s.Person.Address)
	}
	t.Joined = append(t.Joined, g.GM.Address)
	err := t.Log(log.Entry{Kind: log.KindSetup, By: log.ByGM, Letter: b.Letter, Data: log.Made{
		Game: g.ID, Title: g.Title, System: g.System, Scenario: g.Scenario, Data: b.Data, Options: g.Options, Timing: g.Timing,
		Silence: g.Silence, Absence: g.Absence, Keep: g.Keep, GMPlays: g.GMPlays, Lending: g.Lending, Commitment: log.Commitment(g.Seed),
		Scheme: g.Scheme, Words: g.Spelling, Fixed: g.Fixed, Luck: g.Luck != nil, Rules: g.Rules, Program: b.Program,
		Pace: g.Pace, Policies: g.Policies, Meanwhile: g.Meanwhile, Bots: bots,
	}, Private: map[string]any{"seats": people, "gm": g.GM, "reserves": g.Reserves}})
	if err != nil {
		return err
	}
	return start(t)
}
