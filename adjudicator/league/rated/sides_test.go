package rated

import (
	"reflect"
	"testing"

	"berthier/adjudicator/league/glicko"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/league/table"
)

// secondSeason begins another season of the same members, with all its games.
func (s *seasonLog) secondSeason() {
	s.Helper()
	s.secondSeasonRated(nil)
}

// What playing a side was worth in one season is reckoned with in the next: who wins on the side that always wins
// gains less by it than he would otherwise, and the first season is rated as without. Nothing is told apart where the
// set-up has no name; the same log gives the same; and no offset is larger than its bound.
func TestSidesAreReckonedWith(t *testing.T) {
	s := begun(t, table.Single, 4)
	for n := range s.Season.Divisions[0].Pairings {
		s.now = s.now.Add(day)
		s.result(n, table.Played, s.Season.Divisions[0].Pairings[n].Games[0].Entries[0])
	}
	named := []string{"historical"}
	of := func(setUps []string) Ladder {
		t.Helper()
		all, err := Of(s.log, season.Rating{System: glicko.Default, Period: 30 * day, SetUps: setUps}, s.now)
		if err != nil || len(all) != 1 {
			t.Fatalf("%v, %v", all, err)
		}
		return all[0]
	}
	if with, without := of(named), of(nil); !reflect.DeepEqual(with.History, without.History) || len(with.Sides) > 0 {
		t.Fatalf("the first season has offsets already: %+v", with.Sides)
	}
	s.now = s.now.Add(40 * day)
	s.secondSeason()
	s.now = s.now.Add(day)
	entries := s.Season.Divisions[0].Pairings[0].Games[0].Entries
	s.result(0, table.Played, entries[0])
	with, without := of(named), of(nil)
	if len(with.Sides) != 1 || with.Sides[0].Name != "historical" || len(with.Sides[0].Offsets) != 2 {
		t.Fatalf("%+v", with.Sides)
	}
	first, second := with.Sides[0].Offsets[0].Offset, with.Sides[0].Offsets[1].Offset
	if first <= 0 || second >= 0 || first > glicko.MostOffset || second < -glicko.MostOffset {
		t.Errorf("offsets %d and %d", first, second)
	}
	won := func(l Ladder) int64 { r, _ := l.At(entries[0]); return r.R }
	if won(with) >= won(without) {
		t.Errorf("he gains as much as without offsets: %d, %d", won(with), won(without))
	}
	if none := of([]string{""}); !reflect.DeepEqual(none.History, without.History) {
		t.Error("sides that are not told apart have offsets")
	}
	if again := of(named); written([]Ladder{again}) != written([]Ladder{with}) {
		t.Error("worked out again it is something else")
	}
}
