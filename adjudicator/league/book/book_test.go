package book

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"berthier/adjudicator/league/lots"
	"berthier/adjudicator/league/pair"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/league/table"
	"berthier/adjudicator/log/chain"
)

// A keeper writes a book, and keeps its log.
type keeper struct {
	*Book
	log   []chain.Entry
	games int // that were played
}

func (k *keeper) end() (l chain.Link) {
	if len(k.log) > 0 {
		l = k.log[len(k.log)-1].Link
	}
	return l
}

// do lets something happen, if it may; what may not happen must change nothing.
func (k *keeper) do(t interface{ Fatalf(string, ...any) }, in Input) bool {
	before := stateOf(k.Book)
	e, err := k.Do(Around{Now: time.Unix(int64(len(k.log)), 0).UTC(), After: k.end(), By: "test", Draw: func(b []byte) error { clear(b); return nil }}, in)
	if err != nil {
		if stateOf(k.Book) != before {
			t.Fatalf("%s was refused (%v), but changed something", in.kind(), err)
		}
		return false
	}
	k.log = append(k.log, e)
	return true
}

func stateOf(b *Book) string {
	data, err := json.Marshal(b)
	if err != nil {
		panic(err)
	}
	return string(data) + b.Seed.String()
}

// Whatever happens in whatever order, the log alone makes the same book again, in every phase, to the
// last result; and what stands in the bodies of the entries gives neither the seed away, before
// the season ends, nor an address.
func TestTheLogMakesTheBookAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := &keeper{Book: &Book{}}
		seed := lots.Seed{7}
		plan := season.Plan{League: "l", Season: "1", MostAtOnce: rapid.IntRange(1, 3).Draw(t, "most"), Under: 50, Then: season.Annul, Else: season.Keep}
		forms := []season.DivisionPlan{
			{ID: "robin", Size: 5, Table: table.Division{Form: table.RoundRobin, Pairing: table.Double, Points: table.Usual, Ties: []table.Tie{table.Direct, table.Lot}}},
			{ID: "swiss", Size: 9, Rounds: 2, Table: table.Division{Form: table.Swiss, Pairing: table.Single, Points: table.Usual, Ties: []table.Tie{table.Buchholz}}},
			{ID: "trios", Size: 7, Rounds: 2, Table: table.Division{Form: table.RoundRobin, Pairing: table.Trio, Points: table.Usual, Ties: []table.Tie{table.Lot}}},
		}
		var systems []string
		for range rapid.IntRange(1, 3).Draw(t, "divisions") {
			d := forms[len(plan.Divisions)]
			plan.Divisions, systems = append(plan.Divisions, d), append(systems, rapid.SampledFrom([]string{"x", "y"}).Draw(t, "system"))
		}
		k.do(t, Made{League: "l", Text: "text", Files: map[string]string{"a": "b"}})
		k.do(t, Announced{Plan: plan, Systems: systems, Commitment: seed.Commitment(), Seed: seed.String()})
		games := 0
		for range rapid.IntRange(10, 120).Draw(t, "steps") {
			switch step := rapid.SampledFrom([]string{"umpire", "open", "ask", "enter", "enter", "enter", "withdraw", "close", "start", "next", "games", "result", "result", "end", "again"}).Draw(t, "step"); step {
			case "start", "next", "games":
				k.goesOn(t, step)
			case "result":
				games += k.result(t, games+1)
			case "end":
				k.do(t, Ended{Seed: seed.String()})
			case "again":
				k.do(t, Announced{Plan: plan, Systems: systems, Commitment: seed.Commitment(), Seed: seed.String()})
			default:
				k.member(t, step)
			}
		}
		again, err := Replay(k.log)
		if err != nil || stateOf(again) != stateOf(k.Book) {
			t.Fatalf("replayed with %v:\n%s\nwas\n%s", err, stateOf(again), stateOf(k.Book))
		}
		for _, e := range k.log {
			if body := string(e.Body); strings.Contains(body, "@") || strings.Contains(body, seed.String()) && !strings.Contains(body, `"kind":"ended"`) {
				t.Fatalf("entry %d tells too much: %s", e.Seq, body)
			}
		}
		for _, d := range k.Season.Divisions {
			if _, err := k.Season.Table(d.ID); err != nil {
				t.Fatalf("table of %s: %v", d.ID, err)
			}
		}
	})
}

