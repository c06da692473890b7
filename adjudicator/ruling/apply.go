package ruling

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/past"
	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A run is a plan while its changes are made in a turn.
type run struct {
	turn *game.Turn
	past *past.History
	own  *filers

	entry      uint64 // of the log, that has the act; 0: it is not noted yet
	noted      uint64 // that was noted last, to which the next position is due
	kind       string // of that entry
	commitment string // of a new seed; "" if there is none

	was   engine.Position // that the game went back to
	stuck bool            // something of what was done before no longer fits
	left  int             // changes that were not made because of it
	anew  []int           // stops that were resolved anew
	dice  map[int]int     // results of the stop that is open, by the number of the roll
}

// all makes changes, one after the other.
func (r *run) all(changes []Change) error {
	for _, c := range changes {
		if err := c.apply(r); err != nil {
			return err
		}
	}
	return nil
}

func (NewSeed) apply(r *run) error {
	seed := make([]byte, 32)
	if err := r.turn.Draw(seed); err != nil {
		return err
	}
	r.turn.Game.Seed, r.commitment = seed, log.Commitment(seed)
	return nil
}

func (n Enter) apply(r *run) error {
	e := log.Entry{Kind: log.KindRuling, By: log.ByGM}
	if n.Ruling != nil {
		g := *n.Ruling
		if r.entry == 0 { // the act itself, not what it repeats
			g.Commitment = r.commitment
		}
		g.Own = g.To != 0 || g.Set != ""
		g.Moved = g.Own
		e.Data = g
	} else {
		w := *n.Rewind
		w.Commitment, w.Own, w.Moved = r.commitment, true, true
		e.Kind, e.Data = log.KindRewound, w
	}
	if err := r.turn.Log(e); err != nil {
		return err
	}
	r.noted, r.kind = r.turn.Last.Seq, e.Kind
	if r.entry == 0 {
		r.entry = r.noted
	}
	return nil
}

func (GoOn) apply(r *run) error { return game.ForgetFault(r.turn) }

func (b Back) apply(r *run) error {
	t, g := r.turn, r.turn.Game
	m, err := r.past.Checkpoint(b.To)
	if err != nil {
		return err
	}
	if r.was, err = t.Rules.Load(m.Snapshot); err != nil {
		return fmt.Errorf("go back to entry %d of %s: %w", m.Seq, g.ID, err)
	}
	if err := r.exchangeBack(m.Seq); err != nil {
		return err
	}
	if err := r.readFilers(); err != nil {
		return err
	}
	game.ForgetSoon(t)
	game.ForgetWatched(g, m.Seq)
	g.Delayed = slices.Clone(g.Delayed)
	for i := range g.Delayed {
		if s := g.Seat(g.Delayed[i].From); s != nil {
			g.Delayed[i].Rewound(s.Stops-m.Stops[s.Side], g.Stop-m.Stop)
		}
	}
	for _, s := range g.Seats {
		if s.Owes != nil {
			t.KeepAnswer(s.Side, nil)
			s.Owes = nil
		}
		s.Stops, s.Floor, s.Told, s.Once = m.Stops[s.Side], s.Serial, nil, m.Once[s.Side]
		s.Ahead = nil
		if waited := m.Ahead[s.Side]; waited != nil && !s.Resigned && r.stillHis(s, waited.Entry) {
			game.TakeAhead(s, waited.Clone())
		}
	}
	g.Head, g.Stop, g.Since, g.Resolve = m.Seq, m.Stop, t.Now, time.Time{}
	g.Decided, g.DecidedBy = nil, 0
	if m.Options != nil {
		g.Options = maps.Clone(m.Options)
	}
	t.Place(r.was)
	return nil
}

// exchangeBack lets players who changed seats since an entry change back, and writes that
// into the log.
func (r *run) exchangeBack(to uint64) error {
	from, err := r.past.Branch()
	if err != nil {
		return err
	}
	branch, err := r.past.BranchTo(to)
	if err != nil {
		return err
	}
	undone, err := r.exchangesOf(from, branch)
	if err != nil {
		return err
	}
	// A position of another branch may lie behind an exchange of its own.
	done, err := r.exchangesOf(branch, from)
	if err != nil {
		return err
	}
	slices.Reverse(undone)
	known := len(r.turn.Game.Exchanges)
	for _, pair := range append(undone, done...) {
		if err := game.Exchange(r.turn, pair); err != nil {
			return err
		}
	}
	for _, x := range r.turn.Game.Exchanges[known:] {
		if err := r.turn.Log(log.Entry{Kind: log.KindExchanged, By: "office", Data: x}); err != nil {
			return err
		}
	}
	return nil
}

