package adjudicator

import (
	"bytes"
	"fmt"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/mail"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// standing gives the ruleset of a file that holds standing orders and no
// orders, if the game knows such: they count whether anything is owed or not.
func (v *visit) standing() (engine.Instructor, bool) {
	rules, ok := v.Rules.(engine.Instructor)
	return rules, ok && v.Game.Phase == game.Running && v.doc.Orders == nil && v.doc.Standing != nil
}

// instruct puts the standing orders of a file in force, unless it is a draft,
// and confirms them. What is owed stays owed.
func (v *visit) instruct(s *game.Seat, byGM bool, rules engine.Instructor, problems orders.Problems) error {
	given, faults := rules.ReadStanding(v.View(s.Side), game.Dated(v.Turn, v.doc))
	if problems = append(problems, faults...); len(problems) > 0 {
		problems.Sort()
		return v.refuse(s, byGM, problems)
	}
	text := given.Orders().Encode()
	if v.doc.Draft {
		v.done("draft", mail.Processed)
		return v.confirmStanding(s, byGM, text, false)
	}
	if byGM { // what the player sent before is told before it counts no more
		if err := game.TellVerdicts(v.Turn, s, true); err != nil {
			return err
		}
	}
	was, err := v.Position.Marshal()
	if err != nil {
		return fmt.Errorf("take standing orders of %s: %w", v.Game.ID, err)
	}
	v.done("standing", mail.Processed)
	if err := v.Do(game.Instructed{File: v.file(s, byGM, v.taken(s)), Given: given}); err != nil {
		return err
	}
	snapshot, err := v.Position.Marshal()
	if err != nil {
		return fmt.Errorf("take standing orders of %s: %w", v.Game.ID, err)
	}
	v.repeats = bytes.Equal(was, snapshot)
	unread := v.passNote(s, byGM, "office.standing.note")
	if err := v.confirmStanding(s, byGM, text, unread); err != nil {
		return err
	}
	return v.Do(game.Settled{})
}

// confirmStanding answers whoever sent the file, and tells the player if the
// game master wrote for him.
func (v *visit) confirmStanding(s *game.Seat, byGM bool, text string, unread bool) error {
	w := game.Verdict{Kind: log.KindStanding, Draft: v.doc.Draft, File: text, Unread: unread, Print: printOfVerdict(fmt.Sprint(log.KindStanding, v.doc.Draft), 0, text, nil)}
	if !byGM {
		tell, from := v.tellOf(s, w.Print, w.Draft)
		if !tell {
			return nil
		}
		v.keepVerdict(s, w)
		return v.tellWhenDue(s, from)
	}
	n := v.standingNotice(s, w, v.owed(s, true))
	if v.mayAnswerGM(w.Print) {
		own := n
		own.Heading, own.Owed = v.gmHeading(), nil
		v.postGM("notice", v.intake.Mail, v.office.words.Notice(own))
	}
	if !w.Draft {
		n.Lines = append([]phrase.Phrase{v.sayGave(s, "office.gm-stands")}, n.Lines...)
		v.post(s, "notice", nil, v.office.words.Notice(n))
	}
	return nil
}

// standingNotice is the letter about standing orders that a seat has given.
func (d *desk) standingNotice(s *game.Seat, w game.Verdict, owed *templates.Owed) templates.Notice {
	n := templates.Notice{Heading: d.heading(s), Owed: owed, Texts: []string{w.File}}
	if w.Draft {
		n.Subject = phrase.Say("office.standing.draft-subject")
		n.Lines = append(n.Lines, phrase.Say("office.standing.draft"))
		return n
	}
	n.Subject = phrase.Say("office.standing.subject")
	n.Lines = append(n.Lines, phrase.Say("office.standing.what"))
	if w.Unread {
		n.Lines = append(n.Lines, phrase.Say("office.note.too-many"))
	}
	if owed != nil && !owed.Answered {
		n.Lines = append(n.Lines, phrase.Say("office.standing.owed", phrase.Within("stop", game.SayStop(s.Owes))))
	}
	return n
}
