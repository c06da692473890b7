package waterloo

import (
	"testing"

	"berthier/engine/rulestest"
)

// A position that was spoilt is refused, or can be played on.
func TestSpoiltPositions(t *testing.T) { rulestest.Spoilt(t, New(), moments(t), 6) }
