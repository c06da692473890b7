package postgres

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/packed"
	"berthier/adjudicator/store"
)

// mostTries is how often a commit is tried that met another one at the same rows.
const mostTries = 20

// Whoever has locked rows and then freezes, or loses its power, must not keep them from all others: the server undoes a transaction
// in which nothing was said for idleIn, and finds out that the other side of a line is gone without a word. What waits for rows
// for locksIn is tried again from the beginning. It is said in each transaction, for that one alone.
const (
	idleIn  = 4 * time.Second // others take over after [leader.DeadAfter], which is more
	locksIn = 5 * time.Second

	bounded = `select concat(set_config('idle_in_transaction_session_timeout', $1, true), set_config('lock_timeout', $2, true),
		set_config('tcp_keepalives_idle', '2', true), set_config('tcp_keepalives_interval', '1', true), set_config('tcp_keepalives_count', '3', true))`
)

// bounds are the arguments of bounded.
func (opt Options) bounds() []any {
	idle, locks := idleIn, locksIn
	if opt.idle > 0 {
		idle, locks = opt.idle, 2*opt.idle
	}
	return []any{fmt.Sprint(idle.Milliseconds()), fmt.Sprint(locks.Milliseconds())}
}

// bound bounds a transaction in the same way; locks 0: what it waits for may take as long as it likes.
func (opt Options) bound(ctx context.Context, tx pgx.Tx, locks time.Duration) error {
	args := opt.bounds()
	if locks == 0 {
		args[1] = "0"
	}
	_, err := tx.Exec(ctx, bounded, args...)
	return err
}

// tooSlow tells whether the server has undone a transaction since nothing was said in it for too long: then it has not read
// what was said later, the word to commit among it.
func tooSlow(err error) bool {
	var said *pgconn.PgError
	return errors.As(err, &said) && said.Code == "25P03"
}

// errAgain: another change was quicker in a way that only the server could see. Read again, it is
// known what of.
var errAgain = errors.New("another change was quicker")

// Commit implements [store.Store].
func (s *Store) Commit(ctx context.Context, c store.Change) error {
	if s.opt.ReadOnly {
		return store.ErrReadOnly
	}
	if err := c.Formed(); err != nil {
		return err
	}
	for _, b := range c.Blobs {
		if sha256.Sum256(b.Data) != b.Digest {
			return fmt.Errorf("keep %x: these bytes have another digest", b.Digest)
		}
	}
	err := s.use(ctx, func(ctx context.Context) error {
		for n := 1; ; n++ {
			err := s.try(ctx, &c)
			if n == mostTries || !errors.Is(err, errAgain) || ctx.Err() != nil {
				return err
			}
		}
	})
	switch {
	case err == nil:
		s.failed.Store(nil)
		for _, o := range c.Outgoing {
			for was := s.given.Load(); o.ID > was && !s.given.CompareAndSwap(was, o.ID); was = s.given.Load() {
			}
		}
	case !errors.Is(err, store.ErrOutOfStep) && !errors.Is(err, store.ErrTaken) && !errors.Is(err, store.ErrClosed) && ctx.Err() == nil:
		s.failed.Store(&err)
	}
	return err
}

// answerIn is how long the server may take for one change. A line on which nothing passes any more is not noticed otherwise.
const answerIn = time.Minute

// try makes one transaction of a change. Once the server has it, the outcome is waited for, up to [answerIn].
func (s *Store) try(ctx context.Context, c *store.Change) error {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	defer conn.Release()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), answerIn)
	defer cancel()
	defer context.AfterFunc(s.life, cancel)()
	w := &writer{s: s, c: c, conn: conn}
	err = w.look(ctx)
	if err == nil {
		err = w.open(ctx)
	}
	if err == nil {
		err = w.fits()
	}
	if err == nil {
		err = w.write(ctx)
	}
	if err == nil {
		return nil
	}
	_, undo := conn.Exec(ctx, `rollback`)
	switch {
	case tooSlow(err): // the server has undone it by itself
		conn.Conn().Close(ctx)
		return fmt.Errorf("%w: %w", errAgain, err)
	case undo != nil && w.sent:
		// The server may have it or not. Its number of the transaction does not tell: a server that
		// has died gives the same number to another. Whoever reads again finds out, and a change
		// that was written can't be written twice.
		return fmt.Errorf("%w: %w", ErrUnknown, err)
	case lost(err) && !w.sent: // a connection from before the server's last start
		conn.Conn().Close(ctx)
		return fmt.Errorf("%w: %w", errAgain, err)
	}
	return err
}

