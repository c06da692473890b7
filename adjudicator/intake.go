package adjudicator

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/store"
	"berthier/mail"
	"berthier/mail/mailbox"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// A note is what the store keeps of a letter taken in.
type note struct {
	Folder mail.Folder `json:"folder"`
	At     time.Time   `json:"at"`
	Game   string      `json:"game,omitempty"`
	What   string      `json:"what"` // for the operator: taken, refused, command, stranger, automatic, ...
}

// Handle takes in a letter as the mailbox has it. The folder that it returns is
// where the letter belongs after that; with an error the letter stays and will
// be offered again.
func (o *Office) Handle(ctx context.Context, in mail.Incoming) (mail.Folder, error) {
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
	it := &arrival{office: o, letter: letter, now: o.now(), from: mailbox.Clean(letter.From.Addr)}
	known, _, err := it.known()
	if err != nil || known {
		return mail.Rejected, err
	}
	if waits, err := it.waitsForGame(); err != nil || waits {
		return mail.Leave, errors.Join(errNoGames, err)
	}
	games, err := it.somewhere()
	if err != nil {
		return mail.Leave, err
	}
	if len(games) == 0 && o.mayMake(it.from) == nil {
		return it.drop(ctx, "stranger, too long", mail.Rejected)
	}
	p, err := it.someone(games)
	if err != nil {
		return mail.Leave, err
	}
	size := phrase.Say("office.too-long.what", phrase.Number("size", int(in.Size>>20)), phrase.Number("most", mail.MaxLetter>>20))
	if done, err := it.byLead(ctx, nil, "", orders.Problems{{Why: size}}); done || err != nil {
		if errors.Is(err, store.ErrTaken) {
			return mail.Rejected, nil
		}
		return mail.Rejected, err
	}
	folder, err := it.answerUnknown(ctx, p, "too long", "notice", mail.Rejected, o.strangeWeight(), func(h templates.Heading) templates.Letter {
		return o.words.Notice(templates.Notice{Heading: h, Subject: phrase.Say("office.too-long.subject"), Lines: []phrase.Phrase{
			size,
		}})
	})
	if errors.Is(err, store.ErrTaken) {
		return mail.Rejected, nil
	}
	return folder, err
}

// somewhere gives a game that the letter's address takes part in, if any.
func (it *arrival) somewhere() (games []string, err error) {
	err = it.office.read(func(tx store.Reader) error {
		games = tx.GamesOf(it.from, 1)
		return nil
	})
	return games, err
}

// Own tells what the office's own letters look like.
func (o *Office) Own() mail.Own {
	return mail.Own{Addresses: []string{o.opt.From.Addr}, Domain: o.opt.Domain, TrustedServers: o.opt.TrustedServers, FindingsBelow: o.opt.FindingsBelow}
}

// Take takes a letter in: all that follows from it is on the disk when it
// returns, and a letter that was taken in before changes nothing. It says which
// folder the letter belongs into: Processed if it did what its writer wanted,
// Rejected if not.
func (o *Office) Take(ctx context.Context, letter *mail.Letter) (folder mail.Folder, err error) {
	var it *arrival
	defer func() {
		if fault := recover(); fault != nil {
			// A letter that makes us fall must not make us fall again.
			o.log.Error("letter caused a panic, rejected", "fault", faultText(fault), "stack", string(debug.Stack()))
			folder, it.unread = mail.Rejected, true
			var c store.Change
			if err = it.mark(&c, "", "panic", folder); err == nil {
				err = o.store.Commit(ctx, c)
			}
			if errors.Is(err, store.ErrTaken) {
				err = nil
			}
		}
	}()
	err = again(ctx, func() (err error) {
		it = &arrival{office: o, letter: letter, now: o.now(), from: mailbox.Clean(letter.From.Addr)}
		var known bool
		if known, folder, err = it.known(); err != nil || known {
			return err
		}
		if folder, err = it.take(ctx); errors.Is(err, store.ErrTaken) {
			_, folder, err = it.known()
		} else if err != nil {
			folder, err = mail.Leave, fmt.Errorf("take letter in: %w", err)
		}
		return err
	})
	return folder, err
}

// mostRaces is how often something is read and judged again because somebody else had
// written in between.
const mostRaces = 8

