// Package outbox sends the office's letters: it keeps letters that wait and their threads,
// sends them, repeatedly if necessary, takes in what comes back, and sends reports once more.
//
// It knows no game. What a game must know about one of its letters is a value, a [News],
// which the office hands on; with it comes what the outbox writes, so that both are
// committed together or not at all.
package outbox

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"encoding/base32"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"berthier/adjudicator/cache"
	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/mail"
	"berthier/templates"
)

// Options of a [Box]. None has a default.
type Options struct {
	From mail.Address
	// Address is that to which answers to the letters of a game go; "": letters of no game.
	Address func(game string) string
	Domain  string // right side of Message-IDs
	// Derive makes a secret for a purpose, of which nobody can guess another.
	Derive func(purpose string, parts ...string) []byte
	Foot   func(*templates.Foot) string // what a header of a letter says of the log
	Now    func() time.Time
	Log    *slog.Logger
	Guard  func(f func() error) error // turns a panic in f into an error
	Draw   func(*engine.Scene, []string) ([]byte, error)

	// Lane gives the lane of the letters to an address, if several members of the office send: each has lanes
	// of its own. nil: this process sends all letters.
	Lane func(address string) uint64

	Senders int           // letters sent side by side
	Retry   time.Duration // after the first failed try to send a letter, doubling up to an hour
	GiveUp  time.Duration // how long to try to send a letter
}

// Games take in what the outbox has to tell games.
type Games interface {
	// Hear takes in what a game must know. The change in the news is written together with
	// what the game writes about it.
	Hear(ctx context.Context, n News) error
	// May tells whether a letter may still leave: its reader may have lost the right to it
	// while it waited.
	May(l *Outgoing) (bool, error)
}

// News is what a game must know of a letter of its own: [Lost], [Waits], [Left] or [Due].
type News interface{ news() }

// Lost says that a letter will never arrive. If that is not believed, since anybody can have
// written the letter that says so, no clock stands still because of it.
type Lost struct {
	Letter   *Outgoing
	Believed bool
	With     store.Change
}

// Waits says that a report has been unable to leave for long.
type Waits struct {
	Letter *Outgoing
	With   store.Change
}

// Left says that a report about which [Waits] was told, or may have been, has left after all.
type Left struct {
	Letter *Outgoing
	With   store.Change
}

// Due says that it is time for a letter which its game has yet to write.
type Due struct {
	Letter *Outgoing
	With   store.Change
}

func (Lost) news()  {}
func (Waits) news() {}
func (Left) news()  {}
func (Due) news()   {}

// A Box is the outbox of an office. It may be used by many goroutines.
type Box struct {
	store store.Store
	games Games
	opt   Options
	ids   cipher.Block // hides the numbers of letters in Message-IDs

	grounds  *cache.Cache[[32]byte, []engine.Mark]
	pictures *cache.Cache[[32]byte, []byte] // drawn last
	fresh    fresh                          // queued last
	unnoted  sync.Map                       // uint64 → *Outgoing: sent, but not noted as sent, since the store failed
	delays   delays
	heldMu   sync.Mutex
	held     []uint64    // letters whose claims could not be given up
	unclear  bool        // a claim failed: letters may be claimed that nobody has
	full     atomic.Bool // the last round took as many letters as a round takes
}

// New makes the outbox of a store.
func New(st store.Store, games Games, opt Options) (*Box, error) {
	ids, err := aes.NewCipher(opt.Derive("rows"))
	if err != nil {
		return nil, fmt.Errorf("open outbox: %w", err)
	}
	return &Box{store: st, games: games, opt: opt, ids: ids,
		grounds: cache.New[[32]byte, []engine.Mark](16), pictures: cache.New[[32]byte, []byte](32)}, nil
}

var idLetters = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// Thread is the Message-ID of a letter that was never sent, to which all letters of a
// game to one player answer: mail programs then show them as one thread.
func (b *Box) Thread(game string, seat engine.Side, epoch int) string {
	return b.ID("game", "thread", game, string(seat), fmt.Sprint(epoch))
}

// ID is in the form of a Message-ID: always the same for the same purpose and parts.
func (b *Box) ID(prefix, purpose string, parts ...string) string {
	return prefix + "." + idLetters.EncodeToString(b.opt.Derive(purpose, parts...)[:10]) + "@" + b.opt.Domain
}

// MessageID is the Message-ID of a letter. It is the letter's number in cipher: numbers
// in clear would tell a player how many letters others got in between.
func (b *Box) MessageID(id uint64) string {
	var plain, hidden [16]byte
	binary.BigEndian.PutUint64(plain[8:], id)
	b.ids.Encrypt(hidden[:], plain[:])
	return "letter." + idLetters.EncodeToString(hidden[:]) + "@" + b.opt.Domain
}

