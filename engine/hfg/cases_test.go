package hfg

import (
	"testing"

	"berthier/engine/rulestest"
)

func TestCases(t *testing.T) { rulestest.RunCases(t, "hfg", New()) }
