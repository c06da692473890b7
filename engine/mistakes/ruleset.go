package mistakes

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
	"berthier/orders/phrase"
)

// Ruleset is the game system "enemy-mistakes". It implements [engine.Ruleset].
type Ruleset struct {
	play.Stops[*View, *battlefield]
}

// New gives the ruleset.
func New() Ruleset { return Ruleset{declared} }

// declared answers decisions as the stops are declared.
var declared = play.Stops[*View, *battlefield]{
	Stops:        stops,
	Vocabulary:   vocabulary,
	Evidence:     rules.EnemyMistakesOrders,
	Idles:        []string{stopFire, stopAssign, stopOrders, stopManoeuvres},
	InForce:      shape.OrNone(standingKeys.Shape()),
	Dice:         []shape.Die{{Stop: stopReroll, Keys: []string{"reroll"}, Roll: "em.roll-again"}}, // EM-11.5
	Instructions: readStanding,
	Instructed:   instructions,
	Layered:      policyTable,
	Plans:        []shape.Plan{{Key: "melee", Of: units.Shape, Kinds: meleeKinds}},
	Joins:        following,
	Conditions:   play.AskedBy(outlookAsks, outlookOf, (*View).watched),
	Layer:        (*View).layer,
	Says:         (*View).saying,
	Standing:     (*View).standingNode,
	Insists:      (*View).insists,
}

var (
	_ engine.Ruleset    = Ruleset{}
	_ engine.Documented = Ruleset{}
	_ engine.Chooser    = Ruleset{}
	_ engine.Shaped     = Ruleset{}
	_ engine.Scored     = Ruleset{}
	_ engine.Recounter  = Ruleset{}
	_ engine.Turned     = (*game)(nil)
	_ engine.Policied   = Ruleset{}
	_ engine.Foreseer   = Ruleset{}
	_ engine.Follower   = Ruleset{}
	_ engine.Conditions = Ruleset{}
	_ engine.Instructed = (*game)(nil)
	_ engine.Asker      = (*game)(nil)
)

//go:embed scenarios/*.yaml words/*.yaml
var files embed.FS

// library holds the scenarios.
var library = &play.Library[*scenario]{Files: files, Built: []string{"scenarios/enemy-mistakes.yaml"}, Read: readScenario}

// About implements [engine.Ruleset].
func (Ruleset) About() engine.About {
	return engine.About{ID: "enemy-mistakes", Scenarios: library.Names(), Options: library.Scenarios()[0].menu().About(), Stops: slices.Sorted(maps.Keys(stops))}
}

// New implements [engine.Ruleset]. The game begins with the first draw of markers, which takes
// dice: it owes nothing until it is advanced without answers.
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
// fault. A position whose owed decisions do not belong to what is going on is refused; one that
// owes nothing plays on to the next stop when it is advanced without answers.
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

// Outcome implements [engine.Position]: whoever has lost his commander-in-chief has lost, and
// after the last turn whoever has fewer points; red and black win and lose together (EM-17.3,
// EM-18.1, EM-18.2).
func (g *game) Outcome() (engine.Outcome, bool) {
	if !g.over() {
		return engine.Outcome{}, false
	}
	won := g.winner()
	o := engine.Outcome{Clause: "EM-17.3", Reason: phrase.Say("em.over-draw", phrase.Number("points", g.score(blue)))}
	for a := blue; a < armies && won != noArmy; a++ {
		if side := g.seatOf(a); (g.ofSide(a, won) || g.fallen() != noArmy && a.allied(won)) && !slices.Contains(o.Winners, side) && slices.Contains(g.seats(), side) {
			o.Winners = append(o.Winners, side)
		}
	}
	switch lost := g.fallen(); {
	case lost != noArmy:
		o.Clause, o.Reason = "EM-18.1", phrase.Say("em.over-fallen", g.leaderArg("leader", g.chief(lost)))
	case won != noArmy && g.length().scoring == scoreShort:
		o.Clause, o.Reason = "EM-18.2", phrase.Say("em.over-short", armyArg("army", won))
	case won != noArmy && g.separateScores != 0:
		o.Clause, o.Reason = "EM-R49", phrase.Say("em.over-separate", armyArg("army", won), phrase.Number("points", g.score(won)))
	case won != noArmy:
		o.Reason = phrase.Say("em.over-points", armyArg("army", won), phrase.Number("blue", g.score(blue)), phrase.Number("red", g.score(red)))
	}
	return o, true
}

// Words implements [engine.Ruleset].
func (Ruleset) Words() fs.FS { return play.Words(files) }

var digestClauses = sync.OnceValue(func() []engine.Clause { return engine.ReadClauses(rules.EnemyMistakes, "EM-") })

var digestTerms = sync.OnceValue(func() []engine.Term { return engine.ReadGlossary(rules.EnemyMistakes) })

// PositionForm implements cases.Former.
func (Ruleset) PositionForm() string { return positions.EnemyMistakes }

// Clauses implements [engine.Documented].
func (Ruleset) Clauses() []engine.Clause { return digestClauses() }

// Glossary implements [engine.Glossed].
func (Ruleset) Glossary() []engine.Term { return digestTerms() }
