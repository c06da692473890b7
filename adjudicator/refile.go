package adjudicator

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"slices"
	"strings"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/log"
	"berthier/adjudicator/outbox"
	"berthier/adjudicator/report"
	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/mail"
	"berthier/mail/mailbox"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// letterDigest identifies a letter, as [mail.Letter] does.
func letterDigest(raw []byte) [sha256.Size]byte { return sha256.Sum256(raw) }

// refile files a player's letter again: letter: with its number and, if two letters have
// that number, side:. Without a number it lists the letters that are kept.
func (c *gmCommand) refile() error {
	r := orders.NewReader(game.Vocabulary)
	n := c.value("letter")
	if n == nil {
		notice, err := c.unreadNotice()
		if err != nil {
			return err
		}
		return c.sendGM(notice)
	}
	number, ok := r.Int(n, 1, 1<<30)
	if !ok {
		return c.refuseGM(r.Problems)
	}
	notice, err := c.refileKept(c.side, number)
	var refused *game.RefusedError
	if errors.As(err, &refused) {
		return c.refuseGM(orders.Problems{c.fault("letter", refused.Why)})
	}
	if err != nil {
		return err
	}
	return c.sendGM(notice)
}

// refileKept files a letter again that the office has kept.
func (tr *transaction) refileKept(side engine.Side, number int) (templates.Notice, error) {
	var found *intake.Kept
	var of *game.Seat
	for _, s := range tr.Game.Seats {
		if side != "" && s.Side != side {
			continue
		}
		all, err := tr.unreadOf(s)
		if err != nil {
			return templates.Notice{}, err
		}
		for i := range all {
			if all[i].Number != number {
				continue
			}
			if of != nil {
				return templates.Notice{}, game.Refuse("office.refile.which-side", phrase.Number("letter", number))
			}
			found, of = &all[i], s
		}
	}
	if found == nil {
		return templates.Notice{}, game.Refuse("office.refile.no-such", phrase.Number("letter", number))
	}
	raw := found.Letter()
	if raw == nil {
		return templates.Notice{}, game.Refuse("office.refile.damaged", phrase.Number("letter", number))
	}
	return tr.fileAgain(of, raw, log.Refiled{Came: found.At, Stop: found.Owed[seatName(tr.Game.ID, of.Side)], Number: number})
}

// fileAgain judges a letter as its player's order file, now and as it came. The notice
// tells the game master what came of it.
func (tr *transaction) fileAgain(s *game.Seat, raw []byte, about log.Refiled) (templates.Notice, error) {
	letter, readErr := mail.Read(raw, tr.office.Own())
	digest := log.HexOf(letter.Digest)
	if n, err := tr.past.EntryOf(digest); err != nil || n != 0 {
		return templates.Notice{}, cmp.Or(err, game.Refuse("office.refile.already", phrase.Number("entry", int(n))))
	}
	if from := mailbox.Clean(letter.From.Addr); from != s.Person.Address {
		return templates.Notice{}, game.Refuse("office.refile.another", game.SideName(s.Side))
	}
	if about.Came.IsZero() {
		about.Came = letter.Date
	}
	if about.Came.IsZero() { // its date can't be read
		about.Came = tr.Now
	}
	doc, problems := readAgain(letter, readErr, raw)
	if doc.Command != "" && doc.Command != "answer" {
		return templates.Notice{}, game.Refuse("office.refile.command", phrase.Keywords("command", []string{doc.Command}))
	}
	if named := intake.FoldGame(doc.Game); named != "" && named != tr.Game.ID {
		return templates.Notice{}, game.Refuse("office.wrong-game", phrase.Literal("game", doc.Game), phrase.Literal("is", tr.Game.ID))
	}
	if doc.Draft {
		return templates.Notice{}, game.Refuse("office.refile.draft")
	}
	if err := tr.Do(game.FiledAgain{Side: s.Side, About: about, Letter: digest}); err != nil {
		return templates.Notice{}, err
	}
	tr.also.Blobs = append(tr.also.Blobs, store.Blob{Digest: letterDigest(raw), Data: raw})
	tr.carry()
	mark, entries := len(tr.outgoing), len(tr.Entries)
	req := &request{transaction: tr, intake: arrived(tr.office, intake.Letter{Mail: letter, Now: tr.Now, From: tr.Game.GM.Address}), doc: doc, problems: problems,
		who: intake.Who{Gm: true}, refiled: &about}
	if err := req.answer(s, true); err != nil {
		return templates.Notice{}, err
	}
	tr.carry()
	// The notice says it all: a second letter to the game master would say it twice.
	outgoing := slices.DeleteFunc(slices.Clone(tr.outgoing[mark:]), func(r *outbox.Outgoing) bool {
		return r.Seat == engine.GM && (r.Kind == "refused" || r.Kind == "accepted")
	})
	tr.outgoing = append(tr.outgoing[:mark], outgoing...)
	return tr.letters.Master().Refiled(s, report.Filed{Text: req.doc.Source, Faults: req.faults, Came: about.Came, Entry: tr.Entries[entries].Seq}), nil
}

