package leader_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"berthier/adjudicator/leader"
	"berthier/adjudicator/store"
	"berthier/adjudicator/store/bolt"
)

// A reached store can be cut off from a member.
type reached struct {
	store.Store
	cut     atomic.Bool
	deposed atomic.Bool
	hangs   atomic.Bool   // no write ends, whoever waits for it
	slow    *atomic.Int64 // nanoseconds that each write takes
	said    atomic.Int64  // when the last change was begun that was written
}

var errCut = errors.New("the database can't be reached")

func (r *reached) fault() error {
	switch {
	case r.cut.Load():
		return errCut
	case r.deposed.Load():
		return store.ErrDeposed
	}
	return nil
}

func (r *reached) Read(ctx context.Context, f func(store.Reader) error) error {
	if err := r.fault(); err != nil {
		return err
	}
	time.Sleep(time.Millisecond) // what is read was so a moment ago
	return r.Store.Read(ctx, f)
}

func (r *reached) Commit(ctx context.Context, c store.Change) error {
	if err := r.fault(); err != nil {
		return err
	}
	began := time.Now().UnixNano()
	for r.hangs.Load() {
		time.Sleep(100 * time.Millisecond)
	}
	if err := r.write(ctx); err != nil {
		return err
	}
	r.said.Store(began)
	return r.Store.Commit(ctx, c)
}

