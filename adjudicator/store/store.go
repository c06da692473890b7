// Package store is the contract between the office and what keeps its games: their
// records, positions and logs, what was taken in, and what is to be sent. Package
// bolt fulfils it with one file; package storetest tests whether a store fulfils it.
//
// A store does not know what the bytes mean. What it promises:
//
//   - What one letter, deadline or act of a game master changes is one [Change], a
//     value that is made before the store is entered. [Store.Commit] writes all of it
//     or nothing, and it is on the disk when Commit returns.
//   - A change says what it was made from: the end of a log, the record of a game, a
//     value, a letter, as they were read. If one of them has changed since then, nothing is
//     written, and the error is [ErrOutOfStep]. So if two change the same thing at once,
//     the later one reads and judges again, and nothing is lost.
//   - A letter is taken in once: who marks it again gets [ErrTaken].
//   - Log entries are numbered from 1 without a gap, chained by SHA-256, and
//     never changed or removed. Only the private part of an entry may be replaced, when
//     a person is forgotten: the digest of what it was stays, and the chain holds.
//   - A change that fails does not affect changes that are committed beside it.
//   - A reader sees the state of one moment.
//   - Tags, by which games are found without a look at all of them, never disagree with
//     records: they change with the record, or the game counts as one that has none.
package store

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"berthier/adjudicator/log/chain"
)

// Errors on which a caller may branch.
var (
	// ErrOutOfStep: what the change was made from is no longer so. Somebody else has written
	// since it was read. The caller may read it again and try once more.
	ErrOutOfStep = errors.New("it has moved on since it was read")
	// ErrTaken: the letter that did it was taken in before.
	ErrTaken = errors.New("the letter was taken in before")
	// ErrClosed: the store was closed.
	ErrClosed = errors.New("the database is closed")
	// ErrReadOnly: the store was opened to be read.
	ErrReadOnly = errors.New("the database was opened to be read")
	// ErrDamaged: something in the store can't be read in full.
	ErrDamaged = errors.New("the database is damaged")
	// ErrDeposed: another process has begun under this member's name, or another member leads in its
	// place: what it writes is refused until it begins anew.
	ErrDeposed = errors.New("another process has begun under this member's name, or leads in its place: it has to begin anew, and each member of an office needs a name of its own")
	// ErrSwapped: what is open is no longer the database that others would open:
	// what is written there would be lost.
	ErrSwapped = errors.New("the database that is open is no longer the file at its path: somebody moved, removed or replaced it")
)

// ErrNextTag is what a function returns that wants to see no more games of a tag ([Reader.Tagged]).
var ErrNextTag = errors.New("no more games of this tag")

// A Store keeps games. It may be used by many goroutines.
type Store interface {
	// Commit writes a change: when it returns, either all of it is on the disk or nothing.
	// The context only bounds the wait for a place: once the change was handed over, Commit
	// waits for the outcome. A change that was handed over must not be altered any more.
	Commit(ctx context.Context, c Change) error

	// Load gives what is needed to take a game up, as of one moment. A game that does not
	// exist has no record.
	Load(ctx context.Context, game string) (Loaded, error)

	// Read lets f read everything, as of one moment, while writes go on. The reader is
	// good only inside f, which must be short.
	Read(ctx context.Context, f func(Reader) error) error

	// Reserve gives numbers for new letters: the first of so many in a row that nobody
	// else gets. Numbers rise. Numbers that are reserved and not used stay unused.
	Reserve(ctx context.Context, n int) (first uint64, err error)

	// Claim gives at most n letters of some lanes that are due by a moment: the one with the lowest number
	// comes first, whenever they are due, since the clocks of those who write letters differ, and of two to
	// one address the first goes first. Nobody else gets them until a change writes them, they are released, or the claim
	// runs out.
	Claim(ctx context.Context, due, until time.Time, n int, of LaneSet) ([]Outgoing, error)

	// Release gives up what is still claimed of these letters; without any, everything that this process has claimed.
	Release(ctx context.Context, ids ...uint64) error

	// Ready tells why a change that is committed now would be lost; nil if it would not.
	Ready() error

	// LastWrite tells why the last write failed; nil if it succeeded, or if there was none. A
	// change that was refused is not a failure of the store.
	LastWrite() error

	// Close waits for the writes under way and closes the store. What comes after it
	// gets [ErrClosed].
	Close() error
}

