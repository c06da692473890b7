// Package postgres is the store of an office in a database of PostgreSQL. It keeps the promises of
// [store.Store], and also these:
//
//   - A change is on the server's disk before Commit returns (synchronous_commit is set for each
//     transaction, whatever the server's own setting is).
//   - Several members of one office may use the database at once, each under a name of its own. A
//     member that begins anew deposes whoever still writes under its name ([store.ErrDeposed]).
//   - The server's secret lies outside: a copy of the database without it opens nothing
//     ([ErrSecret]).
//   - Nothing is kept in a session: no lock, no setting, no prepared statement outlives its
//     transaction, so that a pool of connections may stand in between.
//   - Who freezes in the middle of a write holds up the others for some seconds only: then the server undoes what
//     he has begun.
//
// What a change was made from is locked by rows, in one order for all (the game, values,
// letters, times, blobs, marks, each by name), so that no two changes wait for each other in a circle.
// A commit makes two round trips: one reads and locks, one writes and commits.
package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/puddle/v2"

	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/store"
)

// Errors on which a caller may branch, besides those of package store.
var (
	// ErrExists: there is an office in the database.
	ErrExists = errors.New("there is an office in the database already")
	// ErrForeign: the database is of something else, or no office was made in it.
	ErrForeign = errors.New("the database is no database of this program")
	// ErrNewer: the database was written by a newer program.
	ErrNewer = errors.New("the database was written by a newer version of the program; use that version")
	// ErrOlder: the database has an older schema, and was opened to be read.
	ErrOlder = errors.New("the database has an older schema, and is brought up to date only when it is opened to be written")
	// ErrSecret: the secret is not the one with which the office was made.
	ErrSecret = errors.New("the secret is not that of this office: put the file in place that belongs to the database (the copy of a database is worth nothing without it)")
	// ErrCopied: the database was put back from a copy, or is one.
	ErrCopied = errors.New("the database was put back from a copy, or is a copy: letters went out since that it does not know")
	// ErrHome: the database was not put back from a copy.
	ErrHome = errors.New("the database is where it was made, and was not put back from a copy")
	// ErrUnknown: the connection was lost at the word to commit. Whether the change was written is
	// found out by reading again.
	ErrUnknown = errors.New("the connection was lost at the word to commit: whether it was written is not known")
	// ErrMember: a member that writes has no name.
	ErrMember = errors.New("each member of an office needs a name of its own")
	// ErrOldServer: the server lacks what is asked of it.
	ErrOldServer = errors.New("the server's PostgreSQL is too old")
	// ErrPlain: what is said to a server elsewhere could be read or changed on its way.
	ErrPlain = errors.New("a database on another machine needs sslmode=verify-full (or verify-ca) in its address: without it, what is said to it could be read or changed on the way")
	// ErrURL: the address of the database can't be read.
	ErrURL = errors.New("the address of the database can't be read: it looks like postgres://user@host:5432/name")
)

// Options of [Open].
type Options struct {
	Secret [32]byte // the server's, as at [Create]
	Member string   // the name of this member of the office; not needed to read
	// NoSync lets a commit return before it is on the server's disk: a crash of the server may
	// then lose it, but spoils nothing. It is for tests.
	NoSync   bool
	ReadOnly bool // nothing is written ([store.ErrReadOnly])
	// Upgrade is asked before tables of an older schema are brought up to date; values gives the values of the database, as
	// [store.Reader] does. If it fails, Open fails with its error, and nothing was changed. Nil: nobody is asked.
	Upgrade func(values func(prefix string, f func(name string, data []byte) error) error) error
	// Least is a number that a letter is known to have had ([Store.Given]): a database that has not given so many is a copy ([ErrCopied]).
	Least uint64

	idle time.Duration // instead of [idleIn], in tests
}

// A Store is an open database.
type Store struct {
	pool   *pgxpool.Pool
	opt    Options
	epoch  int64
	failed atomic.Pointer[error] // of the last write; nil: it succeeded
	given  atomic.Uint64         // the highest number of a letter that was written
	life   context.Context       // ends when nothing is waited for any more
	end    context.CancelFunc

	mu     sync.Mutex
	closed bool
}

// mostConns is how many connections a member has at most, unless its address says
// pool_max_conns.
const mostConns = 32

// An Address is where a database is.
type Address struct {
	URL      string // postgres://user@host:5432/name?sslmode=verify-full
	Password string // if the URL has none

	tracer pgx.QueryTracer // sees all statements, in tests
}

