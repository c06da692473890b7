package ruling

import (
	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/engine"
)

// A Plan is what an act would do: changes that are made one after the other. It is data:
// making or carrying out a plan does not change the plan.
type Plan struct {
	Act     *Act
	Changes []Change

	// Orders are the orders, of the open stop or an earlier one, that the plan makes count or
	// no longer count; nil: no orders are ruled on.
	Orders *RuledOrders
	// Machine says who asked for it on the command line; nil: it came by letter.
	Machine *string
}

// RuledOrders are the orders of a side that a ruling is about.
type RuledOrders struct {
	Side   engine.Side
	Stop   int    // as the side counts
	Counts bool   // they do from now on
	Say    string // what they say then, in normal form
	Ahead  string // what they file ahead that counts then, in normal form; "": nothing
}

// A Change is one thing that is done to a game by a ruling or a rewind.
type Change interface {
	// apply makes the change.
	apply(r *run) error
}

// NewSeed says that a new seed is drawn, since the old one was told when the game ended and
// the game goes on. It comes before the [Enter] of the act, which has its commitment.
type NewSeed struct{}

// Enter says that a ruling, or a rewind, is written into the log.
type Enter struct {
	Ruling *log.Ruling  // nil: it is a rewind
	Rewind *log.Rewound // nil: it is a ruling
}

// GoOn says that a game goes on that stands still because the ruleset failed at its open
// stop: what it failed at is changed.
type GoOn struct{}

// Back says that the game goes back to the position after an entry of the log: no answer is
// in force and no stop is open. Players who changed seats since then change back.
type Back struct{ To uint64 }

// SetPosition says that another position replaces the one gone back to.
type SetPosition struct{ Position engine.Position }

// SetOption says that an option has another value from here on.
type SetOption struct{ Name, Value string }

// Open says that the stop of the position gone back to, or of the one that replaces it, is
// opened again.
type Open struct{}

// Keep says that the position is kept as the one to which the last noted entry has led.
type Keep struct{}

// SetDie says that a roll of the open stop has another result when the stop is resolved.
type SetDie struct{ Roll, Result int }

// Redo says that a stop is resolved again as it was resolved before, as long as it still fits:
// as long as the same sides owe the same decisions, and their answers are legal. Where
// something does not fit, nothing more is done again: the game waits at this stop, and those
// answers are in force that do fit.
type Redo struct {
	Entry   uint64 // of the log, that resolved it before
	Answers []log.Given
	Ruled   map[int]int              // rolls that rulings replaced
	Rolls   []engine.Roll            // as they fell
	Asked   map[engine.Side][]string // stops that opened because something was filed ahead
	AsFell  bool                     // they stay so: the seed is another by now
	Fresh   bool                     // its answers are others: its dice are rolled anew
	Must    bool                     // the act makes no sense without it
}

// Instruct says that standing orders are given again, if they are still legal; otherwise those
// before them stay.
type Instruct struct {
	Side  engine.Side
	File  string
	Aside bool // what was filed ahead is set aside where they say something else, as when a letter gave them
}

// Repeat says that an earlier ruling changes the position again, as long as it fits.
type Repeat struct {
	Entry  uint64 // of the log, that has it
	Ruling *log.Ruling
}

// Count says that an answer of the stop gone back to still counts, where it is still owed
// and legal.
type Count struct{ Given log.Given }

// PutBack says that an answer that was once in force is in force again, where its side owes
// one and it is legal.
type PutBack struct {
	Side   engine.Side
	Former log.Former
}

// Stay says that an answer that was in force before the act stays in force, where the same is
// owed as then and everything else has been done again.
type Stay struct {
	Player   engine.Side // by his book ([game.Seat.BookOf]): he may have changed seats
	Stop     int         // as his seat counts
	Decision engine.Decision
	File     string
	As       game.InForce
}

// PutAnswer says that an answer is in force at the open stop.
type PutAnswer struct {
	Side   engine.Side
	Orders string
	As     game.InForce
	Files  uint64   // log entry of what it files ahead; 0: what As says
	Aside  []string // answers of that which count no more
}

// Reopen says that a side owes an answer at the open stop again, and gets time for it.
type Reopen struct{ Side engine.Side }

// Decide says that the game is over, with an outcome.
type Decide struct{ Outcome engine.Outcome }

// Settle says that a dispute is settled, and names the log entry of the dispute.
type Settle struct{ Dispute uint64 }

// Dispute says that a dispute is open again, since the ruling that settled it is no longer in force.
type Dispute struct{ Dispute uint64 }

// of finds the first change of a kind; what it gives is empty if there is none.
func of[C Change](p *Plan) (first C, ok bool) {
	for _, c := range p.Changes {
		if first, ok = c.(C); ok {
			return first, true
		}
	}
	return first, false
}

// disputes lists the disputes that the plan opens again, and those that it settles.
func (p *Plan) disputes() (opened, settled []uint64) {
	for _, c := range p.Changes {
		switch c := c.(type) {
		case Dispute:
			opened = append(opened, c.Dispute)
		case Settle:
			settled = append(settled, c.Dispute)
		}
	}
	return opened, settled
}
