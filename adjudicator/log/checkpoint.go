package log

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"berthier/adjudicator/deflate"
	"berthier/engine"
)

// A Checkpoint is a position that a game once had, as the store keeps it beside the
// log entry that led to it. Checkpoints form a tree: each knows the one before it,
// and a game that was rewound continues from an earlier one. Nothing is ever
// removed, so a rewind can itself be undone.
type Checkpoint struct {
	Seq      uint64                 `json:"seq"`              // of the log entry that led here
	Parent   uint64                 `json:"parent,omitempty"` // of the checkpoint before; 0: none is known
	Kind     string                 `json:"kind"`             // of that entry
	Stop     int                    `json:"stop"`             // the stop that this position waits at
	Stops    map[engine.Side]int    `json:"stops"`            // how many each seat was asked at, this stop included
	Options  map[string]string      `json:"options,omitempty"`
	Events   map[engine.Side]int    `json:"events,omitempty"`  // number of the last event that each player was told, by his book
	Numbers  map[engine.Side][]int  `json:"numbers,omitempty"` // of what each player was told by this stop, where a ruling gave them; else they end with Events
	Once     map[engine.Side]string `json:"once,omitempty"`    // policies of seats that have asked for their next question, in force again then
	Ahead    map[engine.Side]*Ahead `json:"ahead,omitempty"`   // what each seat had filed ahead
	Snapshot []byte                 `json:"-"`                 // the position
}

// Pack writes a checkpoint as it is kept: its JSON in one line, then the snapshot, compressed.
func (m Checkpoint) Pack() ([]byte, error) {
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

// UnpackHead reads a packed checkpoint without its position.
func UnpackHead(packed []byte) (Checkpoint, error) {
	var m Checkpoint
	head, err := deflate.Line(packed)
	if err == nil {
		err = json.Unmarshal(head, &m)
	}
	return m, err
}

// Unpack reads a packed checkpoint whole.
func Unpack(packed []byte) (Checkpoint, error) {
	var m Checkpoint
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

// BranchTo goes from a checkpoint of a game back to the first, and lists the checkpoints on
// the way, the oldest first.
func BranchTo(game string, seq uint64, read func(seq uint64) (Checkpoint, error)) ([]Checkpoint, error) {
	var all []Checkpoint
	for seq != 0 {
		m, err := read(seq)
		if err != nil {
			return nil, err
		}
		if m.Parent >= seq {
			return nil, fmt.Errorf("read history of %s: entry %d comes after %d", game, seq, m.Parent)
		}
		all = append(all, m)
		seq = m.Parent
	}
	slices.Reverse(all)
	return all, nil
}
