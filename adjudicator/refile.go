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

// letterDigest is what a letter is known by: as [mail.Letter] has it.
func letterDigest(raw []byte) [sha256.Size]byte { return sha256.Sum256(raw) }

// refile files a letter of a player's again: letter: with its number and, where two have
// one of that number, side:. Without a number it lists those that are kept.
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
func (d *desk) refileKept(side engine.Side, number int) (templates.Notice, error) {
	var found *intake.Kept
	var of *game.Seat
	for _, s := range d.Game.Seats {
		if side != "" && s.Side != side {
			continue
		}
		all, err := d.unreadOf(s)
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
	return d.fileAgain(of, raw, log.Refiled{Came: found.At, Stop: found.Owed[seatName(d.Game.ID, of.Side)], Number: number})
}

// fileAgain judges a letter as its player's order file, now and as it came. The notice
// tells the game master what came of it.
func (d *desk) fileAgain(s *game.Seat, raw []byte, about log.Refiled) (templates.Notice, error) {
	letter, readErr := mail.Read(raw, d.office.Own())
	digest := log.HexOf(letter.Digest)
	if n, err := d.past.EntryOf(digest); err != nil || n != 0 {
		return templates.Notice{}, cmp.Or(err, game.Refuse("office.refile.already", phrase.Number("entry", int(n))))
	}
	if from := mailbox.Clean(letter.From.Addr); from != s.Person.Address {
		return templates.Notice{}, game.Refuse("office.refile.another", game.SideName(s.Side))
	}
	if about.Came.IsZero() {
		about.Came = letter.Date
	}
	if about.Came.IsZero() { // its date can't be read
		about.Came = d.Now
	}
	doc, problems := readAgain(letter, readErr, raw)
	if doc.Command != "" && doc.Command != "answer" {
		return templates.Notice{}, game.Refuse("office.refile.command", phrase.Keywords("command", []string{doc.Command}))
	}
	if named := intake.FoldGame(doc.Game); named != "" && named != d.Game.ID {
		return templates.Notice{}, game.Refuse("office.wrong-game", phrase.Literal("game", doc.Game), phrase.Literal("is", d.Game.ID))
	}
	if doc.Draft {
		return templates.Notice{}, game.Refuse("office.refile.draft")
	}
	if err := d.Do(game.FiledAgain{Side: s.Side, About: about, Letter: digest}); err != nil {
		return templates.Notice{}, err
	}
	d.also.Blobs = append(d.also.Blobs, store.Blob{Digest: letterDigest(raw), Data: raw})
	d.carry()
	mark, entries := len(d.rows), len(d.Entries)
	req := &request{desk: d, intake: &arrival{office: d.office, Letter: intake.Letter{Mail: letter, Now: d.Now, From: d.Game.GM.Address}}, doc: doc, problems: problems,
		who: intake.Who{Gm: true}, refiled: &about}
	if err := req.answer(s, true); err != nil {
		return templates.Notice{}, err
	}
	d.carry()
	// The notice says it all: a second letter to the game master would say it twice.
	rows := slices.DeleteFunc(slices.Clone(d.rows[mark:]), func(r *outbox.Outgoing) bool {
		return r.Seat == engine.GM && (r.Kind == "refused" || r.Kind == "accepted")
	})
	d.rows = append(d.rows[:mark], rows...)
	return d.letters.Master().Refiled(s, report.Filed{Text: req.doc.Source, Faults: req.faults, Came: about.Came, Entry: d.Entries[entries].Seq}), nil
}

// readAgain reads the order file of a letter, with what speaks against it. What can't be
// read is the letter's text, or the letter whole.
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
	return orders.Parse(file.Text, nil)
}

// listUnread lists the letters of players that could not be read.
func (d *desk) listUnread() (list []report.Unread, err error) {
	for _, s := range d.Game.Seats {
		all, err := d.unreadOf(s)
		if err != nil {
			return nil, err
		}
		for _, u := range all {
			subject := u.Subject
			if len(u.Seats) > 1 && !strings.Contains(intake.FoldGame(subject), d.Game.ID) {
				subject = "" // it may be about a game of another master's
			}
			list = append(list, report.Unread{Side: s.Side, Number: u.Number, At: u.At, Bytes: len(u.Raw), Subject: subject})
		}
	}
	return list, nil
}

// unreadNotice tells the game master of the letters of players that could not be read.
func (d *desk) unreadNotice() (templates.Notice, error) {
	all, err := d.listUnread()
	return d.letters.Master().Unread(all), err
}

// countUnread counts the letters of players that could not be read.
func (d *desk) countUnread() int {
	all, err := d.listUnread()
	if err != nil {
		d.office.log.Error("letters that could not be read not counted", "game", d.Game.ID, "error", err)
	}
	return len(all)
}

// Unread lists the letters of a game's players that could not be read, as text for its
// game master.
func (c *Clerk) Unread(id string) (string, error) {
	text, _, err := c.lookNotice(id, (*desk).unreadNotice)
	return text, err
}

// Refile files a letter of a player's again that could not be read when it came: one that
// the office has kept, by its number, or, if raw is not nil, one that is given as it came.
// It gives what came of it as text for the game master. The error is a [RefusedError] if
// there is no such letter, or if it is in the log already.
func (c *Clerk) Refile(ctx context.Context, id string, side engine.Side, number int, raw []byte) (string, error) {
	text := ""
	err := c.act(ctx, id, func(d *desk) error {
		if side != "" && d.Game.Seat(side) == nil {
			return game.Refuse("office.gm.no-side", phrase.Literal("side", string(side)))
		}
		var n templates.Notice
		var err error
		if raw != nil {
			if side == "" {
				return game.Refuse("office.gm.which-side")
			}
			n, err = d.fileAgain(d.Game.Seat(side), raw, log.Refiled{})
		} else {
			n, err = d.refileKept(side, number)
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

// sayGave tells a player that orders of his side are not from a letter of his that was
// taken when it came: usually that the game master gave them, by the code given.
func (d *desk) sayGave(s *game.Seat, refiled *log.Refiled, code string) phrase.Phrase {
	if refiled != nil {
		return phrase.Say("office.refile.yours", phrase.Within("came", d.letters.Moment(s.Person, refiled.Came)))
	}
	return phrase.Say(code)
}