// Where says where it is, without the password.
func (a Address) Where() string {
	config, err := a.config()
	if err != nil {
		return "postgres"
	}
	c := config.ConnConfig
	return fmt.Sprintf("postgres://%s/%s", net.JoinHostPort(c.Host, strconv.Itoa(int(c.Port))), c.Database)
}

// Check tells what is wrong with an address: [ErrURL], or [ErrPlain].
func (a Address) Check() error {
	_, err := a.config()
	return err
}

// config reads the address of a database. Statements are sent as they are, none is prepared.
func (a Address) config() (*pgxpool.Config, error) {
	url := a.URL
	if !strings.HasPrefix(url, "postgres://") && !strings.HasPrefix(url, "postgresql://") {
		return nil, ErrURL
	}
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, ErrURL // the error of the library may show the password
	}
	if a.Password != "" {
		config.ConnConfig.Password = a.Password
	}
	for _, way := range append([]*pgconn.FallbackConfig{{Host: config.ConnConfig.Host, TLSConfig: config.ConnConfig.TLSConfig}}, config.ConnConfig.Fallbacks...) {
		if near := net.ParseIP(way.Host).IsLoopback() || way.Host == "localhost" || strings.HasPrefix(way.Host, "/"); !near && (way.TLSConfig == nil || way.TLSConfig.InsecureSkipVerify && way.TLSConfig.VerifyPeerCertificate == nil) {
			return nil, ErrPlain
		}
	}
	config.ConnConfig.Tracer = a.tracer
	config.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeExec
	config.ConnConfig.StatementCacheCapacity, config.ConnConfig.DescriptionCacheCapacity = 0, 0
	// Who reads may write or read something else meanwhile, in a connection of its own.
	if !strings.Contains(url, "pool_max_conns") {
		config.MaxConns = mostConns
	}
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = 10 * time.Second
	}
	return config, nil
}

// Open opens the office in a database. It never makes one: [Create] does.
func Open(ctx context.Context, at Address, opt Options) (*Store, error) {
	config, err := at.config()
	if err != nil {
		return nil, err
	}
	s := &Store{opt: opt}
	s.life, s.end = context.WithCancel(context.Background())
	if s.pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return nil, fmt.Errorf("open database: %w", plain(err))
	}
	err = pgx.BeginTxFunc(ctx, s.pool, pgx.TxOptions{}, func(tx pgx.Tx) error {
		if err := opt.bound(ctx, tx, 0); err != nil { // one that brings tables up to date may take long, and is waited for
			return err
		}
		if err := prepare(ctx, tx, opt); err != nil || opt.ReadOnly {
			return err
		}
		s.epoch, err = enter(ctx, tx, opt.Member)
		return err
	})
	if err != nil {
		s.pool.Close()
		return nil, fmt.Errorf("open database: %w", plain(err))
	}
	return s, nil
}

// plain gives an error of the server without what may show a password: the library's text of a
// failed connection names user and host, and nothing else.
func plain(err error) error {
	var parse *pgconn.ParseConfigError
	if errors.As(err, &parse) {
		return ErrURL
	}
	return err
}

// Secret is the server's secret. Keys of seats are derived from it; it never leaves the process.
func (s *Store) Secret() [32]byte { return s.opt.Secret }

// Number is a number of the office that may be shown; an office that moves keeps it.
func (s *Store) Number() string { return store.NumberOf(s.opt.Secret[:]) }

// How long Close waits for what is under way, and then for connections to end that were broken off.
const (
	closeIn = 5 * time.Second
	breakIn = time.Second
)

// Close implements [store.Store]. A server that does not answer is not waited for without end: what is under way is then broken off, and
// whether it was written is not known ([ErrUnknown]).
func (s *Store) Close() error {
	s.mu.Lock()
	first := !s.closed
	s.closed = true
	s.mu.Unlock()
	if !first {
		return nil
	}
	defer s.end()
	done := make(chan struct{})
	go func() {
		s.pool.Close() // waits for what is under way
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-time.After(closeIn):
	}
	s.end()
	select {
	case <-done:
	case <-time.After(breakIn): // the server may not even hear that nobody waits for it
	}
	return fmt.Errorf("close database: the server has not answered for %s, and what was under way was broken off", closeIn)
}

