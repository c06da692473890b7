package outbox

import (
	"context"
	"fmt"
	"strings"
	"time"

	"berthier/adjudicator/store"
	"berthier/mail"
	"berthier/orders/phrase"
)

// lost marks a letter that will never arrive, and tells its game, together with what else is
// to be written.
func (b *Box) lost(ctx context.Context, id uint64, state, why string, believed bool, with store.Change) error {
	return store.Again(ctx, func() error { return b.lose(ctx, id, state, why, believed, with.Clone()) })
}

func (b *Box) lose(ctx context.Context, id uint64, state, why string, believed bool, c store.Change) error {
	var out store.Outgoing
	err := b.read(ctx, func(tx store.Reader) error {
		var ok bool
		if out, ok = c.OutgoingIn(tx, id); !ok {
			return fmt.Errorf("lose letter %d: there is none", id)
		}
		return nil
	})
	if err != nil {
		return err
	}
	out.Due = time.Time{}
	r, err := Unpack(out.Body)
	if err != nil { // it is no longer known whose letter it was; the record is kept
		c.PutOutgoing(out)
		return b.store.Commit(ctx, c)
	}
	if r.State == StateLost || r.State == StateBounced {
		return b.store.Commit(ctx, c) // it was counted before
	}
	r.State, r.Error = state, phrase.Clip(why, longestError)
	r.empty()
	if out.Body, _, err = r.Pack(); err != nil {
		return err
	}
	c.PutOutgoing(out)
	if r.Game == "" {
		return b.store.Commit(ctx, c)
	}
	return b.games.Hear(ctx, Lost{Letter: r, Believed: believed, With: c})
}

// longestError is how many bytes are kept of the reason why a letter could not be sent.
const longestError = 500

// Bounced takes in what a mail server says about one of the office's letters, together with
// what else is to be written.
func (b *Box) Bounced(ctx context.Context, bounce *mail.Bounce, with store.Change) error {
	id, ok := b.Number(bounce.MessageID)
	if !ok {
		id, ok = b.Number(bounce.Envelope)
	}
	if ok && bounce.Permanent {
		known := false
		if err := b.read(ctx, func(tx store.Reader) error { _, known = tx.Outgoing(id); return nil }); err != nil {
			return err
		}
		if known {
			return b.lost(ctx, id, StateBounced, strings.TrimSpace(bounce.Status+" "+bounce.Diagnostic), bounce.Null, with)
		}
	}
	return b.store.Commit(ctx, with)
}
