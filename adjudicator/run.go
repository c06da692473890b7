package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/leader"
	"berthier/adjudicator/store"
	"berthier/mail"
)

// A loop is what an office does by itself while it runs: it keeps the deadlines, sends what is
// due, and removes what is not to be kept.
type loop struct{ office *Office }

// Next tells when something will be due: a reminder, a deadline, or a letter to
// be sent again.
func (o *Office) Next() (time.Time, bool, error) {
	var (
		next time.Time
		any  bool
	)
	err := o.read(func(tx store.Reader) error {
		wake, ok := tx.FirstWake()
		due, ok2 := tx.FirstDue()
		any = ok || ok2
		switch {
		case ok && (!ok2 || wake.Before(due)):
			next = wake
		case ok2:
			next = due
		}
		return nil
	})
	return next, any, err
}

// mostWaking is how many games are taken up at once when the clock is looked at, and
// mostLooks how often the same game: time may pass while it is settled.
const (
	mostWaking = 256
	mostLooks  = 4
)

// Tick does everything that is due now: reminders, deadlines, and resolving the stops
// whose deadline has passed. A game that can't be taken up does not keep the
// others waiting.
//
// In an office that watches mailboxes nothing is due that came after one of them
// was last read to its end. If the office has several members, each does what is due in its share of
// the games, and the leader alone asks the interlocks, and removes what is not to be kept.
func (o *Office) Tick(ctx context.Context) error {
	if err := o.store.Ready(); err != nil {
		return err
	}
	l := loop{o}
	errs := []error{l.bundle(ctx)}
	switch {
	case o.Seat.StandsBy():
		if err := o.watch.follow(); err != nil {
			return err
		}
	default:
		if err := o.watch.interlocks(ctx); err != nil {
			return err // no deadline passes while the interlocks don't work
		}
		errs = append(errs, l.forget(ctx))
		shelving{o}.lookOver(ctx)
	}
	turn := o.Seat.Begin()
	defer turn.End()
	failed, looks := map[string]bool{}, map[string]int{} // failed: those of others, too
	for ctx.Err() == nil && !turn.IsOver() {
		var games []string
		err := o.read(func(tx store.Reader) error {
			games = tx.Waking(o.watch.until(o.now()), mostWaking+len(failed))
			return nil
		})
		if err != nil {
			return err
		}
		did := 0
		for _, id := range games {
			if failed[id] || ctx.Err() != nil || turn.IsOver() {
				continue
			}
			did++
			if !l.mine(turn, id) {
				failed[id] = true
				continue
			}
			if looks[id]++; looks[id] > mostLooks {
				failed[id] = true
				errs = append(errs, fmt.Errorf("keep deadlines of %s: it is still due after %d looks", id, mostLooks))
				continue
			}
			if err := store.Again(ctx, func() error { return l.settle(ctx, id) }); err != nil {
				failed[id] = true
				errs = append(errs, err)
			}
		}
		if did == 0 {
			break
		}
	}
	return errors.Join(errs...)
}

// mine tells whether something that wakes is this member's to settle.
func (l loop) mine(turn *leader.Turn, id string) bool {
	seat := l.office.Seat
	if seat != nil && id == weeklyWake {
		return seat.Leads()
	}
	return turn.Games().Has(leader.ShareOf(strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(id, awayWake), leftWake), packWake)))
}

