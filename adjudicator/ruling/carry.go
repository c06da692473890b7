package ruling

import (
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/past"
	"berthier/orders/phrase"
)

// A Ruled game is the result of a plan: the game as it has become, with everything that
// follows from it. A caller that drops it has had a preview.
type Ruled struct {
	Turn  *game.Turn
	Entry uint64 // of the log, that has the act
	Anew  []int  // stops that were resolved anew
	Left  int    // things done before that no longer fit
	Told  []Retelling
	Fell  string // why the ruleset failed at the stop that is open now, if it did; the game stands still there
}

// Apply makes the changes of a plan in a copy of the game of a turn, which stays as it is.
// Nobody is told anything yet except the results of letters. The error is a
// [game.RefusedError] if the rules don't allow it.
func Apply(was *game.Turn, kept past.Kept, p *Plan) (*Ruled, error) {
	r := &run{turn: was.Fork()}
	r.past = past.Of(r.turn, kept)
	if err := r.all(p.Changes); err != nil {
		return nil, err
	}
	if o, ended := r.turn.Outcome(); ended && r.turn.Game.Phase == game.Running {
		if err := game.End(r.turn, o); err != nil {
			return nil, err
		}
	}
	return &Ruled{Turn: r.turn, Entry: r.entry, Anew: r.anew, Left: r.left}, nil
}

// Carry carries a plan out on a copy of the game of a turn, and lets the players be told. A
// preview drops the result, and an act keeps it.
func Carry(was *game.Turn, kept past.Kept, p *Plan) (*Ruled, error) {
	r, err := Apply(was, kept, p)
	if err != nil {
		return nil, err
	}
	if r.Told, err = Retold(p, was, r.Turn, kept); err != nil {
		return nil, err
	}
	if err := r.sayGoesOn(was); err != nil {
		return nil, err
	}
	history := past.Of(r.Turn, kept)
	for _, told := range r.Told {
		if err := told.take(r.Turn, history); err != nil {
			return nil, err
		}
		if _, back := of[Back](p); back {
			game.SayAheadAgain(r.Turn, r.Turn.Game.Player(told.Player))
		}
	}
	return r, r.tell(p, was.Game.Phase == game.Running)
}

// sayGoesOn adds to what the players are told that the game goes on, if it stood still
// because the ruleset failed and does not fail again at what is due now.
func (r *Ruled) sayGoesOn(was *game.Turn) error {
	if was.Game.Fault == "" || r.Turn.Game.Phase != game.Running || !r.Turn.Game.Paused.IsZero() {
		return nil
	}
	trial := r.Turn.Fork()
	if err := trial.Do(game.Settled{}); err != nil {
		return err
	}
	if trial.Game.Phase != game.Running || !trial.Game.Paused.IsZero() {
		return nil
	}
	for i, told := range r.Told { // the first thing is that there was a ruling
		r.Told[i].News = slices.Insert(slices.Clone(told.News), 1, game.News{Say: phrase.Say("office.ruled.goes-on")})
	}
	return nil
}

// tell lets the game go on, or end, and the players have their reports.
func (r *Ruled) tell(p *Plan, wasRunning bool) error {
	t, g := r.Turn, r.Turn.Game
	if g.Phase != game.Running {
		_, back := of[Back](p)
		_, decided := of[Decide](p)
		if o, ended := t.Outcome(); ended && (wasRunning || back || decided) {
			game.TellEnd(t, o)
			return nil
		}
		for _, told := range r.Told {
			game.SendReport(t, g.Player(told.Player))
		}
		return nil
	}
	stop, begun := g.Stop, len(t.Kinds)
	for _, told := range r.Told {
		g.Player(told.Player).Moved = true // he gets a fresh report
	}
	if err := t.Do(game.Settled{}); err != nil {
		return err
	}
	if slices.Contains(t.Kinds[begun:], log.KindFault) {
		r.Fell = g.Fault
	}
	if g.Stop != stop || g.Phase != game.Running {
		r.Anew = append(r.Anew, stop)
	}
	for _, s := range g.Seats {
		if s.Resigned {
			s.Moved = false
		}
	}
	return nil
}

// ToldTo is what the player of a seat is told; nothing if he learns nothing of the act.
func (r *Ruled) ToldTo(s *game.Seat) []game.News {
	for _, told := range r.Told {
		if told.Player == s.BookOf() {
			return told.News
		}
	}
	return nil
}
