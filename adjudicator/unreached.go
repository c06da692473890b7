package adjudicator

import (
	"context"
	"fmt"
	"time"

	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// A player who could not get his report is not late. When the letter that asks a
// seat for an answer comes back, or its address does not work, the seat's clock
// stands still: it is not reminded, and nothing is resolved by its default. The
// clock goes on when the player writes, when somebody else takes the seat over, or
// when the game master, who is told, releases the game.

// heldUnreached is why the default of a seat is held back whose player could not
// be reached.
const heldUnreached = "unreached"

// slowReport is how long a report may wait for its way out before the player's
// clock stands still until it has left.
const slowReport = time.Hour

// stands tells whether the clock of what a seat owes stands still.
func (s *seat) stands() bool {
	o := s.Owes
	return o != nil && !o.Stands.IsZero() && o.Answer == nil && s.played()
}

// asks tells whether a lost letter is the report that asked a seat for what it
// owes now, and its player has not written since: he does not know of it.
func (s *seat) asks(r *row) bool {
	o := s.Owes
	return o != nil && r.Report > 0 && !r.Written.Before(o.Opened) && !s.Heard.After(r.Written)
}

// stand stops the clock of what a seat owes. It tells whether it ran.
func (d *desk) stand(s *seat) (bool, error) {
	o := s.Owes
	if d.game.Phase != running || o == nil || o.Answer != nil || !s.played() || o.Deadline.IsZero() || !o.Stands.IsZero() || o.Held == heldNoMore {
		return false, nil
	}
	o.Stands, o.Passed, o.Warned = d.game.clock(d.now), false, false
	return true, d.note(Entry{Kind: LogHeld, Seat: s.Side, By: "office", Data: map[string]any{
		"why": heldUnreached, "since": o.Stands, "deadline": o.Deadline, "seat_stop": o.Stop,
	}})
}

// goOn lets a seat's clock go on that stood still: the deadline is later by the
// time that it stood, and never so near that the player could not answer.
func (d *desk) goOn(s *seat) {
	o := s.Owes
	if o == nil || o.Stands.IsZero() {
		return
	}
	stood := d.game.clock(d.now).Sub(o.Stands)
	o.Stands = time.Time{}
	if o.Deadline.IsZero() {
		return
	}
	r := d.game.Timing.of(o.Decision.Kind)
	to := o.Deadline.Add(stood)
	if least := d.now.Add(d.office.grace(r)); to.Before(least) {
		to = least
	}
	if to = s.afterAbsence(r, d.now, r.place(to)); to.After(o.Deadline) {
		d.postpone(s, to)
	}
}

// tellStands tells the game master that a seat's clock stands still, why, and what
// he can do.
func (d *desk) tellStands(s *seat, lines ...phrase.Phrase) {
	lines = append(lines, phrase.Say("office.lost.stands", sideName(s.Side)), phrase.Say("office.lost.go-on"))
	d.postGM("notice", nil, d.office.words.Notice(templates.Notice{
		Heading: d.gmHeading(), Subject: phrase.Say("office.lost.subject", sideName(s.Side)), Lines: lines,
		Texts: []string{releaseForm(d.game.ID, d.office.gmKey(d.game))},
	}))
}

// releaseForm is a letter with which a game master releases a game. It is framed, so
// that a program that answers by quoting what it gets releases nothing.
func releaseForm(game, key string) string {
	return orders.Frame(orders.Mapping().Set("game", orders.Text(game)).Set("key", orders.Text(key)).Set("command", orders.Text("release")).Encode())
}

// waits stops the clock of who waits for a report that can't be sent for long.
func (o *Office) waits(ctx context.Context, r *row) error {
	now := o.now()
	if r.Report == 0 || r.Slow || min(now.Sub(r.Written), now.Sub(r.Again)) < slowReport {
		return nil
	}
	if err := o.clockOf(ctx, r, func(d *desk, s *seat) error {
		_, err := d.stand(s)
		return err
	}); err != nil {
		return err
	}
	r.Slow = true
	return nil
}

// left lets his clock go on when the report has left after all.
func (o *Office) left(ctx context.Context, r *row) error {
	if !r.Slow {
		return nil
	}
	return o.clockOf(context.WithoutCancel(ctx), r, func(d *desk, s *seat) error {
		if !s.Dead {
			d.goOn(s)
		}
		return nil
	})
}

func (o *Office) clockOf(ctx context.Context, r *row, do func(*desk, *seat) error) error {
	err := o.change(ctx, r.Game, func(d *desk) error {
		if s := d.holder(r); s != nil && s.asks(r) {
			return do(d, s)
		}
		return nil
	}, nil)
	if err != nil {
		return fmt.Errorf("keep the clock of who waits for a report: %w", err)
	}
	return nil
}
