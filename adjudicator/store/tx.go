package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"
	"time"

	"berthier/adjudicator/log/chain"

	bolt "go.etcd.io/bbolt"
)

// A Tx is one transaction. It is only good inside the function it was given to.
// What it hands out are copies, unless said otherwise.
type Tx struct {
	tx    *bolt.Tx
	dirty bool // something was written
}

func (tx *Tx) put(bucket, key, value []byte) error {
	tx.dirty = true
	if err := tx.tx.Bucket(bucket).Put(key, value); err != nil {
		return fmt.Errorf("put %s: %w", bucket, err)
	}
	return nil
}

func (tx *Tx) drop(bucket, key []byte) error {
	tx.dirty = true
	if err := tx.tx.Bucket(bucket).Delete(key); err != nil {
		return fmt.Errorf("delete %s: %w", bucket, err)
	}
	return nil
}

func (tx *Tx) get(bucket, key []byte) []byte { return bytes.Clone(tx.tx.Bucket(bucket).Get(key)) }

// Game gives a game's record, or nil if there is no such game.
func (tx *Tx) Game(game string) []byte { return tx.get(bucketGames, []byte(game)) }

// PutGame writes a game's record. An id is not empty and has no zero byte.
func (tx *Tx) PutGame(game string, record []byte) error {
	if game == "" || strings.IndexByte(game, 0) >= 0 {
		return fmt.Errorf("put game %q: no id", game)
	}
	return tx.put(bucketGames, []byte(game), record)
}

// Games calls f for every game in the order of their ids, until it returns an
// error. The record is good only during the call.
func (tx *Tx) Games(f func(game string, record []byte) error) error {
	return tx.tx.Bucket(bucketGames).ForEach(func(k, v []byte) error { return f(string(k), v) })
}

// AnyGame tells whether there is a game.
func (tx *Tx) AnyGame() bool {
	k, _ := tx.tx.Bucket(bucketGames).Cursor().First()
	return k != nil
}

// Snapshot gives a game's last position, or nil.
func (tx *Tx) Snapshot(game string) []byte { return tx.get(bucketState, []byte(game)) }

// PutSnapshot moves a game's position on.
func (tx *Tx) PutSnapshot(game string, snapshot []byte) error {
	return tx.put(bucketState, []byte(game), snapshot)
}

// PutHistory keeps the position that a game had after an entry of its log.
func (tx *Tx) PutHistory(game string, seq uint64, position []byte) error {
	return tx.put(bucketHistory, within(game, number(seq)...), position)
}

// History gives the position that a game had after an entry of its log, or nil
// if that entry did not move it.
func (tx *Tx) History(game string, seq uint64) []byte {
	return tx.get(bucketHistory, within(game, number(seq)...))
}

// Entry gives one entry of a game's log, and whether there is one of that
// number.
func (tx *Tx) Entry(game string, seq uint64) (chain.Entry, bool, error) {
	key := within(game, number(seq)...)
	value := tx.tx.Bucket(bucketLog).Get(key)
	if value == nil {
		return chain.Entry{}, false, nil
	}
	e, err := entryOf(key, value)
	return e, err == nil, err
}

// Note gives what is kept for the whole store under a name, or nil.
func (tx *Tx) Note(name string) []byte { return tx.get(bucketMeta, []byte("note/"+name)) }

// Notes calls f for the notes whose names begin with a prefix, in the order of their
// names, until it returns an error.
func (tx *Tx) Notes(prefix string, f func(name string, data []byte) error) error {
	begin := []byte("note/" + prefix)
	c := tx.tx.Bucket(bucketMeta).Cursor()
	for k, v := c.Seek(begin); bytes.HasPrefix(k, begin); k, v = c.Next() {
		if err := f(string(k[len("note/"):]), bytes.Clone(v)); err != nil {
			return err
		}
	}
	return nil
}

// PutNote keeps something for the whole store under a name; a nil one is removed.
func (tx *Tx) PutNote(name string, data []byte) error {
	if data == nil {
		return tx.drop(bucketMeta, []byte("note/"+name))
	}
	return tx.put(bucketMeta, []byte("note/"+name), data)
}

// PutPage keeps what a seat of a game saw, under a number of its own.
func (tx *Tx) PutPage(game, name string, n uint64, page []byte) error {
	return tx.put(bucketPages, append(within(game, within(name)...), number(n)...), page)
}

