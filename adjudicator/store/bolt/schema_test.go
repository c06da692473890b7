package bolt

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"berthier/adjudicator/store"
)

// oldFile makes a file of schema 1 with one game.
func oldFile(t *testing.T, path string) {
	t.Helper()
	s := open(t, path)
	commit(t, s, store.Change{Game: "g", Record: []byte("record")})
	if err := s.db.Update(func(tx *bbolt.Tx) error {
		return tx.Bucket(bucketMeta).Put(keySchema, []byte("1"))
	}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestMigration(t *testing.T) {
	t.Run("keeps the old file beside the new one", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "games.db")
		oldFile(t, path)
		s := open(t, path)
		read(t, s, func(r store.Reader) {
			if string(r.Game("g")) != "record" {
				t.Error("the game is gone")
			}
		})
		if err := s.view(func(tx *bbolt.Tx) error {
			v, err := schemaOf(tx)
			if v != Schema {
				t.Errorf("schema %d", v)
			}
			return err
		}); err != nil {
			t.Error(err)
		}
		s.Close()
		for file, want := range map[string]int{path: Schema, OldCopy(path, 1): 1} {
			if info, err := Inspect(file, Options{}); err != nil || info.Schema != want || info.Games != 1 || info.Bytes == 0 {
				t.Errorf("%s: %+v, %v", file, info, err)
			}
		}
	})
	t.Run("is not needed to read", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "games.db")
		oldFile(t, path)
		if s, err := Open(path, Options{ReadOnly: true}); !errors.Is(err, ErrOlder) {
			s.Close()
			t.Errorf("schema 1 is opened to be read: %v", err)
		}
		s := open(t, path)
		if err := s.db.Update(func(tx *bbolt.Tx) error { return tx.Bucket(bucketMeta).Put(keySchema, []byte("5")) }); err != nil {
			t.Fatal(err)
		}
		s.Close()
		s, err := Open(path, Options{ReadOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		read(t, s, func(r store.Reader) {
			if string(r.Game("g")) != "record" {
				t.Error("the game is gone")
			}
		})
		s.Close()
		if info, err := Inspect(path, Options{}); err != nil || info.Schema != 5 {
			t.Errorf("after it was read: %+v, %v", info, err)
		}
	})
	t.Run("does not overwrite a copy", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "games.db")
		oldFile(t, path)
		if err := os.WriteFile(OldCopy(path, 1), []byte("the first"), 0o600); err != nil {
			t.Fatal(err)
		}
		open(t, path)
		if data, err := os.ReadFile(OldCopy(path, 1)); err != nil || string(data) != "the first" {
			t.Errorf("%q, %v", data, err)
		}
	})
	t.Run("happens in full or not at all", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "games.db")
		oldFile(t, path)
		kept := migrations[0]
		t.Cleanup(func() { migrations[0] = kept })
		migrations[0] = func(tx *bbolt.Tx) error {
			return errors.Join(tx.DeleteBucket(bucketGames), errors.New("the machine is on fire"))
		}
		if s, err := Open(path, Options{NoSync: true}); err == nil {
			s.Close()
			t.Fatal("a migration that failed was not told")
		}
		if info, err := Inspect(path, Options{}); err != nil || info.Schema != 1 {
			t.Errorf("after it failed: %+v, %v", info, err)
		}
		migrations[0] = kept
		open(t, path)
	})
}

func TestRestore(t *testing.T) {
	dir := t.TempDir()
	path, backup, aside := filepath.Join(dir, "games.db"), filepath.Join(dir, "copy.db"), filepath.Join(dir, "aside.db")
	s := open(t, path)
	secret := s.Secret()
	commit(t, s, store.Change{Game: "early", Record: []byte("1")})
	f, err := os.Create(backup)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Backup(f); err != nil {
		t.Fatal(err)
	}
	f.Close()
	commit(t, s, store.Change{Game: "late", Record: []byte("1")})

	if _, err := Restore(backup, path, aside, time.Now()); !errors.Is(err, ErrLocked) {
		t.Errorf("while it is in use: %v", err)
	}
	if _, err := os.Stat(aside); err == nil {
		t.Error("a restore that was refused left something behind")
		os.Remove(aside)
	}
	s.Close()

	garbage := filepath.Join(dir, "garbage.db")
	if err := os.WriteFile(garbage, make([]byte, 1<<16), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Restore(garbage, path, aside, time.Now()); !errors.Is(err, ErrForeign) {
		t.Errorf("from garbage: %v", err)
	}
	if _, err := Restore(backup, path, aside, time.Now()); err != nil {
		t.Fatal(err)
	}
	if _, err := Restore(backup, path, aside, time.Now()); !errors.Is(err, os.ErrExist) {
		t.Errorf("over what was put aside: %v", err)
	}
	s = open(t, path)
	read(t, s, func(tx store.Reader) {
		if tx.Game("early") == nil || tx.Game("late") != nil || s.Secret() != secret {
			t.Error("what was restored is not what was saved")
		}
	})
	if info, err := Inspect(aside, Options{Timeout: 20 * time.Millisecond}); err != nil || info.Games != 2 {
		t.Errorf("what was put aside: %+v, %v", info, err)
	}

	// A database that is broken is put aside, too.
	broken := filepath.Join(dir, "broken.db")
	if err := os.WriteFile(broken, make([]byte, 1<<16), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Restore(backup, broken, broken+".aside", time.Now()); err != nil {
		t.Fatal(err)
	}
	if info, err := Inspect(broken, Options{}); err != nil || info.Games != 1 {
		t.Errorf("in place of a broken one: %+v, %v", info, err)
	}
}
