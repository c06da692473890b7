package adjudicator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"berthier/adjudicator/deflate"
	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/log"
	"berthier/adjudicator/report"
	"berthier/adjudicator/shelf"
	"berthier/adjudicator/store"
	"berthier/adjudicator/tally"
	"berthier/mail"
	"berthier/mail/mailbox"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// A mark is what the store keeps about a letter that was taken in.
type mark struct {
	Folder mail.Folder `json:"folder"`
	At     time.Time   `json:"at"`
	Game   string      `json:"game,omitempty"`
	What   string      `json:"what"` // for the operator: taken, refused, command, stranger, automatic, ...
}

// Handle takes in a letter as the mailbox has it. The folder that it returns is
// where the letter belongs after that; with an error the letter stays and will
// be offered again. Unless its game can't be taken up, a file can't be read that was put away, or what was packed together is damaged,
// the reason is the store: that is [mail.NotReady].
func (o *Office) Handle(ctx context.Context, in mail.Incoming) (mail.Folder, error) {
	folder, err := handle(ctx, o, in)
	is := func(of error) bool { return errors.Is(err, of) }
	if err != nil && !slices.ContainsFunc([]error{game.ErrUnfit, errNoGames, shelf.ErrNotNow, errMissing, deflate.ErrBundle, game.ErrPanic}, is) {
		err = &mail.NotReady{Err: err}
	}
	return folder, err
}

// handle takes in a letter as the mailbox has it, whatever the reason may be for which it can't.
func handle(ctx context.Context, o *Office, in mail.Incoming) (mail.Folder, error) {
	if err := o.store.Ready(); err != nil {
		return mail.Leave, fmt.Errorf("take letter in: %w", err)
	}
	if in.Raw == nil {
		o.log.Warn("letter too long, rejected unread", "uid", in.UID, "size", in.Size)
		return o.tooLong(ctx, in)
	}
	letter, err := mail.Read(in.Raw, o.Own())
	if err == nil {
		return o.Take(ctx, letter)
	}
	o.log.Warn("letter unreadable, rejected", "uid", in.UID, "error", err)
	var unreadable *mail.UnreadableError
	switch {
	case !errors.As(err, &unreadable):
		return mail.Rejected, nil
	case unreadable.Reason == mail.UnreadableSize:
		in.Header, in.Size = in.Raw[:min(len(in.Raw), mail.MaxHeader)], int64(len(in.Raw))
		return o.tooLong(ctx, in)
	case unreadable.Reason == mail.UnreadableDepth, unreadable.Reason == mail.UnreadableParts:
		// Its sender is known: he may be told.
		letter.LeftOut = append(letter.LeftOut, mail.LeftOut{Name: "MIME", Reason: mail.LeftBroken})
		return o.Take(ctx, letter)
	}
	return o.unreadable(ctx, letter)
}

// tooLong takes in a letter that is too long to be fetched. If its header can
// be read and comes from somebody known, he is told.
func (o *Office) tooLong(ctx context.Context, in mail.Incoming) (mail.Folder, error) {
	letter, err := mail.Read(in.Header, o.Own())
	if err != nil || letter.Automatic != "" || letter.Bounce != nil {
		return mail.Rejected, nil
	}
	it := o.arrives(letter)
	folder, err := tellTooLong(ctx, it, in.Size)
	if err != nil {
		it.bill.TakeBack()
	}
	if errors.Is(err, store.ErrTaken) {
		return mail.Rejected, nil
	}
	return folder, err
}

// tellTooLong tells the writer of a letter that it was too long.
func tellTooLong(ctx context.Context, it *arrival, bytes int64) (mail.Folder, error) {
	known, _, err := it.known()
	if err != nil || known {
		return mail.Rejected, err
	}
	if waits, err := it.WaitsForGame(); err != nil {
		return mail.Leave, err
	} else if waits {
		return mail.Leave, errNoGames
	}
	games, err := it.somewhere()
	if err != nil {
		return mail.Leave, err
	}
	if len(games) == 0 && it.office.mayMake(it.From) == nil {
		return it.drop(ctx, "stranger, too long", mail.Rejected)
	}
	p, err := it.someone(games)
	if err != nil {
		return mail.Leave, err
	}
	size := phrase.Say("office.too-long.what", phrase.Number("size", int(bytes>>20)), phrase.Number("most", mail.MaxLetter>>20))
	if done, err := it.byLead(ctx, nil, "", orders.Problems{{Why: size}}); done || err != nil {
		return mail.Rejected, err
	}
	return it.answerUnknown(ctx, p, "too long", "notice", mail.Rejected, it.office.strangeWeight(), func(w report.Outside) templates.Letter {
		return w.Short(phrase.Say("office.too-long.subject"),
			size)
	})
}

