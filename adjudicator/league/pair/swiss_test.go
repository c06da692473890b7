package pair

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// checkSwiss holds what is true of every tournament paired [C1 to C3].
func checkSwiss(t *testing.T, s Swiss) {
	t.Helper()
	for i, p := range s.Players {
		var met []int
		byes, balance := 0, 0
		var last, before Colour
		for r, past := range p.Past {
			if past.Against < 0 {
				byes += one(past.Scored >= s.Win)
				continue
			}
			if slices.Contains(met, past.Against) {
				t.Errorf("%d met %d twice", i, past.Against)
			}
			met = append(met, past.Against)
			balance += int(past.Colour)
			// Only topscorers and whoever meets them may go further, in the last round.
			if r < s.Rounds-1 && (balance < -2 || balance > 2 || past.Colour != NoColour && past.Colour == last && last == before) {
				t.Errorf("round %d: %d has had the same side too often: %v", r+1, i, p.Past)
			}
			before, last = last, past.Colour
		}
	}
}

// TestSwiss plays tournaments of 8 to 64 players, with byes, absences and forfeits.
func TestSwiss(t *testing.T) {
	draw := lcg(21)
	for tournament := range 25 {
		n := 8 + draw(57)
		s := Swiss{Players: make([]Player, n), Rounds: 5 + draw(3), Win: 2, Initial: First}
		for round := range s.Rounds {
			got, err := s.Pair()
			if err != nil {
				t.Fatalf("tournament %d of %d players, round %d: %v", tournament, n, round+1, err)
			}
			here := slices.Clone(got.Byes)
			for _, p := range got.Pairings {
				here = append(here, p.First, p.Second)
			}
			slices.Sort(here)
			var present []int
			for i, p := range s.Players {
				if !p.Absent {
					present = append(present, i)
				}
			}
			if !slices.Equal(here, present) || len(got.Byes) != len(present)%2 {
				t.Fatalf("tournament %d, round %d: %v of %v", tournament, round+1, got, present)
			}
			for _, b := range got.Byes {
				if slices.ContainsFunc(s.Players[b].Past, func(p Past) bool { return p.Against < 0 && p.Scored >= s.Win }) {
					t.Errorf("tournament %d, round %d: %d has a second bye", tournament, round+1, b)
				}
			}
			played(&s, got, draw)
		}
		checkSwiss(t, s)
	}
}

// TestSwissFirstRound: the upper half meets the lower, and sides alternate.
func TestSwissFirstRound(t *testing.T) {
	s := Swiss{Players: make([]Player, 7), Rounds: 3, Win: 2, Initial: Second}
	got, err := s.Pair()
	if err != nil {
		t.Fatal(err)
	}
	if want := (Round{Pairings: []Pairing{{3, 0}, {1, 4}, {5, 2}}, Byes: []int{6}}); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, not %v", got, want)
	}
}

// TestSwissColours goes through article 5.2.
func TestSwissColours(t *testing.T) {
	player := func(number int, colours string) *standing {
		x := &standing{number: number}
		for _, c := range colours {
			colour := First
			if c == 'b' {
				colour = Second
			}
			x.colours = append(x.colours, colour)
			x.balance += int(colour)
		}
		x.prefer()
		return x
	}
	s := Swiss{Initial: First}
	for _, c := range []struct {
		article, high, low string
		number             int
		want               Colour
	}{
		{"5.2.1 both", "w", "b", 0, Second},
		{"5.2.1 one has none", "", "b", 0, Second},
		{"5.2.1 the other has none", "b", "", 0, First},
		{"5.2.2 absolute over strong", "w", "bww", 0, First},
		{"5.2.2 strong over mild", "bw", "w", 0, First},
		{"5.2.2 the wider difference", "ww", "www", 0, First},
		{"5.2.3 the last round with other colours", "wbw", "bww", 0, First},
		{"5.2.3 as far as both go back", "bw", "wbbw", 0, Second},
		{"5.2.4 the higher ranked", "bw", "bw", 0, Second},
		{"5.2.5 odd", "", "", 0, First},
		{"5.2.5 even", "", "", 1, Second},
	} {
		if got := s.colours(player(c.number, c.high), player(9, c.low)); got != c.want {
			t.Errorf("%s: the higher ranked gets %d, not %d", c.article, got, c.want)
		}
	}
	for colours, want := range map[string][2]int{"": {0, 0}, "w": {-1, strong}, "wb": {1, mild}, "bww": {-1, absolute}, "wwbw": {-1, absolute}, "wbb": {1, absolute}, "bbwb": {1, absolute}, "wbw": {-1, strong}} {
		if x := player(0, colours); int(x.wants) != want[0] || x.strength != want[1] {
			t.Errorf("%q prefers %d by %d", colours, x.wants, x.strength)
		}
	}
}

