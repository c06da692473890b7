package bolt

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"go.etcd.io/bbolt"
)

// compactAt is how many bytes of a copy are written at once.
const compactAt = 64 << 20

// Compact makes the file of a database as small as it can be: all of it is copied, and what is
// free is left out. The file is read through first, and locked: a process that has it open
// makes it [ErrLocked]. The copy is complete, and on the disk, before it takes the place of the file in one
// step, after finish was called with its path; if the machine dies, the one or the other is there, whole. It is the same database.
func Compact(path string, finish func(part string) error) (err error) {
	s, err := openFile(path, Options{}, false)
	if err != nil {
		return err
	}
	defer func() {
		if closing := s.db.Close(); closing != nil && err == nil {
			err = closing
		}
		if err != nil {
			err = fmt.Errorf("compact database %s: %w", path, err)
		}
	}()
	if err := s.db.View(func(tx *bbolt.Tx) error {
		version, err := schemaOf(tx)
		switch {
		case err != nil:
			return err
		case version == 0:
			return fmt.Errorf("%w (it is empty)", ErrForeign)
		}
		return checkRecords(tx)
	}); err != nil {
		return err
	}
	return writeWhole(path, func(io.Writer) error { return nil }, func(part string) error {
		if err := s.atPath(); err != nil {
			return err
		}
		if err := os.Chmod(part, s.info.Mode().Perm()); err != nil {
			return err
		}
		copied, err := bbolt.Open(part, s.info.Mode().Perm(), &bbolt.Options{NoFreelistSync: true, NoSync: true, Timeout: time.Second, PageSize: int(s.page)})
		if err != nil {
			return err
		}
		err = bbolt.Compact(copied, s.db, compactAt)
		if err == nil {
			err = copied.Sync()
		}
		if err = errors.Join(err, copied.Close()); err != nil {
			return err
		}
		if _, err := Inspect(part, Options{}); err != nil {
			return err
		}
		return finish(part)
	})
}
