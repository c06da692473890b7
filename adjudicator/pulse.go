package adjudicator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"berthier/adjudicator/leader"
	"berthier/adjudicator/outbox"
	"berthier/adjudicator/store"
	"berthier/orders/phrase"
)

// The pulse of an office is the moment up to which all its mailboxes are known to have been read to their
// end. No deadline passes that it has not reached. If the office has several members, the leader writes it, when
// it has asked the interlocks, and all go by it.

// A watch is what an office knows about whether it works.
type watch struct {
	office  *Office
	mu      sync.Mutex
	on      bool      // the office watches mailboxes, or did
	read    time.Time // up to when all mailboxes were read to their end
	upto    time.Time // up to when deadlines may pass, if the office has several members: the interlocks were asked
	alerted bool      // the game masters know that one can't be read

	// Of this process alone.
	boxes  map[string]time.Time // up to when each mailbox was read to its end, if this process reads all of them
	leads  bool                 // of several members, this one asks the interlocks
	begun  time.Time            // since when it has tried to read
	fresh  bool                 // it has not read yet
	ticked time.Time            // it looked at the clock last
	jumped bool                 // the clock jumped since the mailbox was read

	counted time.Time // when the silent players were last counted
	due     string    // games that were then due by default
	silent  []string  // games that were then to be held back
}

// A pulse is the part of a watch that the store keeps.
type pulse struct {
	Read    time.Time `json:"read"`
	Upto    time.Time `json:"upto,omitzero"` // up to when deadlines may pass; zero: Read
	Alerted bool      `json:"alerted,omitempty"`
}

// pulseName is the name of the value of the store that holds the pulse.
const pulseName = "pulse"

// until is the moment up to which it is known what has come in, and deadlines may pass.
func (w *watch) until(now time.Time) time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	upto := w.read
	if w.office.Seat != nil {
		upto = w.upto
	}
	if w.on && upto.Before(now) {
		return upto
	}
	return now
}