// write takes as long as the disk does, or until nobody waits any more.
func (r *reached) write(ctx context.Context) error {
	select {
	case <-time.After(time.Duration(r.slow.Load())):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// An office of members that all use one store.
type office struct {
	t       *testing.T
	store   store.Store
	members map[string]*member
	slow    atomic.Int64 // nanoseconds that each write takes

	mu      sync.Mutex
	epochs  int64
	stuck   bool               // work does not end
	working map[string]bool    // members, by name, whose work has not been told to end
	has     map[string]*member // who works on which share or mailbox at this moment
	work    time.Duration      // how long a piece of work takes
}

type member struct {
	*leader.Seat
	name  string
	at    *reached
	epoch int64
	stop  context.CancelFunc
	ended chan error
	skew  atomic.Int64 // by which its clock is ahead
	look  atomic.Int64 // when its last look through a mailbox that has ended began
}

func newOffice(t *testing.T) *office {
	t.Helper()
	path := filepath.Join(t.TempDir(), "games.db")
	if err := bolt.Create(path, bolt.Options{NoSync: true}); err != nil {
		t.Fatal(err)
	}
	st, err := bolt.Open(path, bolt.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	return &office{t: t, store: st, members: map[string]*member{}, has: map[string]*member{}, working: map[string]bool{}, work: 300 * time.Millisecond}
}

func (o *office) begin(name, version string, mailboxes ...string) *member {
	m := &member{name: name, at: &reached{Store: o.store, slow: &o.slow}, ended: make(chan error, 1)}
	ctx, stop := context.WithCancel(context.Background())
	m.stop = stop
	o.mu.Lock()
	o.epochs++
	m.epoch = o.epochs
	m.Seat = leader.New(m.at, leader.Options{Member: name, Version: version, Mailboxes: mailboxes,
		Clock: func() time.Time { return time.Now().Add(time.Duration(m.skew.Load())) },
		Epoch: m.epoch,
		Depose: func(ctx context.Context, old string, epoch int64) error {
			if err := m.at.write(ctx); err != nil {
				return err
			}
			o.mu.Lock()
			defer o.mu.Unlock()
			if other := o.members[old]; other != nil && other.epoch == epoch {
				other.at.deposed.Store(true)
			}
			return nil
		}})
	o.members[name] = m
	o.mu.Unlock()
	go func() { m.ended <- m.Run(ctx, func(ctx context.Context) error { return o.works(ctx, m, mailboxes) }) }()
	return m
}

// works does what a member of an office does: it works on its shares, and reads its mailboxes. Nobody else
// may work on the same at the same time.
func (o *office) works(ctx context.Context, m *member, mailboxes []string) error {
	var all sync.WaitGroup
	for _, mailbox := range mailboxes {
		all.Go(func() {
			for turn := m.Wait(ctx, mailbox); turn != nil; turn = m.Wait(ctx, mailbox) {
				o.take(m, mailbox)
				for ctx.Err() == nil && !turn.IsOver() {
					began := time.Now()
					rest(ctx, o.work)
					m.look.Store(began.UnixNano())
					m.Noted(mailbox, began)
				}
				o.leave(m, mailbox)
				turn.End()
			}
		})
	}
	o.mu.Lock()
	o.working[m.name] = true
	o.mu.Unlock()
	told := func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.working[m.name] = false
	}
	stop := context.AfterFunc(ctx, told)
	defer func() {
		if stop() { // it ends before the function has begun
			told()
		}
	}()
	for ctx.Err() == nil {
		turn := m.Begin()
		var names []string
		for share := range leader.Shares {
			if turn.Games().Has(share) {
				names = append(names, fmt.Sprint("share ", share))
			}
		}
		o.take(m, names...)
		rest(ctx, o.work)
		o.leave(m, names...)
		turn.End()
		rest(ctx, o.work/4)
	}
	all.Wait()
	for o.isStuck() {
		time.Sleep(100 * time.Millisecond)
	}
	return nil
}

func (o *office) isStuck() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.stuck
}

// take tells that a member begins to work on something.
func (o *office) take(m *member, names ...string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, name := range names {
		if other := o.has[name]; other != nil && !other.at.deposed.Load() {
			o.t.Errorf("two members work on %s", name)
		}
		o.has[name] = m
	}
}

func (o *office) leave(m *member, names ...string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, name := range names {
		if o.has[name] == m {
			delete(o.has, name)
		}
	}
}

// shared checks how many shares, and which mailboxes, members have as they see it themselves.
func (o *office) shared(want string) {
	o.t.Helper()
	var now []string
	for _, name := range []string{"a", "b", "c"} {
		if m := o.members[name]; m != nil && !m.at.deposed.Load() && !m.at.cut.Load() {
			for _, one := range m.Members() {
				if one.Name == name {
					now = append(now, strings.TrimSpace(fmt.Sprint(name, " ", one.Shares, " ", strings.Join(one.Mailboxes, " "))))
				}
			}
		}
	}
	if got := strings.Join(now, ", "); got != want {
		o.t.Errorf("shares: %s; they should be: %s", got, want)
	}
}

// leading gives who leads; "": nobody.
func (o *office) leading() (name string) {
	for _, n := range []string{"a", "b", "c"} {
		if m := o.members[n]; m != nil && m.Leads() {
			if name != "" {
				o.t.Errorf("%s and %s lead", name, n)
			}
			name = n
		}
	}
	return name
}

func rest(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// close ends all members, so that the store can be closed.
func (o *office) close() {
	for _, m := range o.members {
		m.stop()
	}
	synctest.Wait()
	for name, m := range o.members {
		if err := <-m.ended; err != nil && !errors.Is(err, leader.ErrLost) && !errors.Is(err, store.ErrDeposed) {
			o.t.Errorf("%s ended: %v", name, err)
		}
	}
	if err := o.store.Close(); err != nil {
		o.t.Error(err)
	}
}

func (o *office) leads(want string) {
	o.t.Helper()
	if got := o.leading(); got != want {
		o.t.Errorf("%q leads, %q should", got, want)
	}
}

func after(d time.Duration) { time.Sleep(d); synctest.Wait() }

// TestTheLeaderDies kills the leader without a word, ends one in order, and counts the seconds until
// another one leads.
func TestTheLeaderDies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newOffice(t)
		defer o.close()
		a := o.begin("a", "1")
		after(time.Second)
		o.begin("b", "1")
		o.begin("c", "1")
		after(time.Minute)
		o.leads("a")

		a.at.cut.Store(true) // as good as dead: nobody hears it, and it hears nobody
		after(leader.GiveUpAfter + leader.Beat)
		if a.Leads() {
			t.Error("who is cut off still leads")
		}
		if err := <-a.ended; !errors.Is(err, leader.ErrLost) {
			t.Errorf("who is cut off ends with %v", err)
		}
		a.ended <- nil
		after(leader.DeadAfter + 2*leader.Beat - leader.GiveUpAfter)
		last := o.leading()
		if last == "" || last == "a" {
			t.Error("nobody has taken over")
		}
		if !a.at.deposed.Load() {
			t.Error("who led before is not deposed")
		}
		next := o.members[last]
		next.stop()
		after(2 * leader.Beat)
		if now := o.leading(); now == "" || now == last {
			t.Error("who ends in order does not give up the lease")
		}
		after(time.Minute)
		if all := o.members[o.leading()].Members(); len(all) != 2 || all[0].Silent < leader.DeadAfter {
			t.Errorf("members %+v: the dead one is silent, the one that left is gone", all)
		}
	})
}

