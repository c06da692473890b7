package postgres

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/store"
	"berthier/adjudicator/store/postgres/postgrestest"
	"berthier/adjudicator/store/storetest"
)

// empty gives the address of an empty schema, and a way to speak to the server about it.
func empty(t *testing.T) (url string, do func(statement string)) {
	t.Helper()
	needed(t)
	url, err := schemaFor(server, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return url, func(statement string) {
		t.Helper()
		conn, err := pgx.Connect(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(context.Background())
		if _, err := conn.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
}

func reopen(t *testing.T, url string, opt Options) *Store {
	t.Helper()
	s, err := Open(t.Context(), Address{URL: url}, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// TestWhoseDatabase opens what is no office, another's office, one of a newer program, and one with
// another secret: nothing of it is opened, and nothing is changed.
func TestWhoseDatabase(t *testing.T) {
	for _, url := range []string{"", "games.db", "postgres://berthier:hush@:bad/", "mysql://x"} {
		if _, err := Open(t.Context(), Address{URL: url}, Options{Member: "one"}); !errors.Is(err, ErrURL) || strings.Contains(err.Error(), "hush") {
			t.Errorf("%q: %v", url, err)
		}
	}
	url, do := empty(t)
	mine := Options{Secret: secret, Member: "one"}
	want := func(what string, opt Options, want error) {
		t.Helper()
		s, err := Open(t.Context(), Address{URL: url}, opt)
		if !errors.Is(err, want) {
			t.Errorf("%s: %v", what, err)
		}
		if err == nil {
			s.Close()
		}
	}
	want("an empty database", mine, ErrForeign)
	do(`create table invoices (id int)`)
	want("somebody else's database", mine, ErrForeign)
	if err := Create(t.Context(), Address{URL: url}, secret); !errors.Is(err, ErrForeign) {
		t.Errorf("an office among somebody else's tables: %v", err)
	}
	do(`drop table invoices`)
	if err := Create(t.Context(), Address{URL: url}, secret); err != nil {
		t.Fatal(err)
	}
	if err := Create(t.Context(), Address{URL: url}, [32]byte{}); !errors.Is(err, ErrExists) {
		t.Errorf("a second office: %v", err)
	}
	want("another secret", Options{Secret: [32]byte{1}, Member: "one"}, ErrSecret)
	want("another secret, to read", Options{Secret: [32]byte{1}, ReadOnly: true}, ErrSecret)
	want("a member without a name", Options{Secret: secret}, ErrMember)
	do(`update berthier set value = '99' where name = 'schema'`)
	want("a newer program", mine, ErrNewer)
	do(`update berthier set value = 'x' where name = 'schema'`)
	want("no schema", mine, ErrForeign)
	do(fmt.Sprintf(`update berthier set value = '%d' where name = 'schema'`, Schema()))
	want("as it was", mine, nil)

	s := reopen(t, url, Options{Secret: secret, ReadOnly: true})
	if err := s.Commit(t.Context(), store.Change{}); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("a commit to what was opened to be read: %v", err)
	}
	if _, err := s.Reserve(t.Context(), 1); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("numbers of what was opened to be read: %v", err)
	}
}

// TestDeposed begins a member anew while its former process still writes: that one is refused, with
// nothing written, and members of other names go on.
func TestDeposed(t *testing.T) {
	url, _ := empty(t)
	if err := Create(t.Context(), Address{URL: url}, secret); err != nil {
		t.Fatal(err)
	}
	old := reopen(t, url, Options{Secret: secret, Member: "one"})
	other := reopen(t, url, Options{Secret: secret, Member: "two"})
	change := func(game string) store.Change { return store.Change{Game: game, Record: []byte(game)} }
	if err := old.Commit(t.Context(), change("a")); err != nil {
		t.Fatal(err)
	}
	again := reopen(t, url, Options{Secret: secret, Member: "one"})
	if err := old.Commit(t.Context(), change("b")); !errors.Is(err, store.ErrDeposed) {
		t.Errorf("who was deposed writes: %v", err)
	}
	if err := old.Ready(); !errors.Is(err, store.ErrDeposed) {
		t.Errorf("who was deposed is ready: %v", err)
	}
	if first, err := old.Reserve(t.Context(), 1); !errors.Is(err, store.ErrDeposed) {
		t.Errorf("who was deposed gets the number %d: %v", first, err)
	}
	if letters, err := old.Claim(t.Context(), time.Unix(2, 0), time.Unix(1000, 0), 9, store.AllLanes); !errors.Is(err, store.ErrDeposed) {
		t.Errorf("who was deposed claims %d letters: %v", len(letters), err)
	}
	if err := old.Release(t.Context()); !errors.Is(err, store.ErrDeposed) {
		t.Errorf("who was deposed releases letters: %v", err)
	}
	for game, s := range map[string]*Store{"c": again, "d": other} {
		if err := errors.Join(s.Ready(), s.Commit(t.Context(), change(game))); err != nil {
			t.Errorf("%s: %v", game, err)
		}
	}
	var games string
	if err := again.Read(t.Context(), func(r store.Reader) error {
		return r.Games(func(game string, _ []byte) error { games += game; return nil })
	}); err != nil || games != "acd" {
		t.Errorf("games %s, %v", games, err)
	}
}

// A listener hears every statement.
type listener struct {
	mu   sync.Mutex
	said map[string]bool
}

func (l *listener) hear(sql string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.said[strings.Join(strings.Fields(sql), " ")] = true
}

func (l *listener) TraceQueryStart(ctx context.Context, _ *pgx.Conn, q pgx.TraceQueryStartData) context.Context {
	l.hear(q.SQL)
	return ctx
}
func (l *listener) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}
func (l *listener) TraceBatchStart(ctx context.Context, _ *pgx.Conn, b pgx.TraceBatchStartData) context.Context {
	for _, q := range b.Batch.QueuedQueries {
		l.hear(q.SQL)
	}
	return ctx
}
func (l *listener) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}
func (l *listener) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData)     {}

