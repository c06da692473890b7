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

	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/mail"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// errTaken: the letter was taken in before.
var errTaken = errors.New("the letter was taken in before")

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
	if err := o.store.InPlace(); err != nil {
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
	it := &intake{office: o, letter: letter, now: o.now(), from: foldAddress(letter.From.Addr)}
	known, _, err := it.known()
	if err != nil || known {
		return mail.Rejected, err
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
		if errors.Is(err, errTaken) {
			return mail.Rejected, nil
		}
		return mail.Rejected, err
	}
	folder, err := it.answerUnknown(ctx, p, "too long", "notice", mail.Rejected, o.strangeWeight(), func(h templates.Heading) templates.Letter {
		return o.words.Notice(templates.Notice{Heading: h, Subject: phrase.Say("office.too-long.subject"), Lines: []phrase.Phrase{
			size,
		}})
	})
	if errors.Is(err, errTaken) {
		return mail.Rejected, nil
	}
	return folder, err
}

// somewhere gives a game that the letter's address takes part in, if any.
func (it *intake) somewhere() (games []string, err error) {
	err = it.office.store.View(func(tx *store.Tx) error {
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
	it := &intake{office: o, letter: letter, now: o.now(), from: foldAddress(letter.From.Addr)}
	defer func() {
		if fault := recover(); fault != nil {
			// A letter that makes us fall must not make us fall again.
			o.log.Error("letter caused a panic, rejected", "fault", faultText(fault), "stack", string(debug.Stack()))
			folder, it.unread = mail.Rejected, true
			err = o.store.Apply(ctx, it.mark("", "panic", folder))
			if errors.Is(err, errTaken) {
				err = nil
			}
		}
	}()
	known, folder, err := it.known()
	if err != nil || known {
		return folder, err
	}
	folder, err = it.take(ctx)
	if errors.Is(err, errTaken) {
		_, folder, err = it.known()
		return folder, err
	}
	if err != nil {
		return mail.Leave, fmt.Errorf("take letter in: %w", err)
	}
	return folder, nil
}

// An intake is one letter on its way in.
type intake struct {
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
func (it *intake) written() time.Time {
	if !it.made.IsZero() {
		return it.made
	}
	return it.letter.Date
}

// content is what makes a letter the same, whatever way it came.
func (it *intake) content() [32]byte {
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
func (it *intake) known() (known bool, folder mail.Folder, err error) {
	folder = mail.Leave
	err = it.office.store.View(func(tx *store.Tx) error {
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

func (it *intake) sameID(tx *store.Tx) bool {
	if it.letter.MessageID == "" {
		return false
	}
	content, taken := tx.MarkedID(it.letter.MessageID)
	return taken && content == it.content()
}

// mark notes in a transaction that the letter was taken in.
func (it *intake) mark(game, what string, folder mail.Folder) func(*store.Tx) error {
	return func(tx *store.Tx) error {
		if _, taken := tx.Marked(it.letter.Digest); taken || it.sameID(tx) || it.repeated(tx) {
			return errTaken
		}
		for _, mark := range it.once {
			if err := tx.MarkID(mark, it.letter.Digest); err != nil {
				return err
			}
		}
		data, err := json.Marshal(note{Folder: folder, At: it.now, Game: game, What: what})
		if err != nil {
			return fmt.Errorf("write intake mark: %w", err)
		}
		if err := tx.Mark(it.letter.Digest, data); err != nil {
			return err
		}
		if it.unread {
			if err := it.keepUnread(tx); err != nil {
				return err
			}
		}
		if it.letter.MessageID == "" {
			return nil
		}
		return tx.MarkID(it.letter.MessageID, it.content())
	}
}

// drop takes a letter in that has no consequences.
func (it *intake) drop(ctx context.Context, what string, folder mail.Folder) (mail.Folder, error) {
	it.office.log.Info("letter taken in", "what", what, "msg_id", it.letter.MessageID)
	return folder, it.office.store.Apply(ctx, it.markForAWhile(what, folder))
}

func (it *intake) take(ctx context.Context) (mail.Folder, error) {
	if b := it.letter.Bounce; b != nil {
		it.office.log.Info("letter taken in", "what", "bounce", "msg_id", it.letter.MessageID)
		return mail.Processed, it.office.bounced(ctx, b, it.mark("", "bounce", mail.Processed))
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
func (o *Office) mayMake(address string) *Person {
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
func (it *intake) whichGame(doc *orders.Document) (string, error) {
	var open []string
	keyed, another, thread := false, false, ""
	err := it.office.store.View(func(tx *store.Tx) error {
		if answered := it.answered(tx); answered != nil {
			thread = answered.Game
		}
		for _, id := range tx.GamesOf(it.from, mostGames) {
			another = another || id == foldGame(doc.Game)
			g, err := readGame(tx.Game(id))
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

// A who is someone who has shown the right key.
type who struct {
	seat engine.Side
	gm   bool
}

// keyless counts answers to letters without the right key apart: whoever forges
// an address must not use up the answers of the one it belongs to.
const keyless = "without key: "

// mayAnswer tells whether one more answer may go to the address of the letter.
// Without the right key there are three an hour at most.
func (it *intake) mayAnswer(kind string, weight int) bool {
	ok := it.office.answers.allow(kind+it.from, it.now, weight)
	if !ok {
		it.office.log.Warn("too many letters from one address, no answer", "msg_id", it.letter.MessageID)
	}
	return ok
}

// strangeWeight is what an answer to a letter without the right key counts for: a
// third of what an hour has, or all if that is less.
func (o *Office) strangeWeight() int { return max(o.opt.AnswersPerHour*answerWeight/3, answerWeight) }

// someone is the person with the letter's address, for the language of an
// answer that must not say anything about a game.
func (it *intake) someone(games []string) (Person, error) {
	if p := it.office.mayMake(it.from); p != nil {
		return *p, nil
	}
	p := Person{Address: it.from}
	if len(games) == 0 {
		return p, nil
	}
	err := it.office.store.View(func(tx *store.Tx) error {
		g, err := readGame(tx.Game(games[0]))
		if err != nil {
			return err
		}
		if g.GM.Address == it.from {
			p = g.GM
		}
		for _, s := range g.Seats {
			if s.Person.Address == it.from {
				p = s.Person
			}
		}
		return nil
	})
	return p, err
}

// answerUnknown takes a letter in and answers it without a word about a game.
func (it *intake) answerUnknown(ctx context.Context, p Person, what, kind string, folder mail.Folder, weight int, write func(templates.Heading) templates.Letter) (mail.Folder, error) {
	it.office.log.Info("letter taken in", "what", what, "msg_id", it.letter.MessageID)
	mark := it.mark("", what, folder)
	if strings.HasPrefix(what, wrongKeyWhat) {
		rows, err := it.guessed()
		if err != nil {
			return mail.Leave, err
		}
		if len(rows) > 0 {
			if err := it.office.queue(ctx, rows, func(*store.Tx) error { return nil }); err != nil {
				return mail.Leave, err
			}
		}
	}
	kept := keyless
	if weight == gmWeight {
		kept = ""
	}
	may := it.mayAnswer(kept, weight)
	if may && kept != "" {
		if may, _ = it.office.talks.spend(kept+it.from, it.now, max(weight/2, 1)); !may {
			it.office.log.Warn("exchange ended: letters that change nothing", "msg_id", it.letter.MessageID)
		}
	}
	if !may {
		return folder, it.office.store.Apply(ctx, mark)
	}
	letter := write(templates.Heading{Reader: p.reader(), Spell: spellWith(nil), Now: it.now})
	if kept != "" {
		if err := it.hideKeysHere(&letter); err != nil {
			return mail.Leave, err
		}
	}
	r := &row{Kind: kind, Name: p.Name, Address: p.Address, Written: it.now, Letter: &letter}
	r.answers(it.letter, it.office.rootID("", engine.Side(p.Address), 0))
	packed, err := r.pack()
	if err != nil {
		return mail.Leave, err
	}
	err = it.office.store.Apply(ctx, func(tx *store.Tx) error {
		if err := mark(tx); err != nil {
			return err
		}
		return packed.queue(tx, it.now)
	})
	signal(it.office.post)
	return folder, err
}

// refuseUnknown tells someone whose address is known what is wrong with the form of
// his letter: with what he owes, if the letter leads to his seat.
//
// What is noted of the letter is told by what. An error leaves the letter where it is.
func (it *intake) refuseUnknown(ctx context.Context, games []string, doc *orders.Document, what, source string, problems orders.Problems) (mail.Folder, error) {
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
	return it.answerUnknown(ctx, p, what, "refused", mail.Rejected, it.office.strangeWeight(), func(h templates.Heading) templates.Letter {
		return it.office.words.Refused(templates.Refused{Heading: h, Source: hideKeyLines(source), Problems: problems})
	})
}

// wrongKeyWhat is what is noted of a letter with a key that does not fit.
const wrongKeyWhat = "wrong key"

func (it *intake) wrongKey(ctx context.Context, games []string, doc *orders.Document) (mail.Folder, error) {
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
	return it.answerUnknown(ctx, p, wrongKeyWhat, "notice", mail.Rejected, it.office.strangeWeight(), func(h templates.Heading) templates.Letter {
		return it.office.words.Notice(templates.Notice{Heading: h, Subject: phrase.Say("office.wrong-key.subject"), Lines: []phrase.Phrase{
			phrase.Say("office.wrong-key.what"), phrase.Say("office.wrong-key.do"),
		}})
	})
}

func (it *intake) help(ctx context.Context, games []string) (mail.Folder, error) {
	p, err := it.someone(games)
	if err != nil {
		return mail.Leave, err
	}
	return it.answerUnknown(ctx, p, "command: help", "notice", mail.Processed, it.office.strangeWeight(), func(h templates.Heading) templates.Letter {
		return it.office.words.Notice(helpNotice(h, nil))
	})
}

// atTable takes in a letter of someone who takes part in a game, if it holds
// what the game asks for.
func (it *intake) atTable(ctx context.Context, games []string, game string, doc *orders.Document, problems orders.Problems) (mail.Folder, error) {
	return it.proven(ctx, games, game, func(d *desk) (*visit, error) {
		id, ok := it.office.whose(d.game, it.from, doc)
		if !ok {
			return nil, errNotTheirs
		}
		public := d.game.signsFor(nil)
		if !id.gm {
			public = d.game.seat(id.seat).Person.PGP
		}
		doc, problems, err := it.prove(d.game, public, doc, problems)
		if err != nil {
			return nil, err
		}
		return &visit{desk: d, intake: it, doc: doc, problems: problems, who: *id}, nil
	})
}

// proven does in a game what a letter says, as the visit that is made of it once it
// is proven; a letter that is not is answered. Whoever makes the visit asks prove.
func (it *intake) proven(ctx context.Context, games []string, game string, visits func(*desk) (*visit, error)) (mail.Folder, error) {
	folder, err := it.receive(ctx, game, visits)
	if errors.Is(err, errAskDomain) { // outside, so that the game does not wait for the DNS
		it.domain, it.asked = it.letter.ProveDomain(ctx, it.office.opt.LookupTXT), true
		folder, err = it.receive(ctx, game, visits)
	}
	var unproven *unprovenError
	if errors.As(err, &unproven) {
		return it.unproven(ctx, games, unproven.code)
	}
	return folder, err
}

// receive does in a game what a letter says, as the visit that is made of it.
func (it *intake) receive(ctx context.Context, game string, visits func(*desk) (*visit, error)) (folder mail.Folder, err error) {
	what := ""
	err = it.office.change(ctx, game, func(d *desk) error {
		v, err := visits(d)
		if err != nil {
			return err
		}
		d.who = it.from
		if err := v.receive(); err != nil {
			return err
		}
		folder, what = v.folder, v.what
		return nil
	}, func(tx *store.Tx) error { return it.mark(game, what, folder)(tx) })
	if err == nil {
		it.office.log.Info("letter taken in", "what", what, "game", game, "msg_id", it.letter.MessageID)
	}
	return folder, err
}

// A visit is a letter at the table that it belongs to.
type visit struct {
	*desk
	intake   *intake
	doc      *orders.Document
	problems orders.Problems // of the envelope
	who      who
	folder   mail.Folder
	what     string
	faults   orders.Problems // for which the letter was refused
	repeats  bool            // it orders what is in force already
	refiled  *Refiled        // it is a letter that the game master filed again
}

func (v *visit) done(what string, folder mail.Folder) { v.what, v.folder = what, folder }

// receive does what the letter says.
func (v *visit) receive() error {
	if named := foldGame(v.doc.Game); named != "" && named != v.game.ID {
		v.problems = append(v.problems, v.fault("game", phrase.Say("office.wrong-game", phrase.Literal("game", v.doc.Game), phrase.Literal("is", v.game.ID))))
	}
	if v.who.gm {
		return v.fromGM()
	}
	s := v.game.seat(v.who.seat)
	if err := v.heard(s); err != nil {
		return err
	}
	if v.doc.Command != "" {
		return v.command(s)
	}
	return v.answer(s, false)
}

// fault is a problem at a key of the file.
func (v *visit) fault(key string, why phrase.Phrase) orders.Problem {
	p := orders.Problem{Why: why}
	if n := v.value(key); n != nil {
		p.Line, p.Column = n.Line, n.Column
	}
	return p
}

// value gives the value of a key of the file, nil if it has none.
func (v *visit) value(key string) *orders.Node { return v.doc.Field(key) }

// answer judges an order file for a seat, and takes it as its answer if it is
// good. The game master may answer for a seat.
func (v *visit) answer(s *seat, byGM bool) error {
	problems := v.problems
	if v.doc.Side != "" && !v.means(v.doc.Side, s.Side) {
		problems = append(problems, v.fault("side", phrase.Say("office.wrong-side", phrase.Literal("got", v.doc.Side), sideName(s.Side))))
	}
	problems = append(problems, v.checkWhatIf()...)
	if rules, ok := v.standing(); ok {
		return v.instruct(s, byGM, rules, problems)
	}
	stop, sound := v.checkStop(s)
	problems = append(problems, stop...)
	if missing := missingOrders(v.doc); sound && len(v.problems) == 0 && len(missing) > 0 {
		problems, sound = append(problems, missing...), false
	}
	var answer engine.Answer
	if sound {
		var faults orders.Problems
		answer, faults = v.rules.Read(v.view(s.Side), s.Owes.Decision, v.doc)
		problems = append(problems, faults...)
	}
	if len(problems) > 0 {
		problems.Sort()
		return v.refuse(s, byGM, problems)
	}
	return v.accept(s, byGM, answer)
}

// missingOrders refuses a file without a word about orders. It may be the head
// of one whose rest was lost on the way, and must not count as the default.
func missingOrders(doc *orders.Document) orders.Problems {
	if doc.Orders != nil || doc.Standing != nil {
		return nil
	}
	return orders.Problems{{Why: phrase.Say("office.orders-missing"), Remedy: phrase.Say("office.orders-write")}}
}

// means tells whether a text names a side, by id or name in any language.
func (v *visit) means(text string, side engine.Side) bool {
	if orders.Fold(text) == orders.Fold(string(side)) {
		return true
	}
	for _, language := range templates.Languages {
		if orders.Fold(text) == orders.Fold(v.view(side).Spell("side", string(side), language)) {
			return true
		}
	}
	return false
}

// checkStop checks that a file answers what the seat owes, and was not
// overtaken. It tells whether the orders can be judged for that stop.
func (v *visit) checkStop(s *seat) (orders.Problems, bool) {
	one := func(key string, why, remedy phrase.Phrase) orders.Problems {
		p := v.fault(key, why)
		p.Remedy = remedy
		return orders.Problems{p}
	}
	o := s.Owes
	switch {
	case v.game.Phase != running:
		return one("stop", phrase.Say("office.game-over"), phrase.Phrase{}), false
	case o == nil && v.doc.Stop > 0 && v.doc.Stop <= s.Stops:
		return one("stop", phrase.Say("office.stop-past", phrase.Number("stop", v.doc.Stop)), phrase.Say("office.nothing-owed-now")), false
	case o == nil:
		return one("stop", phrase.Say("office.nothing-owed"), phrase.Say("office.nothing-owed-now")), false
	}
	write := phrase.Say("office.write-stop", phrase.Within("stop", sayStop(o)), phrase.Number("number", o.Stop), phrase.Literal("kind", o.Decision.Kind))
	switch {
	case v.value("stop") == nil:
		return one("stop", phrase.Say("office.stop-missing"), write), true
	case v.doc.Stop == 0:
		return nil, true // not a number: told by the reader of the envelope
	case v.doc.Stop < o.Stop:
		return one("stop", phrase.Say("office.stop-past", phrase.Number("stop", v.doc.Stop)), write), false
	case v.doc.Stop > o.Stop:
		return one("stop", phrase.Say("office.stop-ahead", phrase.Number("stop", v.doc.Stop)), write), false
	case v.doc.StopName != "" && !v.meansStop(v.doc.StopName, o.Decision.Kind):
		return one("stop", phrase.Say("office.stop-name", phrase.Literal("got", v.doc.StopName)), write), true
	case v.doc.Serial > 0 && v.doc.Serial <= s.Floor, v.doc.Serial == 0 && v.sent().Before(v.game.Since):
		return one("serial", phrase.Say("office.before-rewind"), write), false
	case v.doc.Serial > s.Serial:
		return one("serial", phrase.Say("office.serial-unknown", phrase.Number("serial", v.doc.Serial)), phrase.Phrase{}), true
	}
	if o.Answer != nil && !v.doc.Draft {
		if old := v.doc.Serial; old > 0 && o.Answer.Serial > old {
			return one("serial", phrase.Say("office.older-template", phrase.Number("serial", old), phrase.Number("newer", o.Answer.Serial)), phrase.Say("office.overtaken-do")), true
		}
		same := v.doc.Serial == 0 || o.Answer.Serial == 0 || v.doc.Serial == o.Answer.Serial
		if same && v.sent().Before(o.Answer.Sent) {
			return one("", phrase.Say("office.sent-earlier"), phrase.Say("office.overtaken-do")), true
		}
	}
	return nil, true
}

func (v *visit) meansStop(text, kind string) bool {
	if orders.Fold(text) == orders.Fold(kind) {
		return true
	}
	for _, language := range templates.Languages {
		if orders.Fold(text) == orders.Fold(v.view(v.who.seat).Spell("stop", kind, language)) {
			return true
		}
	}
	return false
}

// sent is when the letter was sent, by the sender's clock, unless that clock is
// ahead of ours.
func (v *visit) sent() time.Time {
	if date := v.intake.written(); !date.IsZero() && date.Before(v.now) {
		return date.UTC()
	}
	return v.now
}

// A Taken is an order file as the log keeps it.
type Taken struct {
	SeatStop  int             `json:"seat_stop"` // number of the stop, as the side counts
	File      string          `json:"file"`      // as it was read
	MessageID string          `json:"message_id,omitempty"`
	Sent      time.Time       `json:"sent,omitzero"`
	Final     bool            `json:"final"`
	Note      string          `json:"note,omitempty"`
	Seal      string          `json:"seal,omitempty"`     // of the orders in normal form, for those who may not read the file
	Salt      string          `json:"salt,omitempty"`     // that opens it
	Problems  orders.Problems `json:"problems,omitempty"` // why it was refused
	Refiled   *Refiled        `json:"refiled,omitempty"`  // a game master filed it again
}

func (v *visit) log(kind string, s *seat, byGM bool, t Taken) error {
	e := Entry{Kind: kind, Seat: s.Side, By: "player", Letter: hexOf(v.intake.letter.Digest), Data: t}
	if byGM {
		e.By = "gm"
	}
	return v.note(e)
}

func (v *visit) taken(s *seat) Taken {
	// The log is published when the game is over; a key is nobody else's even then.
	file := hideKey(v.doc.Source, v.office.seatKey(v.game, s))
	if v.game.GM.Address == v.intake.from {
		file = hideKey(file, v.office.gmKey(v.game))
	}
	t := Taken{File: file, MessageID: v.intake.letter.MessageID, Sent: v.intake.written(), Final: v.doc.Final, Note: v.doc.Note, Refiled: v.refiled}
	if s.Owes != nil {
		t.SeatStop = s.Owes.Stop
	}
	return t
}

// refused is the letter that a file with faults is answered by: it tells orders from
// commands, of which there is nothing to count.
func refused(h templates.Heading, doc *orders.Document, problems orders.Problems) templates.Refused {
	r := templates.Refused{Heading: h, Source: doc.Source, Problems: problems}
	if doc.Root != nil && doc.Command != "answer" {
		r.Asked, r.Command = doc.Field("command") != nil, doc.Command
	}
	return r
}
