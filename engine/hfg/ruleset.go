package hfg

import (
	"embed"
	"io/fs"
	"maps"
	"slices"
	"sync"

	"berthier/docs/positions"
	"berthier/docs/rules"
	"berthier/engine"
	"berthier/engine/play"
	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
)

// Ruleset is the game system "hfg". It implements [engine.Ruleset].
type Ruleset struct {
	play.Stops[*View, *battlefield]
}

// New gives the ruleset.
func New() Ruleset { return Ruleset{declared} }

// declared answers decisions as the stops are declared.
var declared = play.Stops[*View, *battlefield]{
	Stops:        stops,
	Vocabulary:   vocabulary,
	Idles:        []string{stopTurn},
	Evidence:     rules.HorseFootGunsOrders,
	InForce:      shape.OrNone(policiesShape),
	Dice:         []shape.Die{{Stop: stopTurn, Keys: []string{"ford"}, Roll: "hfg.roll-ford"}}, // HFG-10.2
	Instructions: readStanding,
	Instructed:   instructions,
	Standing:     (*View).standingNode,
	Layered:      policyTable,
	Layer:        (*View).layer,
	Says:         (*View).saying,
	Conditions:   play.AskedBy(outlookAsks, outlookOf, (*View).watched),
}

var (
	_ engine.Ruleset    = Ruleset{}
	_ engine.Documented = Ruleset{}
	_ engine.Chooser    = Ruleset{}
	_ engine.Shaped     = Ruleset{}
	_ engine.Turned     = (*game)(nil)
	_ engine.Allied     = (*game)(nil)
	_ engine.Lister     = Ruleset{}
	_ engine.Policied   = Ruleset{}
	_ engine.Conditions = Ruleset{}
	_ engine.Instructed = (*game)(nil)
	_ engine.Instructor = Ruleset{}
	_ engine.Asker      = (*game)(nil)
)

//go:embed scenarios/*.yaml words/*.yaml
var files embed.FS

// library holds the scenarios.
var library = &play.Library[*scenario]{Files: files, Built: []string{"scenarios/waterloo-1815.yaml", "scenarios/two-armies.yaml"}, Read: readScenario}

// About implements [engine.Ruleset].
func (Ruleset) About() engine.About {
	return engine.About{ID: "hfg", Scenarios: library.Names(), Options: library.Scenarios()[0].menu().About(), Stops: slices.Sorted(maps.Keys(stops))}
}

// New implements [engine.Ruleset]. The game begins with dice: it owes nothing until it is advanced
// without answers.
func (Ruleset) New(setup engine.Setup) (engine.Position, error) {
	s, faults := library.Of(setup)
	if len(faults) > 0 {
		return nil, faults
	}
	g, faults := begun(s, setup.Options)
	if len(faults) > 0 {
		return nil, faults
	}
	if err := declared.Begin(g, setup.Policies); err != nil {
		return nil, err
	}
	return g, nil
}

// Load implements [engine.Ruleset]. The error is an [orders.Problems] with the place of every
// fault.
func (Ruleset) Load(data []byte) (engine.Position, error) {
	g, faults := load(data)
	if len(faults) > 0 {
		return nil, faults
	}
	return g, nil
}

// Marshal implements [engine.Position].
func (g *game) Marshal() ([]byte, error) { return g.marshal(), nil }

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

// View implements [engine.Position].
func (g *game) View(side engine.Side) engine.View { return g.view(side) }

// Clone implements [engine.Position].
func (g *game) Clone() engine.Position { return g.trial() }

// Outcome implements [engine.Position]: who has lost more than a quarter and has a defeated command
// has lost; at sunset it is a draw (HFG-17.6, HFG-17.7).
func (g *game) Outcome() (engine.Outcome, bool) {
	if g.Phase != over {
		return engine.Outcome{}, false
	}
	end := g.ending()
	if g.Yielded != noSide {
		return engine.Outcome{Winners: g.seatsOf(g.Yielded.enemy()), Clause: "HFG-20.12", Reason: phrase.Say("hfg.over-yielded", g.sideArg("side", g.Yielded))}, true
	}
	if end.lost == noSide {
		return engine.Outcome{Clause: "HFG-R60", Reason: phrase.Say("hfg.over-draw")}, true
	}
	return engine.Outcome{Winners: g.seatsOf(end.lost.enemy()), Clause: "HFG-17.6", Reason: phrase.Say("hfg.over-lost", g.sideArg("side", end.lost))}, true
}

// Words implements [engine.Ruleset].
func (Ruleset) Words() fs.FS { return play.Words(files) }

var digestClauses = sync.OnceValue(func() []engine.Clause { return engine.ReadClauses(rules.HorseFootGuns, "HFG-") })

var digestTerms = sync.OnceValue(func() []engine.Term { return engine.ReadGlossary(rules.HorseFootGuns) })

// Clauses implements [engine.Documented].
func (Ruleset) Clauses() []engine.Clause { return digestClauses() }

// Glossary implements [engine.Glossed].
func (Ruleset) Glossary() []engine.Term { return digestTerms() }

// PositionForm implements cases.Former.
func (Ruleset) PositionForm() string { return positions.HorseFootGuns }

// JudgeList implements [engine.Lister].
func (Ruleset) JudgeList(data []byte, base string) (told []phrase.Phrase, remarks, faults orders.Problems) {
	return judgeList(data, base)
}
