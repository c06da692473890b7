package game

import (
	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/mail/mailbox"
	"berthier/orders/phrase"
)

// A player who could not get his report is not late. While it can't be sent the
// seat's clock stands still: it is not reminded, and nothing is resolved by its
// default. When the report comes back, or its address does not work, the clock stands
// still, too, but once for a player and no longer than a grace: a letter that says so
// can be forged by the one whose clock it stops. The clock goes on when the player
// writes, when somebody else takes the seat over, when the game master, who is told,
// releases the game, or when the grace is over, of which he is told again.

// MostBounces is the number of letters that came back after which no more letters are sent
// to the address, until its player writes again.
const MostBounces = 5

// HeldUnreached is the reason why the default of a seat is held back whose player could not
// be reached.
const HeldUnreached = "unreached"

// Stands tells whether the clock of what a seat owes stands still.
func (s *Seat) Stands() bool {
	o := s.Owes
	return o != nil && !o.Stands.IsZero() && o.Answer == nil && s.Played()
}

// Stand stops the clock of what a seat owes: until its report has left or, with back,
// because the report came back. It tells whether the clock ran before.
func Stand(t *Turn, s *Seat, back bool) (bool, error) {
	o := s.Owes
	if t.Game.Phase != Running || o == nil || o.Answer != nil || !s.Played() || o.Deadline.IsZero() || o.Held == HeldNoMore {
		return false, nil
	}
	ran, now := o.Stands.IsZero(), t.Game.Clock(t.Now)
	switch {
	case !ran && !(back && o.Unsent), back && ran && s.Stood:
		return false, nil
	case back && !ran: // it waited for its way out, and is lost
		Postpone(t, s, o.Deadline.Add(now.Sub(o.Stands)))
		o.Stands, o.Unsent, o.GoesOn = now, false, now
		if !s.Stood {
			o.GoesOn, s.Stood = now.Add(t.GraceOf(t.Game.Timing.Of(o.Decision.Kind))), true
		}
	case back:
		o.Unsent, o.GoesOn, s.Stood = false, now.Add(t.GraceOf(t.Game.Timing.Of(o.Decision.Kind))), true
	default:
		o.Unsent = true
	}
	if ran {
		o.Stands, o.Passed, o.Warned = now, false, false
	}
	data := map[string]any{"why": HeldUnreached, "since": o.Stands, "deadline": o.Deadline, "seat_stop": o.Stop}
	if !o.GoesOn.IsZero() {
		data["goes_on"] = o.GoesOn
	}
	return ran || back, t.Log(log.Entry{Kind: log.KindHeld, Seat: s.Side, By: "office", Data: data})
}

// GoOn lets a seat's clock go on that stood still: the deadline is later by the
// time that it stood, and never so near that the player could not answer. If it stood
// because a letter came back, the player gets at most a grace by that.
func GoOn(t *Turn, s *Seat) {
	o := s.Owes
	if o == nil || o.Stands.IsZero() {
		return
	}
	now := t.Game.Clock(t.Now)
	stood, unsent := now.Sub(o.Stands), o.GoesOn.IsZero()
	o.Runs()
	if o.Deadline.IsZero() {
		return
	}
	r := t.Game.Timing.Of(o.Decision.Kind)
	grace := t.GraceOf(r)
	to := o.Deadline.Add(stood)
	if least := now.Add(grace); to.Before(least) {
		to = least
	}
	if most := o.Deadline.Add(grace); !unsent && to.After(most) {
		to = most
	}
	to = r.Place(to)
	if deadline := s.AfterAbsence(r, t.Now, to); deadline.After(o.Deadline) {
		o.Gained += deadline.Sub(to)
		Postpone(t, s, deadline)
	}
}

// asksTheDead tells the game master that a seat whose address does not work is asked for
// another answer. If so many letters came back that the report is not sent at
// all, it can't come back either: the clock stands still at once.
func asksTheDead(t *Turn, s *Seat) error {
	stood := false
	if s.Back && s.Failures >= MostBounces {
		var err error
		if stood, err = Stand(t, s, true); err != nil {
			return err
		}
	}
	dead := phrase.Say("office.lost.still-dead", SideName(s.Side))
	if stood {
		TellStands(t, s, dead)
	} else {
		t.TellOf(s, phrase.Say("office.lost.subject", SideName(s.Side)), dead, phrase.Say("office.lost.runs.do"))
	}
	return nil
}

// stoodLongEnough lets a seat's clock go on if its player has not written although a
// grace is over since his report came back. The game master is told again.
func stoodLongEnough(t *Turn, s *Seat) error {
	GoOn(t, s)
	if err := t.Log(log.Entry{Kind: log.KindReleased, Seat: s.Side, By: "office", Data: map[string]any{"why": HeldUnreached, "deadline": s.Owes.Deadline, "seat_stop": s.Owes.Stop}}); err != nil {
		return err
	}
	t.TellOf(s, phrase.Say("office.lost.runs.subject", SideName(s.Side)), phrase.Say("office.lost.runs", SideName(s.Side),
		phrase.Literal("address", s.Person.Address), phrase.Within("deadline", Moment(s.Owes.Deadline))), phrase.Say("office.lost.runs.do"))
	return nil
}

// TellStands tells the game master that a seat's clock stands still, why, and what
// he can do; if he plays on another side, those who may know it.
func TellStands(t *Turn, s *Seat, lines ...phrase.Phrase) {
	lines = append(lines, phrase.Say("office.lost.stands", SideName(s.Side)))
	subject := phrase.Say("office.lost.subject", SideName(s.Side))
	if _, blind := t.Blind(t.Game.GM.Address); blind && !mailbox.Same(s.Person.Address, t.Game.GM.Address) {
		t.TellWhoMayKnow(subject, append(lines, phrase.Say("office.lost.go-on-key"))...)
		return
	}
	lines = append(lines, phrase.Say("office.lost.go-on"))
	t.Tell(engine.GM, t.Game.GM, Notice{Subject: subject, Lines: lines, Release: true})
}
