package adjudicator

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"berthier/adjudicator/store"
	"berthier/mail"
)

// That a letter was taken in is kept for good, so that it never counts twice. A letter
// that had no consequences, as a stranger's or a machine's, would have none the second
// time either: that it came is forgotten after a while, or anybody could fill the
// database for ever.

// strangersKept is for how long it is kept that such a letter came.
const strangersKept = 60 * 24 * time.Hour

// mostForgotten is how many marks are taken away in one step.
const mostForgotten = 500

// forgetNote begins the names of the notes under which the store keeps which marks are
// to be taken away, in the order of time.
const forgetNote = "forget/"

// foundNote is there once the marks of an older program were looked through.
const foundNote = "forget-found"

func forgetName(at time.Time, digest [32]byte) string {
	var when [8]byte
	binary.BigEndian.PutUint64(when[:], uint64(max(at.Unix(), 0)))
	return forgetNote + hex.EncodeToString(when[:]) + hex.EncodeToString(digest[:])
}

// markForAWhile notes, as mark does, that a letter without consequences was taken in,
// and that this is to be forgotten.
func (it *intake) markForAWhile(what string, folder mail.Folder) func(*store.Tx) error {
	mark := it.mark("", what, folder)
	return func(tx *store.Tx) error {
		if err := mark(tx); err != nil {
			return err
		}
		content := it.content()
		return tx.PutNote(forgetName(it.now, it.letter.Digest), append(content[:], it.letter.MessageID...))
	}
}

// forget takes away what is to be forgotten by now, step by step.
func (o *Office) forget(ctx context.Context) error {
	if err := o.findForgettable(ctx); err != nil {
		return err
	}
	until := forgetName(o.now().Add(-strangersKept), [32]byte{})
	for ctx.Err() == nil {
		var old []forgettable
		if err := o.store.View(func(tx *store.Tx) error {
			return tx.Notes(forgetNote, func(name string, data []byte) error {
				if name >= until || len(old) == mostForgotten {
					return errEnough
				}
				old = append(old, forgettable{name, data})
				return nil
			})
		}); err != nil && !errors.Is(err, errEnough) {
			return err
		}
		if len(old) == 0 {
			return nil
		}
		if err := o.store.Apply(ctx, func(tx *store.Tx) error {
			for _, i := range old {
				if err := i.forget(tx); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}

// A forgettable is a note of a mark that is to be taken away: its name, and the content
// of the letter with its Message-ID behind it, if they were noted.
type forgettable struct {
	name string
	data []byte
}

func (f forgettable) forget(tx *store.Tx) error {
	if digest, err := hex.DecodeString(f.name[min(len(f.name), len(forgetNote)+16):]); err == nil && len(digest) == 32 {
		if err := tx.Unmark([32]byte(digest)); err != nil {
			return err
		}
	}
	if len(f.data) > 32 {
		// The first letter under a Message-ID stays: it may be a player's.
		if content, taken := tx.MarkedID(string(f.data[32:])); taken && content == [32]byte(f.data[:32]) {
			if err := tx.UnmarkID(string(f.data[32:])); err != nil {
				return err
			}
		}
	}
	return tx.PutNote(f.name, nil)
}

// errEnough ends a walk.
var errEnough = errors.New("enough")

// findForgettable lists, once, the marks of letters without consequences that a program
// made which did not list them.
func (o *Office) findForgettable(ctx context.Context) error {
	if o.found.Load() {
		return nil
	}
	var names []string
	found := false
	if err := o.store.View(func(tx *store.Tx) error {
		if found = tx.Note(foundNote) != nil; found {
			return nil
		}
		return tx.Marks(func(digest [32]byte, data []byte) error {
			var n note
			if json.Unmarshal(data, &n) == nil && n.Game == "" && (strings.HasPrefix(n.What, "stranger") || strings.HasPrefix(n.What, "automatic: ")) {
				names = append(names, forgetName(n.At, digest))
			}
			return nil
		})
	}); err != nil {
		return err
	}
	if !found {
		if err := o.store.Apply(ctx, func(tx *store.Tx) error {
			for _, name := range names {
				if err := tx.PutNote(name, []byte{}); err != nil {
					return err
				}
			}
			return tx.PutNote(foundNote, []byte("yes"))
		}); err != nil {
			return err
		}
	}
	o.found.Store(true)
	return nil
}
