package adjudicator

import (
	"encoding/json"
	"errors"
	"fmt"

	"berthier/adjudicator/shelf"
	"berthier/adjudicator/store"
)

// A folder that lies on another machine is empty while it is not mounted, and nothing in it may count as missing or removed
// then. So the folder holds a file with the office's number ([shelf.Owner]), and without that the shelf can't be used. It is written
// when something is first put away; earlier programs wrote none, so it is written, too, where something is that they put away.

// errFound ends a walk over values.
var errFound = errors.New("found")

// ours tells why the folder is not to be used now; nil if it is this office's. First says that something is to be put there:
// then it is marked, if nothing was put away before. Where nothing is of what was, it is not the folder that the other members
// use, or that the office used before: what would be put there could not be found by others.
func (s shelving) ours(tx store.Reader, first bool) error {
	err := s.office.shelf.Ready()
	if !errors.Is(err, shelf.ErrUnmarked) {
		return err
	}
	any, here := false, false
	if err := s.files(tx, func(ref shelf.Ref) error {
		if any, here = true, s.office.shelf.Has(ref); here {
			return errFound
		}
		return nil
	}); err != nil && !errors.Is(err, errFound) {
		return err
	}
	if here || first && !any {
		err = s.office.shelf.Mark()
	}
	return err
}

// files calls f for the files that were put away, and for those that are to be removed, until it returns an error.
func (s shelving) files(tx store.Reader, f func(shelf.Ref) error) error {
	if err := tx.Values(awayPrefix, func(name string, data []byte) error {
		var a away
		if err := json.Unmarshal(data, &a); err != nil {
			return fmt.Errorf("read value %q: %w", name, err)
		}
		if a.Gone.IsZero() {
			return f(a.Ref)
		}
		return nil
	}); err != nil {
		return err
	}
	return tx.Values(leftPrefix, func(_ string, data []byte) error {
		left, err := leftOf(data)
		for _, ref := range left {
			err = errors.Join(err, f(ref))
		}
		return err
	})
}

// get reads a game from the shelf.
func (s shelving) get(tx store.Reader, ref shelf.Ref) (*shelf.Item, error) {
	item, err := s.office.shelf.Get(ref)
	if errors.Is(err, shelf.ErrUnmarked) && s.ours(tx, false) == nil {
		return s.office.shelf.Get(ref)
	}
	return item, err
}