// TestHowSoonOneTakesOver: whenever the leader dies, another one leads as soon as it may count as dead, and not a beat later.
func TestHowSoonOneTakesOver(t *testing.T) {
	const step = leader.Beat / 10
	for phase := range 10 {
		synctest.Test(t, func(t *testing.T) {
			o := newOffice(t)
			defer o.close()
			a := o.begin("a", "1")
			after(10*time.Millisecond + step*time.Duration(phase))
			o.begin("b", "1")
			o.begin("c", "1")
			after(30*leader.Beat - step*time.Duration(phase) + time.Millisecond) // it has just said that it lives
			o.leads("a")
			a.at.cut.Store(true)
			died := time.Now()
			for a.Leads() || o.leading() == "" {
				after(step)
			}
			if took := time.Since(died); took > leader.DeadAfter+leader.Beat {
				t.Errorf("phase %d: another one leads after %s", phase, took)
			}
			<-a.ended
			a.ended <- nil
		})
	}
}

// TestWhenOneGivesUp takes the database away from the leader at any moment between two beats: it gives up what it has six seconds
// after it last said that it lives, also while a write does not end; and it goes on if the database is back before.
func TestWhenOneGivesUp(t *testing.T) {
	const slack = 10 * time.Millisecond
	for phase := range 10 {
		for name, hangs := range map[string]bool{"away": false, "hangs": true} {
			synctest.Test(t, func(t *testing.T) {
				o := newOffice(t)
				defer o.close()
				a := o.begin("a", "1")
				after(10 * time.Millisecond)
				o.begin("b", "1")
				after(time.Minute + leader.Beat/10*time.Duration(phase))
				fails := &a.at.cut
				if hangs {
					fails = &a.at.hangs
				}
				fails.Store(true)
				time.AfterFunc(leader.GiveUpAfter-leader.Beat-2*leader.Beat/8, func() { fails.Store(false) })
				after(leader.GiveUpAfter)
				if o.leads("a"); hangs {
					after(leader.Beat)
				}
				fails.Store(true)
				<-a.Changed()
				synctest.Wait()
				if o.working["a"] {
					t.Errorf("phase %d, the database %s: its work goes on when it has given up", phase, name)
				}
				if took := time.Since(time.Unix(0, a.at.said.Load())); took < leader.GiveUpAfter || took > leader.GiveUpAfter+slack {
					t.Errorf("phase %d, the database %s: it gives up %s after it last said that it lives", phase, name, took)
				}
				after(leader.GiveUpAfter) // it has tried to say that it leaves
				select {
				case err := <-a.ended:
					if !errors.Is(err, leader.ErrLost) {
						t.Errorf("phase %d, the database %s: it ends with %v", phase, name, err)
					}
					a.ended <- nil
				default:
					t.Errorf("phase %d, the database %s: it does not end", phase, name)
				}
				fails.Store(false)
				after(time.Second)
			})
		}
	}
}

