package napoleon

import (
	"testing"

	"berthier/engine/rulestest"
)

// The digest of the rules is over all that decides in this folder.
func TestSources(t *testing.T) { rulestest.Sources(t, New()) }
