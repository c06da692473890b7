package adjudicator

import (
	"testing"

	"berthier/engine/rulestest"
)

func TestMain(m *testing.M) { rulestest.Main(m) }
