package book

import (
	"fmt"
	"testing"

	"berthier/adjudicator/league/lots"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/league/table"
)

// Who has not finished as many games as the plan asks for plays in no first division, from the second season on.
func TestProbation(t *testing.T) {
	robin := table.Division{Form: table.RoundRobin, Pairing: table.Single, Points: table.Usual}
	for _, c := range []struct {
		past  bool
		first string
	}{{false, "[M-0 M-1]"}, {true, "[M-2 M-3]"}} {
		seed := lots.Seed{5}
		plan := season.Plan{League: "l", Season: "1", MostAtOnce: 1, Probation: 2, Divisions: []season.DivisionPlan{{ID: "a", Size: 2, Table: robin}, {ID: "b", Size: 2, Level: 1, Table: robin}}}
		k := &keeper{Book: &Book{}}
		k.do(t, Made{League: "l"})
		k.do(t, Announced{Plan: plan, Systems: []string{"x", "x"}, Commitment: seed.Commitment(), Seed: seed.String()})
		k.do(t, Opened{})
		for i := range 4 {
			k.do(t, Entered{Member: fmt.Sprint("M-", i), Start: int64(2000_00 - i), Finished: i})
		}
		k.do(t, Closed{})
		if c.past {
			k.Past, k.PastOf = []*season.Season{season.New(plan, seed.Commitment())}, [][]string{{"x", "x"}}
		}
		drawn, err := k.Draw()
		if got := fmt.Sprint(drawn.Divided.Members["a"]); err != nil || got != c.first {
			t.Errorf("in the first division play %s, not %s; %v", got, c.first, err)
		}
	}
}
