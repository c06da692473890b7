package postgres

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/packed"
)

// Entries of a log lie in blocks once a change says so. Who reads a log reads few rows that are long; who adds to it
// writes rows of their own; and what is taken out of an entry must not stay in a block, so those that lie there with it
// are taken apart.

// open reads what lies in blocks of the entries out of which something is taken, and all that lies there with them.
// It makes further round trips, which only the forgetting of a person costs.
func (w *writer) open(ctx context.Context) error {
	var failed error
	ask := func(where string, args ...any) (got []logged) {
		rows, err := w.conn.Query(ctx, selectLog+where, append([]any{w.c.Game}, args...)...)
		if err == nil {
			got, err = pgx.CollectRows(rows, loggedOf)
		}
		if err != nil && failed == nil {
			failed = asRace(err)
		}
		return got
	}
	blocks := packed.NewReader(func(seq uint64) (k packed.Kept) {
		for _, l := range ask(` and seq = $2`, int64(seq)) {
			k = l.block
		}
		return k
	})
	w.apart = map[uint64]chain.Entry{}
	for _, seq := range slices.Sorted(maps.Keys(w.old)) {
		old := w.old[seq]
		if !old.block.InBlock() {
			continue
		}
		if _, known := w.apart[seq]; !known {
			seqs, err := blocks.Block(seq, old.block)
			if failed != nil || err != nil {
				return failedOr(failed, err)
			}
			for _, l := range ask(` and seq = any($2)`, signed(seqs)) {
				e, err := l.read(blocks)
				if failed != nil || err != nil {
					return failedOr(failed, err)
				}
				w.apart[e.Seq] = e
			}
		}
		w.old[seq] = logged{entry: w.apart[seq]}
	}
	return failed
}

// failedOr gives the first of two errors that is one.
func failedOr(first, second error) error {
	if first != nil {
		return first
	}
	return fmt.Errorf("commit: %w", second)
}

// settle puts the entries that lie in no block into blocks, those that the change brings among them.
func (w *writer) settle() (err error) {
	if !w.c.Settle {
		return nil
	}
	all := maps.Clone(w.apart)
	for _, l := range w.loose {
		all[l.entry.Seq] = l.entry
	}
	for _, e := range slices.Concat(w.c.Redact, w.c.Entries) {
		all[e.Seq] = e
	}
	var of []chain.Entry
	for _, seq := range slices.Sorted(maps.Keys(all)) {
		of = append(of, all[seq])
	}
	if w.blocks, err = packed.Blocks(of); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	for _, e := range of[:len(w.blocks)] {
		w.settled = append(w.settled, e.Seq)
	}
	return nil
}
