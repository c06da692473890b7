package adjudicator

import (
	"context"
	"encoding/hex"
	"slices"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/timing"
	"berthier/engine"
	"berthier/mail"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// act does something as the game master.
func (o *Office) act(ctx context.Context, id string, do func(*desk) error) error {
	return o.change(ctx, foldGame(id), func(d *desk) error {
		d.operator = operatorOf(ctx)
		d.Who = d.operator.who()
		return do(d)
	})
}

// Pause stops a game's clock: no deadline passes and no stop is resolved.
// Answers are still taken.
func (o *Office) Pause(ctx context.Context, id, reason string) error {
	return o.act(ctx, id, func(d *desk) error { return d.pause("gm", reason) })
}

func (d *desk) pause(by, reason string) error {
	if d.Game.Phase != game.Running {
		return game.Refuse("office.gm.ended")
	}
	if !d.Game.Paused.IsZero() {
		return game.Refuse("office.gm.paused-already")
	}
	d.Game.Paused = d.Now
	if err := d.Log(log.Entry{Kind: log.KindPaused, By: by, Data: map[string]string{"reason": reason}}); err != nil {
		return err
	}
	d.TellSeats(phrase.Say("office.paused.subject"), phrase.Say("office.paused.what", phrase.Literal("reason", reason)))
	return nil
}

// Resume lets a game's clock go on: all deadlines are later by the time that it
// stood still.
func (o *Office) Resume(ctx context.Context, id string) error {
	return o.act(ctx, id, (*desk).resume)
}

func (d *desk) resume() error {
	g := d.Game
	if g.Phase != game.Running {
		return game.Refuse("office.gm.ended")
	}
	if g.Paused.IsZero() {
		return game.Refuse("office.gm.not-paused")
	}
	if g.Unlike != "" && g.Unlike == d.office.digest(g.System) {
		return game.Refuse("office.gm.rules-unlike")
	}
	g.Unlike = "" // the program before is back
	stood := d.Now.Sub(g.Paused)
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
			o.Deadline = s.AfterAbsence(r, d.Now, r.Place(o.Deadline.Add(stood)))
			o.Late = o.Deadline.Add(max(left, 0))
			o.Moves++
		}
	}
	if !g.Resolve.IsZero() {
		g.Resolve = g.Resolve.Add(stood)
	}
	g.Luck.GoesOn(stood)
	g.Paused, g.Fault = time.Time{}, ""
	if err := d.Log(log.Entry{Kind: log.KindResumed, By: "gm", Data: map[string]any{"stood": stood.String()}}); err != nil {
		return err
	}
	d.TellSeats(phrase.Say("office.resumed.subject"), phrase.Say("office.resumed.what"))
	return game.Settle(d.Turn)
}

// Extend gives all sides that owe an answer so much longer, or only one side.
// A deadline that has passed counts from now.
func (o *Office) Extend(ctx context.Context, id string, side engine.Side, by time.Duration) error {
	return o.act(ctx, id, func(d *desk) error {
		return d.extend(side, func(deadline time.Time) time.Time { return deadline.Add(by) })
	})
}

// ExtendUntil moves the deadlines to a moment, which is later than they are.
func (o *Office) ExtendUntil(ctx context.Context, id string, side engine.Side, until time.Time) error {
	return o.act(ctx, id, func(d *desk) error {
		return d.extend(side, func(time.Time) time.Time { return until })
	})
}

func (d *desk) extend(side engine.Side, to func(time.Time) time.Time) error {
	g := d.Game
	if g.Phase != game.Running {
		return game.Refuse("office.gm.ended")
	}
	if side != "" && g.Seat(side) == nil {
		return game.Refuse("office.gm.no-side", phrase.Literal("side", string(side)))
	}
	clock := g.Clock(d.Now)
	moved := map[engine.Side]time.Time{}
	for _, s := range g.Seats {
		if s.Owes == nil || s.Owes.Deadline.IsZero() || (side != "" && s.Side != side) {
			continue
		}
		from := s.Owes.Deadline
		if from.Before(clock) {
			from = clock
		}
		deadline := timing.WholeMinute(to(from).UTC())
		if !deadline.After(s.Owes.Deadline) || !deadline.After(clock) || deadline.Sub(d.Now) > 2*longestWait {
			return game.Refuse("office.gm.not-later")
		}
		moved[s.Side] = deadline
	}
	if len(moved) == 0 {
		return game.Refuse("office.gm.no-deadline")
	}
	g.Resolve = time.Time{}
	for _, s := range g.Seats {
		deadline, ok := moved[s.Side]
		if !ok {
			continue
		}
		game.Postpone(d.Turn, s, deadline)
	}
	if err := d.Log(log.Entry{Kind: log.KindExtended, Seat: side, By: "gm", Data: moved}); err != nil {
		return err
	}
	for _, s := range g.Seats {
		if _, ok := moved[s.Side]; ok && !s.Resigned {
			d.TellOwing(s, "", phrase.Say("office.extended.subject"), false, phrase.Say("office.extended.what"))
		}
	}
	return game.Settle(d.Turn)
}