// inSession is what would be kept in a session when its transaction has ended.
var inSession = regexp.MustCompile(`(?i)advisory|\b(prepare|deallocate|execute|listen|unlisten|notify|temp|temporary|declare|discard|with hold|load|reset|session)\b|^set (?:transaction)?|set_config\([^)]*, false\)|currval|lastval`)

// TestNothingIsKeptInASession lists the statements that the contract's tests send, and whatever else the store says to its server: none
// leaves a lock, a setting or a prepared statement behind in its session.
func TestNothingIsKeptInASession(t *testing.T) {
	needed(t)
	for _, bad := range []string{"prepare x as select 1", "select pg_advisory_lock(1)", "SET synchronous_commit = off", "select set_config('a', $1, false)", "create temp table x ()", "listen games"} {
		if !inSession.MatchString(bad) {
			t.Errorf("%q would be overheard", bad)
		}
	}
	heard := &listener{said: map[string]bool{}}
	storetest.Run(t, func(folder string, quick bool) (store.Store, error) {
		s, err := open(folder, quick)
		if err != nil {
			return nil, err
		}
		s.Close()
		url, err := schemaFor(server, folder)
		if err != nil {
			return nil, err
		}
		return Open(context.Background(), Address{URL: url, tracer: heard}, Options{Secret: secret, Member: "one", NoSync: quick})
	}, storetest.Quick)
	heard.restOfTheStore(t)
	for name, piece := range map[string]string{"Create": "create table games", "a migration": "add column tagged", "Restored": "update berthier set value = $1 where name = 'home'", "everything": "from blobs where digest >",
		"Sizes": "pg_total_relation_size", "Outbox": "count(*) filter", "Head": "select seq, hash, sha256(record)", "Depose": "$2::bigint in (0, epoch)", "Retire": "where name <> $1"} {
		if !heard.has(piece) {
			t.Errorf("nothing was heard of %s", name)
		}
	}
	if len(heard.said) < 100 {
		t.Errorf("only %d statements were heard", len(heard.said))
	}
	for sql := range heard.said {
		if inSession.MatchString(sql) {
			t.Errorf("kept in the session: %s", sql)
		}
	}
}

// has tells whether a statement was heard that has a piece.
func (l *listener) has(piece string) bool {
	for sql := range l.said {
		if strings.Contains(sql, piece) {
			return true
		}
	}
	return false
}