// A writer writes one change in a transaction.
type writer struct {
	s    *Store
	c    *store.Change
	conn *pgxpool.Conn
	sent bool // the word to commit went out

	// What there is, read and locked.
	fenced   bool // another process has this member's name
	there    bool // the game has a row
	last     chain.Link
	record   store.Version
	old      map[uint64]logged      // of which something is taken out
	apart    map[uint64]chain.Entry // that lay in one block with these: each is kept by itself again
	loose    []logged               // that lie in no block, if they are to be put into some
	values   map[string]store.Version
	letters  map[uint64]store.Version
	reserved int64
	taken    bool              // the digest of the letter that comes in
	names    map[string][]byte // by their keys, what came under them

	// What is put into blocks: of so many entries, by their numbers, how they are kept.
	settled []uint64
	blocks  []packed.Kept
}

// fence finds this member if nobody has begun anew under its name, or deposed it, and keeps that so until the transaction ends:
// who would do it waits, so that when it is done nothing of before is under way.
const fence = `select 1 from members where name = $1 and epoch = $2 for share`

// A query asks something, and reads the answer.
type query struct {
	sql  string
	args []any
	read func(pgx.Rows) error
}

// each reads every row of an answer.
func each(to []any, f func() error) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		_, err := pgx.ForEachRow(rows, to, f)
		return err
	}
}

// look reads what a change was made from, and locks it, in one round trip. Rows of one kind are
// locked in the order of their keys.
func (w *writer) look(ctx context.Context) error {
	w.fenced = true
	mode := `on`
	if w.s.opt.NoSync {
		mode = `off`
	}
	ask := []query{
		{`begin`, nil, nil},
		{bounded, w.s.opt.bounds(), each([]any{nil}, func() error { return nil })},
		{`select set_config('synchronous_commit', $1, true)`, []any{mode}, each([]any{nil}, func() error { return nil })},
		{fence, []any{w.s.opt.Member, w.s.epoch}, each([]any{nil}, func() error { w.fenced = false; return nil })},
	}
	ask = append(ask, w.lookAtGame()...)
	ask = append(ask, w.lookAtRest()...)
	batch := &pgx.Batch{}
	for _, q := range ask {
		batch.Queue(q.sql, q.args...)
	}
	return w.send(ctx, batch, ask)
}

// send sends statements together and reads their answers.
func (w *writer) send(ctx context.Context, batch *pgx.Batch, ask []query) (err error) {
	results := w.conn.SendBatch(ctx, batch)
	defer func() {
		if closed := results.Close(); err == nil && closed != nil {
			err = asRace(closed)
		}
	}()
	for _, q := range ask {
		if q.read == nil {
			if _, err := results.Exec(); err != nil {
				return asRace(err)
			}
			continue
		}
		rows, err := results.Query()
		if err == nil {
			err = q.read(rows)
		}
		if err != nil {
			return asRace(err)
		}
	}
	return nil
}

// asRace tells which errors of the server mean that another change was quicker.
func asRace(err error) error {
	var said *pgconn.PgError
	if errors.As(err, &said) && slices.Contains([]string{
		"23505", // a key is taken
		"40001", // serialization failure
		"40P01", // two waited for each other
		"55P03", // somebody has held a row for [locksIn]
	}, said.Code) {
		return fmt.Errorf("commit: %w: %w", errAgain, err)
	}
	return fmt.Errorf("commit: %w", err)
}

func (w *writer) lookAtGame() (ask []query) {
	if w.c.Game == "" {
		return nil
	}
	var hash, record []byte
	ask = append(ask, query{`select seq, hash, sha256(record) from games where id = $1 for update`, []any{w.c.Game}, each([]any{(*number)(&w.last.Seq), &hash, &record}, func() error {
		w.there = true
		copy(w.last.Hash[:], hash)
		copy(w.record[:], record)
		return nil
	})})
	if len(w.c.Redact) > 0 {
		var seqs []uint64
		for _, e := range w.c.Redact {
			seqs = append(seqs, e.Seq)
		}
		w.old = map[uint64]logged{}
		ask = append(ask, query{selectLog + ` and seq = any($2)`, []any{w.c.Game, signed(seqs)}, func(rows pgx.Rows) error {
			entries, err := pgx.CollectRows(rows, loggedOf)
			for _, l := range entries {
				w.old[l.entry.Seq] = l
			}
			return err
		}})
	}
	if w.c.Settle {
		ask = append(ask, query{selectLog + ` and word is null`, []any{w.c.Game}, func(rows pgx.Rows) (err error) {
			w.loose, err = pgx.CollectRows(rows, loggedOf)
			return err
		}})
	}
	return ask
}