// Remind sends what they owe to all sides that have not answered, or to one.
func (o *Office) Remind(ctx context.Context, id string, side engine.Side) error {
	return o.act(ctx, id, func(d *desk) error { return d.remindAll(side) })
}

func (d *desk) remindAll(side engine.Side) error {
	if d.Game.Phase != game.Running {
		return game.Refuse("office.gm.ended")
	}
	n := 0
	for _, s := range d.Game.Seats {
		if s.Owes == nil || s.Owes.Answer != nil || !s.Played() || (side != "" && s.Side != side) {
			continue
		}
		n++
		if err := game.Remind(d.Turn, s, "gm"); err != nil {
			return err
		}
	}
	if n == 0 {
		return game.Refuse("office.gm.nobody-to-remind")
	}
	return nil
}

// Replace gives a seat to another player: he gets a key of his own and the
// present report; the old key is worth nothing from now on. An answer in force
// stays so until the new player sends another.
func (o *Office) Replace(ctx context.Context, id string, side engine.Side, by log.Person) error {
	return o.act(ctx, id, func(d *desk) error { return d.replace(side, by) })
}

func (d *desk) replace(side engine.Side, by log.Person) error {
	g := d.Game
	s := g.Seat(side)
	if s == nil {
		return game.Refuse("office.gm.no-side", phrase.Literal("side", string(side)))
	}
	if err := d.mayAct(grave{Kind: graveReplace, Side: side, To: by}); err != nil {
		return err
	}
	if err := game.GiveSeat(d.Turn, s, by, "gm"); err != nil {
		return err
	}
	return game.Settle(d.Turn)
}

// Close ends a game before the rules do. The seed of its dice is published.
func (o *Office) Close(ctx context.Context, id, reason string) error {
	return o.act(ctx, id, func(d *desk) error { return d.close(reason) })
}

func (d *desk) close(reason string) error {
	if d.Game.Phase != game.Running {
		return game.Refuse("office.gm.ended")
	}
	d.Game.Phase, d.Game.Paused, d.Game.Resolve = game.Closed, time.Time{}, time.Time{}
	for _, s := range d.Game.Seats {
		if s.Owes != nil {
			d.KeepAnswer(s.Side, nil)
			s.Owes = nil
		}
	}
	if err := d.Log(log.Entry{Kind: log.KindClosed, By: "gm", Data: map[string]string{"reason": reason, "seed": hex.EncodeToString(d.Game.Seed)}}); err != nil {
		return err
	}
	lines := append([]phrase.Phrase{phrase.Say("office.closed.what", phrase.Literal("reason", reason))}, game.SayDice(d.Turn)...)
	lines = append(lines, d.sayPreviews()...)
	for _, s := range d.Game.Seats {
		d.Seal(s)
		n := templates.Notice{Heading: d.heading(s), Subject: phrase.Say("office.closed.subject"), Lines: lines}
		if file := d.packs(s); file != nil {
			n.Lines = append(slices.Clone(lines), file.Say())
			n.Files = append(n.Files, file.File)
		}
		d.post(s, "notice", nil, d.office.words.Notice(n))
	}
	return nil
}

// Answer gives an order file for a player, as the game master. The file need
// not have a key. A file with faults changes nothing.
func (o *Office) Answer(ctx context.Context, id string, side engine.Side, file string) (orders.Problems, error) {
	var faults orders.Problems
	err := o.act(ctx, id, func(d *desk) error {
		s := d.Game.Seat(side)
		if s == nil {
			return game.Refuse("office.gm.no-side", phrase.Literal("side", string(side)))
		}
		doc, problems := orders.Parse(file, nil)
		if len(problems) > 0 {
			faults = problems
			return nil
		}
		v := &visit{desk: d, intake: &arrival{office: o, incoming: incoming{letter: &mail.Letter{}, now: d.Now, from: d.Game.GM.Address}}, doc: doc, who: who{gm: true}}
		if named := foldGame(doc.Game); named != "" && named != d.Game.ID {
			v.problems = append(v.problems, v.fault("game", phrase.Say("office.wrong-game", phrase.Literal("game", doc.Game), phrase.Literal("is", d.Game.ID))))
		}
		if err := v.answer(s, true); err != nil {
			return err
		}
		faults = v.faults
		return nil
	})
	return faults, err
}
