package bolt

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"go.etcd.io/bbolt"

	"berthier/adjudicator/store"
)

// plain gives [ErrNoFile] if there is something at a path that is not a plain file: opening
// a pipe would wait for ever, and a folder is not a damaged database.
func plain(path string) error {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = ErrNoFile
	}
	return err
}

// soundFile locks a file that was opened for bbolt, and reads it through: faults over which
// bbolt would crash are errors here.
func soundFile(f *os.File, path string, exclusive bool, wait time.Duration) (info os.FileInfo, heads int, err error) {
	if err := lockFile(f, exclusive, wait); err != nil {
		return nil, 0, err
	}
	// The file is looked at only now: it may have grown while the lock was waited for.
	if info, err = f.Stat(); err != nil {
		return nil, 0, err
	}
	if now, err := os.Stat(path); err != nil || !os.SameFile(info, now) {
		return nil, 0, errors.Join(store.ErrSwapped, err)
	}
	heads, err = walkPages(f, info.Size())
	return info, heads, err
}

// asDamage turns a panic into an error, if it comes from a file that can't be read any
// more: it was cut short or written to by others, or the disk has a fault.
func asDamage(err *error) {
	p := recover()
	if p == nil {
		return
	}
	if at, ok := p.(interface{ Addr() uintptr }); ok && at.Addr() != 0 {
		*err = fmt.Errorf("%w: a part of it can't be read any more", store.ErrDamaged)
		return
	}
	if text, ok := p.(string); ok && strings.HasPrefix(text, "assertion failed: ") { // from bbolt
		*err = fmt.Errorf("%w: %s", store.ErrDamaged, text)
		return
	}
	panic(p)
}

// Ready implements [store.Store]: it tells whether the database that is open still is
// the file at its path, [store.ErrSwapped] if not.
func (s *Store) Ready() error {
	if err := s.atPath(); err != nil {
		return err
	}
	return s.view(func(tx *bbolt.Tx) error {
		if !s.ours(tx) {
			return store.ErrSwapped
		}
		return nil
	})
}

// atPath tells whether the file at the path is the one that was opened.
func (s *Store) atPath() error {
	if info, err := os.Stat(s.path); err != nil || !os.SameFile(info, s.info) {
		return store.ErrSwapped
	}
	return nil
}

// ours tells whether the content of the file is the database that was opened: another
// database may have been written over it.
func (s *Store) ours(tx *bbolt.Tx) bool {
	meta := tx.Bucket(bucketMeta)
	return meta != nil && bytes.Equal(meta.Get(keySecret), s.secret[:])
}

// Heads is how many heads of the file were sound when it was opened, as [Info] has
// it.
func (s *Store) Heads() int { return s.heads }

// Number is the database's own number: a copy has the same number, another database has
// another. It does not give away the secret from which it is made.
func (s *Store) Number() string { return store.NumberOf(s.secret[:]) }

// Check reads the whole file and tells what is wrong with its pages and records; it
// follows the chain of every log. Writes may go on meanwhile: Check reads the state
// of one moment, whose pages are not used again before it is done.
func (s *Store) Check() error {
	return s.view(func(tx *bbolt.Tx) error {
		if err := s.walkAt(tx); err != nil {
			return err
		}
		return checkRecords(tx)
	})
}

// walkAt reads the pages that a transaction sees, with all values.
func (s *Store) walkAt(tx *bbolt.Tx) error {
	size := s.db.Info().PageSize
	w := &pageWalk{file: s.file, size: tx.Size(), whole: true, head: head{
		pageSize: uint32(size), root: uint64(tx.Cursor().Bucket().Root()), freelist: noFreelist, pages: uint64(tx.Size() / int64(size)),
	}}
	return w.walk()
}

// checkRecords reads every record of a file whose pages are sound, as far as the
// store knows their form, and follows the chain of every log.
func checkRecords(tx *bbolt.Tx) error {
	var faults []error
	fault := func(format string, args ...any) {
		if len(faults) < mostFaults {
			faults = append(faults, fmt.Errorf(format, args...))
		}
	}
	each := func(name []byte, f func(k, v []byte)) {
		if b := tx.Bucket(name); b != nil {
			_ = b.ForEach(func(k, v []byte) error { f(k, v); return nil }) // f gives no error
		}
	}
	last := ""
	each(bucketLog, func(k, _ []byte) {
		game, seq, ok := bytes.Cut(k, []byte{0})
		if !ok || len(seq) != 8 {
			fault("log: an entry %q of no game", k)
		} else if string(game) != last {
			last = string(game)
			if err := store.Verify(reader{tx}, last); err != nil {
				fault("%w", err)
			}
		}
	})
	each(bucketMarks, func(k, v []byte) {
		if len(k) != sha256.Size || len(v) == 0 {
			fault("a letter taken in is noted as %q", k)
		}
	})
	each(bucketOutbox, func(k, v []byte) {
		if len(k) != 8 || len(v) < 8 {
			fault("outbox: letter %q is too short", k)
		}
	})
	each(bucketDue, func(k, _ []byte) {
		if len(k) != 16 {
			fault("outbox: a moment %q of no letter", k)
			return
		}
		if row := tx.Bucket(bucketOutbox).Get(k[8:]); len(row) < 8 || !bytes.Equal(row[:8], k[:8]) {
			fault("outbox: letter %d is due at a moment that it does not know of", binary.BigEndian.Uint64(k[8:]))
		}
	})
	each(bucketWake, func(k, _ []byte) {
		if len(k) < 9 || !bytes.Equal(tx.Bucket(bucketWakeOf).Get(k[8:]), k[:8]) {
			fault("clock: a moment %q of no game", k)
		}
	})
	checkTags(tx, each, fault)
	each(bucketBlobs, func(k, v []byte) {
		if openBlob(k, v) == nil {
			fault("a picture's ground was changed (%x)", k)
		}
	})
	if len(faults) > 0 {
		return fmt.Errorf("%w: %w", store.ErrDamaged, errors.Join(faults...))
	}
	return nil
}

// checkTags tells of tags that do not fit the games that have them. Whether they fit the records nobody knows but who
// made them.
func checkTags(tx *bbolt.Tx, each func(bucket []byte, f func(k, v []byte)), fault func(format string, args ...any)) {
	tags, of, untagged, games := tx.Bucket(bucketTags), tx.Bucket(bucketTagsOf), tx.Bucket(bucketUntagged), tx.Bucket(bucketGames)
	if tags == nil || of == nil || untagged == nil || games == nil {
		return // of an older schema
	}
	each(bucketTags, func(k, _ []byte) {
		tag, game, ok := bytes.Cut(k, []byte{0})
		if !ok || !slices.Contains(tagsIn(of.Get(game)), string(tag)) {
			fault("tags: %q is of no game", k)
		}
	})
	each(bucketTagsOf, func(k, v []byte) {
		for _, tag := range tagsIn(v) {
			if tags.Get(within(tag, k...)) == nil {
				fault("tags: %s is not found by its tag %q", k, tag)
			}
		}
		if games.Get(k) == nil || untagged.Get(k) != nil {
			fault("tags: %s has some and has none", k)
		}
	})
	each(bucketGames, func(k, _ []byte) {
		if of.Get(k) == nil && untagged.Get(k) == nil {
			fault("tags: %s is found neither by tags nor without", k)
		}
	})
	each(bucketUntagged, func(k, _ []byte) {
		if games.Get(k) == nil {
			fault("tags: %s is said to have none, and is no game", k)
		}
	})
}
