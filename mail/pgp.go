package mail

import (
	"bytes"
	"crypto"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/ProtonMail/go-crypto/openpgp/clearsign"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
)

// MaxPublicKey is how long a public key may be, armoured, in bytes.
const MaxPublicKey = 32 << 10

// Bounds of what signatures may cost.
const (
	maxSignature   = 16 << 10
	mostSigned     = 3 // signed pieces of a letter that are looked at
	clearSignBegin = "-----BEGIN PGP SIGNED MESSAGE-----"
)

// A signed is a piece of a letter that has an OpenPGP signature.
type signed struct {
	content   []byte
	signature []byte
	parts     []Part // what was read of it
}

// A Proof is what a good signature proves.
type Proof struct {
	Parts []Part    // the texts that the signature covers, and no others
	Made  time.Time // when it was made, by the signer's clock
	Mark  [32]byte  // of what was signed: the same words under another letter have the same mark
}

// Errors of [Letter.ProveSignature].
var (
	ErrUnsigned     = errors.New("the letter has no OpenPGP signature")
	ErrBadSignature = errors.New("the letter's OpenPGP signature is not good")
)

// refusedHashes are hashes that were broken: a signature made with one proves nothing.
var refusedHashes = map[crypto.Hash]bool{crypto.MD5: true, crypto.SHA1: true, crypto.RIPEMD160: true}

// CheckPublicKey tells whether a text is one OpenPGP public key, armoured, with
// which letters can be signed. It gives the key's fingerprint in hex.
func CheckPublicKey(armoured string, now time.Time) (fingerprint string, err error) {
	ring, err := publicKey(armoured)
	if err != nil {
		return "", err
	}
	if _, ok := ring[0].SigningKey(now); !ok {
		return "", errors.New("read public key: nothing can be signed with it now")
	}
	return fmt.Sprintf("%X", ring[0].PrimaryKey.Fingerprint), nil
}

func publicKey(armoured string) (ring openpgp.EntityList, err error) {
	if len(armoured) > MaxPublicKey {
		return nil, errors.New("read public key: it is too long")
	}
	block, err := armor.Decode(strings.NewReader(strings.TrimSpace(armoured) + "\n"))
	if err != nil {
		return nil, fmt.Errorf("read public key: %w", err)
	}
	if block.Type != openpgp.PublicKeyType {
		return nil, errors.New("read public key: it is none")
	}
	data, err := io.ReadAll(io.LimitReader(block.Body, MaxPublicKey))
	if err != nil {
		return nil, fmt.Errorf("read public key: %w", err)
	}
	defer func() { // the library reads what strangers send
		if fault := recover(); fault != nil {
			ring, err = nil, fmt.Errorf("read public key: %v", fault)
		}
	}()
	ring, err = openpgp.ReadKeyRing(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("read public key: %w", err)
	}
	if len(ring) != 1 {
		return nil, fmt.Errorf("read public key: there are %d of them", len(ring))
	}
	return ring, nil
}

// ProveSignature verifies the letter's OpenPGP signature, of a part (OpenPGP/MIME, RFC
// 3156) or within the text, with an armoured public key. If a letter has several signed
// pieces, the first with a good signature counts.
func (l *Letter) ProveSignature(key string, now time.Time) (*Proof, error) {
	if len(l.signed) == 0 {
		return nil, ErrUnsigned
	}
	ring, err := publicKey(key)
	if err != nil {
		return nil, err
	}
	for _, s := range l.signed {
		if made, ok := s.verify(ring, now); ok {
			return &Proof{Parts: s.parts, Made: made, Mark: sha256.Sum256(append([]byte("signed\n"), s.content...))}, nil
		}
	}
	return nil, ErrBadSignature
}

func (s signed) verify(ring openpgp.EntityList, now time.Time) (made time.Time, ok bool) {
	defer func() { // the library reads what strangers send
		if recover() != nil {
			ok = false
		}
	}()
	if !onlySignatures(s.signature) {
		return time.Time{}, false
	}
	sig, signer, err := openpgp.VerifyDetachedSignature(ring, bytes.NewReader(s.content), bytes.NewReader(s.signature),
		&packet.Config{Time: func() time.Time { return now }, RejectMessageHashAlgorithms: refusedHashes, MinRSABits: 1024})
	if err != nil || signer == nil || refusedHashes[sig.Hash] {
		return time.Time{}, false
	}
	return sig.CreationTime.UTC(), true
}

// onlySignatures tells whether all packets are signatures, few of them: what is
// compressed or encrypted has no place beside a letter.
func onlySignatures(data []byte) bool {
	r := packet.NewOpaqueReader(bytes.NewReader(data))
	for n := 0; ; n++ {
		p, err := r.Next()
		if err == io.EOF {
			return n > 0
		}
		if err != nil || p.Tag != 2 || n == mostSigned {
			return false
		}
	}
}

// unarmour gives the bytes of an armoured signature; nil if it is none.
func unarmour(text []byte) []byte {
	if len(text) > maxSignature {
		return nil
	}
	block, err := armor.Decode(bytes.NewReader(text))
	if err != nil || block.Type != openpgp.SignatureType {
		return nil
	}
	data, err := io.ReadAll(io.LimitReader(block.Body, maxSignature))
	if err != nil {
		return nil
	}
	return data
}

// clearSigned finds a text that was signed where it stands. It gives the text
// without the armour around it, for reading.
func clearSigned(text string) (plain string, s signed, ok bool) {
	if !strings.HasPrefix(text, clearSignBegin) && !strings.Contains(text, "\n"+clearSignBegin) {
		return "", signed{}, false
	}
	block, rest := clearsign.Decode([]byte(text))
	if block == nil || block.ArmoredSignature == nil {
		return "", signed{}, false
	}
	data, err := io.ReadAll(io.LimitReader(block.ArmoredSignature.Body, maxSignature))
	if err != nil {
		return "", signed{}, false
	}
	before := ""
	if i := strings.Index(text, "\n"+clearSignBegin); !strings.HasPrefix(text, clearSignBegin) && i >= 0 {
		before = text[:i+1]
	}
	words := lines(string(block.Plaintext))
	return before + strings.TrimSuffix(words, "\n") + "\n" + string(rest), signed{content: block.Bytes, signature: data,
		parts: []Part{{Text: words}}}, true
}