// Number finds the number of a letter from its Message-ID, which nobody can make
// without having got the letter.
func (b *Box) Number(messageID string) (uint64, bool) {
	text, ok := strings.CutPrefix(messageID, "letter.")
	if !ok {
		return 0, false
	}
	if text, ok = strings.CutSuffix(text, "@"+b.opt.Domain); !ok {
		return 0, false
	}
	hidden, err := idLetters.DecodeString(text)
	if err != nil || len(hidden) != 16 {
		return 0, false
	}
	var plain [16]byte
	b.ids.Decrypt(plain[:], hidden)
	if binary.BigEndian.Uint64(plain[:8]) != 0 {
		return 0, false
	}
	return binary.BigEndian.Uint64(plain[8:]), true
}

// read lets f read the store as of one moment, even when the context has ended: what is
// half done is finished.
func (b *Box) read(ctx context.Context, f func(store.Reader) error) error {
	return b.store.Read(context.WithoutCancel(ctx), f)
}

// Enqueue adds letters to a change, in their order, with what they share.
func (b *Box) Enqueue(ctx context.Context, c *store.Change, now time.Time, letters ...*Outgoing) error {
	if len(letters) == 0 {
		return nil
	}
	ids, err := b.number(ctx, letters)
	if err != nil {
		return err
	}
	for i, r := range letters {
		id := ids[i]
		body, shared, err := r.Pack()
		if err != nil {
			return err
		}
		out := store.Outgoing{ID: id, Due: b.atOnce(now), Body: body}
		later := r.Due.After(now)
		if later {
			out.Due = r.Due
		}
		if r.stopped {
			out.Due = time.Time{}
		}
		if r.Slot != "" || r.List != "" {
			if err := b.read(ctx, func(tx store.Reader) error { return r.valueIn(c, tx, id, later) }); err != nil {
				return err
			}
		}
		c.Blobs, c.Outgoing = append(c.Blobs, shared...), append(c.Outgoing, out)
		if !later && !r.stopped {
			b.fresh.add(id, r, body, now)
		}
	}
	return nil
}

// number gives numbers for letters, in their order. If several members send, the number of a letter also
// tells its lane.
func (b *Box) number(ctx context.Context, letters []*Outgoing) (ids []uint64, err error) {
	n := len(letters)
	if b.opt.Lane != nil {
		n = (n + 1) * store.Lanes
	}
	first, err := b.store.Reserve(ctx, n)
	if err != nil {
		return nil, fmt.Errorf("number letters: %w", err)
	}
	next := (first + store.Lanes - 1) / store.Lanes * store.Lanes // the first number of lane 0
	for i, r := range letters {
		id := first + uint64(i)
		if b.opt.Lane != nil {
			id = next + uint64(i)*store.Lanes + b.opt.Lane(r.Address)
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// clocksDiffer is by how much the clocks of members who send may differ.
const clocksDiffer = time.Minute

// atOnce is when a letter is due that is to be sent at once: if several members send, it must be so by the clock of
// each, or a later letter to the same person would go out before it.
func (b *Box) atOnce(now time.Time) time.Time {
	if b.opt.Lane == nil {
		return now
	}
	return now.Add(-clocksDiffer)
}

// valueIn adds to a change where a letter with this number is kept, for those who look for
// it. The letter that waited in its slot before is not sent any more.
func (r *Outgoing) valueIn(c *store.Change, tx store.Reader, id uint64, later bool) error {
	if r.Slot != "" {
		if err := withdraw(c, tx, r.Slot); err != nil {
			return err
		}
	}
	if r.Slot != "" && later {
		n := c.ValueIn(tx, r.Slot)
		n.Data = binary.BigEndian.AppendUint64(nil, id)
		c.PutValue(r.Slot, n)
	}
	if r.List == "" {
		return nil
	}
	n := c.ValueIn(tx, r.List)
	refs, err := readRefs(n.Data)
	if err != nil {
		return err
	}
	ref := r.Ref
	ref.Number = id
	if n.Data, err = json.Marshal(append(refs, ref)); err != nil {
		return fmt.Errorf("note report: %w", err)
	}
	c.PutValue(r.List, n)
	return nil
}

// withdraw takes the letter in a slot out of the outbox, if it still waits there and
// was never tried.
func withdraw(c *store.Change, tx store.Reader, slot string) error {
	n := c.ValueIn(tx, slot)
	if len(n.Data) != 8 {
		return nil
	}
	out, ok := c.OutgoingIn(tx, binary.BigEndian.Uint64(n.Data))
	if !ok || out.Due.IsZero() {
		return nil
	}
	r, err := Unpack(out.Body)
	if err != nil || r.Tries > 0 {
		return err
	}
	r.State, r.Letter, r.Grounds = StateLater, nil, nil
	r.empty()
	if out.Body, _, err = r.Pack(); err != nil {
		return err
	}
	out.Due = time.Time{}
	c.PutOutgoing(out)
	return nil
}
