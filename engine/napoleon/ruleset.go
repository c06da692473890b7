package napoleon

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

// Ruleset is the game system "napoleon". It implements [engine.Ruleset].
type Ruleset struct {
	play.Stops[*View, *campaign]
}

// New gives the ruleset.
func New() Ruleset { return Ruleset{declared} }

// declared answers decisions as the stops are declared.
var declared = play.Stops[*View, *campaign]{
	Stops:        stops,
	Vocabulary:   vocabulary,
	Instructions: readStanding,
	Instructed:   instructions,
	Conditions:   play.AskedBy(sceneMeasures, since, (*View).watched),
	Layered:      policyTable,
	Declines:     declines,
	Foretells:    foretells,
	Joins:        joins,
	Idles:        []string{"move"},
	Layer:        (*View).layer,
	Heeding:      (*View).heeding,
	Says:         (*View).saying,
	Standing:     func(v *View) *orders.Node { return standingKeys.Normal(v.scenario, v.inForceNow()) },
	Former:       formerKeys,
	Hollow:       []string{"battle-turn"},
	Remark:       (*View).remark,
	InForce:      shape.OrNone(standingKeys.Shape()),
	Dice:         []shape.Die{{Stop: "move", Keys: []string{"forced", "force"}, Roll: "nap.dice-forced"}}, // NAP-5.6
	Evidence:     rules.NapoleonOrders,
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
	_ engine.Retold      = Ruleset{}
	_ engine.Scored      = Ruleset{}
	_ engine.Shaped      = Ruleset{}
	_ engine.Sourced     = Ruleset{}
	_ cases.Stager       = Ruleset{}
	_ engine.Alternating = (*game)(nil)
	_ engine.Asker       = (*game)(nil)
	_ engine.Checked     = (*game)(nil)
	_ engine.Instructed  = (*game)(nil)
	_ engine.Talker      = (*game)(nil)
	_ engine.Namer       = (*View)(nil)
)

//go:embed scenarios/*.yaml words/*.yaml
var files embed.FS

// library holds the scenarios: the campaign and a small map for cases, in each
// edition.
var library = &play.Library[*scenario]{
	Files: files,
	Built: []string{"scenarios/napoleon-4e.yaml", "scenarios/drill.yaml", "scenarios/napoleon-3e.yaml", "scenarios/drill-3e.yaml"},
	Read:  readScenario,
}

// About implements [engine.Ruleset]. The options are those of the first
// scenario.
func (Ruleset) About() engine.About {
	return engine.About{ID: "napoleon", Scenarios: library.Names(), Options: library.Scenarios()[0].menu().About(), Stops: slices.Sorted(maps.Keys(stops))}
}

// New implements [engine.Ruleset].
func (Ruleset) New(setup engine.Setup) (engine.Position, error) {
	s, faults := library.Of(setup)
	if len(faults) > 0 {
		return nil, faults
	}
	if len(setup.Data) == 0 {
		s = s.edited(setup.Options[editionOption])
	}
	o, faults := s.readOptions(setup.Options)
	if len(faults) > 0 {
		return nil, faults
	}
	g := newGame(s, o)
	for i := range g.units { // a town that is given to another army must not be anybody's historical place
		if at := s.roster[i].at; g.zone(at) != g.units[i].army {
			return nil, orders.Problems{{Clause: "NAP-4.3", Why: phrase.Say("nap.scenario-zone",
				phrase.Literal("unit", s.roster[i].id), phrase.Literal("town", s.towns[at].name))}}
		}
	}
	p := &campaign{game: g, Story: play.Story{Dice: noDice{}}}
	p.begin()
	if err := declared.Begin(g, setup.Policies); err != nil {
		return nil, err
	}
	return g, nil
}

// newGame is a game before anything has happened.
func newGame(s *scenario, o options) *game {
	g := &game{scenario: s, options: o, units: make([]unit, len(s.roster)), roadUse: make([]int8, len(s.roads)), phase: deployAllied}
	for i := range g.units {
		u := &s.roster[i]
		g.units[i] = unit{id: unitID(i), army: u.army, kind: o.kindOf(u), fire: o.fireOf(u), strength: u.strength,
			town: noTown, came: noTown, shelter: noUnit}
	}
	return g
}

// noDice are for what happens before the first stop: nothing is rolled there.
type noDice struct{}

func (noDice) Roll(int, phrase.Phrase) int {
	panic("napoleon: a die was rolled before the first stop")
}

// Advance implements [engine.Position].
func (g *game) Advance(answers map[engine.Side]engine.Answer, dice engine.Dice) ([]engine.Event, error) {
	return g.AdvanceAsking(answers, dice, nil)
}

// AdvanceAsking implements [engine.Asker].
func (g *game) AdvanceAsking(answers map[engine.Side]engine.Answer, dice engine.Dice, asked map[engine.Side][]string) ([]engine.Event, error) {
	p := &campaign{game: g, Story: play.Story{Dice: dice, Events: make([]engine.Event, 0, 8), Asked: asked}}
	if err := p.advance(answers); err != nil {
		return nil, err
	}
	return p.Events, nil
}

// Words implements [engine.Ruleset].
func (Ruleset) Words() fs.FS { return play.Words(files) }

var digestClauses = sync.OnceValue(func() []engine.Clause { return engine.ReadClauses(rules.Napoleon, "NAP-") })

var digestTerms = sync.OnceValue(func() []engine.Term { return engine.ReadGlossary(rules.Napoleon) })

// PositionForm implements cases.Former.
func (Ruleset) PositionForm() string { return positions.Napoleon }

// Clauses implements [engine.Documented].
func (Ruleset) Clauses() []engine.Clause { return digestClauses() }

// Glossary implements [engine.Glossed].
func (Ruleset) Glossary() []engine.Term { return digestTerms() }
