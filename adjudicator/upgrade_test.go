package adjudicator

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/store"
	"berthier/adjudicator/store/bolt"
	"berthier/mail"
)

// unpack puts a database from testdata into a folder of its own.
func unpack(t *testing.T, name string) string {
	t.Helper()
	packed, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "games.db")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A database of schema 1 is brought up to date, and the game in it goes on: the
// answer that was in force then counts now. The file was written by a program of
// that schema itself.
func TestUpgrade(t *testing.T) {
	path := unpack(t, "schema1.db.gz")
	if info, err := bolt.Inspect(path, bolt.Options{}); err != nil || info.Schema != 1 || info.Games != 1 {
		t.Fatalf("the old file: %+v, %v", info, err)
	}
	h := newTestOffice(t, func(h *testOffice) { h.path = path })
	d, err := h.office.Clerk().Show("lot-1")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range d.Seats {
		if s.Stop != 1 || s.Answered != (s.Side == "red") {
			t.Errorf("%s owes stop %d, answered: %v", s.Side, s.Stop, s.Answered)
		}
	}
	h.write(blueAt, "game: lot-1\nside: blue\nkey: "+key(h, "lot-1", "blue")+"\nstop: 1\norders: {bid: B-1}\n", mail.Processed)
	if kinds := h.kinds("lot-1"); kinds[len(kinds)-1] != log.KindResolved {
		t.Errorf("the stop was not resolved: %v", kinds)
	}
	h.play("lot-1", h.anyUnit("lot-1"))
	if h.record("lot-1").Phase != game.Over {
		t.Error("the game does not come to its end")
	}
	if err := h.store.Read(context.Background(), func(tx store.Reader) error { return store.Verify(tx, "lot-1") }); err != nil {
		t.Error(err)
	}
}

// A database of a program whose log reads otherwise is refused, and left as it is.
func TestUpgradeTooOld(t *testing.T) {
	path := unpack(t, "before.db.gz")
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if st, err := bolt.Open(path, bolt.Options{}); !errors.Is(err, bolt.ErrOlder) {
		t.Errorf("%v, %v", st, err)
	}
	after, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("the file was changed: %v", err)
	}
}
