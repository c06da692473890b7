package postgres

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/packed"
	"berthier/adjudicator/store"
)

// Read implements [store.Store]: f sees the state at its first look.
func (s *Store) Read(ctx context.Context, f func(store.Reader) error) error {
	begun := false // f is not run twice: it may have kept what it read
	return s.again(ctx, func(ctx context.Context) error {
		if begun {
			return errHalfRead
		}
		return pgx.BeginTxFunc(ctx, s.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
			begun = true
			return safely(func() error { return f(reader{ctx, tx}) })
		})
	})
}

// safely runs f, which reads by a [reader], and gives what a read that failed panicked with.
func safely(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			lost, ok := p.(unread)
			if !ok {
				panic(p)
			}
			err = fmt.Errorf("read database: %w", lost.error)
		}
	}()
	return f()
}

// errHalfRead: the connection was lost in the middle of a read.
var errHalfRead = errors.New("read database: the connection was lost in the middle")

// unread ends a read of which a method can't return the error.
type unread struct{ error }

// A reader reads in a transaction.
type reader struct {
	ctx context.Context
	tx  pgx.Tx
}

// perPage is how many rows are read at once: f may read something else before the next.
const perPage = 200

// one reads one row, and tells whether there is one.
func (r reader) one(to []any, query string, args ...any) bool {
	err := r.tx.QueryRow(r.ctx, query, args...).Scan(to...)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return false
	case err != nil:
		panic(unread{err})
	}
	return true
}

// bytes reads one value of bytes; nil if there is none.
func (r reader) bytes(query string, args ...any) (value []byte) {
	r.one([]any{&value}, query, args...)
	return value
}

// all reads rows.
func all[T any](r reader, of func(pgx.CollectableRow) (T, error), query string, args ...any) []T {
	rows, err := r.tx.Query(r.ctx, query, args...)
	if err != nil {
		panic(unread{err})
	}
	got, err := pgx.CollectRows(rows, of)
	if err != nil {
		panic(unread{err})
	}
	return got
}

// walk gives f the rows of a query one after the other, and reads [perPage] of them at a time: next
// reads those behind a row, nil for the first ones.
func walk[T any](next func(behind *T) []T, f func(T) error) error {
	var behind *T
	for {
		rows := next(behind)
		for i := range rows {
			if err := f(rows[i]); err != nil {
				return err
			}
		}
		if len(rows) < perPage {
			return nil
		}
		behind = &rows[len(rows)-1]
	}
}

// A pair is a row of a key and a value.
type pair[K any] struct {
	key   K
	value []byte
}

func pairOf[K any](row pgx.CollectableRow) (p pair[K], err error) {
	err = row.Scan(&p.key, &p.value)
	return p, err
}

// Game implements [store.Reader].
func (r reader) Game(game string) []byte {
	return r.bytes(`select record from games where id = $1`, game)
}

// Games implements [store.Reader].
func (r reader) Games(f func(game string, record []byte) error) error {
	return walk(func(behind *pair[string]) []pair[string] {
		after := ""
		if behind != nil {
			after = behind.key
		}
		return all(r, pairOf[string], `select id, record from games where id > $1 and record is not null order by id limit $2`, after, perPage)
	}, func(p pair[string]) error { return f(p.key, p.value) })
}

// Snapshot implements [store.Reader].
func (r reader) Snapshot(game string) []byte {
	return r.bytes(`select snapshot from games where id = $1`, game)
}

// Answer implements [store.Reader].
func (r reader) Answer(game, name string) []byte {
	return r.bytes(`select answer from answers where game = $1 and name = $2`, game, []byte(name))
}

// Tagged implements [store.Reader]. A program of before tags leaves those of the record of before it behind.
func (r reader) Tagged(from, before string, f func(tag, game string) error) error {
	stale := map[string]bool{}
	for _, id := range untaggedIn(r) {
		stale[id] = true
	}
	type row struct{ Tag, Game string }
	behind := row{Tag: from}
	for {
		rows := all(r, pgx.RowToStructByPos[row], `select tag, game from tags where (tag, game) > ($1, $2 collate "C") and tag < $3 order by tag, game limit $4`, behind.Tag, behind.Game, before, perPage)
		skip := false
		for _, at := range rows {
			if skip && at.Tag == behind.Tag {
				continue
			}
			if behind, skip = at, false; stale[at.Game] {
				continue
			}
			if err := f(at.Tag, at.Game); err == store.ErrNextTag {
				skip = true
			} else if err != nil {
				return err
			}
		}
		switch {
		case skip:
			behind = row{Tag: behind.Tag + "\x01"} // no tag lies between: none has a byte before that
		case len(rows) < perPage:
			return nil
		}
	}
}

