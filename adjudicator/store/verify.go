package store

import (
	"fmt"

	"berthier/adjudicator/log/chain"
)

// Verify checks that a game's log has no gap and that its chain holds.
func Verify(r Reader, game string) error {
	var last chain.Link
	return r.Entries(game, 0, func(e chain.Entry) error {
		if e.Seq != last.Seq+1 {
			return fmt.Errorf("verify log %s: entry %d comes after %d", game, e.Seq, last.Seq)
		}
		if !e.Holds(last) {
			return fmt.Errorf("verify log %s: the hash of entry %d does not fit", game, e.Seq)
		}
		last = e.Link
		return nil
	})
}