// TestStoppedWhileTheStoreHangs asks a member to stop while nothing that it writes ends, and its work hangs, too, or does not: it
// ends soon. If its work hangs it does not say that it has left, so that others depose it before they have what it had.
func TestStoppedWhileTheStoreHangs(t *testing.T) {
	for _, hangs := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			o := newOffice(t)
			defer o.close()
			a := o.begin("a", "1")
			after(10 * time.Millisecond)
			o.begin("b", "1")
			after(time.Minute)
			o.leads("a")
			o.mu.Lock()
			o.stuck = hangs
			o.mu.Unlock()
			after(leader.Beat / 2)
			a.at.hangs.Store(true)
			after(leader.Beat)
			a.stop()
			began := time.Now()
			err := <-a.ended
			a.ended <- nil
			if took := time.Since(began); took > leader.DeadAfter || errors.Is(err, leader.ErrHangs) != hangs {
				t.Errorf("its work hangs: %v; it ends after %s with %v", hangs, took, err)
			}
			o.mu.Lock()
			o.stuck = false
			o.mu.Unlock()
			if hangs {
				after(leader.DeadAfter + 2*leader.Beat)
				if !a.at.deposed.Load() {
					t.Error("it was not deposed")
				}
			}
			a.at.hangs.Store(false)
			after(time.Minute)
			o.leads("b")
		})
	}
}

// TestASlowDisk lets each write of the store take longer than half a beat, and longer than a whole
// one: the leader leads on, and when it dies another one takes over.
func TestASlowDisk(t *testing.T) {
	for _, slow := range []time.Duration{leader.Beat * 3 / 4, leader.Beat * 5 / 4} {
		synctest.Test(t, func(t *testing.T) {
			o := newOffice(t)
			defer o.close()
			a := o.begin("a", "1")
			after(leader.Beat)
			o.begin("b", "1")
			after(time.Minute)
			o.leads("a")

			o.slow.Store(int64(slow))
			after(time.Minute)
			o.leads("a")
			a.at.cut.Store(true)
			// Its last renewal may have been on its way, and b looks once a beat, or once a write; then there are two
			// writes, to depose the dead leader and to take the lease.
			after(slow + leader.DeadAfter + 2*max(leader.Beat, slow) + 2*slow)
			o.leads("b")
			after(time.Minute)
			o.leads("b")
			o.slow.Store(0)
		})
	}
}

// TestOthersAreCutOff cuts off those who stand by: nothing changes, and none of them takes over what
// it can't see.
func TestOthersAreCutOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newOffice(t)
		defer o.close()
		o.begin("a", "1")
		after(time.Second)
		b := o.begin("b", "1")
		after(time.Minute)
		b.at.cut.Store(true)
		after(time.Hour)
		o.leads("a")
		b.at.cut.Store(false)
		if err := <-b.ended; !errors.Is(err, leader.ErrLost) {
			t.Errorf("who had shares and was cut off ends with %v", err)
		}
		b.ended <- nil
		o.shared("a 64")
		o.begin("b", "1")
		after(time.Second) // what it saw an hour ago is no reason to take over
		o.leads("a")
		after(time.Minute)
		o.leads("a")
		o.shared("a 32, b 32")
	})
}

// TestASleeper puts the leader to sleep, as a machine that stands still does, and wakes it when another
// one leads: it has lost, and what it still writes is refused.
func TestASleeper(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newOffice(t)
		defer o.close()
		a := o.begin("a", "1")
		after(time.Second)
		o.begin("b", "1")
		after(time.Minute)
		a.at.cut.Store(true)
		after(time.Minute)
		a.at.cut.Store(false)
		if err := a.at.Commit(t.Context(), store.Change{}); err == nil {
			t.Error("who was deposed writes")
		}
		after(time.Minute)
		o.leads("b")
	})
}

