package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"slices"
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
)

// A letter may open nothing, since no file in it can be used. It is still answered with what
// its writer owes, if it leads to a seat: it shows the seat's key anywhere, or it answers a
// letter that went to the seat's address, whose Message-ID nobody else can know. The answer
// goes to the address that the game knows and to no other. Somebody who has stolen a key, and
// writes from elsewhere, learns nothing: the player is told that somebody wrote with his key.

// answered finds the letter of the office that this letter answers.
func (it *arrival) answered(tx store.Reader) *intake.Answered {
	ids := append([]string{it.Mail.InReplyTo}, it.Mail.References...)
	slices.Reverse(ids[1:])
	for _, messageID := range ids[:min(len(ids), outbox.MostReferences)] {
		id, ours := it.office.box.Number(messageID)
		if !ours {
			continue
		}
		stored, ok := tx.Outgoing(id)
		if !ok {
			continue
		}
		if r, err := outbox.Unpack(stored.Body); err == nil && r.Game != "" {
			return &intake.Answered{Game: r.Game, Seat: r.Seat, Epoch: r.Epoch, Address: r.Address}
		}
	}
	return nil
}

// leads finds the seat to which a letter leads: in the game of the letter that it
// answers, in the game that it names, or, by the key, in one of those in which its
// address takes part. If it leads to several, the game is meant that the letter answers or
// names; otherwise it leads nowhere.
func (it *arrival) leads(doc *orders.Document) (found intake.Lead, ok bool, err error) {
	err = it.office.read(func(tx store.Reader) error {
		reply := it.answered(tx)
		look := func(id string, r *intake.Answered) (intake.Lead, bool, error) {
			record := tx.Game(id)
			if record == nil {
				return intake.Lead{}, false, nil
			}
			g, err := game.Read(record)
			if err != nil {
				return intake.Lead{}, false, fmt.Errorf("read game %s: %w", id, err)
			}
			l, ok := it.Sees(it.office.keys, g, doc, r)
			return l, ok, nil
		}
		if reply != nil {
			if found, ok, err = look(reply.Game, reply); ok || err != nil {
				return err
			}
		}
		if doc != nil && intake.GameID.MatchString(intake.FoldGame(doc.Game)) {
			if found, ok, err = look(intake.FoldGame(doc.Game), nil); ok || err != nil {
				return err
			}
		}
		n := 0
		for _, id := range tx.GamesOf(it.From, mostGames) {
			l, here, err := look(id, nil)
			if err != nil {
				return err
			}
			if here && l.At {
				found, n = l, n+1
			}
		}
		if ok = n == 1; n == 0 && doc == nil {
			seats, err := waiting(tx, it.From)
			if ok = len(seats) == 1; ok {
				found = seats[0]
			}
			return err
		}
		return nil
	})
	return found, ok, err
}

// waiting lists the seats of an address in which an answer is owed, by their games. A
// letter without a file is meant for one of them, most likely; and its writer is told so at his
// own address only.
func waiting(tx store.Reader, address string) ([]intake.Lead, error) {
	var all []intake.Lead
	for _, id := range tx.GamesOf(address, mostGames) {
		g, err := game.Read(tx.Game(id))
		if err != nil {
			return nil, fmt.Errorf("read game %s: %w", id, err)
		}
		for _, s := range g.Seats {
			if s.Has(address) && s.Owes != nil && s.Owes.Answer == nil && g.Phase == game.Running {
				all = append(all, intake.Lead{Game: id, Side: s.Side, At: true, Waits: true})
			}
		}
	}
	slices.SortFunc(all, func(a, b intake.Lead) int { return strings.Compare(a.Game, b.Game) })
	return all, nil
}

// mostWaiting is how many games a letter names that wait for its reader.
const mostWaiting = 20

// whichWait is what is said to the writer of a letter without a file if several of his games wait
// for him; nil if none does.
func (o *Office) whichWait(address string) ([]phrase.Phrase, error) {
	var all []intake.Lead
	err := o.read(func(tx store.Reader) (err error) {
		all, err = waiting(tx, address)
		return err
	})
	var games []string
	for _, l := range all {
		if len(games) < mostWaiting && !slices.Contains(games, l.Game) {
			games = append(games, l.Game)
		}
	}
	if len(games) == 0 {
		return nil, err
	}
	return []phrase.Phrase{phrase.Say("office.which-wait", phrase.Literals("games", games))}, err
}

