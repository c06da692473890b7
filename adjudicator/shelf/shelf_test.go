package shelf

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

var item = &Item{Game: "lot-1", Letters: []Letter{{ID: 7, Body: []byte("a report")}}}

// A folder whose names can't be put on the disk has nothing that was put away; one of a system that can't do that for any
// folder has.
func TestNamesThatAreNotOnTheDisk(t *testing.T) {
	for fault, fails := range map[error]bool{syscall.EIO: true, syscall.ENOSPC: true, syscall.EINVAL: false, syscall.ENOTSUP: false} {
		s := New(t.TempDir())
		s.flush = func(f *os.File) error { return &fs.PathError{Op: "sync", Path: f.Name(), Err: fault} }
		if ref, err := s.Put(item, nil); errors.Is(err, fault) != fails || err == nil && s.Check(ref) != nil {
			t.Errorf("%v: put away: %v", fault, err)
		}
	}
}

// What another writes in the same moment, under the same name, is left alone.
func TestWritersOfTheSameFile(t *testing.T) {
	s := New(t.TempDir())
	ref, err := s.Put(item, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.place(ref.File, nil, func(other string) error {
		f, err := os.OpenFile(other, os.O_WRONLY, 0) // and sleeps
		if err != nil {
			return err
		}
		if again, err := s.Put(item, nil); err != nil || again != ref {
			t.Errorf("%+v, %v", again, err)
		}
		return errors.Join(f.Truncate(6), f.Close(), errors.New("it gives up"))
	}); err == nil {
		t.Error("it did not give up")
	}
	if err := s.Check(ref); err != nil {
		t.Error(err)
	}
	if names, err := s.Strays([]Ref{ref}); err != nil || len(names) != 0 {
		t.Errorf("beside it lies %q, %v", names, err)
	}
}

// Each office has a folder of its own, which says so.
func TestWhoseAFolderIs(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "away")
	mine, other := New(folder).Of("0815"), New(folder).Of("1815")
	if err := mine.Ready(); !errors.Is(err, ErrUnmarked) || !errors.Is(err, ErrNotNow) {
		t.Errorf("a folder that is not there: %v", err)
	}
	if _, err := mine.Put(item, nil); !errors.Is(err, ErrUnmarked) {
		t.Errorf("put away: %v", err)
	}
	if err := errors.Join(mine.Mark(), mine.Mark(), mine.Ready()); err != nil {
		t.Error(err)
	}
	ref, err := mine.Put(item, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Mark(); !errors.Is(err, ErrNotNow) || errors.Is(err, ErrUnmarked) {
		t.Errorf("marked by another: %v", err)
	}
	if err := other.Remove(ref); !errors.Is(err, ErrNotNow) {
		t.Errorf("removed by another: %v", err)
	}
	if got, err := mine.Get(ref); err != nil || !bytes.Equal(got.Letters[0].Body, item.Letters[0].Body) {
		t.Errorf("%+v, %v", got, err)
	}
	if err := mine.Remove(ref); err != nil {
		t.Error(err)
	}
	if _, err := mine.Get(ref); !errors.Is(err, ErrMissing) {
		t.Errorf("removed: %v", err)
	}
	if err := os.Remove(filepath.Join(folder, Owner)); err != nil {
		t.Fatal(err)
	}
	if _, err := mine.Get(ref); !errors.Is(err, ErrNotNow) {
		t.Errorf("missing from a folder of nobody: %v", err)
	}
	if err := mine.Remove(ref); !errors.Is(err, ErrNotNow) {
		t.Errorf("removed from a folder of nobody: %v", err)
	}
}
