package intake

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"slices"
	"strconv"
	"sync"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/orders"
)

// Keys makes from a secret the keys of an office's games, and its other codes.
type Keys struct {
	macs *sync.Pool // of hash.Hash, keyed with the secret: to key one takes longer than to use it
}

// NewKeys are the keys that come from a secret.
func NewKeys(secret [32]byte) Keys {
	return Keys{&sync.Pool{New: func() any { return hmac.New(sha256.New, secret[:]) }}}
}

// Derive gives bytes for a purpose that nobody can work out without the secret.
func (k Keys) Derive(purpose string, parts ...string) []byte {
	said := withLength(make([]byte, 0, 128), purpose)
	for _, p := range parts {
		said = withLength(said, p)
	}
	mac := k.macs.Get().(hash.Hash)
	defer k.macs.Put(mac)
	mac.Reset()
	mac.Write(said)
	return mac.Sum(nil)
}

// withLength adds a text behind its length, so that two lists of texts never look the same.
func withLength(to []byte, text string) []byte {
	return append(binary.BigEndian.AppendUint32(to, uint32(len(text))), text...)
}

// Of makes the key of a seat: epoch counts the players of the seat, changed how often its
// present player has asked for another key.
func (k Keys) Of(game, seat string, epoch, changed int) string {
	parts := []string{game, seat, strconv.Itoa(epoch)}
	if changed > 0 {
		parts = append(parts, strconv.Itoa(changed))
	}
	return k.Code("key", parts...)
}

// Code makes what a person copies by hand, a key or a code that confirms, of all that it is to hold for: AB3D-E5FG.
func (k Keys) Code(purpose string, parts ...string) string {
	text := KeyLetters.EncodeToString(k.Derive(purpose, parts...)[:5])
	return text[:4] + "-" + text[4:]
}

// Seat is the key of a seat of a game.
func (k Keys) Seat(g *game.State, s *game.Seat) string {
	return k.Of(g.ID, string(s.Side), s.Epoch, s.Keys)
}

// GM is the key of a game's master.
func (k Keys) GM(g *game.State) string { return k.Of(g.ID, string(engine.GM), g.Epoch, g.Keys) }

// Master is the key of one of a game's masters: of the first, or of a further one.
func (k Keys) Master(g *game.State, p log.Person) string {
	if p.Address == g.GM.Address {
		return k.GM(g)
	}
	return k.Of(g.ID, "master "+p.Address, g.KeyOf(p.Address), 0)
}

// Whose tells who wrote a letter, among those in a game who have its address: by the key
// or, where the address is enough, by that.
func (k Keys) Whose(g *game.State, address string, doc *orders.Document) (*Who, bool) {
	if g.GM.Address == address && SameKey(doc.Key, k.GM(g)) {
		return &Who{Gm: true}, true
	}
	if p := g.Master(address); p != nil && SameKey(doc.Key, k.Master(g, *p)) {
		return &Who{Gm: true, Master: p}, true
	}
	var only *game.Seat
	seats := 0
	for _, s := range g.Seats {
		if !s.Has(address) {
			continue
		}
		if SameKey(doc.Key, k.Seat(g, s)) {
			return &Who{Seat: s.Side}, true
		}
		seats++
		if seats == 1 || orders.Fold(doc.Side) == orders.Fold(string(s.Side)) {
			only = s
		}
	}
	if g.ProofLevel() != game.ProofAddress || only == nil || seats > 1 && orders.Fold(doc.Side) != orders.Fold(string(only.Side)) {
		return nil, false
	}
	if doc.Key == "" && (g.GM.Address == address || g.Master(address) != nil) {
		return nil, false // he may mean either of his seats
	}
	return &Who{Seat: only.Side}, true
}

// fits tells whether a key is one of a game's.
func (k Keys) fits(g *game.State, key string) bool {
	return SameKey(key, k.GM(g)) || slices.ContainsFunc(g.Also, func(p log.Person) bool { return SameKey(key, k.Master(g, p)) }) || slices.ContainsFunc(g.Seats, func(s *game.Seat) bool { return SameKey(key, k.Seat(g, s)) })
}

// A Who is someone who has shown the right key.
type Who struct {
	Seat   engine.Side
	Gm     bool
	Master *log.Person // if he is one of the further game masters
}
