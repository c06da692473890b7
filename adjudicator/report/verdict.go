package report

import (
	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/timing"
	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// judged tells what came of a player's letters.
func judged(w *Writer, s *game.Seat, m game.Judged) ([]Letter, error) {
	kind, text, err := verdictLetter(w, s, m.Last, sayVerdicts(w, s, m.Others, m.Last), m.Open)
	if err != nil {
		return nil, err
	}
	l := w.ToSeat(s, kind, text)
	l.Re = &game.Reference{MessageID: m.Last.MessageID, References: m.Last.References}
	l.Verdicts = true
	return []Letter{l}, nil
}

// verdictLetter is the letter about the last of a seat's verdicts.
func verdictLetter(w *Writer, s *game.Seat, last game.Verdict, remarks []phrase.Phrase, open bool) (string, templates.Letter, error) {
	words := w.Words
	if last.Brief {
		return "notice", words.Notice(templates.Notice{Heading: w.Heading(s), Subject: phrase.Say("office.verdicts.subject"), Lines: append(remarks, sayVerdict(w, s, last)[0])}), nil
	}
	if last.Kind == log.KindTaken {
		a, ok, err := acceptance(w, s, last, open)
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
	case log.KindStanding, log.KindAhead:
		n := NoticeOf(w, s, last, owed)
		n.Lines = append(n.Lines, remarks...)
		return "notice", words.Notice(n), nil
	}
	n := templates.Notice{Heading: w.Heading(s), Subject: phrase.Say("office.verdicts.subject"), Lines: append(remarks, sayVerdict(w, s, last)...), Owed: owed}
	earlier, ok, err := w.turn.Answer(s)
	if ok {
		n.Lines = append(n.Lines, phrase.Say("office.verdicts.in-force", phrase.Number("number", s.Owes.Answer.Number), phrase.Literal("print", s.Owes.Answer.Print)))
		n.Normal = append(n.Normal, earlier.Orders())
	}
	return "notice", words.Notice(n), err
}

// acceptance is the confirmation of a file that was taken, or of a draft that is
// without fault; there is none if something else is in force now, or the stop of
// the draft is over.
func acceptance(w *Writer, s *game.Seat, last game.Verdict, open bool) (templates.Accepted, bool, error) {
	answer, confirmed, err := game.Confirmed(w.turn, s, last, open)
	if err != nil || !confirmed {
		return templates.Accepted{}, false, err
	}
	if last.Draft {
		earlier, ok, err := w.turn.Answer(s)
		if err != nil {
			return templates.Accepted{}, false, err
		}
		a := w.Confirmation(s, answer, earlier, ok)
		a.Draft, a.Repairs = true, last.Repairs
		a.Remarks = append(a.Remarks, w.Foreseen(s, answer)...)
		a.Remarks = append(a.Remarks, sayFiled(w, last.Ahead)...)
		w.TryOut(s, string(s.Side), last.WhatIf, answer, last.Ahead, &a)
		return a, true, nil
	}
	a := w.Confirmation(s, answer, nil, false)
	a.Remarks = append(a.Remarks, filedBy(w, s)...)
	a.Repairs, a.Hash, a.Set = last.Repairs, s.Hash, templates.Set(s.Owes.Answer.Which())
	if s.Before != "" {
		if before, problems := orders.ParseAccepted(s.Before); len(problems) == 0 {
			a.Replaces, a.Differ = before.Root, game.Differs(w.turn, s, s.Before, answer)
		}
	}
	a.Owed.Answered = true
	if last.Unread {
		a.Remarks = append(a.Remarks, phrase.Say("office.note.too-many"))
	}
	if until, ok := w.turn.Game.Holds(s, w.turn.Now); ok && open {
		code := "office.held"
		if !w.turn.Game.Timing.Odd {
			code = "office.held-always"
		}
		a.Held = w.AtHis(s.Person, phrase.Say(code, phrase.Within("until", game.Moment(until))))
		a.Again = again(w, s, answer)
	}
	if a.Waiting = open; open {
		a.Remarks, a.Asked = append(a.Remarks, w.WhyWaiting(s, s.Owes.Answer.Final)...), w.AlsoAsked(s)
	}
	return a, true, nil
}

// again is the file of an answer in force, with what it files ahead, to be answered by a word or
// sent changed.
func again(w *Writer, s *game.Seat, answer engine.Answer) *orders.Node {
	file := envelope(w, s)
	file.Pairs = append(file.Pairs, answer.Orders().Pairs...)
	if files := s.Owes.Answer.Files; files != nil {
		if says, problems := orders.ParseNode([]byte(files.Text)); len(problems) == 0 {
			file.Set("ahead", says)
		} else {
			file.Set("ahead", orders.Text(files.Text)) // none
		}
	}
	return file
}

// Refusal is the letter about a file that has faults, to a seat that owes something.
func (w *Writer) Refusal(s *game.Seat, last game.Verdict, owed *templates.Owed) (templates.Refused, error) {
	r := templates.Refused{Heading: w.Heading(s), Source: last.File, Problems: last.Why, Asked: last.Asked, Command: last.Command, Owed: owed}
	if last.Mended != nil && owed != nil && s.Owes.Stop == last.Stop {
		r.Mended = last.Mended.WithHead(w.Head(s))
	}
	earlier, ok, err := w.turn.Answer(s)
	if ok {
		r.InForce, r.Set = earlier.Orders(), templates.Set(s.Owes.Answer.Which())
	}
	return r, err
}

// sayVerdicts tells that a letter answers several, and what came of the others.
func sayVerdicts(w *Writer, s *game.Seat, others []game.Verdict, last game.Verdict) []phrase.Phrase {
	n := 0
	var lines []phrase.Phrase
	for _, other := range others {
		n += 1 + other.Others
		lines = append(lines, sayVerdict(w, s, other)...)
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
func sayVerdict(w *Writer, s *game.Seat, v game.Verdict) []phrase.Phrase {
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
		args = append(args, phrase.Name("command", phrase.KindCommand, v.Command))
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
	if second := w.turn.Game.Timing.Second; second > 0 && !w.turn.Game.Timing.Odd {
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
	var waits []phrase.Phrase
	if file, problems := orders.ParseAccepted(v.File); len(problems) == 0 {
		waits = w.counting(s, file.Policies)
	}
	if v.Draft {
		n.Subject = phrase.Say("office.standing.draft-subject")
		n.Lines = append([]phrase.Phrase{phrase.Say("office.standing.draft")}, waits...)
		return n
	}
	n.Subject = phrase.Say("office.standing.subject")
	n.Lines = append([]phrase.Phrase{phrase.Say("office.standing.what")}, waits...)
	if v.Unread {
		n.Lines = append(n.Lines, phrase.Say("office.note.too-many"))
	}
	if owed != nil && !owed.Answered {
		n.Lines = append(n.Lines, phrase.Say("office.standing.owed", phrase.Within("stop", game.SayStop(s.Owes))))
	}
	return n
}
