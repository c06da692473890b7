package adjudicator

import (
	"context"
	"strings"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/log"
	"berthier/adjudicator/outbox"
	"berthier/adjudicator/report"
	"berthier/adjudicator/store"
	"berthier/adjudicator/tally"
	"berthier/engine"
	"berthier/mail"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// mayAnswer tells whether one more answer may go to the address of the letter.
// Without the right key there are three an hour at most.
func (it *arrival) mayAnswer(kind string, weight int) bool {
	ok := it.bill.Answer(kind+it.From, it.Now, weight)
	if !ok {
		it.office.log.Warn("too many letters from one address, no answer", "msg_id", it.Mail.MessageID)
	}
	return ok
}

// strangeWeight is how much an answer to a letter without the right key counts: a
// third of what an hour allows, or all of it if that is less.
func (o *Office) strangeWeight() int {
	return max(o.opt.AnswersPerHour*tally.AnswerWeight/3, tally.AnswerWeight)
}

// someone is the person with the letter's address, whose language is used for an
// answer that must not say anything about a game.
func (it *arrival) someone(games []string) (log.Person, error) {
	if p := it.office.mayMake(it.From); p != nil {
		return *p, nil
	}
	p := log.Person{Address: it.From}
	if m := it.office.member(it.From); m != nil {
		p = *m
	}
	if len(games) == 0 {
		return p, nil
	}
	err := it.office.read(func(tx store.Reader) error {
		g, err := game.Read(tx.Game(games[0]))
		if err != nil {
			return err
		}
		if g.GM.Address == it.From {
			p = g.GM
		}
		for _, s := range g.Seats {
			if s.Person.Address == it.From {
				p = s.Person
			}
		}
		return nil
	})
	return p, err
}

// answerUnknown takes a letter in and answers it without a word about a game.
func (it *arrival) answerUnknown(ctx context.Context, p log.Person, what, kind string, folder mail.Folder, weight int, write func(w report.Outside) templates.Letter) (mail.Folder, error) {
	it.office.log.Info("letter taken in", "what", what, "msg_id", it.Mail.MessageID)
	var c store.Change
	if err := it.mark(&c, "", what, folder); err != nil {
		return mail.Leave, err
	}
	var told []*outbox.Outgoing
	if strings.HasPrefix(what, wrongKeyWhat) {
		var err error
		if told, err = it.guessed(); err != nil {
			return mail.Leave, err
		}
	}
	kept := tally.Keyless
	if weight == tally.GMWeight {
		kept = ""
	}
	may := it.mayAnswer(kept, weight)
	if may && kept != "" {
		if may, _ = it.bill.Spend(kept+it.From, it.Now, max(weight/2, 1)); !may {
			it.office.log.Warn("exchange ended: letters that change nothing", "msg_id", it.Mail.MessageID)
		}
	}
	if !may {
		return folder, it.office.queue(ctx, c, told...)
	}
	letter := write(it.office.letters.Outside(p, it.Now))
	if kept != "" {
		if err := it.hideKeysHere(&letter); err != nil {
			return mail.Leave, err
		}
	}
	r := &outbox.Outgoing{Kind: kind, Name: p.Name, Address: p.Address, Written: it.Now, Letter: &letter}
	r.Answers(it.Mail, it.office.box.Thread("", engine.Side(p.Address), 0))
	return folder, it.office.queue(ctx, c, append(told, r)...)
}

// refuseUnknown tells someone whose address is known what is wrong with the form of
// his letter: with what he owes, if the letter leads to his seat.
//
// What is what is noted about the letter. An error leaves the letter where it is.
func (it *arrival) refuseUnknown(ctx context.Context, games []string, doc *orders.Document, what, source string, problems orders.Problems) (mail.Folder, error) {
	if done, err := it.byLead(ctx, doc, source, problems); done || err != nil {
		return mail.Rejected, err
	}
	if err := it.elsewhere(ctx, doc); err != nil {
		return mail.Leave, err
	}
	p, err := it.someone(games)
	if err != nil {
		return mail.Leave, err
	}
	refused := report.Faults(&orders.Document{Source: intake.HideKeyLines(source)}, problems)
	if doc == nil {
		if refused.Remarks, err = it.office.whichWait(it.From); err != nil {
			return mail.Leave, err
		}
	}
	return it.answerUnknown(ctx, p, what, "refused", mail.Rejected, it.office.strangeWeight(), func(w report.Outside) templates.Letter {
		return w.Refused(refused)
	})
}

// wrongKeyWhat is what is noted about a letter with a wrong key.
const wrongKeyWhat = "wrong key"

func (it *arrival) wrongKey(ctx context.Context, games []string, doc *orders.Document) (mail.Folder, error) {
	if doc.Key == "" {
		missing := orders.Problems{{Why: phrase.Say("office.key-missing"), Remedy: phrase.Say("office.key-missing-do")}}
		if done, err := it.byLead(ctx, doc, doc.Source, missing); done || err != nil {
			return mail.Rejected, err
		}
	}
	if err := it.elsewhere(ctx, doc); err != nil {
		return mail.Leave, err
	}
	p, err := it.someone(games)
	if err != nil {
		return mail.Leave, err
	}
	return it.answerUnknown(ctx, p, wrongKeyWhat, "notice", mail.Rejected, it.office.strangeWeight(), func(w report.Outside) templates.Letter {
		return w.Short(phrase.Say("office.wrong-key.subject"),
			phrase.Say("office.wrong-key.what"), phrase.Say("office.wrong-key.do"))
	})
}

func (it *arrival) help(ctx context.Context, games []string) (mail.Folder, error) {
	p, err := it.someone(games)
	if err != nil {
		return mail.Leave, err
	}
	return it.answerUnknown(ctx, p, "command: help", "notice", mail.Processed, it.office.strangeWeight(), func(w report.Outside) templates.Letter {
		return w.Help(playerCommands)
	})
}
