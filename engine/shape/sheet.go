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
	Listed     bool                // standing orders and policies may be lists of cases, see [Cases]
	Plans      []Plan              // keys of ahead under which several kinds of stops are answered together
	Answered   map[string][]string // the standing orders that may answer each kind of stop
	Dice       []Die               // that a player may order, and that may cost him something
	Evidence   []byte              // what the conformance cases show, a list of [Evidence] as JSON
}

// A Plan is a key of ahead under which the answers to several kinds of stops stand together, by what they are
// about: {melee: {13: {support: all, pursue: never}}}. It says what a case {of: 13, do: all} says
// under each of the kinds, and comes before what else stands there.
type Plan struct {
	Key   string
	Of    Shape    // whom the answers are about, as the condition of has it
	Kinds []string // of stops
}

// A Die is one that is rolled only if a player's order file says so, and that may cost him
// something. Nobody but the player, in his own words, may bring it about: what a program
// fills in, by its defaults or to make an order whole, never asks for it.
type Die struct {
	Stop string   // the kind of stop whose answers may hold it
	Keys []string // by which it is ordered; what is written there names who rolls, or says yes
	Roll string   // the code of the purpose for which it is rolled
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
