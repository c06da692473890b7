package adjudicator

import (
	"context"
	"fmt"
	"time"

	"berthier/adjudicator/log"
	"berthier/adjudicator/outbox"
	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/mail"
	"berthier/orders/phrase"
)

// What the outbox tells a game of its letters, and what the game makes of it.

// mostFailures is after how many letters lost for good an address is marked.
const mostFailures = 2

// mostBounces is after how many of them no more letters are sent to the address,
// until its player writes again.
const mostBounces = 5

// A mailed is what a game must know of one of its letters.
type mailed struct {
	seat    engine.Side // whose letter it is; [engine.GM] for the game master's
	epoch   int         // of the seat's key then
	address string
	kind    string
	report  int // its number, if it is a report
	written time.Time
	state   string // what became of it
	why     string
}

func mailedOf(l *outbox.Outgoing) mailed {
	return mailed{l.Seat, l.Epoch, l.Address, l.Kind, l.Report, l.Written, l.State, l.Error}
}

// games are those of the office, as its outbox knows them.
type games struct{ *Office }

// Hear implements [outbox.Games].
func (o games) Hear(ctx context.Context, n outbox.News) error {
	switch n := n.(type) {
	case outbox.Lost:
		return o.change(ctx, n.Letter.Game, func(d *desk) error {
			d.also = n.With
			return d.countLost(mailedOf(n.Letter), n.Believed)
		})
	case outbox.Waits:
		return o.clockOf(ctx, n.Letter, func(d *desk, s *seat) error {
			_, err := d.stand(s, false)
			return err
		})
	case outbox.Left:
		return o.clockOf(ctx, n.Letter, func(d *desk, s *seat) error {
			// What is thought of the address, which a letter can have feigned, keeps nobody's
			// clock still that stood for this report alone.
			if !s.Dead || s.Owes.Unsent {
				d.goOn(s)
			}
			return nil
		})
	case outbox.Due:
		return o.change(ctx, n.Letter.Game, func(d *desk) error {
			d.also = n.With
			if s := d.game.seat(n.Letter.Seat); s != nil && s.Epoch == n.Letter.Epoch {
				return d.tellVerdicts(s, true)
			}
			return nil
		})
	}
	return fmt.Errorf("nobody knows what to make of %T", n)
}

// May implements [outbox.Games]: an observer may not look on any more.
func (o games) May(l *outbox.Outgoing) (may bool, err error) {
	if l.Kind != "observer" {
		return true, nil
	}
	err = o.read(func(tx store.Reader) error {
		g, err := readGame(tx.Game(l.Game))
		if err == nil {
			may = g.observing(l.Address)
		}
		return err
	})
	return may, err
}

// Send sends the letters that are due, as [outbox.Box.Send] does.
func (o *Office) Send(ctx context.Context, by mail.Sender) (int, error) { return o.box.Send(ctx, by) }

// clockOf does something about the clock of who waits for a report.
func (o *Office) clockOf(ctx context.Context, l *outbox.Outgoing, do func(*desk, *seat) error) error {
	about := mailedOf(l)
	err := o.change(ctx, l.Game, func(d *desk) error {
		if s := d.holder(about); s != nil && s.asks(about) {
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
func (d *desk) countLost(p mailed, believed bool) (err error) {
	data := map[string]any{"kind": p.kind, "error": p.why, "state": p.state}
	s, about := d.holder(p), p.seat
	if s != nil {
		about = s.Side
	}
	if err := d.note(log.Entry{Kind: log.KindLost, Seat: about, By: "office", Data: data}); err != nil {
		return err
	}
	if s == nil {
		return nil // the game master's own, or of a player who has gone
	}
	s.Failures++
	if s.Failures == mostBounces {
		d.tellGM(phrase.Say("office.lost.subject", sideName(s.Side)), phrase.Say("office.lost.stopped", sideName(s.Side), phrase.Number("letters", mostBounces)))
	}
	s.Dead = s.Dead || s.Failures >= mostFailures
	stood := false
	s.Back = s.Back || believed
	if believed && s.asks(p) {
		if stood, err = d.stand(s, true); err != nil {
			return err
		}
	}
	lines := []phrase.Phrase{phrase.Say("office.lost.letter", sideName(s.Side), phrase.Literal("address", s.Person.Address),
		phrase.Literal("error", p.why))}
	if s.Failures == mostFailures {
		lines = append(lines, phrase.Say("office.lost.dead", sideName(s.Side)))
	}
	switch {
	case stood:
		d.tellStands(s, lines...)
	case s.Failures <= mostFailures:
		d.tellGM(phrase.Say("office.lost.subject", sideName(s.Side)), lines...)
	}
	return nil
}
