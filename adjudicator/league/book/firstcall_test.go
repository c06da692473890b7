package book

import (
	"testing"

	"berthier/adjudicator/league/lots"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/league/table"
)

// Who took a side over in the season before, and has kept it, goes before others who are new, whatever their ratings; not
// before those who have a place in its tables. A season whose plan does not say so is drawn as it was.
func TestSubstitutesHaveTheFirstCall(t *testing.T) {
	robin := table.Division{Form: table.RoundRobin, Pairing: table.Single, Points: table.Usual, Ties: []table.Tie{table.Lot}}
	for _, call := range []bool{false, true} {
		seed := lots.Seed{5}
		plan := season.Plan{League: "l", Season: "1", MostAtOnce: 1, MostSeats: 1, FirstCall: call, Divisions: []season.DivisionPlan{{ID: "a", Size: 3, Table: robin}}}
		before := &keeper{Book: &Book{}}
		old := plan
		old.Divisions = []season.DivisionPlan{{ID: "a", Size: 2, Table: robin}}
		before.do(t, Made{League: "l"})
		before.do(t, Announced{Plan: old, Systems: []string{"x"}, Commitment: seed.Commitment(), Seed: seed.String()})
		before.do(t, Opened{})
		for i, m := range []string{"M-0", "M-1", "M-8", "M-9"} {
			before.do(t, Entered{Member: m, Start: int64(2000_00 - 100*i)})
		}
		before.do(t, Closed{})
		begun, err := before.Draw()
		if err != nil || !before.do(t, begun) {
			t.Fatal("the season does not begin", err)
		}
		id := before.Due()[0].Games[0].ID
		for _, in := range []Input{Playing{Made: season.Made{Division: "a", Games: []string{id}}, Umpire: "u"},
			Vacant{season.Vacant{Game: id, Entry: "M-1"}}, Offered{season.Offered{Game: id, Entry: "M-1", Player: "M-8"}},
			Replied{season.Replied{Game: id, Entry: "M-1", Player: "M-8"}}, Offered{season.Offered{Game: id, Entry: "M-1", Player: "M-9"}},
			Replied{season.Replied{Game: id, Entry: "M-1", Player: "M-9", Takes: true}}} {
			if !before.do(t, in) {
				t.Fatalf("%T is refused", in)
			}
		}
		k := &keeper{Book: &Book{}}
		k.do(t, Made{League: "l"})
		k.do(t, Announced{Plan: plan, Systems: []string{"x"}, Commitment: seed.Commitment(), Seed: seed.String()})
		k.do(t, Opened{})
		for i, m := range []string{"M-8", "M-9", "M-0", "M-1"} {
			k.do(t, Entered{Member: m, Start: int64(2000_00 - 100*i)})
		}
		k.do(t, Closed{})
		k.Past, k.PastOf = []*season.Season{before.Season}, [][]string{{"x"}}
		drawn, err := k.Draw()
		if err != nil {
			t.Fatal(err)
		}
		want := map[bool]string{false: "M-8", true: "M-9"}[call]
		if got := drawn.Divided.Members["a"]; len(got) != 3 || got[2] != want {
			t.Errorf("first call %v: %v play, not %s at last", call, got, want)
		}
	}
}