func (w *writer) lookAtRest() (ask []query) {
	if len(w.c.Values) > 0 {
		w.values = map[string]store.Version{}
		var name, sum []byte
		ask = append(ask, query{`select name, sha256(data) from notes where name = any($1) order by name for update`, []any{w.valueNames()}, each([]any{&name, &sum}, func() error {
			w.values[string(name)] = store.Version(sum)
			return nil
		})})
	}
	if len(w.c.Outgoing) > 0 {
		w.letters = map[uint64]store.Version{}
		var ids []uint64
		for _, o := range w.c.Outgoing {
			ids = append(ids, o.ID)
		}
		var id int64
		var sum []byte
		ask = append(ask,
			// As [store.Outgoing.Version] has it.
			query{`select id, sha256(int8send(due) || body) from outbox where id = any($1) order by id for update`, []any{signed(ids)}, each([]any{&id, &sum}, func() error {
				w.letters[uint64(id)] = store.Version(sum)
				return nil
			})},
			query{`select last from numbers`, nil, each([]any{&w.reserved}, func() error { return nil })})
	}
	if m := w.c.Mark; m != nil {
		w.names = map[string][]byte{}
		keys := [][]byte{}
		for _, n := range m.Names {
			keys = append(keys, keyOf(n))
		}
		var key, content []byte
		ask = append(ask,
			query{`select 1 from marks where digest = $1`, []any{m.Digest[:]}, each([]any{nil}, func() error { w.taken = true; return nil })},
			query{`select name, content from names where name = any($1)`, []any{keys}, each([]any{&key, &content}, func() error {
				w.names[string(key)] = bytes.Clone(content)
				return nil
			})})
	}
	return ask
}

// valueNames are the names of the values of a change, in their order.
func (w *writer) valueNames() (names [][]byte) {
	for _, name := range slices.Sorted(maps.Keys(w.c.Values)) {
		names = append(names, []byte(name))
	}
	return names
}

// fits tells whether a change still is made from what there is.
func (w *writer) fits() error {
	if w.fenced {
		return fmt.Errorf("commit: %w", store.ErrDeposed)
	}
	if m := w.c.Mark; m != nil {
		if w.taken {
			return store.ErrTaken
		}
		for _, n := range m.Names {
			if content, taken := w.names[string(keyOf(n))]; taken && (n.Once || bytes.Equal(content, n.Content[:])) {
				return store.ErrTaken
			}
		}
	}
	for name, v := range w.c.Values {
		if w.values[name] != v.Was {
			return fmt.Errorf("value %q: %w", name, store.ErrOutOfStep)
		}
	}
	for _, o := range w.c.Outgoing {
		switch {
		case w.letters[o.ID] != o.Was:
			return fmt.Errorf("letter %d: %w", o.ID, store.ErrOutOfStep)
		case o.ID == 0 || o.ID > uint64(w.reserved):
			return fmt.Errorf("letter %d: its number was not reserved", o.ID)
		}
	}
	return w.fitsGame()
}

// fitsGame tells whether a game still is what a change was made from, and whether the new
// entries follow its log.
func (w *writer) fitsGame() error {
	c := w.c
	if c.Game == "" {
		return nil
	}
	if w.last != c.After {
		return fmt.Errorf("log of %s: %w", c.Game, store.ErrOutOfStep)
	}
	if w.record != c.Was {
		return fmt.Errorf("record of %s: %w", c.Game, store.ErrOutOfStep)
	}
	last := w.last
	for _, e := range c.Entries {
		if !e.Holds(last) {
			return fmt.Errorf("append entry %s/%d: %w", c.Game, e.Seq, store.ErrOutOfStep)
		}
		last = e.Link
	}
	for _, e := range c.Redact {
		if old, there := w.old[e.Seq]; !there || !old.entry.RedactedAs(e) {
			return fmt.Errorf("redact entry %s/%d: %w", c.Game, e.Seq, store.ErrOutOfStep)
		}
	}
	w.last = last
	return w.settle()
}