// Pages calls f for what a seat of a game saw, by number, until it returns an
// error.
func (tx *Tx) Pages(game, name string, f func(n uint64, page []byte) error) error {
	prefix := within(game, within(name)...)
	c := tx.tx.Bucket(bucketPages).Cursor()
	for k, v := c.Seek(prefix); bytes.HasPrefix(k, prefix) && len(k) == len(prefix)+8; k, v = c.Next() {
		if err := f(binary.BigEndian.Uint64(k[len(prefix):]), v); err != nil {
			return err
		}
	}
	return nil
}

// Answer gives the pending answer of that name in a game, or nil.
func (tx *Tx) Answer(game, name string) []byte {
	return tx.get(bucketAnswers, within(game, []byte(name)...))
}

// PutAnswer writes a pending answer; a nil one is removed.
func (tx *Tx) PutAnswer(game, name string, answer []byte) error {
	if answer == nil {
		return tx.drop(bucketAnswers, within(game, []byte(name)...))
	}
	return tx.put(bucketAnswers, within(game, []byte(name)...), answer)
}

// Append adds entries to a game's log, which must follow its last one
// ([ErrOutOfStep]).
func (tx *Tx) Append(game string, entries ...chain.Entry) error {
	last := tx.Last(game)
	for _, e := range entries {
		if want := chain.Follow(last, e.Salt, e.Body, e.Private); want.Link != e.Link {
			return fmt.Errorf("append entry %s/%d: %w", game, e.Seq, ErrOutOfStep)
		}
		value := make([]byte, 0, entryHead+len(e.Body)+len(e.Private))
		value = append(append(value, e.Salt[:]...), e.Hash[:]...)
		value = binary.BigEndian.AppendUint32(value, uint32(len(e.Body)))
		value = append(append(value, e.Body...), e.Private...)
		if err := tx.put(bucketLog, within(game, number(e.Seq)...), value); err != nil {
			return err
		}
		last = e.Link
	}
	return nil
}

// An entry is kept as salt ‖ hash ‖ length of the body ‖ body ‖ private part.
const (
	hashAt    = len(chain.Salt{})
	lengthAt  = hashAt + sha256.Size
	entryHead = lengthAt + 4
)

func entryOf(key, value []byte) (chain.Entry, error) {
	if len(key) < 8 || len(value) < entryHead {
		return chain.Entry{}, fmt.Errorf("read entry %q: too short", key)
	}
	length := uint64(binary.BigEndian.Uint32(value[lengthAt:]))
	rest := bytes.Clone(value[entryHead:])
	if length > uint64(len(rest)) {
		return chain.Entry{}, fmt.Errorf("read entry %q: too short", key)
	}
	e := chain.Entry{Link: chain.Link{Seq: binary.BigEndian.Uint64(key[len(key)-8:])}, Body: rest[:length:length], Private: rest[length:]}
	copy(e.Salt[:], value)
	copy(e.Hash[:], value[hashAt:])
	return e, nil
}

