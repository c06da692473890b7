package bolt

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/store"
	"berthier/adjudicator/store/storetest"
)

func TestMain(m *testing.M) { os.Exit(storetest.Main(m, openChecked)) }

// A checked store is looked through when it is closed.
type checked struct{ *Store }

func (s checked) Close() error {
	if err := s.Check(); err != nil && !errors.Is(err, store.ErrClosed) {
		return errors.Join(err, s.Store.Close())
	}
	return s.Store.Close()
}

func openChecked(folder string, quick bool) (store.Store, error) {
	s, err := openNew(filepath.Join(folder, "games.db"), Options{NoSync: quick})
	if err != nil {
		return nil, err
	}
	return checked{s}, nil
}

func TestContract(t *testing.T) { storetest.Run(t, openChecked) }

func BenchmarkCommit(b *testing.B) { storetest.Bench(b, openChecked) }

func open(t testing.TB, path string) *Store {
	t.Helper()
	s, err := openNew(path, Options{Timeout: 100 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		err := s.view(s.walkAt) // a test may have spoilt a record
		if err != nil && !errors.Is(err, store.ErrClosed) {
			t.Errorf("check: %v", err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func fresh(t testing.TB) *Store {
	t.Helper()
	return open(t, filepath.Join(t.TempDir(), "games.db"))
}

// openNew opens a database, and makes it first if there is none.
func openNew(path string, opt Options) (*Store, error) {
	if err := Create(path, opt); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return Open(path, opt)
}

func commit(t testing.TB, s *Store, c store.Change) {
	t.Helper()
	if err := s.Commit(t.Context(), c); err != nil {
		t.Fatal(err)
	}
}

func read(t testing.TB, s *Store, f func(store.Reader)) {
	t.Helper()
	if err := s.Read(t.Context(), func(r store.Reader) error { f(r); return nil }); err != nil {
		t.Fatal(err)
	}
}

func TestOpen(t *testing.T) {
	t.Run("a second opener is told why", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "games.db")
		open(t, path)
		if _, err := Open(path, Options{Timeout: 20 * time.Millisecond}); !errors.Is(err, ErrLocked) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("a newer file is refused", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "games.db")
		s := open(t, path)
		if err := s.db.Update(func(tx *bbolt.Tx) error {
			return tx.Bucket(bucketMeta).Put(keySchema, strconv.AppendInt(nil, Schema+1, 10))
		}); err != nil {
			t.Fatal(err)
		}
		s.Close()
		if _, err := Open(path, Options{}); !errors.Is(err, ErrNewer) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("another program's file is refused", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "other.db")
		db, err := bbolt.Open(path, 0o600, nil)
		if err != nil {
			t.Fatal(err)
		}
		err = db.Update(func(tx *bbolt.Tx) error { _, err := tx.CreateBucket([]byte("things")); return err })
		if err := errors.Join(err, db.Close()); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path, Options{}); !errors.Is(err, ErrForeign) {
			t.Errorf("got %v", err)
		}
		text := filepath.Join(t.TempDir(), "text")
		if err := os.WriteFile(text, bytes.Repeat([]byte("no database "), 1000), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(text, Options{}); !errors.Is(err, ErrForeign) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("the secret stays", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "games.db")
		s := open(t, path)
		secret := s.Secret()
		s.Close()
		if again := open(t, path).Secret(); again != secret || again == [32]byte{} {
			t.Error("the secret changed, or there is none")
		}
	})
	t.Run("what is only read takes nothing in", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "games.db")
		open(t, path).Close()
		s, err := Open(path, Options{ReadOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		_, reserved := s.Reserve(t.Context(), 1)
		if err := s.Commit(t.Context(), store.Change{Game: "g", Record: []byte("x")}); !errors.Is(err, store.ErrReadOnly) || !errors.Is(reserved, store.ErrReadOnly) {
			t.Errorf("got %v, %v", err, reserved)
		}
	})
}

// A body that was changed in the file is found.
func TestChangedEntryIsFound(t *testing.T) {
	s := fresh(t)
	c := store.Change{Game: "g"}
	for i := range 20 {
		e := chain.Follow(c.After, chain.Salt{byte(i)}, []byte("body"), nil)
		c.Entries = []chain.Entry{e}
		commit(t, s, c)
		c.After = e.Link
	}
	if err := s.db.Update(func(tx *bbolt.Tx) error {
		key := within("g", number(17)...)
		v := bytes.Clone(tx.Bucket(bucketLog).Get(key))
		v[len(v)-1] ^= 1
		return tx.Bucket(bucketLog).Put(key, v)
	}); err != nil {
		t.Fatal(err)
	}
	read(t, s, func(r store.Reader) {
		if err := store.Verify(r, "g"); err == nil || !strings.Contains(err.Error(), "entry 17") {
			t.Errorf("changed entry: %v", err)
		}
	})
}

func TestBackup(t *testing.T) {
	s := fresh(t)
	commit(t, s, store.Change{Game: "a", Record: []byte("one"), Entries: []chain.Entry{chain.Follow(chain.Link{}, chain.Salt{}, []byte("x"), nil)}})
	path := filepath.Join(t.TempDir(), "copy.db")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	n, err := s.Backup(f)
	if err := errors.Join(err, f.Close()); err != nil || n == 0 {
		t.Fatalf("%d bytes, %v", n, err)
	}
	c := open(t, path)
	read(t, c, func(r store.Reader) {
		if string(r.Game("a")) != "one" || store.Verify(r, "a") != nil || r.Last("a").Seq != 1 {
			t.Error("the copy is not the same")
		}
	})
	if c.Secret() != s.Secret() {
		t.Error("the copy has another secret")
	}
}
