// Package leader settles which member of an office leads, when several use one store: the leader reads
// the mailbox, keeps the deadlines and sends; the others stand by, and one of them takes over when the
// leader has died.
//
// It uses the store's contract alone, and no time of day. The leader changes a value every
// [Beat]. Who stands by watches it with a clock of its own, and takes over when it has seen no
// change for [DeadAfter]. So it does not matter whether the members' clocks agree, and a clock that jumps
// moves nothing. Of two who take over at once the store lets one. A leader that can't renew its lease
// for [GiveUpAfter] gives up by itself, before anybody takes over; one that slept through all of this
// is deposed in the store, where that can be done, and what it then writes is refused.
//
// Members of another version than the leader's stand by only, until no member of the leader's version
// lives: what they would write, an older program might not be able to read.
package leader

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"berthier/adjudicator/store"
)

const (
	// Beat is how often a member says that it lives.
	Beat = 2 * time.Second
	// DeadAfter is after how long a silent member counts as dead.
	DeadAfter = 9 * time.Second
	// GiveUpAfter is after how long a leader gives up that can't say that it lives.
	GiveUpAfter = 6 * time.Second
)

// ErrStandsBy: a member that only stands by can't do this.
var ErrStandsBy = errors.New("this member of the office has another version of the program than the leader: it stands by, and changes nothing, until the last member of that version has gone")

// ErrLost: the member no longer leads.
var ErrLost = errors.New("another member of the office leads now")

// Options of a [Seat].
type Options struct {
	Member  string // its name, of this member alone
	Version string // of the program
	// Depose makes the store refuse what a member still writes; nil: the store can't.
	Depose func(ctx context.Context, member string) error
	Log    *slog.Logger
}

// A Seat is a member's seat among those of its office.
type Seat struct {
	store store.Store
	opt   Options
	run   string // tells this process from all others that had its name

	mu     sync.Mutex
	leads  bool
	held   time.Time         // when the lease was last renewed
	lease  lease             // as it was last seen
	since  time.Time         // when it was first seen so
	heard  map[string]*heard // other members, by name
	joined bool
}

// A lease says who leads.
type lease struct {
	Member  string `json:"member"` // "": the leader gave it up
	Run     string `json:"run"`
	Version string `json:"version"`
	Term    uint64 `json:"term"` // rises with each leader
	Beat    uint64 `json:"beat"` // rises as long as it lives
}

// A sign of life is what a member writes under its name.
type sign struct {
	Run     string `json:"run"`
	Version string `json:"version"`
	Beat    uint64 `json:"beat"`
}

// heard is what was heard of another member.
type heard struct {
	sign
	since time.Time // when it was first seen so
}

// A Member is a member of the office as another one sees it.
type Member struct {
	Name, Version string
	Leads         bool
	Silent        time.Duration // since it was last heard
}

// Values of the store that hold the lease and the signs of life.
const (
	leaseValue = "leader"
	signPrefix = "member/"
)

// New gives a member its seat.
func New(st store.Store, opt Options) *Seat {
	if opt.Log == nil {
		opt.Log = slog.New(slog.DiscardHandler)
	}
	return &Seat{store: st, opt: opt, run: rand.Text(), heard: map[string]*heard{}}
}

// Look looks at who leads, for a process that does not keep the seat.
func (s *Seat) Look(ctx context.Context) error {
	return s.store.Read(ctx, func(r store.Reader) error {
		data := r.Value(leaseValue)
		s.mu.Lock()
		defer s.mu.Unlock()
		if data == nil {
			return nil
		}
		return json.Unmarshal(data, &s.lease)
	})
}

// Leads tells whether this member leads.
func (s *Seat) Leads() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.leads
}

// May tells why this member may change nothing; nil if it may.
func (s *Seat) May() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lease.Member != "" && s.lease.Version != s.opt.Version && !s.leads {
		return ErrStandsBy
	}
	return nil
}

// StandsBy tells whether another member leads, or none. A nil seat is that of an office without others.
func (s *Seat) StandsBy() bool { return s != nil && !s.Leads() }

