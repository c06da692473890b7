package leader

import (
	"hash/fnv"
	"maps"
	"math/bits"
	"slices"
	"strings"
	"time"

	"berthier/adjudicator/store"
)

// Shares is into how many shares the work of an office is cut, besides its mailboxes: games by their
// ids, letters by the addresses to which they go.
const Shares = store.Lanes

// MostSkew is by how much the clocks of two members may differ. A member whose clock differs by more from
// the leader's gets no share.
const MostSkew = time.Minute

// ShareOf gives the share of a game, a league or an address.
func ShareOf(id string) int {
	h := fnv.New64a()
	h.Write([]byte(id))
	sum := h.Sum64()
	return int((sum ^ sum>>32) % Shares)
}

// A Set is a set of shares: bit n is share n.
type Set uint64

// Has tells whether a share is in the set.
func (s Set) Has(share int) bool { return s>>share&1 == 1 }

// Len tells how many shares are in the set.
func (s Set) Len() int { return bits.OnesCount64(uint64(s)) }

// A plan says which member has which share. Only the leader writes it. A share goes from one living member
// to another in two steps: the plan says that the first one has to let it go; when that one has said that it
// works on it no more, another plan gives it away. Whoever has died is deposed first.
type plan struct {
	Number    uint64          `json:"number"` // rises with each change
	Games     [Shares]hold    `json:"games"`
	Mailboxes map[string]hold `json:"mailboxes,omitempty"`
}

// A hold is a share in the hands of a member; zero: nobody has it.
type hold struct {
	Member string `json:"member,omitempty"`
	Run    string `json:"run,omitempty"`
	Leaves uint64 `json:"leaves,omitempty"` // the plan since which it has to let the share go; 0: it has it
}

// A reading says that a mailbox was read to its end up to so long before a member saw a beat of the
// leader. Said in this way, it holds whatever the members' clocks say.
type reading struct {
	Beat uint64        `json:"beat"`
	Ago  time.Duration `json:"ago"`
}

// A fate is what has become of a member that holds a share.
type fate int

const (
	living fate = iota
	gone        // it left in order, or began anew: what it was before writes no more
	dead        // it is silent, and has to be deposed
)

// fate tells what has become of whoever holds a share. The caller holds the lock.
func (s *Seat) fate(h hold) fate {
	other := s.heard[h.Member]
	switch {
	case h.Run == s.run:
		return living
	case h.Member == s.opt.Member, other == nil, other.Run != h.Run && other.Version != unreadable:
		return gone
	case s.looked.Sub(other.since) >= DeadAfter:
		return dead
	}
	return living
}

// A worker is a member that may have shares.
type worker struct {
	hold
	done      uint64   // the last plan that it follows: it works on nothing that this one takes from it
	mailboxes []string // that it can read
	games     int      // shares that it keeps or gets
	boxes     int      // mailboxes, likewise
}

// workers are the living members of this version whose clocks fit the leader's, by name. The caller holds
// the lock.
func (s *Seat) workers() (all []*worker) {
	all = append(all, &worker{hold: hold{Member: s.opt.Member, Run: s.run}, done: s.done, mailboxes: s.opt.Mailboxes})
	for name, h := range s.heard {
		if h.Version == s.opt.Version && s.looked.Sub(h.since) < DeadAfter && h.skew.Abs() <= MostSkew {
			all = append(all, &worker{hold: hold{Member: name, Run: h.Run}, done: h.Plan, mailboxes: h.Mailboxes})
		}
	}
	slices.SortFunc(all, func(a, b *worker) int { return strings.Compare(a.Member, b.Member) })
	return all
}

// assign gives the plan that follows one, and whom to depose before it is written, by name with the run that is
// dead. If nothing is to be changed it has the same number. The caller holds the lock.
func (s *Seat) assign(old plan) (next plan, dead map[string]string) {
	next = old
	next.Mailboxes = maps.Clone(old.Mailboxes)
	if next.Mailboxes == nil {
		next.Mailboxes = map[string]hold{}
	}
	a := assignment{seat: s, workers: s.workers(), number: old.Number + 1, dead: map[string]string{}}
	a.games(&next)
	a.mailboxes(&next)
	if next.Games != old.Games || !maps.Equal(next.Mailboxes, old.Mailboxes) {
		next.Number = a.number
	}
	return next, a.dead
}