// load reads the pulse of an office that watched mailboxes before.
func (w *watch) load() error {
	o := w.office
	var data []byte
	if err := o.read(func(tx store.Reader) error { data = tx.Value(pulseName); return nil }); err != nil {
		return err
	}
	if data == nil {
		return nil
	}
	var p pulse
	if err := json.Unmarshal(data, &p); err != nil {
		return fmt.Errorf("read pulse: %w", err)
	}
	if p.Upto.IsZero() {
		p.Upto = p.Read
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.on, w.read, w.upto, w.alerted, w.fresh = true, p.Read, p.Upto, p.Alerted, true
	return nil
}

// attend begins to watch mailboxes: from now on no deadline passes before all of them were
// read.
func (w *watch) attend(names ...string) {
	o := w.office
	w.mu.Lock()
	defer w.mu.Unlock()
	if names != nil {
		w.boxes = map[string]time.Time{}
		for _, name := range names {
			w.boxes[name] = time.Time{}
		}
	}
	w.on, w.begun, w.fresh, w.ticked, w.jumped = true, o.now(), true, time.Time{}, false
}

// boxRead notes that a mailbox was read to its end by a look that began at a moment of the machine's clock.
func (w *watch) boxRead(ctx context.Context, name string, began time.Time) {
	o := w.office
	if o.Seat != nil {
		o.Seat.Noted(name, began)
		signal(o.wake)
		return
	}
	upto := o.now().Add(-max(leader.Since(began, time.Now()), 0)).Truncate(time.Microsecond)
	w.mu.Lock()
	w.boxes[name] = upto
	for _, other := range w.boxes {
		if other.Before(upto) {
			upto = other
		}
	}
	w.mu.Unlock()
	if upto.IsZero() {
		return // one of them was not read yet
	}
	err := w.readUpTo(ctx, upto)
	o.ills.set(&o.ills.read, err)
	if err != nil && ctx.Err() == nil {
		o.log.Error("mailbox read, but not noted: no deadline passes", "error", err)
	}
}

// readUpTo notes that all mailboxes were read to their end up to a moment.
func (w *watch) readUpTo(ctx context.Context, upto time.Time) error {
	if err := w.afterGap(ctx, upto); err != nil {
		return err // no deadline passes before this has succeeded
	}
	if err := w.beat(ctx, pulse{Read: upto}); err != nil {
		return err
	}
	signal(w.office.wake)
	return nil
}

// afterGap holds back what was due since the mailboxes were last read, if that is long ago: nothing of it is
// resolved by default yet.
func (w *watch) afterGap(ctx context.Context, upto time.Time) error {
	o := w.office
	now := o.now()
	w.mu.Lock()
	since, why := w.read, ""
	last := w.ticked
	w.mu.Unlock()
	if since.IsZero() { // never before, though games may have been made
		var err error
		if since, err = w.firstMade(upto); err != nil {
			return err
		}
	}
	w.mu.Lock()
	if !last.IsZero() && now.Sub(last) > o.opt.Outage {
		w.jumped = true // the clock has not been looked at since
	}
	gap := upto.Sub(since)
	switch {
	case gap < -o.opt.Outage:
		why = heldClock
	case gap > o.opt.Outage && w.fresh:
		why = heldDown
	case gap > o.opt.Outage && w.jumped:
		why = heldClock
	case gap > o.opt.Outage:
		why = heldMailbox
	}
	w.mu.Unlock()
	if why == "" {
		return nil
	}
	o.log.Warn("defaults held back", "why", why, "since", since, "until", upto)
	if err := w.holdAll(ctx, why, since, upto, nil); err != nil {
		return err
	}
	return (leagueClock{o}).holdBack(ctx, since, upto)
}

// beat writes the pulse of an office that is well.
func (w *watch) beat(ctx context.Context, p pulse) error {
	if _, err := w.keepPulse(ctx, p); err != nil {
		return fmt.Errorf("note that the mailbox was read: %w", err)
	}
	w.mu.Lock()
	w.on, w.read, w.upto, w.alerted, w.fresh, w.jumped = true, p.Read, p.Upto, false, false, false
	w.mu.Unlock()
	return nil
}

// interlocks asks the interlocks, before deadlines pass. Of several members, the leader does that for all.
func (w *watch) interlocks(ctx context.Context) error {
	o := w.office
	if o.Seat == nil {
		return errors.Join(w.clock(ctx), w.massSilence(ctx, w.until(o.now())))
	}
	w.mu.Lock()
	led := w.leads
	w.mu.Unlock()
	if !led { // until now another member did
		if err := w.load(); err != nil {
			return err
		}
		w.attend()
		w.mu.Lock()
		w.leads = true
		w.mu.Unlock()
	}
	if err := w.clock(ctx); err != nil {
		return err
	}
	err := w.advance(ctx)
	o.ills.set(&o.ills.read, err)
	return err
}

// follow reads what the leader has said.
func (w *watch) follow() error {
	w.mu.Lock()
	w.leads = false
	w.mu.Unlock()
	return w.load()
}

// pulseLag is how much later the pulse of several members must be to be written if nothing was due meanwhile, and
// blink if something was. When others have read, the leader knows only to within a moment.
const (
	pulseLag = 5 * time.Second
	blink    = 10 * time.Millisecond
)

// advance lets deadlines pass, at all members, up to when all mailboxes were read. As long as the clock of a member is
// behind, they wait for it: nobody knows which of the clocks is right.
func (w *watch) advance(ctx context.Context) error {
	o := w.office
	w.mu.Lock()
	read := w.read
	w.mu.Unlock()
	upto, later := read, false
	if ago, known := o.Seat.ReadAgo(); known {
		upto = o.now().Add(-max(ago, 0)).Truncate(time.Microsecond)
		switch by := upto.Sub(read); {
		case by >= pulseLag, by < -leader.MostSkew:
			later = true
		case by > blink:
			if err := o.read(func(tx store.Reader) error {
				wake, ok := tx.FirstWake()
				later = ok && !wake.After(upto)
				return nil
			}); err != nil {
				return err
			}
		}
	}
	if !later {
		return w.massSilence(ctx, w.until(o.now()))
	}
	if err := errors.Join(w.afterGap(ctx, upto), w.massSilence(ctx, upto)); err != nil {
		return err
	}
	return w.beat(ctx, pulse{Read: upto, Upto: upto.Add(-o.Seat.Behind())})
}

// clock checks whether the clock has jumped since the last time, and whether the
// mailbox could not be read for so long that the game masters should know.
func (w *watch) clock(ctx context.Context) error {
	o := w.office
	now := o.now()
	w.mu.Lock()
	if !w.on || w.begun.IsZero() {
		w.mu.Unlock()
		return nil
	}
	if last := w.ticked; !last.IsZero() && (now.Sub(last) > o.opt.Outage || last.Sub(now) > o.opt.Outage) {
		w.jumped, w.begun = true, now
	}
	w.ticked = now
	since, upto := w.read, w.upto
	blind := !since.IsZero() && !w.alerted && now.Sub(since) > o.opt.Blind && now.Sub(w.begun) > o.opt.Blind
	w.mu.Unlock()
	if !blind {
		return nil
	}
	o.log.Error("mailbox not read for long", "since", since)
	people, err := w.gameMasters()
	if err != nil {
		return err
	}
	var outgoing []*outbox.Outgoing
	for _, p := range people {
		outgoing = append(outgoing, o.alert(p, phrase.Say("office.blind.subject"), nil,
			phrase.Say("office.blind.what", phrase.Within("since", o.letters.Moment(p, since))), phrase.Say("office.blind.do")))
	}
	if kept, err := w.keepPulse(ctx, pulse{Read: since, Upto: upto, Alerted: true}, outgoing...); err != nil || !kept {
		return err
	}
	w.mu.Lock()
	w.alerted = true
	w.mu.Unlock()
	return nil
}

// keepPulse writes the pulse, with letters to game masters. If the mailbox was read in the
// meantime, it neither notes that it can't be read nor tells anybody.
func (w *watch) keepPulse(ctx context.Context, p pulse, outgoing ...*outbox.Outgoing) (kept bool, err error) {
	o := w.office
	data, err := json.Marshal(p)
	if err != nil {
		return false, fmt.Errorf("write pulse: %w", err)
	}
	err = store.Again(ctx, func() error {
		var c store.Change
		was, err := c.ValueOf(ctx, o.store, pulseName)
		if err != nil {
			return err
		}
		var before pulse
		if p.Alerted && json.Unmarshal(was.Data, &before) == nil && !before.Read.Equal(p.Read) {
			return nil
		}
		was.Data = data
		c.PutValue(pulseName, was)
		kept = true
		return o.queue(ctx, c, outgoing...)
	})
	return kept && err == nil, err
}
