package season

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"berthier/adjudicator/league/lots"
	"berthier/adjudicator/league/table"
)

// ladderOf is a season of a ladder of so many members, A at the top.
func ladderOf(t interface{ Fatal(...any) }, n, most int) *Season {
	plan := Plan{League: "l", Season: "1", MostAtOnce: most, Under: 50, Then: Annul, Else: Keep, Length: 100 * day,
		Divisions: []DivisionPlan{{ID: "d", Size: n, Table: table.Division{Form: table.Ladder, Pairing: table.Single, Points: table.Usual}}}}
	s := New(plan, lots.Seed{1, 2, 3}.Commitment())
	var members []string
	acts := []Act{}
	for i := range n {
		members = append(members, string(rune('A'+i)))
		acts = append(acts, Entered{Member: members[i]})
	}
	acts = append(acts, ListClosed{}, Divided{Members: map[string][]string{"d": members}}, Started{At: time.Unix(1e9, 0)})
	for _, a := range acts {
		if err := s.Apply(a); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// A ladder is played by challenges: a winner from below goes half-way up; places are those of the ladder; the season ends
// when its time does.
func TestLadder(t *testing.T) {
	s := ladderOf(t, 8, 2)
	at := time.Unix(1e9, 0).Add(day)
	must := func(a Act) {
		t.Helper()
		if err := s.Apply(a); err != nil {
			t.Fatalf("%T: %v", a, err)
		}
	}
	refused := func(a Act, want string) {
		t.Helper()
		if err := s.Apply(a); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, not %q", a, err, want)
		}
	}
	challenge := func(who, whom string) Challenged { return Challenged{"d", who, whom} }
	refused(challenge("G", "A"), "too-high")
	refused(challenge("A", "B"), "downwards")
	refused(challenge("A", "X"), "not-on-ladder")
	refused(Challenged{"x", "B", "A"}, "no ladder")
	must(challenge("E", "A"))
	refused(challenge("E", "A"), "open challenge")
	refused(challenge("E", "B"), "open challenge")
	must(challenge("F", "B"))
	refused(Settled{}, "still open")
	for i, p := range s.Due("d") {
		must(Made{Division: "d", Pairing: p, Games: []string{fmt.Sprint("g", i)}})
	}
	win := func(game, who string, number int) {
		t.Helper()
		g := s.Game(game)
		o := Outcome{Kind: table.Played, Places: []table.Place{table.Lost, table.Lost}}
		o.Places[slices.Index(g.Entries, who)] = table.Won
		must(Resulted{Game: game, Link: Link{number, "h"}, Result: o, At: at})
	}
	win("g1", "F", 1) // the later challenge is decided first
	if got := strings.Join(Ladder(s, "d"), ""); got != "ABCFDEGH" {
		t.Errorf("after F has beaten B: %s", got)
	}
	win("g0", "E", 2)
	if got := strings.Join(Ladder(s, "d"), ""); got != "ABEFCDGH" {
		t.Errorf("after E has beaten A: %s", got)
	}
	must(Ruled{Game: "g0", By: "secretary", At: at}) // cancelled, it moves nobody
	if got := strings.Join(Ladder(s, "d"), ""); got != "ABCFDEGH" {
		t.Errorf("without the game of A and E: %s", got)
	}
	must(Overruled{Game: "g0", By: "secretary", At: at})
	must(challenge("G", "E"))
	if p := s.Divisions[0].Pairings[2]; p.Seats[0] != "E" {
		t.Errorf("G, who has had no game yet, challenges E, who had the second side: %v", p.Seats)
	}
	must(Withdrew{"B"})
	refused(challenge("C", "B"), "not-on-ladder")
	made, err := s.Table("d")
	if err != nil || made.Rows[0].Entry != "A" || made.Rows[1].Entry != "E" || made.Rows[1].Parted != table.ByLadder || made.Rows[7].Rank != 0 {
		t.Errorf("%+v, %v", made.Rows, err)
	}
	refused(Shortened{"d"}, "no round to come")
	must(Lapsed{At: at.Add(100 * day)})
	refused(challenge("H", "G"), "no ladder")
	must(Settled{})
}

// Where a ladder stands hangs on the results in force, and not on the order in which they come.
func TestLadderArrival(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		one, two := ladderOf(t, 9, 99), ladderOf(t, 9, 99)
		both := func(a Act) bool {
			x, y := one.Apply(a), two.Apply(a)
			if (x == nil) != (y == nil) {
				t.Fatal(x, y)
			}
			return x == nil
		}
		members := strings.Split("ABCDEFGHI", "")
		for range rapid.IntRange(1, 20).Draw(t, "challenges") {
			both(Challenged{"d", rapid.SampledFrom(members).Draw(t, "who"), rapid.SampledFrom(members).Draw(t, "whom")})
		}
		var games []string
		for _, p := range one.Due("d") {
			games = append(games, fmt.Sprint("g", p))
			both(Made{Division: "d", Pairing: p, Games: games[len(games)-1:]})
		}
		results := map[string]Outcome{}
		for _, g := range games {
			results[g] = outcome(t, 2)
		}
		for i, s := range []*Season{one, two} {
			for n, g := range rapid.Permutation(games).Draw(t, "order") {
				if i == 1 && rapid.Bool().Draw(t, "first otherwise") {
					if err := s.Apply(Resulted{Game: g, Link: Link{2*n + 1, "h"}, Result: outcome(t, 2)}); err != nil {
						t.Fatal(err)
					}
				}
				if err := s.Apply(Resulted{Game: g, Link: Link{2*n + 2, "h"}, Result: results[g]}); err != nil {
					t.Fatal(err)
				}
			}
		}
		if a, b := withoutMarks(t, one), withoutMarks(t, two); a != b {
			t.Fatalf("%s\nbut in another order\n%s", a, b)
		}
		ladder := Ladder(one, "d")
		slices.Sort(ladder)
		if !slices.Equal(ladder, members) {
			t.Fatalf("somebody got lost: %v", ladder)
		}
	})
}
