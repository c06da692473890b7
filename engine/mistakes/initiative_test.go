package mistakes

import (
	"slices"
	"testing"

	"berthier/engine"
	"berthier/orders/phrase"
)

// dice are the dice of a case, in the order in which they are rolled.
type dice struct {
	t    *testing.T
	left []int
}

// Roll implements [engine.Dice].
func (d *dice) Roll(sides int, purpose phrase.Phrase) int {
	d.t.Helper()
	if len(d.left) == 0 {
		d.t.Fatalf("no die is left for %s", purpose.Code)
	}
	n := d.left[0]
	d.left = d.left[1:]
	return n
}

// played is a game with the dice of a case, all of which it must use.
func played(t *testing.T, g *game, rolls ...int) *battlefield {
	t.Helper()
	d := &dice{t, rolls}
	t.Cleanup(func() {
		if len(d.left) > 0 {
			t.Errorf("the dice %v were not rolled", d.left)
		}
	})
	p := &battlefield{game: g}
	p.Dice = d
	return p
}

var _ engine.Dice = (*dice)(nil)

// withBlack puts a unit of the black corps IV and Blucher on the field.
func withBlack(t *testing.T, g *game) {
	t.Helper()
	u := named(t, g, "black-18")
	g.Units[u].At = place{X: 1_100_000, Y: 200_000}
	g.Formations = append(g.Formations, formation{ID: "k1", Corps: g.def(u).corps, Units: []unitID{u}})
	g.Leaders[leaderNamed(t, g, "blucher")].At = place{X: 1_060_000, Y: 200_000}
	g.Leaders[leaderNamed(t, g, "bulow")].At = place{X: 1_060_000, Y: 230_000}
	same(t, "what can't be", g.flaws(), nil)
}