// use runs f unless the store was closed. What waits for a server that does not answer ends with the store.
func (s *Store) use(ctx context.Context, f func(context.Context) error) error {
	s.mu.Lock()
	closed := s.closed
	s.mu.Unlock()
	if closed {
		return store.ErrClosed
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.life, cancel)()
	err := f(ctx)
	if errors.Is(err, puddle.ErrClosedPool) || errors.Is(err, context.Canceled) && s.life.Err() != nil && !errors.Is(err, ErrUnknown) {
		return store.ErrClosed
	}
	return err
}

// again runs f, and once more if the connection that it got was dead, as those of before are when the
// server has started anew. What f does twice must be as good as once.
func (s *Store) again(ctx context.Context, f func(context.Context) error) error {
	return s.use(ctx, func(ctx context.Context) error {
		err := f(ctx)
		if !lost(err) {
			return err
		}
		s.pool.Reset()
		return f(ctx)
	})
}

// lost tells whether an error is that of a connection that is no more.
func lost(err error) bool {
	var said *pgconn.PgError
	var net net.Error
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return false
	case errors.As(err, &said):
		return strings.HasPrefix(said.Code, "57P") || strings.HasPrefix(said.Code, "08")
	}
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &net) || pgconn.SafeToRetry(err)
}

// readyIn is how long the server may take to say that it is there.
const readyIn = 5 * time.Second

// Ready implements [store.Store].
func (s *Store) Ready() error {
	ctx, cancel := context.WithTimeout(context.Background(), readyIn)
	defer cancel()
	return s.again(ctx, func(ctx context.Context) error {
		if s.opt.ReadOnly {
			return s.pool.Ping(ctx)
		}
		var epoch int64
		var standby bool
		err := s.pool.QueryRow(ctx, `select epoch, pg_is_in_recovery() from members where name = $1`, s.opt.Member).Scan(&epoch, &standby)
		switch {
		case errors.Is(err, pgx.ErrNoRows), err == nil && epoch != s.epoch:
			return store.ErrDeposed
		case err != nil:
			return fmt.Errorf("reach database: %w", err)
		case standby:
			return fmt.Errorf("reach database: %w: the server is a standby", store.ErrReadOnly)
		}
		return nil
	})
}

// Given is the highest number of a letter that this process has written: the database that has it has given that number. Zero: none.
func (s *Store) Given() uint64 { return s.given.Load() }

// LastWrite implements [store.Store].
func (s *Store) LastWrite() error {
	if err := s.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// Load implements [store.Store].
func (s *Store) Load(ctx context.Context, game string) (l store.Loaded, err error) {
	err = s.again(ctx, func(ctx context.Context) error {
		var hash []byte
		err := s.pool.QueryRow(ctx, `select record, snapshot, seq, hash from games where id = $1 and record is not null`, game).Scan(&l.Record, &l.Snapshot, (*number)(&l.End.Seq), &hash)
		copy(l.End.Hash[:], hash)
		if errors.Is(err, pgx.ErrNoRows) {
			l, err = store.Loaded{End: chain.Link{}}, nil
		}
		return err
	})
	if err != nil && !errors.Is(err, store.ErrClosed) {
		err = fmt.Errorf("load %s: %w", game, err)
	}
	return l, err
}

// Reserve implements [store.Store]. The counter need not be on the disk at once: a commit that uses
// one of the numbers is written behind it, and takes it along.
func (s *Store) Reserve(ctx context.Context, n int) (first uint64, err error) {
	if s.opt.ReadOnly {
		return 0, store.ErrReadOnly
	}
	n = max(n, 0)
	err = s.again(ctx, func(ctx context.Context) error {
		err := s.pool.QueryRow(ctx, `with me as (`+fence+`) update numbers set last = last + $3 from me returning last - $3 + 1`, s.opt.Member, s.epoch, int64(n)).Scan((*number)(&first))
		if errors.Is(err, pgx.ErrNoRows) {
			return store.ErrDeposed
		}
		return err
	})
	if err != nil && !errors.Is(err, store.ErrClosed) {
		err = fmt.Errorf("reserve numbers: %w", err)
	}
	return first, err
}

// Reserved is the highest number that any member has reserved, if it is higher than one that is known; or else that one. It is on the server's disk: [Store.Reserve]
// does not see to that, and a server that lost its power could know of fewer without being a copy.
func (s *Store) Reserved(ctx context.Context, known uint64) (last uint64, err error) {
	if s.opt.ReadOnly {
		return 0, store.ErrReadOnly
	}
	err = s.again(ctx, func(ctx context.Context) error {
		return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
			if err := s.opt.bound(ctx, tx, locksIn); err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, `select set_config('synchronous_commit', 'on', true)`); err != nil {
				return err
			}
			// What this writes is on the disk when it is done, and with it all that was written before.
			err := tx.QueryRow(ctx, `with me as (`+fence+`) update numbers set last = last from me where last > $3 returning last`, s.opt.Member, s.epoch, int64(known)).Scan((*number)(&last))
			if errors.Is(err, pgx.ErrNoRows) {
				last, err = known, nil
			}
			return err
		})
	})
	if err != nil && !errors.Is(err, store.ErrClosed) {
		err = fmt.Errorf("read how many numbers are reserved: %w", err)
	}
	return last, err
}

