package adjudicator

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"berthier/adjudicator/shelf"
	"berthier/adjudicator/store"
)

// A file on the shelf to which nothing leads any more holds what players were shown, and who they are. The change by which
// it became so names it, and its name is forgotten only when it is removed: a folder that can't be written now can be
// written tomorrow, and a process may die in between.

const (
	leftWake   = "=left/" // and a game's id, in the index of what wakes
	leftPrefix = "left "  // and a game's id: the value that names the files
	leftAgain  = 24 * time.Hour
)

// leftOf gives the files that are to be removed from the shelf.
func leftOf(data []byte) (left []shelf.Ref, err error) {
	if data == nil {
		return nil, nil
	}
	if err := json.Unmarshal(data, &left); err != nil {
		return nil, fmt.Errorf("read what is to be removed from the shelf: %w", err)
	}
	return left, nil
}

// leave adds to a change that a file is to be removed from the shelf.
func (s shelving) leave(c *store.Change, tx store.Reader, id string, ref shelf.Ref) error {
	v := c.ValueIn(tx, leftPrefix+id)
	left, err := leftOf(v.Data)
	if err != nil {
		return err
	}
	if v.Data, err = json.Marshal(append(left, ref)); err != nil {
		return err
	}
	c.PutValue(leftPrefix+id, v)
	c.Wake[leftWake+id] = s.office.now()
	return nil
}

// clear removes the files of a game to which nothing leads any more. The caller holds the game. If one of them can't be removed
// now it is tried again.
func (s shelving) clear(ctx context.Context, id string) error {
	o := s.office
	return store.Again(ctx, func() error {
		c := store.Change{Wake: map[string]time.Time{leftWake + id: {}}}
		var left []shelf.Ref
		if err := o.read(func(tx store.Reader) (err error) {
			v := c.ValueIn(tx, leftPrefix+id)
			if left, err = leftOf(v.Data); err != nil || left == nil {
				return err
			}
			_ = s.ours(tx, false) // whether it is, is asked when a file is removed
			v.Data = nil
			c.PutValue(leftPrefix+id, v)
			return nil
		}); err != nil {
			return err
		}
		for _, ref := range left {
			if err := s.removeUnless(id, ref); err != nil {
				o.log.Error("a file could not be removed from the shelf", "game", id, "file", o.shelf.Path(ref), "error", err)
				return fmt.Errorf("clear the shelf of %s: %w", id, err)
			}
			o.log.Info("nothing is left on the shelf to remove", "game", id, "file", ref.File)
		}
		return o.store.Commit(ctx, c)
	})
}

// settleLeft removes what could not be removed before.
func (s shelving) settleLeft(ctx context.Context, id string) error {
	defer s.office.hold(id)()
	if s.clear(ctx, id) == nil {
		return nil
	}
	c := store.Change{Wake: map[string]time.Time{leftWake + id: s.office.now().Add(leftAgain)}} // told in the log
	if err := s.office.read(func(tx store.Reader) error {
		c.PutValue(leftPrefix+id, c.ValueIn(tx, leftPrefix+id)) // if another member clears it meanwhile this is out of step
		return nil
	}); err != nil {
		return err
	}
	return s.office.store.Commit(ctx, c)
}
