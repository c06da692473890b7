package adjudicator

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/log"
	"berthier/adjudicator/outbox"
	"berthier/adjudicator/report"
	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/mail"
	"berthier/orders/phrase"
	"berthier/templates"
)

// untouched tells whether a change that failed with an error had not begun.
func untouched(err error) bool {
	var unproven *intake.UnprovenError
	return errors.Is(err, intake.ErrNotTheirs) || errors.Is(err, intake.ErrAskDomain) || errors.As(err, &unproven)
}

// unproven answers a letter that is not proven: to the address that the game
// knows, and without a word about the game.
func (it *arrival) unproven(ctx context.Context, games []string, code string) (mail.Folder, error) {
	p, err := it.someone(games)
	if err != nil {
		return mail.Leave, err
	}
	return tellUnproven(ctx, it, p, code)
}

// tellUnproven tells somebody, at the address that is known of him, that a letter in his name is not proven.
func tellUnproven(ctx context.Context, it *arrival, p log.Person, code string) (mail.Folder, error) {
	return it.answerUnknown(ctx, p, "not proven: "+code, "notice", mail.Rejected, it.office.strangeWeight(), func(w report.Outside) templates.Letter {
		return w.Short(phrase.Say("office.wrong-key.subject"),
			phrase.Say("office.unproven."+code), phrase.Say("office.unproven.not-you"))
	})
}

// repeated tells whether what proves the letter was taken in before under
// another letter: the same signed words, or the same proven Message-ID.
func (it *arrival) repeated(tx store.Reader) bool {
	return slices.ContainsFunc(it.Once, func(mark string) bool {
		_, taken := tx.MarkedID(mark)
		return taken
	})
}

// changeKey does what a player's new-key says.
func (req *request) changeKey(s *game.Seat) error {
	if !req.mayAnswer() { // a key that nobody is told of would lock him out
		req.done("new-key, too much", mail.Rejected)
		return nil
	}
	re := req.intake.reference()
	return req.Do(game.KeyChanged{Side: s.Side, By: "player", Line: "office.new-key.what", Re: &re})
}

// changeKey does what the game master's new-key says: for a side, or his own.
func (c *gmCommand) changeKey() error {
	if c.side != "" {
		return c.Do(game.KeyChanged{Side: c.side, By: log.ByGM, Line: "office.new-key.by-gm"})
	}
	re := c.intake.reference()
	own := game.KeyChanged{Side: engine.GM, By: log.ByGM, Line: "office.new-key.what", Re: &re}
	if p := c.who.Master; p != nil {
		own.Master = p.Address
		return c.Do(own)
	}
	if c.reader != nil { // whoever asked for the key, only its holder may have it
		own.Line, own.Re = "office.new-key.by-administrator", nil
	}
	if err := c.Do(own); err != nil || c.reader == nil {
		return err
	}
	return c.sendGM(c.letters.Master().Short(phrase.Say("office.show.subject"), phrase.Say("office.gm.done", phrase.Name("command", phrase.KindCommand, c.doc.Command))))
}

// registerKey takes a player's public key from the game master, or his own.
func (c *gmCommand) registerKey() error {
	key := c.form().PublicKey(c.r)
	if key == "" && len(c.r.Problems) == 0 {
		c.r.Refuse(c.value("command"), "", phrase.Say("office.gm.no-public-key"))
	}
	if len(c.r.Problems) > 0 {
		return nil
	}
	fingerprint, err := mail.CheckPublicKey(key, c.Now)
	if err != nil {
		return err
	}
	about := c.side
	if c.Game.Seat(about) == nil {
		about = engine.GM
	}
	return c.Do(game.KeyRegistered{Side: about, PGP: key, Fingerprint: fingerprint})
}

// hideKeys removes from the letters of a change every key that does not belong to their
// reader, and from their subjects all keys: a player may have written his own
// where others read it.
func (tr *transaction) hideKeys() {
	type holder struct{ key, address string }
	holders := []holder{{tr.office.keys.GM(tr.Game), tr.Game.GM.Address}}
	for _, p := range tr.Game.Also {
		holders = append(holders, holder{tr.office.keys.Master(tr.Game, p), p.Address})
	}
	for _, s := range tr.Game.Seats {
		holders = append(holders, holder{tr.office.keys.Seat(tr.Game, s), s.Person.Address})
	}
	for _, r := range tr.outgoing {
		if r.Letter == nil {
			continue
		}
		letter := *r.Letter
		for _, h := range holders {
			letter.Subject = intake.HideKey(letter.Subject, h.key)
			if h.address == r.Address {
				continue
			}
			hideInside(&letter, h.key)
		}
		r.Letter = &letter
	}
}

