// Package leader shares the work of an office out among its members, when several use one store, and
// settles which of them leads. Each member has shares of the games and of the letters, and reads some of the
// mailboxes. The leader says who has which share, and keeps what needs one place: up to when
// deadlines may pass.
//
// It uses the store's contract alone. Each member changes a value every [Beat]. The others watch it with
// clocks of their own, and take what it has when they have seen no change for [DeadAfter]: the leader takes
// the shares of another member and gives them away, and somebody takes the lead of a dead leader. So who
// has what depends on no time of day, and a clock that jumps moves nothing. Of two who take the lead at once
// the store lets one. A member that can't say for [GiveUpAfter] that it lives gives everything up by itself, before
// anybody takes it; one that slept through all of this is deposed in the store, where that can be
// done, and what it then writes is refused. A member lives or is deposed as a whole.
//
// A share goes from a living member to another only when the first one has said that it works on
// it no more. So no two members ever work on one share, unless one of them was deposed and does not know it
// yet.
//
// Members of another version than the leader's stand by only, until no member of the leader's version
// lives, or has died within [GoneAfter] and may be started again: what they would write, an older program might not be able to read.
package leader

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
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
	// GiveUpAfter is after how long a member gives up that can't say that it lives.
	GiveUpAfter = 6 * time.Second
)

// ErrStandsBy: a member that only stands by can't do this.
var ErrStandsBy = errors.New("this member of the office has another version of the program than the leader: it stands by, and changes nothing, until the last member of that version has gone")

// ErrLost: the member could not say in time that it lives, and what it had may be another's.
var ErrLost = errors.New("this member of the office could not say in time that it lives: others have its work now")

// ErrHangs: the member's work did not end in time when it was to end.
var ErrHangs = errors.New("the work of this member of the office did not end when it was to end: the database, or a mail server, does not answer")

// Options of a [Seat].
type Options struct {
	Member  string // its name, of this member alone
	Version string // of the program: any two that are not the same program have different ones
	// Mailboxes are the names of those that this member can read.
	Mailboxes []string
	// Clock tells the time of day, which others compare with theirs; nil: the machine's.
	Clock func() time.Time
	// Depose makes the store refuse what a member still writes that began in an epoch; nil: the store can't.
	Depose func(ctx context.Context, member string, epoch int64) error
	Epoch  int64 // of this process, in the store
	Log    *slog.Logger
	// With takes part in each sign of life: it reads what others have written, and may put more into the change. Done, if there
	// is any, is called when that was written. Nil: nobody does.
	With func(r store.Reader, c *store.Change) (done func(), err error)
	// Says gives what the member tells the others of its state, as JSON; nil: nothing.
	Says func() json.RawMessage
}

// A Seat is a member's seat among those of its office.
type Seat struct {
	store store.Store
	opt   Options
	run   string // tells this process from all others that had its name

	mu     sync.Mutex
	leads  bool
	lost   bool              // it could not say in time that it lives
	held   time.Time         // when it last said that it lives
	looked time.Time         // before it last looked at the others
	lease  lease             // as it was last seen
	since  time.Time         // when it was first seen so
	heard  map[string]*heard // other members, by name
	joined bool
	soon   bool               // the next beat follows at once
	stop   context.CancelFunc // tells work to end
	torn   bool               // the plan can't be read

	slow    slowClock         // of the member whose clock was last seen behind this one's
	deposed map[string]string // members, by name, with the run that was deposed

	plan      plan            // as it was last seen
	done      uint64          // the last plan that takes nothing from it on which it still works
	games     Set             // that it has
	mailboxes map[string]bool // likewise
	turns     map[*Turn]bool
	changed   chan struct{} // closed when what it has changes

	beats map[uint64]time.Time // when it renewed the lease, by the beat
	own   map[string]time.Time // when its last look through a mailbox began
	read  map[string]time.Time // up to when each mailbox is known to have been read to its end
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

	Plan      uint64             `json:"plan,omitempty"`      // the last one that takes nothing from it on which it still works
	Mailboxes []string           `json:"mailboxes,omitempty"` // that it can read
	Read      map[string]reading `json:"read,omitempty"`      // of the mailboxes that it has read
	Clock     time.Time          `json:"clock,omitzero"`      // its time of day
	Epoch     int64              `json:"epoch,omitempty"`     // in the store
	Says      json.RawMessage    `json:"says,omitempty"`      // of its state
}

