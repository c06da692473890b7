package game

import (
	"cmp"
	"encoding/hex"
	"time"

	"berthier/adjudicator/log"
	"berthier/adjudicator/timing"
	"berthier/engine"
	"berthier/orders/phrase"
)

// Paused says that the game's clock is stopped: no deadline passes and no stop is resolved.
type Paused struct{ By, Reason string }

func (p Paused) happen(t *Turn) error {
	if t.Game.Phase != Running {
		return Refuse("office.gm.ended")
	}
	if !t.Game.Paused.IsZero() {
		return Refuse("office.gm.paused-already")
	}
	t.Game.Paused = t.Now
	if err := t.Log(log.Entry{Kind: log.KindPaused, By: p.By, Data: map[string]string{"reason": p.Reason}}); err != nil {
		return err
	}
	t.TellSeats(phrase.Say("office.paused.subject"), phrase.Say("office.paused.what", phrase.Literal("reason", p.Reason)))
	return nil
}

// Resumed says that the game's clock goes on: all deadlines are later by the time that it
// stood still.
type Resumed struct{}

func (Resumed) happen(t *Turn) error {
	g := t.Game
	if g.Phase != Running {
		return Refuse("office.gm.ended")
	}
	if g.Paused.IsZero() {
		return Refuse("office.gm.not-paused")
	}
	if g.Unlike != "" && g.Unlike == t.Digest {
		return Refuse("office.gm.rules-unlike")
	}
	g.Unlike = "" // the program before is back
	if err := runsAgain(t); err != nil {
		return err
	}
	t.TellSeats(phrase.Say("office.resumed.subject"), phrase.Say("office.resumed.what"))
	return settle(t)
}

// ForgetFault lets a game go on that stands still because the ruleset failed at it
// ([State.Fault]), since a game master has changed what it failed at. Where the game stands
// still for another reason, too, the clock does not run yet. Nobody is told.
func ForgetFault(t *Turn) error {
	g := t.Game
	switch {
	case g.Unlike != "":
		g.Fault = ""
	case g.Phase == Running:
		return runsAgain(t)
	default: // it is over or closed, and has no clock
		g.Paused, g.Fault = time.Time{}, ""
	}
	return nil
}

// runsAgain lets the clock of a game run that stood still. Whoever owes an answer has at least one
// grace from now on, even if his time was up when the clock stopped: he could not know when it
// would go on.
func runsAgain(t *Turn) error {
	g := t.Game
	stood := t.Now.Sub(g.Paused)
	for _, s := range g.Seats {
		if o := s.Owes; o != nil && !o.Stands.IsZero() {
			o.Stands = o.Stands.Add(stood) // it stood because of the pause meanwhile
			if !o.GoesOn.IsZero() {
				o.GoesOn = o.GoesOn.Add(stood)
			}
		}
		if o := s.Owes; o != nil && !o.Deadline.IsZero() && !o.Passed {
			r := g.Timing.Of(o.Decision.Kind)
			left := o.Late.Sub(o.Deadline)
			to := r.Place(cmp.Or(o.Rested, o.Deadline).Add(stood))
			if first := r.Deadline(o.Opened); o.Opened.After(g.Paused) && to.Before(first) {
				to = first // asked in the pause, he has at least what the rule gives from then on
			}
			given := !o.Rested.IsZero() && !o.Deadline.Before(to)
			if o.Rested = (time.Time{}); given {
				to = o.Deadline // the moment that was given is meant
			} else {
				o.Deadline = s.AfterAbsence(r, t.Now, to)
			}
			o.Gained += o.Deadline.Sub(to)
			o.Late = o.Deadline.Add(max(left, 0))
			if least := timing.WholeMinute(t.Now.Add(t.GraceOf(r))).UTC(); o.Answer == nil && o.Late.Before(least) {
				o.Late = least
			}
			o.Moves++
		}
		if s.Owes != nil {
			heldOn(t, s, g.Paused)
		}
	}
	if !g.Resolve.IsZero() {
		g.Resolve = g.Resolve.Add(stood)
	}
	g.Luck.GoesOn(stood)
	g.Paused, g.Fault = time.Time{}, ""
	return t.Log(log.Entry{Kind: log.KindResumed, By: log.ByGM, Data: map[string]any{"stood": stood.String()}})
}

// Extended says that all sides that owe an answer get more time, or only one side.
type Extended struct {
	Side  engine.Side   // "": all
	By    time.Duration // so much longer; a deadline that has passed counts from now
	Until time.Time     // if By is 0: to this moment, also if the game's clock stands still now
}

// LongestWait is how long a game may wait for anything.
const LongestWait = 366 * 24 * time.Hour

// deadlines are the new deadlines of the seats.
func (x Extended) deadlines(t *Turn) (map[engine.Side]time.Time, error) {
	clock := t.Game.Clock(t.Now)
	moved := map[engine.Side]time.Time{}
	for _, s := range t.Game.Seats {
		if s.Owes == nil || s.Owes.Deadline.IsZero() || (x.Side != "" && s.Side != x.Side) {
			continue
		}
		from := s.Owes.Deadline
		if from.Before(clock) {
			from = clock
		}
		to := x.Until
		if x.By != 0 {
			to = from.Add(x.By)
		}
		deadline := timing.WholeMinute(to.UTC())
		if !deadline.After(s.Owes.Deadline) || !deadline.After(clock) || x.By == 0 && !deadline.After(t.Now) || deadline.Sub(t.Now) > 2*LongestWait {
			return nil, Refuse("office.gm.not-later")
		}
		moved[s.Side] = deadline
	}
	if len(moved) == 0 {
		return nil, Refuse("office.gm.no-deadline")
	}
	return moved, nil
}

