package leader_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
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
	slow    *atomic.Int64 // nanoseconds that each write takes
}

var errCut = errors.New("the database can't be reached")

func (r *reached) fault() error {
	switch {
	case r.cut.Load():
		return errCut
	case r.deposed.Load():
		return errors.New("deposed")
	}
	return nil
}

func (r *reached) Read(ctx context.Context, f func(store.Reader) error) error {
	if err := r.fault(); err != nil {
		return err
	}
	return r.Store.Read(ctx, f)
}

func (r *reached) Commit(ctx context.Context, c store.Change) error {
	if err := r.fault(); err != nil {
		return err
	}
	if err := r.write(ctx); err != nil {
		return err
	}
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
	leading atomic.Int32 // how many lead at this moment
	last    string       // who leads, or led last
	slow    atomic.Int64 // nanoseconds that each write takes
}

type member struct {
	*leader.Seat
	at    *reached
	stop  context.CancelFunc
	ended chan error
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
	return &office{t: t, store: st, members: map[string]*member{}}
}

func (o *office) begin(name, version string) *member {
	m := &member{at: &reached{Store: o.store, slow: &o.slow}, ended: make(chan error, 1)}
	ctx, stop := context.WithCancel(context.Background())
	m.stop = stop
	m.Seat = leader.New(m.at, leader.Options{Member: name, Version: version, Depose: func(ctx context.Context, old string) error {
		if err := m.at.write(ctx); err != nil {
			return err
		}
		if other := o.members[old]; other != nil {
			other.at.deposed.Store(true)
		}
		return nil
	}})
	o.members[name] = m
	go func() {
		m.ended <- m.Run(ctx, func(ctx context.Context) error {
			if n := o.leading.Add(1); n > 1 {
				o.t.Errorf("%s begins to lead while another one leads", name)
			}
			o.last = name
			<-ctx.Done()
			o.leading.Add(-1)
			return nil
		})
	}()
	return m
}

// close ends all members, so that the store can be closed.
func (o *office) close() {
	for _, m := range o.members {
		m.stop()
	}
	synctest.Wait()
	for name, m := range o.members {
		if err := <-m.ended; err != nil && !errors.Is(err, leader.ErrLost) {
			o.t.Errorf("%s ended: %v", name, err)
		}
	}
	if err := o.store.Close(); err != nil {
		o.t.Error(err)
	}
}

func (o *office) leads(want string) {
	o.t.Helper()
	var now []string
	for _, name := range []string{"a", "b", "c"} {
		if m := o.members[name]; m != nil && m.Leads() {
			now = append(now, name)
		}
	}
	if got := fmt.Sprint(now); got != "["+want+"]" {
		o.t.Errorf("%s lead, %q should", got, want)
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
		if o.last == "a" {
			t.Error("nobody has taken over")
		}
		if !a.at.deposed.Load() {
			t.Error("who led before is not deposed")
		}
		next := o.members[o.last]
		next.stop()
		after(2 * leader.Beat)
		if o.last == "a" || o.members[o.last] == next {
			t.Error("who ends in order does not give up the lease")
		}
		after(time.Minute)
		if all := o.members[o.last].Members(); len(all) != 2 || all[0].Silent < leader.DeadAfter {
			t.Errorf("members %+v: the dead one is silent, the one that left is gone", all)
		}
	})
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
		after(time.Second) // what it saw an hour ago is no reason to take over
		o.leads("a")
		after(time.Minute)
		o.leads("a")
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
		after(time.Minute)
		o.leads("b")
		if err := b.May(); err != nil {
			t.Error(err)
		}
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
			o.leads(o.last)
		})
	}
}