// again does something anew as long as somebody else was faster.
func again(ctx context.Context, f func() error) error {
	for n := 0; ; n++ {
		err := f()
		if n == mostRaces || ctx.Err() != nil || !errors.Is(err, store.ErrOutOfStep) {
			return err
		}
	}
}

// An arrival is one letter on its way in.
type arrival struct {
	office *Office
	letter *mail.Letter
	now    time.Time
	from   string // folded address

	asked   bool        // whether its domain is proven
	domain  error       // nil: it is
	made    time.Time   // when its signature was made, if it was checked
	covered []mail.Part // what the signature covers
	once    []string    // by what the same proof is known under another letter
	unread  bool        // nothing in it could be read: it is kept
}

// written is when the letter was written: by its signature, else by its Date.
func (it *arrival) written() time.Time {
	if !it.made.IsZero() {
		return it.made
	}
	return it.letter.Date
}

// content is what makes a letter the same, whatever way it came.
func (it *arrival) content() [32]byte {
	h := sha256.New()
	add := func(text string) { fmt.Fprintf(h, "%d\n%s", len(text), text) }
	add(it.from)
	add(it.letter.Subject)
	add(it.letter.Date.UTC().Format(time.RFC3339))
	for _, p := range it.letter.Parts {
		add(p.Type)
		add(p.Text)
	}
	return [32]byte(h.Sum(nil))
}

