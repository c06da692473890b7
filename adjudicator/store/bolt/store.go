// Package bolt is the store of an office in one bbolt file. It keeps the promises of
// [store.Store], and also these:
//
//   - A change is on the disk (fsync) before Commit returns.
//   - One process at a time has the file. A second one gets [ErrLocked].
//   - A file written by a newer program is refused with [ErrNewer], never
//     opened and spoilt. An older one is brought to the present [Schema] in one
//     transaction when it is opened; a copy of it is kept beside it.
//
// Writers run side by side: a single goroutine drains the changes that have
// gathered and commits them together, so that one fsync serves many. A change
// that fails does not touch the others.
//
//   - A file that is damaged is refused with [store.ErrDamaged] before bbolt maps it, and
//     what can't be read later is an error, too: neither ends the process.
//   - A file that is no longer the one at its path takes nothing in
//     ([store.ErrSwapped]): what was written there would be lost.
//
// Opening looks through the file for damage, and once more for its free pages;
// nothing else is kept in memory but what bbolt maps.
package bolt

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"berthier/adjudicator/store"
)

// Errors on which a caller may branch, besides those of package store.
var (
	// ErrLocked: another process has the file open.
	ErrLocked = errors.New("another process has the database open; only one may, stop it first")
	// ErrNewer: the file was written by a newer program.
	ErrNewer = errors.New("the database was written by a newer version of the program; use that version, or restore a backup")
	// ErrOlder: the file was written by a program too old to be brought up to date.
	ErrOlder = errors.New("the database was written by a program from before the first version, and can't be brought up to date: end its games with that program")
	// ErrForeign: the file is of something else, or empty.
	ErrForeign = errors.New("the file is no database of this program")
	// ErrNoFile: what is at the path is a folder, a pipe or the like.
	ErrNoFile = errors.New("it is no plain file")
)

// Buckets. Keys that hold a game's id end it with a zero byte, which no id has.
var (
	bucketMeta    = []byte("meta")       // schema, secret
	bucketGames   = []byte("games")      // game → record
	bucketState   = []byte("snapshots")  // game → snapshot of the position
	bucketLog     = []byte("log")        // game ‖ 0 ‖ seq → salt ‖ hash ‖ length ‖ body ‖ private part (see entry.go)
	bucketAnswers = []byte("answers")    // game ‖ 0 ‖ name → pending answer
	bucketMarks   = []byte("intake")     // digest of a letter → what resulted from it
	bucketIDs     = []byte("messageids") // digest of a Message-ID → digest of the content
	bucketOutbox  = []byte("outbox")     // letter → due ‖ body
	bucketDue     = []byte("outbox_due") // time ‖ letter → nothing
	bucketWake    = []byte("wake")       // time ‖ game → nothing
	bucketWakeOf  = []byte("wake_of")    // game → time
	bucketAddress = []byte("addresses")  // address ‖ 0 ‖ game → nothing
	bucketBlobs   = []byte("blobs")      // digest → bytes that many letters share
	bucketHistory = []byte("history")    // game ‖ 0 ‖ seq → position after that entry of the log
	bucketPages   = []byte("pages")      // game ‖ 0 ‖ name ‖ 0 ‖ number → what a seat saw

	bucketTags     = []byte("tags")     // tag ‖ 0 ‖ game → nothing
	bucketTagsOf   = []byte("tags_of")  // game → its tags, in their order, with zero bytes between them
	bucketUntagged = []byte("untagged") // game whose record was committed without tags → nothing

	firstBuckets = [][]byte{bucketMeta, bucketGames, bucketState, bucketLog, bucketAnswers, bucketMarks, bucketIDs,
		bucketOutbox, bucketDue, bucketWake, bucketWakeOf, bucketAddress, bucketBlobs} // of schema 1
	tagBuckets = [][]byte{bucketTags, bucketTagsOf, bucketUntagged} // from schema [tagged] on
	allBuckets = slices.Concat(firstBuckets, [][]byte{bucketHistory, bucketPages}, tagBuckets)

	keySchema = []byte("schema")
	keySecret = []byte("secret")
)

