// Package engine is the contract between a game system and the rest of the program.
//
// A game runs from stop to stop. At a stop one or more sides owe a [Decision];
// decisions owed at one stop are secret and simultaneous. When every [Answer]
// is in, the [Position] advances, rolling dice and giving out events, until the
// next stop or the end.
//
// A [Ruleset] is pure: it knows no clock, no storage, no mail and no names of
// persons; nothing that decides depends on the order of a map or on floating
// point. The same position, answers and dice give the same bytes everywhere.
//
// An order file is judged against the side's [View], never against the
// position: what a player may not know can't show in the answer to his letter.
package engine

import (
	"io/fs"
	"math/rand/v2"

	"berthier/orders"
	"berthier/orders/phrase"
)

// A Side is a seat at the table, such as "french" or "allied".
type Side string

// GM is the seat that sees everything and owes nothing. It is a side only for
// [Position.View].
const GM Side = "gm"

// A Ruleset is one game system.
type Ruleset interface {
	// About describes the system and what a set-up may choose.
	About() About
	// New starts a game. The error is an [orders.Problems] or names the option
	// or scenario at fault. A game that begins with chance, such as a deal of
	// cards, owes nothing yet: it is advanced without answers to its first stop.
	New(Setup) (Position, error)
	// Load reads back what [Position.Marshal] wrote.
	Load([]byte) (Position, error)
	// Read judges the orders and standing parts of an order file as an answer
	// to a decision, from what the side can see. All faults come at once; the
	// answer counts only if there are none. A file that is marked as accepted
	// before means what it meant then.
	Read(View, Decision, *orders.Document) (Answer, orders.Problems)
	// Template is the order file of a decision, ready to fill in, with the legal
	// choices as comments. Untouched it is a legal file and means the default.
	Template(View, Decision) *orders.Node
	// Default is what a missed deadline means. It is always legal.
	Default(View, Decision) Answer
	// Random is a legal answer that is chosen at random.
	Random(View, Decision, *rand.Rand) Answer
	// Sensible is the answer of a fair player, who looks at nothing but the
	// view. It is legal, and the same for the same view, decision and chance.
	Sensible(View, Decision, *rand.Rand) Answer
	// Words holds the catalogues of the system's phrases, one file a language:
	// en.yaml, it.yaml.
	Words() fs.FS
}

// A Reworded is a [Ruleset] that once wrote the keys of answers differently.
type Reworded interface {
	// FormerWords takes what [Answer.Orders] gives, and gives it as it was written then.
	// Read reads that back as the same answer.
	FormerWords(answer *orders.Node) *orders.Node
}

// An Instructor is a [Ruleset] whose sides may give standing orders at any time,
// whether they owe a decision or not. Its positions are [Instructed].
type Instructor interface {
	// ReadStanding judges the standing part of an order file by itself, from
	// what the side can see. All faults come at once.
	ReadStanding(View, *orders.Document) (Answer, orders.Problems)
	// Answers gives the answer of the standing orders that the side of the view has in
	// force to a decision; false if the side would be asked.
	Answers(View, Decision) (Answer, bool)
}

// Instructed is a [Position] that takes what [Instructor.ReadStanding] gave.
type Instructed interface {
	// Instruct puts standing orders in force in place of the old. It is no move
	// of the game: nothing is rolled, nobody else learns of it, and what is owed
	// stays owed. An error means that the standing orders were not made for such a game
	// or side.
	Instruct(Side, Answer) error
}

// Turned is a [Position] of a game that is played by turns.
type Turned interface {
	// TurnNumber is the number of the turn that is being played, from 1; 0 before the
	// first. Where the players have turns of their own, each of these counts.
	TurnNumber() int
}

// Ending is a [Turned] position of a game that has a last turn.
type Ending interface {
	Turned
	// LastTurn is the last turn that the game can have as it stands, counted as TurnNumber counts; 0 before the
	// first. It is public: every side can read it in the rules or on its page.
	LastTurn() int
}

// About describes a ruleset.
type About struct {
	ID        string   // "napoleon"
	Scenarios []string // names that [Setup.Scenario] takes, the first being the default
	Options   []Option // in the order of the rules
	Stops     []string // kinds of decisions ([Decision.Kind]); none if the ruleset does not tell them
}

// An Option is a choice made when a game is set up.
type Option struct {
	Name   string
	Values []string // legal values, the first being the default unless the scenario has its own
	Clause string   // where the rules speak of it
}

