package adjudicator

import (
	"errors"
	"fmt"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/outbox"
	"berthier/adjudicator/report"
	"berthier/adjudicator/tally"
	"berthier/engine"
	"berthier/mail"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// What happens with an order file: it is refused, or taken, or judged as a draft.

// refuse answers a file that has faults. What was in force stays in force.
func (req *request) refuse(s *game.Seat, byGM bool, problems orders.Problems) error {
	req.done("refused", mail.Rejected)
	t := req.taken(s)
	t.Problems, req.faults = problems, problems
	if req.refiled != nil && req.refiled.Stop > 0 {
		t.SeatStop = req.refiled.Stop // it was for the stop that was owed when it came
	}
	if err := req.Do(game.Refused{File: req.file(s, byGM, t)}); err != nil {
		return err
	}
	r := report.Faults(req.doc, problems)
	print := printOfVerdict(log.KindRefused, t.SeatStop, r.Command, problems)
	if !byGM {
		tell, brief, from := req.tellOf(s, print, false)
		if !tell {
			return nil
		}
		w := game.Verdict{Print: print, Brief: brief, Kind: log.KindRefused, Asked: r.Asked, Command: r.Command, Faults: len(problems), Why: problems, File: r.Source, Mended: req.mended(s, problems)}
		return errors.Join(req.conclude(s, w, ""), req.tellWhenDue(s, from))
	}
	if !req.mayAnswerGM(print) {
		return nil
	}
	letter, err := req.letters.Master().RefusedFor(s, r)
	if err != nil {
		return err
	}
	req.postGM("refused", req.intake.Mail, letter)
	return nil
}

// accept takes a good file as the answer of a seat, unless it is a draft, and
// confirms it.
func (req *request) accept(s *game.Seat, byGM bool, answer engine.Answer) error {
	if req.doc.Draft {
		return req.draft(s, byGM, answer)
	}
	earlier, replaces, err := req.Answer(s)
	if err != nil {
		return err
	}
	req.done("taken", mail.Processed)
	before := s.Owes.Answer
	if err := req.Do(game.Answered{File: req.file(s, byGM, req.taken(s)), Text: req.doc.Source, Sent: req.form().Sent(), Serial: req.doc.Serial, Answer: answer, Now: req.doc.Now, Guess: req.doc.Guessed()}); err != nil {
		return err
	}
	req.repeats = before != nil && before.Says(s.Owes.Answer)
	entry := s.Owes.Answer.Entry
	unread, err := req.passNote(s, byGM, "office.note.what", phrase.Within("stop", game.SayStop(s.Owes)))
	if err != nil {
		return err
	}
	if byGM {
		return req.acceptForGM(s, answer, earlier, replaces)
	}
	set := s.Owes.Answer.Which()
	files, _ := req.form().Ahead(s)
	print := printOfVerdict(log.KindTaken, s.Owes.Stop, set.Print+files, nil)
	tell, brief, from := req.tellOf(s, print, false)
	if tell {
		was := ""
		if replaces {
			was = earlier.Orders().Encode()
		}
		w := game.Verdict{Print: print, Brief: brief, Kind: log.KindTaken, Entry: entry, Set: set, Unread: unread, Repairs: req.doc.Repairs}
		if err := req.conclude(s, w, was); err != nil {
			return err
		}
	}
	req.carry()
	mark := len(req.outgoing)
	if err := req.Do(game.Settled{}); err != nil {
		return err
	}
	if !tell || len(s.Verdicts) == 0 { // the stop was resolved, and the player was told
		return nil
	}
	return req.before(mark, func() error { return req.tellWhenDue(s, from) })
}

// before queues letters before those that were queued since there were so many.
func (req *request) before(mark int, post func() error) error {
	req.carry()
	after := append([]*outbox.Outgoing(nil), req.outgoing[mark:]...)
	req.outgoing = req.outgoing[:mark]
	err := post()
	req.carry()
	req.outgoing = append(req.outgoing, after...)
	return err
}

// draft judges a file that is not to count.
func (req *request) draft(s *game.Seat, byGM bool, answer engine.Answer) error {
	req.done("draft", mail.Processed)
	files, _ := req.form().Ahead(s)
	print := printOfVerdict("draft", s.Owes.Stop, fmt.Sprint(answer.Orders().Encode(), req.doc.WhatIf)+files, nil)
	if !byGM {
		tell, brief, from := req.tellOf(s, print, true)
		if !tell {
			return nil
		}
		w := game.Verdict{Print: print, Brief: brief, Kind: log.KindTaken, Draft: true, Ahead: files, WhatIf: req.doc.WhatIf, Set: game.Set{Print: game.PrintOf(answer)}, Repairs: req.doc.Repairs, File: req.doc.Source}
		return errors.Join(req.conclude(s, w, ""), req.tellWhenDue(s, from))
	}
	if !req.mayAnswerGM(print) {
		return nil
	}
	earlier, ok, err := req.Answer(s)
	if err != nil {
		return err
	}
	a := req.letters.Confirmation(s, answer, earlier, ok)
	a.Draft, a.Repairs = true, req.doc.Repairs
	a.Remarks = append(a.Remarks, req.letters.Foreseen(s, answer)...)
	req.letters.TryOut(s, string(engine.GM), req.doc.WhatIf, answer, files, &a)
	a.Heading = req.letters.GMHeading()
	req.postGM("accepted", req.intake.Mail, req.office.words.Accepted(a))
	return nil
}

// acceptForGM confirms a file that the game master sent for a seat, to him and to
// the player, once it is in force: after earlier, if that is replaced.
func (req *request) acceptForGM(s *game.Seat, answer, earlier engine.Answer, replaces bool) error {
	a := req.letters.Confirmation(s, answer, earlier, replaces)
	a.Repairs, a.Hash, a.Set = req.doc.Repairs, s.Hash, templates.Set(s.Owes.Answer.Which())
	may := req.mayAnswerGM(printOfVerdict(log.KindTaken, s.Owes.Stop, a.Set.Print, nil))
	req.carry()
	final, stop, mark := s.Owes.Answer.Final, req.Game.Stop, len(req.outgoing)
	asked := req.letters.AlsoAsked(s)
	open := req.letters.WhyWaiting(s, final)
	if err := req.Do(game.Settled{}); err != nil {
		return err
	}
	a.Owed.Answered = true
	if a.Waiting = req.Game.Phase == game.Running && req.Game.Stop == stop; a.Waiting {
		a.Remarks, a.Asked = append(a.Remarks, open...), asked
	}
	return req.before(mark, func() error {
		his := a
		his.Remarks = append([]phrase.Phrase{req.sayGave(s, req.refiled, "office.gm-answers")}, a.Remarks...)
		req.post(s, "accepted", nil, req.office.words.Accepted(his))
		if may {
			a.Heading = req.letters.GMHeading()
			req.postGM("accepted", req.intake.Mail, req.office.words.Accepted(a))
		}
		return nil
	})
}

// passNote passes the note of a player's file on to the game master, with what else
// is to be said of the file. It tells whether there were too many notes within an
// hour, so that this one stands in the log alone.
func (req *request) passNote(s *game.Seat, byGM bool, code string, more ...phrase.Arg) (unread bool, err error) {
	if _, blind := req.Blind(req.Game.GM.Address); req.doc.Note == "" || byGM || blind {
		return false, nil
	}
	if !req.intake.bill.Answer("notes: "+req.Game.ID+" "+string(s.Side), req.Now, tally.AnswerWeight) {
		return true, nil
	}
	return false, req.Do(game.Noted{Side: s.Side, Say: phrase.Say(code, append(more, game.SideName(s.Side), phrase.Literal("note", req.doc.Note))...)})
}
