package adjudicator

import (
	"context"
	"errors"

	"berthier/adjudicator/intake"
	"berthier/adjudicator/log"
	"berthier/adjudicator/report"
	"berthier/adjudicator/store"
	"berthier/adjudicator/tally"
	"berthier/mail"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// officeCommand does what a letter with the office's key says: it is not about
// a game that is there already.
func (it *arrival) officeCommand(ctx context.Context, gm log.Person, doc *orders.Document, problems orders.Problems) (mail.Folder, error) {
	refuse := func(problems orders.Problems) (mail.Folder, error) {
		problems.Sort()
		return it.answerUnknown(ctx, gm, "gm letter refused", "refused", mail.Rejected, tally.GMWeight, func(w report.Outside) templates.Letter {
			return w.Refused(report.Faults(doc, problems))
		})
	}
	if len(problems) > 0 {
		return refuse(problems)
	}
	req := &request{doc: doc}
	if named := intake.FoldGame(doc.Game); named != "" && doc.Command != "new" && intake.GameID.MatchString(named) {
		folder, err := it.asAdministrator(ctx, named, gm, doc)
		if !errors.Is(err, ErrNoGame) {
			return folder, err
		}
		return refuse(orders.Problems{req.fault("game", phrase.Say("office.gm.no-game", phrase.Literal("game", named)))})
	}
	switch doc.Command {
	case "new":
		n := req.value("setup")
		if n == nil {
			return refuse(orders.Problems{req.fault("command", phrase.Say("office.gm.no-setup"))})
		}
		setup, problems := it.office.Clerk().setReader().ReadNode(n, nil, &gm)
		if len(problems) > 0 {
			return refuse(problems)
		}
		var c store.Change
		if err := it.mark(&c, setup.Game, "gm command: new", mail.Processed); err != nil {
			return mail.Leave, err
		}
		err := it.office.Clerk().newGame(ctx, setup, it.Mail, c)
		if errors.Is(err, ErrExists) {
			return refuse(orders.Problems{req.fault("setup", phrase.Say("office.gm.exists", phrase.Literal("game", setup.Game)))})
		}
		return mail.Processed, err
	case "new-key":
		return it.newOfficeKey(ctx, gm)
	case "list", "help":
		games, err := listFor(it, doc)
		if err != nil {
			return mail.Leave, err
		}
		return it.answerUnknown(ctx, gm, "gm command: "+doc.Command, "notice", mail.Processed, tally.GMWeight, func(w report.Outside) templates.Letter {
			if doc.Command == "help" {
				return w.MasterHelp(gmCommands)
			}
			return w.List(games)
		})
	}
	p := req.fault("command", phrase.Say("office.gm.office-key", phrase.Name("command", phrase.KindCommand, doc.Command)))
	p.Remedy = phrase.Say("office.your-commands", phrase.Names("commands", phrase.KindCommand, []string{"new", "list", "new-key", "help"}))
	return refuse(orders.Problems{p})
}
