package waterloo

import (
	"errors"
	"slices"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
)

// TestScore: victory points as they stand (WAT-13.3), and in the quick game who would win (WAT-13.2).
func TestScore(t *testing.T) {
	begun := errors.New("begun")
	for _, length := range []string{"full", "quick"} {
		_, err := playout.Run(New(), engine.Setup{Options: map[string]string{"scenario-length": length}}, 3, func(m playout.Moment) error {
			g := m.Position.Clone().(*game)
			if g.Turn == 0 {
				return nil
			}
			score := func() []int {
				all := New().Score(g.View(g.Sides()[0]))
				return []int{all[0].Points, all[0].Inflicted, all[1].Points, all[1].Inflicted}
			}
			if length == "quick" {
				if got := score(); !slices.Equal(got, []int{0, 0, 1, 0}) {
					t.Errorf("at the start of the quick game: %v", got)
				}
				for i := range g.objectives {
					g.Control[i+1] = frenchCamp
				}
				if got := score(); !slices.Equal(got, []int{1, 0, 0, 0}) {
					t.Errorf("with the squares that win: %v", got)
				}
				return begun
			}
			before := score()
			lost := slices.IndexFunc(g.roster, func(u unitDef) bool { return u.army.camp() == alliedCamp })
			g.Units[lost+1].Dead = true
			after := score()
			if full := g.roster[lost].full; after[0] != before[0]+full || after[1] != before[1]+full || after[2] != before[2] {
				t.Errorf("a unit of strength %d is gone: %v, before %v", full, after, before)
			}
			return begun
		})
		if !errors.Is(err, begun) {
			t.Errorf("%s: %v", length, err)
		}
	}
}