// Claim implements [store.Store]. A claim is kept with its letter, so that it outlives the member that
// has it until it runs out. Letters that another member is claiming at this moment are passed over.
func (s *Store) Claim(ctx context.Context, due, until time.Time, n int, of store.LaneSet) (letters []store.Outgoing, err error) {
	if s.opt.ReadOnly {
		return nil, store.ErrReadOnly
	}
	err = s.use(ctx, func(ctx context.Context) error {
		letters = nil
		rows, err := s.pool.Query(ctx, `with me as (`+fence+`), mine as (
				select id from outbox where exists (select from me) and due > 0 and due <= $3 and claimed <= $3 and ($6::bigint >> (id % 64)::int) & 1 = 1 order by id limit $5 for update skip locked
			), claimed as (
				update outbox o set claimed = $4, claimer = $1 from mine where o.id = mine.id returning o.id, o.due, o.body
			) select id, due, body from me left join claimed on true order by id`, s.opt.Member, s.epoch, nanos(due), nanos(until), int64(n), int64(of))
		if err != nil {
			return err
		}
		var id, at *int64 // null: there is no letter
		var body []byte
		there, err := pgx.ForEachRow(rows, []any{&id, &at, &body}, func() error {
			if id != nil {
				letters = append(letters, store.Outgoing{ID: uint64(*id), Due: moment(*at), Body: body})
			}
			return nil
		})
		if err == nil && there.RowsAffected() == 0 {
			return store.ErrDeposed
		}
		return err
	})
	if err != nil && !errors.Is(err, store.ErrClosed) {
		err = fmt.Errorf("claim letters: %w", err)
	}
	return letters, err
}

// Release implements [store.Store].
func (s *Store) Release(ctx context.Context, ids ...uint64) error {
	if s.opt.ReadOnly {
		return store.ErrReadOnly
	}
	return s.use(ctx, func(ctx context.Context) error {
		var there bool
		err := s.pool.QueryRow(ctx, `with me as (`+fence+`), freed as (
				update outbox set claimed = 0, claimer = '' from me where claimed > 0 and claimer = $1 and ($4 or id = any($3))
			) select exists (select from me)`, s.opt.Member, s.epoch, signed(ids), len(ids) == 0).Scan(&there)
		if err == nil && !there {
			return store.ErrDeposed
		}
		return err
	})
}

// nanos is how a moment is kept: as nanoseconds since 1970; 0 is never.
func nanos(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return max(t.UnixNano(), 0)
}

// moment is the moment that is kept as nanoseconds; 0 is the zero time.
func moment(ns int64) time.Time {
	if ns == 0 {
		return time.Time{}
	}
	return time.Unix(0, ns).UTC()
}

func letterOf(row pgx.CollectableRow) (o store.Outgoing, err error) {
	var due int64
	err = row.Scan((*number)(&o.ID), &due, &o.Body)
	o.Due = moment(due)
	return o, err
}

// A number is read from a column of the server's whole numbers, which have a sign.
type number uint64

// ScanInt64 implements the interface of pgx for whole numbers.
func (n *number) ScanInt64(v pgtype.Int8) error {
	if !v.Valid || v.Int64 < 0 {
		return fmt.Errorf("%w: a number is %d", store.ErrDamaged, v.Int64)
	}
	*n = number(v.Int64)
	return nil
}

func signed(ids []uint64) []int64 {
	all := make([]int64, len(ids))
	for i, id := range ids {
		all[i] = int64(id)
	}
	return all
}

