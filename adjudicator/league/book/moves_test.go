package book

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"berthier/adjudicator/league/lots"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/league/table"
)

// enterAll enters members and begins the season.
func (k *keeper) enterAll(t interface {
	Fatalf(string, ...any)
	Helper()
}, members []string) {
	t.Helper()
	all := []Input{Opened{}}
	for _, m := range members {
		all = append(all, Entered{Member: m})
	}
	for _, in := range append(all, Closed{}) {
		if !k.do(t, in) {
			t.Fatalf("%+v is refused", in)
		}
	}
	drawn, err := k.Draw()
	if err != nil || !k.do(t, drawn) {
		t.Fatalf("the draw is refused: %v", err)
	}
}

// playOff begins the play-offs, if there are any. Nobody else plays them, and the season does not settle before.
func (k *keeper) playOff(t *rapid.T) {
	next, err := k.Next()
	if err != nil {
		t.Fatalf("%v", err)
	}
	off, ok := next.(PlayedOff)
	if !ok {
		return
	}
	forged := PlayedOff{season.PlayedOff{Playoffs: slices.Clone(off.Playoffs)}}
	forged.Playoffs[0].Members = []string{off.Playoffs[0].Members[0], "M-0000"}
	if off.Playoffs[0].Members[1] != "M-0000" && k.do(t, forged) {
		t.Fatalf("others play off")
	}
	if k.do(t, Settled{}) {
		t.Fatalf("the season settles without its play-offs")
	}
	if !k.do(t, off) || k.do(t, off) {
		t.Fatalf("the play-offs are refused, or begin twice")
	}
}

// Of two divisions the third of the lower and the first from below of the upper that stay play off: the winner has the
// place in the upper one, and a draw leaves both where they are.
func TestPlayoffs(t *testing.T) {
	for _, c := range []struct {
		places []table.Place
		swap   bool
	}{{[]table.Place{table.Won, table.Lost}, false}, {[]table.Place{table.Lost, table.Won}, true}, {[]table.Place{table.Drew, table.Drew}, false}} {
		k := &keeper{Book: &Book{}}
		seed := lots.Seed{7}
		plan := season.Plan{League: "l", Season: "1", MostAtOnce: 99, Under: 50, Then: season.Annul, Else: season.Keep, Up: 1, Down: 1, Playoffs: true}
		for i := range 2 {
			plan.Divisions = append(plan.Divisions, season.DivisionPlan{ID: fmt.Sprint("d", i), Size: 4, Level: i,
				Table: table.Division{Form: table.RoundRobin, Pairing: table.Single, Points: table.Usual, Ties: []table.Tie{table.Lot}}})
		}
		k.do(t, Made{League: "l"})
		k.do(t, Announced{Plan: plan, Systems: []string{"x", "x"}, Commitment: seed.Commitment(), Seed: seed.String()})
		k.enterAll(t, []string{"M-1", "M-2", "M-3", "M-4", "M-5", "M-6", "M-7", "M-8"})
		number := 0
		play := func(places func(members []string) []table.Place) {
			for len(k.Due()) > 0 {
				p := k.Due()[0]
				k.do(t, Playing{Made: season.Made{Division: k.Season.Divisions[p.Division].ID, Pairing: p.Pairing, Games: []string{p.Games[0].ID}}, Umpire: "u"})
				number++
				k.do(t, Resulted{season.Resulted{Game: p.Games[0].ID, Link: season.Link{Number: number, Hash: "h"}, Result: season.Outcome{Kind: table.Played, Places: places(p.Games[0].Members)}}})
			}
		}
		play(func(m []string) []table.Place {
			if m[0] < m[1] {
				return []table.Place{table.Won, table.Lost}
			}
			return []table.Place{table.Lost, table.Won}
		})
		upper, lower := slices.Sorted(slices.Values(k.Season.Divisions[0].Members)), slices.Sorted(slices.Values(k.Season.Divisions[1].Members))
		next, err := k.Next()
		if err != nil || !k.do(t, next) || len(next.(PlayedOff).Playoffs) != 1 || !slices.Equal(next.(PlayedOff).Playoffs[0].Members, []string{upper[2], lower[1]}) {
			t.Fatalf("%+v, %v", next, err)
		}
		if k.SetUpAs(2) != 0 {
			t.Errorf("its games are made as those of division %d", k.SetUpAs(2))
		}
		play(func(m []string) []table.Place {
			if m[0] == upper[2] {
				return c.places
			}
			return []table.Place{c.places[1], c.places[0]}
		})
		moves, err := Moves(k.Season, k.System)
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.ContainsFunc(moves, func(m Move) bool { return m.Member == lower[1] && m.Up }); got != c.swap || len(moves) != 2+2*map[bool]int{true: 1}[c.swap] {
			t.Errorf("%v: %+v", c.places, moves)
		}
	}
}

