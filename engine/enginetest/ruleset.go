// Package enginetest is a game small enough to be seen through, for testing
// whatever deals with games: the office, the letters, the command line. It has
// all that a real ruleset has and is made as one is: docs/adding-a-ruleset.md
// shows it step by step. It is called lots; its rules are in rules.md.
package enginetest

import (
	"embed"
	"io/fs"
	"maps"
	"slices"
	"sync"

	"berthier/engine"
	"berthier/engine/cases"
	"berthier/engine/play"
	"berthier/orders"
)

// Lots is the ruleset, as [New] gives it. It implements [engine.Ruleset].
type Lots struct {
	play.Stops[*View, *round]
}

// New gives the ruleset.
func New() Lots {
	return Lots{play.Stops[*View, *round]{Stops: stops, Vocabulary: vocabulary, Conditions: play.AskedBy(asks, asked, (*View).watched),
		Joins: joins, Idles: []string{Bid}}}
}

// What the ruleset, its positions and its views can do for the engine.
var (
	_ engine.Ruleset     = Lots{}
	_ engine.Chooser     = Lots{}
	_ engine.Conditions  = Lots{}
	_ engine.Documented  = Lots{}
	_ engine.Follower    = Lots{}
	_ engine.Foreseer    = Lots{}
	_ engine.Shaped      = Lots{}
	_ engine.Sourced     = Lots{}
	_ cases.Former       = Lots{}
	_ cases.Stager       = Lots{}
	_ engine.Alternating = (*Game)(nil)
)

// Kinds of decision.
const (
	Bid     = "bid"     // of all sides at once: which unit to bid
	Discard = "discard" // of one side: which unit to lose
)

// stops by the kind of the decision: all that a game may ask.
var stops = map[string]play.Stop[*View, *round]{Bid: bidForm, Discard: discardForm}

// joins gives what may follow a stop at once: who has lost a unit is asked for his next bid,
// with all others.
func joins(d engine.Decision) []engine.Decision {
	if d.Kind == Discard {
		return play.Then(Bid)
	}
	return nil
}

// vocabulary are the keywords of order files, with their Italian.
var vocabulary = orders.NewWords(orders.Cases, map[string][]string{
	"round": {"turno"}, "leading": {"in-testa"},
	"bid": {"offri"}, "end": {"fine"}, "coins": {"monete"}, "discard": {"scarta"}, "none": {"nessuno"},
	"default": {"predefinito"}, "yes": {"sì"}, "no": {"no"},
})

// About implements [engine.Ruleset].
func (Lots) About() engine.About {
	return engine.About{ID: "lots", Scenarios: library.Names(), Options: menu.About(), Stops: slices.Sorted(maps.Keys(stops))}
}

// New implements [engine.Ruleset].
func (Lots) New(setup engine.Setup) (engine.Position, error) {
	s, faults := library.Of(setup)
	chosen, more := menu.Read(setup.Options)
	if faults = append(faults, more...); len(faults) > 0 {
		return nil, faults
	}
	return s.deal(chosen), nil
}

//go:embed words/*.yaml scenarios/*.yaml
var files embed.FS

// Words implements [engine.Ruleset].
func (Lots) Words() fs.FS { return play.Words(files) }

//go:embed *[^t].go ruleset.go
var code embed.FS

// Sources implements [engine.Sourced].
func (Lots) Sources() []fs.FS { return []fs.FS{play.Sources, code, files} }

//go:embed rules.md
var digest string

var clauses = sync.OnceValue(func() []engine.Clause { return engine.ReadClauses(digest, "LOT-") })

// Clauses implements [engine.Documented].
func (Lots) Clauses() []engine.Clause { return clauses() }
