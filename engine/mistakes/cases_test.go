package mistakes

import (
	"testing"

	"berthier/engine/rulestest"
)

func TestCases(t *testing.T) { rulestest.RunCases(t, "enemy-mistakes", New()) }

func TestEveryClauseHasACase(t *testing.T) { rulestest.EveryClauseHasACase(t, "enemy-mistakes", New()) }

// Whatever a case gives is read and played, or is refused with its line.
func FuzzGiven(f *testing.F) {
	rulestest.Given(f, "enemy-mistakes", New(),
		"pieces: {blue-28: [300, 130, 0], blue-34: [400, 100, 0, behind], reille: [300, 60], derlon: blue-13, red-7: [655, 395, 180]}",
		"pieces: {blue-28: [300, 130, 0], hougoumont: [405, 257, 180]}\nonly: [black-18]\nposition: {turn: 8, phase: fire}",
		"pieces: {blue-28: [300, 130, 0, behind], blue-34: [1, 2, 361, above], reille: blue-99, nobody: [1, 2]}\nonly: [blue-28, x]",
		"pieces: [1]\nonly: {a: b}")
}