// Options of [Open]. The zero value is right for a service.
type Options struct {
	Timeout time.Duration // how long to wait until another process has closed the file; 0: one second
	Entropy io.Reader     // source of the server's secret; nil: crypto/rand. A fixed one makes a demo repeatable
	// NoSync leaves out fsync: a crash of the machine may then lose or spoil
	// the file. It is for tests and demos whose file is thrown away.
	NoSync bool
	// ReadOnly lets nothing be written ([store.ErrReadOnly]); so a file can be read that
	// can't be written to. A file of schema 1 can't be read so: [ErrOlder].
	ReadOnly bool
}

// A Store is an open database.
type Store struct {
	db    *bbolt.DB
	path  string
	file  *os.File    // of bbolt, which closes it
	info  os.FileInfo // of the file as it was opened
	heads int         // of the file that were sound when it was opened
	page  int64       // its length in the file

	readOnly bool
	least    int64 // how long the file must be; of the writer
	secret   [32]byte
	failed   atomic.Pointer[error] // of the last write; nil: it succeeded
	reserved atomic.Uint64         // the last number of a letter that was reserved
	claims   claims

	mu     sync.RWMutex // held for reading while a write is handed over
	closed bool
	writes chan *write
	done   chan struct{} // closed when the writer has ended
}

// Open opens the database at a path. It never makes one: [Create] does. A damaged database
// is refused with [store.ErrDamaged], and left as it is.
func Open(path string, opt Options) (*Store, error) {
	s, err := openFile(path, opt, opt.ReadOnly)
	if err != nil {
		return nil, err
	}
	s.writes, s.done = make(chan *write, maxGroup), make(chan struct{})
	if err := s.prepare(); err != nil {
		return nil, errors.Join(fmt.Errorf("open database %s: %w", path, err), s.db.Close())
	}
	if s.readOnly = opt.ReadOnly; s.readOnly {
		close(s.done)
	} else {
		go s.writer()
	}
	return s, nil
}

// openFile opens the file, without a look at what is in its records.
func openFile(path string, opt Options, readOnly bool) (*Store, error) {
	if opt.Timeout == 0 {
		opt.Timeout = time.Second
	}
	s := &Store{path: path}
	var err error
	s.db, err = bbolt.Open(path, 0o600, &bbolt.Options{
		Timeout:      opt.Timeout,
		FreelistType: bbolt.FreelistMapType,
		// The list of free pages is as long as what was ever dropped; if it were written with
		// each commit, every letter would pay for that. It is made anew on opening.
		NoFreelistSync: true,
		NoSync:         opt.NoSync,
		NoGrowSync:     opt.NoSync,
		NoStatistics:   true,
		ReadOnly:       readOnly,
		// What bbolt maps must be sound, and nobody else may be writing to it.
		OpenFile: func(path string, flag int, mode os.FileMode) (*os.File, error) {
			if err := plain(path); err != nil {
				return nil, err
			}
			f, err := os.OpenFile(path, flag&^os.O_CREATE, mode)
			if err != nil {
				return nil, err
			}
			if s.info, s.heads, err = soundFile(f, path, !readOnly, opt.Timeout); err != nil {
				return nil, errors.Join(err, f.Close())
			}
			s.file = f
			return f, nil
		},
	})
	switch {
	case errors.Is(err, berrors.ErrTimeout):
		return nil, fmt.Errorf("open database %s: %w", path, ErrLocked)
	case errors.Is(err, berrors.ErrInvalid), errors.Is(err, berrors.ErrVersionMismatch), errors.Is(err, berrors.ErrChecksum):
		return nil, fmt.Errorf("open database %s: %w (%w)", path, ErrForeign, err)
	case err != nil:
		return nil, fmt.Errorf("open database %s: %w", path, err)
	}
	s.page = int64(s.db.Info().PageSize)
	if s.info.Size() > large {
		debug.FreeOSMemory()
	}
	return s, nil
}

// large is a file whose pages bbolt notes in so much memory while it looks for those that are free that it is
// given back at once.
const large = 1 << 30

