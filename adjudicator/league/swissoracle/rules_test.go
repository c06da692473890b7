package swissoracle

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestTranspositions: the two examples of 4.2.2, with BSN as the rules count them.
func TestTranspositions(t *testing.T) {
	list := func(n, k, first int) (all []string) {
		transpositions(n, k, func(int, int) bool { return true }, func(order []int) bool {
			var b []string
			for _, i := range order {
				b = append(b, fmt.Sprint(i+first))
			}
			all = append(all, strings.Join(b, "-"))
			return false
		})
		return all
	}
	eleven := list(6, 5, 6)
	if len(eleven) != 720 || !slices.Equal(eleven[:3], []string{"6-7-8-9-10", "6-7-8-9-11", "6-7-8-10-9"}) ||
		slices.Index(eleven, "7-6-8-9-10") != slices.Index(eleven, "6-11-10-9-8")+1 || eleven[719] != "11-10-9-8-7" {
		t.Errorf("of eleven: %d, %v...", len(eleven), eleven[:3])
	}
	two := list(9, 2, 3)
	if len(two) != 72 || !slices.Equal(two[:3], []string{"3-4", "3-5", "3-6"}) ||
		slices.Index(two, "4-3") != slices.Index(two, "3-11")+1 || two[71] != "11-10" {
		t.Errorf("of two MDPs and nine residents: %d, %v...", len(two), two)
	}
}

// TestExchanges: the examples of 4.3.2 for a bracket of eleven.
func TestExchanges(t *testing.T) {
	place := func(out, in []int) int {
		for i := range out {
			out[i]--
			in[i]--
		}
		return slices.IndexFunc(exchanges(11, 5, len(out)), func(e exchange) bool {
			return slices.Equal(e.out, out) && slices.Equal(e.in, in)
		})
	}
	for _, c := range []struct{ out, in, laterOut, laterIn []int }{
		{[]int{4}, []int{6}, []int{5}, []int{8}},             // the smaller difference
		{[]int{3, 4}, []int{6, 8}, []int{4, 5}, []int{8, 9}}, // the same of two
		{[]int{5}, []int{7}, []int{4}, []int{6}},             // the higher moved out
		{[]int{2, 5}, []int{6, 7}, []int{3, 4}, []int{6, 7}},
		{[]int{1, 4, 5}, []int{6, 7, 8}, []int{2, 3, 5}, []int{6, 7, 8}},
		{[]int{4, 5}, []int{6, 9}, []int{4, 5}, []int{7, 8}}, // the lower moved in
		{[]int{3, 4, 5}, []int{6, 7, 10}, []int{3, 4, 5}, []int{6, 8, 9}},
	} {
		shown := fmt.Sprintf("%v with %v before %v with %v", c.out, c.in, c.laterOut, c.laterIn)
		if first, later := place(c.out, c.in), place(c.laterOut, c.laterIn); first < 0 || later <= first {
			t.Errorf("%s: they are numbers %d and %d", shown, first, later)
		}
	}
	if all := exchanges(11, 5, 1); all[0].out[0] != 4 || all[0].in[0] != 5 {
		t.Errorf("the first exchange is %v, not 5 with 6", all[0])
	}
}

// TestMovedDown: the order of the choices of MDPs, 4.4.2.
func TestMovedDown(t *testing.T) {
	var all []string
	combinations(4, 2, func(c []int) bool {
		all = append(all, fmt.Sprint(c[0]+1, c[1]+1))
		return false
	})
	if want := []string{"1 2", "1 3", "1 4", "2 3", "2 4", "3 4"}; !slices.Equal(all, want) {
		t.Errorf("got %v", all)
	}
}

// TestPreference: the kinds of 1.7.
func TestPreference(t *testing.T) {
	for games, want := range map[string]string{
		"": "0 0", "W": "-1 2", "B": "1 2", "WB": "1 1", "BW": "-1 1", "WBW": "-1 2", "WW": "-1 3",
		"WBB": "1 3", "WWBB": "1 3", "BWW": "-1 3", "WBWBW": "-1 2",
	} {
		colours, difference := history(games)
		if c, s := preference(colours, difference); fmt.Sprint(c, " ", s) != want && fmt.Sprintf("%d %d", c, s) != want {
			t.Errorf("%q: %d %d, not %s", games, c, s, want)
		}
	}
}

