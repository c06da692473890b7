package bolt

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"berthier/adjudicator/packed"
	"berthier/adjudicator/store"
)

// The methods by which everything is read, when an office moves.
var _ store.Everything = reader{}

// Logs implements [store.Everything].
func (r reader) Logs(f func(id string) error) error {
	ids := map[string]bool{}
	for _, bucket := range [][]byte{bucketGames, bucketState} {
		if err := r.tx.Bucket(bucket).ForEach(func(k, _ []byte) error { ids[string(k)] = true; return nil }); err != nil {
			return err
		}
	}
	for _, bucket := range [][]byte{bucketLog, bucketHistory, bucketAnswers, bucketPages} {
		c := r.tx.Bucket(bucket).Cursor()
		for k, _ := c.First(); k != nil; {
			id, _, _ := bytes.Cut(k, []byte{0})
			ids[string(id)] = true
			k, _ = c.Seek(append(bytes.Clone(id), 1)) // behind all of it
		}
	}
	if err := r.Addresses(func(_, game string) error { ids[game] = true; return nil }); err != nil {
		return err
	}
	all := make([]string, 0, len(ids))
	for id := range ids {
		all = append(all, id)
	}
	slices.Sort(all)
	for _, id := range all {
		if err := f(id); err != nil {
			return err
		}
	}
	return nil
}

// within calls f for what a bucket keeps under a game, with the rest of each key.
func (r reader) within(bucket []byte, game string, f func(rest, value []byte) error) error {
	prefix := within(game)
	c := r.tx.Bucket(bucket).Cursor()
	for k, v := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, v = c.Next() {
		if err := f(k[len(prefix):], v); err != nil {
			return err
		}
	}
	return nil
}

// Positions implements [store.Everything].
func (r reader) Positions(game string, f func(seq uint64, position []byte) error) error {
	return r.within(bucketHistory, game, func(rest, position []byte) error {
		if len(rest) != 8 {
			return fmt.Errorf("%w: a position of %s has no number", store.ErrDamaged, game)
		}
		return f(binary.BigEndian.Uint64(rest), position)
	})
}

// Answers implements [store.Everything].
func (r reader) Answers(game string, f func(name string, answer []byte) error) error {
	return r.within(bucketAnswers, game, func(rest, answer []byte) error { return f(string(rest), answer) })
}

// AllPages implements [store.Everything].
func (r reader) AllPages(game string, f func(seat string, n uint64, page []byte) error) error {
	return r.within(bucketPages, game, func(rest, page []byte) error {
		seat, n, ok := bytes.Cut(rest, []byte{0})
		if !ok || len(n) != 8 {
			return fmt.Errorf("%w: a page of %s has no number", store.ErrDamaged, game)
		}
		return f(string(seat), binary.BigEndian.Uint64(n), page)
	})
}

// TagsOf implements [store.Everything].
func (r reader) TagsOf(game string) (tags []string, tagged bool) {
	b := r.tx.Bucket(bucketTagsOf)
	if b == nil {
		return nil, false
	}
	kept := b.Get([]byte(game))
	return tagsIn(kept), kept != nil
}

// Addresses implements [store.Everything].
func (r reader) Addresses(f func(address, game string) error) error {
	return r.tx.Bucket(bucketAddress).ForEach(func(k, _ []byte) error {
		address, game, _ := bytes.Cut(k, []byte{0})
		return f(string(address), string(game))
	})
}

// Wakes implements [store.Everything].
func (r reader) Wakes(f func(game string, at time.Time) error) error {
	return r.tx.Bucket(bucketWakeOf).ForEach(func(k, v []byte) error {
		if len(v) != 8 {
			return fmt.Errorf("%w: %s wakes at no time", store.ErrDamaged, k)
		}
		return f(string(k), keyTime(v))
	})
}

// Blobs implements [store.Everything].
func (r reader) Blobs(f func(digest [sha256.Size]byte, data []byte) error) error {
	return r.tx.Bucket(bucketBlobs).ForEach(func(k, v []byte) error {
		data := openBlob(k, v)
		if data == nil {
			return fmt.Errorf("%w: %x, which letters share", store.ErrDamaged, k)
		}
		return f([sha256.Size]byte(k), data)
	})
}

// openBlob gives what is kept under a key that is its digest; nil if it is not.
func openBlob(key, kept []byte) []byte {
	if len(key) != sha256.Size {
		return nil
	}
	return packed.OpenBlob([sha256.Size]byte(key), kept)
}

// Names implements [store.Everything].
func (r reader) Names(f func(key, content [sha256.Size]byte) error) error {
	return r.tx.Bucket(bucketIDs).ForEach(func(k, v []byte) error {
		if len(k) != sha256.Size || len(v) != sha256.Size {
			return fmt.Errorf("%w: the name of a letter", store.ErrDamaged)
		}
		return f([sha256.Size]byte(k), [sha256.Size]byte(v))
	})
}

// Reserved implements [store.Everything]. Numbers above it that were given out and not used are given out
// again: nobody has seen them.
func (r reader) Reserved() uint64 { return r.tx.Bucket(bucketOutbox).Sequence() }
