package napoleon

import (
	"embed"
	"io/fs"
	"maps"
	"math/rand/v2"
	"slices"

	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// Ruleset is the game system "napoleon". It implements [engine.Ruleset].
type Ruleset struct{}

// New gives the ruleset.
func New() Ruleset { return Ruleset{} }

var _ engine.Ruleset = Ruleset{}

// About implements [engine.Ruleset]. The options are those of the first
// scenario.
func (Ruleset) About() engine.About {
	about := engine.About{ID: "napoleon", Options: aboutOptions(builtScenarios()[0]), Stops: slices.Sorted(maps.Keys(stops))}
	for _, s := range builtScenarios() {
		about.Scenarios = append(about.Scenarios, s.name)
	}
	return about
}

// New implements [engine.Ruleset].
func (Ruleset) New(setup engine.Setup) (engine.Position, error) {
	s, err := boardOf(setup)
	if err != nil {
		return nil, err
	}
	o, faults := readOptions(s, setup.Options)
	if len(faults) > 0 {
		return nil, faults
	}
	g := newGame(s, o)
	for i := range g.units { // a town given to another army must be nobody's historical place
		if at := s.roster[i].at; g.zone(at) != g.units[i].army {
			return nil, orders.Problems{{Clause: "NAP-4.3", Why: phrase.Say("nap.scenario-zone",
				phrase.Literal("unit", s.roster[i].id), phrase.Literal("town", s.towns[at].name))}}
		}
	}
	p := &play{game: g, dice: noDice{}}
	p.begin()
	return g, nil
}

// boardOf finds the scenario of a set-up. The error is an [orders.Problems].
func boardOf(setup engine.Setup) (*scenario, error) {
	if len(setup.Data) == 0 {
		s, ok := scenarioNamed(setup.Scenario)
		if !ok {
			return nil, scenarioFault(setup.Scenario)
		}
		return s.edited(setup.Options[editionOption]), nil
	}
	s, faults := ownScenario(setup.Data)
	if len(faults) > 0 {
		return nil, faults
	}
	if setup.Scenario != "" && setup.Scenario != s.name {
		return nil, orders.Problems{{Why: phrase.Say("nap.scenario-other",
			phrase.Literal("scenario", s.name), phrase.Literal("wanted", setup.Scenario))}}
	}
	return s, nil
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
	p := &play{game: g, dice: dice, events: make([]engine.Event, 0, 8)}
	if err := p.advance(answers); err != nil {
		return nil, err
	}
	return p.events, nil
}

// Read implements [engine.Ruleset].
func (Ruleset) Read(view engine.View, d engine.Decision, file *orders.Document) (engine.Answer, orders.Problems) {
	v := view.(*View)
	r := orders.NewReader(vocabulary)
	a := stops[d.Kind].read(v, d, r, file.Orders)
	standing := readStanding(v, r, file.Standing)
	if len(r.Problems) > 0 {
		r.Problems.Sort()
		return nil, r.Problems
	}
	return Answer{to: d, answer: a, standing: standing}, nil
}

// Template implements [engine.Ruleset].
func (Ruleset) Template(view engine.View, d engine.Decision) *orders.Node {
	v := view.(*View)
	n := orders.Mapping().Set("orders", stops[d.Kind].template(v, d))
	v.standingComment(n)
	return n
}

// Default implements [engine.Ruleset].
func (Ruleset) Default(view engine.View, d engine.Decision) engine.Answer {
	return Answer{to: d, answer: stops[d.Kind].fallback(view.(*View), d)}
}

// Random implements [engine.Ruleset].
func (Ruleset) Random(view engine.View, d engine.Decision, chance *rand.Rand) engine.Answer {
	return Answer{to: d, answer: stops[d.Kind].random(view.(*View), d, chance)}
}

//go:embed words/*.yaml
var wordFiles embed.FS

// Words implements [engine.Ruleset].
func (Ruleset) Words() fs.FS {
	files, err := fs.Sub(wordFiles, "words")
	if err != nil {
		panic("napoleon: " + err.Error())
	}
	return files
}
