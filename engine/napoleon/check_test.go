package napoleon

import (
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/rulestest"
)

// What the rules lead to breaks no invariant; what a game master could write does,
// and is named.
func TestCheck(t *testing.T) {
	p, err := New().New(engine.Setup{Options: map[string]string{"setup": "historical"}})
	if err != nil {
		t.Fatal(err)
	}
	was := p.(*game)
	if faults := p.(engine.Checked).Check(was); len(faults) > 0 {
		t.Fatalf("a new game: %v", faults)
	}
	for want, spoil := range map[string]func(*game){
		"nap.check-losses":    func(g *game) { g.losses[0]++ },
		"nap.check-no-battle": func(g *game) { g.units[30].town = g.units[0].town },
		"nap.check-road":      func(g *game) { g.roadUse[0] = 99 },
		"nap.check-board":     func(g *game) { g.units[0].field = reserve },
		"nap.check-marks":     func(g *game) { g.units[0].square = true },
		"nap.check-shelter":   func(g *game) { g.units[0].shelter = 1 },
	} {
		next := p.Clone().(*game)
		spoil(next)
		faults := next.Check(was)
		if len(faults) == 0 || !strings.Contains(faults.Error(), want) {
			t.Errorf("want %s, got %v", want, faults)
		}
	}
}

// A position that was damaged is refused, with what is wrong named, or can be
// played on to the end.
func TestDamagedPositions(t *testing.T) {
	rulestest.Damaged(t, New(), moments(t), inOrder)
}
