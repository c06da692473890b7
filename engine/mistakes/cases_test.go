package mistakes

import (
	"testing"

	"berthier/engine/rulestest"
)

func TestCases(t *testing.T) { rulestest.RunCases(t, "enemy-mistakes", New()) }
