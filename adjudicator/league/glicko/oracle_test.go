package glicko

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// lcg draws the numbers that testdata/oracle.js draws.
type lcg uint32

func (x *lcg) draw(n int64) int64 {
	*x = *x*1664525 + 1013904223
	return int64(*x>>8) * n >> 24
}

// TestOracle compares 10,000 periods with what the package glicko2 of npm made of them.
// That program rounds nothing between, and keeps no deviation below the start's.
func TestOracle(t *testing.T) {
	text, err := os.ReadFile("testdata/oracle.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(lines) != 10_000 {
		t.Fatalf("%d periods, not 10,000", len(lines))
	}
	s, x, faults := Default, lcg(2027), 0
	for period, line := range lines {
		var before []Standing
		n := 2 + x.draw(5)
		for i := range n {
			r, rd, sigma := 800+x.draw(1400), 30+x.draw(321), 40+x.draw(50)
			before = append(before, Standing{Member: fmt.Sprint(i), Rating: Rating{R: r * 100, RD: rd * 100, Sigma: sigma * 1_000_000}})
		}
		var games []Game
		for range 1 + x.draw(10) {
			foe := fmt.Sprint(1 + x.draw(n-1))
			games = append(games, Game{Sides: [2]Side{{Members: []string{"0"}}, {Members: []string{foe}}}, Score: 6 * x.draw(3), Weight: 12})
		}
		var want Rating
		if _, err := fmt.Sscan(line, &want.R, &want.RD, &want.Sigma); err != nil {
			t.Fatal(err)
		}
		want.RD = min(want.RD, s.Start.RD)
		got := s.period(before, games)[0].Rating
		if off(got.R, want.R) > 1 || off(got.RD, want.RD) > 1 || off(got.Sigma, want.Sigma) > 100 {
			t.Errorf("period %d: %+v, not %+v", period, got, want)
			if faults++; faults == 5 {
				t.FailNow()
			}
		}
	}
}

func off(a, b int64) int64 { return max(a-b, b-a) }
