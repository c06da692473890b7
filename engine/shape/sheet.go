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
	Conditions Shape               // of conditions, see engine.Conditions; nil if there are none
	Policies   Shape               // of policies; nil if there are none
	Layer      []Policy            // the keys of policies, in the order of the rules
	Answered   map[string][]string // the standing orders that may answer each kind of stop
	Evidence   []byte              // what the conformance cases show, a list of [Evidence] as JSON
}

// Evidence is what the conformance cases of a ruleset show about one kind of stop. A test
// collects it.
type Evidence struct {
	Stop    string   `json:"stop"`
	Example string   `json:"example"`           // a legal order file, made at random
	Clauses []string `json:"clauses,omitempty"` // that the judge of the stop has named
}

// Shown is the evidence about all stops, in the order of the rules.
func (s Sheet) Shown() ([]Evidence, error) {
	var all []Evidence
	if err := json.Unmarshal(s.Evidence, &all); err != nil {
		return nil, fmt.Errorf("read what the cases show of the stops: %w", err)
	}
	return all, nil
}
