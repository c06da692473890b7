package game

import (
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/engine"
)

// Log adds an entry to the log.
func (t *Turn) Log(e log.Entry) error {
	e.At = t.Now
	if e.By == "gm" && t.Who != "" {
		if e.Private == nil {
			e.Private = map[string]any{}
		}
		if also, ok := e.Private.(map[string]any); ok {
			also["by"] = t.Who
		}
	}
	if e.Stop == 0 {
		e.Stop = t.Game.Stop
	}
	body, private, err := log.Encode(e, t.Game.DiceScheme())
	if err != nil {
		return err
	}
	var salt chain.Salt
	if err := t.Draw(salt[:]); err != nil {
		return err
	}
	entry := chain.Follow(t.Last, salt, body, private)
	t.Entries = append(t.Entries, entry)
	t.Kinds = append(t.Kinds, e.Kind)
	t.Last = entry.Link
	if s := t.Game.Seat(e.Seat); s != nil {
		t.Seal(s)
	}
	return nil
}

// Seal keeps where the log stands, for the foot of a seat's letters: its hash and,
// once the game is over and the whole log is told, its number, too. While the game
// runs the number would tell how often the others have written.
func (t *Turn) Seal(s *Seat) {
	s.Hash, s.Entry = t.Hash(), 0
	if t.Game.Phase != Running {
		s.Entry = t.Last.Seq
	}
}

// Hash is the present end of the log, shortened for letters.
func (t *Turn) Hash() string { return log.ShortHash(t.Last.Hash) }

// Entry reads an entry of the log, its data into a type by kind.
func (t *Turn) Entry(seq uint64, data any) (log.Entry, error) {
	for _, e := range t.Entries { // not yet committed
		if e.Seq == seq {
			return log.Read(e, data)
		}
	}
	entry, err := t.Past.EntryAt(seq)
	if err != nil {
		return log.Entry{}, err
	}
	return log.Read(entry, data)
}

// ErrPanic: a panic was caught.
var ErrPanic = errors.New("panic")

// panicked gives a panic as an error, with where it happened.
func panicked(fault any) error { return fmt.Errorf("%w: %v\n%s", ErrPanic, fault, debug.Stack()) }

// A Loaded is a game at one instant: its record, its position, and where its log ends.
type Loaded struct {
	Game     *State
	Rules    engine.Ruleset
	Position engine.Position
	Views    map[engine.Side]engine.View // of the position, as far as they were needed
	Last     chain.Link                  // of the log
}

// View is what a side sees of the position.
func (t *Loaded) View(side engine.Side) engine.View {
	v, ok := t.Views[side]
	if !ok {
		v = t.Position.View(side)
		t.Views[side] = v
	}
	return v
}

// AsItStands is the game as it stands now, whatever happens to it later. Positions are never
// changed in place, so that two may share one.
func (t *Loaded) AsItStands() *Loaded {
	copied := *t
	copied.Game = t.Game.Clone()
	return &copied
}

// Around is what a turn is given from outside: the time, random numbers, earlier entries, and
// who may do what. Given the same, a turn does the same.
type Around struct {
	Now      time.Time
	ReadUpTo time.Time            // up to when it is known what has come in: nothing is due after it
	ByClock  bool                 // time may pass a deadline without an answer
	Who      string               // who acts as game master: an address, or "command line"
	Grace    time.Duration        // for which an interlock holds stops back whose rule has no grace
	Quiet    time.Duration        // what comes so soon after a letter to a player is told with it
	Masters  []log.Person         // who look after every game of the office
	Draw     func(b []byte) error // chance
	OldBot   func(side engine.Side, stop int) [32]byte
	Past     Past
	Digest   string // of the rules of the program
}

// The Past is what a turn may look up of what was before it.
type Past interface {
	// EntryAt gives an entry of the game's log.
	EntryAt(seq uint64) (chain.Entry, error)
	// AnswerOf gives the file of the answer of a seat that is in force.
	AnswerOf(side engine.Side) ([]byte, error)
}

// A Turn is what happens to a game at once, while it happens: the game as it has become by
// now, and what follows from it for the office, in order. It writes nothing outside itself.
type Turn struct {
	*Loaded
	Around
	Effects []Effect

	Entries     []chain.Entry
	Kinds       []string         // kinds of these
	Checkpoints []log.Checkpoint // positions to keep
	Moved       bool             // the position is another
	Joined      []string         // addresses that now take part
	Left        []string         // addresses that may no longer

	Answers  map[engine.Side][]byte  // files to keep; nil: to forget
	fresh    map[engine.Side]bool    // seats that have a new player, who has had no report yet
	Readings map[engine.Side]Reading // answers in force, as read
}
