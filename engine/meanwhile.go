package engine

import (
	"bytes"
	"errors"
	"reflect"
	"slices"

	"berthier/orders/phrase"
)

// A Meanwhile is a [Ruleset] with stops at which a side is asked whether it does something
// small that it mostly declines. To decline is the default of such a stop. While the side
// makes up its mind, what others would owe next if it declined may be asked of them, too:
// see [Foresee].
type Meanwhile interface {
	// Declined tells whether a kind of stop is one of these, and whether others may be told
	// that it is this kind at which a side is asked.
	Declined(kind string) (declined, public bool)
	// Foretold tells whether a sentence of a code may be true before the side has declined,
	// for all that anybody knows who hears it: it says how the sequence of play goes on, or
	// what follows from public facts alone.
	Foretold(code string) bool
}

// A Foreseen is what sides will owe if the one that is asked now declines.
type Foreseen struct {
	Asked    Decision   // that is owed now
	Public   bool       // others may be told its kind
	Position Position   // as it would be if it were declined
	Events   []Event    // that would be told on the way there
	Owed     []Decision // that would be owed there, none of it by the side that is asked now
}

// Foresee tells what would be owed next if the one side that a position waits for declined.
// Nothing can be foreseen unless its stop is one that is mostly declined, no die is rolled
// when it is, and those who would be asked are told nothing that is not foretold. So whoever
// is asked beforehand learns only that another side is asked something, which he would
// learn from the pause. The position stays as it is.
func Foresee(rules Ruleset, p Position) (Foreseen, bool) {
	m, able := rules.(Meanwhile)
	owed := p.Owed()
	if !able || len(owed) != 1 {
		return Foreseen{}, false
	}
	f := Foreseen{Asked: owed[0], Position: p.Clone()}
	declined := false
	if declined, f.Public = m.Declined(f.Asked.Kind); !declined {
		return Foreseen{}, false
	}
	if f.Events = decline(rules, f.Position, f.Asked); f.Events == nil {
		return Foreseen{}, false
	}
	if _, over := f.Position.Outcome(); over {
		return Foreseen{}, false
	}
	f.Owed = f.Position.Owed()
	for _, e := range f.Events {
		if len(e.Exchange) > 0 {
			return Foreseen{}, false
		}
		for _, d := range f.Owed {
			if say, told := e.For(d.Side); told && !m.Foretold(say.Code) {
				return Foreseen{}, false
			}
		}
	}
	_, again := f.Of(f.Asked.Side)
	return f, len(f.Owed) > 0 && !again
}

// Of gives what a side would owe.
func (f Foreseen) Of(side Side) (Decision, bool) {
	for _, d := range f.Owed {
		if d.Side == side {
			return d, true
		}
	}
	return Decision{}, false
}

// errRolled says that a die would have to be rolled.
var errRolled = errors.New("a die is rolled")

// noDice break off where a die is to be rolled.
type noDice struct{}

// Roll implements [Dice].
func (noDice) Roll(int, phrase.Phrase) int { panic(errRolled) }

// decline advances a position by the default of what is owed, and gives what happens. It is
// nil if a die would be rolled, or if the ruleset fails, which shows when it is advanced in
// earnest; the position is spoiled then.
func decline(rules Ruleset, p Position, d Decision) (events []Event) {
	defer func() {
		if fault := recover(); fault != nil {
			events = nil
		}
	}()
	events, err := p.Advance(map[Side]Answer{d.Side: rules.Default(p.View(d.Side), d)}, noDice{})
	if err != nil {
		return nil
	}
	return append([]Event{}, events...)
}

// Came tells whether what was foreseen for a side has come about after the side that was
// asked has answered: it owes what was foreseen, sees what it would have seen, and was told
// what it would have been told. Otherwise it may want to decide anew. This hangs on nothing
// that the side does not know itself.
func (f Foreseen) Came(side Side, now Position, events []Event) bool {
	d, foreseen := f.Of(side)
	if !foreseen || !slices.Contains(now.Owed(), d) {
		return false
	}
	then, err := f.Position.View(side).Marshal()
	if err != nil {
		return false
	}
	seen, err := now.View(side).Marshal()
	return err == nil && bytes.Equal(then, seen) && reflect.DeepEqual(toldTo(side, f.Events), toldTo(side, events))
}

// toldTo is what a side is told of events.
func toldTo(side Side, events []Event) (all []phrase.Phrase) {
	for _, e := range events {
		if say, told := e.For(side); told {
			all = append(all, say)
		}
	}
	return all
}