func (x Extended) happen(t *Turn) error {
	g := t.Game
	if g.Phase != Running {
		return Refuse("office.gm.ended")
	}
	if x.Side != "" && g.Seat(x.Side) == nil {
		return Refuse("office.gm.no-side", phrase.Literal("side", string(x.Side)))
	}
	moved, err := x.deadlines(t)
	if err != nil {
		return err
	}
	g.Resolve = time.Time{}
	for _, s := range g.Seats {
		if deadline, ok := moved[s.Side]; ok {
			if x.By == 0 && !g.Paused.IsZero() {
				s.Owes.Rested = cmp.Or(s.Owes.Rested, s.Owes.Deadline)
			}
			Postpone(t, s, deadline)
		}
	}
	if err := t.Log(log.Entry{Kind: log.KindExtended, Seat: x.Side, By: log.ByGM, Data: moved}); err != nil {
		return err
	}
	for _, s := range g.Seats {
		if _, ok := moved[s.Side]; ok && !s.Resigned {
			t.TellOwing(s, "", phrase.Say("office.extended.subject"), false, phrase.Say("office.extended.what"))
		}
	}
	return settle(t)
}

// Reminded says that a game master sends what they owe to all sides that have not answered,
// or to one.
type Reminded struct{ Side engine.Side }

func (r Reminded) happen(t *Turn) error {
	if t.Game.Phase != Running {
		return Refuse("office.gm.ended")
	}
	n := 0
	for _, s := range t.Game.Seats {
		if s.Owes == nil || s.Owes.Answer != nil || !s.Played() || (r.Side != "" && s.Side != r.Side) {
			continue
		}
		n++
		if err := remind(t, s, log.ByGM); err != nil {
			return err
		}
	}
	if n == 0 {
		return Refuse("office.gm.nobody-to-remind")
	}
	return nil
}

// Replaced says that a game master gives a seat to another player: he gets a key of his own
// and the present report; the old key is no longer valid. An answer in force stays in force
// until the new player sends another.
type Replaced struct {
	Side     engine.Side
	To       log.Person
	ByOffice bool // a substitute of its league takes it over
}

// MayReplace tells why somebody can't have a seat, as far as that can be known before.
func MayReplace(g *State, side engine.Side, address string, masters []log.Person) error {
	if g.Phase != Running {
		return Refuse("office.gm.ended")
	}
	s := g.Seat(side)
	if s == nil {
		return Refuse("office.gm.no-side", phrase.Literal("side", string(side)))
	}
	if address == "" { // a bot's
		return nil
	}
	return MayTake(g, s, address, masters)
}

func (r Replaced) happen(t *Turn) error {
	if err := MayReplace(t.Game, r.Side, r.To.Address, t.Masters); err != nil {
		return err
	}
	by := log.ByGM
	if r.ByOffice {
		by = "office"
	}
	if err := GiveSeat(t, t.Game.Seat(r.Side), r.To, by); err != nil {
		return err
	}
	return settle(t)
}

// BrokenOff says that a game master ends the game before the rules do. The seed of its dice
// is published.
type BrokenOff struct{ Reason string }

func (b BrokenOff) happen(t *Turn) error {
	if t.Game.Phase != Running {
		return Refuse("office.gm.ended")
	}
	t.Game.Phase, t.Game.Paused, t.Game.Resolve = Closed, time.Time{}, time.Time{}
	for _, s := range t.Game.Seats {
		if s.Owes != nil {
			t.KeepAnswer(s.Side, nil)
			s.Owes = nil
		}
	}
	if err := t.Log(log.Entry{Kind: log.KindClosed, By: log.ByGM, Data: map[string]string{"reason": b.Reason, "seed": hex.EncodeToString(t.Game.Seed)}}); err != nil {
		return err
	}
	if err := passDelayed(t); err != nil {
		return err
	}
	for _, s := range t.Game.Seats {
		t.Seal(s)
		t.toSeat(s, Farewell(b))
	}
	return nil
}

// LookedInto is that somebody who has the office's machine looks at what is hidden in the game,
// or rules on it, though one plays in it who looks after it. He has named one who does not, and
// this one and all players are told.
type LookedInto struct {
	What   string
	By     log.Person
	Name   string // by which players are told of him
	Ruling bool   // it is a ruling, or the preview of one: these are in the log themselves
}

func (l LookedInto) happen(t *Turn) error {
	if !l.Ruling {
		if err := t.Log(log.Entry{Kind: log.KindLooked, By: log.ByGM, Data: map[string]string{"what": l.What}}); err != nil {
			return err
		}
	}
	say := []phrase.Phrase{phrase.Say("office.looked.what", phrase.Literal("name", l.Name), phrase.Literal("what", l.What)), phrase.Say("office.looked.why")}
	t.TellSeats(phrase.Say("office.looked.subject"), say...)
	t.TellWarden(l.By, phrase.Say("office.looked.subject"), append(say, phrase.Say("office.looked.yours"))...)
	return nil
}

// FiledAgain is that the game master has a letter of a player's judged that could not be read
// when it came.
type FiledAgain struct {
	Side   engine.Side
	About  log.Refiled
	Letter string // its digest, hex
}

func (f FiledAgain) happen(t *Turn) error {
	return t.Log(log.Entry{Kind: log.KindRefiled, Seat: f.Side, By: log.ByGM, Letter: f.Letter, Data: f.About})
}

// Previewed is that a game master was shown what a ruling would do. The log has the ruling, so
// that it can be confirmed, and so that all learn in the end what he looked at.
type Previewed struct{ Act any }

func (p Previewed) happen(t *Turn) error {
	return t.Log(log.Entry{Kind: log.KindPreview, By: log.ByGM, Data: p.Act})
}