// After a season as many go up as go down, and those who have left are made up for from below: divisions are
// as large as the plan says, nobody is in two of them, nobody jumps over one who stood better in his division, and
// the first of a division is never lower than he was.
func TestPromotion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := &keeper{Book: &Book{}}
		seed := lots.Seed{5}
		size, divisions := rapid.IntRange(2, 5).Draw(t, "size"), rapid.IntRange(2, 3).Draw(t, "divisions")
		plan := season.Plan{League: "l", Season: "1", MostAtOnce: 99, Under: 50, Then: season.Annul, Else: season.Keep,
			Up: rapid.IntRange(0, size/2).Draw(t, "up"), Down: rapid.IntRange(0, size/2).Draw(t, "down"), Playoffs: rapid.Bool().Draw(t, "playoffs")}
		var systems []string
		for i := range divisions {
			plan.Divisions = append(plan.Divisions, season.DivisionPlan{ID: fmt.Sprint("d", i), Size: size, Level: i,
				Table: table.Division{Form: table.RoundRobin, Pairing: table.Single, Points: table.Usual, Ties: []table.Tie{table.Lot}}})
			systems = append(systems, "x")
		}
		k.do(t, Made{League: "l"})
		announce := Announced{Plan: plan, Systems: systems, Commitment: seed.Commitment(), Seed: seed.String()}
		k.do(t, announce)
		var members []string
		for n := range size*divisions + rapid.IntRange(0, 2).Draw(t, "wait") {
			members = append(members, fmt.Sprintf("M-%04d", n))
		}
		k.enterAll(t, members)
		k.plays(t)
		k.playOff(t)
		k.plays(t)
		k.do(t, Settled{})
		if !k.do(t, Ended{Seed: seed.String()}) {
			t.Fatalf("the season does not end")
		}
		before := k.Season
		moves, err := Moves(before, k.System)
		if err != nil {
			t.Fatalf("%v", err)
		}
		if _, err := Replay(k.log); err != nil {
			t.Fatalf("%v", err)
		}
		gone := rapid.IntRange(0, size*divisions-2*divisions).Draw(t, "leavers")
		left := rapid.Permutation(members).Draw(t, "who")[:gone]
		stay := slices.DeleteFunc(slices.Clone(members), func(m string) bool { return slices.Contains(left, m) })
		for n := range rapid.IntRange(0, 3).Draw(t, "comers") {
			stay = append(stay, fmt.Sprintf("N-%04d", n))
		}
		plan.Season, announce.Plan = "2", plan
		if len(stay)%size == 1 { // one alone in a division can't play
			stay = stay[1:]
		}
		whole := !slices.ContainsFunc(members, func(m string) bool { return !slices.Contains(stay, m) })
		k.do(t, announce)
		k.enterAll(t, stay)
		level := k.levels(t, size, len(stay))
		at := func(m string) int { // who waits stands below all
			if l, in := level[m]; in {
				return l
			}
			return divisions
		}
		for i, d := range before.Divisions {
			if d.Playoff == nil {
				keepsOrder(t, before, i, stay, at)
				if whole && plan.Up == plan.Down {
					goesWhereItSays(t, before, i, moves, at)
				}
			}
		}
	})
}

// keepsOrder finds that nobody who stays is put below one who stood behind him in their division.
func keepsOrder(t *rapid.T, before *season.Season, i int, stay []string, at func(member string) int) {
	made, err := before.Table(before.Divisions[i].ID)
	if err != nil {
		t.Fatalf("%v", err)
	}
	for n, row := range made.Rows {
		for _, worse := range made.Rows[n+1:] {
			if slices.Contains(stay, row.Entry) && slices.Contains(stay, worse.Entry) && at(row.Entry) > at(worse.Entry) {
				t.Fatalf("%s stood above %s in %s, and is in division %d, the other in %d", row.Entry, worse.Entry, before.Divisions[i].ID, at(row.Entry), at(worse.Entry))
			}
		}
	}
}

// goesWhereItSays finds that each member of a division is where the moves put him.
func goesWhereItSays(t *rapid.T, before *season.Season, i int, moves []Move, at func(member string) int) {
	made, err := before.Table(before.Divisions[i].ID)
	if err != nil {
		t.Fatalf("%v", err)
	}
	for n, row := range made.Rows {
		want := i
		for _, m := range moves {
			if m.Member == row.Entry {
				want = m.To
			}
		}
		if at(row.Entry) != want {
			t.Fatalf("%s, place %d of %s, is in division %d and not %d", row.Entry, n+1, before.Divisions[i].ID, at(row.Entry), want)
		}
	}
}

// plays plays all games that are due, with results by chance.
func (k *keeper) plays(t *rapid.T) {
	for len(k.Due()) > 0 {
		p := k.Due()[0]
		if !k.do(t, Playing{Made: season.Made{Division: k.Season.Divisions[p.Division].ID, Pairing: p.Pairing, Games: []string{p.Games[0].ID}}, Umpire: "u"}) {
			t.Fatalf("a game that is due is refused")
		}
		k.games++
		places := []table.Place{table.Won, table.Lost}
		if rapid.Bool().Draw(t, "lost") {
			slices.Reverse(places)
		}
		k.do(t, Resulted{season.Resulted{Game: p.Games[0].ID, Link: season.Link{Number: k.games, Hash: "h"}, Result: season.Outcome{Kind: table.Played, Places: places}}})
	}
}

// levels tells in which division each member is, counted from the top. The divisions are filled
// one after the other, and nobody is in two.
func (k *keeper) levels(t *rapid.T, size, members int) map[string]int {
	level := map[string]int{}
	for i, d := range k.Season.Divisions {
		if len(d.Members) != min(size, members) {
			t.Fatalf("division %s has %d members of %d", d.ID, len(d.Members), members)
		}
		members -= len(d.Members)
		for _, m := range d.Members {
			if _, twice := level[m]; twice {
				t.Fatalf("%s is in two divisions", m)
			}
			level[m] = i
		}
	}
	return level
}