// untaggedIn gives the games whose record was committed without tags, in the order of their ids.
func untaggedIn(r reader) []string {
	ids := all(r, pgx.RowTo[string], `select untagged()`)
	slices.Sort(ids)
	return ids
}

// Untagged implements [store.Reader].
func (r reader) Untagged(f func(game string, record []byte) error) error {
	for _, id := range untaggedIn(r) {
		if err := f(id, r.Game(id)); err != nil {
			return err
		}
	}
	return nil
}

// GamesOf implements [store.Reader].
func (r reader) GamesOf(address string, n int) []string {
	return all(r, pgx.RowTo[string], `select game from addresses where address = $1 order by game limit $2`, []byte(address), int64(n))
}

// Pages implements [store.Reader].
func (r reader) Pages(game, name string, f func(n uint64, page []byte) error) error {
	return walk(func(behind *pair[int64]) []pair[int64] {
		after := int64(-1)
		if behind != nil {
			after = behind.key
		}
		return all(r, pairOf[int64], `select n, page from pages where game = $1 and seat = $2 and n > $3 order by n limit $4`, game, []byte(name), after, perPage)
	}, func(p pair[int64]) error { return f(uint64(p.key), p.value) })
}

// Last implements [store.Reader].
func (r reader) Last(game string) (l chain.Link) {
	var hash []byte
	r.one([]any{(*number)(&l.Seq), &hash}, `select seq, hash from games where id = $1`, game)
	copy(l.Hash[:], hash)
	return l
}

// Entry implements [store.Reader].
func (r reader) Entry(game string, seq uint64) (chain.Entry, bool, error) {
	got := all(r, loggedOf, selectLog+` and seq = $2`, game, int64(seq))
	if len(got) == 0 {
		return chain.Entry{}, false, nil
	}
	e, err := got[0].read(r.blocks(game))
	return e, err == nil, err
}

// Entries implements [store.Reader].
func (r reader) Entries(game string, from uint64, f func(chain.Entry) error) error {
	blocks := r.blocks(game)
	return walk(func(behind *logged) []logged {
		if behind != nil {
			from = behind.entry.Seq + 1
		}
		return all(r, loggedOf, selectLog+` and seq >= $2 order by seq limit $3`, game, int64(from), perPage)
	}, func(l logged) error {
		e, err := l.read(blocks)
		if err != nil {
			return err
		}
		return f(e)
	})
}

// A logged entry is one as it is kept: in full, or without what lies in a block.
type logged struct {
	entry chain.Entry
	block packed.Kept // zero: it lies in none
}

// selectLog asks for entries of a game's log, for [loggedOf].
const selectLog = `select seq, salt, hash, body, private, was, word from log where game = $1`

func loggedOf(row pgx.CollectableRow) (l logged, err error) {
	e := &l.entry
	var salt, hash []byte
	var word *int64
	err = row.Scan((*number)(&e.Seq), &salt, &hash, &e.Body, &e.Private, &e.Was, &word)
	if err == nil && (len(salt) != len(e.Salt) || len(hash) != len(e.Hash)) {
		err = fmt.Errorf("%w: entry %d of a log is too short", store.ErrDamaged, e.Seq)
	}
	copy(e.Salt[:], salt)
	copy(e.Hash[:], hash)
	if word != nil {
		l.block, e.Body, e.Private, e.Was = packed.Kept{Word: uint32(*word), Rest: e.Body}, nil, nil, nil
	}
	return l, err
}

// read gives the entry in full.
func (l logged) read(blocks *packed.Reader) (chain.Entry, error) {
	if !l.block.InBlock() {
		return l.entry, nil
	}
	return blocks.Entry(l.entry.Link, l.entry.Salt, l.block)
}

// blocks reads the blocks of a game's log.
func (r reader) blocks(game string) *packed.Reader {
	return packed.NewReader(func(seq uint64) (k packed.Kept) {
		for _, l := range all(r, loggedOf, selectLog+` and seq = $2`, game, int64(seq)) {
			k = l.block
		}
		return k
	})
}

// Loose implements [store.Reader].
func (r reader) Loose(game string) (n int) {
	r.one([]any{&n}, `select count(*) from log where game = $1 and word is null`, game)
	return n
}

// History implements [store.Reader].
func (r reader) History(game string, seq uint64) []byte {
	return r.bytes(`select position from history where game = $1 and seq = $2`, game, int64(seq))
}

