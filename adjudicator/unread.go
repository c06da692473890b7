package adjudicator

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/mail"
	"berthier/mail/mailbox"
	"berthier/orders/phrase"
)

// Letters of players that could not be read when they came, and were rejected. They are
// kept as they came, so that a game master can file one of them again.

// Bounds of what is kept of one address. Whoever forges an address must not fill the
// disk; the letter itself lies in the mailbox in any case.
const (
	mostUnread    = 8
	longestUnread = 256 << 10 // bytes
)

// An unread letter as the store keeps it.
type unread struct {
	Number  int            `json:"number"` // counting those of its address
	At      time.Time      `json:"at"`     // when it was taken in
	Subject string         `json:"subject,omitempty"`
	Digest  string         `json:"digest"`           // SHA-256 of its bytes, hex
	Owed    map[string]int `json:"owed,omitempty"`   // the stop that its writer owed then, by game, as his side counts
	Seats   map[string]int `json:"epochs,omitempty"` // the epoch of his seat then, by game: whoever has it since is another
	Raw     []byte         `json:"raw"`
}

// unreadNote is where a letter is kept: each takes the place of the oldest.
func unreadNote(address string, number int) string {
	return "unread " + address + " " + strconv.Itoa(number%mostUnread)
}

// unreadable takes in a letter whose bytes can't be taken apart. If it says that it comes
// from a player it is kept, so that the game master can file it again; nobody is answered.
func (o *Office) unreadable(ctx context.Context, letter *mail.Letter) (mail.Folder, error) {
	it := &arrival{office: o, incoming: incoming{letter: letter, now: o.now(), from: mailbox.Clean(letter.From.Addr), unread: true}}
	if it.from == "" || letter.Automatic != "" || letter.Bounce != nil {
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
	raw := it.letter.Source()
	games := tx.GamesOf(it.from, mostGames)
	if len(raw) == 0 || len(raw) > longestUnread || len(games) == 0 {
		return nil
	}
	u := unread{At: it.now, Subject: phrase.Clip(it.letter.Subject, 200), Digest: log.HexOf(it.letter.Digest), Raw: raw,
		Owed: map[string]int{}, Seats: map[string]int{}}
	plays := false
	for _, id := range games {
		g, err := game.Read(tx.Game(id))
		if err != nil {
			return fmt.Errorf("keep letter: game %s: %w", id, err)
		}
		for _, s := range g.Seats {
			if s.Person.Address != it.from {
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
	all, err := readUnread(tx, it.from)
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
	n := c.NoteIn(tx, unreadNote(it.from, u.Number))
	n.Data = data
	c.PutNote(unreadNote(it.from, u.Number), n)
	return nil
}

func seatName(game string, side engine.Side) string { return game + " " + string(side) }

// readUnread gives the letters that are kept of an address, the oldest first.
func readUnread(tx store.Reader, address string) ([]unread, error) {
	var all []unread
	for slot := range mostUnread {
		data := tx.Note(unreadNote(address, slot))
		if len(data) == 0 {
			continue
		}
		var u unread
		if err := json.Unmarshal(data, &u); err != nil {
			return nil, fmt.Errorf("read the letters kept of %s: %w", address, err)
		}
		all = append(all, u)
	}
	slices.SortFunc(all, func(a, b unread) int { return a.Number - b.Number })
	return all, nil
}

// unreadOf lists the letters of a seat's player that could not be read and were not filed
// again. Those from before he had the seat are another game's, or another man's.
func (d *desk) unreadOf(s *game.Seat) (all []unread, err error) {
	err = d.office.read(func(tx store.Reader) error {
		all, err = readUnread(tx, s.Person.Address)
		return err
	})
	if err != nil {
		return nil, err
	}
	filed := map[string]bool{}
	err = d.eachEntry(func(e chain.Entry) error {
		if read, err := log.Decode(e.Body, nil); err == nil && read.Kind == log.KindRefiled {
			filed[read.Letter] = true
		}
		return nil
	})
	return slices.DeleteFunc(all, func(u unread) bool {
		epoch, his := u.Seats[seatName(d.Game.ID, s.Side)]
		return filed[u.Digest] || !his || epoch != s.Epoch
	}), err
}

// raw is a letter of those that are kept, nil if its bytes are not what they were.
func (u *unread) raw() []byte {
	if sum := sha256.Sum256(u.Raw); hex.EncodeToString(sum[:]) != u.Digest {
		return nil
	}
	return u.Raw
}
