package logtest

import (
	"testing"

	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
)

// Entries writes a log as a game does, without salts.
func Entries(t *testing.T, all ...log.Entry) (entries []chain.Entry) {
	t.Helper()
	var last chain.Link
	for _, e := range all {
		body, private, err := log.Encode(e, 2)
		if err != nil {
			t.Fatal(err)
		}
		entry := chain.Follow(last, chain.Salt{}, body, private)
		entries, last = append(entries, entry), entry.Link
	}
	return entries
}
