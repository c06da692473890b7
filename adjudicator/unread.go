package adjudicator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/log"
	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/mail"
	"berthier/mail/mailbox"
	"berthier/orders/phrase"
)

// Letters of players that could not be read when they came, and were rejected. They are
// kept as they came, so that a game master can file one of them again.

// Bounds of what is kept for one address. Somebody who forges an address must not fill the
// disk; the letter itself is in the mailbox in any case.
const (
	mostUnread    = 8
	longestUnread = 256 << 10 // bytes
)

// unreadName is the name under which a letter is kept: each replaces the oldest.
func unreadName(address string, number int) string {
	return "unread " + address + " " + strconv.Itoa(number%mostUnread)
}

// unreadable takes in a letter whose bytes can't be parsed. If it says that it comes
// from a player it is kept, so that the game master can file it again; nobody is answered.
func (o *Office) unreadable(ctx context.Context, letter *mail.Letter) (mail.Folder, error) {
	it := arrived(o, intake.Letter{Mail: letter, Now: o.now(), From: mailbox.Clean(letter.From.Addr), Unread: true})
	if it.From == "" || letter.Automatic != "" || letter.Bounce != nil {
		return mail.Rejected, nil
	}
	if known, folder, err := it.known(); err != nil || known {
		return folder, err
	}
	games, err := it.somewhere()
	if err != nil {
		return mail.Leave, err
	}
	if len(games) == 0 {
		return mail.Rejected, nil
	}
	folder, err := it.drop(ctx, "unreadable", mail.Rejected)
	if errors.Is(err, store.ErrTaken) {
		return mail.Rejected, nil
	}
	return folder, err
}

// keepUnread adds to a change that the letter is kept as it came. Only those of players
// are kept.
func (it *arrival) keepUnread(c *store.Change) error {
	return it.office.read(func(tx store.Reader) error { return it.keepUnreadIn(tx, c) })
}

func (it *arrival) keepUnreadIn(tx store.Reader, c *store.Change) error {
	raw := it.Mail.Source()
	games := tx.GamesOf(it.From, mostGames)
	if len(raw) == 0 || len(raw) > longestUnread || len(games) == 0 {
		return nil
	}
	u := intake.Kept{At: it.Now, Subject: phrase.Clip(it.Mail.Subject, 200), Digest: log.HexOf(it.Mail.Digest), Raw: raw,
		Owed: map[string]int{}, Seats: map[string]int{}}
	plays := false
	for _, id := range games {
		g, err := game.Read(tx.Game(id))
		if err != nil {
			return fmt.Errorf("keep letter: game %s: %w", id, err)
		}
		for _, s := range g.Seats {
			if !s.Has(it.From) {
				continue
			}
			plays = true
			u.Seats[seatName(id, s.Side)] = s.Epoch
			if s.Owes != nil {
				u.Owed[seatName(id, s.Side)] = s.Owes.Stop
			}
		}
	}
	if !plays {
		return nil
	}
	all, err := readUnread(tx, it.From)
	if err != nil {
		return err
	}
	for _, other := range all {
		u.Number = max(u.Number, other.Number)
	}
	u.Number++
	data, err := json.Marshal(u)
	if err != nil {
		return fmt.Errorf("keep letter: %w", err)
	}
	n := c.ValueIn(tx, unreadName(it.From, u.Number))
	n.Data = data
	c.PutValue(unreadName(it.From, u.Number), n)
	return nil
}

func seatName(game string, side engine.Side) string { return game + " " + string(side) }

// readUnread gives the letters that are kept of an address, the oldest first.
func readUnread(tx store.Reader, address string) ([]intake.Kept, error) {
	var all []intake.Kept
	for slot := range mostUnread {
		data := tx.Value(unreadName(address, slot))
		if len(data) == 0 {
			continue
		}
		var u intake.Kept
		if err := json.Unmarshal(data, &u); err != nil {
			return nil, fmt.Errorf("read the letters kept of %s: %w", address, err)
		}
		all = append(all, u)
	}
	slices.SortFunc(all, func(a, b intake.Kept) int { return a.Number - b.Number })
	return all, nil
}

// unread gives the letters that are kept of an address, the oldest first.
func (k kept) unread(address string) (all []intake.Kept, err error) {
	err = k.office.read(func(tx store.Reader) error {
		all, err = readUnread(tx, address)
		return err
	})
	return all, err
}

// unreadOf lists the letters of a seat's player that could not be read and were not filed
// again. Letters from before he had the seat belong to another game, or to another player.
func (tr *transaction) unreadOf(s *game.Seat) (all []intake.Kept, err error) {
	if all, err = tr.kept.unread(s.Person.Address); err != nil {
		return nil, err
	}
	filed, err := tr.past.Refiled()
	return slices.DeleteFunc(all, func(u intake.Kept) bool {
		epoch, his := u.Seats[seatName(tr.Game.ID, s.Side)]
		return filed[u.Digest] || !his || epoch != s.Epoch
	}), err
}
