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
	Fix    *Fix          `json:"-"`               // the remedy, if there is one only; nil: none, or several
	Either Remedies      `json:"-"`               // two remedies, among which the sender has to choose
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

// Error lists place, code and arguments of each problem.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		var b strings.Builder
		fmt.Fprintf(&b, "%d:%d: %s", p.Line, p.Column, p.Why.Code)
		for _, a := range p.Why.Args {
			switch {
			case a.Value.Text != "":
				fmt.Fprintf(&b, " %s=%q", a.Name, a.Value.Text)
			case len(a.Value.List) > 0:
				texts := make([]string, len(a.Value.List))
				for j, v := range a.Value.List {
					texts[j] = v.Text
				}
				fmt.Fprintf(&b, " %s=%q", a.Name, texts)
			}
		}
		if p.Clause != "" {
			b.WriteString(" (" + p.Clause + ")")
		}
		lines[i] = b.String()
	}
	return strings.Join(lines, "; ")
}

// maxProblems is how many faults of a file are told. A file with more is not an
// order file that somebody mistyped.
const maxProblems = 50

// capped cuts a sorted list of problems to as many as are told; the last one says how
// many more there are.
func (ps Problems) capped() Problems {
	if len(ps) <= maxProblems {
		return ps
	}
	more := len(ps) - maxProblems + 1
	ps = slices.Clip(ps[:maxProblems-1])
	return append(ps, Problem{Line: ps[len(ps)-1].Line, Column: ps[len(ps)-1].Column,
		Why: phrase.Say("order.more-faults", phrase.Number("n", more))})
}
