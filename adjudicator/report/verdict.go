package report

import (
	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/timing"
	"berthier/engine"
	"berthier/engine/whatif"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// judged tells what came of a player's letters.
func (w *Writer) judged(s *game.Seat, m game.Judged) ([]Letter, error) {
	kind, text, err := w.verdictLetter(s, m.Last, w.sayVerdicts(s, m.Others, m.Last), m.Open)
	if err != nil {
		return nil, err
	}
	l := w.ToSeat(s, kind, text)
	l.Re = &game.Reference{MessageID: m.Last.MessageID, References: m.Last.References}
	l.Verdicts = true
	return []Letter{l}, nil
}

// verdictLetter is the letter about the last of a seat's verdicts.
func (w *Writer) verdictLetter(s *game.Seat, last game.Verdict, remarks []phrase.Phrase, open bool) (string, templates.Letter, error) {
	words := w.Words
	if last.Kind == log.KindTaken {
		a, ok, err := w.acceptance(s, last, open)
		if err != nil {
			return "", templates.Letter{}, err
		}
		if ok {
			a.Remarks = append(remarks, a.Remarks...)
			return "accepted", words.Accepted(a), nil
		}
	}
	var owed *templates.Owed
	if open {
		owed = w.Owed(s, true)
	} else {
		remarks = append(remarks, phrase.Say("office.verdicts.resolved"))
	}
	switch last.Kind {
	case log.KindRefused:
		r, err := w.Refusal(s, last, owed)
		r.Remarks = remarks
		return "refused", words.Refused(r), err
	case log.KindStanding:
		n := w.Standing(s, last, owed)
		n.Lines = append(n.Lines, remarks...)
		return "notice", words.Notice(n), nil
	}
	n := templates.Notice{Heading: w.Heading(s), Subject: phrase.Say("office.verdicts.subject"), Lines: append(remarks, w.sayVerdict(s, last)...), Owed: owed}
	earlier, ok, err := w.turn.Answer(s)
	if ok {
		n.Lines = append(n.Lines, phrase.Say("office.verdicts.in-force", phrase.Number("number", s.Owes.Answer.Number), phrase.Literal("print", s.Owes.Answer.Print)))
		n.Texts = append(n.Texts, earlier.Orders().Encode())
	}
	return "notice", words.Notice(n), err
}

// acceptance is the confirmation of a file that was taken, or of a draft that is
// without fault; there is none if something else is in force now, or the stop of
// the draft is over.
func (w *Writer) acceptance(s *game.Seat, last game.Verdict, open bool) (templates.Accepted, bool, error) {
	answer, confirmed, err := game.Confirmed(w.turn, s, last, open)
	if err != nil || !confirmed {
		return templates.Accepted{}, false, err
	}
	a := templates.Accepted{Heading: w.Heading(s), Owed: *w.Owed(s, false), Draft: last.Draft, Repairs: last.Repairs}
	if last.Draft {
		earlier, ok, err := w.turn.Answer(s)
		if err != nil {
			return a, false, err
		}
		a.Normal, a.Cautions = answer.Orders(), w.Cautions(s, answer)
		if ok {
			a.Replaces, a.Differ = earlier.Orders(), w.Differ(s, earlier, answer)
		}
		w.TryOut(s, string(s.Side), last.WhatIf, answer, &a)
		return a, true, nil
	}
	a.Normal, a.Cautions, a.Hash, a.Set = answer.Orders(), w.Cautions(s, answer), s.Hash, templates.Set(s.Owes.Answer.Which())
	if s.Before != "" {
		if before, problems := orders.ParseNode([]byte(s.Before)); len(problems) == 0 {
			a.Replaces, a.Differ = before, w.differs(s, s.Before, answer)
		}
	}
	a.Owed.Answered = true
	if last.Unread {
		a.Remarks = append(a.Remarks, phrase.Say("office.note.too-many"))
	}
	if a.Waiting = open; open {
		a.Remarks, a.Asked = append(a.Remarks, w.WhyWaiting(s, s.Owes.Answer.Final)...), w.AlsoAsked(s)
	}
	return a, true, nil
}

// Refusal is the letter about a file that has faults, to a seat that owes something.
func (w *Writer) Refusal(s *game.Seat, last game.Verdict, owed *templates.Owed) (templates.Refused, error) {
	r := templates.Refused{Heading: w.Heading(s), Source: last.File, Problems: last.Why, Asked: last.Asked, Command: last.Command, Owed: owed}
	earlier, ok, err := w.turn.Answer(s)
	if ok {
		r.InForce, r.Set = earlier.Orders(), templates.Set(s.Owes.Answer.Which())
	}
	return r, err
}

// sayVerdicts tells that a letter answers several, and what came of the others.
func (w *Writer) sayVerdicts(s *game.Seat, others []game.Verdict, last game.Verdict) []phrase.Phrase {
	n := 0
	var lines []phrase.Phrase
	for _, other := range others {
		n += 1 + other.Others
		lines = append(lines, w.sayVerdict(s, other)...)
	}
	if last.Others > 0 {
		lines = append(lines, phrase.Say("office.verdicts.same", phrase.Number("n", last.Others)))
	}
	if n += last.Others; n == 0 {
		return nil
	}
	return append([]phrase.Phrase{phrase.Say("office.one-answer", phrase.Number("n", n+1))}, lines...)
}

// sayVerdict says in short what came of a letter.
func (w *Writer) sayVerdict(s *game.Seat, v game.Verdict) []phrase.Phrase {
	at := phrase.Within("at", w.Moment(s.Person, v.At))
	args := []phrase.Arg{at, phrase.Number("n", v.Faults)}
	code := "office.verdicts." + v.Kind
	switch {
	case v.Kind == log.KindTaken && !v.Draft:
		args = []phrase.Arg{at, phrase.Number("number", v.Set.Number), phrase.Number("stop", v.Stop), phrase.Literal("print", v.Set.Print)}
	case v.Draft:
		code += "-draft"
		if args = append(args, phrase.Literal("print", v.Set.Print)); v.WhatIf > 0 {
			args = append(args, phrase.Number("runs", v.WhatIf))
		}
	case v.Asked && v.Kind == log.KindRefused:
		code += "-command"
	}
	if v.Command != "" {
		args = append(args, phrase.Name("command", phrase.KindKeyword, v.Command))
	}
	if v.Unread {
		args = append(args, phrase.Number("unread", 1))
	}
	if v.Others > 0 {
		args = append(args, phrase.Number("others", v.Others))
	}
	lines := []phrase.Phrase{phrase.Say(code, args...)}
	for i, p := range v.Why {
		if i == game.MostWhy {
			break
		}
		if p.Line > 0 {
			lines = append(lines, phrase.Say("office.verdicts.fault", phrase.Number("line", p.Line), phrase.Within("why", p.Why)))
		} else {
			lines = append(lines, phrase.Say("office.verdicts.fault-whole", phrase.Within("why", p.Why)))
		}
	}
	return lines
}

// WhyWaiting tells what keeps a stop from being resolved, besides other answers.
func (w *Writer) WhyWaiting(s *game.Seat, final bool) []phrase.Phrase {
	var all []phrase.Phrase
	if !w.turn.Game.Paused.IsZero() {
		all = append(all, phrase.Say("office.status.paused"))
	}
	if !final {
		all = append(all, phrase.Say("office.not-final"))
	}
	if second := w.turn.Game.Timing.Second; second > 0 {
		all = append(all, phrase.Say("office.second-thoughts", phrase.Literal("wait", timing.WriteDuration(second))))
	}
	if !w.turn.Game.Timing.Of(s.Owes.Decision.Kind).Early && !s.Owes.Deadline.IsZero() {
		all = append(all, phrase.Say("office.not-early"))
	}
	return all
}

// Standing is the letter about standing orders that a seat has given.
func (w *Writer) Standing(s *game.Seat, v game.Verdict, owed *templates.Owed) templates.Notice {
	n := templates.Notice{Heading: w.Heading(s), Owed: owed, Texts: []string{v.File}}
	if v.Draft {
		n.Subject = phrase.Say("office.standing.draft-subject")
		n.Lines = append(n.Lines, phrase.Say("office.standing.draft"))
		return n
	}
	n.Subject = phrase.Say("office.standing.subject")
	n.Lines = append(n.Lines, phrase.Say("office.standing.what"))
	if v.Unread {
		n.Lines = append(n.Lines, phrase.Say("office.note.too-many"))
	}
	if owed != nil && !owed.Answered {
		n.Lines = append(n.Lines, phrase.Say("office.standing.owed", phrase.Within("stop", game.SayStop(s.Owes))))
	}
	return n
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

// Cautions lists what is legal but odd in an answer of a seat.
func (w *Writer) Cautions(s *game.Seat, answer engine.Answer) []engine.Caution {
	rules, ok := w.turn.Rules.(engine.Cautious)
	if !ok || s.Owes == nil {
		return nil
	}
	return rules.Cautions(w.turn.View(s.Side), s.Owes.Decision, answer)
}

// Differ tells what an answer orders otherwise than the one that it replaces, where the
// rules can tell.
func (w *Writer) Differ(s *game.Seat, was, now engine.Answer) []phrase.Phrase {
	rules, ok := w.turn.Rules.(engine.Comparer)
	if !ok || s.Owes == nil {
		return nil
	}
	return rules.Compare(w.turn.View(s.Side), s.Owes.Decision, was, now)
}

// differs is what an answer in force orders otherwise than the one before it, of which
// the normal form is kept.
func (w *Writer) differs(s *game.Seat, before string, now engine.Answer) []phrase.Phrase {
	doc, problems := orders.ParseAccepted(before)
	if len(problems) > 0 {
		return nil
	}
	was, problems := w.turn.Rules.Read(w.turn.View(s.Side), s.Owes.Decision, game.Dated(w.turn, doc))
	if len(problems) > 0 {
		return nil
	}
	return w.Differ(s, was, now)
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
