package napoleon

import (
	"testing"

	"berthier/engine/rulestest"
)

// The digest of the rules covers everything in this folder that decides.
func TestSources(t *testing.T) { rulestest.Sources(t, New()) }
