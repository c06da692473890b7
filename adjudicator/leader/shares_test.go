package leader_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"berthier/adjudicator/leader"
	"berthier/adjudicator/store"
)

// TestSharesGoOut begins members one after the other, ends one, and lets one die: the shares and the mailboxes
// are always in living hands, and nobody has many more than another.
func TestSharesGoOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newOffice(t)
		defer o.close()
		o.begin("a", "1", "one", "two")
		after(time.Second)
		o.shared("a 64 one two")
		b := o.begin("b", "1", "one", "two")
		after(10 * leader.Beat)
		o.shared("a 32 one, b 32 two")
		c := o.begin("c", "1", "one", "two")
		after(10 * leader.Beat)
		o.shared("a 22 one, b 21 two, c 21")
		c.stop()
		after(10 * leader.Beat)
		if err := <-c.ended; err != nil {
			t.Error(err)
		}
		c.ended <- nil
		delete(o.members, "c")
		o.shared("a 32 one, b 32 two")
		b.at.cut.Store(true)
		after(leader.DeadAfter + 2*leader.Beat)
		o.shared("a 64 one two")
		if !b.at.deposed.Load() {
			t.Error("the dead member is not deposed")
		}
	})
}

// TestASlowWorker lets a member be in the middle of something that takes five minutes when another member
// begins: until that has ended the other one gets none of its shares, and nothing is worked on by two.
func TestASlowWorker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newOffice(t)
		defer o.close()
		o.begin("a", "1", "one")
		after(10 * time.Second)
		turn := o.members["a"].Begin()
		o.begin("b", "1", "one")
		after(5 * time.Minute)
		if !turn.IsOver() {
			t.Error("who has to let shares go is not told")
		}
		o.shared("a 32 one, b 0")
		turn.End()
		after(5 * leader.Beat)
		o.shared("a 32 one, b 32")
	})
}

// TestADeposedMemberWakes puts a member to sleep in the middle of its work, and wakes it when others have its
// shares: it is told at once that its turn is over, begins nothing, and what it writes is refused.
func TestADeposedMemberWakes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newOffice(t)
		defer o.close()
		o.begin("a", "1", "one")
		after(time.Second)
		b := o.begin("b", "1", "one")
		after(10 * leader.Beat)
		turn := b.Begin() // it falls asleep in the middle of its work
		b.at.cut.Store(true)
		after(time.Minute)
		b.at.cut.Store(false)
		o.shared("a 64 one")
		if turn.Games().Len() != 32 || !turn.IsOver() {
			t.Error("who slept believes that it has its shares still")
		}
		if err := b.at.Commit(t.Context(), store.Change{}); !errors.Is(err, store.ErrDeposed) {
			t.Errorf("who was deposed writes: %v", err)
		}
		if now := b.Begin(); now.Games() != 0 {
			t.Error("who was deposed begins work on shares")
		}
		turn.End()
	})
}

// TestClocks puts the clock of a member an hour ahead, and one an hour behind: it gets no shares, and the leader knows
// how far deadlines have to wait. What it said of its mailbox before still holds.
func TestClocks(t *testing.T) {
	for _, skew := range []time.Duration{time.Hour, -time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			o := newOffice(t)
			defer o.close()
			a := o.begin("a", "1", "one", "two")
			after(time.Second)
			b := o.begin("b", "1", "one", "two")
			after(10 * leader.Beat)
			o.shared("a 32 one, b 32 two")
			b.skew.Store(int64(skew))
			after(10 * leader.Beat)
			o.shared("a 64 one two, b 0")
			o.leads("a")
			want := max(-skew, 0)
			if got := a.Behind(); got < want || got > want+2*leader.Beat {
				t.Errorf("behind %s: %s", skew, got)
			}
			b.skew.Store(0)
			after(10 * leader.Beat)
			o.shared("a 32 one, b 32 two")
			if a.Behind() != 0 {
				t.Error("the clock is right again, and counts as wrong")
			}
		})
	}
}

// TestAnOldSignIsNoClock begins a member where another one died an hour before: what that one's clock said then holds no deadline up.
func TestAnOldSignIsNoClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newOffice(t)
		defer o.close()
		a := o.begin("a", "1", "one")
		after(time.Second)
		b := o.begin("b", "1", "one")
		after(time.Minute)
		a.stop()
		after(2 * leader.Beat)
		delete(o.members, "a")
		b.at.cut.Store(true)
		<-b.ended
		delete(o.members, "b")
		after(time.Hour)
		a = o.begin("a", "1", "one")
		after(2 * leader.Beat)
		a.Behind() // as whoever keeps deadlines asks, all the while
		after(leader.DeadAfter + 2*leader.Beat)
		if got := a.Behind(); got != 0 {
			t.Errorf("the clock counts as ahead by %s", got)
		}
	})
}