// restOfTheStore does what the contract knows nothing of.
func (l *listener) restOfTheStore(t *testing.T) {
	url, do := empty(t)
	at := Address{URL: url, tracer: l}
	if err := Create(t.Context(), at, secret); err != nil {
		t.Fatal(err)
	}
	asOlder(do)
	s, err := Open(t.Context(), at, Options{Secret: secret, Member: "one", Upgrade: func(values func(string, func(string, []byte) error) error) error {
		return values("member/", func(string, []byte) error { return nil })
	}})
	if err != nil {
		t.Fatal(err)
	}
	_, _, sizes := s.Sizes()
	_, outbox := s.Outbox(time.Now())
	_, _, head := s.Head(t.Context(), "a")
	if err := errors.Join(sizes, outbox, head, s.Check(), s.Ready(), s.Depose(t.Context(), "two", 0), s.Retire(t.Context(), "moved", nil, []byte("elsewhere")), s.Close()); err != nil {
		t.Error(err)
	}
	do(`update berthier set value = 'elsewhere' where name = 'home'`)
	if err := Restored(t.Context(), at, secret, 0, time.Now()); err != nil {
		t.Error(err)
	}
}

// TestServerDies kills the server in the middle of commits.
func TestServerDies(t *testing.T) {
	s := postgrestest.Need(t)
	storetest.ServerDies(t, func(folder string, quick bool) (store.Store, error) {
		url, err := schemaFor(s.URL, folder)
		if err == nil {
			err = Create(context.Background(), Address{URL: url}, secret)
		}
		if err != nil {
			return nil, err
		}
		return Open(context.Background(), Address{URL: url}, Options{Secret: secret, Member: "one"})
	}, s.Kill, s.Run)
}

// TestLostBeforeTheAnswer cuts the connection to the server at the word to commit, before the server has it
// and after: Commit never says that a change was written of which it does not know, and the same
// change, made again, is written once.
func TestLostBeforeTheAnswer(t *testing.T) {
	url, _ := empty(t)
	if err := Create(t.Context(), Address{URL: url}, secret); err != nil {
		t.Fatal(err)
	}
	for _, after := range []bool{false, true} {
		line := newLine(t, url, after)
		s := reopen(t, line.url, Options{Secret: secret, Member: "one"})
		line.cut.Store(true)
		game := fmt.Sprint("cut-", after)
		c := store.Change{Game: game, Record: []byte("record"), Entries: []chain.Entry{chain.Follow(chain.Link{}, chain.Salt{}, []byte("body"), nil)}}
		err := s.Commit(t.Context(), c)
		if line.cut.Load() {
			t.Fatal("nothing was cut")
		}
		l, loaded := s.Load(t.Context(), game)
		if loaded != nil {
			t.Fatal(loaded)
		}
		if written := l.Record != nil; written != after || !errors.Is(err, ErrUnknown) {
			t.Errorf("cut after the word %v: written %v, %v", after, written, err)
		}
		if said := s.LastWrite(); said == nil {
			t.Error("nothing is told of the write that failed")
		}
		if again := s.Commit(t.Context(), c); errors.Is(again, store.ErrOutOfStep) != after || again != nil && !after {
			t.Errorf("once more: %v", again)
		}
	}
}

