package adjudicator

import (
	"bytes"
	"errors"
	"fmt"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/mail"
	"berthier/orders/phrase"
)

// instruct puts the standing orders of a file in force, unless it is a draft,
// and confirms them. What is owed stays owed.
func (v *visit) instruct(s *game.Seat, byGM bool, given engine.Answer) error {
	text := given.Orders().Encode()
	if v.doc.Draft {
		v.done("draft", mail.Processed)
		return v.confirmStanding(s, byGM, text, false)
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
	unread, err := v.passNote(s, byGM, "office.standing.note")
	if err != nil {
		return err
	}
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
		return errors.Join(v.conclude(s, w, ""), v.tellWhenDue(s, from))
	}
	if err := v.Do(game.TemplateAsked{Side: s.Side}); err != nil {
		return err
	}
	n := v.letters.Standing(s, w, v.letters.Owed(s, true))
	if v.mayAnswerGM(w.Print) {
		own := n
		own.Heading, own.Owed = v.letters.GMHeading(), nil
		v.postGM("notice", v.intake.Mail, v.office.words.Notice(own))
	}
	if !w.Draft {
		n.Lines = append([]phrase.Phrase{v.sayGave(s, v.refiled, "office.gm-stands")}, n.Lines...)
		v.post(s, "notice", nil, v.office.words.Notice(n))
	}
	return nil
}