// Members lists the members that have not left, by name; this one among them. A nil seat is that of an
// office without others: there are none.
func (s *Seat) Members() []Member {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	all := []Member{{Name: s.opt.Member, Version: s.opt.Version, Leads: s.leads}}
	for name, h := range s.heard {
		all = append(all, Member{name, h.Version, s.lease.Member == name, time.Since(h.since)})
	}
	slices.SortFunc(all, func(a, b Member) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// Run keeps the seat until the context ends, and has lead run while this member leads. The
// context of lead ends when the member no longer leads; then Run returns [ErrLost], since what the
// process holds in memory is no longer so. When lead ends by itself, Run gives the lease up and ends,
// too.
func (s *Seat) Run(ctx context.Context, lead func(context.Context) error) error {
	ticker := time.NewTicker(Beat)
	defer ticker.Stop()
	defer s.leave()
	ended := make(chan error, 1)
	running := false
	led, stop := context.WithCancel(ctx)
	defer stop()
	for {
		err := s.beat(ctx)
		leads := s.Leads()
		switch {
		case errors.Is(err, store.ErrDeposed):
			stop()
			if running {
				err = errors.Join(err, <-ended)
			}
			return err
		case err != nil && ctx.Err() == nil:
			s.opt.Log.Warn("sign of life not written", "member", s.opt.Member, "error", err)
		case leads && !running:
			s.opt.Log.Info("this member leads", "member", s.opt.Member)
			running = true
			go func() { ended <- lead(led) }()
		}
		if running && !leads {
			stop()
			s.opt.Log.Error("this member no longer leads", "member", s.opt.Member)
			return errors.Join(ErrLost, <-ended)
		}
		select {
		case <-ctx.Done():
			if running {
				return <-ended
			}
			return nil
		case err := <-ended:
			return err
		case <-ticker.C:
		}
	}
}

// beat says that this member lives, renews the lease if it has it, and takes it if nobody has.
func (s *Seat) beat(ctx context.Context) error {
	ctx, cancel := context.WithDeadline(ctx, s.deadline())
	defer cancel()
	err := s.step(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.leads && time.Since(s.held) >= GiveUpAfter {
		s.leads = false
	}
	return err
}

// deadline is until when one beat may take. A leader has until it must give up. The others have as
// long: who takes over writes twice, and a store whose disk is slow must make that late, not
// vain.
func (s *Seat) deadline() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.leads {
		return s.held.Add(GiveUpAfter)
	}
	return time.Now().Add(GiveUpAfter)
}

// step is one beat.
func (s *Seat) step(ctx context.Context) error {
	var c store.Change
	var old lease
	err := s.store.Read(ctx, func(r store.Reader) error {
		was := c.ValueIn(r, leaseValue)
		if was.Data != nil {
			if err := json.Unmarshal(was.Data, &old); err != nil {
				return fmt.Errorf("read the leader's lease: %w", err)
			}
		}
		c.PutValue(leaseValue, was)
		c.PutValue(signPrefix+s.opt.Member, c.ValueIn(r, signPrefix+s.opt.Member))
		return s.hear(r)
	})
	if err != nil {
		return err
	}
	next, wants := s.next(old)
	if wants {
		if err := put(&c, leaseValue, next); err != nil {
			return err
		}
	} else {
		delete(c.Values, leaseValue)
	}
	var mine sign
	if data := c.Values[signPrefix+s.opt.Member].Data; data != nil {
		_ = json.Unmarshal(data, &mine) // of a process before this one: whatever it was is replaced
	}
	if err := put(&c, signPrefix+s.opt.Member, sign{s.run, s.opt.Version, mine.Beat + 1}); err != nil {
		return err
	}
	taking := wants && old.Run != s.run
	if taking && old.Member != "" && old.Member != s.opt.Member && s.opt.Depose != nil {
		// Before, not after: once this member reads the mailbox nobody else may write.
		if err := s.opt.Depose(ctx, old.Member); err != nil {
			return err
		}
	}
	asked := time.Now() // nobody sees the new lease before this, and counts its silence from an earlier moment
	if err := s.store.Commit(ctx, c); err != nil {
		if errors.Is(err, store.ErrOutOfStep) && !s.Leads() {
			return nil // somebody else was quicker
		}
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.joined = true
	switch {
	case wants:
		s.leads, s.held, s.lease = true, asked, next
	case old.Run != s.run:
		s.leads = false
	}
	return nil
}

// put changes a value that a change is about to write.
func put(c *store.Change, name string, to any) error {
	data, err := json.Marshal(to)
	if err != nil {
		return err
	}
	c.PutValue(name, store.Value{Data: data, Was: c.Values[name].Was})
	return nil
}

// next is the lease that this member wants to have written, if it wants one.
func (s *Seat) next(old lease) (next lease, wants bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old != s.lease || s.since.IsZero() {
		s.lease, s.since = old, time.Now()
	}
	mine := lease{s.opt.Member, s.run, s.opt.Version, old.Term, old.Beat + 1}
	switch {
	case old.Run == s.run:
		return mine, true
	case s.leads: // somebody has taken it
		return old, false
	case old.Member == s.opt.Member && s.opt.Depose != nil: // a process before this one, which the store refuses by now
		mine.Term++
		return mine, true
	case old.Member == "" || time.Since(s.since) >= DeadAfter:
		if old.Version != s.opt.Version && s.lives(old.Version) {
			return old, false // a member of the leader's version takes it
		}
		mine.Term++
		return mine, true
	}
	return old, false
}

// lives tells whether another member of a version lives.
func (s *Seat) lives(version string) bool {
	for _, h := range s.heard {
		if h.Version == version && time.Since(h.since) < DeadAfter {
			return true
		}
	}
	return false
}

// hear looks at the signs of life of the others.
func (s *Seat) hear(r store.Reader) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	there := map[string]bool{}
	err := r.Values(signPrefix, func(name string, data []byte) error {
		name = strings.TrimPrefix(name, signPrefix)
		if name == s.opt.Member {
			return nil
		}
		var now sign
		if err := json.Unmarshal(data, &now); err != nil {
			return fmt.Errorf("read the sign of life of %s: %w", name, err)
		}
		there[name] = true
		if h := s.heard[name]; h == nil || h.sign != now {
			s.heard[name] = &heard{now, time.Now()}
		}
		return nil
	})
	for name := range s.heard {
		if !there[name] {
			delete(s.heard, name)
		}
	}
	return err
}

// leaveIn is how long a member that ends may take to say so.
const leaveIn = 5 * time.Second

// leave gives up the lease, and takes the member's sign of life away.
func (s *Seat) leave() {
	s.mu.Lock()
	joined := s.joined
	s.leads = false
	s.mu.Unlock()
	if !joined {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), leaveIn)
	defer cancel()
	err := store.Again(ctx, func() error {
		var c store.Change
		err := s.store.Read(ctx, func(r store.Reader) error {
			if was := c.ValueIn(r, leaseValue); was.Data != nil {
				var old lease
				if json.Unmarshal(was.Data, &old) == nil && old.Run == s.run {
					c.PutValue(leaseValue, was)
					return put(&c, leaseValue, lease{Version: old.Version, Term: old.Term, Beat: old.Beat + 1})
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		err = s.store.Read(ctx, func(r store.Reader) error {
			was := c.ValueIn(r, signPrefix+s.opt.Member)
			var mine sign
			if was.Data != nil && json.Unmarshal(was.Data, &mine) == nil && mine.Run == s.run {
				c.PutValue(signPrefix+s.opt.Member, store.Value{Was: was.Was})
			}
			return nil
		})
		if err != nil || len(c.Values) == 0 {
			return err
		}
		return s.store.Commit(ctx, c)
	})
	if err != nil && !errors.Is(err, store.ErrClosed) {
		s.opt.Log.Warn("the others were not told that this member ends", "member", s.opt.Member, "error", err)
	}
}
