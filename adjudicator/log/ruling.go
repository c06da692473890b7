package log

import (
	"time"

	"berthier/engine"
)

// A Rewound is how a game went back to an earlier position, as the log keeps
// it. Nothing is erased: what was undone stays in the log, and From leads back
// to it.
type Rewound struct {
	From   uint64 `json:"from"` // log entry that led to the position before
	To     uint64 `json:"to"`   // log entry that led to the position gone back to
	Stop   int    `json:"stop"` // the stop that is open now
	Reason string `json:"reason,omitempty"`
	// Commitment is the SHA-256 of a new seed, drawn if the old one was
	// published already because the game had ended.
	Commitment string `json:"commitment,omitempty"`
	Same       bool   `json:"same,omitempty"`    // what was ordered after that moment is done again
	Dispute    uint64 `json:"dispute,omitempty"` // log entry of the dispute that it settles
	Own        bool   `json:"own,omitempty"`     // as in [Ruling]
	Moved      bool   `json:"moved,omitempty"`   // as in [Ruling]
	// InForce is as in [Ruling].
	InForce map[engine.Side]*Former `json:"in_force,omitempty"`
}

// Kinds of acts.
const (
	ActDie      = "die"
	ActPosition = "position"
	ActOption   = "option"
	ActAccept   = "accept"
	ActRefuse   = "refuse"
	ActOutcome  = "outcome"
	ActOverrule = "overrule"
	ActStands   = "stands"
	ActRewind   = "rewind"
)

// A Ruling is what a game master decided, as the log keeps it. It holds everything that it
// changes, so that the game can be played again from its log: it may go
// back to an earlier position, then change that one; stops that are resolved
// anew after it follow as entries of their own.
type Ruling struct {
	Dispute uint64 `json:"dispute,omitempty"` // log entry of the dispute that it settles
	About   uint64 `json:"about,omitempty"`   // log entry that it rules on
	Kind    string `json:"kind"`              // die, position, option, accept, refuse, outcome, overrule, stands
	Repeats uint64 `json:"repeats,omitempty"` // log entry of the ruling that is in force again after going back behind it
	Tell    string `json:"tell,omitempty"`    // the game master's words to all players
	Reason  string `json:"reason"`
	From    uint64 `json:"from"`         // log entry that led to the position before
	To      uint64 `json:"to,omitempty"` // log entry that led to the position gone back to; 0: the present one
	Set     string `json:"set,omitempty"`
	// Position is the SHA-256 of the position after Set was merged into it.
	Position string `json:"position_hash,omitempty"`
	// Roll and Result replace a die: the number of the roll in the stop that is
	// resolved again, from 1 on.
	Roll   int `json:"roll,omitempty"`
	Result int `json:"result,omitempty"`
	// Winners are those of a game whose outcome was decided; none: a draw.
	Winners []engine.Side `json:"winners,omitempty"`
	// Option and Value are an option that has another value from here on.
	Option string `json:"option,omitempty"`
	Value  string `json:"value,omitempty"`
	// Commitment is the SHA-256 of a new seed, as in [Rewound].
	Commitment string `json:"commitment,omitempty"`
	// Seat and SeatStop name the answer that was ruled on while its stop was open. Orders
	// is what is in force for it since then, in normal form (none: it is owed again), and
	// Was is what was in force before: if the ruling is overruled, that is put back.
	Seat     engine.Side `json:"seat,omitempty"`
	SeatStop int         `json:"seat_stop,omitempty"` // as the side counts
	Orders   string      `json:"orders,omitempty"`
	Was      *Former     `json:"was,omitempty"`
	// Put and PutSide are the answer, in normal form, with which an earlier stop is resolved
	// again in place of the answer that its side gave.
	Put     string      `json:"put,omitempty"`
	PutSide engine.Side `json:"put_side,omitempty"`
	// Ahead is what the file that is accepted files ahead, in normal form: it waits once the stop is
	// resolved. Where a ruling of before does not say so, nothing of the file waits but its orders count.
	Ahead string `json:"ahead,omitempty"`
	// Own: where it goes back to a position, of what was filed ahead only that waits again which
	// the present players of the seats have filed. Where a ruling of before does not say so,
	// what former players had filed waited, too, where it was done again.
	Own bool `json:"own,omitempty"`
	// Moved: what waited at the position waits again for the player who filed it, also if players have
	// changed seats since. Where a ruling of before does not say so, the change of seats ended it.
	Moved bool `json:"moved,omitempty"`
	// InForce are the answers in force when the position was changed, by their
	// sides: overruling the ruling puts them back with the position.
	InForce map[engine.Side]*Former `json:"in_force,omitempty"`
}

// A Former answer was in force before a ruling removed it or put another one in its
// place.
type Former struct {
	Orders string    `json:"orders"`       // normal form
	By     string    `json:"by,omitempty"` // as [Given] has it; "": the player
	Sent   time.Time `json:"sent"`
	Final  bool      `json:"final"`
	Serial int       `json:"serial,omitempty"` // of the template it was made from
	Entry  uint64    `json:"entry,omitempty"`  // log entry of its file
	Files  uint64    `json:"files,omitempty"`  // that of what it files ahead, which waits once its stop is resolved; 0: nothing, or it was not kept
	Aside  []string  `json:"aside,omitempty"`  // as [Given] has it
	Part   string    `json:"part,omitempty"`   // as [Part.Mark], if it was filed ahead
}

// LongestReason is how many bytes of a reason, and of words to the players, are kept.
const LongestReason = 2000
