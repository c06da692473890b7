package adjudicator

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"berthier/adjudicator/deflate"
	"berthier/adjudicator/store"
	"berthier/engine"
)

// A milestone is a position that a game once had, as the store keeps it beside the
// log entry that led to it. Milestones form a tree: each knows the one before it,
// and a game that was rewound grows on from an earlier one. Nothing is ever
// removed, so a rewind can itself be undone.
type milestone struct {
	Seq      uint64                `json:"seq"`              // of the log entry that led here
	Parent   uint64                `json:"parent,omitempty"` // of the milestone before; 0: none is known
	Kind     string                `json:"kind"`             // of that entry
	Stop     int                   `json:"stop"`             // the stop that this position waits at
	Stops    map[engine.Side]int   `json:"stops"`            // how many each seat was asked at, this stop included
	Options  map[string]string     `json:"options,omitempty"`
	Events   map[engine.Side]int   `json:"events,omitempty"`  // number of the last event that each player was told, by his book
	Numbers  map[engine.Side][]int `json:"numbers,omitempty"` // of what each player was told by this stop, where a ruling gave them; else they end with Events
	Snapshot []byte                `json:"-"`                 // the position
}

// remember keeps the position that the last log entry led to. The snapshot is
// the position's; it is called when the stop at which the position waits is
// open, or the game over.
func (t *turn) remember(seq uint64, kind string, snapshot []byte) {
	m := milestone{Seq: seq, Parent: t.game.Head, Kind: kind, Stop: t.game.Stop, Stops: map[engine.Side]int{},
		Options: t.game.Options, Events: map[engine.Side]int{}, Snapshot: snapshot}
	for _, s := range t.game.Seats {
		m.Stops[s.Side] = s.Stops
		m.Events[s.book()] = s.Events
	}
	t.game.Head = seq
	t.milestones = append(t.milestones, m)
}

// milestone reads a position of the past.
func (d *desk) milestone(seq uint64) (milestone, error) {
	for _, m := range d.milestones { // not yet committed
		if m.Seq == seq {
			return m, nil
		}
	}
	var packed []byte
	err := d.office.store.View(func(tx *store.Tx) error {
		packed = tx.History(d.game.ID, seq)
		return nil
	})
	if err != nil {
		return milestone{}, err
	}
	if packed == nil {
		return milestone{}, fmt.Errorf("read position of %s after entry %d: none is kept", d.game.ID, seq)
	}
	m, err := unpackMilestone(packed)
	if err != nil {
		return m, fmt.Errorf("read position of %s after entry %d: %w", d.game.ID, seq, err)
	}
	return m, nil
}

// branch lists the milestones that led to the present one, the oldest first. Only
// these happened, as the game stands now; those of undone branches are left out.
func (d *desk) branch() ([]milestone, error) { return back(d.game.ID, d.game.Head, d.milestone) }

// A packed milestone is its JSON in one line, then the snapshot, compressed.
func (m milestone) pack() ([]byte, error) {
	head, err := json.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("pack position: %w", err)
	}
	packed, err := deflate.Append(nil, head, []byte{'\n'}, m.Snapshot)
	if err != nil {
		return nil, fmt.Errorf("pack position: %w", err)
	}
	return packed, nil
}

// unpackHead reads a packed milestone without its position.
func unpackHead(packed []byte) (milestone, error) {
	var m milestone
	head, err := deflate.Line(packed)
	if err == nil {
		err = json.Unmarshal(head, &m)
	}
	return m, err
}

// unpackMilestone reads a packed milestone whole.
func unpackMilestone(packed []byte) (milestone, error) {
	var m milestone
	data, err := deflate.All(packed)
	if err != nil {
		return m, err
	}
	head, snapshot, ok := bytes.Cut(data, []byte("\n"))
	if !ok {
		return m, io.ErrUnexpectedEOF
	}
	if err := json.Unmarshal(head, &m); err != nil {
		return m, err
	}
	m.Snapshot = snapshot
	return m, nil
}