// Lanes is into how many lanes letters fall: the lane of a letter is the remainder of its number by it.
const Lanes = 64

// A LaneSet is a set of lanes: bit n is lane n.
type LaneSet uint64

// AllLanes are those of all letters.
const AllLanes = ^LaneSet(0)

// Has tells whether the lane of a letter is in the set.
func (s LaneSet) Has(id uint64) bool { return s>>(id%Lanes)&1 == 1 }

// A Shared store may be used by other members of the office, too, so that what was read of a game
// may have changed.
type Shared interface {
	Store
	// Head gives the end of a game's log and the version of its record, as they are now; zero if there is
	// no such game.
	Head(ctx context.Context, game string) (end chain.Link, record Version, err error)
	// Epoch tells this process from those that had its member's name before, and will have it.
	Epoch() int64
	// Depose makes the store refuse what a member of that name still writes, until it begins anew. If it has done so
	// since that epoch, nothing happens; 0 stands for any epoch.
	Depose(ctx context.Context, member string, epoch int64) error
}

// Loaded is what is needed to take a game up.
type Loaded struct {
	Record   []byte     // nil: there is no such game
	Snapshot []byte     // of its position
	End      chain.Link // of its log
}

// A Reader reads a store as of one moment. It gives out copies, unless its methods say
// otherwise.
type Reader interface {
	// Game gives a game's record, or nil if there is no such game.
	Game(game string) []byte
	// Games calls f for every game in the order of their ids, until it returns an
	// error. The record is good only during the call.
	Games(f func(game string, record []byte) error) error
	// Snapshot gives a game's last position, or nil.
	Snapshot(game string) []byte
	// Answer gives the pending answer of that name in a game, or nil.
	Answer(game, name string) []byte
	// Tagged calls f for the tags from one on and before another, in the order of their bytes, and for each of them for
	// the games that have it, in the order of their ids, until it returns an error. After [ErrNextTag] the next tag
	// follows.
	Tagged(from, before string, f func(tag, game string) error) error
	// Untagged calls f for every game whose record was committed without tags, in the order of their ids, until it
	// returns an error. The record is good only during the call.
	Untagged(f func(game string, record []byte) error) error
	// GamesOf gives the games that an address takes part in, at most n, in the order
	// of their ids.
	GamesOf(address string, n int) []string
	// Pages calls f for what a seat of a game saw, by number, until it returns an error.
	Pages(game, name string, f func(n uint64, page []byte) error) error

	// Last gives the last link of a game's log.
	Last(game string) chain.Link
	// Entry gives one entry of a game's log, and whether there is one of that number.
	Entry(game string, seq uint64) (chain.Entry, bool, error)
	// Entries calls f for the entries of a game from a number on, in order, until it
	// returns an error.
	Entries(game string, from uint64, f func(chain.Entry) error) error
	// Loose gives how many entries of a game's log lie in no block; where the store makes none, zero. It may leave out
	// entries that were taken out of a block and have others in blocks behind them.
	Loose(game string) int
	// History gives the position that a game had after an entry of its log, or nil if
	// that entry did not move it.
	History(game string, seq uint64) []byte

	// Waking gives at most n games that want to be looked at by a time; the one that has
	// waited longest comes first.
	Waking(by time.Time, n int) []string
	// FirstWake gives the time at which the next game wants to be looked at.
	FirstWake() (time.Time, bool)

	// Outgoing gives a letter of the outbox, and whether there is one of that number.
	Outgoing(id uint64) (Outgoing, bool)
	// Letters calls f for all letters of the outbox by their numbers, until it returns
	// an error. The body is good only during the call.
	Letters(f func(id uint64, body []byte) error) error
	// Due gives the numbers of at most n letters that are due by a time, the oldest first.
	Due(by time.Time, n int) []uint64
	// Waiting calls f for at most n letters that wait to be sent, the one that is due first
	// before the others, until f returns an error. Start is the body up to [StartOfBody] bytes, and good
	// only during the call.
	Waiting(n int, f func(id uint64, start []byte) error) error
	// FirstDue gives the time at which the next letter is due.
	FirstDue() (time.Time, bool)
	// Blob gives bytes that many letters share by their digest, or nil.
	Blob(digest [sha256.Size]byte) []byte

	// Marked gives what resulted from a letter, and whether it was taken in.
	Marked(digest [sha256.Size]byte) (result []byte, taken bool)
	// Marks calls f for all letters that were taken in, with what resulted from them, until it
	// returns an error.
	Marks(f func(digest [sha256.Size]byte, result []byte) error) error
	// MarkedID gives the digest of the content that came under a name.
	MarkedID(name string) (content [sha256.Size]byte, taken bool)

	// Value gives what is kept for the whole store under a name, or nil.
	Value(name string) []byte
	// Values calls f for the values whose names begin with a prefix, in the order of their
	// names, until it returns an error.
	Values(prefix string, f func(name string, data []byte) error) error
}

