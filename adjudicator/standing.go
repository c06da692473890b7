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
func (req *request) instruct(s *game.Seat, byGM bool, given engine.Answer) error {
	text := given.Orders().Encode()
	if req.doc.Draft {
		req.done("draft", mail.Processed)
		return req.confirmStanding(s, byGM, text, false)
	}
	was, err := req.Position.Marshal()
	if err != nil {
		return fmt.Errorf("take standing orders of %s: %w", req.Game.ID, err)
	}
	req.done("standing", mail.Processed)
	if err := req.Do(game.Instructed{File: req.file(s, byGM, req.taken(s)), Given: given}); err != nil {
		return err
	}
	snapshot, err := req.Position.Marshal()
	if err != nil {
		return fmt.Errorf("take standing orders of %s: %w", req.Game.ID, err)
	}
	req.repeats = bytes.Equal(was, snapshot)
	unread, err := req.passNote(s, byGM, "office.standing.note")
	if err != nil {
		return err
	}
	if err := req.confirmStanding(s, byGM, text, unread); err != nil {
		return err
	}
	return req.Do(game.Settled{})
}

// confirmStanding answers the sender of the file, and tells the player if the
// game master wrote for him.
func (req *request) confirmStanding(s *game.Seat, byGM bool, text string, unread bool) error {
	w := game.Verdict{Kind: log.KindStanding, Draft: req.doc.Draft, File: text, Unread: unread, Print: printOfVerdict(fmt.Sprint(log.KindStanding, req.doc.Draft), 0, text, nil)}
	if !byGM {
		tell, from := req.tellOf(s, w.Print, w.Draft)
		if !tell {
			return nil
		}
		return errors.Join(req.conclude(s, w, ""), req.tellWhenDue(s, from))
	}
	if err := req.Do(game.TemplateAsked{Side: s.Side}); err != nil {
		return err
	}
	n := req.letters.Standing(s, w, req.letters.Owed(s, true))
	if req.mayAnswerGM(w.Print) {
		own := n
		own.Heading, own.Owed = req.letters.GMHeading(), nil
		req.postGM("notice", req.intake.Mail, req.office.words.Notice(own))
	}
	if !w.Draft {
		n.Lines = append([]phrase.Phrase{req.sayGave(s, req.refiled, "office.gm-stands")}, n.Lines...)
		req.post(s, "notice", nil, req.office.words.Notice(n))
	}
	return nil
}