// prepare checks the layout and brings an older one up to date.
func (s *Store) prepare() error {
	version := 0
	err := s.db.View(func(tx *bbolt.Tx) (err error) {
		version, err = schemaOf(tx)
		return err
	})
	switch {
	case err != nil:
		return err
	case version == 0:
		return fmt.Errorf("%w (it is empty)", ErrForeign)
	case version < readable && s.db.IsReadOnly():
		return fmt.Errorf("%w (its schema is %d)", ErrOlder, version)
	case version < Schema && !s.db.IsReadOnly():
		err = s.migrate(version)
	}
	if err != nil {
		return err
	}
	return s.db.View(func(tx *bbolt.Tx) error {
		for _, name := range allBuckets {
			if tx.Bucket(name) == nil && !(version < tagged && s.db.IsReadOnly() && slices.ContainsFunc(tagBuckets, func(b []byte) bool { return bytes.Equal(b, name) })) {
				return fmt.Errorf("%w (bucket %s is missing)", ErrForeign, name)
			}
		}
		copy(s.secret[:], tx.Bucket(bucketMeta).Get(keySecret))
		s.reserved.Store(tx.Bucket(bucketOutbox).Sequence())
		s.least = tx.Size()
		return nil
	})
}

// Secret is the server's secret, drawn when the file was made. Keys of seats
// are derived from it; it never leaves the process.
func (s *Store) Secret() [32]byte { return s.secret }

// Close implements [store.Store].
func (s *Store) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
	close(s.writes)
	s.mu.Unlock()
	<-s.done
	if err := s.db.Close(); err != nil {
		return fmt.Errorf("close database: %w", err)
	}
	return nil
}

// maxGroup is how many writes are committed together at most.
const maxGroup = 256

type write struct {
	change *store.Change
	values [][]byte // its entries as they are kept
	err    error
	done   chan error
}

// Commit implements [store.Store].
func (s *Store) Commit(ctx context.Context, c store.Change) error {
	if err := c.Formed(); err != nil {
		return err
	}
	w := &write{change: &c, done: make(chan error, 1)}
	for _, e := range slices.Concat(c.Entries, c.Redact) { // not where others wait
		value, err := valueOf(e)
		if err != nil {
			return fmt.Errorf("commit %s: %w", c.Game, err)
		}
		w.values = append(w.values, value)
	}
	if err := s.hand(ctx, w); err != nil {
		return err
	}
	err := <-w.done
	if err == nil {
		s.claims.end(c.Outgoing)
	}
	return err
}