func history(games string) (colours []Colour, difference int) {
	for _, g := range games {
		c := map[rune]Colour{'W': White, 'B': Black}[g]
		colours, difference = append(colours, c), difference+int(c)
	}
	return colours, difference
}

// TestColours: the rules of 5.2 in their order. "first" ranks higher.
func TestColours(t *testing.T) {
	tournament := Tournament{Initial: Black}
	for _, c := range []struct {
		rule, higher, lower string
		number              int // of the higher, the TPN less one
		white               string
	}{
		{"5.2.1 both", "WB", "BW", 0, "higher"},
		{"5.2.1 only one has any", "", "B", 0, "lower"},
		{"5.2.2 the stronger", "BW", "WBW", 0, "higher"},
		{"5.2.2 the wider difference", "BWW", "WWBWW", 0, "higher"},
		{"5.2.3 the latest that differs", "WBWB", "BWWB", 0, "higher"},
		{"5.2.3 rounds without a game count as earliest", "WB", "BWWB", 0, "higher"},
		{"5.2.4 the higher's preference", "WB", "WB", 0, "higher"},
		{"5.2.4 though he wants Black", "BW", "BW", 0, "lower"},
		{"5.2.5 an odd TPN has the initial colour", "", "", 0, "lower"},
		{"5.2.5 an even one has not", "", "", 1, "higher"},
	} {
		all := make([]standing, 3)
		for number, games := range map[int]string{c.number: c.higher, 2: c.lower} {
			s := &all[number]
			s.colours, s.difference = history(games)
			s.wants, s.want = preference(s.colours, s.difference)
		}
		white, _ := tournament.allocate(all, c.number, 2)
		if (white == c.number) != (c.white == "higher") {
			t.Errorf("%s: the colours are the wrong way round", c.rule)
		}
	}
}

// TestFloats: who gets a float, 1.4.2 to 1.4.4.
func TestFloats(t *testing.T) {
	past := func(against, points int) Past { return Past{Against: against, Points: points} }
	tournament := Tournament{Win: 3, Loss: 1, Rounds: 5, Players: []Player{
		{Past: []Past{past(1, 3), past(2, 1)}},
		{Past: []Past{past(0, 1), past(-1, 3)}},
		{Past: []Past{past(-1, 0), past(0, 3)}},
		{Past: []Past{past(-1, 2), past(-1, 1)}},
	}}
	all := tournament.standings()
	for i, want := range [][2]float{{noFloat, down}, {noFloat, down}, {noFloat, up}, {down, noFloat}} {
		if got := [2]float{all[i].floats[2], all[i].floats[1]}; got != want {
			t.Errorf("player %d: %v, not %v", i, got, want)
		}
	}
	if !all[1].noBye || all[0].noBye || all[3].noBye {
		t.Error("C2: only who got a win's points without a game may have no bye")
	}
}

// TestFirstRound: the upper half meets the lower half, colours alternate, the last has the
// bye.
func TestFirstRound(t *testing.T) {
	games, bye, err := Tournament{Players: make([]Player, 7), Rounds: 3, Win: 2, Initial: White}.Pair()
	if want := []Game{{0, 3}, {4, 1}, {2, 5}}; err != nil || bye != 6 || !slices.Equal(games, want) {
		t.Errorf("%v, bye %d, %v", games, bye, err)
	}
}

// TestRecorded: the tournaments in testdata are those that the command makes today, and
// are read as they were written.
func TestRecorded(t *testing.T) {
	records, err := ReadFile("testdata/tournaments.txt.gz")
	if err != nil || len(records) != 1000 {
		t.Fatal(len(records), err)
	}
	if os.Getenv("BERTHIER_SAMPLES") != "full" {
		records = records[:40]
	}
	var kept, made bytes.Buffer
	for _, r := range records {
		again, err := Invent(r.Seed)
		if err != nil {
			t.Fatal(err)
		}
		kept.Reset()
		made.Reset()
		if err := Write(&kept, []Record{r}); err != nil {
			t.Fatal(err)
		}
		if err := Write(&made, []Record{again}); err != nil {
			t.Fatal(err)
		}
		if kept.String() != made.String() {
			t.Fatalf("kept:\n%smade:\n%s", kept.String(), made.String())
		}
	}
}
