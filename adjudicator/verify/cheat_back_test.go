package verify

import (
	"maps"
	"testing"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/engine/enginetest"
)

// A stand is where a crook's game stood, to go back to.
type stand struct {
	position engine.Position
	place    int
	asked    map[engine.Side]int
	head     uint64
}

func (c *crook) stands() stand {
	return stand{c.position.Clone(), c.place, maps.Clone(c.asked), uint64(len(c.entries))}
}

// back goes to a moment by an entry of the log.
func (c *crook) back(m stand, kind string, data any) uint64 {
	c.position, c.place, c.asked = m.position.Clone(), m.place, maps.Clone(m.asked)
	return c.enter(kind, "", log.ByGM, m.place+1, data)
}

// pass is a stop at which everybody sends that he passes.
func pass(c *crook, r *log.Resolved, _ *int) {
	if !bids(r) {
		return
	}
	c.withdraws(r)
	for i := range r.Answers {
		g := &r.Answers[i]
		g.Orders, g.Salt = passes, "salt"
		g.Entry = c.enter(log.KindTaken, g.Decision.Side, "player", c.place, log.Taken{SeatStop: g.SeatStop, File: passes, Final: true, Seal: log.SealOf("salt", passes)})
	}
}

// passed is a stop at which everybody is said to pass, and nobody has sent it.
func passed(c *crook, r *log.Resolved, _ *int) {
	if c.withdraws(r); bids(r) {
		for i := range r.Answers {
			r.Answers[i].Orders = passes
		}
	}
}

// repeats is a stop that repeats another, with rolls that are said to be ruled on.
func repeats(stop uint64, ruled map[int]int) trick {
	return func(c *crook, r *log.Resolved, _ *int) {
		c.withdraws(r)
		r.Again, r.Ruled = stop, ruled
	}
}

// An office can't get better answers or dice by going back. What was undone counts again only
// where the log says that the game goes back and does it again, and a die that a ruling replaced
// counts only while that ruling is in force.
func TestWhatIsUndoneStaysUndone(t *testing.T) {
	verdict := func(t *testing.T, c *crook) Verdict {
		t.Helper()
		v, err := Game(c.playsOn(nil), []engine.Ruleset{enginetest.New()})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%+v", v)
		return v.Verdict()
	}
	undone := func(t *testing.T, same bool) *crook {
		c := newCrook(t, log.Scheme)
		c.setsUp()
		c.next(pass)
		m := c.stands()
		c.next(pass)
		c.next(pass)
		c.back(m, log.KindRewound, log.Rewound{To: m.head, Stop: 2, Same: same})
		return c
	}
	for _, same := range []bool{false, true} {
		c := undone(t, same)
		c.next(pass)
		if got := verdict(t, c); got != Holds {
			t.Errorf("same %v: an honest rewind is called %d", same, got)
		}
		c = undone(t, same)
		c.next(pass)
		c.next(passed)
		if got := verdict(t, c); got != Broken {
			t.Errorf("same %v: answers of a stop further on that was undone: %d", same, got)
		}
		c = newCrook(t, log.Scheme)
		c.setsUp()
		c.next(nil)
		m := c.stands()
		c.next(nil)
		second, want := uint64(len(c.entries)), Broken
		if same {
			want = Holds
		}
		c.back(m, log.KindRewound, log.Rewound{To: m.head, Stop: 2, Same: same})
		c.next(repeats(second, nil))
		if got := verdict(t, c); got != want {
			t.Errorf("same %v: the stop that was undone is done again: %d", same, got)
		}
	}
}

// A die that a ruling replaced falls as it fell once the ruling is overruled.
func TestAnOverruledDieIsNoLongerRuled(t *testing.T) {
	for _, honest := range []bool{true, false} {
		c := newCrook(t, log.Scheme)
		c.setsUp()
		m := c.stands()
		c.next(nil)
		first := uint64(len(c.entries))
		ruling := c.back(m, log.KindRuling, log.Ruling{Kind: log.ActDie, About: first, From: first, To: m.head, Roll: 1, Result: 6})
		c.next(repeats(first, map[int]int{1: 6}))
		ruled := uint64(len(c.entries))
		c.back(m, log.KindRuling, log.Ruling{Kind: log.ActOverrule, About: ruling, From: ruled, To: m.head})
		want := Holds
		if honest {
			c.next(repeats(first, nil))
		} else {
			want = Broken
			c.next(repeats(ruled, map[int]int{1: 6}))
		}
		v, err := Game(c.playsOn(nil), []engine.Ruleset{enginetest.New()})
		if err != nil || v.Verdict() != want {
			t.Errorf("honest %v: %v %+v", honest, err, v)
		}
	}
}