// somewhere gives a game that the letter's address takes part in, if any.
func (it *arrival) somewhere() (games []string, err error) {
	err = it.office.read(func(tx store.Reader) error {
		games = tx.GamesOf(it.From, 1)
		return nil
	})
	return games, err
}

// Own tells what the office's own letters look like.
func (o *Office) Own() mail.Own {
	return mail.Own{Addresses: append([]string{o.opt.From.Addr}, o.opt.Also...), Domain: o.opt.Domain, TrustedServers: o.opt.TrustedServers, FindingsBelow: o.opt.FindingsBelow}
}

// Take takes a letter in: all that follows from it is on the disk when it
// returns, and a letter that was taken in before changes nothing. It says which
// folder the letter belongs into: Processed if it did what its writer wanted,
// Rejected if not.
func (o *Office) Take(ctx context.Context, letter *mail.Letter) (folder mail.Folder, err error) {
	var it *arrival
	defer func() {
		if fault := recover(); fault != nil {
			// A letter that makes the program panic must not do so again.
			o.log.Error("letter caused a panic, rejected", "fault", faultText(fault), "stack", string(debug.Stack()))
			folder, it.Unread = mail.Rejected, true
			var c store.Change
			if err = it.mark(&c, "", "panic", folder); err == nil {
				err = o.store.Commit(ctx, c)
			}
			if errors.Is(err, store.ErrTaken) {
				err = nil
			}
		}
	}()
	err = store.Again(ctx, func() (err error) {
		it = o.arrives(letter)
		var known bool
		if known, folder, err = it.known(); err != nil || known {
			return err
		}
		folder, err = it.take(ctx)
		if err != nil { // it comes again, or is there already
			it.bill.TakeBack()
		}
		if errors.Is(err, store.ErrTaken) {
			_, folder, err = it.known()
		} else if err != nil {
			folder, err = mail.Leave, fmt.Errorf("take letter in: %w", err)
		}
		return err
	})
	return folder, err
}

// An arrival is one letter on its way into an office.
type arrival struct {
	office *Office
	games  []string // of which its writer is, once that was asked
	bill   *tally.Bill
	intake.Letter
}

// arrives takes a letter up.
func (o *Office) arrives(letter *mail.Letter) *arrival {
	return arrived(o, intake.Letter{Mail: letter, Now: o.now(), From: mailbox.Clean(letter.From.Addr)})
}

// arrived takes up what came as a letter, or is to be treated as one.
func arrived(o *Office, letter intake.Letter) *arrival {
	return &arrival{office: o, bill: o.counts.Bill(), Letter: letter}
}

// known tells whether the letter was taken in before: the same bytes, or the
// same content under the same Message-ID, as when it came in two ways.
func (it *arrival) known() (known bool, folder mail.Folder, err error) {
	folder = mail.Leave
	err = it.office.read(func(tx store.Reader) error {
		if data, taken := tx.Marked(it.Mail.Digest); taken {
			var n mark
			if err := json.Unmarshal(data, &n); err != nil {
				return fmt.Errorf("read intake mark: %w", err)
			}
			known, folder = true, n.Folder
			return nil
		}
		if it.sameID(tx) || it.repeated(tx) {
			known, folder = true, mail.Processed
		}
		return nil
	})
	return known, folder, err
}

func (it *arrival) sameID(tx store.Reader) bool {
	if it.Mail.MessageID == "" {
		return false
	}
	content, taken := tx.MarkedID(it.Mail.MessageID)
	return taken && content == it.Content()
}

// mark adds to a change that the letter was taken in.
func (it *arrival) mark(c *store.Change, game, what string, folder mail.Folder) error {
	data, err := json.Marshal(mark{Folder: folder, At: it.Now, Game: game, What: what})
	if err != nil {
		return fmt.Errorf("write intake mark: %w", err)
	}
	c.Mark = &store.Mark{Digest: it.Mail.Digest, Result: data}
	for _, name := range it.Once {
		c.Mark.Names = append(c.Mark.Names, store.Name{Name: name, Content: it.Mail.Digest, Once: true})
	}
	if it.Mail.MessageID != "" {
		c.Mark.Names = append(c.Mark.Names, store.Name{Name: it.Mail.MessageID, Content: it.Content()})
	}
	if it.Unread {
		return it.keepUnread(c)
	}
	return nil
}

