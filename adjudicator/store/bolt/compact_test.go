package bolt

import (
	"bytes"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"berthier/adjudicator/store"
)

// contentOf is all that a file keeps, but for the pages in which it lies.
func contentOf(t *testing.T, path string) string {
	t.Helper()
	var b bytes.Buffer
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.db.View(func(tx *bbolt.Tx) error {
		return tx.ForEach(func(name []byte, bucket *bbolt.Bucket) error {
			b.Write(append(number(bucket.Sequence()), name...))
			return bucket.ForEach(func(k, v []byte) error {
				b.Write(append(append(number(uint64(len(k))), k...), v...))
				return nil
			})
		})
	}), s.Check(), s.Close()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// spacious makes a database of which most is free.
func spacious(t *testing.T, path string) {
	t.Helper()
	fullFile(t, path)
	s, err := Open(path, Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{2 << 20, 10} {
		c := store.Change{Values: map[string]store.Value{}}
		var was store.Version
		if err := s.Read(t.Context(), func(r store.Reader) error { was = store.VersionOf(r.Value("large")); return nil }); err != nil {
			t.Fatal(err)
		}
		c.Values["large"] = store.Value{Data: bytes.Repeat([]byte("x"), size), Was: was}
		if err := s.Commit(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// A compacted file is the same database in less room. What was left of an attempt that died is written
// over, and nothing is done to a file that is open, foreign or damaged, or that can't be given to its owner.
func TestCompact(t *testing.T) {
	path := filepath.Join(t.TempDir(), "b.db")
	spacious(t, path)
	nothing := func(string) error { return nil }
	before, err := Inspect(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	content := contentOf(t, path)
	if err := os.WriteFile(path+".part", []byte("what a death left"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := Compact(path, nothing); !errors.Is(err, ErrLocked) {
		t.Errorf("while it is open: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := Compact(path, func(string) error { return fs.ErrPermission }); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("it can't be given away: %v", err)
	}
	if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, whole) {
		t.Errorf("an attempt that failed has changed it: %v", err)
	}
	if err := Compact(path, nothing); err != nil {
		t.Fatal(err)
	}
	after, err := Inspect(path, Options{})
	if err != nil || after.Number != before.Number || after.Games != before.Games || after.Bytes > before.Bytes/2 {
		t.Errorf("%+v, it was %+v: %v", after, before, err)
	}
	if contentOf(t, path) != content {
		t.Error("it keeps something else")
	}
	if _, err := os.Lstat(path + ".part"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("something is left beside it: %v", err)
	}
	for name, data := range map[string][]byte{"foreign": []byte("something else"), "cut short": whole[:len(whole)/2]} {
		bad := filepath.Join(t.TempDir(), "bad.db")
		if err := os.WriteFile(bad, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Compact(bad, nothing); !errors.Is(err, ErrForeign) && !errors.Is(err, store.ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
		if now, err := os.ReadFile(bad); err != nil || !bytes.Equal(now, data) {
			t.Errorf("%s was changed: %v", name, err)
		}
	}
}

// compactingEnv names the file that a test's own program, when it was started again, compacts until it is killed.
const compactingEnv = "BERTHIER_STORE_COMPACTING"

// Whenever compacting dies, the whole database is there, the old file or the new one, and can be
// opened as the one that it was.
func TestDeathWhileCompacting(t *testing.T) {
	if path := os.Getenv(compactingEnv); path != "" {
		for {
			if err := Compact(path, func(string) error { return nil }); err != nil {
				t.Fatal(err)
			}
		}
	}
	if testing.Short() {
		t.Skip("starts programs and kills them")
	}
	path := filepath.Join(t.TempDir(), "b.db")
	spacious(t, path)
	content := contentOf(t, path)
	chance := rand.New(rand.NewPCG(18, 4))
	for range 20 {
		c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestDeathWhileCompacting$")
		c.Env = append(os.Environ(), compactingEnv+"="+path)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(chance.IntN(60)) * time.Millisecond) // any moment will do
		if err := c.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = c.Wait() // it was killed
		if contentOf(t, path) != content {
			t.Fatal("it keeps something else")
		}
	}
}