// hideInside removes a key from all of a letter except its subject.
func hideInside(letter *templates.Letter, key string) {
	letter.Text, letter.HTML = intake.HideKey(letter.Text, key), intake.HideKey(letter.HTML, key)
	for i, f := range letter.Files {
		if !strings.HasPrefix(f.Type, "application/zip") {
			if text := string(f.Data); intake.KeyAt(text, key, 0) >= 0 {
				letter.Files = append([]templates.File(nil), letter.Files...)
				letter.Files[i].Data = []byte(intake.HideKey(text, key))
			}
		}
	}
}

// hideKeysHere removes the keys of all games in which the writer takes part, even his own,
// from an answer to a letter that opened none of them: where the answer shows what
// was sent, there may be a key that belongs to somebody else.
func (it *arrival) hideKeysHere(letter *templates.Letter) error {
	return it.office.read(func(tx store.Reader) error {
		for _, id := range tx.GamesOf(it.From, mostGames) {
			g, err := game.Read(tx.Game(id))
			if err != nil {
				return fmt.Errorf("read game %s: %w", id, err)
			}
			keys := []string{it.office.keys.GM(g)}
			for _, p := range g.Also {
				keys = append(keys, it.office.keys.Master(g, p))
			}
			for _, s := range g.Seats {
				keys = append(keys, it.office.keys.Seat(g, s))
			}
			for _, key := range keys {
				letter.Subject = intake.HideKey(letter.Subject, key)
				hideInside(letter, key)
			}
		}
		return nil
	})
}

// mostStrangers is how many strangers get an answer on one day: their addresses
// may be forged, and the owners must not get masses of letters from the office.
const mostStrangers = 50

// strangersName is where the store keeps who they were.
const strangersName = "strangers"

// stranger takes in a letter from an address that takes part in no game. If the
// office answers strangers at all, somebody who wrote something like an order file is
// told, once a day, that the address is not known here; nothing else. This limit
// is enough: forged addresses must not use up the answers for players.
func (it *arrival) stranger(ctx context.Context) (mail.Folder, error) {
	if !it.office.opt.AnswerStrangers || !it.LooksLikeOrders() {
		return it.drop(ctx, "stranger", mail.Rejected)
	}
	w := it.office.letters.Outside(log.Person{Address: it.From}, it.Now)
	return club{it.office}.onceToday(ctx, it, "stranger", mail.Rejected, w.Short(phrase.Say("office.stranger.subject"), phrase.Say("office.stranger.what")))
}

// onceToday takes in a letter that has no consequences from an address of which nothing is
// known, and answers it if no such letter from there was answered today.
func (c club) onceToday(ctx context.Context, it *arrival, what string, folder mail.Folder, letter templates.Letter) (mail.Folder, error) {
	r := &outbox.Outgoing{Kind: "notice", Address: it.From, Written: it.Now, Letter: &letter}
	r.Answers(it.Mail, it.office.box.Thread("", engine.Side(it.From), 0))
	var change store.Change
	if err := it.markForAWhile(&change, what, folder); err != nil {
		return mail.Leave, err
	}
	may, err := c.firstToday(&change, it.From)
	if err != nil {
		return mail.Leave, err
	}
	if !may {
		return folder, it.office.store.Commit(ctx, change)
	}
	return folder, it.office.queue(ctx, change, r)
}

// firstToday tells whether a letter may go to an address of which nothing is known: one a day,
// and so many in all. If it may, the change notes that it does.
func (c club) firstToday(change *store.Change, address string) (bool, error) {
	day := c.office.now().Format(time.DateOnly)
	sum := sha256.Sum256([]byte(address))
	mine := hex.EncodeToString(sum[:8])
	n, err := change.ValueOf(context.Background(), c.office.store, strangersName)
	if err != nil {
		return false, err
	}
	told := strings.Fields(string(n.Data))
	if len(told) == 0 || told[0] != day {
		told = []string{day}
	}
	if len(told) > mostStrangers || slices.Contains(told, mine) {
		return false, nil
	}
	n.Data = []byte(strings.Join(append(told, mine), " "))
	change.PutValue(strangersName, n)
	return true, nil
}