// known tells whether the letter was taken in before: the same bytes, or the
// same content under the same Message-ID, as when it came by two ways.
func (it *arrival) known() (known bool, folder mail.Folder, err error) {
	folder = mail.Leave
	err = it.office.read(func(tx store.Reader) error {
		if data, taken := tx.Marked(it.letter.Digest); taken {
			var n note
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
	if it.letter.MessageID == "" {
		return false
	}
	content, taken := tx.MarkedID(it.letter.MessageID)
	return taken && content == it.content()
}

// mark adds to a change that the letter was taken in.
func (it *arrival) mark(c *store.Change, game, what string, folder mail.Folder) error {
	data, err := json.Marshal(note{Folder: folder, At: it.now, Game: game, What: what})
	if err != nil {
		return fmt.Errorf("write intake mark: %w", err)
	}
	c.Mark = &store.Mark{Digest: it.letter.Digest, Note: data}
	for _, name := range it.once {
		c.Mark.Names = append(c.Mark.Names, store.Name{Name: name, Content: it.letter.Digest, Once: true})
	}
	if it.letter.MessageID != "" {
		c.Mark.Names = append(c.Mark.Names, store.Name{Name: it.letter.MessageID, Content: it.content()})
	}
	if it.unread {
		return it.keepUnread(c)
	}
	return nil
}

// drop takes a letter in that has no consequences.
func (it *arrival) drop(ctx context.Context, what string, folder mail.Folder) (mail.Folder, error) {
	it.office.log.Info("letter taken in", "what", what, "msg_id", it.letter.MessageID)
	var c store.Change
	if err := it.markForAWhile(&c, what, folder); err != nil {
		return mail.Leave, err
	}
	return folder, it.office.store.Commit(ctx, c)
}

func (it *arrival) take(ctx context.Context) (mail.Folder, error) {
	if b := it.letter.Bounce; b != nil {
		it.office.log.Info("letter taken in", "what", "bounce", "msg_id", it.letter.MessageID)
		var c store.Change
		if err := it.mark(&c, "", "bounce", mail.Processed); err != nil {
			return mail.Leave, err
		}
		return mail.Processed, it.office.bounced(ctx, b, c)
	}
	if it.letter.Automatic != "" {
		return it.drop(ctx, "automatic: "+it.letter.Automatic, mail.Processed)
	}
	if waits, err := it.waitsForGame(); err != nil || waits {
		return mail.Leave, errors.Join(errNoGames, err)
	}
	games, err := it.somewhere()
	if err != nil {
		return mail.Leave, err
	}
	gm := it.office.mayMake(it.from)
	if len(games) == 0 && gm == nil {
		if err := it.elsewhere(ctx, it.readFile()); err != nil {
			return mail.Leave, err
		}
		return it.stranger(ctx)
	}

	file, problems := orders.Find(partsOf(it.letter.Parts))
	found := file.Text
	if len(problems) > 0 {
		return it.refuseNoFile(ctx, games, found, problems)
	}
	doc, problems := orders.Parse(found, nil)
	if doc.Root == nil {
		it.unread = true
		return it.refuseUnknown(ctx, games, doc, "refused", doc.Source, problems)
	}
	if doc.Command == "help" && doc.Key == "" {
		return it.help(ctx, games)
	}
	if gm != nil && doc.Key != "" {
		key, err := it.office.OfficeKey(it.from)
		if err != nil {
			return mail.Leave, err
		}
		if sameKey(doc.Key, key) {
			return it.officeCommand(ctx, *gm, doc, problems)
		}
	}
	if named := foldGame(doc.Game); gameID.MatchString(named) {
		folder, err := it.atTable(ctx, games, named, doc, problems)
		if !errors.Is(err, errNotTheirs) && !errors.Is(err, ErrNoGame) {
			return folder, err
		}
	}
	game, err := it.whichGame(doc)
	if err != nil {
		return mail.Leave, err
	}
	if game != "" {
		folder, err := it.atTable(ctx, games, game, doc, problems)
		if !errors.Is(err, errNotTheirs) {
			return folder, err
		}
	}
	if len(problems) > 0 {
		return it.refuseUnknown(ctx, games, doc, wrongKeyWhat+", refused", doc.Source, problems)
	}
	return it.wrongKey(ctx, games, doc)
}

// refuseNoFile answers a letter in which no order file was found, with what of it could
// not be read.
func (it *arrival) refuseNoFile(ctx context.Context, games []string, found string, problems orders.Problems) (mail.Folder, error) {
	it.unread = true
	if len(it.letter.LeftOut) > 0 && problems[0].Why.Code == "order.empty-letter" {
		problems[0].Why = phrase.Say("order.no-file") // it is not: some of it could not be read
	}
	for i, left := range it.letter.LeftOut {
		if slices.Contains(it.letter.LeftOut[:i], left) {
			continue
		}
		problems = append(problems, orders.Problem{
			Why:    phrase.Say("office.left-out", phrase.Literal("name", left.Name)),
			Remedy: phrase.Say("office.left-out-" + left.Reason),
		})
	}
	return it.refuseUnknown(ctx, games, nil, "refused", found, problems)
}

// mostGames is among how many games of one address a game is looked for.
const mostGames = 1000

func partKind(k mail.PartKind) orders.PartKind {
	switch k {
	case mail.HTML:
		return orders.HTML
	case mail.Attachment:
		return orders.File
	}
	return orders.Plain
}

// mayMake gives the person with that address who may make games.
func (o *Office) mayMake(address string) *log.Person {
	for i := range o.opt.GMs {
		if o.opt.GMs[i].Address == address {
			return &o.opt.GMs[i]
		}
	}
	return nil
}

// whichGame finds the game that a file is for, among those of its sender, when
// the key does not fit the one that it names, or it names none: the one that
// the key opens, or, of several, that of the letter which it answers. A game for which the address is enough is not meant by a letter
// that names another one of its sender's. The empty id: there is none, or more
// than one.
func (it *arrival) whichGame(doc *orders.Document) (string, error) {
	var open []string
	keyed, another, thread := false, false, ""
	err := it.office.read(func(tx store.Reader) error {
		if answered := it.answered(tx); answered != nil {
			thread = answered.Game
		}
		for _, id := range tx.GamesOf(it.from, mostGames) {
			another = another || id == foldGame(doc.Game)
			g, err := game.Read(tx.Game(id))
			if err != nil {
				return fmt.Errorf("read game %s: %w", id, err)
			}
			if _, ok := it.office.whose(g, it.from, doc); ok {
				open = append(open, id)
				keyed = keyed || it.office.keyFits(g, doc.Key)
			}
		}
		return nil
	})
	if err == nil && len(open) > 1 && doc.Game == "" && slices.Contains(open, thread) {
		return thread, nil
	}
	if err != nil || len(open) != 1 || another && !keyed {
		return "", err
	}
	return open[0], nil
}

func foldGame(id string) string { return strings.ToLower(strings.TrimSpace(id)) }