// A Backlog is how much there is to do.
type Backlog struct {
	Due   int       // letters that should have gone out
	First time.Time // when the first of them was due; zero if none is
	Later int       // letters that wait for their time
	Games int
}

// A Size is how much a store keeps of one kind.
type Size struct {
	Kind  string // the same for every store; a bucket of a file
	N     int    // values
	Bytes int64  // of the values as they are kept, and of the keys under which they are
}

// A Restoration is what a store knows about having been restored from a copy.
type Restoration struct {
	At   time.Time `json:"at"`
	Mark string    `json:"mark"` // tells this restore from all others
}

// StartOfBody is how many bytes of a letter that waits [Reader.Waiting] gives: who looks over all of them wants their
// heads, and a letter with its pictures is a hundred thousand bytes.
const StartOfBody = 4 << 10

// RestoredValue is the name of the value in which a store keeps its last restore.
const RestoredValue = "restored"

// SignPrefix begins the names of the values by which the members of an office say that they live, each followed by the name
// of a member. In a database that was put back from a copy they are those of nobody, and removed.
const SignPrefix = "member/"

// Restored gives what a store knows of its last restore, and whether there was one.
func Restored(r Reader) (last Restoration, ok bool, err error) {
	data := r.Value(RestoredValue)
	if data == nil {
		return last, false, nil
	}
	if err := json.Unmarshal(data, &last); err != nil {
		return last, false, fmt.Errorf("read value of the restore: %w", err)
	}
	return last, true, nil
}

// LeastLeap and mostLeap bound by how much letters are numbered onward after a restore: from a random
// place, so far away that neither the letters of the lost time nor another restore of the same copy can
// have reached it.
const (
	LeastLeap = 1 << 32
	mostLeap  = 1 << 48
)

// Restore gives what is written into a store that was restored from a copy: by how much its letters are
// numbered onward, and the value [RestoredValue].
func Restore(now time.Time) (leap uint64, restored []byte, err error) {
	var chance [8 + 16]byte
	if _, err := rand.Read(chance[:]); err != nil {
		return 0, nil, err
	}
	restored, err = json.Marshal(Restoration{At: now.UTC().Truncate(time.Microsecond), Mark: hex.EncodeToString(chance[8:])})
	return LeastLeap + binary.BigEndian.Uint64(chance[:8])%(mostLeap-LeastLeap), restored, err
}

// NumberOf is a number of an office that may be shown: it follows from the office's secret, and does not give it away.
func NumberOf(secret []byte) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte("number of the database"))
	return hex.EncodeToString(mac.Sum(nil)[:16])
}

// mostRaces is how often [Again] tries again.
const mostRaces = 8

// Again does something that reads and commits, and repeats it as long as somebody else
// was faster ([ErrOutOfStep]).
func Again(ctx context.Context, f func() error) error {
	for n := 0; ; n++ {
		err := f()
		if n == mostRaces || ctx.Err() != nil || !errors.Is(err, ErrOutOfStep) {
			return err
		}
	}
}
