package adjudicator

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/log"
	"berthier/adjudicator/outbox"
	"berthier/mail"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// What came of an order file is always told to whoever sent it with the right key.
// If letters come too fast, their verdicts are kept in the seat's record, and one
// letter tells of all of them when the next may go. It is written when it goes, so
// that it says what is in force then; in the outbox stands only when that is.

// Kinds of verdicts besides those of the log.
const (
	verdictUnanswered = "unanswered"
	verdictUndone     = "undone"
)

// mostVerdicts is of how many letters that differ one letter tells: the next goes
// at once. mostWhy is how many faults it tells of each but the last.
const (
	mostVerdicts = 30
)

// kindVerdicts is the kind of rows that stand in the outbox for a letter that is
// written when it is due.
const kindVerdicts = "verdicts"

// untoldRest is after how long a verdict that was not told before is told though the
// exchange has ended.
const untoldRest = 24 * time.Hour

// printOfVerdict is a mark of what a verdict says: the same for the same.
func printOfVerdict(kind string, stop int, text string, faults orders.Problems) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%d\n%d\n%s\n", kind, stop, len(text), text)
	for _, p := range faults {
		why, err := json.Marshal([]any{p.Clause, p.Why, p.Remedy})
		fmt.Fprintf(h, "%s %v\n", why, err)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// gap is the time between answers to one seat when an hour's answers are used up.
func (o *Office) gap() time.Duration { return time.Hour / time.Duration(o.opt.AnswersPerHour) }

// tellOf tells whether the verdict on an order file of a player is to be told, and
// not before when. It counts the letters that say nothing new: they are told at
// most as often as an hour has answers, and no more when their exchange has ended.
// What is new is always told; after an hour's answers one letter tells of several.
func (v *visit) tellOf(s *game.Seat, print string, draft bool) (tell bool, from time.Time) {
	o, later := v.office, s.Replied.Add(v.office.gap())
	deed := v.deed()
	if deed {
		v.begins()
	}
	fresh := o.talks.Fresh(v.intake.From, v.Now, print)
	if deed || fresh && draft {
		if !o.answers.Allow("verdicts: "+v.Game.ID+" "+string(s.Side), v.Now, intake.AnswerWeight) {
			return true, later
		}
		return true, v.Now
	}
	if v.intake.mayAnswer("", intake.AnswerWeight) {
		later = v.Now
	} else if !s.Due.IsZero() {
		return true, later // in a letter that goes anyway
	}
	if !v.spend(intake.AnswerWeight) {
		return fresh, s.Replied.Add(untoldRest)
	}
	return true, later
}

// keepVerdict keeps a verdict until it is told.
func (v *visit) keepVerdict(s *game.Seat, w game.Verdict) {
	w.At, w.MessageID, w.References = v.Now, v.intake.Mail.MessageID, v.intake.Mail.References
	if s.Owes != nil {
		w.Stop = s.Owes.Stop
	}
	if n := len(w.References) - outbox.MostReferences; n > 0 {
		w.References = w.References[n:]
	}
	for i := range s.Verdicts {
		s.Verdicts[i].Clear()
	}
	if i := slices.IndexFunc(s.Verdicts, func(old game.Verdict) bool { return old.Print == w.Print }); i >= 0 {
		w.Others = s.Verdicts[i].Others + 1
		s.Verdicts = slices.Delete(s.Verdicts, i, i+1)
	}
	s.Verdicts = append(s.Verdicts, w)
}

// tellWhenDue tells what came of a seat's letters, not before a time. The first file
// of a stop is answered at once; those that follow within the office's quiet time
// are put off to its end, and answered together.
func (v *visit) tellWhenDue(s *game.Seat, from time.Time) error {
	quiet, stop := v.office.opt.Quiet, s.ForStop
	if s.Owes != nil {
		stop = s.Owes.Stop
	}
	if end := s.Replied.Add(quiet); quiet > 0 && s.ForStop == stop && end.After(from) {
		from = end
	}
	s.ForStop = stop
	if s.Failures >= game.MostBounces || !from.After(v.Now) || len(s.Verdicts) >= mostVerdicts {
		return game.TellVerdicts(v.Turn, s, true)
	}
	if !s.Due.IsZero() && !from.Before(s.Due) {
		return nil // one is to be written before
	}
	s.Due = from
	r := &outbox.Outgoing{Seat: s.Side, Epoch: s.Epoch, Kind: kindVerdicts, Name: s.Person.Name, Address: s.Person.Address, Due: from, Slot: verdictsNote(v.Game.ID, s)}
	v.send(r, nil)
	return nil
}

// verdictsNote is the slot of a seat's letter that is yet to be written.
func verdictsNote(game string, s *game.Seat) string { return "reply " + game + " " + string(s.Side) }

// unanswered tells a player that his command got no answer, or was not done, since
// there were too many letters.
func (v *visit) unanswered(s *game.Seat, undone bool) {
	w := game.Verdict{Kind: verdictUnanswered, Asked: true, Command: v.doc.Command}
	if undone {
		w.Kind = verdictUndone
	}
	w.Print = printOfVerdict(w.Kind, 0, w.Command, nil)
	v.keepVerdict(s, w)
	from := s.Replied.Add(time.Hour)
	if undone {
		from = s.Replied.Add(v.office.gap())
	}
	if err := v.tellWhenDue(s, from); err != nil { // nothing is read for it that could fail
		v.office.log.Error("what got no answer is told later", "game", v.Game.ID, "error", err)
	}
}

// writeJudged writes the letter that tells what came of a player's letters.
func (d *desk) writeJudged(s *game.Seat, m game.Judged) error {
	remarks := d.sayVerdicts(s, m.Others, m.Last)
	kind, letter, err := d.verdictLetter(s, m.Last, remarks, m.Open)
	if err != nil {
		return err
	}
	d.send(&outbox.Outgoing{Seat: s.Side, Epoch: s.Epoch, Kind: kind, Name: s.Person.Name, Address: s.Person.Address, Letter: &letter,
		Slot: verdictsNote(d.Game.ID, s)}, &mail.Letter{MessageID: m.Last.MessageID, References: m.Last.References})
	return nil
}

// verdictLetter is the letter about the last of a seat's verdicts.
func (d *desk) verdictLetter(s *game.Seat, last game.Verdict, remarks []phrase.Phrase, open bool) (string, templates.Letter, error) {
	words := d.office.words
	if last.Kind == log.KindTaken {
		a, ok, err := d.acceptance(s, last, open)
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
		owed = d.owed(s, true)
	} else {
		remarks = append(remarks, phrase.Say("office.verdicts.resolved"))
	}
	switch last.Kind {
	case log.KindRefused:
		r, err := d.refusal(s, last, owed)
		r.Remarks = remarks
		return "refused", words.Refused(r), err
	case log.KindStanding:
		n := d.standingNotice(s, last, owed)
		n.Lines = append(n.Lines, remarks...)
		return "notice", words.Notice(n), nil
	}
	n := templates.Notice{Heading: d.heading(s), Subject: phrase.Say("office.verdicts.subject"), Lines: append(remarks, d.sayVerdict(s, last)...), Owed: owed}
	earlier, ok, err := d.Answer(s)
	if ok {
		n.Lines = append(n.Lines, phrase.Say("office.verdicts.in-force", phrase.Number("number", s.Owes.Answer.Number), phrase.Literal("print", s.Owes.Answer.Print)))
		n.Texts = append(n.Texts, earlier.Orders().Encode())
	}
	return "notice", words.Notice(n), err
}

// acceptance is the confirmation of a file that was taken, or of a draft that is
// without fault; there is none if something else is in force now, or the stop of
// the draft is over.
func (d *desk) acceptance(s *game.Seat, last game.Verdict, open bool) (templates.Accepted, bool, error) {
	answer, confirmed, err := game.Confirmed(d.Turn, s, last, open)
	if err != nil || !confirmed {
		return templates.Accepted{}, false, err
	}
	a := templates.Accepted{Heading: d.heading(s), Owed: *d.owed(s, false), Draft: last.Draft, Repairs: last.Repairs}
	if last.Draft {
		earlier, ok, err := d.Answer(s)
		if err != nil {
			return a, false, err
		}
		a.Normal, a.Cautions = answer.Orders(), d.cautions(s, answer)
		if ok {
			a.Replaces, a.Differ = earlier.Orders(), d.differ(s, earlier, answer)
		}
		d.tryOut(s, string(s.Side), last.WhatIf, answer, &a)
		return a, true, nil
	}
	a.Normal, a.Cautions, a.Hash, a.Set = answer.Orders(), d.cautions(s, answer), s.Hash, templates.Set(s.Owes.Answer.Which())
	if s.Before != "" {
		if before, problems := orders.ParseNode([]byte(s.Before)); len(problems) == 0 {
			a.Replaces, a.Differ = before, d.differs(s, s.Before, answer)
		}
	}
	a.Owed.Answered = true
	if last.Unread {
		a.Remarks = append(a.Remarks, phrase.Say("office.note.too-many"))
	}
	if a.Waiting = open; open {
		a.Remarks, a.Asked = append(a.Remarks, d.whyWaiting(s, s.Owes.Answer.Final)...), d.alsoAsked(s)
	}
	return a, true, nil
}

// refusal is the letter about a file that has faults, to a seat that owes something.
func (d *desk) refusal(s *game.Seat, last game.Verdict, owed *templates.Owed) (templates.Refused, error) {
	r := templates.Refused{Heading: d.heading(s), Source: last.File, Problems: last.Why, Asked: last.Asked, Command: last.Command, Owed: owed}
	earlier, ok, err := d.Answer(s)
	if ok {
		r.InForce, r.Set = earlier.Orders(), templates.Set(s.Owes.Answer.Which())
	}
	return r, err
}

// sayVerdicts tells that a letter answers several, and what came of the others.
func (d *desk) sayVerdicts(s *game.Seat, others []game.Verdict, last game.Verdict) []phrase.Phrase {
	n := 0
	var lines []phrase.Phrase
	for _, w := range others {
		n += 1 + w.Others
		lines = append(lines, d.sayVerdict(s, w)...)
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
func (d *desk) sayVerdict(s *game.Seat, w game.Verdict) []phrase.Phrase {
	at := phrase.Within("at", d.office.sayMoment(s.Person, w.At))
	args := []phrase.Arg{at, phrase.Number("n", w.Faults)}
	code := "office.verdicts." + w.Kind
	switch {
	case w.Kind == log.KindTaken && !w.Draft:
		args = []phrase.Arg{at, phrase.Number("number", w.Set.Number), phrase.Number("stop", w.Stop), phrase.Literal("print", w.Set.Print)}
	case w.Draft:
		code += "-draft"
		if args = append(args, phrase.Literal("print", w.Set.Print)); w.WhatIf > 0 {
			args = append(args, phrase.Number("runs", w.WhatIf))
		}
	case w.Asked && w.Kind == log.KindRefused:
		code += "-command"
	}
	if w.Command != "" {
		args = append(args, phrase.Name("command", phrase.KindKeyword, w.Command))
	}
	if w.Unread {
		args = append(args, phrase.Number("unread", 1))
	}
	if w.Others > 0 {
		args = append(args, phrase.Number("others", w.Others))
	}
	lines := []phrase.Phrase{phrase.Say(code, args...)}
	for i, p := range w.Why {
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
