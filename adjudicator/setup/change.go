package setup

import (
	"maps"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/timing"
	"berthier/orders"
	"berthier/orders/phrase"
)

// ReadChange reads what of the set-up of a running game is to be another: the same keys with the same
// values as in a set-up. What is not there stays as it is.
func (rd *Reader) ReadChange(n *orders.Node, g *game.Loaded) (game.Changed, orders.Problems) {
	r := orders.NewReader(game.Vocabulary)
	if n == nil || n.Kind != orders.Map || len(n.Pairs) == 0 {
		r.Refuse(n, "", phrase.Say("office.change.nothing"))
		return game.Changed{}, r.Problems
	}
	var c game.Changed
	f := r.Fields(n, "deadline", "reminders", "early", "second-thoughts", "press", "silence", "reserves")
	s := &Setup{Timing: g.Game.Timing, position: g.Position}
	rd.changedTiming(r, f, s, g)
	if f.Get("deadline") != nil || f.Get("reminders") != nil || f.Get("early") != nil || f.Get("second-thoughts") != nil {
		c.Timing = &s.Timing
	}
	if n := f.Get("press"); n != nil {
		c.Press = readPress(r, n)
	}
	s.Silence = g.Game.Silence
	if f.Get("silence") != nil {
		s.Silence.Bot, s.Silence.Replace, s.Silence.Share = 0, 0, 0
	}
	rd.readSilence(r, f, s)
	if f.Get("silence") != nil {
		c.Silence = &s.Silence
	}
	if f.Get("reserves") != nil {
		s.atHome()
		c.Reserves = &s.Reserves
	}
	r.Problems.Sort()
	return c, r.Problems
}

// changedTiming reads the rules for deadlines on top of those that the game has. Deadline: stands for all
// of them, also for those of kinds of stops.
func (rd *Reader) changedTiming(r *orders.Reader, f orders.Fields, s *Setup, g *game.Loaded) {
	before, t := len(r.Problems), &s.Timing
	t.Kinds = maps.Clone(t.Kinds)
	if n := f.Get("deadline"); n != nil {
		t.Usual, t.Kinds = timing.Rule{Usual: 7 * 24 * time.Hour, Early: t.Usual.Early, Reminders: t.Usual.Reminders}, nil
		kinds := readUsual(r, n, &t.Usual)
		readKinds(r, kinds, s.stopChoices(g.Rules, rd.Languages), t)
	}
	if n := f.Get("reminders"); n != nil {
		t.Usual.Reminders = readReminders(r, n)
	}
	if n := f.Get("early"); n != nil {
		if early, ok := r.Bool(n); ok {
			t.Usual.Early = early
		}
	}
	if n := f.Get("second-thoughts"); n != nil {
		t.Second, t.Odd = 0, false
		readSecond(r, n, t)
	}
	if len(r.Problems) == before {
		rd.checkTiming(r, f.Node, t)
	}
}
