package mistakes

import (
	"testing"

	"berthier/engine/playout"
	"berthier/engine/rulestest"
)

// A template means the default, and each line of it that begins with a # is a legal order by
// itself: whoever takes one # away, and changes nothing else, sends a legal file.
func TestTemplatesTakeOneUncommenting(t *testing.T) {
	each := 1
	if rulestest.FullSamples() {
		each = 10
	}
	rulestest.Uncomment(t, "enemy-mistakes", New(), []playout.Game{{Setup: setups[1].Setup, Seed: 8200}}, each)
}

// Answers written as short lines are read back as themselves.
func TestShortLines(t *testing.T) {
	short, long := rulestest.Lines(t, New(), []playout.Game{{Setup: setups[1].Setup, Seed: 8400}})
	t.Log(short, long)
}

// The shapes and the schema refuse nothing that the judge accepts.
func TestShapes(t *testing.T) { rulestest.Shapes(t, "enemy-mistakes", New()) }

// docs/rules/enemy-mistakes-orders.json holds what the cases show of each kind of stop.
func TestOrderReference(t *testing.T) { rulestest.Evidence(t, "enemy-mistakes", New()) }
