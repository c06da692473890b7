package orders

import (
	"fmt"
	"slices"
	"strings"

	"berthier/orders/phrase"
)

// A Problem is one fault of an order file: where, why, by which rule, and what
// would be right.
type Problem struct {
	Line   int           `json:"line"`   // from 1; 0 for the file as a whole
	Column int           `json:"column"` // from 1, in characters
	Clause string        `json:"clause,omitempty"`
	Why    phrase.Phrase `json:"why"`
	Remedy phrase.Phrase `json:"remedy,omitzero"` // what to write instead, if that can be said
}

// Problems are all the faults of a file. As an error it is for logs and tests;
// players read it through the catalogue.
type Problems []Problem

// Sort puts the problems in the order of the file.
func (ps Problems) Sort() {
	slices.SortStableFunc(ps, func(a, b Problem) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Column - b.Column
	})
}

func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = fmt.Sprintf("%d:%d: %s %s", p.Line, p.Column, p.Why.Code, p.Clause)
	}
	return strings.Join(lines, "; ")
}
