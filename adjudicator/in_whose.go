package adjudicator

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strconv"

	"berthier/adjudicator/game"
	"berthier/engine"
	"berthier/orders"
)

// keys makes the keys of an office's games, and its other codes, from its secret.
type keys struct{ secret [32]byte }

// newKeys are the keys that come from a secret.
func newKeys(secret [32]byte) keys { return keys{secret} }

// derive gives bytes for a purpose that nobody can work out without the secret.
func (k keys) derive(purpose string, parts ...string) []byte {
	mac := hmac.New(sha256.New, k.secret[:])
	for _, p := range append([]string{purpose}, parts...) {
		mac.Write(binary.BigEndian.AppendUint32(nil, uint32(len(p))))
		mac.Write([]byte(p))
	}
	return mac.Sum(nil)
}

// of makes the key of a seat: epoch counts its players, changed how often one
// of them has asked for another.
func (k keys) of(game, seat string, epoch, changed int) string {
	parts := []string{game, seat, strconv.Itoa(epoch)}
	if changed > 0 {
		parts = append(parts, strconv.Itoa(changed))
	}
	text := keyLetters.EncodeToString(k.derive("key", parts...)[:5])
	return text[:4] + "-" + text[4:]
}

// seat is the key of a seat of a game.
func (k keys) seat(g *game.State, s *game.Seat) string {
	return k.of(g.ID, string(s.Side), s.Epoch, s.Keys)
}

// gm is the key of a game's master.
func (k keys) gm(g *game.State) string { return k.of(g.ID, string(engine.GM), g.Epoch, g.Keys) }

// whose tells whose letter it is, of those in a game who have that address: by
// the key, or, where the address is enough, by that.
func (k keys) whose(g *game.State, address string, doc *orders.Document) (*who, bool) {
	if g.GM.Address == address && sameKey(doc.Key, k.gm(g)) {
		return &who{gm: true}, true
	}
	var only *game.Seat
	seats := 0
	for _, s := range g.Seats {
		if s.Person.Address != address {
			continue
		}
		if sameKey(doc.Key, k.seat(g, s)) {
			return &who{seat: s.Side}, true
		}
		seats++
		if seats == 1 || orders.Fold(doc.Side) == orders.Fold(string(s.Side)) {
			only = s
		}
	}
	if g.ProofLevel() != game.ProofAddress || only == nil || seats > 1 && orders.Fold(doc.Side) != orders.Fold(string(only.Side)) {
		return nil, false
	}
	if doc.Key == "" && g.GM.Address == address {
		return nil, false // he may mean either
	}
	return &who{seat: only.Side}, true
}

// fits tells whether a key is one of a game's.
func (k keys) fits(g *game.State, key string) bool {
	return sameKey(key, k.gm(g)) || slices.ContainsFunc(g.Seats, func(s *game.Seat) bool { return sameKey(key, k.seat(g, s)) })
}

// A who is someone who has shown the right key.
type who struct {
	seat engine.Side
	gm   bool
}