// drop takes in a letter that has no consequences.
func (it *arrival) drop(ctx context.Context, what string, folder mail.Folder) (mail.Folder, error) {
	it.office.log.Info("letter taken in", "what", what, "msg_id", it.Mail.MessageID)
	var c store.Change
	if err := it.markForAWhile(&c, what, folder); err != nil {
		return mail.Leave, err
	}
	return folder, it.office.store.Commit(ctx, c)
}

// take does what is decided about the letter.
func (it *arrival) take(ctx context.Context) (mail.Folder, error) {
	d, err := it.Decide(writer{it})
	switch {
	case err != nil:
		return mail.Leave, err
	case d.Do == intake.Wait:
		return mail.Leave, errNoGames
	}
	switch d.Do {
	case intake.Bounce:
		it.office.log.Info("letter taken in", "what", "bounce", "msg_id", it.Mail.MessageID)
		var c store.Change
		if err := it.mark(&c, "", "bounce", mail.Processed); err != nil {
			return mail.Leave, err
		}
		return mail.Processed, it.office.box.Bounced(ctx, it.Mail.Bounce, c)
	case intake.Unsubscribe:
		return clubLetter{club{it.office}, it, nil}.unsubscribe(ctx)
	case intake.Ignore:
		return it.drop(ctx, "automatic: "+it.Mail.Automatic, mail.Processed)
	case intake.Stranger:
		if err := it.elsewhere(ctx, d.Doc); err != nil {
			return mail.Leave, err
		}
		return it.stranger(ctx)
	case intake.NoFile, intake.Unreadable:
		return it.refuseUnknown(ctx, it.games, d.Doc, "refused", d.Source, d.Problems)
	case intake.Help:
		return it.help(ctx, it.games)
	case intake.Solo:
		return it.solo(ctx, d.Doc, d.Problems)
	case intake.Join:
		return clubLetter{club{it.office}, it, d.Doc}.join(ctx, d.Problems)
	case intake.Member:
		return clubLetter{club{it.office}, it, d.Doc}.fromMember(ctx, d.Problems)
	case intake.Command:
		return it.officeCommand(ctx, *it.office.mayMake(it.From), d.Doc, d.Problems)
	}
	return it.order(ctx, d.Doc, d.Problems)
}

// order takes in an order file: in the game that it names, or else in the game that its key
// opens.
func (it *arrival) order(ctx context.Context, doc *orders.Document, problems orders.Problems) (mail.Folder, error) {
	if named := intake.FoldGame(doc.Game); intake.GameID.MatchString(named) {
		folder, err := it.forGame(ctx, it.games, named, doc, problems)
		if !errors.Is(err, intake.ErrNotTheirs) && !errors.Is(err, ErrNoGame) {
			return folder, err
		}
	}
	opened, err := it.whichGame(doc)
	if err != nil {
		return mail.Leave, err
	}
	if opened != "" {
		folder, err := it.forGame(ctx, it.games, opened, doc, problems)
		if !errors.Is(err, intake.ErrNotTheirs) {
			return folder, err
		}
	}
	if len(problems) > 0 {
		return it.refuseUnknown(ctx, it.games, doc, wrongKeyWhat+", refused", doc.Source, problems)
	}
	return it.wrongKey(ctx, it.games, doc)
}

// Plays tells whether the writer takes part in a game.
func (it *arrival) Plays() (bool, error) {
	games, err := it.somewhere()
	it.games = games
	return len(games) > 0, err
}

// Makes tells whether the writer may make games.
func (it *arrival) Makes() bool { return it.office.mayMake(it.From) != nil }

// HasKey tells whether a key is the writer's for the office.
func (it *arrival) HasKey(key string) (bool, error) {
	own, err := it.office.OfficeKey(it.From)
	return err == nil && intake.SameKey(key, own), err
}

// mostGames is how many games of one address are searched for the right one.
const mostGames = 1000

// mayMake gives the person with that address who may make games.
func (o *Office) mayMake(address string) *log.Person {
	for i := range o.opt.GMs {
		if o.opt.GMs[i].Address == address {
			return &o.opt.GMs[i]
		}
	}
	return nil
}

// whichGame finds the game that a file is for, when the key does not fit the one that it
// names, or it names none ([intake.Letter.Which]).
func (it *arrival) whichGame(doc *orders.Document) (id string, err error) {
	err = it.office.read(func(tx store.Reader) error {
		var all []*game.State
		for _, id := range tx.GamesOf(it.From, mostGames) {
			g, err := game.Read(tx.Game(id))
			if err != nil {
				return fmt.Errorf("read game %s: %w", id, err)
			}
			all = append(all, g)
		}
		thread := ""
		if reply := it.answered(tx); reply != nil {
			thread = reply.Game
		}
		id = it.Which(it.office.keys, doc, all, thread)
		return nil
	})
	return id, err
}
