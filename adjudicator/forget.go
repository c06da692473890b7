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

// It is kept for good that a letter was taken in, so that it never counts twice. A letter
// that had no consequences, such as a stranger's or a machine's, would have none the second
// time either: that it came is forgotten after a while, or anybody could fill the
// database without end.

// strangersKept is how long it is kept that such a letter came.
const strangersKept = 60 * 24 * time.Hour

// mostForgotten is how many marks are removed in one step.
const mostForgotten = 500

// forgetPrefix is the beginning of the names of values that say which marks are to be removed,
// in the order of time.
const forgetPrefix = "forget/"

// forgetFound is there once the marks that an older program made were looked through.
const forgetFound = "forget-found"

func forgetName(at time.Time, digest [32]byte) string {
	var when [8]byte
	binary.BigEndian.PutUint64(when[:], uint64(max(at.Unix(), 0)))
	return forgetPrefix + hex.EncodeToString(when[:]) + hex.EncodeToString(digest[:])
}

// markForAWhile adds to a change, as mark does, that a letter without consequences was
// taken in, and that this is to be forgotten.
func (it *arrival) markForAWhile(c *store.Change, what string, folder mail.Folder) error {
	content := it.Content()
	c.PutValue(forgetName(it.Now, it.Mail.Digest), store.Value{Data: append(content[:], it.Mail.MessageID...)})
	return it.mark(c, "", what, folder)
}

// forget removes the marks that are to be forgotten by now, step by step.
func (l loop) forget(ctx context.Context) error {
	o := l.office
	if err := l.findForgettable(ctx); err != nil {
		return err
	}
	until := forgetName(o.now().Add(-strangersKept), [32]byte{})
	for ctx.Err() == nil {
		var (
			c store.Change
			n int
		)
		if err := o.read(func(tx store.Reader) error {
			return tx.Values(forgetPrefix, func(name string, data []byte) error {
				if name >= until || n == mostForgotten {
					return errEnough
				}
				n++
				c.Forget = append(c.Forget, toForget(name, data))
				c.PutValue(name, store.Value{Was: store.VersionOf(data)})
				return nil
			})
		}); err != nil && !errors.Is(err, errEnough) {
			return err
		}
		if n == 0 {
			return nil
		}
		if err := o.store.Commit(ctx, c); err != nil && !errors.Is(err, store.ErrOutOfStep) {
			return err
		}
	}
	return nil
}

// toForget is the mark that a value says is to be removed: the name of the value holds the
// letter's digest, the value holds the letter's content and after it its Message-ID, if they
// were noted. The first letter under a Message-ID stays: it may be a player's.
func toForget(name string, data []byte) (m store.Mark) {
	if digest, err := hex.DecodeString(name[min(len(name), len(forgetPrefix)+16):]); err == nil && len(digest) == len(m.Digest) {
		m.Digest = [32]byte(digest)
	}
	if len(data) > 32 {
		m.Names = []store.Name{{Name: string(data[32:]), Content: [32]byte(data[:32])}}
	}
	return m
}

// errEnough ends a walk.
var errEnough = errors.New("enough")

// findForgettable lists, once, the marks of letters without consequences that were made by a
// program that did not list them.
func (l loop) findForgettable(ctx context.Context) error {
	o := l.office
	if o.found.Load() {
		return nil
	}
	var c store.Change
	found := false
	if err := o.read(func(tx store.Reader) error {
		if found = tx.Value(forgetFound) != nil; found {
			return nil
		}
		c.PutValue(forgetFound, store.Value{Data: []byte("yes")})
		return tx.Marks(func(digest [32]byte, data []byte) error {
			var n mark
			if json.Unmarshal(data, &n) == nil && n.Game == "" && (strings.HasPrefix(n.What, "stranger") || strings.HasPrefix(n.What, "automatic: ")) {
				if name := forgetName(n.At, digest); tx.Value(name) == nil {
					c.PutValue(name, store.Value{Data: []byte{}})
				}
			}
			return nil
		})
	}); err != nil {
		return err
	}
	if !found {
		if err := o.store.Commit(ctx, c); err != nil {
			return err
		}
	}
	o.found.Store(true)
	return nil
}
