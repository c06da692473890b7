package setup

import (
	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/engine"
	"time"
)

// Record is the record of a game as a set-up says it, with a seed that is drawn unless the
// set-up fixes it. Fixed tells that the office's chance is not random; rules is the digest of
// its rules. Nobody has a seat in it yet.
func (s *Setup) Record(now time.Time, fixed bool, rules string, draw func([]byte) error) (*game.State, error) {
	g := &game.State{
		ID: s.Game, Title: s.Title, System: s.System, Scenario: s.Rules.Scenario, Options: s.Rules.Options, Pace: s.Pace, Policies: s.Rules.Policies,
		Phase: game.Running, Created: now, GM: s.GM, Timing: s.Timing, Press: s.Press, Seed: s.Seed,
		Silence: s.Silence, Reserves: s.Reserves, Absence: s.Absence, Keep: s.Keep, Proof: s.Proof, GMPlays: s.GMPlays, Lending: s.Lending, Solo: s.Solo, Again: s.Again, League: s.League,
		Scheme: log.Scheme, Spelling: log.Words, Fixed: s.Seed != nil || fixed, Rules: rules,
	}
	for _, pace := range s.Pace {
		g.Meanwhile = g.Meanwhile || pace == engine.EveryDecision
	}
	if s.Luck {
		g.Luck = &game.Luck{}
	}
	if g.Seed == nil {
		g.Seed = make([]byte, 32)
		if err := draw(g.Seed); err != nil {
			return nil, err
		}
	}
	return g, nil
}
