package playout

import (
	"bytes"
	"fmt"
	"slices"

	"berthier/engine"
	"berthier/orders/phrase"
)

// Pauses compares what happens to two positions that differ only in what a side
// can't see, when that side owes an answer and gives the same in both, with
// the same dice. Others who owe an answer, too, give the default of what they see. As long as the side is told the same, the same stops must open at the
// same moments: if a stop opens, or does not, because of something hidden, the pause gives
// that away. Once the side is told something different, everything else may differ.
//
// Pauses gives what the side was told in both positions alike. The error is a
// [PauseError], or comes from a position that could not be played on.
func Pauses(rules engine.Ruleset, p, q engine.Position, side engine.Side, a engine.Answer, seed uint64) ([]phrase.Phrase, error) {
	heard, owed, err := after(rules, p, side, a, seed)
	if err != nil {
		return nil, err
	}
	other, otherwise, err := after(rules, q, side, a, seed)
	if err != nil {
		return nil, err
	}
	n := 0
	for n < len(heard) && n < len(other) && bytes.Equal(asJSON(heard[n]), asJSON(other[n])) {
		n++
	}
	alike := heard[:n]
	switch {
	case n < len(heard) && n < len(other), len(heard) == len(other) && slices.Equal(without(owed, side), without(otherwise, side)):
		return alike, nil
	case n < len(heard):
		return alike, &PauseError{Owed: otherwise, Told: heard[n]}
	case n < len(other):
		return alike, &PauseError{Owed: owed, Told: other[n]}
	}
	return alike, &PauseError{Owed: owed, Or: otherwise}
}

// A PauseError is a stop from which a side can tell something hidden.
type PauseError struct {
	Owed []engine.Decision // in one of the positions; what it is about the side is not told
	Or   []engine.Decision // in the other, if the side was told all the same
	Told phrase.Phrase     // otherwise what the side is told first in the other
}

// Error says where the two part.
func (e *PauseError) Error() string {
	if e.Told.IsZero() {
		return fmt.Sprintf("%v is owed, or %v", e.Owed, e.Or)
	}
	return fmt.Sprintf("%v is owed, or %s is told first", e.Owed, e.Told.Code)
}

// without gives who owes something, and what, if that is the side itself.
func without(owed []engine.Decision, side engine.Side) []engine.Decision {
	owed = slices.Clone(owed)
	for i := range owed {
		if owed[i].Side != side {
			owed[i].Kind, owed[i].At = "", ""
		}
	}
	return owed
}

// after advances a copy by a side's answer. It gives what the side is told, and what is owed
// then.
func after(rules engine.Ruleset, p engine.Position, side engine.Side, a engine.Answer, seed uint64) (heard []phrase.Phrase, owed []engine.Decision, err error) {
	p = p.Clone()
	answers := map[engine.Side]engine.Answer{side: a}
	for _, d := range p.Owed() {
		if d.Side != side {
			answers[d.Side] = rules.Default(p.View(d.Side), d)
		}
	}
	events, err := p.Advance(answers, NewDice(seed))
	if err != nil {
		return nil, nil, err
	}
	for _, e := range events {
		if say, ok := e.For(side); ok {
			heard = append(heard, say)
		}
	}
	return heard, p.Owed(), nil
}