// Waking implements [store.Reader].
func (r reader) Waking(by time.Time, n int) []string {
	return all(r, pgx.RowTo[string], `select game from wake where at <= $1 order by at, game limit $2`, nanos(by), int64(n))
}

// FirstWake implements [store.Reader].
func (r reader) FirstWake() (time.Time, bool) {
	var at int64
	ok := r.one([]any{&at}, `select at from wake order by at limit 1`)
	return moment(at), ok
}

// Outgoing implements [store.Reader].
func (r reader) Outgoing(id uint64) (store.Outgoing, bool) {
	got := all(r, letterOf, `select id, due, body from outbox where id = $1`, int64(id))
	if len(got) == 0 {
		return store.Outgoing{}, false
	}
	return got[0], true
}

// Letters implements [store.Reader].
func (r reader) Letters(f func(id uint64, body []byte) error) error {
	return walk(func(behind *store.Outgoing) []store.Outgoing {
		after := int64(0)
		if behind != nil {
			after = int64(behind.ID)
		}
		return all(r, letterOf, `select id, due, body from outbox where id > $1 order by id limit $2`, after, perPage)
	}, func(o store.Outgoing) error { return f(o.ID, o.Body) })
}

// Due implements [store.Reader].
func (r reader) Due(by time.Time, n int) (ids []uint64) {
	for _, id := range all(r, pgx.RowTo[int64], `select id from outbox where due > 0 and due <= $1 order by due, id limit $2`, nanos(by), int64(n)) {
		ids = append(ids, uint64(id))
	}
	return ids
}

// Waiting implements [store.Reader].
func (r reader) Waiting(n int, f func(id uint64, start []byte) error) error {
	left := n
	return walk(func(behind *store.Outgoing) []store.Outgoing {
		due, id := int64(0), int64(0)
		if behind != nil {
			due, id = nanos(behind.Due), int64(behind.ID)
		}
		got := all(r, letterOf, `select id, due, substring(body for $4) from outbox where due > 0 and (due, id) > ($1, $2) order by due, id limit $3`, due, id, int64(min(left, perPage)), store.StartOfBody)
		left -= len(got)
		return got
	}, func(o store.Outgoing) error { return f(o.ID, o.Body) })
}

// FirstDue implements [store.Reader].
func (r reader) FirstDue() (time.Time, bool) {
	var due int64
	ok := r.one([]any{&due}, `select due from outbox where due > 0 order by due, id limit 1`)
	return moment(due), ok
}

// Blob implements [store.Reader].
func (r reader) Blob(digest [sha256.Size]byte) []byte {
	return packed.OpenBlob(digest, r.bytes(`select data from blobs where digest = $1`, digest[:]))
}

// Marked implements [store.Reader].
func (r reader) Marked(digest [sha256.Size]byte) (result []byte, taken bool) {
	taken = r.one([]any{&result}, `select result from marks where digest = $1`, digest[:])
	return result, taken
}

// Marks implements [store.Reader].
func (r reader) Marks(f func(digest [sha256.Size]byte, result []byte) error) error {
	return r.digests(`select digest, result from marks where digest > $1 order by digest limit $2`, f)
}

// MarkedID implements [store.Reader].
func (r reader) MarkedID(name string) (content [sha256.Size]byte, taken bool) {
	kept := r.bytes(`select content from names where name = $1`, keyOf(store.Name{Name: name}))
	copy(content[:], kept)
	return content, kept != nil
}

// keyOf is what is kept of a letter's name: strangers make names, of any length.
func keyOf(n store.Name) []byte {
	sum := n.Hashed()
	return sum[:]
}

// Value implements [store.Reader].
func (r reader) Value(name string) []byte {
	return r.bytes(`select data from notes where name = $1`, []byte(name))
}

// Values implements [store.Reader].
func (r reader) Values(prefix string, f func(name string, data []byte) error) error {
	from, end := []byte(prefix), after(prefix)
	return walk(func(behind *pair[[]byte]) []pair[[]byte] {
		if behind != nil {
			from = append(behind.key, 0) // the least name that comes after it
		}
		return all(r, pairOf[[]byte], `select name, data from notes where name >= $1 and ($2::bytea is null or name < $2) order by name limit $3`, from, end, perPage)
	}, func(p pair[[]byte]) error { return f(string(p.key), p.value) })
}

// after is the least name that comes after all names with a prefix; nil if there is none.
func after(prefix string) []byte {
	for end := []byte(prefix); len(end) > 0; end = end[:len(end)-1] {
		if last := len(end) - 1; end[last] < 0xff {
			end[last]++
			return end
		}
	}
	return nil
}
