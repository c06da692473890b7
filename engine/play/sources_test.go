package play_test

import (
	"testing"

	"berthier/engine/play"
	"berthier/engine/rulestest"
)

// The digest of every ruleset that is made of this package covers all of its code.
func TestSources(t *testing.T) { rulestest.SourcesOf(t, play.Sources) }
