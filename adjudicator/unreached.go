package adjudicator

import (
	"time"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A player who could not get his report is not late. While it can't be sent the
// seat's clock stands still: it is not reminded, and nothing is resolved by its
// default. When the report comes back, or its address does not work, the clock stands
// still, too, but once for a player and no longer than a grace: a letter that says so
// can be forged by the one whose clock it stops. The clock goes on when the player
// writes, when somebody else takes the seat over, when the game master, who is told,
// releases the game, or when the grace is over, of which he is told again.

// heldUnreached is why the default of a seat is held back whose player could not
// be reached.
const heldUnreached = "unreached"

// stands tells whether the clock of what a seat owes stands still.
func (s *seat) stands() bool {
	o := s.Owes
	return o != nil && !o.Stands.IsZero() && o.Answer == nil && s.played()
}

// asks tells whether a lost letter is the report that asked a seat for what it
// owes now, and its player has not written since: he does not know of it.
func (s *seat) asks(p mailed) bool {
	o := s.Owes
	return o != nil && p.report > 0 && !p.written.Before(o.Opened) && !s.Heard.After(p.written)
}

// stand stops the clock of what a seat owes: until its report has left, or, with back,
// since that came back. It tells whether the clock ran.
func (t *turn) stand(s *seat, back bool) (bool, error) {
	o := s.Owes
	if t.game.Phase != running || o == nil || o.Answer != nil || !s.played() || o.Deadline.IsZero() || o.Held == heldNoMore {
		return false, nil
	}
	ran, now := o.Stands.IsZero(), t.game.clock(t.now)
	switch {
	case !ran && !(back && o.Unsent), back && ran && s.Stood:
		return false, nil
	case back && !ran: // it waited for its way out, and is lost
		t.postpone(s, o.Deadline.Add(now.Sub(o.Stands)))
		o.Stands, o.Unsent, o.GoesOn = now, false, now
		if !s.Stood {
			o.GoesOn, s.Stood = now.Add(t.graceOf(t.game.Timing.Of(o.Decision.Kind))), true
		}
	case back:
		o.Unsent, o.GoesOn, s.Stood = false, now.Add(t.graceOf(t.game.Timing.Of(o.Decision.Kind))), true
	default:
		o.Unsent = true
	}
	if ran {
		o.Stands, o.Passed, o.Warned = now, false, false
	}
	data := map[string]any{"why": heldUnreached, "since": o.Stands, "deadline": o.Deadline, "seat_stop": o.Stop}
	if !o.GoesOn.IsZero() {
		data["goes_on"] = o.GoesOn
	}
	return ran || back, t.note(log.Entry{Kind: log.KindHeld, Seat: s.Side, By: "office", Data: data})
}

// runs lets the clock run.
func (o *owes) runs() { o.Stands, o.Unsent, o.GoesOn = time.Time{}, false, time.Time{} }

// goOn lets a seat's clock go on that stood still: the deadline is later by the
// time that it stood, and never so near that the player could not answer. If it stood
// because a letter came back, all that he has by it is a grace.
func (t *turn) goOn(s *seat) {
	o := s.Owes
	if o == nil || o.Stands.IsZero() {
		return
	}
	stood, unsent := t.game.clock(t.now).Sub(o.Stands), o.GoesOn.IsZero()
	o.runs()
	if o.Deadline.IsZero() {
		return
	}
	r := t.game.Timing.Of(o.Decision.Kind)
	grace := t.graceOf(r)
	to := o.Deadline.Add(stood)
	if least := t.now.Add(grace); to.Before(least) {
		to = least
	}
	if most := o.Deadline.Add(grace); !unsent && to.After(most) {
		to = most
	}
	if to = s.afterAbsence(r, t.now, r.Place(to)); to.After(o.Deadline) {
		t.postpone(s, to)
	}
}

// asksTheDead tells the game master that a seat is asked for another answer whose
// address does not work. If so many letters came back that the report is not sent at
// all, it can't come back either: the clock stands still at once.
func (t *turn) asksTheDead(s *seat) error {
	stood := false
	if s.Back && s.Failures >= mostBounces {
		var err error
		if stood, err = t.stand(s, true); err != nil {
			return err
		}
	}
	dead := phrase.Say("office.lost.still-dead", sideName(s.Side))
	if stood {
		t.tellStands(s, dead)
	} else {
		t.tellGM(phrase.Say("office.lost.subject", sideName(s.Side)), dead, phrase.Say("office.lost.runs.do"))
	}
	return nil
}

// stoodLongEnough lets a seat's clock go on whose player has not written although a
// grace is over since his report came back. The game master is told again.
func (t *turn) stoodLongEnough(s *seat) error {
	t.goOn(s)
	if err := t.note(log.Entry{Kind: log.KindReleased, Seat: s.Side, By: "office", Data: map[string]any{"why": heldUnreached, "deadline": s.Owes.Deadline, "seat_stop": s.Owes.Stop}}); err != nil {
		return err
	}
	t.tellGM(phrase.Say("office.lost.runs.subject", sideName(s.Side)), phrase.Say("office.lost.runs", sideName(s.Side),
		phrase.Literal("address", s.Person.Address), phrase.Within("deadline", sayTime(s.Owes.Deadline))), phrase.Say("office.lost.runs.do"))
	return nil
}

// tellStands tells the game master that a seat's clock stands still, why, and what
// he can do.
func (t *turn) tellStands(s *seat, lines ...phrase.Phrase) {
	lines = append(lines, phrase.Say("office.lost.stands", sideName(s.Side)), phrase.Say("office.lost.go-on"))
	t.says(engine.GM, t.game.GM, notice{subject: phrase.Say("office.lost.subject", sideName(s.Side)), lines: lines, release: true})
}

// releaseForm is a letter with which a game master releases a game. It is framed, so
// that a program that answers by quoting what it gets releases nothing.
func releaseForm(game, key string) string {
	return orders.Frame(orders.Mapping().Set("game", orders.Text(game)).Set("key", orders.Text(key)).Set("command", orders.Text("release")).Encode())
}
