package waterloo

import (
	"testing"

	"berthier/engine/rulestest"
)

// A spoilt position is refused, or it can be played on.
func TestSpoiltPositions(t *testing.T) { rulestest.Spoilt(t, New(), moments(t), 6) }
