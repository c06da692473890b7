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
// In an office that watches a mailbox nothing is due that came after the mailbox
// was last read to its end.
func (o *Office) Tick(ctx context.Context) error {
	if err := o.store.Ready(); err != nil {
		return err
	}
	l := loop{o}
	if err := errors.Join(o.watch.clock(ctx), o.watch.massSilence(ctx)); err != nil {
		return err // no deadline passes while the interlocks don't work
	}
	errs := []error{l.forget(ctx), l.bundle(ctx)}
	failed, looks := map[string]bool{}, map[string]int{}
	for ctx.Err() == nil {
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
			if failed[id] || ctx.Err() != nil {
				continue
			}
			did++
			if looks[id]++; looks[id] > mostLooks {
				failed[id] = true
				errs = append(errs, fmt.Errorf("keep deadlines of %s: it is still due after %d looks", id, mostLooks))
				continue
			}
			if err := l.settle(ctx, id); err != nil {
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
	if id == weeklyWake {
		return o.guarded(func() error { return leagues{o}.weekly(ctx) })
	}
	if id, ok := strings.CutPrefix(id, leaguePrefix); ok {
		return o.guarded(func() error { return leagues{o}.goOn(ctx, id) })
	}
	if err := l.rematch(ctx, id); err != nil {
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
// belongs into, until the context ends.
type Mailbox interface {
	// OnRead names a function to call whenever all letters that lay in the
	// mailbox at a moment have been offered. It is called before Run.
	OnRead(func(context.Context))
	Run(ctx context.Context, take func(context.Context, mail.Incoming) (mail.Folder, error)) error
}

// How long the loops of [Office.Run] sleep at most, and after a fault.
const (
	longestSleep = time.Minute
	faultSleep   = 10 * time.Second
)

// Run runs the office until the context ends: letters are taken in from the
// mailbox, deadlines are kept, letters are sent. No deadline passes before the
// mailbox has been read. It returns when all that was under way has come to an
// end.
//
// If the office has several members, it does all of this while this member leads; until then it stands
// by. A member that led and no longer does returns [leader.ErrLost]: it has to begin anew.
func (o *Office) Run(ctx context.Context, box Mailbox, sender mail.Sender) error {
	l := loop{o}
	if o.Seat == nil {
		return l.lead(ctx, box, sender)
	}
	return l.standBy(ctx, func(ctx context.Context) error { return l.lead(ctx, box, sender) })
}

// lead does everything that an office does while it runs.
func (l loop) lead(ctx context.Context, box Mailbox, sender mail.Sender) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	o, ended := l.office, make(chan error, 3)
	start := func(f func() error) { go func() { ended <- f() }() }
	o.watch.attend()
	box.OnRead(func(ctx context.Context) {
		err := o.watch.mailboxRead(ctx)
		o.ills.set(&o.ills.read, err)
		if err != nil && ctx.Err() == nil {
			o.log.Error("mailbox read, but not noted: no deadline passes", "error", err)
		}
	})
	start(func() error { return box.Run(ctx, o.Handle) })
	start(func() error { return l.keepTime(ctx) })
	start(func() error { return l.keepSending(ctx, sender) })
	var all []error
	for range 3 {
		err := <-ended
		stop() // one loop can't do without the others
		if err != nil && !errors.Is(err, context.Canceled) {
			all = append(all, err)
		}
	}
	return errors.Join(all...)
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
			// What is due already waits until the mailbox is read, which wakes the loop.
			now := o.now()
			if next, ok := tx.FirstWake(); ok && (next.After(now) || !next.After(o.watch.until(now))) {
				sleep = min(sleep, max(next.Sub(now), time.Millisecond))
			}
			return nil
		}); err != nil {
			return err
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
		n, err := o.Send(ctx, sender)
		o.ills.set(&o.ills.post, err)
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, store.ErrClosed):
			return err
		case err != nil:
			o.log.Error("letters not sent", "error", err)
			sleep = faultSleep
		case n > 0:
			sleep = 0 // there may be more
		default:
			if err := o.read(func(tx store.Reader) error {
				if due, ok := tx.FirstDue(); ok {
					sleep = min(sleep, max(due.Sub(o.now()), time.Millisecond))
				}
				return nil
			}); err != nil {
				return err
			}
		}
		if !wait(ctx, sleep, o.post) {
			return nil
		}
	}
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
