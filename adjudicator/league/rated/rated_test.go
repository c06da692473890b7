package rated

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"berthier/adjudicator/league/book"
	"berthier/adjudicator/league/glicko"
	"berthier/adjudicator/league/lots"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/league/table"
	"berthier/adjudicator/log/chain"
)

var (
	noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	day  = 24 * time.Hour
)

var monthly = season.Rating{System: glicko.Default, Period: 30 * day}

// A season writes the log of a league with one division.
type seasonLog struct {
	*testing.T
	*book.Book
	log  []chain.Entry
	now  time.Time
	link int
}

func (s *seasonLog) do(in book.Input) {
	s.Helper()
	var end chain.Link
	if len(s.log) > 0 {
		end = s.log[len(s.log)-1].Link
	}
	e, err := s.Do(book.Around{Now: s.now, After: end, Draw: func(b []byte) error { clear(b); return nil }}, in)
	if err != nil {
		s.Fatal(err)
	}
	s.log = append(s.log, e)
}

// begun is a league whose season has begun, with all its games.
func begun(t *testing.T, pairing table.Pairing, members int) *seasonLog {
	return begunFinal(t, pairing, members, 0)
}

// begunFinal is such a league, whose results are final some time after they were made.
func begunFinal(t *testing.T, pairing table.Pairing, members int, final time.Duration) *seasonLog {
	s := &seasonLog{T: t, Book: &book.Book{}, now: noon}
	d := season.DivisionPlan{ID: "a", Size: 9, Table: table.Division{Form: table.RoundRobin, Pairing: pairing, Points: table.Usual}}
	if pairing == table.Trio {
		d.Rounds = 1
	}
	s.do(book.Made{League: "l"})
	s.seasonOf(members, lots.Seed{3}, season.Plan{League: "l", Season: "1", MostAtOnce: 99, Final: final, Divisions: []season.DivisionPlan{d}})
	return s
}

// season announces and begins a season of four members, with all its games.
func (s *seasonLog) season(seed lots.Seed, plan season.Plan) {
	s.Helper()
	s.seasonOf(4, seed, plan)
}

func (s *seasonLog) seasonOf(members int, seed lots.Seed, plan season.Plan) {
	s.Helper()
	s.do(book.Announced{Plan: plan, Systems: []string{"x"}, Commitment: seed.Commitment(), Seed: seed.String()})
	s.do(book.Opened{})
	for n := range members {
		s.do(book.Entered{Member: fmt.Sprintf("M-%d", n)})
	}
	s.do(book.Closed{})
	drawn, err := s.Draw()
	if err != nil {
		s.Fatal(err)
	}
	s.do(drawn)
	for _, p := range s.Due() {
		made := season.Made{Division: "a", Pairing: p.Pairing}
		for _, g := range p.Games {
			made.Games = append(made.Games, g.ID)
		}
		s.do(book.Playing{Made: made})
	}
}

// result gives a game of two to a member, or opens it again.
func (s *seasonLog) result(n int, kind table.Kind, winner string) {
	s.Helper()
	g := s.Season.Divisions[0].Pairings[n].Games[0]
	o := season.Outcome{Kind: kind}
	for _, m := range g.Entries {
		place := table.Lost
		if m == winner {
			place = table.Won
		}
		if kind != table.Open && kind != table.DoubleForfeit {
			o.Places = append(o.Places, place)
		}
	}
	s.link++
	s.do(book.Resulted{Resulted: season.Resulted{Game: g.ID, Link: season.Link{Number: s.link, Hash: "h"}, Result: o}})
}

func (s *seasonLog) ladder(after time.Duration) Ladder {
	s.Helper()
	all, err := Of(s.log, monthly, noon.Add(after))
	if err != nil || len(all) != 1 {
		s.Fatalf("%d ladders, %v", len(all), err)
	}
	return all[0]
}

// written is all that ladders say.
func written(all []Ladder) (text string) {
	for _, l := range all {
		text += ladders([]Ladder{l})
		for _, m := range l.Members {
			text += fmt.Sprintln(m.ID, l.Played(m.ID))
		}
	}
	return text
}

// Who wins goes up, and the other down by as much; a forfeit changes nothing; a game that is opened
// again counts no longer; with the same result again everything is as it was, though later.
func TestOf(t *testing.T) {
	s := begun(t, table.Single, 3)
	if l := s.ladder(0); l.System != "x" || len(l.Members) != 3 || len(l.Games()) != 0 {
		t.Fatalf("at the start %+v", l)
	}
	one := s.Season.Divisions[0].Pairings[0].Seats
	s.result(0, table.Played, one[0])
	l := s.ladder(day)
	up, _ := l.At(one[0])
	down, _ := l.At(one[1])
	if up.R <= 1500_00 || up.R+down.R != 3000_00 || l.Played(one[0]) != 1 {
		t.Errorf("after a win %+v and %+v", up, down)
	}
	s.result(1, table.Forfeit, s.Season.Divisions[0].Pairings[1].Seats[0])
	if again := s.ladder(day); len(again.Games()) != 1 {
		t.Errorf("a forfeit is rated: %+v", again.Games())
	}
	s.result(0, table.Open, "")
	if r, _ := s.ladder(day).At(one[0]); r.R != 1500_00 {
		t.Errorf("opened again: %+v", r)
	}
	s.result(0, table.Adjudicated, one[0])
	if r, _ := s.ladder(day).At(one[0]); r != up {
		t.Errorf("decided again: %+v, was %+v", r, up)
	}
	s.now = noon.Add(40 * day)
	s.result(2, table.Played, s.Season.Divisions[0].Pairings[2].Seats[1])
	l = s.ladder(41 * day)
	if l.Last != 1 || l.Games()[1].Period != 1 {
		t.Errorf("in the next period: %+v", l.Games())
	}
	if _, err := Of([]chain.Entry{{Body: []byte("?")}}, monthly, noon); err == nil {
		t.Error("a log that can't be read gives ratings")
	}
	if none, err := Of(s.log, season.Rating{System: glicko.Default}, noon); err != nil || len(none) > 0 {
		t.Errorf("a league without ratings has %v, %v", none, err)
	}
}

