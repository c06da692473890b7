package adjudicator

import (
	"context"
	"fmt"
	"strings"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/store"
	"berthier/mail"
	"berthier/orders/phrase"
)

// mostFailures is after how many letters lost for good an address is marked.
const mostFailures = 2

// lost marks a letter that will never arrive, counts it against the address,
// and tells the game master. If it is believed, which a letter that anybody can
// write is not at once, a report stops the clock of who should have had it.
func (o *Office) lost(ctx context.Context, id uint64, state, why string, believed bool, with store.Change) error {
	return again(ctx, func() error { return o.lose(ctx, id, state, why, believed, with.Clone()) })
}

func (o *Office) lose(ctx context.Context, id uint64, state, why string, believed bool, c store.Change) error {
	var out store.Outgoing
	err := o.read(func(tx store.Reader) error {
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
	r, err := unpackRow(out.Body)
	if err != nil { // whose it was can't be told any more; what is there is kept
		c.PutOutgoing(out)
		return o.store.Commit(ctx, c)
	}
	if r.State == stateLost || r.State == stateBounced {
		return o.store.Commit(ctx, c) // it was counted before
	}
	r.State, r.Error = state, why
	if r.Report == 0 {
		r.Letter, r.Grounds = nil, nil
	}
	if out.Body, _, err = r.pack(); err != nil {
		return err
	}
	c.PutOutgoing(out)
	if r.Game == "" {
		return o.store.Commit(ctx, c)
	}
	return o.change(ctx, r.Game, func(d *desk) error {
		d.also = c
		return d.countLost(r, believed)
	})
}

// countLost counts a letter that will never arrive against the address of the seat that
// it was for, and tells the game master.
func (d *desk) countLost(r *row, believed bool) (err error) {
	data := map[string]any{"kind": r.Kind, "error": r.Error, "state": r.State}
	s, about := d.holder(r), r.Seat
	if s != nil {
		about = s.Side
	}
	if err := d.Log(log.Entry{Kind: log.KindLost, Seat: about, By: "office", Data: data}); err != nil {
		return err
	}
	if s == nil {
		return nil // the game master's own, or of a player who has gone
	}
	s.Failures++
	if s.Failures == game.MostBounces {
		d.TellGM(phrase.Say("office.lost.subject", game.SideName(s.Side)), phrase.Say("office.lost.stopped", game.SideName(s.Side), phrase.Number("letters", game.MostBounces)))
	}
	s.Dead = s.Dead || s.Failures >= mostFailures
	stood := false
	s.Back = s.Back || believed
	if believed && asksFor(s, r) {
		if stood, err = game.Stand(d.Turn, s, true); err != nil {
			return err
		}
	}
	lines := []phrase.Phrase{phrase.Say("office.lost.letter", game.SideName(s.Side), phrase.Literal("address", s.Person.Address),
		phrase.Literal("error", r.Error))}
	if s.Failures == mostFailures {
		lines = append(lines, phrase.Say("office.lost.dead", game.SideName(s.Side)))
	}
	switch {
	case stood:
		game.TellStands(d.Turn, s, lines...)
	case s.Failures <= mostFailures:
		d.TellGM(phrase.Say("office.lost.subject", game.SideName(s.Side)), lines...)
	}
	return nil
}

// bounced takes in what a mail server says about a letter of ours.
func (o *Office) bounced(ctx context.Context, b *mail.Bounce, with store.Change) error {
	id, ok := o.rowOf(b.MessageID)
	if !ok {
		id, ok = o.rowOf(b.Envelope)
	}
	if ok && b.Permanent {
		known := false
		if err := o.read(func(tx store.Reader) error { _, known = tx.Outgoing(id); return nil }); err != nil {
			return err
		}
		if known {
			why := strings.TrimSpace(b.Status + " " + b.Diagnostic)
			return o.lost(ctx, id, stateBounced, phrase.Clip(why, 500), b.Null, with)
		}
	}
	return o.store.Commit(ctx, with)
}
