package game

import (
	"maps"
	"slices"
)

// An Input is what can happen to a game.
type Input interface {
	// happen lets it happen in a turn.
	happen(t *Turn) error
}

// Step lets one thing happen to a game. What it is given stays as it is. The turn has the game as
// it has become, what is new in its log, which positions and files are kept or forgotten,
// who joined and left, and, in order, who is to be told what. The same game, input and
// surroundings give the same turn, byte for byte.
func Step(was *Loaded, around Around, in Input) (*Turn, error) {
	t := &Turn{Loaded: was.AsItStands(), Around: around}
	return t, t.Do(in)
}

// Do lets one more thing happen in a turn. The error is a [RefusedError] if it may not
// happen; after any error the turn must not be used.
func (t *Turn) Do(in Input) error { return in.happen(t) }

// Fork is a turn that goes on from where this one is: neither changes with the
// other.
func (t *Turn) Fork() *Turn {
	f := *t
	f.Loaded = t.AsItStands()
	f.Effects, f.Entries, f.Kinds = slices.Clip(t.Effects), slices.Clip(t.Entries), slices.Clip(t.Kinds)
	f.Checkpoints, f.Joined, f.Left = slices.Clone(t.Checkpoints), slices.Clip(t.Joined), slices.Clip(t.Left)
	f.Answers, f.Readings, f.fresh = maps.Clone(t.Answers), maps.Clone(t.Readings), maps.Clone(t.fresh)
	return &f
}

// Become lets a turn go on as a fork of it has gone on. The turn keeps its
// Loaded, which becomes what the fork has made of it.
func (t *Turn) Become(f *Turn) {
	loaded := t.Loaded
	*loaded = *f.Loaded
	*t = *f
	t.Loaded = loaded
}

// Settled says that something was done with the game whose consequences are to follow:
// what is due because of it, but no deadline passes without an answer.
type Settled struct{}

// Ticked says that time has passed: what is due up to [Around.ReadUpTo] is done.
type Ticked struct{}

// Broken says that the program failed at the game: it stands still until somebody resumes it.
type Broken struct{ Cause error }

func (Settled) happen(t *Turn) error { return settle(t) }

func (Ticked) happen(t *Turn) error {
	t.ByClock = true
	return settle(t)
}

func (b Broken) happen(t *Turn) error { return standStill(t, b.Cause) }
