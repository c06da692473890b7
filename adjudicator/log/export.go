package log

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"berthier/adjudicator/log/chain"
	"berthier/engine"
	"berthier/orders"
)

// ExportFormat is the version of the form of exports.
const ExportFormat = 1

// An Export is a game as one file of YAML that is complete in itself: anybody can
// check with it that nothing in the log was changed and that every die fell as
// it had to. For a game in progress a side gets what it has seen so far, and no
// entry of the log: their number alone would tell how much the others write.
type Export struct {
	Format     int             `yaml:"berthier-export"`
	Game       string          `yaml:"game"`
	Title      string          `yaml:"title,omitempty"`
	System     string          `yaml:"system"`
	For        string          `yaml:"for"`                 // the side that asked; "gm": everything
	State      string          `yaml:"state"`               // running, paused, over, closed
	Commitment string          `yaml:"commitment"`          // SHA-256 of the first seed, hex
	Seeds      []string        `yaml:"seeds,omitempty"`     // of the dice, hex; once the game is over
	Office     string          `yaml:"office,omitempty"`    // key of the office that signed it, hex; once the game is over
	Signature  string          `yaml:"signature,omitempty"` // see [Export.SignedBy], hex
	Seen       []Seen          `yaml:"seen,omitempty"`
	Entries    []ExportedEntry `yaml:"entries,omitempty"`
}

// LeagueSystem is the system of an export that holds the log of a league in place of a game's.
const LeagueSystem = "league"

// A Seen is what a side learnt when a stop was resolved: its own orders there,
// and what it was told.
type Seen struct {
	Stop   int      `yaml:"stop,omitempty" json:"stop,omitempty"`     // as the side counts; 0: it owed nothing there
	Name   string   `yaml:"name,omitempty" json:"name,omitempty"`     // of the decision
	Orders string   `yaml:"orders,omitempty" json:"orders,omitempty"` // normal form
	By     string   `yaml:"by,omitempty" json:"by,omitempty"`         // player, gm, bot, default
	Told   []string `yaml:"told,omitempty" json:"told,omitempty"`
}

// An ExportedEntry is an entry of the log. A part that the reader must not know is
// replaced by its digest, in place of its salt and text.
type ExportedEntry struct {
	N             uint64 `yaml:"n" json:"n"`
	Hash          string `yaml:"hash" json:"hash"`                                         // hex, as all that follows but the texts
	Salt          string `yaml:"salt,omitempty" json:"salt,omitempty"`                     // of the body
	Body          string `yaml:"body,omitempty" json:"body,omitempty"`                     // JSON
	Digest        string `yaml:"digest,omitempty" json:"digest,omitempty"`                 // of a withheld body
	PrivateSalt   string `yaml:"private_salt,omitempty" json:"private_salt,omitempty"`     //
	Private       string `yaml:"private,omitempty" json:"private,omitempty"`               // JSON
	PrivateDigest string `yaml:"private_digest,omitempty" json:"private_digest,omitempty"` // of a withheld private part
}

// EntryOf finds the entry whose hash begins with some digits; 0 if there is none.
func (x *Export) EntryOf(hash string) uint64 {
	for _, e := range x.Entries {
		if strings.HasPrefix(e.Hash, hash) {
			return e.N
		}
	}
	return 0
}

// Show writes an entry as a side may read it; then is the seat that its player had at that time.
func Show(e chain.Entry, side, then engine.Side, scheme int) (ExportedEntry, error) {
	x := ExportedEntry{N: e.Seq, Hash: hex.EncodeToString(e.Hash[:])}
	read, err := Read(e, nil)
	if err != nil {
		return x, err
	}
	body, private := e.Digests()
	if side == engine.GM || read.Seat == then || scheme != FirstScheme || OpenEntry(read, e.Body) {
		x.Salt, x.Body = hex.EncodeToString(e.Salt[:16]), string(e.Body)
	} else {
		x.Digest = hex.EncodeToString(body[:])
	}
	switch {
	case len(e.Private) == 0:
	case len(e.Was) > 0: // something has been taken out of it: only the digest fits the chain
		x.PrivateDigest = hex.EncodeToString(private)
	case side == engine.GM, read.Seat == then && ownSees(e.Private, read.By):
		x.PrivateSalt, x.Private = hex.EncodeToString(e.Salt[16:]), string(e.Private)
	default:
		x.PrivateDigest = hex.EncodeToString(private)
	}
	return x, nil
}

// Write writes an export. Each entry of the log stands on a line of its own, as
// JSON, which is YAML too: so a program that knows no YAML can read it.
func (x *Export) Write(w io.Writer) error {
	head := *x
	head.Entries, head.Seen = nil, nil
	text, err := orders.Marshal(&head)
	if err != nil {
		return fmt.Errorf("write export: %w", err)
	}
	var b bytes.Buffer
	b.Write(text)
	if len(x.Seen) > 0 {
		b.WriteString("seen:\n")
		for _, s := range x.Seen {
			if err := jsonLine(&b, s); err != nil {
				return err
			}
		}
	}
	if len(x.Entries) > 0 {
		b.WriteString("entries:\n")
		for _, e := range x.Entries {
			if err := jsonLine(&b, e); err != nil {
				return err
			}
		}
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("write export: %w", err)
	}
	return nil
}

func jsonLine(b *bytes.Buffer, v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write export: %w", err)
	}
	b.WriteString("  - ")
	b.Write(line)
	b.WriteByte('\n')
	return nil
}

// ReadExport reads what [Export.Write] wrote.
func ReadExport(data []byte) (*Export, error) {
	x := &Export{}
	if err := orders.Unmarshal(data, x); err != nil {
		return nil, fmt.Errorf("read export: %w", err)
	}
	if x.Format != ExportFormat {
		return nil, fmt.Errorf("read export: its form is %d; this program knows %d", x.Format, ExportFormat)
	}
	return x, nil
}

// Digests gives what the hash of an entry is made of.
func (e ExportedEntry) Digests() (body [sha256.Size]byte, private []byte, err error) {
	half := func(salt, text, digest string) ([]byte, error) {
		if text == "" {
			return hex.DecodeString(digest)
		}
		s, err := hex.DecodeString(salt)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(append(s, text...))
		return sum[:], nil
	}
	b, err := half(e.Salt, e.Body, e.Digest)
	if err == nil && len(b) != len(body) {
		err = errors.New("its digest is too short")
	}
	copy(body[:], b)
	if err != nil {
		return body, nil, err
	}
	private, err = half(e.PrivateSalt, e.Private, e.PrivateDigest)
	return body, private, err
}

// Once checks that an entry says the same to all its readers: that nothing stands in it
// twice, of which some programs may read the one and others the other, and that no private
// part replaces what the body tells.
func (e ExportedEntry) Once() error { return ReadsOnce(e.Body, e.Private) }