// member does one thing, drawn by chance, that members and umpires do.
func (k *keeper) member(t *rapid.T, step string) {
	member := rapid.Custom(func(t *rapid.T) string { return fmt.Sprintf("M-%04d", rapid.IntRange(1, 24).Draw(t, "member")) })
	switch step {
	case "umpire":
		id := fmt.Sprintf("l-1-1-%d", rapid.IntRange(1, 3).Draw(t, "game"))
		address := rapid.SampledFrom([]string{"", "u@club.example", "v@club.example", "w@club.example"})
		k.do(t, Umpired{Game: id, Umpire: address.Draw(t, "umpire"), Second: address.Draw(t, "second"), Left: address.Draw(t, "left")})
		if k.do(t, Waiting{Game: id, Since: time.Unix(int64(rapid.IntRange(0, 9).Draw(t, "since")), 0).UTC()}) && rapid.Bool().Draw(t, "remind") {
			k.do(t, Reminded{Game: id})
		}
	case "open":
		k.do(t, Opened{})
	case "ask":
		k.do(t, Asked{Member: member.Draw(t, "who")})
	case "enter":
		k.do(t, Entered{Member: member.Draw(t, "who"), Start: int64(rapid.IntRange(1, 2).Draw(t, "start")), Wish: Wish{System: rapid.SampledFrom([]string{"", "x", "y"}).Draw(t, "wish")}})
	case "withdraw":
		if rapid.IntRange(0, 4).Draw(t, "really") == 0 {
			k.do(t, Withdrew{member.Draw(t, "who")})
		}
	case "close":
		if len(k.Season.Entries) > 8 {
			k.do(t, Closed{})
		}
	}
}

// goesOn does what is due in a season, which is never refused.
func (k *keeper) goesOn(t *rapid.T, step string) {
	switch step {
	case "start":
		if k.Season.Phase == season.Dividing {
			if drawn, err := k.Draw(); err == nil && !k.do(t, drawn) {
				t.Fatalf("the draw is refused")
			}
		}
	case "next":
		if next, err := k.Next(); err != nil || next != nil && !k.do(t, next) {
			t.Fatalf("what follows is refused: %v", err)
		}
	case "games":
		for _, p := range k.Due()[:min(len(k.Due()), 3)] {
			made := season.Made{Division: k.Season.Divisions[p.Division].ID, Pairing: p.Pairing}
			for _, g := range p.Games {
				made.Games = append(made.Games, g.ID)
			}
			if !slices.Contains(k.Season.Due(made.Division), p.Pairing) {
				continue // the one before has taken its members' places
			}
			if !k.do(t, Playing{Made: made, Umpire: "u@club.example"}) {
				t.Fatalf("games that are due are refused")
			}
		}
	}
}

// result gives a game, drawn by chance, a result with a number in its log. It gives how many did.
func (k *keeper) result(t *rapid.T, number int) int {
	var all []*season.Game
	for i := range k.Season.Divisions {
		for j := range k.Season.Divisions[i].Pairings {
			for n := range k.Season.Divisions[i].Pairings[j].Games {
				all = append(all, &k.Season.Divisions[i].Pairings[j].Games[n])
			}
		}
	}
	if len(all) == 0 {
		return 0
	}
	g := rapid.SampledFrom(all).Draw(t, "game")
	o := season.Outcome{Kind: table.Open}
	if rapid.IntRange(0, 4).Draw(t, "kind") > 0 {
		o.Kind = table.Played
		for i := range g.Entries {
			o.Places = append(o.Places, []table.Place{table.Won, table.Lost, table.Lost}[i])
		}
	}
	k.do(t, Resulted{season.Resulted{Game: g.ID, Link: season.Link{Number: number, Hash: "h"}, Result: o}})
	return 1
}

// The order in which entries came is of no matter for the lots, and the divisions are filled from the
// first on: higher ratings first.
func TestDraw(t *testing.T) {
	draw := func(order ...int) Started {
		k := &keeper{Book: &Book{}}
		seed := lots.Seed{9}
		robin := table.Division{Form: table.RoundRobin, Pairing: table.Single, Points: table.Usual}
		plan := season.Plan{League: "l", Season: "1", MostAtOnce: 1, Divisions: []season.DivisionPlan{{ID: "a", Size: 3, Table: robin}, {ID: "b", Size: 4, Table: robin}, {ID: "c", Size: 4, Rounds: 2,
			Table: table.Division{Form: table.Swiss, Pairing: table.Single, Points: table.Usual}}}}
		k.do(t, Made{League: "l"})
		k.do(t, Announced{Plan: plan, Systems: []string{"x", "x", "y"}, Commitment: seed.Commitment(), Seed: seed.String()})
		k.do(t, Opened{})
		for _, n := range order {
			k.do(t, Entered{Member: fmt.Sprintf("M-%04d", n), Start: int64(1500 + n/5), Wish: Wish{System: []string{"", "x", "y"}[n%3]}})
		}
		k.do(t, Closed{})
		drawn, err := k.Draw()
		if err != nil {
			t.Fatal(err)
		}
		if !k.do(t, drawn) {
			t.Fatal("the draw is refused")
		}
		return drawn
	}
	one, other := draw(1, 2, 3, 4, 5, 6, 7, 8, 9), draw(9, 7, 5, 3, 1, 2, 4, 6, 8)
	if !same(one, other) {
		t.Errorf("another order of entries gives other divisions:\n%+v\n%+v", one, other)
	}
	a, b, c := one.Divided.Members["a"], one.Divided.Members["b"], one.Divided.Members["c"]
	if len(a) != 3 || len(b) != 3 || len(c) != 3 || !slices.Contains(a, "M-0009") || !slices.Contains(a, "M-0007") || one.Divided.Initial["c"] == pair.NoColour {
		t.Errorf("divisions %v %v %v", a, b, c)
	}
}
