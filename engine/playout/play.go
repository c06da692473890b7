// Package playout plays whole games by chance and checks, at every stop, what
// must hold for any ruleset: that a position reads back as it was written, that
// copies share nothing, that defaults, templates and random answers are legal,
// that whatever is accepted can be carried out, and that nothing hidden shows.
//
// It needs no mail and no clock; a ruleset's own tests run it.
package playout

import (
	"fmt"
	"math/rand/v2"

	"berthier/engine"
	"berthier/engine/ahead"
	"berthier/orders/phrase"
)

// MaxStops is how many stops a game may have unless [Game.MaxStops] says
// otherwise. A game that has more is taken for one that never ends.
const MaxStops = 50_000

// A Game is what a playout plays.
type Game struct {
	Rules    engine.Ruleset
	Setup    engine.Setup
	Start    engine.Position // where to begin; nil: a new game of Setup. It is not changed
	Seed     uint64          // of the dice and of the answers; the same seed gives the same game
	MaxStops int             // 0: MaxStops
	Choose   Chooser
	File     Filer // what files file ahead; nil: nothing
}

// A Filer gives what a file that answers a decision files ahead, as [ahead.Read] writes it;
// "" if it says nothing of that. It is given the view and the answer.
type Filer func(rules engine.Ruleset, view engine.View, d engine.Decision, a engine.Answer, chance *rand.Rand) string

// A Chooser answers a decision. Without one a game is played by
// [engine.Ruleset.Random].
type Chooser func(engine.Ruleset, engine.View, engine.Decision, *rand.Rand) engine.Answer

// Defaults is a [Chooser] for players who never send orders.
func Defaults(rules engine.Ruleset, view engine.View, d engine.Decision, _ *rand.Rand) engine.Answer {
	return rules.Default(view, d)
}

// A Moment is a stop of a playout before its answers are taken, or the end.
type Moment struct {
	Number   int             // of the stop, from 1
	Position engine.Position // to look at; an observer that changes it spoils the game
	Events   []engine.Event  // that led here
	Rolls    []engine.Roll   // that led here
	Owed     []engine.Decision
	Answers  map[engine.Side]engine.Answer // about to be taken; none at the end
	Filed    map[engine.Side]bool          // whose answer was filed ahead
}

// An Observer is shown every moment of a game in turn. An error ends the game.
type Observer func(Moment) error

// A Result is how a playout went.
type Result struct {
	Stops   int // that were resolved
	Rolls   int
	Final   engine.Position
	Outcome engine.Outcome
}

// Run plays a game by chance to its end.
func Run(rules engine.Ruleset, setup engine.Setup, seed uint64, observers ...Observer) (Result, error) {
	return Game{Rules: rules, Setup: setup, Seed: seed}.Play(observers...)
}

// Play plays the game to its end. Errors name the seed and the stop, so that the
// game can be played again.
func (g Game) Play(observers ...Observer) (Result, error) {
	limit, choose := g.MaxStops, g.Choose
	if limit == 0 {
		limit = MaxStops
	}
	if choose == nil {
		choose = engine.Ruleset.Random
	}
	chance := rand.New(rand.NewPCG(g.Seed, 1))
	dice := &engine.Recorder{Dice: NewDice(g.Seed)}
	result, files := Result{}, filing{game: g, chance: chance, waits: map[engine.Side]*ahead.Filed{}}

	position, err := g.begin()
	if err != nil {
		return result, fmt.Errorf("play seed %d: %w", g.Seed, err)
	}
	result.Final = position
	var events []engine.Event
	if _, over := position.Outcome(); !over && len(position.Owed()) == 0 { // it begins with chance
		if events, err = position.Advance(nil, dice); err != nil {
			return result, fmt.Errorf("play seed %d: before the first stop: %w", g.Seed, err)
		}
		result.Rolls = len(dice.Rolls)
	}
	for {
		m := Moment{Number: result.Stops + 1, Position: position, Events: events, Rolls: dice.Rolls, Owed: position.Owed()}
		outcome, over := position.Outcome()
		switch {
		case over && len(m.Owed) > 0:
			return result, fmt.Errorf("play seed %d: the game is over, and %v is owed", g.Seed, m.Owed)
		case !over && len(m.Owed) == 0:
			return result, fmt.Errorf("play seed %d: stop %d: nobody owes anything, and the game is not over", g.Seed, m.Number)
		case !over && result.Stops == limit:
			return result, fmt.Errorf("play seed %d: the game is not over after %d stops", g.Seed, limit)
		}
		if !over {
			files.answer(&m, choose)
		}
		for _, observe := range observers {
			if err := observe(m); err != nil {
				return result, fmt.Errorf("play seed %d: stop %d: %w", g.Seed, m.Number, err)
			}
		}
		if over {
			result.Outcome = outcome
			return result, nil
		}
		dice.Rolls = nil
		if events, err = engine.AdvanceAsking(position, m.Answers, dice, files.asked()); err != nil {
			return result, fmt.Errorf("play seed %d: stop %d: %w", g.Seed, m.Number, err)
		}
		files.lapse(position)
		result.Stops++
		result.Rolls += len(dice.Rolls)
	}
}

func (g Game) begin() (engine.Position, error) {
	if g.Start != nil {
		return g.Start.Clone(), nil
	}
	return g.Rules.New(g.Setup)
}

// Dice roll fast, by a seed, for games that nobody plays in earnest.
type Dice struct{ chance *rand.Rand }

// NewDice makes dice; the same seed rolls the same.
func NewDice(seed uint64) Dice { return Dice{rand.New(rand.NewPCG(seed, 2))} }

// Roll implements [engine.Dice].
func (d Dice) Roll(sides int, _ phrase.Phrase) int { return d.chance.IntN(sides) + 1 }
