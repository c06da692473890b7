package report

import (
	"berthier/adjudicator/game"
	"berthier/engine"
	"berthier/engine/whatif"
	"berthier/orders/phrase"
	"berthier/templates"
)

// Confirmation is what a file for a seat means, as it was read: in normal form, with what is
// odd in it and, if it replaces an earlier one, what it orders otherwise. Of what follows from it
// is said what the ruleset reckons from the view, and shown where pieces come to stand, if it does that.
func (w *Writer) Confirmation(s *game.Seat, answer, earlier engine.Answer, replaces bool) templates.Accepted {
	a := templates.Accepted{Heading: w.Heading(s), Owed: *w.Owed(s, false), Normal: answer.Orders(), Cautions: game.Cautions(w.turn, s, answer)}
	if rules, ok := w.turn.Rules.(engine.Reckoner); ok && s.Owes != nil {
		a.Remarks = rules.Reckoned(w.turn.View(s.Side), s.Owes.Decision, answer)
	}
	if rules, ok := w.turn.Rules.(engine.Sketcher); ok && s.Owes != nil {
		a.Sketched = rules.Sketched(w.turn.View(s.Side), s.Owes.Decision, answer)
	}
	a.Remarks = append(a.Remarks, w.counting(s, answer.Orders().Get("policies"))...)
	if replaces {
		a.Replaces, a.Differ = earlier.Orders(), game.Differ(w.turn, s, earlier, answer)
	}
	return a
}

// MostTries is how often drafts of one seat are played out in an hour, all in
// all. It counts by seat: a limit for all would tell a player that others ask.
const MostTries = 2000

// TryOut plays a draft out so many times, for a seat or the game master, and puts
// into its confirmation what might follow. All of it comes from the seat's view, from the
// draft, and from what it files ahead; if it says nothing of that, from what waits already.
func (w *Writer) TryOut(s *game.Seat, who string, runs int, answer engine.Answer, files string, a *templates.Accepted) {
	if runs == 0 || s.Owes == nil {
		return
	}
	remark := func(code string, args ...phrase.Arg) { a.Remarks = append(a.Remarks, phrase.Say(code, args...)) }
	switch _, able := w.turn.Rules.(engine.Sampler); {
	case !able:
		remark("office.what-if.cannot")
		return
	case !w.MayTry(w.turn.Game.ID+" "+who, w.turn.Now, runs):
		remark("office.what-if.enough", phrase.Number("most", MostTries))
		return
	}
	spread, err := whatif.Question{Rules: w.turn.Rules, View: w.turn.View(s.Side), Decision: s.Owes.Decision, Answer: answer, Runs: runs,
		Files: w.turn.WouldWait(s, answer, files), Former: w.turn.Game.Former()}.Ask()
	if err != nil {
		w.Logger.Warn("draft could not be tried out", "game", w.turn.Game.ID, "error", err)
		remark("office.what-if.failed")
		return
	}
	a.WhatIf = &spread
}

// AlsoAsked lists the sides that are asked at the stop besides a seat, of those of
// whom it may know that. Whether they have answered is not told.
func (w *Writer) AlsoAsked(s *game.Seat) []engine.Side {
	announcer, ok := w.turn.Position.(engine.Announcer)
	if !ok {
		return nil
	}
	return announcer.Asked(s.Side)
}
