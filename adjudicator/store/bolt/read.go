package bolt

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"iter"
	"strings"
	"time"

	"go.etcd.io/bbolt"

	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/packed"
	"berthier/adjudicator/store"
)

// A reader reads the file in a transaction of bbolt. It is good only as long as that lasts.
type reader struct{ tx *bbolt.Tx }

func (r reader) get(bucket, key []byte) []byte { return bytes.Clone(r.tx.Bucket(bucket).Get(key)) }

// Game implements [store.Reader].
func (r reader) Game(game string) []byte { return r.get(bucketGames, []byte(game)) }

// Games implements [store.Reader].
func (r reader) Games(f func(game string, record []byte) error) error {
	return r.tx.Bucket(bucketGames).ForEach(func(k, v []byte) error { return f(string(k), v) })
}

// Snapshot implements [store.Reader].
func (r reader) Snapshot(game string) []byte { return r.get(bucketState, []byte(game)) }

// History implements [store.Reader].
func (r reader) History(game string, seq uint64) []byte {
	return r.get(bucketHistory, within(game, number(seq)...))
}

// Entry implements [store.Reader].
func (r reader) Entry(game string, seq uint64) (chain.Entry, bool, error) {
	key := within(game, number(seq)...)
	value := r.tx.Bucket(bucketLog).Get(key)
	if value == nil {
		return chain.Entry{}, false, nil
	}
	e, err := r.entries(game).of(key, value)
	return e, err == nil, err
}

// Value implements [store.Reader].
func (r reader) Value(name string) []byte { return r.get(bucketMeta, []byte("note/"+name)) }

// Values implements [store.Reader].
func (r reader) Values(prefix string, f func(name string, data []byte) error) error {
	begin := []byte("note/" + prefix)
	c := r.tx.Bucket(bucketMeta).Cursor()
	for k, v := c.Seek(begin); bytes.HasPrefix(k, begin); k, v = c.Next() {
		if err := f(string(k[len("note/"):]), bytes.Clone(v)); err != nil {
			return err
		}
	}
	return nil
}

// Pages implements [store.Reader].
func (r reader) Pages(game, name string, f func(n uint64, page []byte) error) error {
	prefix := within(game, within(name)...)
	c := r.tx.Bucket(bucketPages).Cursor()
	for k, v := c.Seek(prefix); bytes.HasPrefix(k, prefix) && len(k) == len(prefix)+8; k, v = c.Next() {
		if err := f(binary.BigEndian.Uint64(k[len(prefix):]), v); err != nil {
			return err
		}
	}
	return nil
}

// Answer implements [store.Reader].
func (r reader) Answer(game, name string) []byte {
	return r.get(bucketAnswers, within(game, []byte(name)...))
}

// Last implements [store.Reader].
func (r reader) Last(game string) chain.Link {
	prefix := within(game)
	c := r.tx.Bucket(bucketLog).Cursor()
	after := append(bytes.Clone(prefix[:len(prefix)-1]), 1) // after all entries of the game
	var k, v []byte
	if next, _ := c.Seek(after); next == nil {
		k, v = c.Last()
	} else {
		k, v = c.Prev()
	}
	if !bytes.HasPrefix(k, prefix) || len(k) != len(prefix)+8 || len(v) < entryHead {
		return chain.Link{}
	}
	l := chain.Link{Seq: binary.BigEndian.Uint64(k[len(prefix):])}
	copy(l.Hash[:], v[hashAt:])
	return l
}

// Entries implements [store.Reader].
func (r reader) Entries(game string, from uint64, f func(chain.Entry) error) error {
	prefix := within(game)
	c, all := r.tx.Bucket(bucketLog).Cursor(), r.entries(game)
	for k, v := c.Seek(within(game, number(from)...)); bytes.HasPrefix(k, prefix); k, v = c.Next() {
		e, err := all.of(k, v)
		if err != nil {
			return err
		}
		if err := f(e); err != nil {
			return err
		}
	}
	return nil
}

// Marked implements [store.Reader].
func (r reader) Marked(digest [sha256.Size]byte) (result []byte, taken bool) {
	v := r.tx.Bucket(bucketMarks).Get(digest[:])
	if len(v) == 0 {
		return nil, false
	}
	return bytes.Clone(v[1:]), true
}

// Marks implements [store.Reader].
func (r reader) Marks(f func(digest [sha256.Size]byte, result []byte) error) error {
	return r.tx.Bucket(bucketMarks).ForEach(func(k, v []byte) error {
		if len(k) != sha256.Size || len(v) == 0 {
			return nil
		}
		return f([sha256.Size]byte(k), bytes.Clone(v[1:]))
	})
}

// MarkedID implements [store.Reader].
func (r reader) MarkedID(id string) (content [sha256.Size]byte, taken bool) {
	return r.named(sha256.Sum256([]byte(id)))
}

// named gives what came under a name of which this is the SHA-256.
func (r reader) named(key [sha256.Size]byte) (content [sha256.Size]byte, taken bool) {
	v := r.tx.Bucket(bucketIDs).Get(key[:])
	copy(content[:], v)
	return content, v != nil
}

