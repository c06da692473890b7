package bolt

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"time"

	"go.etcd.io/bbolt"

	"berthier/adjudicator/store"
)

// Schema is the version of the file's layout that this program writes.
const Schema = 7

// readable is the least schema of a file that is read as it is.
const readable = 2

// tagged is the first schema in which games have tags.
const tagged = 7

// migrations each bring a file one schema further: the first one from 1 to 2. They
// run in one transaction together with the new number, so that a file always has one
// schema or another, whenever the machine fails. A migration that was released is never
// changed.
var migrations = [Schema - 1]func(*bbolt.Tx) error{
	// Programs from before the first version gave schema 1 to files of several kinds, whose
	// logs and records are read differently. Only the last kind has both of these buckets;
	// from 2 on the number tells.
	func(tx *bbolt.Tx) error {
		if tx.Bucket(bucketHistory) == nil || tx.Bucket(bucketPages) == nil {
			return ErrOlder
		}
		return nil
	},
	// From 3 on a letter of the outbox is kept with its head apart from its text. Letters of
	// before are read as they are; an earlier program could not read the new ones.
	func(*bbolt.Tx) error { return nil },
	// From 4 on entries of logs and grounds of maps are compressed, and texts of letters, pages and
	// positions may lie in bundles. What was written before is read as it is.
	func(*bbolt.Tx) error { return nil },
	// From 5 on entries of logs may lie in blocks.
	func(*bbolt.Tx) error { return nil },
	// From 6 on the heads of letters that were sent are packed, and of texts that lie in a bundle like lies beside like.
	func(*bbolt.Tx) error { return nil },
	// From 7 on games have tags. Those of before have none yet.
	func(tx *bbolt.Tx) error {
		if err := makeBuckets(tx, bucketTags, bucketTagsOf, bucketUntagged); err != nil {
			return err
		}
		untagged := tx.Bucket(bucketUntagged)
		return tx.Bucket(bucketGames).ForEach(func(game, _ []byte) error {
			if tx.Bucket(bucketTagsOf).Get(game) != nil {
				return nil
			}
			return untagged.Put(game, []byte{})
		})
	},
}

func makeBuckets(tx *bbolt.Tx, names ...[]byte) error {
	for _, name := range names {
		if _, err := tx.CreateBucketIfNotExists(name); err != nil {
			return fmt.Errorf("make bucket %s: %w", name, err)
		}
	}
	return nil
}

// schemaOf tells the schema of a file; 0 if it is new and empty.
func schemaOf(tx *bbolt.Tx) (int, error) {
	meta := tx.Bucket(bucketMeta)
	if meta == nil {
		if name, _ := tx.Cursor().First(); name != nil {
			return 0, ErrForeign
		}
		return 0, nil
	}
	version, err := strconv.Atoi(string(meta.Get(keySchema)))
	switch {
	case err != nil || version < 1:
		return 0, ErrForeign
	case version > Schema:
		return version, fmt.Errorf("%w (its schema is %d, this one knows %d)", ErrNewer, version, Schema)
	case len(meta.Get(keySecret)) != len(Store{}.secret):
		return version, fmt.Errorf("%w (it has no server secret)", ErrForeign)
	}
	return version, nil
}

// migrate brings an older file to the present schema, after a copy of it was
// kept beside it.
func (s *Store) migrate(from int) error {
	if err := s.keepOld(from); err != nil {
		return fmt.Errorf("keep a copy of schema %d: %w", from, err)
	}
	err := s.db.Update(func(tx *bbolt.Tx) error {
		for version, step := range migrations[from-1:] {
			if err := step(tx); err != nil {
				return fmt.Errorf("migrate from schema %d: %w", from+version, err)
			}
		}
		return tx.Bucket(bucketMeta).Put(keySchema, strconv.AppendInt(nil, Schema, 10))
	})
	if errors.Is(err, ErrOlder) { // it can't be brought up
		err = errors.Join(err, os.Remove(OldCopy(s.db.Path(), from)))
	}
	return err
}

// OldCopy is where [Open] keeps the copy of a file that it brought up from an
// older schema.
func OldCopy(path string, schema int) string { return path + ".schema-" + strconv.Itoa(schema) }

// keepOld writes the copy. A copy that is there already comes from an attempt during which
// the machine failed, or is older: the first copy is the one to go back to.
func (s *Store) keepOld(schema int) error {
	path := OldCopy(s.db.Path(), schema)
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return s.db.View(func(tx *bbolt.Tx) error {
		return writeWhole(path, func(w io.Writer) error { _, err := tx.WriteTo(w); return err }, nil)
	})
}

// Outbox tells how much there is to do at a moment.
func (s *Store) Outbox(now time.Time) (store.Backlog, error) {
	var l store.Backlog
	err := s.view(func(tx *bbolt.Tx) error {
		l = store.Backlog{Games: tx.Bucket(bucketGames).Stats().KeyN}
		for k := range timed(tx, bucketDue) {
			switch at := keyTime(k); {
			case at.After(now):
				l.Later++
			default:
				if l.Due++; l.First.IsZero() {
					l.First = at
				}
			}
		}
		return nil
	})
	if err != nil {
		return l, fmt.Errorf("count letters: %w", err)
	}
	return l, nil
}

// Used gives how many bytes of the file hold something: the rest is free for
// what comes next.
func (s *Store) Used() (int64, error) {
	var n int64
	err := s.view(func(tx *bbolt.Tx) error {
		for _, name := range allBuckets {
			b := tx.Bucket(name)
			if b == nil {
				continue // of an older schema
			}
			stats := b.Stats()
			n += int64(stats.BranchAlloc + stats.LeafAlloc)
		}
		return nil
	})
	if err != nil {
		return n, fmt.Errorf("measure database: %w", err)
	}
	return n, nil
}

// Sizes tells how much is kept of each kind, in the order of their names, and how long the file is.
func (s *Store) Sizes() (all []store.Size, disk int64, err error) {
	err = s.view(func(tx *bbolt.Tx) error {
		disk = tx.Size()
		return tx.ForEach(func(name []byte, b *bbolt.Bucket) error {
			one := store.Size{Kind: string(name)}
			err := b.ForEach(func(k, v []byte) error {
				one.N, one.Bytes = one.N+1, one.Bytes+int64(len(k)+len(v))
				return nil
			})
			all = append(all, one)
			return err
		})
	})
	if err != nil {
		return nil, 0, fmt.Errorf("measure database: %w", err)
	}
	return all, disk, nil
}