// TestTheRightClockLeaves lets the member go that has the right clock, in order or without a word: deadlines still wait for its clock, as
// it would go on, until another one agrees with the leader's, or the leader's is put right.
func TestTheRightClockLeaves(t *testing.T) {
	for _, dies := range []bool{false, true} {
		for _, mended := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				o := newOffice(t)
				defer o.close()
				a := o.begin("a", "1", "one")
				after(time.Second)
				b := o.begin("b", "1", "one")
				after(10 * leader.Beat)
				a.skew.Store(int64(time.Hour))
				waits := func(want time.Duration) {
					t.Helper()
					after(10 * leader.Beat)
					if got := a.Behind(); got < want-time.Second || got > want+2*leader.Beat {
						t.Errorf("dies %v, mended %v: behind by %s, want %s", dies, mended, got, want)
					}
				}
				o.leads("a")
				waits(time.Hour)
				if dies {
					b.at.cut.Store(true)
				} else {
					b.stop()
				}
				waits(time.Hour)
				after(time.Hour)
				waits(time.Hour)
				if mended {
					a.skew.Store(0)
				} else {
					o.begin("c", "1", "one").skew.Store(int64(time.Hour))
				}
				waits(0)
			})
		}
	}
}

// TestWhenAllWasRead asks the leader again and again up to when all mailboxes were read, while members die
// and come back, and their clocks differ: it never says more than is true, and mostly it is a matter of seconds.
func TestWhenAllWasRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newOffice(t)
		defer o.close()
		o.work = 3 * time.Second
		a := o.begin("a", "1", "one", "two")
		after(time.Second)
		b := o.begin("b", "1", "one", "two")
		b.skew.Store(int64(50 * time.Second))
		after(10 * leader.Beat)
		o.shared("a 32 one, b 32 two")
		late := 0
		for range 200 {
			after(time.Duration(rand.IntN(1500)) * time.Millisecond)
			ago, known := a.ReadAgo()
			truth := time.Since(time.Unix(0, min(a.look.Load(), b.look.Load())))
			switch {
			case !known || ago < truth:
				t.Fatalf("read up to %s ago, says the leader (%v); the last look through one mailbox began %s ago", ago, known, truth)
			case ago > 3*o.work+3*leader.Beat:
				late++
			}
		}
		if late > 0 {
			t.Errorf("%d times the leader knew only of reads that were long ago", late)
		}
		b.at.cut.Store(true)
		after(leader.DeadAfter - leader.Beat)
		if ago, known := a.ReadAgo(); known && ago < leader.DeadAfter-leader.Beat {
			t.Errorf("the reader of a mailbox has been silent for %s, and the leader says that it was read %s ago", leader.DeadAfter-leader.Beat, ago)
		}
	})
}

// TestAtRandom lets three members die, sleep, leave, be slow and be cut off in any order for two simulated hours. No two
// of them ever work on one share ([office.take]), two never lead, and when all is calm again everything is in hand.
func TestAtRandom(t *testing.T) {
	for seed := range uint64(3) {
		synctest.Test(t, func(t *testing.T) {
			chance := rand.New(rand.NewPCG(seed, 1))
			o := newOffice(t)
			defer o.close()
			boxes := []string{"one", "two"}
			names := []string{"a", "b", "c"}
			for _, name := range names {
				o.begin(name, "1", boxes...)
			}
			for range 150 {
				after(time.Duration(chance.IntN(36000)) * time.Millisecond / 2)
				o.leading()
				m := o.members[names[chance.IntN(3)]]
				switch chance.IntN(5) {
				case 0:
					m.at.cut.Store(!m.at.cut.Load())
				case 1:
					o.slow.Store(int64(chance.IntN(2500)) * int64(time.Millisecond))
				case 2:
					m.skew.Store(int64(chance.IntN(3)) * int64(50*time.Second))
				case 3:
					m.stop()
				}
				for _, name := range names {
					o.revive(name, boxes)
				}
			}
			o.slow.Store(0)
			for _, m := range o.members {
				m.at.cut.Store(false)
				m.skew.Store(0)
			}
			for range 20 {
				after(2 * leader.Beat)
				for _, name := range names {
					o.revive(name, boxes)
				}
			}
			if o.leading() == "" {
				t.Errorf("seed %d: nobody leads", seed)
			}
			shares, read := 0, []string(nil)
			for _, m := range o.members[o.leading()].Members() {
				shares += m.Shares
				read = append(read, m.Mailboxes...)
			}
			slices.Sort(read)
			if shares != leader.Shares || !slices.Equal(read, boxes) {
				t.Errorf("seed %d: %d shares are in hand, and mailboxes %v", seed, shares, read)
			}
		})
	}
}

// revive begins a member anew that has ended.
func (o *office) revive(name string, mailboxes []string) {
	m := o.members[name]
	select {
	case err := <-m.ended:
		if err != nil && !errors.Is(err, leader.ErrLost) && !errors.Is(err, store.ErrDeposed) && !errors.Is(err, context.Canceled) {
			o.t.Errorf("%s ended: %v", name, err)
		}
		m.at.deposed.Store(true) // as the store sees to when another process has its name
		o.begin(name, "1", mailboxes...)
	default:
	}
}
