package adjudicator

import (
	"errors"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/log"
	"berthier/adjudicator/ruling"
	"berthier/mail"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// dispute takes down that a player disputes an event.
func (req *request) dispute(s *game.Seat) error {
	n, reason, problems := req.form().Dispute()
	var about log.Disputed
	var what game.News
	if len(problems) == 0 {
		var refused *game.RefusedError
		var err error
		about, what, err = ruling.Disputed(req.Turn, kept{req.office, req.Game.ID}, s, n, reason)
		if errors.As(err, &refused) {
			problems = orders.Problems{req.fault("event", refused.Why)}
		} else if err != nil {
			return err
		}
	}
	if len(problems) > 0 {
		return req.refuse(s, false, problems)
	}
	req.done("command: dispute", mail.Processed)
	if err := req.Do(game.Disputed{Side: s.Side, About: about, What: what.Numbered(), Letter: req.intake.reference()}); err != nil {
		return err
	}
	taken := phrase.Say("office.dispute.taken")
	if !req.SomebodyMayKnow() {
		taken = phrase.Say("office.dispute.nobody")
	}
	if req.mayAnswer() {
		req.post(s, "notice", req.intake.Mail, req.letters.Short(s, nil, phrase.Say("office.dispute.subject", phrase.Number("n", n)), taken, what.Numbered()))
	}
	return nil
}

// Disputes gives the open disputes of a game as text for its game master, with the
// positions as files.
func (c *Clerk) Disputes(id string) (text string, files []templates.File, err error) {
	return c.lookNotice(id, func(tr *transaction) (templates.Notice, error) { return tr.letters.Master().Disputes() })
}

// ShowStop gives how a stop of a game was resolved as text for its game master, with
// the positions before and after it as files.
func (c *Clerk) ShowStop(id string, stop int) (text string, files []templates.File, err error) {
	return c.lookNotice(id, func(tr *transaction) (templates.Notice, error) {
		n := tr.letters.Master().Short(phrase.Say("office.show.subject"))
		err := tr.letters.Master().AddStop(&n, stop)
		return n, err
	})
}

func (c *Clerk) lookNotice(id string, write func(*transaction) (templates.Notice, error)) (text string, files []templates.File, err error) {
	err = c.office.look(intake.FoldGame(id), func(tr *transaction) error {
		n, err := write(tr)
		if err != nil {
			return err
		}
		n.Heading.Reader.Language = templates.Languages[0]
		text, files = c.office.words.Notice(n).Text, n.Files
		return nil
	})
	return text, files, err
}
