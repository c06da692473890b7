package adjudicator

import (
	"context"
	"fmt"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/outbox"
	"berthier/adjudicator/store"
	"berthier/mail"
	"berthier/orders/phrase"
)

// What the outbox tells a game of its letters, and what the game makes of it.

// mostFailures is after how many letters lost for good an address is marked.
const mostFailures = 2

// games are those of the office, as its outbox knows them.
type games struct{ office *Office }

// Hear implements [outbox.Games].
func (g games) Hear(ctx context.Context, n outbox.News) error {
	switch n := n.(type) {
	case outbox.Lost:
		return g.office.change(ctx, n.Letter.Game, func(d *desk) error {
			d.also = n.With
			return d.countLost(n.Letter, n.Believed)
		})
	case outbox.Waits:
		return g.office.clockOf(ctx, n.Letter, func(d *desk, s *game.Seat) error {
			_, err := game.Stand(d.Turn, s, false)
			return err
		})
	case outbox.Left:
		return g.office.clockOf(ctx, n.Letter, func(d *desk, s *game.Seat) error {
			// What is thought of the address, which a letter can have feigned, keeps nobody's
			// clock still that stood for this report alone.
			if !s.Dead || s.Owes.Unsent {
				game.GoOn(d.Turn, s)
			}
			return nil
		})
	case outbox.Due:
		return g.office.change(ctx, n.Letter.Game, func(d *desk) error {
			d.also = n.With
			if s := d.Game.Seat(n.Letter.Seat); s != nil && s.Epoch == n.Letter.Epoch {
				return game.TellVerdicts(d.Turn, s, true)
			}
			return nil
		})
	}
	return fmt.Errorf("nobody knows what to make of %T", n)
}

// May implements [outbox.Games]: an observer may not look on any more.
func (g games) May(l *outbox.Outgoing) (may bool, err error) {
	if l.Kind != "observer" {
		return true, nil
	}
	err = g.office.read(func(tx store.Reader) error {
		state, err := game.Read(tx.Game(l.Game))
		if err == nil {
			may = state.Observing(l.Address)
		}
		return err
	})
	return may, err
}

// Send sends the letters that are due, as [outbox.Box.Send] does.
func (o *Office) Send(ctx context.Context, by mail.Sender) (int, error) { return o.box.Send(ctx, by) }

// clockOf does something about the clock of who waits for a report.
func (o *Office) clockOf(ctx context.Context, l *outbox.Outgoing, do func(*desk, *game.Seat) error) error {
	err := o.change(ctx, l.Game, func(d *desk) error {
		if s := d.holder(l); s != nil && asksFor(s, l) {
			return do(d, s)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("keep the clock of who waits for a report: %w", err)
	}
	return nil
}

// countLost counts a letter that will never arrive against the address of the seat that
// it was for, and tells the game master.
func (d *desk) countLost(r *outbox.Outgoing, believed bool) (err error) {
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
