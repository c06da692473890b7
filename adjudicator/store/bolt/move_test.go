package bolt

import (
	"testing"

	"berthier/adjudicator/store/storetest"
)

func TestMove(t *testing.T) { storetest.Move(t, openChecked, openChecked) }
