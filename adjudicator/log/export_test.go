package log

import (
	"testing"

	"berthier/adjudicator/log/chain"
	"berthier/engine"
)

// Before observers' addresses were kept apart they stood in the body of the entry: such
// an entry stays withheld.
func TestOldEntriesOfObserversStayWithheld(t *testing.T) {
	e := chain.Follow(chain.Link{}, chain.Salt{}, []byte(`{"kind":"observer","by":"gm","data":{"person":{"address":"lurker@elsewhere.example"},"view":"full"}}`), nil)
	if x, err := Show(e, "red", "red", FirstScheme); err != nil || x.Body != "" {
		t.Errorf("red reads %q (%v)", x.Body, err)
	}
	if x, err := Show(e, engine.GM, engine.GM, FirstScheme); err != nil || x.Body == "" {
		t.Errorf("the game master does not read it (%v)", err)
	}
}