// Setup is what a new game is made of.
type Setup struct {
	Scenario string            // empty: the ruleset's first
	Data     []byte            // a scenario file of the user's own, in place of a built-in one
	Options  map[string]string // by name; missing ones have their default
	Policies map[Side]string   // with which the seats of a [Policied] begin, as order files write them
}

// A Position is a game at one moment, including where in the sequence of play
// it stands.
type Position interface {
	// Sides lists the seats, in the order of the rules.
	Sides() []Side
	// Owed lists the decisions that the present stop waits for, at most one a
	// side, in the order of Sides. It is empty only when the game is over, or
	// has not come to its first stop (see [Ruleset.New]).
	Owed() []Decision
	// Advance takes an answer for each decision owed and plays on to the next
	// stop. It changes the position. An error means that an answer was not made
	// for this stop; the position is then spoiled and must be loaded again.
	Advance(map[Side]Answer, Dice) ([]Event, error)
	// View is all that the side may see, and no more. [GM] sees everything.
	View(Side) View
	// Outcome tells how the game ended, if it has.
	Outcome() (Outcome, bool)
	// Clone is a copy that shares nothing that changes.
	Clone() Position
	// Marshal writes the position as YAML that Load reads back to the same
	// position, byte for byte.
	Marshal() ([]byte, error)
}

// A Decision is something a side must answer at a stop.
type Decision struct {
	Side Side   `json:"side" yaml:"side"`
	Kind string `json:"kind" yaml:"kind"`                 // the stop's name in the rules: "move", "battle-turn"
	At   string `json:"at,omitempty" yaml:"at,omitempty"` // what it is about, such as a town; "" if nothing in particular
}

// An Answer is what a side decided. Each ruleset has its own.
type Answer interface {
	// Orders is the answer in normal form: the orders and standing keys of an
	// order file, which Read takes back as the same answer.
	Orders() *orders.Node
}

// A View is what one side sees now and has been told before.
type View interface {
	// Side is whose view it is.
	Side() Side
	// Page is the view as a person reads it: headings, tables and pictures.
	Page() Page
	// Spell names a thing of the game in a language: the "unit" F-03, the
	// "town" ligny, the "side" french. Kinds it does not know give the id. "gender.KIND" and
	// "article.KIND" ask for the gender and the article of such a name, as catalogues want them.
	Spell(kind, id, language string) string
	// Marshal writes all of the view, for comparing and for machines.
	Marshal() ([]byte, error)
}

// An Event is something that happened. It is told to each side in the form that
// this side may know; a side without a telling never learns of it. The GM sees
// all tellings.
type Event struct {
	Clause   string    `json:"clause,omitempty"` // the rule that caused it, "NAP-6.33"
	Tellings []Telling `json:"told"`
	// Exchange, if not empty, names two seats whose players change places: from then
	// on the player of the one sits at the other, as when sides were bid for. This
	// event and those before it are told to the players at their old seats; later
	// events, and the position, are told to them at their new seats. A ruleset knows no
	// players: the exchange itself, with letters and keys, is the office's business.
	Exchange []Side `json:"exchange,omitempty"`
}

// Retold is a ruleset whose tellings have come to say more than they did in former
// programs: a log that one of those wrote still tells the same as this program would.
type Retold interface {
	// Formerly tells whether then, which stands in the log of a former program, is what that
	// program told where this one tells now: the same sentence, without what it has come
	// to say since.
	Formerly(now, then phrase.Phrase) bool
}

// Rejoined is a ruleset that has come to tell as one event what former programs told as several.
type Rejoined interface {
	Retold
	// Apart gives events of this program as such former programs told them.
	Apart(now []Event) []Event
}

// A Telling is an event as some sides learn it.
type Telling struct {
	To  []Side        `json:"to"`
	Say phrase.Phrase `json:"say"`
}

// For gives what the side is told of the event.
func (e Event) For(side Side) (phrase.Phrase, bool) {
	for _, t := range e.Tellings {
		for _, s := range t.To {
			if s == side {
				return t.Say, true
			}
		}
	}
	return phrase.Phrase{}, false
}

// An Outcome is how a game ended.
type Outcome struct {
	Winners []Side        `json:"winners,omitempty" yaml:"winners,omitempty"` // none: a draw
	Reason  phrase.Phrase `json:"reason" yaml:"reason"`
	Clause  string        `json:"clause,omitempty" yaml:"clause,omitempty"`
}
