package playout

import (
	"bytes"
	"fmt"
	"slices"

	"berthier/engine"
	"berthier/orders/phrase"
)

// Pauses compares what happens to two positions that differ only in what a side
// can't see, when that side alone owes an answer and gives the same in both, with
// the same dice. As long as the side is told the same, the same stops must open at the
// same moments: if a stop opens, or does not, because of something hidden, the pause gives
// that away. Once the side is told something different, everything else may differ.
//
// Pauses gives what the side was told in both positions alike. The error is a
// [PauseError], or comes from a position that could not be played on.
func Pauses(p, q engine.Position, side engine.Side, a engine.Answer, seed uint64) ([]phrase.Phrase, error) {
	heard, owed, err := after(p, side, a, seed)
	if err != nil {
		return nil, err
	}
	other, otherwise, err := after(q, side, a, seed)
	if err != nil {
		return nil, err
	}
	n := 0
	for n < len(heard) && n < len(other) && bytes.Equal(asJSON(heard[n]), asJSON(other[n])) {
		n++
	}
	alike := heard[:n]
	switch {
	case n < len(heard) && n < len(other), len(heard) == len(other) && slices.Equal(owed, otherwise):
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
	Owed []engine.Decision // in one of the positions
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

// after advances a copy by a side's answer. It gives what the side is told, and who owes
// something then; for the side itself it also gives what is owed.
func after(p engine.Position, side engine.Side, a engine.Answer, seed uint64) (heard []phrase.Phrase, owed []engine.Decision, err error) {
	p = p.Clone()
	events, err := p.Advance(map[engine.Side]engine.Answer{side: a}, NewDice(seed))
	if err != nil {
		return nil, nil, err
	}
	for _, e := range events {
		if say, ok := e.For(side); ok {
			heard = append(heard, say)
		}
	}
	for _, d := range p.Owed() {
		if d.Side != side {
			d.Kind, d.At = "", ""
		}
		owed = append(owed, d)
	}
	return heard, owed, nil
}
