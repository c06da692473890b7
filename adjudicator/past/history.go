package past

import (
	"fmt"
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/engine"
)

// Kept is what is committed of one game.
type Kept interface {
	// EntriesFrom gives the entries of the log from a number on, in their order.
	EntriesFrom(seq uint64) ([]chain.Entry, error)
	// CheckpointAt gives the checkpoint that a log entry led to, as it was packed; nil if none
	// is kept.
	CheckpointAt(seq uint64) ([]byte, error)
	// PagesOf gives what the reports to a player showed, the oldest first, by his book
	// ([game.Seat.BookOf]).
	PagesOf(book engine.Side) ([]Page, error)
	// PageOf gives one of them by its number, without its pictures; nil if it is not kept.
	PageOf(book engine.Side, n uint64) (*Page, error)
}

// A History is the past of a game, as the game stands in a turn.
type History struct {
	turn *game.Turn
	kept Kept
}

// Of is the past of the game of a turn. It grows as the turn goes on.
func Of(t *game.Turn, kept Kept) *History { return &History{t, kept} }

// In is the same past for the game as it stands in another turn.
func (h *History) In(t *game.Turn) *History { return Of(t, h.kept) }

// Entry reads an entry of the log, its data into a type by kind.
func (h *History) Entry(seq uint64, data any) (log.Entry, error) { return h.turn.Entry(seq, data) }

// EachFrom calls f for every entry of the log from a number on, those of the turn among
// them.
func (h *History) EachFrom(seq uint64, f func(chain.Entry) error) error {
	all, err := h.kept.EntriesFrom(seq)
	if err != nil {
		return err
	}
	for _, e := range slices.Concat(all, h.turn.Entries) {
		if e.Seq < seq {
			continue
		}
		if err := f(e); err != nil {
			return err
		}
	}
	return nil
}

// Each calls f for every entry of the log.
func (h *History) Each(f func(chain.Entry) error) error { return h.EachFrom(1, f) }

// Made reads what the game was made of.
func (h *History) Made() (log.Made, error) {
	var m log.Made
	_, err := h.Entry(1, &m)
	return m, err
}

// Count counts the entries of a kind.
func (h *History) Count(kind string) (int, error) {
	n := 0
	err := h.Each(func(e chain.Entry) error {
		read, err := log.Decode(e.Body, nil)
		if err == nil && read.Kind == kind {
			n++
		}
		return err
	})
	return n, err
}

// EntryOf finds the first entry that a letter led to, by its digest; 0 if there is none.
func (h *History) EntryOf(letter string) (found uint64, err error) {
	err = h.Each(func(e chain.Entry) error {
		read, err := log.Read(e, nil)
		if err == nil && found == 0 && read.Letter == letter {
			found = e.Seq
		}
		return err
	})
	return found, err
}

// Refiled gives the digests of the letters that the game master filed again.
func (h *History) Refiled() (map[string]bool, error) {
	all := map[string]bool{}
	err := h.Each(func(e chain.Entry) error {
		if read, err := log.Decode(e.Body, nil); err == nil && read.Kind == log.KindRefiled {
			all[read.Letter] = true
		}
		return nil
	})
	return all, err
}

// Pages gives what the reports to the player of a seat showed him, the oldest first.
func (h *History) Pages(s *game.Seat) ([]Page, error) { return h.kept.PagesOf(s.BookOf()) }

// LastPage gives what the last report to the player of a seat showed him, without its pictures;
// nil if he has had none.
func (h *History) LastPage(s *game.Seat) (*Page, error) {
	if s.Pages == 0 {
		return nil, nil
	}
	return h.kept.PageOf(s.BookOf(), s.Pages)
}

// Branch lists the checkpoints that led to the present position, the oldest first, without
// the positions themselves. Only these happened, as the game stands now.
func (h *History) Branch() ([]log.Checkpoint, error) { return h.BranchTo(h.turn.Game.Head) }

// BranchTo lists the checkpoints that led to one of them, as [History.Branch] does.
func (h *History) BranchTo(seq uint64) ([]log.Checkpoint, error) {
	return log.BranchTo(h.turn.Game.ID, seq, func(seq uint64) (log.Checkpoint, error) {
		m, err := h.read(seq, log.UnpackHead)
		if err != nil {
			return log.Checkpoint{}, err
		}
		m.Snapshot = nil
		return *m, nil
	})
}

// Checkpoint reads a checkpoint with its position.
func (h *History) Checkpoint(seq uint64) (*log.Checkpoint, error) { return h.read(seq, log.Unpack) }

// Has tells whether the position after an entry is kept.
func (h *History) Has(seq uint64) (bool, error) {
	if slices.ContainsFunc(h.turn.Checkpoints, func(m log.Checkpoint) bool { return m.Seq == seq }) {
		return true, nil
	}
	packed, err := h.kept.CheckpointAt(seq)
	return packed != nil, err
}

// Position loads the position after an entry.
func (h *History) Position(seq uint64) (engine.Position, error) {
	m, err := h.Checkpoint(seq)
	if err != nil {
		return nil, err
	}
	p, err := h.turn.Rules.Load(m.Snapshot)
	if err != nil {
		return nil, h.cant(seq, err)
	}
	return p, nil
}

// read reads a checkpoint, of the turn or kept.
func (h *History) read(seq uint64, unpack func([]byte) (log.Checkpoint, error)) (*log.Checkpoint, error) {
	for _, m := range h.turn.Checkpoints {
		if m.Seq == seq {
			return &m, nil
		}
	}
	packed, err := h.kept.CheckpointAt(seq)
	switch {
	case err != nil:
		return nil, err
	case packed == nil:
		return nil, fmt.Errorf("read position of %s after entry %d: none is kept", h.turn.Game.ID, seq)
	}
	m, err := unpack(packed)
	if err != nil {
		return nil, h.cant(seq, err)
	}
	return &m, nil
}

func (h *History) cant(seq uint64, err error) error {
	return fmt.Errorf("read position of %s after entry %d: %w", h.turn.Game.ID, seq, err)
}

// Resolved finds the last checkpoint of a branch whose stop was resolved so that is gives
// true, and how it was resolved: -1 if there is none. The first checkpoint of a branch is not
// checked: there is no position before it.
func (h *History) Resolved(branch []log.Checkpoint, is func(log.Entry, *log.Resolved) bool) (int, *log.Resolved, error) {
	for i := len(branch) - 1; i > 0; i-- {
		if branch[i].Kind != log.KindResolved {
			continue
		}
		r := &log.Resolved{}
		e, err := h.Entry(branch[i].Seq, r)
		if err != nil {
			return -1, nil, err
		}
		if is(e, r) {
			return i, r, nil
		}
	}
	return -1, nil, nil
}