// Last gives the last link of a game's log.
func (tx *Tx) Last(game string) chain.Link {
	prefix := within(game)
	c := tx.tx.Bucket(bucketLog).Cursor()
	after := append(bytes.Clone(prefix[:len(prefix)-1]), 1) // behind all entries of the game
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

// Entries calls f for the entries of a game from a number on, in order, until
// it returns an error.
func (tx *Tx) Entries(game string, from uint64, f func(chain.Entry) error) error {
	prefix := within(game)
	c := tx.tx.Bucket(bucketLog).Cursor()
	for k, v := c.Seek(within(game, number(from)...)); bytes.HasPrefix(k, prefix); k, v = c.Next() {
		e, err := entryOf(k, v)
		if err != nil {
			return err
		}
		if err := f(e); err != nil {
			return err
		}
	}
	return nil
}

// Verify checks that a game's log has no gap and that its chain holds.
func (tx *Tx) Verify(game string) error {
	var last chain.Link
	return tx.Entries(game, 0, func(e chain.Entry) error {
		if e.Seq != last.Seq+1 {
			return fmt.Errorf("verify log %s: entry %d comes after %d", game, e.Seq, last.Seq)
		}
		if chain.Follow(last, e.Salt, e.Body, e.Private).Hash != e.Hash {
			return fmt.Errorf("verify log %s: the hash of entry %d does not fit", game, e.Seq)
		}
		last = e.Link
		return nil
	})
}

// Mark notes that a letter was taken in, under its digest.
func (tx *Tx) Mark(digest [sha256.Size]byte, note []byte) error {
	return tx.put(bucketMarks, digest[:], append([]byte{1}, note...))
}

// Marked gives the note of a letter, and whether it was taken in.
func (tx *Tx) Marked(digest [sha256.Size]byte) (note []byte, taken bool) {
	v := tx.tx.Bucket(bucketMarks).Get(digest[:])
	if len(v) == 0 {
		return nil, false
	}
	return bytes.Clone(v[1:]), true
}

// Marks calls f for all letters that were taken in, with their notes, until it returns
// an error.
func (tx *Tx) Marks(f func(digest [sha256.Size]byte, note []byte) error) error {
	return tx.tx.Bucket(bucketMarks).ForEach(func(k, v []byte) error {
		if len(k) != sha256.Size || len(v) == 0 {
			return nil
		}
		return f([sha256.Size]byte(k), bytes.Clone(v[1:]))
	})
}

// Unmark forgets that a letter was taken in.
func (tx *Tx) Unmark(digest [sha256.Size]byte) error { return tx.drop(bucketMarks, digest[:]) }

// UnmarkID forgets under which Message-ID a content came.
func (tx *Tx) UnmarkID(id string) error {
	key := sha256.Sum256([]byte(id))
	return tx.drop(bucketIDs, key[:])
}

// MarkID notes under which Message-ID a content came. The first one stays.
func (tx *Tx) MarkID(id string, content [sha256.Size]byte) error {
	key := sha256.Sum256([]byte(id))
	if tx.tx.Bucket(bucketIDs).Get(key[:]) != nil {
		return nil
	}
	return tx.put(bucketIDs, key[:], content[:])
}

// MarkedID gives the digest of the content that came under a Message-ID.
func (tx *Tx) MarkedID(id string) (content [sha256.Size]byte, taken bool) {
	key := sha256.Sum256([]byte(id))
	v := tx.tx.Bucket(bucketIDs).Get(key[:])
	copy(content[:], v)
	return content, v != nil
}

// A Row is a letter in the outbox.
type Row struct {
	ID   uint64
	Due  time.Time // when to try to send it; zero: never again
	Body []byte
}

// Queue puts a new row into the outbox and gives its number. Rows that are due
// at one time come in the order of their numbers.
func (tx *Tx) Queue(due time.Time, body []byte) (uint64, error) {
	tx.dirty = true
	id, err := tx.tx.Bucket(bucketOutbox).NextSequence()
	if err != nil {
		return 0, fmt.Errorf("number row: %w", err)
	}
	return id, tx.PutRow(Row{ID: id, Due: due, Body: body})
}

// PutRow writes a row anew.
func (tx *Tx) PutRow(row Row) error {
	key := number(row.ID)
	if old := tx.tx.Bucket(bucketOutbox).Get(key); len(old) >= 8 && !bytes.Equal(old[:8], make([]byte, 8)) {
		if err := tx.drop(bucketDue, append(bytes.Clone(old[:8]), key...)); err != nil {
			return err
		}
	}
	var due [8]byte
	if !row.Due.IsZero() {
		copy(due[:], timeKey(row.Due))
		if err := tx.put(bucketDue, append(due[:], key...), nil); err != nil {
			return err
		}
	}
	return tx.put(bucketOutbox, key, append(due[:8:8], row.Body...))
}

// Row gives a row, and whether there is one of that number.
func (tx *Tx) Row(id uint64) (Row, bool) {
	v := tx.tx.Bucket(bucketOutbox).Get(number(id))
	if len(v) < 8 {
		return Row{}, false
	}
	row := Row{ID: id, Body: bytes.Clone(v[8:])}
	if !bytes.Equal(v[:8], make([]byte, 8)) {
		row.Due = keyTime(v)
	}
	return row, true
}

// Due gives the numbers of the rows that are due by a time, first the oldest,
// at most n.
func (tx *Tx) Due(by time.Time, n int) []uint64 {
	var ids []uint64
	limit := timeKey(by)
	c := tx.tx.Bucket(bucketDue).Cursor()
	for k, _ := c.First(); k != nil && len(ids) < n && bytes.Compare(k[:8], limit) <= 0; k, _ = c.Next() {
		ids = append(ids, binary.BigEndian.Uint64(k[8:]))
	}
	return ids
}

// Letters calls f for all rows by their numbers, until it returns an error. The body
// is good only during the call.
func (tx *Tx) Letters(f func(id uint64, body []byte) error) error {
	return tx.tx.Bucket(bucketOutbox).ForEach(func(k, v []byte) error {
		if len(k) != 8 || len(v) < 8 {
			return nil // [Store.Check] tells it
		}
		return f(binary.BigEndian.Uint64(k), v[8:])
	})
}

// Waiting calls f for the rows that wait to be sent, first the one that is due first,
// at most n, until it returns an error. The body is good only during the call.
func (tx *Tx) Waiting(n int, f func(id uint64, body []byte) error) error {
	c := tx.tx.Bucket(bucketDue).Cursor()
	for k, _ := c.First(); k != nil && n > 0; k, _ = c.Next() {
		n--
		v := tx.tx.Bucket(bucketOutbox).Get(k[8:])
		if len(v) < 8 {
			continue
		}
		if err := f(binary.BigEndian.Uint64(k[8:]), v[8:]); err != nil {
			return err
		}
	}
	return nil
}

// FirstDue gives the time at which the next row is due.
func (tx *Tx) FirstDue() (time.Time, bool) {
	k, _ := tx.tx.Bucket(bucketDue).Cursor().First()
	if k == nil {
		return time.Time{}, false
	}
	return keyTime(k), true
}

// Wake sets when a game wants to be looked at next; the zero time: not.
func (tx *Tx) Wake(game string, at time.Time) error {
	old := tx.tx.Bucket(bucketWakeOf).Get([]byte(game))
	if old != nil {
		if !at.IsZero() && bytes.Equal(old, timeKey(at)) {
			return nil
		}
		if err := tx.drop(bucketWake, append(bytes.Clone(old), game...)); err != nil {
			return err
		}
	}
	if at.IsZero() {
		if old == nil {
			return nil
		}
		return tx.drop(bucketWakeOf, []byte(game))
	}
	if err := tx.put(bucketWakeOf, []byte(game), timeKey(at)); err != nil {
		return err
	}
	return tx.put(bucketWake, timeKey(at, []byte(game)...), nil)
}

// Waking gives the games that want to be looked at by a time, first the one
// that has waited longest, at most n.
func (tx *Tx) Waking(by time.Time, n int) []string {
	var games []string
	limit := timeKey(by)
	c := tx.tx.Bucket(bucketWake).Cursor()
	for k, _ := c.First(); k != nil && len(games) < n && bytes.Compare(k[:8], limit) <= 0; k, _ = c.Next() {
		games = append(games, string(k[8:]))
	}
	return games
}

// FirstWake gives the time at which the next game wants to be looked at.
func (tx *Tx) FirstWake() (time.Time, bool) {
	k, _ := tx.tx.Bucket(bucketWake).Cursor().First()
	if k == nil {
		return time.Time{}, false
	}
	return keyTime(k), true
}

// Join notes that an address takes part in a game.
func (tx *Tx) Join(address, game string) error {
	if strings.IndexByte(address, 0) >= 0 {
		return fmt.Errorf("join %s: address %q has a zero byte", game, address)
	}
	return tx.put(bucketAddress, within(address, []byte(game)...), nil)
}

// Leave notes that an address no longer takes part in a game.
func (tx *Tx) Leave(address, game string) error {
	return tx.drop(bucketAddress, within(address, []byte(game)...))
}

// GamesOf gives the games that an address takes part in, at most n, in the
// order of their ids.
func (tx *Tx) GamesOf(address string, n int) []string {
	var games []string
	prefix := within(address)
	c := tx.tx.Bucket(bucketAddress).Cursor()
	for k, _ := c.Seek(prefix); bytes.HasPrefix(k, prefix) && len(games) < n; k, _ = c.Next() {
		games = append(games, string(k[len(prefix):]))
	}
	return games
}

// PutBlob keeps bytes that many rows share, once, and gives their digest.
func (tx *Tx) PutBlob(data []byte) ([sha256.Size]byte, error) {
	key := sha256.Sum256(data)
	if tx.tx.Bucket(bucketBlobs).Get(key[:]) != nil {
		return key, nil
	}
	return key, tx.put(bucketBlobs, key[:], data)
}

// HasBlob tells whether bytes are kept under a digest.
func (tx *Tx) HasBlob(digest [sha256.Size]byte) bool {
	return tx.tx.Bucket(bucketBlobs).Get(digest[:]) != nil
}

// Blob gives bytes back by their digest, or nil.
func (tx *Tx) Blob(digest [sha256.Size]byte) []byte { return tx.get(bucketBlobs, digest[:]) }
