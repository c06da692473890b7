package log

import (
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// An export of a game that is over is signed by the office that made it (Ed25519), so that another office that knows its key
// can tell that the game was played there. The last hash stands for the whole log, the seeds for its dice.

// ErrSignature: an export is not signed, or its signature does not fit it.
var ErrSignature = errors.New("the export is not signed by an office, or was changed since")

// signedText is what an office signs.
func (x *Export) signedText() []byte {
	last := ExportedEntry{}
	if n := len(x.Entries); n > 0 {
		last = x.Entries[n-1]
	}
	return fmt.Appendf(nil, "berthier export\n%s\n%s\n%s\n%d\n%s\n%s\n", x.Game, x.System, x.State, last.N, last.Hash, strings.Join(x.Seeds, " "))
}

// Sign signs an export with the key of the office.
func (x *Export) Sign(key ed25519.PrivateKey) {
	x.Office = hex.EncodeToString(key.Public().(ed25519.PublicKey))
	x.Signature = hex.EncodeToString(ed25519.Sign(key, x.signedText()))
}

// SignedBy gives the key of the office that has signed an export, in hex; the error is [ErrSignature].
func (x *Export) SignedBy() (office string, err error) {
	key, err := hex.DecodeString(x.Office)
	if err != nil || len(key) != ed25519.PublicKeySize {
		return "", ErrSignature
	}
	signature, err := hex.DecodeString(x.Signature)
	if err != nil || !ed25519.Verify(key, x.signedText(), signature) {
		return "", ErrSignature
	}
	return hex.EncodeToString(key), nil
}
