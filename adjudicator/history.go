package adjudicator

import (
	"fmt"

	"berthier/adjudicator/log"
	"berthier/adjudicator/store"
)

// milestone reads a position of the past.
func (d *desk) milestone(seq uint64) (log.Checkpoint, error) {
	for _, m := range d.Checkpoints { // not yet committed
		if m.Seq == seq {
			return m, nil
		}
	}
	var packed []byte
	err := d.office.read(func(tx store.Reader) error {
		packed = tx.History(d.Game.ID, seq)
		return nil
	})
	if err != nil {
		return log.Checkpoint{}, err
	}
	if packed == nil {
		return log.Checkpoint{}, fmt.Errorf("read position of %s after entry %d: none is kept", d.Game.ID, seq)
	}
	m, err := log.Unpack(packed)
	if err != nil {
		return m, fmt.Errorf("read position of %s after entry %d: %w", d.Game.ID, seq, err)
	}
	return m, nil
}

// branch lists the milestones that led to the present one, the oldest first. Only
// these happened, as the game stands now; those of undone branches are left out.
func (d *desk) branch() ([]log.Checkpoint, error) {
	return log.BranchTo(d.Game.ID, d.Game.Head, d.milestone)
}