// write writes a change and commits, in one round trip. A row that another change has made
// meanwhile is found by its key: then the change is tried again from the beginning.
func (w *writer) write(ctx context.Context) error {
	batch := &pgx.Batch{}
	w.writeGame(batch)
	w.writeValues(batch)
	w.writeLetters(batch)
	w.writeWakes(batch)
	w.writeMarks(batch)
	batch.Queue(`commit`)
	ask := make([]query, batch.Len())
	w.sent = true
	return w.send(ctx, batch, ask)
}

func (w *writer) writeGame(batch *pgx.Batch) {
	c := w.c
	if c.Game == "" {
		return
	}
	if w.there {
		if len(c.Entries) > 0 || c.Record != nil || c.Snapshot != nil || c.Tags != nil {
			batch.Queue(`update games set seq = $2, hash = $3, record = coalesce($4, record), snapshot = coalesce($5, snapshot), tagged = case when $6 then $7 else tagged end where id = $1`,
				c.Game, int64(w.last.Seq), w.last.Hash[:], c.Record, c.Snapshot, c.Record != nil || c.Tags != nil, w.tagged())
		}
	} else {
		batch.Queue(`insert into games (id, seq, hash, record, snapshot, tagged) values ($1, $2, $3, $4, $5, $6)`, c.Game, int64(w.last.Seq), w.last.Hash[:], c.Record, c.Snapshot, w.tagged())
	}
	w.writeTags(batch)
	for _, e := range c.Entries {
		batch.Queue(`insert into log (game, seq, salt, hash, body, private, was) values ($1, $2, $3, $4, $5, $6, $7)`, c.Game, int64(e.Seq), e.Salt[:], e.Hash[:], full(e.Body), full(e.Private), e.Was)
	}
	for _, seq := range slices.Sorted(maps.Keys(w.apart)) {
		e := w.apart[seq]
		batch.Queue(`update log set body = $3, private = $4, was = $5, word = null where game = $1 and seq = $2`, c.Game, int64(seq), full(e.Body), full(e.Private), e.Was)
	}
	for _, e := range c.Redact {
		batch.Queue(`update log set salt = $3, private = $4, was = $5 where game = $1 and seq = $2`, c.Game, int64(e.Seq), e.Salt[:], full(e.Private), e.Was)
	}
	for i, k := range w.blocks {
		batch.Queue(`update log set body = $3, private = '', was = null, word = $4 where game = $1 and seq = $2`, c.Game, int64(w.settled[i]), k.Rest, int64(k.Word))
	}
	for _, p := range c.History {
		batch.Queue(`insert into history (game, seq, position) values ($1, $2, $3) on conflict (game, seq) do update set position = excluded.position`, c.Game, int64(p.Seq), full(p.Data))
	}
	for _, name := range slices.Sorted(maps.Keys(c.Answers)) {
		if answer := c.Answers[name]; answer != nil {
			batch.Queue(`insert into answers (game, name, answer) values ($1, $2, $3) on conflict (game, name) do update set answer = excluded.answer`, c.Game, []byte(name), answer)
		} else {
			batch.Queue(`delete from answers where game = $1 and name = $2`, c.Game, []byte(name))
		}
	}
	for _, address := range c.Leave {
		batch.Queue(`delete from addresses where address = $1 and game = $2`, []byte(address), c.Game)
	}
	for _, address := range c.Join {
		batch.Queue(`insert into addresses (address, game) values ($1, $2) on conflict do nothing`, []byte(address), c.Game)
	}
	for _, p := range c.Pages {
		if p.Gone {
			batch.Queue(`delete from pages where game = $1 and seat = $2 and n = $3`, c.Game, []byte(p.Seat), int64(p.N))
			continue
		}
		batch.Queue(`insert into pages (game, seat, n, page) values ($1, $2, $3, $4) on conflict (game, seat, n) do update set page = excluded.page`, c.Game, []byte(p.Seat), int64(p.N), full(p.Data))
	}
}

// tagged is the version of the record that the tags of a change are of; nil: it has none.
func (w *writer) tagged() []byte {
	if w.c.Tags == nil {
		return nil
	}
	v := w.record
	if w.c.Record != nil {
		v = store.VersionOf(w.c.Record)
	}
	return v[:]
}

