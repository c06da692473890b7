package adjudicator

import (
	"context"
	"fmt"
	"strings"

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
func (o *Office) lost(ctx context.Context, id uint64, state, why string, believed bool, also ...func(*store.Tx) error) error {
	var stored store.Row
	err := o.store.View(func(tx *store.Tx) error {
		var ok bool
		if stored, ok = tx.Row(id); !ok {
			return fmt.Errorf("lose letter %d: there is none", id)
		}
		return nil
	})
	if err != nil {
		return err
	}
	with := func(tx *store.Tx) error {
		for _, f := range also {
			if err := f(tx); err != nil {
				return err
			}
		}
		return nil
	}
	r, err := unpackRow(stored.Body)
	if err != nil { // whose it was can't be told any more; what is there is kept
		return o.store.Apply(ctx, func(tx *store.Tx) error {
			if err := with(tx); err != nil {
				return err
			}
			return tx.PutRow(store.Row{ID: id, Body: stored.Body})
		})
	}
	if r.State == stateLost || r.State == stateBounced {
		return o.store.Apply(ctx, with) // it was counted before
	}
	r.State, r.Error = state, why
	if r.Report == 0 {
		r.Letter, r.Grounds = nil, nil
	}
	packed, err := r.pack()
	if err != nil {
		return err
	}
	mark := func(tx *store.Tx) error {
		if err := with(tx); err != nil {
			return err
		}
		return tx.PutRow(store.Row{ID: id, Body: packed.body})
	}
	if r.Game == "" {
		return o.store.Apply(ctx, mark)
	}
	return o.change(ctx, r.Game, func(d *desk) error { return d.countLost(r, believed) }, mark)
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
func (o *Office) bounced(ctx context.Context, b *mail.Bounce, mark func(*store.Tx) error) error {
	id, ok := o.rowOf(b.MessageID)
	if !ok {
		id, ok = o.rowOf(b.Envelope)
	}
	if ok && b.Permanent {
		known := false
		if err := o.store.View(func(tx *store.Tx) error { _, known = tx.Row(id); return nil }); err != nil {
			return err
		}
		if known {
			why := strings.TrimSpace(b.Status + " " + b.Diagnostic)
			return o.lost(ctx, id, stateBounced, game.Clip(why, 500), b.Null, mark)
		}
	}
	return o.store.Apply(ctx, mark)
}
