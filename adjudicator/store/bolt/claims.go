package bolt

import (
	"bytes"
	"context"
	"encoding/binary"
	"slices"
	"sync"
	"time"

	"go.etcd.io/bbolt"

	"berthier/adjudicator/store"
)

// Claims on letters are kept in memory: only the process that has the claims has the file
// open, so the claims end with that process.
type claims struct {
	mu    sync.Mutex
	until map[uint64]time.Time
}

// end ends the claims on letters that were written.
func (c *claims) end(letters []store.Outgoing) {
	if len(letters) == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, o := range letters {
		delete(c.until, o.ID)
	}
}

// Reserve implements [store.Store]. Numbers that were reserved and not used when the process
// ends are given out again: nobody has seen them.
func (s *Store) Reserve(ctx context.Context, n int) (first uint64, err error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	switch {
	case s.closed:
		return 0, store.ErrClosed
	case s.readOnly:
		return 0, store.ErrReadOnly
	}
	return s.reserved.Add(uint64(max(n, 0))) - uint64(max(n, 0)) + 1, ctx.Err()
}

// Claim implements [store.Store].
func (s *Store) Claim(ctx context.Context, due, until time.Time, n int, of store.LaneSet) (letters []store.Outgoing, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.claims.mu.Lock()
	defer s.claims.mu.Unlock()
	err = s.view(func(tx *bbolt.Tx) error {
		limit := timeKey(due)
		var ids []uint64
		for k := range timed(tx, bucketDue) {
			if bytes.Compare(k[:8], limit) > 0 {
				break
			}
			if id := binary.BigEndian.Uint64(k[8:]); of.Has(id) && !s.claims.until[id].After(due) {
				ids = append(ids, id)
			}
		}
		slices.Sort(ids)
		for _, id := range ids[:min(n, len(ids))] {
			if o, ok := (reader{tx}).Outgoing(id); ok {
				letters = append(letters, o)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if s.claims.until == nil {
		s.claims.until = map[uint64]time.Time{}
	}
	for _, o := range letters {
		s.claims.until[o.ID] = until
	}
	return letters, nil
}

// Release implements [store.Store].
func (s *Store) Release(_ context.Context, ids ...uint64) error {
	s.claims.mu.Lock()
	defer s.claims.mu.Unlock()
	if len(ids) == 0 {
		clear(s.claims.until)
	}
	for _, id := range ids {
		delete(s.claims.until, id)
	}
	return nil
}
