package adjudicator

import (
	"errors"
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/report"
	"berthier/mail"
	"berthier/orders"
	"berthier/orders/phrase"
)

// playerCommands are those that a player may give.
var playerCommands = []string{"status", "report", "help", "rules", "policies", "history", "resend", "press", "vacation", "overnight", "bot", "new-key", "resign", "dispute", "luck", "rematch"}

// command does what a player's command letter says. What can't be sent again, since it was put away and is lost, is refused.
func (req *request) command(s *game.Seat) error {
	err := obey(req, s)
	var refused *game.RefusedError
	if errors.Is(err, errMissing) && errors.As(err, &refused) {
		p := req.fault("command", refused.Why)
		p.Remedy = phrase.Say("office.away.put-back")
		return req.refuse(s, false, orders.Problems{p})
	}
	return err
}

// obey does what a player's command letter says, if it can be done.
func obey(req *request, s *game.Seat) error {
	req.problems = append(req.problems, req.form().Sided(s)...)
	if !slices.Contains(playerCommands, req.doc.Command) {
		p := req.fault("command", phrase.Say("office.not-your-command", phrase.Name("command", phrase.KindCommand, req.doc.Command)))
		p.Remedy = phrase.Say("office.your-commands", phrase.Names("commands", phrase.KindCommand, playerCommands))
		req.problems = append(req.problems, p)
	}
	if len(req.problems) > 0 {
		req.problems.Sort()
		return req.refuse(s, false, req.problems)
	}
	wished, wishes, problems := req.form().Wishes(s)
	if len(problems) > 0 {
		return req.refuse(s, false, problems)
	}
	req.done("command: "+req.doc.Command, mail.Processed)
	if wishes {
		if err := req.Do(wished); err != nil {
			return err
		}
	}
	switch req.doc.Command {
	case "press":
		return req.press(s)
	case "resend":
		return req.resend(s)
	case "resign":
		return req.resign(s)
	case "rematch":
		return wishRematch(req, s)
	case "dispute":
		return req.dispute(s)
	case "luck":
		return req.luckWord(s)
	case "vacation":
		return req.vacation(s)
	case "overnight":
		return overnight(req, s)
	case "bot":
		return req.lend(s)
	case "new-key":
		return req.changeKey(s)
	case "history":
		return recall(req, s)
	}
	if !req.mayAnswer() {
		return nil
	}
	to := req.intake.Mail
	switch req.doc.Command {
	case "status":
		if err := req.Do(game.TemplateAsked{Side: s.Side}); err != nil {
			return err
		}
		req.post(s, "notice", to, req.office.words.Notice(req.letters.Status(s)))
	case "report":
		return wholeReport(req, s)
	case "help":
		req.post(s, "notice", to, req.office.words.Notice(report.Help(req.letters.Heading(s), req.letters.Owed(s, false), playerCommands)))
	case "rules":
		n, err := req.letters.Clauses(req.letters.Heading(s), req.form().Clauses(), intake.MostClauses)
		if err != nil {
			return err
		}
		req.post(s, "notice", to, req.office.words.Notice(n))
	case "policies":
		n, err := req.letters.Policies(s)
		if err != nil {
			return err
		}
		req.post(s, "notice", to, req.office.words.Notice(n))
	}
	return nil
}

// wholeReport sends a player all of his report again, and keeps how he wants the next ones.
func wholeReport(req *request, s *game.Seat) error {
	happened, err := req.letters.ToldAgain(s)
	if err != nil {
		return err
	}
	if err := req.Do(game.TemplateAsked{Side: s.Side}); err != nil {
		return err
	}
	req.post(s, "report", req.intake.Mail, req.letters.Report(s, happened))
	return nil
}

// resign takes a player out of a game: from now on the defaults play for him,
// until the game master finds another.
func (req *request) resign(s *game.Seat) error {
	err := req.Do(game.Resigned{Side: s.Side, Letter: req.intake.reference()})
	var refused *game.RefusedError
	if errors.As(err, &refused) {
		return req.refuse(s, false, orders.Problems{req.fault("command", refused.Why)})
	}
	return err
}
