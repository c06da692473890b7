package store

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"berthier/adjudicator/log/chain"
)

// A Change is everything that one step writes. It is made before the store is entered. What
// it leaves nil or empty stays as it is in the store.
type Change struct {
	// Game is whose log, record, positions, answers and pages it writes; "": of no game. What is
	// no game may have a log, too: the roll of members has one, under an id that no game has.
	Game     string
	After    chain.Link        // the end of the log that it was made from
	Was      Version           // of the record that it was made from; zero: there was no such game
	Entries  []chain.Entry     // that the log grows by
	Redact   []chain.Entry     // of the log, out of whose private parts something is taken (see [chain.Entry.Without])
	Settle   bool              // the log is put into blocks: it takes less room, and reads as before. A store need not
	Record   []byte            // of the game
	Snapshot []byte            // of its position
	History  []Position        // that it had after entries of its log
	Answers  map[string][]byte // pending, by name; nil: none any more
	Leave    []string          // addresses that no longer take part
	Join     []string          // addresses that take part from now on
	Pages    []Page
	// Tags are short texts by which the game is found, all of them ([Reader.Tagged]). They are those of its record as this
	// change leaves it: a record that is committed without tags, which is what nil means, has none, and
	// its game is found by [Reader.Untagged] until it has.
	Tags []string

	Wake     map[string]time.Time // by game: when it wants to be looked at; zero: not
	Outgoing []Outgoing
	Reserved uint64 // numbers of letters up to this one were given out, in the store from which an office moves
	Blobs    []Blob
	Values   map[string]Value // small ones of the whole store, by name
	Mark     *Mark            // of the letter that did it
	Forget   []Mark           // of letters that had no consequences: as if they had never come
}

// Formed tells what is wrong with the form of a change, which no store could keep; nil if
// nothing is.
func (c *Change) Formed() error {
	zero := func(text string) bool { return strings.IndexByte(text, 0) >= 0 }
	switch {
	case zero(c.Game):
		return fmt.Errorf("commit %q: no id of a game", c.Game)
	case c.Tags != nil && c.Record == nil && c.Was == (Version{}):
		return fmt.Errorf("commit %q: tags of a game that has no record", c.Game)
	case c.Game == "" && (c.Record != nil || c.Snapshot != nil || len(c.Entries)+len(c.Redact)+len(c.History)+len(c.Answers)+len(c.Leave)+len(c.Join)+len(c.Pages) > 0):
		return errors.New("commit: a change of no game writes to a game")
	}
	for _, address := range c.Join {
		if zero(address) {
			return fmt.Errorf("join %s: address %q has a zero byte", c.Game, address)
		}
	}
	for _, tag := range c.Tags {
		if tag == "" || zero(tag) || !utf8.ValidString(tag) {
			return fmt.Errorf("tag %s: %q is empty or no plain text", c.Game, tag)
		}
	}
	for _, p := range c.Pages {
		if zero(p.Seat) {
			return fmt.Errorf("keep page of %s: seat %q has a zero byte", c.Game, p.Seat)
		}
	}
	return nil
}

// A Position is one that a game had after an entry of its log.
type Position struct {
	Seq  uint64
	Data []byte
}

// A Page is what a seat of a game saw, under a number of its own.
type Page struct {
	Seat string
	N    uint64
	Data []byte
	Gone bool // it is kept no more
}

// A Version tells whether something was changed since it was read: it is the SHA-256 of what
// is kept. The zero Version means that nothing is kept.
type Version [sha256.Size]byte

// VersionOf gives the version of what is kept; nil means that nothing is kept.
func VersionOf(data []byte) Version {
	if data == nil {
		return Version{}
	}
	return sha256.Sum256(data)
}

// An Outgoing is a letter of the outbox.
type Outgoing struct {
	ID   uint64    // as [Store.Reserve] gave it
	Was  Version   // of the letter that it takes the place of, as [Outgoing.Version] has it; zero: it is new
	Due  time.Time // when to try to send it; zero: never again
	Body []byte
	Gone bool // it is kept no more. Its number is given to no other
}

// Version is the version of the letter as it is kept: of its body, and of when it is due.
func (o Outgoing) Version() (v Version) {
	h := sha256.New()
	var due [8]byte
	if !o.Due.IsZero() {
		binary.BigEndian.PutUint64(due[:], uint64(max(o.Due.UnixNano(), 0)))
	}
	h.Write(due[:])
	h.Write(o.Body)
	h.Sum(v[:0])
	return v
}

// A Blob is bytes that many letters share. They are kept once.
type Blob struct {
	Digest [sha256.Size]byte // SHA-256
	Data   []byte
}

// A Value is a small value of the whole store, which has a name.
type Value struct {
	Data []byte  // nil: it is removed
	Was  Version // of what it takes the place of; zero: there was none
}

// A Mark says that a letter was taken in.
type Mark struct {
	Digest [sha256.Size]byte // of the letter; zero: only its names are marked
	Result []byte            // what resulted from it
	Names  []Name
}

// A Name is one by which a letter is known besides its digest, such as its Message-ID.
type Name struct {
	Name string
	// Key is the SHA-256 of the name, where it is all that is known of it: stores keep no more, and
	// an office that moves takes it along. Zero: it follows from the name.
	Key     [sha256.Size]byte
	Content [sha256.Size]byte // what came under it. The first one stays
	// Once lets only one letter of this name be taken in, whatever its content; otherwise a
	// letter counts as the same only if its content is the same, too.
	Once bool
}

// Hashed gives what stores keep of a name: its SHA-256.
func (n Name) Hashed() [sha256.Size]byte {
	if n.Key != ([sha256.Size]byte{}) {
		return n.Key
	}
	return sha256.Sum256([]byte(n.Name))
}

// Clone gives a copy to which more can be added.
func (c Change) Clone() Change {
	c.Values, c.Outgoing, c.Blobs, c.Wake = maps.Clone(c.Values), slices.Clone(c.Outgoing), slices.Clone(c.Blobs), maps.Clone(c.Wake)
	return c
}

// PutValue adds a value to what is written.
func (c *Change) PutValue(name string, v Value) {
	if c.Values == nil {
		c.Values = map[string]Value{}
	}
	c.Values[name] = v
}

// ValueIn gives the value that a change is about to write, or else the one that a reader
// has, with the version that it replaces.
func (c *Change) ValueIn(r Reader, name string) Value {
	if v, ok := c.Values[name]; ok {
		return v
	}
	data := r.Value(name)
	return Value{Data: data, Was: VersionOf(data)}
}

// ValueOf is [Change.ValueIn] of what a store has now.
func (c *Change) ValueOf(ctx context.Context, s Store, name string) (v Value, err error) {
	err = s.Read(ctx, func(r Reader) error {
		v = c.ValueIn(r, name)
		return nil
	})
	return v, err
}

// OutgoingIn gives the letter that a change is about to write, or else the one that a
// reader has, with the version that it replaces; false if there is none with that number.
func (c *Change) OutgoingIn(r Reader, id uint64) (Outgoing, bool) {
	for _, o := range c.Outgoing {
		if o.ID == id {
			return o, true
		}
	}
	o, ok := r.Outgoing(id)
	if ok {
		o.Was = o.Version()
	}
	return o, ok
}

// PutOutgoing adds a letter to a change, or replaces the letter with the same number in it.
func (c *Change) PutOutgoing(o Outgoing) {
	for i := range c.Outgoing {
		if c.Outgoing[i].ID == o.ID {
			c.Outgoing[i] = o
			return
		}
	}
	c.Outgoing = append(c.Outgoing, o)
}
