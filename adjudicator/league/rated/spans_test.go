package rated

import (
	"fmt"
	"testing"

	"berthier/adjudicator/league/book"
	"berthier/adjudicator/league/glicko"
	"berthier/adjudicator/league/lots"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/league/table"
)

// otherRatings are ways to rate a season that differ from [monthly] in one point each, or in all.
var otherRatings = map[string]season.Rating{
	"period":      {System: glicko.Default, Period: 7 * day, SetUps: []string{"historical"}},
	"tau":         {System: glicko.System{Start: glicko.Default.Start, Tau: 1200}, Period: 30 * day, SetUps: []string{"historical"}},
	"start":       {System: glicko.System{Start: glicko.Rating{R: 1200_00, RD: 200_00, Sigma: 50_000_000}, Tau: 500}, Period: 30 * day, SetUps: []string{"historical"}},
	"no offsets":  {System: glicko.Default, Period: 30 * day},
	"other place": {System: glicko.Default, Period: 30 * day, SetUps: []string{"quick", "historical"}},
	"none":        {System: glicko.Default},
	"all":         {System: glicko.System{Start: glicko.Rating{R: 1200_00, RD: 200_00, Sigma: 50_000_000}, Tau: 300}, Period: 11 * day, SetUps: []string{"", "historical"}},
}

// twoSeasons is a league whose first season is rated in a way, and which has played a second one, announced with another.
func twoSeasons(t *testing.T, first, second *season.Rating) *seasonLog {
	s := begunRated(t, first)
	for n := range s.Season.Divisions[0].Pairings {
		s.now = s.now.Add(5 * day)
		s.result(n, table.Played, s.Season.Divisions[0].Pairings[n].Games[0].Entries[0])
	}
	s.now = s.now.Add(40 * day)
	if second != nil {
		s.secondSeasonRated(second)
		s.now = s.now.Add(3 * day)
		s.result(0, table.Played, s.Season.Divisions[0].Pairings[0].Games[0].Entries[0])
		s.now = s.now.Add(40 * day)
	}
	return s
}

// begunRated is a league whose first season is rated in a way that its log says (nil: does not say).
func begunRated(t *testing.T, as *season.Rating) *seasonLog {
	s := &seasonLog{T: t, Book: &book.Book{}, now: noon}
	s.do(book.Made{League: "l"})
	s.season(lots.Seed{3}, season.Plan{League: "l", Season: "1", MostAtOnce: 99, Rating: as,
		Divisions: []season.DivisionPlan{{ID: "a", Size: 9, Table: table.Division{Form: table.RoundRobin, Pairing: table.Single, Points: table.Usual}}}})
	return s
}

func (s *seasonLog) secondSeasonRated(as *season.Rating) {
	plan := s.Season.Plan
	plan.Season, plan.Rating = "2", as
	s.do(book.Settled{})
	s.do(book.Ended{Seed: s.Seed.String()})
	s.season(lots.Seed{4}, plan)
}

