package adjudicator

import (
	"encoding/hex"
	"fmt"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/log"
	"berthier/adjudicator/store"
	"berthier/adjudicator/timing"
	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A Summary is a game in a list.
type Summary struct {
	ID, Title, System string
	State             string // running, paused, over, closed
	Stop              int    // counting all sides'
	GM                string // address
	Created           time.Time
	Next              time.Time // when it will be looked at next; zero: when a letter comes
	Waiting           []engine.Side
}

func summaryOf(g *game.State) Summary {
	sum := Summary{ID: g.ID, Title: g.Title, System: g.System, State: g.StateName(), Stop: g.Stop, GM: g.GM.Address, Created: g.Created, Next: g.Wake()}
	for _, seat := range g.Seats {
		if seat.Owes != nil && seat.Owes.Answer == nil {
			sum.Waiting = append(sum.Waiting, seat.Side)
		}
	}
	return sum
}

// hide takes from it what would tell a player when others are asked, and who has written.
func (sum *Summary) hide() { sum.Stop, sum.Waiting, sum.Next = 0, nil, time.Time{} }

// List gives all games, in the order of their ids.
func (c *Clerk) List() ([]Summary, error) {
	var all []Summary
	err := c.office.read(func(tx store.Reader) error {
		return tx.Games(func(id string, record []byte) error {
			g, err := game.Read(record)
			if err != nil {
				return fmt.Errorf("list game %s: %w", id, err)
			}
			sum := summaryOf(g)
			if game.Partial(g, c.office.opt.GMs) {
				sum.hide()
			}
			all = append(all, sum)
			return nil
		})
	})
	return all, err
}

// A SeatState is a seat as the game master sees it.
type SeatState struct {
	Side     engine.Side
	Person   log.Person
	Key      string
	Resigned bool
	Dead     bool   // its address does not work
	Bot      bool   // the bot plays for it
	Held     string // why the default is held back: down, mailbox, clock, silence, unreached; "": it is not
	Missed   int    // stops resolved without an answer
	Stops    int    // how many it was asked at
	Owes     *engine.Decision
	Stop     int // number of the stop that it owes, as it counts
	Deadline time.Time
	Answered bool
	Final    bool
}

// A Details is all about a game that is no secret to its game master.
type Details struct {
	Summary
	Scenario   string
	Options    map[string]string
	Timing     timing.Timing
	Fault      string
	Seats      []SeatState
	GMKey      string
	Commitment string
	Seed       string // once the game is at its end
	Entries    uint64 // of the log
	Hash       string // of the last one
}

// Show gives a game as its game master sees it.
func (c *Clerk) Show(id string) (*Details, error) {
	var out *Details
	err := c.office.look(intake.FoldGame(id), func(tr *transaction) error {
		g := tr.Game
		out = &Details{
			Summary: summaryOf(g), Scenario: g.Scenario, Options: g.Options, Timing: g.Timing, Fault: g.Fault,
			GMKey: c.office.keys.GM(g), Commitment: log.Commitment(g.Seed), Entries: tr.Last.Seq, Hash: hex.EncodeToString(tr.Last.Hash[:]),
		}
		if g.Phase != game.Running {
			out.Seed = hex.EncodeToString(g.Seed)
		}
		for _, s := range g.Seats {
			state := SeatState{Side: s.Side, Person: s.Person, Key: c.office.keys.Seat(g, s), Resigned: s.Resigned, Dead: s.Dead, Bot: s.Bot, Missed: s.Missed, Stops: s.Stops}
			if w := s.Owes; w != nil {
				decision := w.Decision
				state.Owes, state.Stop, state.Deadline, state.Answered = &decision, w.Stop, w.Deadline, w.Answer != nil
				state.Final = w.Answer != nil && w.Answer.Final
				if w.Held != game.HeldNoMore {
					state.Held = w.Held
				}
				if s.Stands() {
					state.Held = game.HeldUnreached
				}
			}
			out.Seats = append(out.Seats, state)
		}
		return nil
	})
	return out, err
}

// Key gives the key of a seat, or of the game master for [engine.GM].
func (c *Clerk) Key(id string, side engine.Side) (string, error) {
	var key string
	err := c.office.look(intake.FoldGame(id), func(tr *transaction) error {
		if side == engine.GM {
			key = c.office.keys.GM(tr.Game)
			return nil
		}
		s := tr.Game.Seat(side)
		if s == nil {
			return fmt.Errorf("key of %s in game %s: there is no such side", side, tr.Game.ID)
		}
		key = c.office.keys.Seat(tr.Game, s)
		return nil
	})
	return key, err
}

// A Looked is the position of a game as a side sees it, for looking at and for
// judging order files offline.
type Looked struct {
	System   string
	View     engine.View
	Owes     *engine.Decision // what the side owes
	Stop     int              // its number, as the side counts
	Template *orders.Node     // whole order file
	Snapshot []byte           // the full position; for the game master alone

	words *orders.Words // of its order files
}

// OrderFile is the whole order file in a language; nil if nothing is owed.
func (l *Looked) OrderFile(language string) *orders.Node {
	if l.Owes == nil {
		return nil
	}
	return l.Template.FileIn(language, l.words, l.View.Spell("stop", l.Owes.Kind, language))
}

// Position gives a game as a side sees it; for [engine.GM] all of it.
func (c *Clerk) Position(id string, side engine.Side) (*Looked, error) {
	var out *Looked
	err := c.office.look(intake.FoldGame(id), func(tr *transaction) error {
		out = &Looked{System: tr.Game.System}
		if side == engine.GM {
			out.View = tr.View(side)
			snapshot, err := tr.Position.Marshal()
			out.Snapshot = snapshot
			return err
		}
		s := tr.Game.Seat(side)
		if s == nil {
			return fmt.Errorf("position of game %s: there is no side %q", tr.Game.ID, side)
		}
		out.View = tr.View(side)
		if s.Owes != nil {
			decision := s.Owes.Decision
			out.Owes, out.Stop, out.Template, out.words = &decision, s.Owes.Stop, tr.letters.Template(s), tr.letters.Keywords()
		}
		return nil
	})
	return out, err
}

// Foreseen lists the policies of a side that would answer what may come of an answer.
func (c *Clerk) Foreseen(id string, side engine.Side, answer engine.Answer) (all []engine.Policy, err error) {
	err = c.office.look(intake.FoldGame(id), func(tr *transaction) error {
		if s := tr.Game.Seat(side); s != nil && s.Owes != nil {
			all = engine.Answering(tr.Rules, tr.View(side), s.Owes.Decision, answer)
		}
		return nil
	})
	return all, err
}

// Check judges an order file for a side of a game and changes nothing.
func (c *Clerk) Check(id string, side engine.Side, file string) (engine.Answer, *orders.Document, orders.Problems, error) {
	var (
		answer   engine.Answer
		doc      *orders.Document
		problems orders.Problems
	)
	err := c.office.look(intake.FoldGame(id), func(tr *transaction) error {
		doc, problems = orders.Parse(file, nil)
		s := tr.Game.Seat(side)
		switch {
		case s == nil:
			return fmt.Errorf("check file for game %s: there is no side %q", tr.Game.ID, side)
		case s.Owes == nil:
			problems = append(problems, orders.Problem{Why: phrase.Say("office.nothing-owed")})
		case doc.Root != nil && doc.Command == "":
			var faults orders.Problems
			doc.Mends = true
			if answer, faults = tr.Rules.Read(tr.View(side), s.Owes.Decision, game.Dated(tr.Turn, doc)); len(problems) == 0 {
				faults = append(faults, game.MissingOrders(doc)...)
			}
			problems = append(problems, faults...)
		}
		problems.Sort()
		return nil
	})
	return answer, doc, problems, err
}
