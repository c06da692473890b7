package bolt

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"

	"berthier/adjudicator/packed"
	"berthier/adjudicator/store"
)

// A writer writes one change in a transaction of bbolt.
type writer struct {
	reader
	values   [][]byte // the entries of the change as they are kept
	reserved uint64   // the last number of a letter that was reserved
	dirty    bool     // something was written
}

// commit writes a change if it fits what there is. That is found out first: a change that
// is refused has written nothing, so the other changes of its group need not be repeated.
func (w *writer) commit(c *store.Change) error {
	if c.Mark != nil && w.taken(c.Mark) {
		return store.ErrTaken
	}
	for _, f := range []func(*store.Change) error{w.fitsGame, w.fits, w.putGame, w.putOutbox, w.putMarks} {
		if err := f(c); err != nil {
			return err
		}
	}
	return nil
}

// taken tells whether a letter was taken in before.
func (w *writer) taken(m *store.Mark) bool {
	if m.Digest != ([sha256.Size]byte{}) && w.tx.Bucket(bucketMarks).Get(m.Digest[:]) != nil {
		return true
	}
	for _, n := range m.Names {
		if content, taken := w.named(n.Hashed()); taken && (n.Once || content == n.Content) {
			return true
		}
	}
	return false
}

// fits tells whether the values and letters still are what a change was made from.
func (w *writer) fits(c *store.Change) error {
	for name, n := range c.Values {
		if store.VersionOf(w.tx.Bucket(bucketMeta).Get(valueKey(name))) != n.Was {
			return fmt.Errorf("value %q: %w", name, store.ErrOutOfStep)
		}
	}
	for _, o := range c.Outgoing {
		switch old := w.tx.Bucket(bucketOutbox).Get(number(o.ID)); { // kept is what the version is of
		case store.VersionOf(old) != o.Was:
			return fmt.Errorf("letter %d: %w", o.ID, store.ErrOutOfStep)
		case o.ID == 0 || o.ID > w.reserved:
			return fmt.Errorf("letter %d: its number was not reserved", o.ID)
		}
	}
	return nil
}

// fitsGame tells whether a game still is what a change was made from, and whether the
// new entries follow its log.
func (w *writer) fitsGame(c *store.Change) error {
	if c.Game == "" {
		return nil
	}
	last := w.Last(c.Game)
	if last != c.After {
		return fmt.Errorf("log of %s: %w", c.Game, store.ErrOutOfStep)
	}
	if store.VersionOf(w.tx.Bucket(bucketGames).Get([]byte(c.Game))) != c.Was {
		return fmt.Errorf("record of %s: %w", c.Game, store.ErrOutOfStep)
	}
	for _, e := range c.Entries {
		if !e.Holds(last) {
			return fmt.Errorf("append entry %s/%d: %w", c.Game, e.Seq, store.ErrOutOfStep)
		}
		last = e.Link
	}
	for _, e := range c.Redact {
		old, there, err := w.Entry(c.Game, e.Seq)
		if err != nil {
			return err
		}
		if !there || !old.RedactedAs(e) {
			return fmt.Errorf("redact entry %s/%d: %w", c.Game, e.Seq, store.ErrOutOfStep)
		}
	}
	return nil
}

// putGame writes what a change says of its game.
func (w *writer) putGame(c *store.Change) error {
	id := []byte(c.Game)
	if err := w.putLog(c); err != nil {
		return err
	}
	if c.Record != nil {
		if err := w.put(bucketGames, id, c.Record); err != nil {
			return err
		}
	}
	if c.Record != nil || c.Tags != nil {
		if err := w.tag(id, c.Tags); err != nil {
			return err
		}
	}
	if c.Snapshot != nil {
		if err := w.put(bucketState, id, c.Snapshot); err != nil {
			return err
		}
	}
	for _, p := range c.History {
		if err := w.put(bucketHistory, within(c.Game, number(p.Seq)...), p.Data); err != nil {
			return err
		}
	}
	for name, answer := range c.Answers {
		if err := w.keep(bucketAnswers, within(c.Game, []byte(name)...), answer); err != nil {
			return err
		}
	}
	for _, address := range c.Leave {
		if err := w.drop(bucketAddress, within(address, id...)); err != nil {
			return err
		}
	}
	for _, address := range c.Join {
		if err := w.put(bucketAddress, within(address, id...), nil); err != nil {
			return err
		}
	}
	for _, p := range c.Pages {
		key := append(within(c.Game, within(p.Seat)...), number(p.N)...)
		if p.Gone {
			if err := w.drop(bucketPages, key); err != nil {
				return err
			}
			continue
		}
		if err := w.put(bucketPages, key, p.Data); err != nil {
			return err
		}
	}
	for game, at := range c.Wake {
		if err := w.wake(game, at); err != nil {
			return err
		}
	}
	return nil
}

// tag gives a game these tags in the place of those that it had; nil: its record was committed without tags.
func (w *writer) tag(id []byte, tags []string) error {
	of := w.tx.Bucket(bucketTagsOf)
	had := tagsIn(of.Get(id))
	if tags == nil {
		if err := w.put(bucketUntagged, id, []byte{}); err != nil {
			return err
		}
	} else if w.tx.Bucket(bucketUntagged).Get(id) != nil {
		if err := w.drop(bucketUntagged, id); err != nil {
			return err
		}
	}
	has := slices.Compact(slices.Sorted(slices.Values(tags)))
	for _, tag := range had {
		if _, stays := slices.BinarySearch(has, tag); stays {
			continue
		}
		if err := w.drop(bucketTags, within(tag, id...)); err != nil {
			return err
		}
	}
	for _, tag := range has {
		if _, there := slices.BinarySearch(had, tag); there {
			continue
		}
		if err := w.put(bucketTags, within(tag, id...), []byte{}); err != nil {
			return err
		}
	}
	switch {
	case tags == nil:
		return w.drop(bucketTagsOf, id)
	case of.Get(id) != nil && slices.Equal(had, has):
		return nil
	}
	return w.put(bucketTagsOf, id, []byte(strings.Join(has, "\x00")))
}