// TestClaimsOfTheDead lets a member claim letters and die: they are free once it is deposed, or begins
// anew; till then nobody else gets them, and what he releases later is no longer his.
func TestClaimsOfTheDead(t *testing.T) {
	url, _ := empty(t)
	if err := Create(t.Context(), Address{URL: url}, secret); err != nil {
		t.Fatal(err)
	}
	one := reopen(t, url, Options{Secret: secret, Member: "one"})
	two := reopen(t, url, Options{Secret: secret, Member: "two"})
	other := reopen(t, url, Options{Secret: secret, Member: "three"})
	first, err := one.Reserve(t.Context(), 3)
	if err != nil {
		t.Fatal(err)
	}
	var c store.Change
	for i := range uint64(3) {
		c.PutOutgoing(store.Outgoing{ID: first + i, Due: time.Unix(1, 0), Body: []byte("letter")})
	}
	if err := one.Commit(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	claim := func(what string, s *Store, want int) {
		t.Helper()
		got, err := s.Claim(t.Context(), time.Unix(2, 0), time.Unix(1000, 0), 9, store.AllLanes)
		if err != nil || len(got) != want {
			t.Errorf("%s: %d letters, %v", what, len(got), err)
		}
	}
	claim("the first", one, 3)
	claim("while he lives", two, 0)
	if err := two.Depose(t.Context(), "one", one.Epoch()+1); err != nil {
		t.Fatal(err)
	}
	claim("somebody of before was deposed, who had his name", two, 0)
	if err := two.Depose(t.Context(), "one", one.Epoch()); err != nil {
		t.Fatal(err)
	}
	claim("he was deposed", two, 3)
	if err := one.Commit(t.Context(), store.Change{}); !errors.Is(err, store.ErrDeposed) {
		t.Errorf("who was deposed writes: %v", err)
	}
	if err := one.Release(t.Context(), first); !errors.Is(err, store.ErrDeposed) {
		t.Errorf("he releases what another one has: %v", err)
	}
	claim("he releases what is no longer his", two, 0)
	anew := reopen(t, url, Options{Secret: secret, Member: "two"})
	claim("the second has begun anew", anew, 3)
	if err := two.Release(t.Context()); !errors.Is(err, store.ErrDeposed) {
		t.Errorf("the process before releases what the one after it has: %v", err)
	}
	claim("that was released by the process before", other, 0)
}

// TestACopyOfTheFiles opens what the server's own copies look like when they are put back: on another timeline, or with fewer letters than went
// out. A database of a program of before, which knows no timeline, is opened as ever, and knows it from then on.
func TestACopyOfTheFiles(t *testing.T) {
	url, do := empty(t)
	if err := Create(t.Context(), Address{URL: url}, secret); err != nil {
		t.Fatal(err)
	}
	s := reopen(t, url, Options{Secret: secret, Member: "one"})
	first, err := s.Reserve(t.Context(), 7)
	if err != nil || s.Given() != 0 {
		t.Fatal(err, s.Given())
	}
	var c store.Change
	c.PutOutgoing(store.Outgoing{ID: first + 4, Due: time.Unix(1, 0), Body: []byte("letter")})
	if err := s.Commit(t.Context(), c); err != nil || s.Given() != first+4 {
		t.Errorf("letter %d was written: %d, %v", first+4, s.Given(), err)
	}
	two := reopen(t, url, Options{Secret: secret, Member: "two"})
	for _, known := range []uint64{0, first + 5, first + 6, first + 7} {
		if last, err := two.Reserved(t.Context(), known); err != nil || last != max(known, first+6) {
			t.Errorf("another member sees %d numbers reserved, and knew of %d: %v", last, known, err)
		}
	}
	opens := func(what string, least uint64, want error) {
		t.Helper()
		for _, opt := range []Options{{Secret: secret, Member: "one", Least: least}, {Secret: secret, ReadOnly: true, Least: least}} {
			s, err := Open(t.Context(), Address{URL: url}, opt)
			if !errors.Is(err, want) {
				t.Errorf("%s, to read %v: %v", what, opt.ReadOnly, err)
			}
			if err == nil {
				s.Close()
			}
		}
	}
	restored := func(least uint64, want error) {
		t.Helper()
		if err := Restored(t.Context(), Address{URL: url}, secret, least, time.Now()); !errors.Is(err, want) {
			t.Errorf("restored: %v", err)
		}
	}
	opens("at home", s.Given(), nil)
	restored(s.Given(), ErrHome)
	do(`delete from berthier where name = 'timeline'`)
	opens("as a program of before has it", 0, nil)
	do(`update berthier set value = '7fffffff' where name = 'timeline'`)
	opens("on another timeline", 0, ErrCopied)
	restored(0, nil)
	opens("on another timeline, and restored", s.Given(), nil)
	const far = 1 << 50
	opens("with fewer letters than went out", far, ErrCopied)
	restored(far, nil)
	opens("with fewer letters than went out, and restored", far, nil)
}