// Outgoing implements [store.Reader].
func (r reader) Outgoing(id uint64) (store.Outgoing, bool) {
	v := r.tx.Bucket(bucketOutbox).Get(number(id))
	if len(v) < 8 {
		return store.Outgoing{}, false
	}
	o := store.Outgoing{ID: id, Body: bytes.Clone(v[8:])}
	if !bytes.Equal(v[:8], make([]byte, 8)) {
		o.Due = keyTime(v)
	}
	return o, true
}

// Due implements [store.Reader].
func (r reader) Due(by time.Time, n int) []uint64 {
	var ids []uint64
	limit := timeKey(by)
	for k := range timed(r.tx, bucketDue) {
		if len(ids) >= n || bytes.Compare(k[:8], limit) > 0 {
			break
		}
		ids = append(ids, binary.BigEndian.Uint64(k[8:]))
	}
	return ids
}

// Letters implements [store.Reader].
func (r reader) Letters(f func(id uint64, body []byte) error) error {
	return r.tx.Bucket(bucketOutbox).ForEach(func(k, v []byte) error {
		if len(k) != 8 || len(v) < 8 {
			return nil // [Store.Check] tells it
		}
		return f(binary.BigEndian.Uint64(k), v[8:])
	})
}

// Waiting implements [store.Reader].
func (r reader) Waiting(n int, f func(id uint64, start []byte) error) error {
	letters := r.tx.Bucket(bucketOutbox)
	for k := range timed(r.tx, bucketDue) {
		if n--; n < 0 {
			break
		}
		v := letters.Get(k[8:])
		if len(v) < 8 {
			continue
		}
		if err := f(binary.BigEndian.Uint64(k[8:]), v[8:min(len(v), 8+store.StartOfBody)]); err != nil {
			return err
		}
	}
	return nil
}

// FirstDue implements [store.Reader].
func (r reader) FirstDue() (time.Time, bool) {
	return firstTime(r.tx, bucketDue)
}

// Waking implements [store.Reader].
func (r reader) Waking(by time.Time, n int) []string {
	var games []string
	limit := timeKey(by)
	for k := range timed(r.tx, bucketWake) {
		if len(games) >= n || bytes.Compare(k[:8], limit) > 0 {
			break
		}
		games = append(games, string(k[8:]))
	}
	return games
}

// timed gives the keys of a bucket that begin with a time, in their order. What is too short for one, or is of another length than
// the number of a letter, is left out: [Store.Check] tells it.
func timed(tx *bbolt.Tx, bucket []byte) iter.Seq[[]byte] {
	return func(yield func(k []byte) bool) {
		c, letters := tx.Bucket(bucket).Cursor(), bytes.Equal(bucket, bucketDue)
		for k, _ := c.First(); k != nil; k, _ = c.Next() {
			if len(k) < 9 || letters && len(k) != 16 {
				continue
			}
			if !yield(k) {
				return
			}
		}
	}
}

// firstTime is the first time in a bucket whose keys begin with one.
func firstTime(tx *bbolt.Tx, bucket []byte) (time.Time, bool) {
	for k := range timed(tx, bucket) {
		return keyTime(k), true
	}
	return time.Time{}, false
}

// FirstWake implements [store.Reader].
func (r reader) FirstWake() (time.Time, bool) {
	return firstTime(r.tx, bucketWake)
}

// Tagged implements [store.Reader].
func (r reader) Tagged(from, before string, f func(tag, game string) error) error {
	b := r.tx.Bucket(bucketTags)
	if b == nil {
		return nil // of an older schema: no game has tags
	}
	c := b.Cursor()
	for k, _ := c.Seek([]byte(from)); k != nil; {
		tag, game, ok := bytes.Cut(k, []byte{0})
		if !ok || string(tag) >= before {
			return nil
		}
		switch err := f(string(tag), string(game)); {
		case err == store.ErrNextTag:
			k, _ = c.Seek(append(bytes.Clone(tag), 1)) // behind all games that have it
		case err != nil:
			return err
		default:
			k, _ = c.Next()
		}
	}
	return nil
}

// Untagged implements [store.Reader].
func (r reader) Untagged(f func(game string, record []byte) error) error {
	b := r.tx.Bucket(bucketUntagged)
	if b == nil {
		return r.Games(f)
	}
	return b.ForEach(func(game, _ []byte) error { return f(string(game), r.tx.Bucket(bucketGames).Get(game)) })
}

// tagsIn are the tags of a game as they are kept.
func tagsIn(kept []byte) []string {
	if len(kept) == 0 {
		return nil
	}
	return strings.Split(string(kept), "\x00")
}

// GamesOf implements [store.Reader].
func (r reader) GamesOf(address string, n int) []string {
	var games []string
	prefix := within(address)
	c := r.tx.Bucket(bucketAddress).Cursor()
	for k, _ := c.Seek(prefix); bytes.HasPrefix(k, prefix) && len(games) < n; k, _ = c.Next() {
		games = append(games, string(k[len(prefix):]))
	}
	return games
}

// Blob implements [store.Reader].
func (r reader) Blob(digest [sha256.Size]byte) []byte {
	return packed.OpenBlob(digest, r.get(bucketBlobs, digest[:]))
}
