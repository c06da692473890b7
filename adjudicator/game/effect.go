package game

import (
	"berthier/adjudicator/log"
	"berthier/engine"
	"time"
)

// An Effect is what the office has to do about what happened.
type Effect interface{ effect() }

// Told says that somebody is to be told something. At is the game as it stood then: the
// letter is made from that alone, whatever happens later.
type Told struct {
	To      engine.Side // a seat; [engine.GM]; [engine.Public] for an observer
	Person  log.Person
	Message Message

	At       *Loaded
	Entries  int // how many were new by then
	Kept     int // so too the positions
	Answers  map[engine.Side][]byte
	Readings map[engine.Side]Reading
}

// Remark is what the office itself may want to know.
type Remark struct {
	What string
	Stop int
	Err  error // what went wrong, which may tell what is hidden; nil: nothing
}

// Later is that a player is to be told at a moment what came of his letters ([VerdictsDue]).
type Later struct {
	To     engine.Side
	Epoch  int
	Person log.Person
	At     time.Time
}

func (Told) effect() {}

func (Later) effect() {}

func (Remark) effect() {}

// remark lets the office know something.
func (t *Turn) remark(what string, err error) {
	t.Effects = append(t.Effects, Remark{What: what, Stop: t.Game.Stop, Err: err})
}
