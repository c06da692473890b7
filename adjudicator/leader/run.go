package leader

import (
	"context"
	"errors"
	"fmt"
	"time"

	"berthier/adjudicator/store"
)

// Run keeps the seat until the context ends, and has work run from when the others know of this member. What
// it may work on, it asks for turn by turn ([Seat.Begin]). The context of work ends in the moment in which the member can't say in
// time that it lives; then Run returns [ErrLost], since what the process holds in memory is no longer so. When work
// ends by itself, Run gives up what it has and ends, too.
//
// Nothing is waited for without end, since the store may never answer: neither a sign of life, nor work that has been told to
// end ([ErrHangs]).
func (s *Seat) Run(ctx context.Context, work func(context.Context) error) error {
	ticker := time.NewTicker(Beat)
	defer ticker.Stop()
	w := &working{ended: make(chan error, 1)}
	worked, stop := context.WithCancel(ctx)
	defer stop()
	s.mu.Lock()
	s.stop = stop
	s.mu.Unlock()
	defer func() { s.leave(w.hangs) }()
	led := false
	var warned time.Time
	for {
		err := s.beat(ctx)
		s.mu.Lock()
		joined, lost, leads, soon := s.joined, s.lost, s.leads, s.soon
		s.soon = false
		s.mu.Unlock()
		switch {
		case errors.Is(err, store.ErrDeposed):
			s.giveUp()
			s.opt.Log.Error("this member gives up what it had", "member", s.opt.Member)
			return errors.Join(err, w.end())
		case err != nil && ctx.Err() == nil:
			if time.Since(warned) >= Beat {
				warned = time.Now()
				s.opt.Log.Warn("sign of life not written", "member", s.opt.Member, "error", err)
			}
		case joined && !w.running && ctx.Err() == nil:
			w.running = true
			go func() { w.ended <- work(worked) }()
		}
		if leads != led {
			if led = leads; leads {
				s.opt.Log.Info("this member leads", "member", s.opt.Member)
			}
		}
		if lost && w.running {
			s.giveUp()
			s.opt.Log.Error("this member gives up what it had", "member", s.opt.Member)
			return errors.Join(ErrLost, w.end())
		}
		if soon {
			continue
		}
		select {
		case <-ctx.Done():
			return w.end()
		case err := <-w.ended:
			return err
		case <-ticker.C:
		case <-time.After(nextLook(s, err != nil)):
		}
	}
}

// endsIn is how long work may take to end that has been told to. Who has ended by then has said so before others count this member
// as dead; what is written later is refused, if there are others.
const endsIn = GiveUpAfter

// working is work that may be under way.
type working struct {
	running, hangs bool
	ended          chan error
}

// end waits for the end of work that has been told to end.
func (w *working) end() error {
	if !w.running {
		return nil
	}
	select {
	case err := <-w.ended:
		return err
	case <-time.After(endsIn):
		w.hangs = true
		return ErrHangs
	}
}

// tryAgain is how soon this member tries again to say that it lives.
const tryAgain = Beat / 8

// nextLook is how long it is until this member looks before the next beat: at the moment at which a silent member counts as
// dead, so that another one has its work up to a beat earlier; at that at which this one has to give up; and soon, if it could not
// say that it lives.
func nextLook(s *Seat, failed bool) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := time.Hour
	if failed {
		next = tryAgain
	}
	if s.has() {
		next = min(next, GiveUpAfter-time.Since(s.held))
	}
	falls := func(since time.Time) {
		if in := DeadAfter - time.Since(since); in > 0 {
			next = min(next, in)
		}
	}
	if !s.leads && s.lease.Member != "" {
		falls(s.since)
	}
	for _, h := range s.heard {
		falls(h.since)
	}
	return next
}

// giveUp gives up everything that this member has, and tells its work to end.
func (s *Seat) giveUp() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lost, s.leads = true, false
	s.hold(0, map[string]bool{})
	if s.stop != nil {
		s.stop()
	}
}

// beat says that this member lives, renews the lease if it has it, and takes it if nobody has.
func (s *Seat) beat(ctx context.Context) error {
	until := s.deadline()
	ctx, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	defer time.AfterFunc(time.Until(until), func() { giveUpIfLate(s) }).Stop()
	err := s.step(ctx)
	giveUpIfLate(s)
	return err
}

// giveUpIfLate gives everything up if this member could not say in time that it lives: at that moment, however long the store
// takes to answer.
func giveUpIfLate(s *Seat) {
	s.mu.Lock()
	late := s.has() && time.Since(s.held) >= GiveUpAfter
	s.mu.Unlock()
	if late {
		s.giveUp()
	}
}

// has tells whether this member has anything that another one could get. The caller holds the lock.
func (s *Seat) has() bool { return s.leads || s.games != 0 || len(s.mailboxes)+len(s.turns) > 0 }

// deadline is until when one beat may take. A member that has something has until it must give up. The others
// have as long: who takes over writes twice, and a store whose disk is slow must make that late, not
// vain.
func (s *Seat) deadline() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.has() {
		return s.held.Add(GiveUpAfter)
	}
	return time.Now().Add(GiveUpAfter)
}

// lastWord is how long a member that ends waits for what it has just written.
const lastWord = time.Second

// commit writes a change, and waits for the outcome only as long as the context lasts: a store that hangs must not keep a
// member from giving up what it has, or from ending. Whether it is written is then not known, as when a connection is lost.
func commit(ctx context.Context, st store.Store, c store.Change) error {
	done := make(chan error, 1)
	go func() { done <- st.Commit(ctx, c) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		select {
		case err := <-done:
			return err
		case <-time.After(lastWord):
		}
	}
	return fmt.Errorf("the store does not answer: %w", ctx.Err())
}
