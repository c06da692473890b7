package report

import (
	"berthier/adjudicator/game"
	"berthier/engine"
	"berthier/engine/whatif"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// Confirmation is what a file for a seat means, as it was read: in normal form, with what is
// odd in it and, if it replaces an earlier one, what it orders otherwise. Nothing of what
// follows from it is said yet.
func (w *Writer) Confirmation(s *game.Seat, answer, earlier engine.Answer, replaces bool) templates.Accepted {
	a := templates.Accepted{Heading: w.Heading(s), Owed: *w.Owed(s, false), Normal: answer.Orders(), Cautions: cautions(w.turn, s, answer)}
	if replaces {
		a.Replaces, a.Differ = earlier.Orders(), differ(w.turn, s, earlier, answer)
	}
	return a
}

// MostTries is how often drafts of one seat are played out in an hour, all in
// all. It counts by seat: a limit for all would tell a player that others ask.
const MostTries = 2000

// TryOut plays a draft out so many times, for a seat or the game master, and puts
// into its confirmation what might follow. All of it comes from the seat's view and from the draft.
func (w *Writer) TryOut(s *game.Seat, who string, runs int, answer engine.Answer, a *templates.Accepted) {
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
	spread, err := whatif.Question{Rules: w.turn.Rules, View: w.turn.View(s.Side), Decision: s.Owes.Decision, Answer: answer, Runs: runs}.Ask()
	if err != nil {
		w.Logger.Warn("draft could not be tried out", "game", w.turn.Game.ID, "error", err)
		remark("office.what-if.failed")
		return
	}
	a.WhatIf = &spread
}

// cautions lists what is legal but odd in an answer of a seat.
func cautions(t *game.Turn, s *game.Seat, answer engine.Answer) []engine.Caution {
	rules, ok := t.Rules.(engine.Cautious)
	if !ok || s.Owes == nil {
		return nil
	}
	return rules.Cautions(t.View(s.Side), s.Owes.Decision, answer)
}

// differ tells what an answer orders otherwise than the one that it replaces, where the
// rules can tell.
func differ(t *game.Turn, s *game.Seat, was, now engine.Answer) []phrase.Phrase {
	rules, ok := t.Rules.(engine.Comparer)
	if !ok || s.Owes == nil {
		return nil
	}
	return rules.Compare(t.View(s.Side), s.Owes.Decision, was, now)
}

// differs is what an answer in force orders otherwise than the one before it, of which
// the normal form is kept.
func differs(t *game.Turn, s *game.Seat, before *orders.Document, now engine.Answer) []phrase.Phrase {
	was, problems := t.Rules.Read(t.View(s.Side), s.Owes.Decision, game.Dated(t, before))
	if len(problems) > 0 {
		return nil
	}
	return differ(t, s, was, now)
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
