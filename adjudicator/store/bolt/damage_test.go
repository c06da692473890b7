package bolt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/store"
)

// fullFile makes a database with some of everything, whose trees have branches.
func fullFile(t testing.TB, path string) {
	t.Helper()
	s, err := openNew(path, Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Unix(1e9, 0)
	for i := range 40 {
		game := fmt.Sprintf("game-%02d", i)
		c := store.Change{Game: game, Record: bytes.Repeat([]byte("record"), 50), Snapshot: bytes.Repeat([]byte("snapshot"), 1000),
			Join: []string{"a@b"}, Wake: map[string]time.Time{game: now}, Mark: &store.Mark{Digest: [32]byte{byte(i), 1}, Result: []byte("result")}}
		last := c.After
		for n := range 10 {
			e := chain.Follow(last, chain.Salt{byte(n)}, bytes.Repeat([]byte{byte('a' + n)}, 100), nil)
			c.Entries, last = append(c.Entries, e), e.Link
		}
		id, err := s.Reserve(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		c.PutOutgoing(store.Outgoing{ID: id, Due: now, Body: bytes.Repeat([]byte(game), 20)})
		commit(t, s, c)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// useUp does with a file all that may be done with one: it must come to an end,
// and what is wrong must be an error.
func useUp(t testing.TB, path, backup string, restore bool) (opened, sound bool) {
	t.Helper()
	known := func(what string, err error) bool {
		t.Helper()
		if err != nil && !errors.Is(err, store.ErrDamaged) && !errors.Is(err, ErrForeign) && !errors.Is(err, ErrNewer) && !errors.Is(err, ErrOlder) {
			t.Errorf("%s: an error without a kind: %v", what, err)
		}
		return err == nil
	}
	_, err := Inspect(path, Options{})
	sound = known("inspect", err)
	s, err := Open(path, Options{NoSync: true})
	if opened = known("open", err); opened {
		_ = s.Read(t.Context(), func(tx store.Reader) error {
			for _, game := range tx.GamesOf("a@b", 100) {
				_ = tx.Entries(game, 0, func(chain.Entry) error { return nil }) // too short: an error
				tx.Snapshot(game)
			}
			tx.Due(time.Unix(2e9, 0), 100)
			return nil
		})
		_ = s.Commit(context.Background(), store.Change{Game: "new", Record: []byte("x")})
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if !restore {
		return opened, sound
	}
	if _, err := Restore(backup, path, path+".aside", time.Now()); err != nil {
		t.Errorf("restore over it: %v", err)
	}
	if err := os.Remove(path + ".aside"); err != nil {
		t.Error(err)
	}
	return opened, sound
}

// No file, however damaged, is more than an error: cut short at every page, with
// every page zeroed, with bits turned. A backup can be put in its place.
func TestDamagedFiles(t *testing.T) {
	dir := t.TempDir()
	backup, path := filepath.Join(dir, "backup.db"), filepath.Join(dir, "games.db")
	fullFile(t, backup)
	whole, err := os.ReadFile(backup)
	if err != nil {
		t.Fatal(err)
	}
	info, err := Inspect(backup, Options{})
	if err != nil || info.Heads != 2 {
		t.Fatalf("the whole file: %+v, %v", info, err)
	}
	page := os.Getpagesize()
	tried := 0
	try := func(data []byte) (opened, sound bool) {
		tried++
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return useUp(t, path, backup, tried%20 == 1) // which waits for the disk
	}
	bits, step := 60, 7
	if os.Getenv("BERTHIER_DAMAGE") != "" {
		bits, step = 10_000, 1
	}
	pages := int(info.Bytes) / page
	for at := 0; at < pages; at += step {
		for _, more := range []int{0, 1, 100} {
			if opened, sound := try(whole[:at*page+more]); opened || sound {
				t.Errorf("cut short to %d pages and %d bytes: opened: %v, sound: %v", at, more, opened, sound)
			}
		}
		zeroed := bytes.Clone(whole)
		clear(zeroed[at*page : (at+1)*page])
		if bytes.Equal(zeroed, whole) {
			continue
		}
		if opened, sound := try(zeroed); opened != sound {
			t.Errorf("page %d zeroed: opened: %v, sound: %v", at, opened, sound)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	found := 0
	for n := range bits {
		at := r.IntN(len(whole))
		if n%2 == 0 {
			at = r.IntN(pages)*page + r.IntN(2*pageHead) // most of the file are values in which nothing can be wrong
		}
		turned := bytes.Clone(whole)
		turned[at] ^= 1 << r.IntN(8)
		if _, sound := try(turned); !sound {
			found++
		}
	}
	if found == 0 {
		t.Errorf("of %d bits turned none was found", bits)
	}
	t.Logf("%d pages; of %d bits turned %d were found", pages, bits, found)
}

// A tree that bites its own tail is read once round, and no longer.
func TestDamagedLoop(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	fullFile(t, path)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	page, loops := os.Getpagesize(), 0
	for id := 2; id < len(data)/page; id++ {
		here := data[id*page:]
		if native.Uint64(here) != uint64(id) || native.Uint16(here[8:]) != kindBranch {
			continue
		}
		loops++
		was := native.Uint64(here[pageHead+8:])
		native.PutUint64(here[pageHead+8:], uint64(id))
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if s, err := Open(path, Options{NoSync: true}); err == nil {
			s.Close() // a branch that is free
		} else if !errors.Is(err, store.ErrDamaged) {
			t.Error(err)
		}
		native.PutUint64(here[pageHead+8:], was)
	}
	if loops == 0 {
		t.Error("the file has no branch")
	}
}

// A file that is cut short while it is open is an error of whoever reads there, and
// not the end of the process.
func TestCutShortWhileOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	fullFile(t, path)
	s, err := Open(path, Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := os.Truncate(path, 2*int64(os.Getpagesize())); err != nil {
		t.Fatal(err)
	}
	err = s.Read(t.Context(), func(tx store.Reader) error { tx.Game("game-01"); return nil })
	if !errors.Is(err, store.ErrDamaged) {
		t.Errorf("reading: %v", err)
	}
	err = s.Commit(context.Background(), store.Change{Game: "late", Record: []byte{}})
	if !errors.Is(err, store.ErrDamaged) || !errors.Is(s.LastWrite(), store.ErrDamaged) {
		t.Errorf("writing: %v, %v", err, s.LastWrite())
	}
}

// A file that is emptied while it is open holds up nobody: every reader and writer is
// told so, again and again, and the store can be closed.
func TestEmptiedWhileOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	fullFile(t, path)
	s, err := Open(path, Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 3 {
			if err := s.Read(t.Context(), func(tx store.Reader) error { tx.Game("game-01"); return nil }); !errors.Is(err, store.ErrDamaged) {
				t.Errorf("reading: %v", err)
			}
			if err := s.Ready(); !errors.Is(err, store.ErrDamaged) {
				t.Errorf("looking: %v", err)
			}
			if err := s.Commit(context.Background(), store.Change{Game: "late", Record: []byte{}}); !errors.Is(err, store.ErrDamaged) {
				t.Errorf("writing: %v", err)
			}
		}
		if err := s.Close(); err != nil {
			t.Logf("closing: %v", err)
		}
	}()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatal("somebody waits for ever")
	}
}

// Only Create makes a database.
func TestOnlyCreateMakes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	if _, err := Open(path, Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a file: %v", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("opening left a file: %v", err)
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path, Options{}); !errors.Is(err, ErrForeign) {
		t.Errorf("with an empty file: %v", err)
	}
	if err := Create(path, Options{}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over an empty file: %v", err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() != 0 {
		t.Errorf("the empty file was written to: %v", err)
	}
	os.Remove(path)
	if err := Create(path, Options{}); err != nil {
		t.Fatal(err)
	}
	open(t, path)
}

// A store whose file was swapped takes nothing in any more, and can still be read
// and copied.
func TestSwapped(t *testing.T) {
	for _, c := range []struct {
		name string
		swap func(t *testing.T, path string) error
	}{
		{"moved", func(_ *testing.T, path string) error { return os.Rename(path, path+".gone") }},
		{"removed", func(_ *testing.T, path string) error { return os.Remove(path) }},
		{"another in its place", func(t *testing.T, path string) error {
			fullFile(t, path+".other")
			return os.Rename(path+".other", path)
		}},
		{"a copy of itself in its place", func(t *testing.T, path string) error {
			data, err := os.ReadFile(path)
			return errors.Join(err, os.WriteFile(path+".copy", data, 0o600), os.Rename(path+".copy", path))
		}},
		{"a shorter one written over it", func(t *testing.T, path string) error {
			err := Create(path+".other", Options{NoSync: true})
			data, e := os.ReadFile(path + ".other")
			return errors.Join(err, e, os.WriteFile(path, data, 0o600))
		}},
		{"another written over it", func(t *testing.T, path string) error {
			fullFile(t, path+".other")
			data, err := os.ReadFile(path + ".other")
			return errors.Join(err, os.WriteFile(path, data, 0o600))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "games.db")
			fullFile(t, path)
			s, err := Open(path, Options{NoSync: true})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if err := s.Ready(); err != nil {
				t.Errorf("before: %v", err)
			}
			if err := c.swap(t, path); err != nil {
				t.Fatal(err)
			}
			if err := s.Ready(); !errors.Is(err, store.ErrSwapped) {
				t.Errorf("not noticed: %v", err)
			}
			err = s.Commit(context.Background(), store.Change{Game: "late", Record: []byte{}})
			if !errors.Is(err, store.ErrSwapped) {
				t.Errorf("it was written to: %v", err)
			}
			if strings.HasSuffix(c.name, "written over it") {
				return
			}
			var copied bytes.Buffer
			if _, err := s.Backup(&copied); err != nil || copied.Len() == 0 {
				t.Errorf("what is open can't be saved: %v", err)
			}
		})
	}
}

// What was restored counts on from elsewhere: no letter has a number that one of
// the lost time had, nor one of another restore of the same copy.
func TestRestoreCountsOn(t *testing.T) {
	dir := t.TempDir()
	backup, path := filepath.Join(dir, "backup.db"), filepath.Join(dir, "games.db")
	fullFile(t, backup)
	next := func() (n uint64) {
		s, err := Open(path, Options{NoSync: true})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if n, err = s.Reserve(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		commit(t, s, store.Change{Outgoing: []store.Outgoing{{ID: n}}})
		return n
	}
	var last []uint64
	marks := map[string]bool{}
	for i := range 3 {
		at := time.Unix(int64(i)*1e6, 0).UTC()
		if _, err := Restore(backup, path, fmt.Sprint(path, i), at); err != nil {
			t.Fatal(err)
		}
		n := next()
		for _, m := range last {
			if max(n, m)-min(n, m) < 1000 {
				t.Errorf("restored twice, the numbers go on from %d and %d", m, n)
			}
		}
		last = append(last, n)
		if n < store.LeastLeap {
			t.Errorf("the numbers go on from %d", n)
		}
		s := open(t, path)
		read(t, s, func(tx store.Reader) {
			r, ok, err := store.Restored(tx)
			if err != nil || !ok || !r.At.Equal(at) || marks[r.Mark] {
				t.Errorf("%+v, %v, %v", r, ok, err)
			}
			marks[r.Mark] = true
		})
		s.Close()
	}
}

// The records that a page holds are read, too: a chain that does not hold is found
// in a file whose pages are sound.
func TestInspectReadsRecords(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	fullFile(t, path)
	db, err := bbolt.Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		key := within("game-07", number(4)...)
		value := bytes.Clone(tx.Bucket(bucketLog).Get(key))
		value[len(value)-1] ^= 1
		return tx.Bucket(bucketLog).Put(key, value)
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := Inspect(path, Options{}); !errors.Is(err, store.ErrDamaged) || !bytes.Contains([]byte(err.Error()), []byte("game-07")) {
		t.Errorf("got %v", err)
	}
}

// A deafDisk gives out nothing from some byte on.
type deafDisk struct {
	io.ReaderAt
	from, to int64
}

func (d deafDisk) ReadAt(p []byte, at int64) (int, error) {
	if at < d.to && at+int64(len(p)) > d.from {
		return 0, errors.New("input/output error")
	}
	return d.ReaderAt.ReadAt(p, at)
}

// A disk that does not give out the middle of a long value keeps no office from starting, since what it needs may lie elsewhere; but who
// checks the file is told.
func TestAValueThatCannotBeRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "b.db")
	db, err := bbolt.Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	long := bytes.Repeat([]byte("mark"), 10_000)
	err = db.Update(func(tx *bbolt.Tx) error {
		b, err := tx.CreateBucket([]byte("blobs"))
		return errors.Join(err, b.Put([]byte("a"), []byte("short")), b.Put([]byte("b"), long), b.Put([]byte("c"), []byte("short")))
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	middle := int64(bytes.Index(data, long) + len(long)/2)
	for whole, wrong := range map[bool]bool{false: false, true: true} {
		w := &pageWalk{file: deafDisk{bytes.NewReader(data), middle, middle + 1}, size: int64(len(data)), whole: whole}
		if err := errors.Join(w.findHead(), w.walk()); (err != nil) != wrong {
			t.Errorf("read whole %v: %v", whole, err)
		}
	}
}
