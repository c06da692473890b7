package adjudicator

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/report"
	"berthier/engine"
	"berthier/mail"
	"berthier/orders"
	"berthier/orders/phrase"
)

// instruct puts the standing orders of a file in force, unless it is a draft,
// and confirms them. What is owed stays owed.
func (req *request) instruct(s *game.Seat, byGM bool, given engine.Answer) error {
	files, _ := req.form().Ahead(s)
	text := files
	if given != nil {
		text = given.Orders().Encode()
	}
	if req.doc.Draft {
		req.done("draft", mail.Processed)
		return req.confirmStanding(s, byGM, text, false)
	}
	was, err := req.Position.Marshal()
	if err != nil {
		return fmt.Errorf("take standing orders of %s: %w", req.Game.ID, err)
	}
	req.done("standing", mail.Processed)
	waited := strings.Join(req.Filed(s), "\n")
	var input game.Input = game.FiledAhead{File: req.file(s, byGM, req.taken(s))}
	if given != nil {
		input = game.Instructed{File: req.file(s, byGM, req.taken(s)), Given: given, Once: req.doc.Reply == orders.ReplyAsk}
	}
	if err := req.Do(input); err != nil {
		return err
	}
	snapshot, err := req.Position.Marshal()
	if err != nil {
		return fmt.Errorf("take standing orders of %s: %w", req.Game.ID, err)
	}
	req.repeats = bytes.Equal(was, snapshot) && waited == strings.Join(req.Filed(s), "\n")
	note := "office.standing.note"
	if given == nil {
		note = "office.ahead.writes"
	}
	unread, err := req.passNote(s, byGM, note)
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
	files, _ := req.form().Ahead(s)
	w := game.Verdict{Kind: log.KindStanding, Draft: req.doc.Draft, File: text, Ahead: files, Unread: unread}
	if !req.doc.Instructs() {
		w.Kind = log.KindAhead
	}
	w.Print = printOfVerdict(fmt.Sprint(w.Kind, req.doc.Draft), 0, text+files, nil)
	if !byGM {
		tell, brief, from := req.tellOf(s, w.Print, w.Draft)
		if !tell {
			return nil
		}
		w.Brief = brief
		return errors.Join(req.conclude(s, w, ""), req.tellWhenDue(s, from))
	}
	if err := req.Do(game.TemplateAsked{Side: s.Side}); err != nil {
		return err
	}
	n := report.NoticeOf(req.letters, s, w, req.letters.Owed(s, true))
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
