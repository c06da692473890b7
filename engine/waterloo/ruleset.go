package waterloo

import (
	"embed"
	"io/fs"
	"maps"
	"slices"
	"sync"

	"berthier/docs/positions"
	"berthier/docs/rules"
	"berthier/engine"
	"berthier/engine/cases"
	"berthier/engine/play"
	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
)

// Ruleset is the game system "waterloo". It implements [engine.Ruleset].
type Ruleset struct {
	play.Stops[*View, *battlefield]
}

// New gives the ruleset.
func New() Ruleset { return Ruleset{declared} }

// declared answers decisions as the stops are declared.
var declared = play.Stops[*View, *battlefield]{
	Stops:        stops,
	Vocabulary:   vocabulary,
	InForce:      shape.OrNone(standingKeys.Shape()),
	Evidence:     rules.WaterlooOrders,
	Instructions: readStanding,
	Instructed:   instructions,
	Conditions:   play.AskedBy(outlookAsks, asked, (*View).watched),
	Layered:      policyTable,
	Declines:     declines,
	Foretells:    foretells,
	Joins:        joins,
	Idles:        []string{stopRound},
	Layer:        (*View).layer,
	Says:         (*View).saying,
	Standing:     (*View).standingNode,
	Insists:      (*View).insists,
	Former:       formerKeys,
	Remark:       remark,
}

// What the ruleset, its positions and its views can do for the engine.
var (
	_ engine.Ruleset     = Ruleset{}
	_ engine.Causal      = Ruleset{}
	_ engine.Cautious    = Ruleset{}
	_ engine.Chooser     = Ruleset{}
	_ engine.Chronicled  = Ruleset{}
	_ engine.Conditions  = Ruleset{}
	_ engine.Documented  = Ruleset{}
	_ engine.Follower    = Ruleset{}
	_ engine.Foreseer    = Ruleset{}
	_ engine.Introducing = Ruleset{}
	_ engine.Meanwhile   = Ruleset{}
	_ engine.Policied    = Ruleset{}
	_ engine.Progressing = Ruleset{}
	_ engine.Recounter   = Ruleset{}
	_ engine.Rejoined    = Ruleset{}
	_ engine.Sampler     = Ruleset{}
	_ engine.Scored      = Ruleset{}
	_ engine.Sourced     = Ruleset{}
	_ cases.Stager       = Ruleset{}
	_ engine.Allied      = (*game)(nil)
	_ engine.Asker       = (*game)(nil)
	_ engine.Checked     = (*game)(nil)
	_ engine.Instructed  = (*game)(nil)
	_ engine.Open        = (*game)(nil)
	_ engine.Turned      = (*game)(nil)
	_ engine.Namer       = (*View)(nil)
)

//go:embed scenarios/*.yaml words/*.yaml
var files embed.FS

// library holds the scenarios: the battle, and a small board for cases.
var library = &play.Library[*scenario]{
	Files: files,
	Built: []string{"scenarios/waterloo.yaml", "scenarios/drill.yaml"},
	Read:  readScenario,
}

// About implements [engine.Ruleset]. The options are those of the first
// scenario.
func (Ruleset) About() engine.About {
	return engine.About{ID: "waterloo", Scenarios: library.Names(), Options: library.Scenarios()[0].menu().About(),
		Stops: slices.Sorted(maps.Keys(stops))}
}

// New implements [engine.Ruleset]. The game begins with the first deal, which
// takes dice: it owes nothing until it is advanced without answers.
func (Ruleset) New(setup engine.Setup) (engine.Position, error) {
	s, faults := library.Of(setup)
	if len(faults) > 0 {
		return nil, faults
	}
	g, faults := newGame(s, setup.Options)
	if len(faults) > 0 {
		return nil, faults
	}
	if err := declared.Begin(g, setup.Policies); err != nil {
		return nil, err
	}
	return g, nil
}

// newGame is a game before anything has happened.
func newGame(s *scenario, chosen map[string]string) (*game, orders.Problems) {
	o, faults := s.menu().Read(chosen)
	if len(faults) > 0 {
		return nil, faults
	}
	g := &game{scenario: s, options: o}
	if !slices.Contains(g.length().players, int(o.players)+2) {
		return nil, orders.Problems{{Clause: "WAT-1.3", Why: phrase.Say("wat.option-players",
			phrase.Literal("length", g.length().id), phrase.Number("players", int(o.players)+2))}}
	}
	g.setUp()
	return g, nil
}

// Advance implements [engine.Position].
func (g *game) Advance(answers map[engine.Side]engine.Answer, dice engine.Dice) ([]engine.Event, error) {
	return g.AdvanceAsking(answers, dice, nil)
}

// AdvanceAsking implements [engine.Asker].
func (g *game) AdvanceAsking(answers map[engine.Side]engine.Answer, dice engine.Dice, asked map[engine.Side][]string) ([]engine.Event, error) {
	p := &battlefield{game: g, Story: play.Story{Dice: dice, Asked: asked}}
	if err := p.advance(answers); err != nil {
		return nil, err
	}
	return p.Events, nil
}

// Owed implements [engine.Position].
func (g *game) Owed() []engine.Decision { return slices.Clone(g.asks) }

// Outcome implements [engine.Position].
func (g *game) Outcome() (engine.Outcome, bool) {
	if g.outcome == nil {
		return engine.Outcome{}, false
	}
	return *g.outcome, true
}

// Clone implements [engine.Position].
func (g *game) Clone() engine.Position {
	c := play.Clone(*g)
	c.standing, c.policies, c.ruled = play.Clone(g.standing), g.policies, g.ruled // those beneath never change
	c.answered = slices.Clone(g.answered)
	c.asks = slices.Clone(g.asks)
	return &c
}

// TurnNumber implements [engine.Turned].
func (g *game) TurnNumber() int { return g.Turn }

// LastTurn implements [engine.Ending] (WAT-1.4).
func (g *game) LastTurn() int { return g.length().turns }

// Instruct implements [engine.Instructed].
func (g *game) Instruct(side engine.Side, a engine.Answer) error {
	given, err := play.StandingOf(a, side, g.Sides())
	if err == nil {
		g.adopt(side, given)
	}
	return err
}

// Words implements [engine.Ruleset].
func (Ruleset) Words() fs.FS { return play.Words(files) }

var digestClauses = sync.OnceValue(func() []engine.Clause { return engine.ReadClauses(rules.Waterloo, "WAT-") })

var digestTerms = sync.OnceValue(func() []engine.Term { return engine.ReadGlossary(rules.Waterloo) })

// PositionForm implements cases.Former.
func (Ruleset) PositionForm() string { return positions.Waterloo }

// Clauses implements [engine.Documented].
func (Ruleset) Clauses() []engine.Clause { return digestClauses() }

// Glossary implements [engine.Glossed].
func (Ruleset) Glossary() []engine.Term { return digestTerms() }