// writeTags gives the game the tags of the change in the place of those that it had.
func (w *writer) writeTags(batch *pgx.Batch) {
	switch c := w.c; {
	case c.Tags != nil:
		batch.Queue(`with gone as (delete from tags where game = $1 and tag <> all($2))
			insert into tags (game, tag) select $1, tag from unnest($2) as tag on conflict do nothing`, c.Game, c.Tags)
	case c.Record != nil && w.there:
		batch.Queue(`delete from tags where game = $1`, c.Game)
	}
}

// full gives bytes that are never null for the server: none are as good as nil ones.
func full(data []byte) []byte {
	if data == nil {
		return []byte{}
	}
	return data
}

func (w *writer) writeValues(batch *pgx.Batch) {
	for _, name := range slices.Sorted(maps.Keys(w.c.Values)) {
		key, data := []byte(name), w.c.Values[name].Data
		switch _, there := w.values[name]; {
		case data == nil:
			batch.Queue(`delete from notes where name = $1`, key)
		case there:
			batch.Queue(`update notes set data = $2 where name = $1`, key, data)
		default:
			batch.Queue(`insert into notes (name, data) values ($1, $2)`, key, data)
		}
	}
}

func (w *writer) writeLetters(batch *pgx.Batch) {
	out := slices.Clone(w.c.Outgoing)
	slices.SortFunc(out, func(a, b store.Outgoing) int { return int(int64(a.ID) - int64(b.ID)) })
	if w.c.Reserved > 0 {
		batch.Queue(`update numbers set last = greatest(last, $1)`, int64(w.c.Reserved))
	}
	for _, o := range out {
		if _, there := w.letters[o.ID]; o.Gone {
			batch.Queue(`delete from outbox where id = $1`, int64(o.ID))
		} else if there {
			batch.Queue(`update outbox set due = $2, body = $3, claimed = 0, claimer = '' where id = $1`, int64(o.ID), nanos(o.Due), full(o.Body))
		} else {
			batch.Queue(`insert into outbox (id, due, body) values ($1, $2, $3)`, int64(o.ID), nanos(o.Due), full(o.Body))
		}
	}
}

// writeWakes writes when games want to be looked at, and what letters share: rows that several
// changes may write without knowing of each other.
func (w *writer) writeWakes(batch *pgx.Batch) {
	for _, game := range slices.Sorted(maps.Keys(w.c.Wake)) {
		if at := w.c.Wake[game]; at.IsZero() {
			batch.Queue(`delete from wake where game = $1`, game)
		} else {
			batch.Queue(`insert into wake as w (game, at) values ($1, $2) on conflict (game) do update set at = excluded.at where w.at <> excluded.at`, game, nanos(at))
		}
	}
	blobs := slices.Clone(w.c.Blobs)
	slices.SortFunc(blobs, func(a, b store.Blob) int { return bytes.Compare(a.Digest[:], b.Digest[:]) })
	for _, b := range blobs {
		batch.Queue(`insert into blobs (digest, data) values ($1, $2) on conflict do nothing`, b.Digest[:], full(packed.Blob(b.Data)))
	}
}

// writeMarks writes that a letter was taken in, and removes marks that are to be forgotten. A name that
// another letter has, too, stays: the first letter that had it may be a player's.
func (w *writer) writeMarks(batch *pgx.Batch) {
	forget := slices.Clone(w.c.Forget)
	slices.SortFunc(forget, func(a, b store.Mark) int { return bytes.Compare(a.Digest[:], b.Digest[:]) })
	for _, m := range forget {
		batch.Queue(`delete from marks where digest = $1`, m.Digest[:])
		for _, n := range m.Names {
			batch.Queue(`delete from names where name = $1 and content = $2`, keyOf(n), n.Content[:])
		}
	}
	m := w.c.Mark
	if m == nil {
		return
	}
	if m.Digest != ([sha256.Size]byte{}) {
		batch.Queue(`insert into marks (digest, result) values ($1, $2)`, m.Digest[:], full(m.Result))
	}
	names := map[string][]byte{}
	for _, n := range m.Names {
		if key := string(keyOf(n)); names[key] == nil {
			names[key] = bytes.Clone(n.Content[:]) // the first one stays
		}
	}
	for _, key := range slices.Sorted(maps.Keys(names)) {
		if _, there := w.names[key]; there {
			batch.Queue(`insert into names (name, content) values ($1, $2) on conflict do nothing`, []byte(key), names[key])
		} else {
			batch.Queue(`insert into names (name, content) values ($1, $2)`, []byte(key), names[key])
		}
	}
}