// settle does what is due in a game. A game whose rules or letters panic stands
// still from then on, as when a stop can't be resolved: it must not end the
// office for all other games, and do so again after each start.
func (l loop) settle(ctx context.Context, id string) error {
	o := l.office
	if id, ok := strings.CutPrefix(id, absentPrefix); ok {
		return o.guarded(func() error { return club{o}.spread(ctx, id) })
	}
	if id, ok := strings.CutPrefix(id, awayWake); ok {
		return o.guarded(func() error { return shelving{o}.settleAway(ctx, id) })
	}
	if id, ok := strings.CutPrefix(id, leftWake); ok {
		return o.guarded(func() error { return shelving{o}.settleLeft(ctx, id) })
	}
	if id, ok := strings.CutPrefix(id, packWake); ok {
		return o.guarded(func() error { return l.settlePack(ctx, id) })
	}
	if id == weeklyWake {
		return o.guarded(func() error { return leagues{o}.weekly(ctx) })
	}
	if id, ok := strings.CutPrefix(id, leaguePrefix); ok {
		return o.guarded(func() error { return leagues{o}.goOn(ctx, id) })
	}
	if err := o.guarded(func() error { return l.rematch(ctx, id) }); err != nil && !errors.Is(err, game.ErrPanic) {
		return err
	}
	err := o.guarded(func() error {
		return o.change(ctx, id, func(tr *transaction) error { return tr.Do(game.Ticked{}) })
	})
	if !errors.Is(err, game.ErrPanic) {
		return err
	}
	stop := o.guarded(func() error {
		return o.change(ctx, id, func(tr *transaction) error { return tr.Do(game.Broken{Cause: err}) })
	})
	return errors.Join(fmt.Errorf("keep deadlines of %s: %w", id, game.ErrPanic), stop)
}

// guarded turns a panic into an error, and logs where it was.
func (o *Office) guarded(f func() error) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			o.log.Error("panic", "fault", faultText(fault), "stack", string(debug.Stack()))
			err = fmt.Errorf("%w: %v", game.ErrPanic, fault)
		}
	}()
	return f()
}

// faultText is what the log says about a panic. The text of a ruleset's panic may be
// something that a player must not know; the text of a panic of the language is not.
func faultText(fault any) string {
	if err, ok := fault.(runtime.Error); ok {
		return err.Error()
	}
	return fmt.Sprintf("%T", fault)
}

// A Mailbox offers the letters in it to a function that says which folder each
// belongs into, until the context ends. It may be run again after that.
type Mailbox interface {
	// OnRead names a function to call whenever all letters that lay in the
	// mailbox at a moment have been offered. It is called before Run.
	OnRead(func(ctx context.Context, began time.Time))
	Run(ctx context.Context, take func(context.Context, mail.Incoming) (mail.Folder, error)) error
}

// A Box is a mailbox of the office.
type Box struct {
	Address string // to which its letters are written, and by which the members of the office know it; "": that of the office
	Mailbox
}

// How long the loops of [Office.Run] sleep at most, and after a fault.
const (
	longestSleep = time.Minute
	faultSleep   = 10 * time.Second
	owesSleep    = time.Second // before it is tried again to note what was sent
	// Whoever ends tries that only so often, and so soon: before others count it as dead, and send the letters again.
	lastTries = 3
	lastSleep = leader.Beat / 8
)

// Run runs the office until the context ends: letters are taken in from its
// mailboxes, deadlines are kept, letters are sent. No deadline passes before all
// mailboxes have been read. It returns when all that was under way has come to an
// end.
//
// If the office has several members, this one does its share of all that, and stands by while it
// has none. A member that could not say in time that it lives returns [leader.ErrLost]: it has to begin
// anew.
func (o *Office) Run(ctx context.Context, sender mail.Sender, boxes ...Box) error {
	l := loop{o}
	names := make([]string, len(boxes))
	for i := range boxes {
		if boxes[i].Address == "" {
			boxes[i].Address = o.opt.From.Addr
		}
		names[i] = boxes[i].Address
		boxes[i].OnRead(func(ctx context.Context, began time.Time) { o.watch.boxRead(ctx, names[i], began) })
	}
	o.watch.attend(names...)
	if o.Seat == nil {
		return l.work(ctx, boxes, sender)
	}
	return l.asMember(ctx, names, func(ctx context.Context) error { return l.work(ctx, boxes, sender) })
}

// work does everything that an office does while it runs.
func (l loop) work(ctx context.Context, boxes []Box, sender mail.Sender) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	loops := []func() error{
		func() error { return l.keepTime(ctx) },
		func() error { return l.keepSending(ctx, sender) },
	}
	if l.office.Seat == nil {
		loops = append(loops, func() error { return l.office.counts.keep(ctx) })
	}
	for _, box := range boxes {
		loops = append(loops, func() error { return l.keepReading(ctx, box) })
	}
	ended := make(chan error, len(loops))
	for _, f := range loops {
		go func() { ended <- f() }()
	}
	var all []error
	for range loops {
		err := <-ended
		stop() // one loop can't do without the others
		if err != nil && !errors.Is(err, context.Canceled) {
			all = append(all, err)
		}
	}
	return errors.Join(all...)
}