// readAgain reads the order file of a letter, with what speaks against it. If it can't be
// read it gives the letter's text, or the whole letter.
func readAgain(letter *mail.Letter, readErr error, raw []byte) (*orders.Document, orders.Problems) {
	if readErr != nil {
		doc, _ := orders.Parse("", nil)
		doc.Source = strings.ToValidUTF8(string(raw), "\ufffd")
		return doc, orders.Problems{{Why: phrase.Say("office.refile.unreadable", phrase.Literal("error", phrase.Clip(readErr.Error(), 200)))}}
	}
	file, problems := orders.Find(intake.PartsOf(letter.Parts))
	if len(problems) > 0 {
		doc, _ := orders.Parse("", nil)
		doc.Source = intake.TextOf(letter)
		for _, left := range letter.LeftOut {
			problems = append(problems, orders.Problem{Why: phrase.Say("office.left-out", phrase.Literal("name", left.Name)),
				Remedy: phrase.Say("office.left-out-" + left.Reason)})
		}
		return doc, problems
	}
	return file.Parse(nil)
}

// listUnread lists the letters of players that could not be read.
func (tr *transaction) listUnread() (list []report.Unread, err error) {
	for _, s := range tr.Game.Seats {
		all, err := tr.unreadOf(s)
		if err != nil {
			return nil, err
		}
		for _, u := range all {
			subject := u.Subject
			if len(u.Seats) > 1 && !strings.Contains(intake.FoldGame(subject), tr.Game.ID) {
				subject = "" // it may be about a game of another master's
			}
			list = append(list, report.Unread{Side: s.Side, Number: u.Number, At: u.At, Bytes: len(u.Raw), Subject: subject})
		}
	}
	return list, nil
}

// unreadNotice tells the game master of the letters of players that could not be read.
func (tr *transaction) unreadNotice() (templates.Notice, error) {
	all, err := tr.listUnread()
	return tr.letters.Master().Unread(all), err
}

// countUnread counts the letters of players that could not be read.
func (tr *transaction) countUnread() int {
	all, err := tr.listUnread()
	if err != nil {
		tr.office.log.Error("letters that could not be read not counted", "game", tr.Game.ID, "error", err)
	}
	return len(all)
}

// Unread lists the letters of a game's players that could not be read, as text for its
// game master.
func (c *Clerk) Unread(id string) (string, error) {
	text, _, err := c.lookNotice(id, (*transaction).unreadNotice)
	return text, err
}

// Refile files a letter of a player's again that could not be read when it came: one that
// the office has kept, by its number, or, if raw is not nil, one that is given as it came.
// It gives what came of it as text for the game master. The error is a [RefusedError] if
// there is no such letter, or if it is in the log already.
func (c *Clerk) Refile(ctx context.Context, id string, side engine.Side, number int, raw []byte) (string, error) {
	text := ""
	err := c.act(ctx, id, func(tr *transaction) error {
		if side != "" && tr.Game.Seat(side) == nil {
			return game.Refuse("office.gm.no-side", phrase.Literal("side", string(side)))
		}
		var n templates.Notice
		var err error
		if raw != nil {
			if side == "" {
				return game.Refuse("office.gm.which-side")
			}
			n, err = tr.fileAgain(tr.Game.Seat(side), raw, log.Refiled{})
		} else {
			n, err = tr.refileKept(side, number)
		}
		if err != nil {
			return err
		}
		n.Heading.Reader.Language = templates.Languages[0]
		text = c.office.words.Notice(n).Text
		return nil
	})
	return text, err
}

// sayGave tells a player that orders of his side do not come from a letter of his that was
// taken when it came: usually that the game master gave them, by the code given.
func (tr *transaction) sayGave(s *game.Seat, refiled *log.Refiled, code string) phrase.Phrase {
	if refiled != nil {
		return phrase.Say("office.refile.yours", phrase.Within("came", tr.letters.Moment(s.Person, refiled.Came)))
	}
	return phrase.Say(code)
}
