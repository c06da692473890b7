package adjudicator

import (
	"errors"
	"fmt"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/log"
	"berthier/adjudicator/outbox"
	"berthier/adjudicator/report"
	"berthier/engine"
	"berthier/mail"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// What happens with an order file: it is refused, or taken, or judged as a draft.

// refuse answers a file that has faults. What was in force stays in force.
func (v *visit) refuse(s *game.Seat, byGM bool, problems orders.Problems) error {
	v.done("refused", mail.Rejected)
	t := v.taken(s)
	t.Problems, v.faults = problems, problems
	if v.refiled != nil && v.refiled.Stop > 0 {
		t.SeatStop = v.refiled.Stop // it was for the stop that was owed when it came
	}
	if err := v.Do(game.Refused{File: v.file(s, byGM, t)}); err != nil {
		return err
	}
	r := report.Faults(v.doc, problems)
	print := printOfVerdict(log.KindRefused, t.SeatStop, r.Command, problems)
	if !byGM {
		tell, from := v.tellOf(s, print, false)
		if !tell {
			return nil
		}
		w := game.Verdict{Print: print, Kind: log.KindRefused, Asked: r.Asked, Command: r.Command, Faults: len(problems), Why: problems, File: r.Source}
		return errors.Join(v.conclude(s, w, ""), v.tellWhenDue(s, from))
	}
	if !v.mayAnswerGM(print) {
		return nil
	}
	letter, err := v.letters.Master().RefusedFor(s, r)
	if err != nil {
		return err
	}
	v.postGM("refused", v.intake.Mail, letter)
	return nil
}

// accept takes a good file as the answer of a seat, unless it is a draft, and
// confirms it.
func (v *visit) accept(s *game.Seat, byGM bool, answer engine.Answer) error {
	if v.doc.Draft {
		return v.draft(s, byGM, answer)
	}
	earlier, replaces, err := v.Answer(s)
	if err != nil {
		return err
	}
	v.done("taken", mail.Processed)
	before := s.Owes.Answer
	if err := v.Do(game.Answered{File: v.file(s, byGM, v.taken(s)), Text: v.doc.Source, Sent: v.form().Sent(), Serial: v.doc.Serial, Answer: answer}); err != nil {
		return err
	}
	v.repeats = before != nil && before.Print == s.Owes.Answer.Print && before.Final == s.Owes.Answer.Final
	entry := s.Owes.Answer.Entry
	unread, err := v.passNote(s, byGM, "office.note.what", phrase.Within("stop", game.SayStop(s.Owes)))
	if err != nil {
		return err
	}
	if byGM {
		return v.acceptForGM(s, answer, earlier, replaces)
	}
	set := s.Owes.Answer.Which()
	print := printOfVerdict(log.KindTaken, s.Owes.Stop, set.Print, nil)
	tell, from := v.tellOf(s, print, false)
	if tell {
		was := ""
		if replaces {
			was = earlier.Orders().Encode()
		}
		w := game.Verdict{Print: print, Kind: log.KindTaken, Entry: entry, Set: set, Unread: unread, Repairs: v.doc.Repairs}
		if err := v.conclude(s, w, was); err != nil {
			return err
		}
	}
	v.carry()
	mark := len(v.rows)
	if err := v.Do(game.Settled{}); err != nil {
		return err
	}
	if !tell || len(s.Verdicts) == 0 { // the stop was resolved, and the player was told
		return nil
	}
	return v.before(mark, func() error { return v.tellWhenDue(s, from) })
}

// before puts letters that post queues before those that were queued since there were mark letters.
func (v *visit) before(mark int, post func() error) error {
	v.carry()
	after := append([]*outbox.Outgoing(nil), v.rows[mark:]...)
	v.rows = v.rows[:mark]
	err := post()
	v.carry()
	v.rows = append(v.rows, after...)
	return err
}

// draft judges a file that is not to count.
func (v *visit) draft(s *game.Seat, byGM bool, answer engine.Answer) error {
	v.done("draft", mail.Processed)
	print := printOfVerdict("draft", s.Owes.Stop, fmt.Sprint(answer.Orders().Encode(), v.doc.WhatIf), nil)
	if !byGM {
		tell, from := v.tellOf(s, print, true)
		if !tell {
			return nil
		}
		w := game.Verdict{Print: print, Kind: log.KindTaken, Draft: true, WhatIf: v.doc.WhatIf, Set: game.Set{Print: game.PrintOf(answer)}, Repairs: v.doc.Repairs, File: v.doc.Source}
		return errors.Join(v.conclude(s, w, ""), v.tellWhenDue(s, from))
	}
	if !v.mayAnswerGM(print) {
		return nil
	}
	earlier, ok, err := v.Answer(s)
	if err != nil {
		return err
	}
	a := v.letters.Confirmation(s, answer, earlier, ok)
	a.Draft, a.Repairs = true, v.doc.Repairs
	v.letters.TryOut(s, string(engine.GM), v.doc.WhatIf, answer, &a)
	a.Heading = v.letters.GMHeading()
	v.postGM("accepted", v.intake.Mail, v.office.words.Accepted(a))
	return nil
}

// acceptForGM confirms to the game master and to the player a file that the game master sent
// for a seat, once it is in force; earlier is the answer that it replaces, if it does.
func (v *visit) acceptForGM(s *game.Seat, answer, earlier engine.Answer, replaces bool) error {
	a := v.letters.Confirmation(s, answer, earlier, replaces)
	a.Repairs, a.Hash, a.Set = v.doc.Repairs, s.Hash, templates.Set(s.Owes.Answer.Which())
	may := v.mayAnswerGM(printOfVerdict(log.KindTaken, s.Owes.Stop, a.Set.Print, nil))
	v.carry()
	final, stop, mark := s.Owes.Answer.Final, v.Game.Stop, len(v.rows)
	asked := v.letters.AlsoAsked(s)
	open := v.letters.WhyWaiting(s, final)
	if err := v.Do(game.Settled{}); err != nil {
		return err
	}
	a.Owed.Answered = true
	if a.Waiting = v.Game.Phase == game.Running && v.Game.Stop == stop; a.Waiting {
		a.Remarks, a.Asked = open, asked
	}
	return v.before(mark, func() error {
		his := a
		his.Remarks = append([]phrase.Phrase{v.sayGave(s, v.refiled, "office.gm-answers")}, a.Remarks...)
		v.post(s, "accepted", nil, v.office.words.Accepted(his))
		if may {
			a.Heading = v.letters.GMHeading()
			v.postGM("accepted", v.intake.Mail, v.office.words.Accepted(a))
		}
		return nil
	})
}

// passNote passes the note of a player's file on to the game master, with what else
// is to be said about the file. It tells whether there were too many notes within an
// hour, so that only the log has this one.
func (v *visit) passNote(s *game.Seat, byGM bool, code string, more ...phrase.Arg) (unread bool, err error) {
	if _, blind := v.Blind(v.Game.GM.Address); v.doc.Note == "" || byGM || blind {
		return false, nil
	}
	if !v.office.answers.Allow("notes: "+v.Game.ID+" "+string(s.Side), v.Now, intake.AnswerWeight) {
		return true, nil
	}
	return false, v.Do(game.Noted{Side: s.Side, Say: phrase.Say(code, append(more, game.SideName(s.Side), phrase.Literal("note", v.doc.Note))...)})
}