// Outbox tells how much there is to do at a moment.
func (s *Store) Outbox(now time.Time) (l store.Backlog, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), readyIn)
	defer cancel()
	err = s.again(ctx, func(ctx context.Context) error {
		var first int64
		err := s.pool.QueryRow(ctx, `select count(*) filter (where due <= $1), coalesce(min(due), 0), count(*) filter (where due > $1), (select count(*) from games where record is not null) from outbox where due > 0`, nanos(now)).Scan(&l.Due, &first, &l.Later, &l.Games)
		if l.Due > 0 {
			l.First = moment(first)
		}
		return err
	})
	if err != nil && !errors.Is(err, store.ErrClosed) {
		err = fmt.Errorf("count letters: %w", err)
	}
	return l, err
}

// Heads implements the look of doctor at a file, of which a server shows none: all is well with them.
func (s *Store) Heads() int { return 2 }

// Check reads everything and tells what does not fit: an error that is [store.ErrDamaged]. It follows
// the chain of every log.
func (s *Store) Check() error {
	return s.Read(context.Background(), func(r store.Reader) error {
		return store.CheckAll(r.(store.Everything))
	})
}

// Retire makes every other member of the office begin anew before it writes again, and in the same moment writes a value in the place of the one
// that was there (nil: there is none), by which a member that begins sees whether it must not. Nothing of others is under way when it returns, and nobody
// has claimed a letter. If another value is there by now nothing is changed, and nobody deposed: [store.ErrOutOfStep].
func (s *Store) Retire(ctx context.Context, name string, was, value []byte) error {
	err := s.use(ctx, func(ctx context.Context) error {
		return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
			if err := s.opt.bound(ctx, tx, locksIn); err != nil {
				return err
			}
			// First the members, as in every write: what another one was writing is there or undone when the value is read.
			if _, err := tx.Exec(ctx, `update members set epoch = epoch + 1 where name <> $1`, s.opt.Member); err != nil {
				return err
			}
			var there []byte
			if err := tx.QueryRow(ctx, `select data from notes where name = $1 for update`, []byte(name)).Scan(&there); err != nil && !errors.Is(err, pgx.ErrNoRows) {
				return err
			}
			if !bytes.Equal(there, was) {
				return fmt.Errorf("%s: %w", name, store.ErrOutOfStep)
			}
			batch := &pgx.Batch{}
			if value == nil {
				batch.Queue(`delete from notes where name = $1`, []byte(name))
			} else {
				batch.Queue(`insert into notes (name, data) values ($1, $2) on conflict (name) do update set data = excluded.data`, []byte(name), value)
			}
			batch.Queue(`delete from notes where name >= $1 and name < $2`, []byte(store.SignPrefix), after(store.SignPrefix))
			batch.Queue(`update outbox set claimed = 0, claimer = '' where claimed > 0`)
			return tx.SendBatch(ctx, batch).Close()
		})
	})
	if err != nil && !errors.Is(err, store.ErrClosed) {
		err = fmt.Errorf("depose the other members: %w", err)
	}
	return err
}

// Head implements [store.Shared].
func (s *Store) Head(ctx context.Context, game string) (end chain.Link, record store.Version, err error) {
	err = s.again(ctx, func(ctx context.Context) error {
		var hash, sum []byte
		err := s.pool.QueryRow(ctx, `select seq, hash, sha256(record) from games where id = $1`, game).Scan((*number)(&end.Seq), &hash, &sum)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		copy(end.Hash[:], hash)
		copy(record[:], sum)
		return err
	})
	if err != nil && !errors.Is(err, store.ErrClosed) {
		err = fmt.Errorf("look at %s: %w", game, err)
	}
	return end, record, err
}

// Epoch implements [store.Shared].
func (s *Store) Epoch() int64 { return s.epoch }

// Depose implements [store.Shared]. What the member has claimed can be claimed at once.
func (s *Store) Depose(ctx context.Context, member string, epoch int64) error {
	return s.use(ctx, func(ctx context.Context) error {
		return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
			if err := s.opt.bound(ctx, tx, locksIn); err != nil {
				return err
			}
			done, err := tx.Exec(ctx, `update members set epoch = epoch + 1 where name = $1 and $2::bigint in (0, epoch)`, member, epoch)
			if err != nil || done.RowsAffected() == 0 {
				return err
			}
			return unclaim(ctx, tx, member)
		})
	})
}

var _ store.Shared = (*Store)(nil)