func (s *Store) hand(ctx context.Context, w *write) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	switch {
	case s.closed:
		return store.ErrClosed
	case s.readOnly:
		return store.ErrReadOnly
	}
	select {
	case s.writes <- w:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// writer commits what has gathered, group by group.
func (s *Store) writer() {
	defer close(s.done)
	for first := range s.writes {
		group := append(make([]*write, 0, 16), first)
	gather:
		for len(group) < maxGroup {
			select {
			case w, ok := <-s.writes:
				if !ok {
					break gather
				}
				group = append(group, w)
			default:
				break gather
			}
		}
		s.commit(group)
	}
}

// errRedo rolls a group of writes back because one of them failed half-way.
var errRedo = errors.New("redo without the failed write")

func (s *Store) commit(group []*write) {
	for len(group) > 0 {
		var failed *write
		err := s.update(func(btx *bbolt.Tx) error {
			for _, w := range group {
				to := &writer{reader: reader{btx}, values: w.values, reserved: s.reserved.Load()}
				if w.err = run(to, w.change); w.err != nil && to.dirty {
					failed = w
					return errRedo
				}
			}
			return nil
		})
		if failed == nil {
			s.failed.Store(nil)
			if err != nil {
				s.failed.Store(&err)
			}
			for _, w := range group {
				if w.err == nil && err != nil {
					w.err = fmt.Errorf("commit: %w", err)
				}
				w.done <- w.err
			}
			return
		}
		failed.done <- failed.err
		rest := group[:0]
		for _, w := range group {
			if w != failed {
				rest = append(rest, w)
			}
		}
		group = rest
	}
}

// update runs f in a write transaction, unless what it writes would be lost.
func (s *Store) update(f func(*bbolt.Tx) error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer asDamage(&err)
	if err := s.atPath(); err != nil {
		return err
	}
	// First it must be known that the file is ours: another one may be shorter without being damaged.
	if err := s.read(func(tx *bbolt.Tx) error {
		if !s.ours(tx) {
			return store.ErrSwapped
		}
		return nil
	}); err != nil {
		return err
	}
	// If a write is given up, bbolt reads all pages again, in a goroutine of its own, where a
	// missing page would end the process.
	if err := s.holds(s.least); err != nil {
		return err
	}
	return s.db.Update(func(tx *bbolt.Tx) error {
		s.least = max(s.least, tx.Size())
		return f(tx)
	})
}

// LastWrite implements [store.Store].
func (s *Store) LastWrite() error {
	if err := s.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// run keeps a panic in one write from ending the writer, on which all writes depend.
func run(to *writer, c *store.Change) (err error) {
	defer func() {
		if p := recover(); p != nil {
			to.dirty = true
			err = fmt.Errorf("write: panic: %v", p)
		}
	}()
	return to.commit(c)
}

// Read implements [store.Store]. While f runs the pages that it sees are not used again.
func (s *Store) Read(ctx context.Context, f func(store.Reader) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.view(func(tx *bbolt.Tx) error { return f(reader{tx}) })
}

// Load implements [store.Store].
func (s *Store) Load(ctx context.Context, game string) (l store.Loaded, err error) {
	err = s.Read(ctx, func(r store.Reader) error {
		if l.Record = r.Game(game); l.Record != nil {
			l.Snapshot, l.End = r.Snapshot(game), r.Last(game)
		}
		return nil
	})
	return l, err
}

// view runs f in a read transaction, unless the store was closed.
func (s *Store) view(f func(*bbolt.Tx) error) error {
	s.mu.RLock()
	closed := s.closed
	s.mu.RUnlock()
	if closed {
		return store.ErrClosed
	}
	err := s.read(f)
	if errors.Is(err, berrors.ErrDatabaseNotOpen) {
		return store.ErrClosed
	}
	return err
}

// read runs f in a read transaction. What can't be read is an error.
func (s *Store) read(f func(*bbolt.Tx) error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer asDamage(&err)
	// Every transaction begins by reading the two heads. If they are missing bbolt panics
	// with its locks held, and the next caller waits for ever.
	if err := s.holds(2 * s.page); err != nil {
		return err
	}
	return s.db.View(f)
}

// holds tells whether the file still has so many bytes.
func (s *Store) holds(bytes int64) error {
	// The end says how long the file is, and unlike Stat, which every transaction would have to
	// pay for, makes nothing. bbolt names each place itself, so that nobody minds where we are.
	size, err := s.file.Seek(0, io.SeekEnd)
	switch {
	case errors.Is(err, fs.ErrClosed):
		return store.ErrClosed
	case err != nil || size < bytes:
		return errors.Join(fmt.Errorf("%w: it was cut short", store.ErrDamaged), err)
	}
	return nil
}

// Backup writes a copy of the whole database as of one moment, while writes go
// on. The copy is opened like any database.
func (s *Store) Backup(w io.Writer) (int64, error) {
	var n int64
	err := s.view(func(tx *bbolt.Tx) (err error) {
		n, err = tx.WriteTo(w)
		return err
	})
	if err != nil {
		return n, fmt.Errorf("write backup: %w", err)
	}
	return n, nil
}

func timeKey(t time.Time, rest ...byte) []byte {
	key := binary.BigEndian.AppendUint64(make([]byte, 0, 8+len(rest)), uint64(max(t.UnixNano(), 0)))
	return append(key, rest...)
}

func keyTime(key []byte) time.Time {
	return time.Unix(0, int64(binary.BigEndian.Uint64(key))).UTC()
}

func number(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

func within(game string, rest ...byte) []byte {
	key := append(make([]byte, 0, len(game)+1+len(rest)), game...)
	return append(append(key, 0), rest...)
}
