package geometry_test

import (
	"testing"

	"berthier/engine/geometry"
	"berthier/engine/rulestest"
)

// The digest of every ruleset that is measured with this package covers all of its code.
func TestSources(t *testing.T) { rulestest.SourcesOf(t, geometry.Sources) }