// byLead answers a letter that holds no file that can be used, if it leads to a seat.
// A letter without any file leads besides to the only game that waits for its writer.
// It tells whether it did; a writer about whom nothing is known is answered
// elsewhere.
func (it *arrival) byLead(ctx context.Context, doc *orders.Document, source string, problems orders.Problems) (done bool, err error) {
	l, ok, err := it.leads(doc)
	if !ok || err != nil || !l.At {
		return false, err
	}
	what := "no file, by the letter that it answers"
	switch {
	case l.Keyed:
		what = "no file, right key"
	case l.Waits:
		what = "no file, by the only game that waits"
	}
	err = it.office.change(ctx, l.Game, func(tr *transaction) error {
		tr.Who = it.From
		req := &request{transaction: tr, intake: it, doc: &orders.Document{Source: source}, who: intake.Who{Seat: l.Side, Gm: l.Side == engine.GM}, faults: problems}
		req.done(what, mail.Rejected)
		if err := req.misses(l, source, problems); err != nil {
			return err
		}
		return it.mark(&tr.also, l.Game, what, mail.Rejected)
	})
	if err == nil {
		it.office.log.Info("letter taken in", "what", what, "game", l.Game, "msg_id", it.Mail.MessageID)
	}
	return err == nil || errors.Is(err, store.ErrTaken), err
}

// misses tells a player or game master what his letter lacks, and what he owes.
func (req *request) misses(l intake.Lead, source string, problems orders.Problems) error {
	problems = slices.Clone(problems)
	problems.Sort()
	print := printOfVerdict("no file", 0, "", problems)
	if l.Side == engine.GM {
		if l.Keyed && req.mayAnswerGM(print) || !l.Keyed && req.intake.maySayHere() {
			req.postGM("refused", req.intake.Mail, req.letters.Master().Refused(report.Faults(&orders.Document{Source: intake.HideKeyLines(source)}, problems)))
		}
		return nil
	}
	s := req.Game.Seat(l.Side)
	if s == nil || !s.Has(req.intake.From) {
		return nil // the seat was taken from him or given away meanwhile
	}
	w := game.Verdict{Kind: log.KindRefused, Print: print, Faults: len(problems), Why: problems, File: intake.HideKeyLines(source)}
	if proven := l.Keyed && (req.Game.ProofLevel() == game.ProofKey || req.Game.ProofLevel() == game.ProofAddress); proven {
		tell, brief, from := req.tellOf(s, print, false)
		if !tell || brief { // it has no file
			return nil
		}
		return errors.Join(req.conclude(s, w, ""), req.tellWhenDue(s, from))
	}
	if !req.intake.maySayHere() {
		return nil
	}
	// Nothing is proven: the game stays as it is, to the serial number of the order file.
	r, err := req.letters.Refusal(s, w, req.letters.Owed(s, true))
	if err != nil {
		return err
	}
	req.post(s, "refused", req.intake.Mail, req.office.words.Refused(r))
	return nil
}

// maySayHere tells whether one more answer may go to the address of a letter without
// the right key.
func (it *arrival) maySayHere() bool {
	weight := it.office.strangeWeight()
	if !it.mayAnswer(tally.Keyless, weight) {
		return false
	}
	may, _ := it.bill.Spend(tally.Keyless+it.From, it.Now, max(weight/2, 1))
	return may
}

// elsewhere tells a player, at the address that the game knows, that a letter with
// his key came from another address, and what he owes. The writer is not answered here,
// and his address is not told: it may be another player's.
func (it *arrival) elsewhere(ctx context.Context, doc *orders.Document) error {
	l, ok, err := it.leads(doc)
	if !ok || err != nil || l.At || !l.Keyed {
		return err
	}
	kind, weight := "elsewhere: "+l.Game+" "+string(l.Side), it.office.strangeWeight()
	if !it.bill.Answer(kind, it.Now, weight) {
		return nil
	}
	if may, _ := it.bill.Spend(kind, it.Now, max(weight/2, 1)); !may {
		return nil
	}
	// The letter itself is marked by what else is done about it; the player is told of the
	// same letter only once.
	mark := "elsewhere " + log.HexOf(it.Mail.Digest)
	err = it.office.change(ctx, l.Game, func(tr *transaction) error {
		if err := tr.Do(game.KeyElsewhere{Side: l.Side}); err != nil {
			return err
		}
		tr.also.Mark = &store.Mark{Names: []store.Name{{Name: mark, Content: it.Mail.Digest, Once: true}}}
		return nil
	})
	if errors.Is(err, store.ErrTaken) {
		return nil
	}
	if err == nil {
		it.office.log.Warn("right key from another address, its player is told", "game", l.Game, "seat", string(l.Side), "msg_id", it.Mail.MessageID)
	}
	return err
}