// Cases of initiative and substitutes: chapter 5.
func TestInitiativeCases(t *testing.T) {
	box := func(g *game, id string) int { return g.Leaders[leaderNamed(t, g, id)].Markers }
	clause(t, "EM-5.1", "a die and one for each general of a corps; black without Blucher has no die", func(t *testing.T) {
		g := begin(t, map[string]string{"ney": "on"})
		withBlack(t, g)
		g.Leaders[leaderNamed(t, g, "blucher")] = leader{Gone: captured, By: blue}
		g.Leaders[leaderNamed(t, g, "hill")] = leader{Gone: eliminated, By: blue}
		p := played(t, g, 4, 2)
		p.draw()
		is(t, "blue's", box(g, "napoleon"), 10)
		is(t, "red's", box(g, "wellington"), 5)
		is(t, "black's", box(g, "blucher"), 1)
		is(t, "blue's reserve", g.Reserve[blue], 26)
		is(t, "tellings", len(p.Events), 3)
		same(t, "what can't be", g.flaws(), nil)
	})
	clause(t, "EM-5.2", "the first turn has no bids, and blue is first", func(t *testing.T) {
		g := begin(t, nil)
		is(t, "bids", g.bids(), false)
		p := played(t, g)
		p.firstOrder()
		same(t, "the order", g.Order, []army{blue, red})
		g.Turn = 2
		is(t, "bids in turn 2", g.bids(), true)
	})
	clause(t, "EM-5.3", "at least 1 and at most what was drawn; every bid is lost", func(t *testing.T) {
		g := begin(t, nil)
		napoleon := leaderNamed(t, g, "napoleon")
		g.Leaders[napoleon].Markers, g.Reserve[blue] = 9, 27
		for n, ok := range map[int]bool{0: false, 1: true, 9: true, 10: false} {
			is(t, "a bid is legal", g.bidFault(blue, n) == nil, ok)
		}
		is(t, "red, which drew none, bids 0", g.bidFault(red, 0) == nil, true)
		is(t, "red bids 1", g.bidFault(red, 1) == nil, false)
		p := played(t, g)
		p.contest([armies]int{blue: 4})
		is(t, "blue's box: 9 - 4 + 2", box(g, "napoleon"), 7)
		same(t, "what can't be", g.flaws(), nil)
	})
	clause(t, "EM-5.4", "the highest is first and gains 2, with three armies the second 1", func(t *testing.T) {
		g := begin(t, nil)
		withBlack(t, g)
		g.Turn = 9
		for a, id := range map[army]string{blue: "napoleon", red: "wellington", black: "blucher"} {
			g.Leaders[leaderNamed(t, g, id)].Markers = 5
			g.Reserve[a] -= 5
		}
		p := played(t, g)
		p.Order = []army{blue, red, black}
		p.contest([armies]int{blue: 4, red: 5, black: 3})
		same(t, "the order", g.Order, []army{red, blue, black})
		is(t, "red's box", box(g, "wellington"), 2)
		is(t, "blue's box", box(g, "napoleon"), 2)
		is(t, "black's box", box(g, "blucher"), 2)
	})
	clause(t, "EM-5.4", "with two armies the second gains nothing", func(t *testing.T) {
		g := begin(t, nil)
		g.Leaders[leaderNamed(t, g, "napoleon")].Markers, g.Reserve[blue] = 5, 31
		g.Leaders[leaderNamed(t, g, "wellington")].Markers, g.Reserve[red] = 5, 21
		p := played(t, g)
		p.contest([armies]int{blue: 1, red: 2})
		is(t, "blue's box", box(g, "napoleon"), 4)
		is(t, "red's box", box(g, "wellington"), 5)
	})
	clause(t, "EM-5.5", "on a tie who was earlier, an army new to the field last", func(t *testing.T) {
		g := begin(t, nil)
		g.Leaders[leaderNamed(t, g, "napoleon")].Markers, g.Reserve[blue] = 3, 33
		g.Leaders[leaderNamed(t, g, "wellington")].Markers, g.Reserve[red] = 3, 23
		withBlack(t, g)
		g.Leaders[leaderNamed(t, g, "blucher")].Markers, g.Reserve[black] = 3, 18
		p := played(t, g)
		p.Order = []army{red, blue}
		p.contest([armies]int{blue: 3, red: 3, black: 3})
		same(t, "the order", g.Order, []army{red, blue, black})
		same(t, "the order before", g.Was, []army{red, blue})
	})
	clause(t, "EM-5.6", "5 and 6 at the first attempt, then one more each turn", func(t *testing.T) {
		for attempt, least := range []int{1: 5, 2: 4, 3: 3, 4: 2, 5: 1, 6: 1} {
			for die := 1; attempt > 0 && die <= 6; die++ {
				is(t, "success", widening(die, attempt, 0), die >= least)
			}
		}
		g := begin(t, nil)
		lobau := leaderNamed(t, g, "lobau")
		g.Leaders[lobau] = leader{Gone: captured, By: red}
		p := played(t, g, 4, 4)
		p.Order = []army{blue, red}
		same(t, "the first attempt", p.substitutes(), nil)
		same(t, "the second", p.substitutes(), []leaderID{lobau})
		x := g.Leaders[lobau]
		is(t, "level", g.level(lobau), 1)
		is(t, "points", g.generates(lobau), 0)
		same(t, "who was lost", x.Lost, []loss{{captured, red}})
		at, ok := g.substitutePlace(lobau)
		is(t, "there is a place", ok, true)
		is(t, "the place is legal", g.standsFault(lobau, at) == nil, true)
		is(t, "2 segments and more from all of his corps", g.standsFault(lobau, point{X: 100_000, Y: 600_000}) == nil, false)
		is(t, "on a unit", g.standsFault(lobau, point{X: 560_000, Y: 120_000}) == nil, false)
		g.Leaders[lobau].At = place(at)
		same(t, "what can't be", g.flaws(), nil)
		is(t, "a commander-in-chief is due", slices.Contains(g.lost(blue), leaderNamed(t, g, "napoleon")), false)
	})
}

// What a set-up may not choose is refused.
func TestOptionFaults(t *testing.T) {
	for _, chosen := range []map[string]string{{"game": "short", "players": "3"}, {"players": "4"}, {"game": "long"}, {"wheel-limit": "0"}, {"gamblers": "2"}, {"segment-um": "60001"}, {"segment-um": "030000"}, {"segment-um": "30000.5"}} {
		if _, faults := begun(battle(t), chosen); len(faults) == 0 {
			t.Errorf("%v is taken", chosen)
		}
	}
}
