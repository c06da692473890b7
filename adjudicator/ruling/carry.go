package ruling

import (
	"berthier/adjudicator/game"
	"berthier/adjudicator/past"
)

// A Ruled game is the result of a plan: the game as it has become, with everything that
// follows from it. A caller that drops it has had a preview.
type Ruled struct {
	Turn  *game.Turn
	Entry uint64 // of the log, that has the act
	Anew  []int  // stops that were resolved anew
	Left  int    // things done before that no longer fit
	Told  []Retelling
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
	history := past.Of(r.Turn, kept)
	for _, told := range r.Told {
		if err := told.take(r.Turn, history); err != nil {
			return nil, err
		}
	}
	return r, r.tell(p, was.Game.Phase == game.Running)
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
	stop := g.Stop
	for _, told := range r.Told {
		g.Player(told.Player).Moved = true // he gets a fresh report
	}
	if err := t.Do(game.Settled{}); err != nil {
		return err
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