// heard is what was heard of another member.
type heard struct {
	sign
	since time.Time     // when it was first seen so
	skew  time.Duration // by how much its clock is ahead of this member's
	beats bool          // its sign has changed since this member first saw it: it is not that of one who died long before
}

// A Member is a member of the office as another one sees it.
type Member struct {
	Name, Version string
	Leads         bool
	Silent        time.Duration            // since it was last heard
	Shares        int                      // of games and letters that it has
	Mailboxes     []string                 // that it reads
	Read          map[string]time.Duration // how long ago it has read mailboxes to their end, of those that it reads or did
	Ahead         time.Duration            // of this member's clock
	Says          json.RawMessage          // of its state, when it was last heard; of this member: nil
}

// Values of the store that hold the lease and the signs of life.
const (
	leaseValue = "leader"
	signPrefix = store.SignPrefix
	planValue  = "shares"
)

// New gives a member its seat.
func New(st store.Store, opt Options) *Seat {
	if opt.Log == nil {
		opt.Log = slog.New(slog.DiscardHandler)
	}
	if opt.Clock == nil {
		opt.Clock = time.Now
	}
	return &Seat{store: st, opt: opt, run: rand.Text(), heard: map[string]*heard{}, mailboxes: map[string]bool{}, turns: map[*Turn]bool{},
		changed: make(chan struct{}), deposed: map[string]string{}, beats: map[uint64]time.Time{}, own: map[string]time.Time{}, read: map[string]time.Time{}}
}

// Look looks at who leads, for a process that does not keep the seat.
func (s *Seat) Look(ctx context.Context) error {
	return s.store.Read(ctx, func(r store.Reader) error {
		if err := s.hear(r); err != nil {
			return err
		}
		data := r.Value(leaseValue)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.lease = leaseIn(data)
		return nil
	})
}

// Leads tells whether this member leads.
func (s *Seat) Leads() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.leads
}

// May tells why this member may change nothing; nil if it may. While a leader hands over, another member of
// its version takes the lead, if there is one.
func (s *Seat) May() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.leads && s.lease.Version != s.opt.Version && (s.lease.Member != "" || s.lease.Version != "" && s.lives(s.lease.Version)) {
		return ErrStandsBy
	}
	return nil
}

// StandsBy tells whether another member leads, or none. A nil seat is that of an office without others.
func (s *Seat) StandsBy() bool { return s != nil && !s.Leads() }

