package enginetest

import (
	"berthier/engine"
	"berthier/engine/cases"
	"berthier/orders"
)

// What a conformance case may give in few words: {units: {red: [5, 3]}} are the
// strengths of red's units, in place of those of the scenario.

// GivenKeys implements [cases.Stager].
func (Lots) GivenKeys() []string { return []string{"units"} }

// ScenarioFile implements [cases.Stager].
func (Lots) ScenarioFile(setup engine.Setup) ([]byte, error) {
	s, faults := library.Of(setup)
	if len(faults) > 0 {
		return nil, faults
	}
	return s.source, nil
}

// Stage implements [cases.Stager].
func (Lots) Stage(r *orders.Reader, given orders.Fields, _ engine.Setup, file *orders.Node) *orders.Node {
	sides := file.Get("sides")
	var names []string
	for _, pair := range sides.Pairs {
		names = append(names, pair.Key.Text)
	}
	f := r.Fields(given.Get("units"), names...)
	for _, side := range names {
		if n := f.Get(side); n != nil {
			for _, item := range r.List(n) {
				r.Int(item, 1, mostStrength)
			}
			cases.Put(sides.Get(side), "units", n, n)
		}
	}
	return nil
}

// PositionForm implements [cases.Former].
func (Lots) PositionForm() string {
	return `round: 1    # from 1
rounds: 3
sides:      # in their order
  - side: red
    units: [{id: R-1, strength: 4}, {id: R-2, strength: 2}]
    won: 1    # rounds
    coins: 3  # that it has left
    bid: R-1  # what it bid last
    laid: 1   # coins laid with that
  - side: blue
discard: red  # who must discard; without it all bid
over: true
`
}