// TestSwissBothSides: where each pairing is two games with sides exchanged, nobody has a preference.
func TestSwissBothSides(t *testing.T) {
	s := Swiss{Players: make([]Player, 6), Rounds: 4, Win: 4, Initial: First}
	for range s.Rounds {
		round, err := s.Pair()
		if err != nil {
			t.Fatal(err)
		}
		for i := range s.Players {
			s.Players[i].Past = append(s.Players[i].Past, Past{Against: -1})
		}
		for _, p := range round.Pairings {
			last := len(s.Players[0].Past) - 1
			s.Players[p.First].Past[last] = Past{Against: p.Second, Scored: 4}
			s.Players[p.Second].Past[last] = Past{Against: p.First}
		}
	}
	checkSwiss(t, s)
}

func TestSwissFaults(t *testing.T) {
	two := func(a, b Past) []Player { return []Player{{Past: []Past{a}}, {Past: []Past{b}}} }
	for _, c := range []struct {
		want string
		s    Swiss
	}{
		{"of nobody", Swiss{Rounds: 1, Initial: First}},
		{"no initial colour", Swiss{Players: make([]Player, 2), Rounds: 1}},
		{"all 1 rounds", Swiss{Players: two(Past{Against: -1}, Past{Against: -1}), Rounds: 1, Initial: First}},
		{"0 rounds behind him", Swiss{Players: []Player{{Past: []Past{{Against: -1}}}, {}}, Rounds: 2, Initial: First}},
		{"no opponent 7", Swiss{Players: two(Past{Against: 7}, Past{Against: -1}), Rounds: 2, Initial: First}},
		{"no opponent 0", Swiss{Players: two(Past{Against: 0}, Past{Against: -1}), Rounds: 2, Initial: First}},
		{"does not agree", Swiss{Players: two(Past{Against: 1, Colour: First}, Past{Against: 0, Colour: First}), Rounds: 2, Initial: First}},
		{"does not agree", Swiss{Players: two(Past{Against: 1, Colour: First}, Past{Against: -1}), Rounds: 2, Initial: First}},
		{"round 2 can't be paired", Swiss{Players: two(Past{Against: 1, Colour: First}, Past{Against: 0, Colour: Second}), Rounds: 2, Win: 2, Initial: First}},
	} {
		if _, err := c.s.Pair(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, not %q", err, c.want)
		}
	}
}

// BenchmarkSwiss pairs 64 players for seven rounds.
func BenchmarkSwiss(b *testing.B) {
	for b.Loop() {
		draw := lcg(31)
		s := Swiss{Players: make([]Player, 64), Rounds: 7, Win: 2, Initial: First}
		for range s.Rounds {
			round, err := s.Pair()
			if err != nil {
				b.Fatal(err)
			}
			played(&s, round, draw)
		}
	}
}

// TestExchangesIn: of two exchanges of the same size and difference that send the same
// players down, the one with the smallest differing number up comes first [4.3].
func TestExchangesIn(t *testing.T) {
	b := bracket{players: make([]standing, 10), residents: 10}
	allowed := []Pairing{{0, 3}, {1, 4}, {5, 6}, {8, 9}, {2, 7}, {6, 8}, {7, 9}, {2, 5}}
	rest := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	mates, ok := arrange(10, func(i, j int) bool { return slices.Contains(allowed, Pairing{i, j}) }, b.exchanges(rest, 5))
	if upper, _ := halves(rest, mates, 10); !ok || !slices.Equal(upper, []int{0, 1, 2, 5, 8}) {
		t.Errorf("%v: the upper subgroup is %v", mates, upper)
	}
}
