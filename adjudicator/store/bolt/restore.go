package bolt

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"go.etcd.io/bbolt"

	"berthier/adjudicator/store"
)

// Create makes a new database at a path where no file is. It makes no directories.
func Create(path string, opt Options) error {
	if opt.Entropy == nil {
		opt.Entropy = rand.Reader
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(fmt.Errorf("make database %s: %w", path, fs.ErrExist), err)
	}
	err := writeWhole(path, func(io.Writer) error { return nil }, func(part string) error {
		db, err := bbolt.Open(part, 0o600, &bbolt.Options{NoFreelistSync: true, NoSync: opt.NoSync, Timeout: time.Second})
		if err != nil {
			return err
		}
		return errors.Join(db.Update(func(tx *bbolt.Tx) error { return layOut(tx, opt.Entropy) }), db.Close())
	})
	if err != nil {
		return fmt.Errorf("make database %s: %w", path, err)
	}
	return nil
}

// layOut makes what every database has.
func layOut(tx *bbolt.Tx, entropy io.Reader) error {
	if err := makeBuckets(tx, allBuckets...); err != nil {
		return err
	}
	var secret [len(Store{}.secret)]byte
	if _, err := io.ReadFull(entropy, secret[:]); err != nil {
		return fmt.Errorf("draw server secret: %w", err)
	}
	meta := tx.Bucket(bucketMeta)
	if err := meta.Put(keySecret, secret[:]); err != nil {
		return err
	}
	return meta.Put(keySchema, strconv.AppendInt(nil, Schema, 10))
}

// writeWhole makes a file that is either complete or not there at all. Finish does what is
// to be done to the file when it is filled; nil does nothing.
func writeWhole(path string, fill func(io.Writer) error, finish func(part string) error) error {
	part := path + ".part"
	f, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	err = fill(f)
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil && finish != nil {
		err = finish(part)
	}
	if err == nil {
		err = os.Rename(part, path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(part))
	}
	if folder, err := os.Open(filepath.Dir(path)); err == nil { // so that the file's name lasts, too
		_ = folder.Sync() // some systems can't do that
		_ = folder.Close()
	}
	return nil
}

// Info is what [Inspect] tells of a database.
type Info struct {
	Schema int
	Games  int
	Bytes  int64  // of the file
	Number string // the database's own, as [Store.Number] gives it
	// Heads is how many of the two pages are sound that tell where everything else lies.
	// If it is one, the database is complete, unless the other page was damaged after it
	// had been written: then the last change is missing.
	Heads int
}

// Inspect reads a database without changing it, down to the last page and record,
// follows the chain of every log, and tells what it is; an error of the Err kinds
// if it can't be used. A database that is in use is not read: [ErrLocked].
func Inspect(path string, opt Options) (info Info, err error) {
	s, err := openFile(path, opt, true)
	if err != nil {
		return Info{}, err
	}
	err = s.read(func(tx *bbolt.Tx) (err error) {
		info, err = inspect(tx)
		return err
	})
	info.Heads = s.heads
	if err = errors.Join(err, s.db.Close()); err != nil {
		return info, fmt.Errorf("inspect database %s: %w", path, err)
	}
	return info, nil
}

func inspect(tx *bbolt.Tx) (info Info, err error) {
	if info.Schema, err = schemaOf(tx); err != nil {
		return info, err
	}
	if info.Schema == 0 {
		return info, fmt.Errorf("%w (it is empty)", ErrForeign)
	}
	for _, name := range firstBuckets {
		if tx.Bucket(name) == nil {
			return info, fmt.Errorf("%w (bucket %s is missing)", ErrForeign, name)
		}
	}
	info.Bytes, info.Number = tx.Size(), store.NumberOf(tx.Bucket(bucketMeta).Get(keySecret))
	info.Games = tx.Bucket(bucketGames).Stats().KeyN
	return info, checkRecords(tx)
}

// Restore puts a copy made by [Store.Backup] in place of a database. The copy is read in
// full first. The file that is there, even a wreck, is kept under the name given; Restore
// fails if that name is taken, or if the database is in use.
//
// Since the copy was made letters went out whose numbers the copy does not know. So the
// restored database numbers its letters from elsewhere on, and knows that it was restored.
func Restore(backup, path, aside string, now time.Time) (Info, error) {
	info, err := Inspect(backup, Options{})
	if err != nil {
		return info, fmt.Errorf("restore: %w", err)
	}
	if _, err := os.Lstat(aside); !errors.Is(err, fs.ErrNotExist) {
		return info, errors.Join(fmt.Errorf("restore: %s: %w", aside, fs.ErrExist), err)
	}
	release, err := putAside(path, aside)
	if err != nil {
		return info, fmt.Errorf("restore: %w", err)
	}
	defer release()
	err = writeWhole(path, func(w io.Writer) error {
		f, err := os.Open(backup)
		if err != nil {
			return err
		}
		_, err = io.Copy(w, f)
		return errors.Join(err, f.Close())
	}, func(part string) error { return countOn(part, now) })
	if err != nil {
		return info, fmt.Errorf("restore: %w", err)
	}
	return info, nil
}

// putAside gives the file at a path another name besides, in whatever state it is. The file
// is locked until release is called: otherwise a process that has it open would go on
// writing into the file that was put aside.
func putAside(path, aside string) (release func(), err error) {
	if err := plain(path); errors.Is(err, ErrNoFile) {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrPermission) {
		f, err = os.Open(path)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return func() {}, nil
	case err != nil:
		return nil, err
	}
	release = func() { _ = f.Close() }
	if err := lockFile(f, true, time.Second); err != nil {
		release()
		return nil, err
	}
	if err := os.Link(path, aside); err == nil {
		return release, nil
	}
	// Not every file system knows links.
	if err := os.Rename(path, aside); err != nil {
		release()
		return nil, err
	}
	return release, nil
}

// countOn makes a copy that is about to become the database number its letters from elsewhere on.
func countOn(path string, now time.Time) error {
	s, err := openFile(path, Options{}, false)
	if err != nil {
		return err
	}
	leap, restored, err := store.Restore(now)
	if err != nil {
		return errors.Join(err, s.db.Close())
	}
	err = s.db.Update(func(tx *bbolt.Tx) error {
		outbox := tx.Bucket(bucketOutbox)
		if err := outbox.SetSequence(outbox.Sequence() + leap); err != nil {
			return err
		}
		return (&writer{reader: reader{tx}}).putValue(store.RestoredValue, restored)
	})
	return errors.Join(err, s.db.Close())
}