// A game of three counts as its three pairs, each at half the weight.
func TestAGameOfThree(t *testing.T) {
	s := begun(t, table.Trio, 3)
	s.result(0, table.Played, s.Season.Divisions[0].Pairings[0].Seats[1])
	l := s.ladder(day)
	if len(l.Games()) != 3 || l.Games()[0].Weight != 6 || l.Games()[0].Score != 0 || l.Games()[1].Score != 6 || l.Games()[2].Score != 12 {
		t.Errorf("%+v", l.Games())
	}
	if r, _ := l.At(s.Season.Divisions[0].Pairings[0].Seats[1]); r.R <= 1500_00 {
		t.Errorf("the winner has %+v", r)
	}
}

// A result is rated once it is final, in the period in which it became so. What two people put in the
// place of a final result counts when that did.
func TestOnlyFinalResultsAreRated(t *testing.T) {
	s := begunFinal(t, table.Single, 2, 14*day)
	pairing := &s.Season.Divisions[0].Pairings[0]
	id, one, two := pairing.Games[0].ID, pairing.Seats[0], pairing.Seats[1]
	s.now = noon.Add(20 * day)
	s.result(0, table.Played, one)
	if l := s.ladder(33 * day); len(l.Games()) != 0 {
		t.Fatalf("a result that is not final is rated: %+v", l.Games())
	}
	s.now = noon.Add(34 * day)
	s.do(book.Final{Final: season.Final{Games: []string{id}}})
	first := s.ladder(34 * day)
	if len(first.Games()) != 1 || first.Games()[0].Period != 1 || first.Games()[0].Score != glicko.Twelfths {
		t.Fatalf("%+v", first.Games())
	}
	s.now = noon.Add(70 * day)
	s.do(book.Contested{Contested: season.Contested{Game: id, Link: season.Link{Number: 9, Hash: "h"}, Result: season.Outcome{Kind: table.Played, Places: []table.Place{table.Lost, table.Won}}}})
	if again := s.ladder(34 * day); again.Games()[0].Score != glicko.Twelfths {
		t.Errorf("contested: %+v", again.Games())
	}
	for _, by := range []string{"a", "b"} {
		s.do(book.Corrected{Corrected: season.Corrected{Game: id, By: by}})
	}
	if l := s.ladder(34 * day); len(l.Games()) != 0 { // the season runs: it has to be final again
		t.Errorf("corrected, and not final: %+v", l.Games())
	}
	s.now = noon.Add(84 * day)
	s.do(book.Final{Final: season.Final{Games: []string{id}}})
	l := s.ladder(84 * day)
	up, _ := l.At(two)
	down, _ := l.At(one)
	if len(l.Games()) != 1 || l.Games()[0].Score != 0 || up.R <= down.R {
		t.Errorf("corrected: %+v, %+v and %+v", l.Games(), up, down)
	}
}

// Results that are opened again, and made the same or otherwise in between, rate nobody in another way than if they had
// been there at once, as long as they are final when those are.
func TestTheSameResultsAgain(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		members := rapid.IntRange(2, 5).Draw(rt, "members")
		var ladders []Ladder
		var winners []string
		for again := range 2 {
			s := begunFinal(t, table.Single, members, 14*day)
			pairings := s.Season.Divisions[0].Pairings
			for n := range pairings {
				if again == 0 {
					winners = append(winners, rapid.SampledFrom(pairings[n].Seats).Draw(rt, "winner"))
					s.result(n, table.Played, winners[n])
					continue
				}
				for range rapid.IntRange(0, 2).Draw(rt, "before") {
					s.result(n, table.Played, rapid.SampledFrom(pairings[n].Seats).Draw(rt, "another"))
					s.result(n, table.Open, "")
				}
				s.result(n, table.Played, winners[n])
			}
			s.now = s.now.Add(14 * day)
			games, _ := s.Season.Ripe(s.now)
			s.do(book.Final{Final: season.Final{Games: games}})
			ladders = append(ladders, s.ladder(60*day))
		}
		if a, b := written(ladders[:1]), written(ladders[1:]); a != b {
			rt.Fatalf("%s\nbut after rewinds\n%s", a, b)
		}
	})
}