// wake sets when a game wants to be looked at next; the zero time means never.
func (w *writer) wake(game string, at time.Time) error {
	old := w.tx.Bucket(bucketWakeOf).Get([]byte(game))
	if old != nil {
		if !at.IsZero() && bytes.Equal(old, timeKey(at)) {
			return nil
		}
		if err := w.drop(bucketWake, append(bytes.Clone(old), game...)); err != nil {
			return err
		}
	}
	if at.IsZero() {
		if old == nil {
			return nil
		}
		return w.drop(bucketWakeOf, []byte(game))
	}
	if err := w.put(bucketWakeOf, []byte(game), timeKey(at)); err != nil {
		return err
	}
	return w.put(bucketWake, timeKey(at, []byte(game)...), nil)
}

// putOutbox writes the letters of a change, and what they share.
func (w *writer) putOutbox(c *store.Change) error {
	for _, b := range c.Blobs {
		if w.tx.Bucket(bucketBlobs).Get(b.Digest[:]) != nil {
			continue
		}
		if sha256.Sum256(b.Data) != b.Digest {
			return fmt.Errorf("keep %x: these bytes have another digest", b.Digest)
		}
		if err := w.put(bucketBlobs, b.Digest[:], packed.Blob(b.Data)); err != nil {
			return err
		}
	}
	if outbox := w.tx.Bucket(bucketOutbox); c.Reserved > outbox.Sequence() {
		w.dirty = true
		if err := outbox.SetSequence(c.Reserved); err != nil {
			return fmt.Errorf("number letters: %w", err)
		}
	}
	for _, o := range c.Outgoing {
		if err := w.putOutgoing(o); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) putOutgoing(o store.Outgoing) error {
	outbox, key := w.tx.Bucket(bucketOutbox), number(o.ID)
	if outbox.Sequence() < o.ID {
		w.dirty = true
		if err := outbox.SetSequence(o.ID); err != nil {
			return fmt.Errorf("number letter: %w", err)
		}
	}
	if old := outbox.Get(key); len(old) >= 8 && !bytes.Equal(old[:8], make([]byte, 8)) {
		if err := w.drop(bucketDue, append(bytes.Clone(old[:8]), key...)); err != nil {
			return err
		}
	}
	if o.Gone {
		return w.drop(bucketOutbox, key)
	}
	var due [8]byte
	if !o.Due.IsZero() {
		copy(due[:], timeKey(o.Due))
		if err := w.put(bucketDue, append(due[:], key...), nil); err != nil {
			return err
		}
	}
	return w.put(bucketOutbox, key, append(due[:8:8], o.Body...))
}

// putMarks writes the values of a change, the marks of the letter that caused it, and removes
// the marks that are to be forgotten.
func (w *writer) putMarks(c *store.Change) error {
	for name, n := range c.Values {
		if err := w.putValue(name, n.Data); err != nil {
			return err
		}
	}
	for _, m := range c.Forget {
		if err := w.forget(m); err != nil {
			return err
		}
	}
	if c.Mark == nil {
		return nil
	}
	if c.Mark.Digest != ([sha256.Size]byte{}) {
		if err := w.put(bucketMarks, c.Mark.Digest[:], append([]byte{1}, c.Mark.Result...)); err != nil {
			return err
		}
	}
	for _, n := range c.Mark.Names {
		key := n.Hashed()
		if w.tx.Bucket(bucketIDs).Get(key[:]) != nil {
			continue // the first one stays
		}
		if err := w.put(bucketIDs, key[:], n.Content[:]); err != nil {
			return err
		}
	}
	return nil
}

// forget removes a mark. A name that another letter has, too, stays: the first letter
// that had it may be a player's.
func (w *writer) forget(m store.Mark) error {
	if err := w.drop(bucketMarks, m.Digest[:]); err != nil {
		return err
	}
	for _, n := range m.Names {
		key := n.Hashed()
		if content, taken := w.named(key); !taken || content != n.Content {
			continue
		}
		if err := w.drop(bucketIDs, key[:]); err != nil {
			return err
		}
	}
	return nil
}

func valueKey(name string) []byte { return []byte("note/" + name) }

func (w *writer) putValue(name string, data []byte) error {
	return w.keep(bucketMeta, valueKey(name), data)
}

// keep writes a value; a nil one is removed.
func (w *writer) keep(bucket, key, value []byte) error {
	if value == nil {
		return w.drop(bucket, key)
	}
	return w.put(bucket, key, value)
}

func (w *writer) put(bucket, key, value []byte) error {
	w.dirty = true
	if err := w.tx.Bucket(bucket).Put(key, value); err != nil {
		return fmt.Errorf("put %s: %w", bucket, err)
	}
	return nil
}

func (w *writer) drop(bucket, key []byte) error {
	w.dirty = true
	if err := w.tx.Bucket(bucket).Delete(key); err != nil {
		return fmt.Errorf("delete %s: %w", bucket, err)
	}
	return nil
}
