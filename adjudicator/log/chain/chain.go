// Package chain links the entries of a log by hash. It knows only bytes: a reader from whom
// part of an entry is withheld can follow the chain by the digest of that part.
package chain

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
)

// A Link is a place in a game's log: the number of an entry and its hash. The
// zero Link is the start of a log, before its first entry.
type Link struct {
	Seq  uint64
	Hash [sha256.Size]byte
}

// A Salt keeps anyone from guessing what is behind a hash: its first half hides
// the body of an entry, its second half the private part.
type Salt [32]byte

// An Entry is one entry of a log. Its private part holds what even those who
// may read the body must not know, such as addresses.
type Entry struct {
	Link
	Salt          Salt
	Body, Private []byte
	// Was is the digest of the private part as it was when the entry was written, if something has been
	// taken out of it since; else nil. The chain goes over that digest.
	Was []byte
}

// Digests are what an entry's hash is made of, besides the hash before it: the
// SHA-256 of each half of the salt together with the part that it hides. A reader from whom
// a part is withheld gets its digest, and can still follow the chain. An entry
// without a private part has no digest of it.
func (e Entry) Digests() (body [sha256.Size]byte, private []byte) {
	body = sha256.Sum256(append(e.Salt[:16:16], e.Body...))
	if len(e.Was) > 0 {
		return body, e.Was
	}
	if len(e.Private) > 0 {
		sum := sha256.Sum256(append(bytes.Clone(e.Salt[16:]), e.Private...))
		private = sum[:]
	}
	return body, private
}

// Chain gives the link after another one, from the digests of its entry: the
// SHA-256 of the hash before it, its number in eight bytes, and the digests.
func Chain(after Link, body [sha256.Size]byte, private []byte) Link {
	l := Link{Seq: after.Seq + 1}
	h := sha256.New()
	h.Write(after.Hash[:])
	h.Write(binary.BigEndian.AppendUint64(nil, l.Seq))
	h.Write(body[:])
	h.Write(private)
	h.Sum(l.Hash[:0])
	return l
}

// Follow makes the entry that comes after a link.
func Follow(after Link, salt Salt, body, private []byte) Entry {
	e := Entry{Salt: salt, Body: body, Private: private}
	digest, hidden := e.Digests()
	e.Link = Chain(after, digest, hidden)
	return e
}

// Without gives the entry with another private part, out of which something has been taken. The chain
// holds as before. The half of the salt that hid the former part is gone, so that nobody can find out
// by trying what it was.
func (e Entry) Without(private []byte) Entry {
	_, was := e.Digests()
	e.Private, e.Was = private, was
	clear(e.Salt[16:])
	return e
}

// Holds tells whether an entry is what its hash says, if it comes after a link.
func (e Entry) Holds(after Link) bool {
	body, private := e.Digests()
	return Chain(after, body, private) == e.Link
}

// RedactedAs tells whether another entry is this one with something taken out of its private part.
func (e Entry) RedactedAs(other Entry) bool {
	want := e.Without(other.Private)
	return len(e.Private) > 0 && other.Link == e.Link && other.Salt == want.Salt && bytes.Equal(other.Body, e.Body) && bytes.Equal(other.Was, want.Was)
}
