package adjudicator

import (
	"fmt"

	"berthier/adjudicator/log"
	"berthier/adjudicator/store"
	"berthier/engine"
)

// remember keeps the position that the last log entry led to. The snapshot is
// the position's; it is called when the stop at which the position waits is
// open, or the game over.
func (t *turn) remember(seq uint64, kind string, snapshot []byte) {
	m := log.Checkpoint{Seq: seq, Parent: t.game.Head, Kind: kind, Stop: t.game.Stop, Stops: map[engine.Side]int{},
		Options: t.game.Options, Events: map[engine.Side]int{}, Snapshot: snapshot}
	for _, s := range t.game.Seats {
		m.Stops[s.Side] = s.Stops
		m.Events[s.book()] = s.Events
	}
	t.game.Head = seq
	t.milestones = append(t.milestones, m)
}

// milestone reads a position of the past.
func (d *desk) milestone(seq uint64) (log.Checkpoint, error) {
	for _, m := range d.milestones { // not yet committed
		if m.Seq == seq {
			return m, nil
		}
	}
	var packed []byte
	err := d.office.read(func(tx store.Reader) error {
		packed = tx.History(d.game.ID, seq)
		return nil
	})
	if err != nil {
		return log.Checkpoint{}, err
	}
	if packed == nil {
		return log.Checkpoint{}, fmt.Errorf("read position of %s after entry %d: none is kept", d.game.ID, seq)
	}
	m, err := log.Unpack(packed)
	if err != nil {
		return m, fmt.Errorf("read position of %s after entry %d: %w", d.game.ID, seq, err)
	}
	return m, nil
}

// branch lists the milestones that led to the present one, the oldest first. Only
// these happened, as the game stands now; those of undone branches are left out.
func (d *desk) branch() ([]log.Checkpoint, error) {
	return log.BranchTo(d.game.ID, d.game.Head, d.milestone)
}
