package adjudicator

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A Ruling is what a game master decided, as the log keeps it. Whatever it
// changes is in it, so that the game can be played again from its log: it may go
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
	// Seat and SeatStop name the answer that was ruled on while its stop was open,
	// Orders what is in force for it since then, in normal form (none: it is owed
	// again), and Was what was so before: overruling the ruling puts it back.
	Seat     engine.Side `json:"seat,omitempty"`
	SeatStop int         `json:"seat_stop,omitempty"` // as the side counts
	Orders   string      `json:"orders,omitempty"`
	Was      *Former     `json:"was,omitempty"`
	// Put and PutSide are the answer, in normal form, with which a stop of the past is
	// done again in place of the one that its side gave.
	Put     string      `json:"put,omitempty"`
	PutSide engine.Side `json:"put_side,omitempty"`
	// InForce are the answers in force when the position was changed, by their
	// sides: overruling the ruling puts them back with the position.
	InForce map[engine.Side]*Former `json:"in_force,omitempty"`
}

// A Former answer was in force before a ruling took it out, or put another in its
// place.
type Former struct {
	Orders string    `json:"orders"`       // normal form
	By     string    `json:"by,omitempty"` // as [Given] has it; "": the player
	Sent   time.Time `json:"sent"`
	Final  bool      `json:"final"`
	Serial int       `json:"serial,omitempty"` // of the template it was made from
	Entry  uint64    `json:"entry,omitempty"`  // log entry of its file
}

// edited merges a game master's changes, YAML as a position is written in, into
// a position. A key with nothing after it takes away what stands there. Faults of the
// position that comes of it are placed where the changes speak of them.
func edited(rules engine.Ruleset, p engine.Position, set string) (engine.Position, orders.Problems, error) {
	overlay, problems := orders.ParseNode([]byte(set))
	if len(problems) > 0 {
		return nil, problems, nil
	}
	text, err := p.Marshal()
	if err != nil {
		return nil, nil, fmt.Errorf("write position: %w", err)
	}
	base, problems := orders.ParseNode(text)
	if len(problems) > 0 {
		return nil, nil, fmt.Errorf("read position: %w", problems)
	}
	merged := orders.Merge(base, overlay).Encode()
	next, err := rules.Load([]byte(merged))
	var faults orders.Problems
	if errors.As(err, &faults) {
		if whole, problems := orders.ParseNode([]byte(merged)); len(problems) == 0 {
			faults = moved(faults, whole, overlay)
		}
		return nil, faults, nil
	}
	return next, nil, err
}

// moved places the faults of a text where another one says the same, or what is nearest
// to it. Faults without a place are put where the other speaks of the first thing that
// they name, else at its beginning.
func moved(faults orders.Problems, from, to *orders.Node) orders.Problems {
	all := slices.Clone(faults)
	for i := range all {
		p := &all[i]
		at := to
		if p.Line > 0 && from != nil {
			at = to.Follow(from.WayTo(p.Line, p.Column))
		} else {
			at = cmp.Or(spokenOf(to, p.Why), to)
		}
		p.Line, p.Column = at.Line, at.Column
	}
	all.Sort()
	return all
}

// spokenOf finds where a text speaks of a thing that a phrase names; nil if it does not.
func spokenOf(n *orders.Node, say phrase.Phrase) *orders.Node {
	for _, a := range say.Args {
		switch a.Value.Kind {
		case phrase.KindNumber, phrase.KindLiteral, phrase.KindList, phrase.KindPhrase:
		default:
			if at := n.Find(a.Value.Text); at != nil {
				return at
			}
		}
	}
	return nil
}