// exchangesOf lists in their order the changes of seats by stops of a branch that are not
// of another one.
func (r *run) exchangesOf(branch, other []log.Checkpoint) (all [][]engine.Side, err error) {
	for _, m := range branch {
		if m.Kind != log.KindResolved || slices.ContainsFunc(other, func(o log.Checkpoint) bool { return o.Seq == m.Seq }) {
			continue
		}
		var done log.Resolved
		if _, err := r.past.Entry(m.Seq, &done); err != nil {
			return nil, err
		}
		for _, event := range done.Events {
			if len(event.Exchange) > 0 {
				all = append(all, event.Exchange)
			}
		}
	}
	return all, nil
}

func (s SetPosition) apply(r *run) error {
	r.turn.Place(s.Position)
	return nil
}

func (o SetOption) apply(r *run) error {
	all := maps.Clone(r.turn.Game.Options)
	if all == nil {
		all = map[string]string{}
	}
	maps.DeleteFunc(all, func(name, _ string) bool { return orders.Fold(name) == orders.Fold(o.Name) }) // an old game may have it in another spelling
	all[o.Name] = o.Value
	r.turn.Game.Options = all
	return nil
}

func (d SetDie) apply(r *run) error {
	if r.dice == nil {
		r.dice = map[int]int{}
	}
	r.dice[d.Roll] = d.Result
	return nil
}

func (Open) apply(r *run) error {
	t, g := r.turn, r.turn.Game
	if _, ended := t.Position.Outcome(); ended {
		return nil
	}
	g.Phase = game.Running
	if len(t.Position.Owed()) == 0 {
		return nil // what comes before the first stop needs only dice, and is done again at once
	}
	if _, ended := r.was.Outcome(); !ended {
		g.Stop-- // it is opened again
	}
	asked := map[engine.Side]bool{}
	for _, decision := range r.was.Owed() {
		asked[decision.Side] = true
	}
	for _, decision := range t.Position.Owed() {
		if s := g.Seat(decision.Side); s != nil && asked[s.Side] {
			s.Stops--
		}
	}
	if err := game.OpenStop(t); err != nil {
		return err
	}
	game.AheadAgain(t)
	return nil
}

func (Keep) apply(r *run) error {
	snapshot, err := r.turn.Position.Marshal()
	if err != nil {
		return fmt.Errorf("write position of %s: %w", r.turn.Game.ID, err)
	}
	r.turn.Remember(r.noted, r.kind, snapshot)
	return nil
}

func (a PutAnswer) apply(r *run) error {
	r.turn.KeepAnswer(a.Side, []byte(a.Orders))
	s := r.turn.Game.Seat(a.Side)
	a.As.Until = game.HeldAgain(r.turn, s)
	if err := r.filesAgain(s, &a); err != nil {
		return err
	}
	s.Owes.Answer = &a.As
	return nil
}

func (o Reopen) apply(r *run) error {
	s := r.turn.Game.Seat(o.Side)
	r.turn.KeepAnswer(s.Side, nil)
	s.Owes.Answer, s.Owes.Passed, s.Owes.Warned, s.Owes.Notices = nil, false, false, 0
	game.SetDeadline(r.turn, s, r.turn.Game.Clock(r.turn.Now)) // he gets time to answer again
	return nil
}

func (d Decide) apply(r *run) error {
	g := r.turn.Game
	g.Decided, g.DecidedBy = &d.Outcome, r.entry
	game.ForgetSoon(r.turn)
	for _, s := range g.Seats {
		if s.Owes != nil {
			r.turn.KeepAnswer(s.Side, nil)
			s.Owes = nil
		}
	}
	return nil
}

func (d Dispute) apply(r *run) error {
	g := r.turn.Game
	g.Disputes = append(slices.Clone(g.Disputes), d.Dispute)
	return nil
}

func (s Settle) apply(r *run) error {
	g := r.turn.Game
	g.Disputes = slices.DeleteFunc(slices.Clone(g.Disputes), func(n uint64) bool { return n == s.Dispute })
	return nil
}

// refuseFault refuses an act at which the ruleset fails.
func refuseFault(fault string) error {
	return game.Refuse("office.rule.fault", phrase.Literal("error", phrase.Clip(fault, 300)))
}