// What a season counts for hangs on how it was announced, and on nothing that is announced later: not on other periods, another
// start, another tau, offsets or none, nor on where its division stands in another set-up. And what is followed is what
// is read anew.
func TestAClosedSeasonKeepsItsRatings(t *testing.T) {
	first := season.Rating{System: glicko.Default, Period: 30 * day, SetUps: []string{"historical"}}
	alone := twoSeasons(t, &first, nil)
	ended := alone.now
	was, err := Of(alone.log, otherRatings["all"], ended) // what the set-up says now is nothing to it
	if err != nil || len(was) != 1 {
		t.Fatalf("%v, %v", was, err)
	}
	for name, second := range otherRatings {
		t.Run(name, func(t *testing.T) {
			s := twoSeasons(t, &first, &second)
			var l Log
			b := &book.Book{}
			for _, e := range s.log {
				head, in, err := b.Take(e)
				if err != nil {
					t.Fatal(err)
				}
				l.Follow(b, head.At, in)
				if _, err := l.Ladders(second, head.At); err != nil {
					t.Fatal(err)
				}
			}
			now, err := l.Ladders(second, s.now)
			anew, err2 := Of(s.log, first, s.now)
			if err != nil || err2 != nil || len(now) != 1 || written(now) != written(anew) {
				t.Fatalf("followed\n%s\nread anew\n%s\n%v %v", written(now), written(anew), err, err2)
			}
			for period := range was[0].Last { // in the last one the next season was announced
				if a, b := fmt.Sprint(was[0].History[period]), fmt.Sprint(now[0].History[period]); a != b {
					t.Errorf("period %d was %s and is %s", period, a, b)
				}
				if !was[0].Begins(period).Equal(now[0].Begins(period)) || fmt.Sprint(was[0].GamesIn(period)) != fmt.Sprint(now[0].GamesIn(period)) {
					t.Errorf("period %d begins at %s, with %v", period, now[0].Begins(period), now[0].GamesIn(period))
				}
			}
			entries := s.Season.Divisions[0].Pairings[0].Games[0].Entries
			rated := 0
			for period := was[0].Last; period <= now[0].Last; period++ {
				for _, g := range now[0].GamesIn(period) {
					rated++
					if why := now[0].Why(period, entries[0]); len(why) != 1 || why[0].Change <= 0 || g.Sides[0].Members[0] != entries[0] {
						t.Errorf("why: %+v", why)
					}
				}
			}
			if (rated == 1) != (second.Period > 0) {
				t.Errorf("%d games of the second season are rated", rated)
			}
		})
	}
}

// A log of before seasons kept how they are rated is rated as the set-up says, until it notes that once: from then on
// nothing that is announced later touches it.
func TestALogOfBeforeNotesOnceHowItIsRated(t *testing.T) {
	shown := season.Rating{System: glicko.Default, Period: 30 * day, SetUps: []string{"historical"}}
	s := twoSeasons(t, nil, nil)
	before, err := Of(s.log, shown, s.now)
	if err != nil || len(before) != 1 || len(before[0].Games()) != 6 {
		t.Fatalf("%v, %v", before, err)
	}
	s.do(book.Rated{Rating: shown})
	after, err := Of(s.log, otherRatings["all"], s.now)
	if err != nil || written(after) != written(before) {
		t.Fatalf("it was\n%s\nand is\n%s\n%v", written(before), written(after), err)
	}
	if err := s.Book.Follow(book.Rated{Rating: otherRatings["all"]}); err == nil {
		t.Error("it is noted twice")
	}
	s.do(book.Settled{})
	s.do(book.Ended{Seed: s.Seed.String()})
	seed := lots.Seed{4}
	plan := s.Season.Plan
	plan.Rating = nil
	if err := s.Book.Follow(book.Announced{Plan: plan, Systems: []string{"x"}, Commitment: seed.Commitment(), Seed: seed.String()}); err == nil {
		t.Error("a season is announced that does not say how it is rated")
	}
}

// A clock that stands still mixes nothing up: what counts in a season counts in its periods, though the next one is
// announced in the same moment.
func TestAStoppedClockMixesNoSeasonsUp(t *testing.T) {
	first, second := season.Rating{System: glicko.Default, Period: 30 * day}, otherRatings["all"]
	s := begunRated(t, &first)
	for n := range s.Season.Divisions[0].Pairings {
		s.result(n, table.Played, s.Season.Divisions[0].Pairings[n].Games[0].Entries[0])
	}
	var l Log
	b := &book.Book{}
	seen := 0
	look := func() Ladder {
		t.Helper()
		for ; seen < len(s.log); seen++ {
			e := s.log[seen]
			head, in, err := b.Take(e)
			if err != nil {
				t.Fatal(err)
			}
			l.Follow(b, head.At, in)
		}
		all, err := l.Ladders(first, s.now)
		if err != nil || len(all) != 1 {
			t.Fatal(all, err)
		}
		return all[0]
	}
	was := look()
	s.secondSeasonRated(&second)
	is := look()
	if len(is.GamesIn(0)) != 6 || fmt.Sprint(is.History[0]) != fmt.Sprint(was.History[0]) || is.Last != 1 {
		t.Errorf("was %v, is %v", was.History, is.History)
	}
}
