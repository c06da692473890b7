package leader

import (
	"context"
	"encoding/json"
	"time"

	"berthier/adjudicator/store"
)

// A Turn is work on shares. While it lasts no other member gets them, unless this one has died. A nil turn is
// that of an office without other members, which has all shares.
type Turn struct {
	seat    *Seat
	games   Set
	mailbox string
	over    chan struct{}
}

// CanRead names the mailboxes that this member can read. It is called before [Seat.Run].
func (s *Seat) CanRead(mailboxes ...string) { s.opt.Mailboxes = mailboxes }

// Takes lets somebody take part in each sign of life ([Options.With]). It is called before [Seat.Run].
func (s *Seat) Takes(with func(store.Reader, *store.Change) (func(), error)) { s.opt.With = with }

// Tells has the member tell the others of its state ([Options.Says]). It is called before [Seat.Run]. A nil seat has nobody to tell.
func (s *Seat) Tells(says func() json.RawMessage) {
	if s != nil {
		s.opt.Says = says
	}
}

// Begin begins a turn on all shares of games and letters that this member has. It may have none.
func (s *Seat) Begin() *Turn {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.turn(s.games, "")
}

// BeginMailbox begins a turn on a mailbox; ok is false if it is not this member's.
func (s *Seat) BeginMailbox(name string) (t *Turn, ok bool) {
	if s == nil {
		return nil, true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.mailboxes[name] {
		return nil, false
	}
	return s.turn(0, name), true
}

func (s *Seat) turn(games Set, mailbox string) *Turn {
	t := &Turn{seat: s, games: games, mailbox: mailbox, over: make(chan struct{})}
	s.turns[t] = true
	return t
}

// Games are the shares of games and letters of the turn.
func (t *Turn) Games() Set {
	if t == nil {
		return ^Set(0)
	}
	return t.games
}

// Over is closed as soon as the member has to let something of the turn go: what is under way may be
// finished, nothing is to be begun.
func (t *Turn) Over() <-chan struct{} {
	if t == nil {
		return nil
	}
	return t.over
}

// IsOver tells whether [Turn.Over] is closed.
func (t *Turn) IsOver() bool {
	select {
	case <-t.Over():
		return true
	default:
		return false
	}
}

// End ends the turn: nothing of it is under way any more.
func (t *Turn) End() {
	if t == nil {
		return
	}
	t.seat.mu.Lock()
	defer t.seat.mu.Unlock()
	delete(t.seat.turns, t)
}

// fits tells whether everything of a turn is still the member's. The caller holds the lock.
func (t *Turn) fits() bool {
	return t.games&^t.seat.games == 0 && (t.mailbox == "" || t.seat.mailboxes[t.mailbox])
}

// hold changes what this member has, ends turns on anything else, and wakes who waits for it. The caller
// holds the lock.
func (s *Seat) hold(games Set, mailboxes map[string]bool) {
	same := games == s.games && len(mailboxes) == len(s.mailboxes)
	for name := range mailboxes {
		same = same && s.mailboxes[name]
	}
	s.games, s.mailboxes = games, mailboxes
	if same {
		return
	}
	for t := range s.turns {
		if !t.fits() && !t.IsOver() {
			close(t.over)
		}
	}
	close(s.changed)
	s.changed = make(chan struct{})
}

// letGo lets go what a plan takes from this member, and notes whether it works on nothing else any more. What
// the plan gives is taken up only when the member has said that it lives. The caller holds the lock.
func (s *Seat) letGo(p plan) {
	games, mailboxes := p.mine(s.run)
	for name := range mailboxes {
		if !s.mailboxes[name] {
			delete(mailboxes, name)
		}
	}
	s.hold(games&s.games, mailboxes)
	for t := range s.turns {
		if !t.fits() {
			return
		}
	}
	s.done = p.Number
}

// takeUp takes up what a plan gives to this member. The caller holds the lock.
func (s *Seat) takeUp(p plan) {
	s.plan = p
	if !s.joined || s.lost {
		return
	}
	s.hold(p.mine(s.run))
}

// Changed gives a channel that is closed when this member gets a share or has to let one go.
func (s *Seat) Changed() <-chan struct{} {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changed
}

// Wait waits until this member has a mailbox, and begins a turn on it; nil if the context has ended.
func (s *Seat) Wait(ctx context.Context, mailbox string) *Turn {
	for ctx.Err() == nil {
		changed := s.Changed()
		if t, ok := s.BeginMailbox(mailbox); ok {
			return t
		}
		select {
		case <-changed:
		case <-ctx.Done():
		}
	}
	return nil
}

// Noted notes that a mailbox was read to its end by a look that began at a moment.
func (s *Seat) Noted(mailbox string, began time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if began.After(s.own[mailbox]) {
		s.own[mailbox] = began
	}
	s.know(mailbox, began)
}

// know notes up to when a mailbox is known to have been read. The caller holds the lock.
func (s *Seat) know(mailbox string, upto time.Time) {
	if upto.After(s.read[mailbox]) {
		s.read[mailbox] = upto
	}
}

// ReadAgo tells the leader up to how long ago all mailboxes have been read to their end; known is false if
// that of one of them is not known. It goes by no clock of another member.
func (s *Seat) ReadAgo() (ago time.Duration, known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	for name := range s.plan.Mailboxes {
		upto := s.read[name]
		if upto.IsZero() {
			return 0, false
		}
		ago = max(ago, Since(upto, now))
	}
	return ago, len(s.plan.Mailboxes) > 0
}

// Since is how long ago something was. A machine that slept counts by its clock, and one whose clock was put
// back by its ticks.
func Since(then, now time.Time) time.Duration {
	return max(now.Sub(then), now.Round(0).Sub(then.Round(0)))
}

// Behind tells by how much the clock of another member is behind this one's, if by more than [MostSkew]: as
// long as nobody knows which of them is right, no deadline passes that the slower one has not reached. That a member with such a
// clock has gone, or died, proves nothing: it holds until another one agrees with this member's clock, or this clock is put right.
func (s *Seat) Behind() time.Duration {
	lives, gone := behind(s)
	return max(lives, gone)
}

// BehindGone is what [Seat.Behind] tells if no living member has that clock; zero if one has.
func (s *Seat) BehindGone() time.Duration {
	_, gone := behind(s)
	return gone
}

// behind tells by how much the clock of a living member is behind this one's, or otherwise that of one who has gone.
func behind(s *Seat) (lives, gone time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	agrees := false
	for _, h := range s.heard {
		if h.Clock.IsZero() || time.Since(h.since) >= DeadAfter {
			continue
		}
		if agrees = agrees || h.skew.Abs() <= MostSkew; -h.skew > lives && -h.skew > MostSkew {
			if lives = -h.skew; h.beats {
				s.slow = slowClock{h.Clock, h.since}
			}
		}
	}
	if lives > 0 {
		return lives, 0
	}
	if by := s.slow.behind(s.opt.Clock()); !agrees && by > MostSkew {
		return 0, by
	}
	s.slow = slowClock{}
	return 0, 0
}

// A slowClock is what the clock of a member said that was behind, and when by this one's ticks. Zero: there was none.
type slowClock struct{ said, at time.Time }

// behind tells by how much it would be behind another clock now.
func (c slowClock) behind(now time.Time) time.Duration {
	if c.at.IsZero() {
		return 0
	}
	return now.Sub(c.said.Add(time.Since(c.at)))
}