// TestVersions upgrades members one after the other: while the old leader, or another old member, lives,
// the new one changes nothing and does not lead.
func TestVersions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newOffice(t)
		defer o.close()
		a := o.begin("a", "1")
		after(time.Second)
		c := o.begin("c", "1")
		b := o.begin("b", "2")
		after(time.Minute)
		o.leads("a")
		if b.May() == nil || c.May() != nil || a.May() != nil {
			t.Errorf("a: %v, b: %v, c: %v", a.May(), b.May(), c.May())
		}
		a.at.cut.Store(true)
		after(time.Minute)
		o.leads("c")
		if b.May() == nil {
			t.Error("the new member may change something while an old one leads")
		}
		c.at.cut.Store(true)
		after(leader.GoneAfter - leader.Beat)
		o.leads("")
		if b.May() == nil {
			t.Error("the new member may change something while an old one may be started again")
		}
		after(3 * leader.Beat)
		o.leads("b")
		if err := b.May(); err != nil {
			t.Error(err)
		}
	})
}

// TestTheLastOfAVersionIsStartedAgain kills the last member of a version, which is started again ten seconds later, as a service
// does: it leads on, and the new one never has. When it ends in order the new one leads at once.
func TestTheLastOfAVersionIsStartedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newOffice(t)
		defer o.close()
		a := o.begin("a", "1", "one")
		after(time.Second)
		b := o.begin("b", "2", "one")
		after(time.Minute)
		for range 3 {
			a.at.cut.Store(true)
			after(leader.DeadAfter + 2*leader.Beat)
			if b.Leads() || b.May() == nil {
				t.Fatal("the new member leads as soon as the old one is dead")
			}
			<-a.ended
			a = o.begin("a", "1", "one")
			after(time.Minute)
			o.leads("a")
			o.shared("a 64 one, b 0")
		}
		a.stop()
		after(2 * leader.Beat)
		delete(o.members, "a")
		o.leads("b")
	})
}

// TestTwoAtOnce begins three members at the same moment, many times over: one leads.
func TestTwoAtOnce(t *testing.T) {
	for range 20 {
		synctest.Test(t, func(t *testing.T) {
			o := newOffice(t)
			defer o.close()
			for _, name := range []string{"a", "b", "c"} {
				o.begin(name, "1")
			}
			after(leader.Beat * 3)
			if o.leading() == "" {
				t.Error("nobody leads")
			}
		})
	}
}

// scrawl writes something into a value that nobody can read.
func (o *office) scrawl(name string) {
	o.t.Helper()
	if err := store.Again(o.t.Context(), func() error {
		var c store.Change
		if err := o.store.Read(o.t.Context(), func(r store.Reader) error {
			was := c.ValueIn(r, name)
			c.PutValue(name, store.Value{Data: []byte("{" + time.Now().String()), Was: was.Was})
			return nil
		}); err != nil {
			return err
		}
		return o.store.Commit(o.t.Context(), c)
	}); err != nil {
		o.t.Error(err)
	}
}

// TestWhatNobodyCanRead scrawls into a sign of life, the lease and the plan: nobody stops, nobody takes what another one has, and all
// is well again as far as it can be.
func TestWhatNobodyCanRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newOffice(t)
		defer o.close()
		a := o.begin("a", "1", "one")
		after(time.Second)
		b := o.begin("b", "1", "one")
		after(time.Minute)
		for _, what := range []string{"member/ghost", "member/b", "member/a", "leader", "leader", "shares"} {
			o.scrawl(what)
			after(leader.Beat * 5 / 4)
			o.leads("a")
			after(time.Minute)
			o.leads("a")
			o.shared("a 32 one, b 32")
			if err := errors.Join(a.May(), b.May()); err != nil {
				t.Errorf("%s: %v", what, err)
			}
		}
		c := o.begin("c", "1", "one")
		after(time.Minute)
		o.shared("a 32 one, b 32, c 0") // what a and b have nobody knows
		b.stop()
		c.at.cut.Store(true)
		after(time.Minute)
		delete(o.members, "b")
		o.shared("a 64 one")
		if !c.at.deposed.Load() {
			t.Error("a plan is made anew, and who died before was not deposed")
		}
	})
}