// keepReading reads a mailbox for as long as it is this member's.
func (l loop) keepReading(ctx context.Context, box Box) error {
	o := l.office
	if o.Seat == nil {
		return box.Run(ctx, o.Handle)
	}
	for {
		turn := o.Seat.Wait(ctx, box.Address)
		if turn == nil {
			return nil
		}
		reading, stop := context.WithCancel(ctx)
		go func() {
			defer stop()
			select {
			case <-turn.Over():
			case <-reading.Done():
			}
		}()
		o.log.Info("this member reads the mailbox", "mailbox", box.Address)
		err := box.Run(reading, o.Handle)
		stop()
		turn.End()
		if err != nil && !errors.Is(err, context.Canceled) {
			return err
		}
	}
}

// keepTime looks at the clock when something is due.
func (l loop) keepTime(ctx context.Context) error {
	o := l.office
	for {
		sleep := longestSleep
		err := o.Tick(ctx)
		o.ills.set(&o.ills.clock, err)
		if err != nil && ctx.Err() == nil {
			if errors.Is(err, store.ErrClosed) {
				return err
			}
			o.log.Error("deadlines not kept", "error", err)
			sleep = faultSleep
		} else if err := o.read(func(tx store.Reader) error {
			// What is due already waits until the mailbox is read, which wakes the loop; what is another
			// member's is no reason to look.
			now := o.now()
			if next, ok := tx.FirstWake(); ok && o.Seat.HasAll() && (next.After(now) || !next.After(o.watch.until(now))) {
				sleep = min(sleep, max(next.Sub(now), time.Millisecond))
			}
			return nil
		}); errors.Is(err, store.ErrClosed) {
			return err
		} else if err != nil { // it will be read again
			o.log.Error("deadlines not kept", "error", err)
			sleep = faultSleep
		}
		if !wait(ctx, sleep, o.wake) {
			return nil
		}
	}
}

// keepSending sends what is due.
func (l loop) keepSending(ctx context.Context, sender mail.Sender) error {
	o := l.office
	for {
		sleep := longestSleep
		n, err := l.send(ctx, sender)
		o.ills.set(&o.ills.post, err)
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, store.ErrClosed):
			return err
		case err != nil:
			o.log.Error("letters not sent", "error", err)
			sleep = faultSleep
		case n > 0, o.box.More():
			sleep = 0 // there may be more
		default:
			if err := o.read(func(tx store.Reader) error {
				if due, ok := tx.FirstDue(); ok && o.Seat.HasAll() {
					sleep = min(sleep, max(due.Sub(o.now()), time.Millisecond))
				}
				return nil
			}); errors.Is(err, store.ErrClosed) {
				return err
			} else if err != nil { // it will be read again
				o.log.Error("letters not sent", "error", err)
				sleep = faultSleep
			}
		}
		if !wait(ctx, sleep, o.post) {
			return nil
		}
	}
}

// send sends what is due of this member's letters. They stay its own until what it sent is noted.
func (l loop) send(ctx context.Context, sender mail.Sender) (int, error) {
	box, turn := l.office.box, l.office.Seat.Begin()
	defer turn.End()
	n, err := box.Send(ctx, sender, store.LaneSet(turn.Games()), turn.Over())
	for tries := 0; turn != nil && box.Owes() && tries < lastTries; {
		if !wait(ctx, owesSleep, nil) {
			tries++
			time.Sleep(lastSleep)
		}
		err = errors.Join(err, box.Settle(context.WithoutCancel(ctx)))
	}
	return n, err
}

// wait sleeps until a time has passed or something has come up; it tells
// whether to go on.
func wait(ctx context.Context, d time.Duration, up <-chan struct{}) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
	case <-up:
	}
	return true
}
