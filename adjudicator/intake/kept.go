package intake

import (
	"crypto/sha256"
	"encoding/hex"
	"time"
)

// A Kept letter is one that could not be read when it came, as the store keeps it, so that
// a game master can file it again.
type Kept struct {
	Number  int            `json:"number"` // counting the kept letters of its address
	At      time.Time      `json:"at"`     // when it was taken in
	Subject string         `json:"subject,omitempty"`
	Digest  string         `json:"digest"`           // SHA-256 of its bytes, hex
	Owed    map[string]int `json:"owed,omitempty"`   // the stop that its writer owed then, by game, as his side counts
	Seats   map[string]int `json:"epochs,omitempty"` // the epoch of his seat then, by game: a later epoch is another player
	Raw     []byte         `json:"raw"`
}

// Letter is the kept letter; nil if its bytes have changed.
func (u *Kept) Letter() []byte {
	if sum := sha256.Sum256(u.Raw); hex.EncodeToString(sum[:]) != u.Digest {
		return nil
	}
	return u.Raw
}
