package shape

import (
	"encoding/json"
	"fmt"

	"berthier/orders"
)

// A Sheet is how the order files of a ruleset are written.
type Sheet struct {
	Vocabulary *orders.Words
	Stops      map[string]Shape    // of the answers to each kind of stop
	Standing   Shape               // of standing orders; nil if there are none
	Policies   Shape               // of policies; nil if there are none
	Answered   map[string][]string // by kinds of stops the standing orders that may answer them
	Evidence   []byte              // what the conformance cases show, a list of [Evidence] as JSON
}

// Evidence is what the conformance cases of a ruleset show of one kind of stop. It is
// collected by a test.
type Evidence struct {
	Stop    string   `json:"stop"`
	Example string   `json:"example"`           // an order file by chance, which is legal
	Clauses []string `json:"clauses,omitempty"` // that its judge has named
}

// Shown is the evidence of all stops, in the order of the rules.
func (s Sheet) Shown() ([]Evidence, error) {
	var all []Evidence
	if err := json.Unmarshal(s.Evidence, &all); err != nil {
		return nil, fmt.Errorf("read what the cases show of the stops: %w", err)
	}
	return all, nil
}
