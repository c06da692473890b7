package game

import (
	"maps"
	"time"

	"berthier/adjudicator/log"
	"berthier/engine"
)

// Luck holds the words that players give so that the office can't choose the seed: they know
// its commitment before they choose their words, and the words go into every roll.
type Luck struct {
	Words map[engine.Side]string `json:"words,omitempty"`
	Until time.Time              `json:"until,omitzero"` // how long they are waited for; zero: for ever
	Begun bool                   `json:"begun,omitempty"`
}

// Words are those that go into every roll of the game, in the order of its sides.
func (g *State) Words() []log.LuckWord {
	if g.Luck == nil {
		return nil
	}
	var all []log.LuckWord
	for _, s := range g.Seats {
		if word, ok := g.Luck.Words[s.Side]; ok {
			all = append(all, log.LuckWord{Side: s.Side, Word: word})
		}
	}
	return all
}

// AsksLuck tells whether the game waits for its players' words.
func (g *State) AsksLuck() bool { return g.Luck != nil && !g.Luck.Begun && g.Phase == Running }

// askLuck asks every player for his word.
func askLuck(t *Turn) {
	if rule := t.Game.Timing.Of(""); rule.Usual > 0 {
		t.Game.Luck.Until = rule.Deadline(t.Now)
	}
	for _, s := range t.Game.Seats {
		askWord(t, s)
	}
}

// askWord tells a player the commitment and asks for his word.
func askWord(t *Turn, s *Seat) {
	t.Seal(s)
	t.toSeat(s, WordAsked{})
}

// takeWordBack drops the word of a player who has lost his seat to another, since the new
// player must not play with a word that somebody else chose; it gives him the time to answer
// with his own.
func takeWordBack(t *Turn, s *Seat) error {
	if !t.Game.AsksLuck() {
		return nil
	}
	l := *t.Game.Luck
	if fresh := t.Game.Timing.Of("").Deadline(t.Game.Clock(t.Now)); !l.Until.IsZero() && fresh.After(l.Until) {
		l.Until = fresh
	}
	_, said := l.Words[s.Side]
	l.Words = maps.Clone(l.Words)
	delete(l.Words, s.Side)
	t.Game.Luck = &l
	if !said {
		return nil
	}
	return t.Log(log.Entry{Kind: log.KindWord, Seat: s.Side, By: "office", Data: log.LuckWord{Side: s.Side}})
}

// GoesOn makes the wait for the words longer by the time that the game stood still.
func (l *Luck) GoesOn(stood time.Duration) {
	if l != nil && !l.Until.IsZero() {
		l.Until = l.Until.Add(stood)
	}
}

// luckIn begins the game when the players' words are in, or their time is up.
func luckIn(t *Turn) error {
	l := t.Game.Luck
	late := t.ByClock && !l.Until.IsZero() && !l.Until.After(t.ReadUpTo)
	for _, s := range t.Game.Seats {
		if _, ok := l.Words[s.Side]; !ok && s.Played() && !late {
			return nil
		}
	}
	l.Begun = true
	if err := t.Log(log.Entry{Kind: log.KindLuck, By: "office", Data: log.LuckTold{Words: t.Game.Words()}}); err != nil {
		return err
	}
	return begin(t)
}