// An assignment is a plan in the making.
type assignment struct {
	seat    *Seat
	workers []*worker
	number  uint64
	dead    map[string]string
}

// of gives the worker that holds a share; nil if it is none.
func (a *assignment) of(h hold) *worker {
	for _, w := range a.workers {
		if w.Run == h.Run {
			return w
		}
	}
	return nil
}

// clear looks at a share that somebody holds: keep tells whether he may keep it. It is free when he has let
// it go, left, or died.
func (a *assignment) clear(h hold, keep func(*worker) bool) hold {
	if h.Run == "" {
		return h
	}
	switch a.seat.fate(h) {
	case gone:
		return hold{}
	case dead:
		a.dead[h.Member] = h.Run
		return hold{}
	}
	w := a.of(h)
	switch {
	case h.Leaves == 0 && (w == nil || !keep(w)):
		h.Leaves = a.number
	case h.Leaves > 0 && a.done(h) >= h.Leaves:
		return hold{}
	}
	return h
}

// done is the last plan that a living member follows, a worker or not.
func (a *assignment) done(h hold) uint64 {
	if h.Run == a.seat.run {
		return a.seat.done
	}
	return a.seat.heard[h.Member].Plan
}

// games shares the games out: each worker has as many shares as any other, or one more. Shares stay where
// they are as far as that allows.
func (a *assignment) games(p *plan) {
	most := func(w *worker) int {
		n := Shares / len(a.workers)
		if slices.Index(a.workers, w) < Shares%len(a.workers) {
			n++
		}
		return n
	}
	for i, h := range p.Games {
		p.Games[i] = a.clear(h, func(w *worker) bool {
			if w.games == most(w) {
				return false
			}
			w.games++
			return true
		})
	}
	for i, h := range p.Games {
		if h.Run != "" {
			continue
		}
		for _, w := range a.workers {
			if w.games < most(w) {
				w.games++
				p.Games[i] = w.hold
				break
			}
		}
	}
}

// mailboxes shares the mailboxes out: none has two more than another that could read them. The leader comes
// first, which takes over soonest when a reader dies.
func (a *assignment) mailboxes(p *plan) {
	known := map[string]bool{}
	for _, w := range a.workers {
		for _, name := range w.mailboxes {
			known[name] = true
		}
	}
	most := (len(known) + len(a.workers) - 1) / len(a.workers)
	for _, name := range slices.Sorted(maps.Keys(p.Mailboxes)) {
		h := a.clear(p.Mailboxes[name], func(w *worker) bool {
			if w.boxes == most || !slices.Contains(w.mailboxes, name) {
				return false
			}
			w.boxes++
			return true
		})
		p.Mailboxes[name] = h
		if h.Run == "" && !known[name] { // no member has it in its set-up any more
			delete(p.Mailboxes, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(known)) {
		if p.Mailboxes[name].Run != "" {
			continue
		}
		var best *worker
		for _, w := range a.workers {
			if slices.Contains(w.mailboxes, name) && (best == nil || w.boxes < best.boxes || w.boxes == best.boxes && w.Run == a.seat.run) {
				best = w
			}
		}
		best.boxes++
		p.Mailboxes[name] = best.hold
	}
}

// mine are the shares that a plan lets a run have.
func (p *plan) mine(run string) (games Set, mailboxes map[string]bool) {
	for i, h := range p.Games {
		if h.Run == run && h.Leaves == 0 {
			games |= 1 << i
		}
	}
	mailboxes = map[string]bool{}
	for name, h := range p.Mailboxes {
		if h.Run == run && h.Leaves == 0 {
			mailboxes[name] = true
		}
	}
	return games, mailboxes
}