// HasAll tells whether this member has all shares of games and letters. A nil seat has.
func (s *Seat) HasAll() bool {
	if s == nil {
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.games == ^Set(0)
}

// Reads tells whether this member reads a mailbox. A nil seat reads all.
func (s *Seat) Reads(mailbox string) bool {
	if s == nil {
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mailboxes[mailbox]
}

// Members lists the members that have not left, by name; this one among them. A nil seat is that of an
// office without others: there are none.
func (s *Seat) Members() []Member {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	all := []Member{s.member(Member{Name: s.opt.Member, Version: s.opt.Version, Leads: s.leads, Read: map[string]time.Duration{}}, s.run)}
	for name, began := range s.own {
		all[0].Read[name] = Since(began, now)
	}
	for name, h := range s.heard {
		read := map[string]time.Duration{}
		for mailbox, r := range h.Read {
			read[mailbox] = r.Ago + now.Sub(h.since)
		}
		all = append(all, s.member(Member{Read: read, Name: name, Version: h.Version, Leads: s.lease.Member == name, Silent: time.Since(h.since), Ahead: h.skew, Says: h.Says}, h.Run))
	}
	slices.SortFunc(all, func(a, b Member) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// member adds to what is known of a member which shares it has. The caller holds the lock.
func (s *Seat) member(m Member, run string) Member {
	games, mailboxes := s.plan.mine(run)
	m.Shares, m.Mailboxes = games.Len(), slices.Sorted(maps.Keys(mailboxes))
	return m
}

// step is one beat.
func (s *Seat) step(ctx context.Context) error {
	var c store.Change
	var old lease
	var there plan
	var torn error
	written := func() {}
	s.mu.Lock()
	s.looked = time.Now() // nobody counts as silent for what he says while this member reads
	s.mu.Unlock()
	err := s.store.Read(ctx, func(r store.Reader) error {
		for _, name := range []string{leaseValue, planValue, signPrefix + s.opt.Member} {
			c.PutValue(name, c.ValueIn(r, name))
		}
		old = leaseIn(c.Values[leaseValue].Data)
		if data := c.Values[planValue].Data; data != nil {
			if torn = json.Unmarshal(data, &there); torn != nil {
				there = plan{}
			}
		}
		if err := s.hear(r); err != nil {
			return err
		}
		done, err := s.opt.with(r, &c)
		written = done
		return err
	})
	if err != nil {
		return err
	}
	next, wants := s.next(old)
	planned, dead := replan(s, old, there, wants, torn)
	if len(dead) > 0 { // before, not after: once another member works on what they had, they may write nothing
		planned, wants = there, old.Run == s.run
	}
	if err := s.write(&c, next, wants, planned, planned.Number != there.Number); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- s.depose(ctx, dead) }() // on a slow disk it must not keep this member from saying that it lives
	asked := time.Now()                          // nobody sees the sign before this, and counts this member's silence from an earlier moment
	err = commit(ctx, s.store, c)
	var deposed error
	select {
	case deposed = <-ended:
	case <-ctx.Done():
		deposed = ctx.Err()
	}
	if errors.Is(err, store.ErrOutOfStep) && !s.Leads() {
		return deposed // somebody else was quicker
	}
	if err != nil {
		return errors.Join(err, deposed)
	}
	written()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.joined, s.held = true, asked
	if s.lost {
		return deposed // it has given up meanwhile
	}
	switch {
	case wants:
		s.leads, s.lease = true, next
		s.beats[next.Beat] = asked
		delete(s.beats, next.Beat-rememberedBeats)
	case old.Run != s.run && s.leads: // somebody has taken it, and this member is as good as dead
		s.lost, s.leads = true, false
		s.hold(0, map[string]bool{})
	}
	if torn == nil || planned.Number > 0 {
		s.takeUp(planned)
	}
	s.soon = len(dead) > 0 && deposed == nil
	return deposed
}

// replan follows the plan that stands in the store. If this member leads, or is about to, it gives the plan that follows, and whom to
// depose before that is written.
func replan(s *Seat, old lease, there plan, wants bool, torn error) (planned plan, dead map[string]string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if (torn != nil) != s.torn && torn != nil {
		s.opt.Log.Warn("who has which share can't be read: each member goes on with what it has; stop all members, and start them again", "member", s.opt.Member, "error", torn)
	}
	s.torn = torn != nil
	if !s.torn {
		s.letGo(there)
	}
	switch planned = there; {
	case !wants:
		return planned, nil
	case s.torn:
		planned, dead = planAnew(s, there)
	default:
		planned, dead = s.assign(there)
	}
	if old.Run != s.run && old.Member != "" && s.fate(hold{Member: old.Member, Run: old.Run}) != gone {
		dead[old.Member] = old.Run
	}
	for name, run := range dead {
		if s.deposed[name] == run || s.opt.Depose == nil {
			delete(dead, name)
		}
	}
	return planned, dead
}

// with lets who wants to take part in a change of this member.
func (opt Options) with(r store.Reader, c *store.Change) (done func(), err error) {
	if opt.With != nil {
		done, err = opt.With(r, c)
	}
	if done == nil {
		done = func() {}
	}
	return done, err
}

// depose deposes dead members, given by name with the run that died.
func (s *Seat) depose(ctx context.Context, dead map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(dead)) {
		s.mu.Lock()
		epoch := s.heard[name].Epoch
		s.mu.Unlock()
		if err := s.opt.Depose(ctx, name, epoch); err != nil {
			return fmt.Errorf("depose %s: %w", name, err)
		}
		s.mu.Lock()
		s.deposed[name] = dead[name]
		s.mu.Unlock()
	}
	return nil
}

// rememberedBeats is how many beats back a member may refer when it says up to when it has read a mailbox.
const rememberedBeats = 30

// write puts into a change what this beat writes.
func (s *Seat) write(c *store.Change, next lease, leads bool, planned plan, replans bool) error {
	for _, v := range []struct {
		name  string
		to    any
		wants bool
	}{{leaseValue, next, leads}, {planValue, planned, replans}} {
		if !v.wants {
			delete(c.Values, v.name)
			continue
		}
		if err := put(c, v.name, v.to); err != nil {
			return err
		}
	}
	name := signPrefix + s.opt.Member
	var mine sign
	if data := c.Values[name].Data; data != nil {
		_ = json.Unmarshal(data, &mine) // of a process before this one: whatever it was is replaced
	}
	return put(c, name, s.sign(mine.Beat+1))
}

// sign is what this member says of itself.
func (s *Seat) sign(beat uint64) sign {
	var says json.RawMessage
	if s.opt.Says != nil {
		says = s.opt.Says()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	mine := sign{Run: s.run, Version: s.opt.Version, Beat: beat, Plan: s.done, Mailboxes: s.opt.Mailboxes, Clock: s.opt.Clock().UTC(), Epoch: s.opt.Epoch, Says: says}
	for name, began := range s.own {
		if mine.Read == nil {
			mine.Read = map[string]reading{}
		}
		mine.Read[name] = reading{s.lease.Beat, Since(began, s.since)}
	}
	return mine
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
	mine := lease{s.opt.Member, s.run, s.opt.Version, old.Term, old.Beat + 1}
	if s.leads && old.Version == unreadable {
		mine.Term, mine.Beat = s.lease.Term, s.lease.Beat+1
	}
	if old != s.lease || s.since.IsZero() {
		s.lease, s.since = old, time.Now()
	}
	switch {
	case old.Run == s.run:
		return mine, true
	case s.leads && old.Version == unreadable: // nobody takes it while this member lives: it writes it again
		return mine, true
	case s.leads: // somebody has taken it
		return old, false
	case old.Member == s.opt.Member && s.opt.Depose != nil: // a process before this one, which the store refuses by now
		mine.Term++
		return mine, true
	case old.Member == "" || s.looked.Sub(s.since) >= DeadAfter:
		if other := old.Version != s.opt.Version; other && (s.lives(old.Version) || old.Member != "" && s.looked.Sub(s.since) < GoneAfter) {
			return old, false // a member of the leader's version takes it, or is started again
		}
		mine.Term++
		return mine, true
	}
	return old, false
}

// lives tells whether another member of a version, which is not this one's, lives, or may be started again after it has died
// ([GoneAfter]): what this one would write, that one might not be able to read.
func (s *Seat) lives(version string) bool {
	for _, h := range s.heard {
		if h.Version == version && s.looked.Sub(h.since) < GoneAfter {
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
		now := signIn(data)
		there[name] = true
		if h := s.heard[name]; now.Version == unreadable && (h == nil || h.Version != unreadable) {
			s.opt.Log.Warn("a sign of life can't be read: it counts as that of a living member of another version", "member", name)
		}
		if h := s.heard[name]; h == nil || h.Run != now.Run || h.Beat != now.Beat {
			h = &heard{sign: now, since: time.Now(), beats: h != nil}
			if !now.Clock.IsZero() {
				h.skew = now.Clock.Sub(s.opt.Clock())
			}
			s.heard[name] = h
		}
		for mailbox, r := range now.Read {
			if at, ok := s.beats[r.Beat]; ok {
				s.know(mailbox, at.Add(-r.Ago))
			}
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

// leave gives up the lease, and takes the member's sign of life away. A member whose work hangs says nothing: the others depose it
// before they take what it has.
func (s *Seat) leave(hangs bool) {
	s.giveUp()
	if !s.joined || hangs {
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
			if was.Data == nil || json.Unmarshal(was.Data, &mine) != nil || mine.Run != s.run {
				return nil
			}
			c.PutValue(signPrefix+s.opt.Member, store.Value{Was: was.Was})
			_, err := s.opt.with(r, &c)
			return err
		})
		if err != nil || len(c.Values) == 0 {
			return err
		}
		return commit(ctx, s.store, c)
	})
	if err != nil && !errors.Is(err, store.ErrClosed) {
		s.opt.Log.Warn("the others were not told that this member ends", "member", s.opt.Member, "error", err)
	}
}
