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
var playerCommands = []string{"status", "report", "help", "rules", "history", "resend", "press", "vacation", "new-key", "resign", "dispute", "luck"}

// command does what a player's command letter says.
func (v *visit) command(s *game.Seat) error {
	v.problems = append(v.problems, v.form().Sided(s)...)
	if !slices.Contains(playerCommands, v.doc.Command) {
		p := v.fault("command", phrase.Say("office.not-your-command", phrase.Literal("command", v.doc.Command)))
		p.Remedy = phrase.Say("office.your-commands", phrase.Keywords("commands", playerCommands))
		v.problems = append(v.problems, p)
	}
	if len(v.problems) > 0 {
		v.problems.Sort()
		return v.refuse(s, false, v.problems)
	}
	v.done("command: "+v.doc.Command, mail.Processed)
	if v.doc.Command == "press" {
		return v.press(s)
	}
	if v.doc.Command == "resend" {
		return v.resend(s)
	}
	if v.doc.Command == "resign" {
		return v.resign(s)
	}
	if v.doc.Command == "dispute" {
		return v.dispute(s)
	}
	if v.doc.Command == "luck" {
		return v.luckWord(s)
	}
	if v.doc.Command == "vacation" {
		return v.vacation(s)
	}
	if v.doc.Command == "new-key" {
		return v.changeKey(s)
	}
	if v.doc.Command == "history" {
		return v.recall(s)
	}
	if !v.mayAnswer() {
		return nil
	}
	to := v.intake.Mail
	switch v.doc.Command {
	case "status":
		if err := v.Do(game.TemplateAsked{Side: s.Side}); err != nil {
			return err
		}
		v.post(s, "notice", to, v.office.words.Notice(v.letters.Status(s)))
	case "report":
		happened, err := v.letters.ToldAgain(s)
		if err != nil {
			return err
		}
		if err := v.Do(game.TemplateAsked{Side: s.Side}); err != nil {
			return err
		}
		v.post(s, "report", to, v.letters.Report(s, happened))
	case "help":
		v.post(s, "notice", to, v.office.words.Notice(report.Help(v.letters.Heading(s), v.letters.Owed(s, false), playerCommands)))
	case "rules":
		n, err := v.letters.Clauses(v.letters.Heading(s), v.form().Clauses(), intake.MostClauses)
		if err != nil {
			return err
		}
		v.post(s, "notice", to, v.office.words.Notice(n))
	}
	return nil
}

// resign takes a player out of a game: from now on the defaults play for him,
// until the game master finds another.
func (v *visit) resign(s *game.Seat) error {
	err := v.Do(game.Resigned{Side: s.Side, Letter: v.intake.reference()})
	var refused *game.RefusedError
	if errors.As(err, &refused) {
		return v.refuse(s, false, orders.Problems{v.fault("command", refused.Why)})
	}
	return err
}
