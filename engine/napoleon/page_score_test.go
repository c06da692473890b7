package napoleon

import (
	"errors"
	"slices"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
)

// TestScore: losses against the limits of defeat, 12 of the French, 8 and 9 of the Allies
// (NAP-10.1, NAP-10.2), and cities.
func TestScore(t *testing.T) {
	begun := errors.New("begun")
	_, err := playout.Run(New(), engine.Setup{}, 3, func(m playout.Moment) error {
		g := m.Position.Clone().(*game)
		if g.phase < movement {
			return nil
		}
		g.losses = [3]int{6, 4, 20}
		want := []engine.Score{{Side: "french", Points: 1000 * 13 / 17, Inflicted: 13}, {Side: "allied", Points: 500, Inflicted: 6}}
		if got := New().Score(g.View("allied")); !slices.Equal(got, want) {
			t.Errorf("%v, not %v", got, want)
		}
		g.losses, g.defeated = [3]int{}, [3]bool{angloDutch: true}
		if got := New().Score(g.View("french"))[0]; got.Inflicted != 8 || got.Points != 1000*8/17 {
			t.Errorf("with the Anglo-Dutch defeated: %v", got)
		}
		// All French in one city, and nobody else there.
		city := townID(slices.IndexFunc(g.towns, func(at town) bool { return at.city }))
		for i := range g.units {
			if u := &g.units[i]; u.army == french {
				u.town = city
			} else if u.town == city {
				u.town = g.units[0].town
				u.dead = true
			}
		}
		g.defeated = [3]bool{}
		if got := New().Score(g.View("french"))[0].Points; got != 1000/g.numbers.cityWinNeed {
			t.Errorf("with one city of %d: %d", g.numbers.cityWinNeed, got)
		}
		g.turn = len(g.turns)
		if got := New().Score(g.View("french")); got != nil {
			t.Errorf("after the last turn: %v", got)
		}
		return begun
	})
	if !errors.Is(err, begun) {
		t.Error(err)
	}
}
