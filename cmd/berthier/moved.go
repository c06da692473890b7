package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"berthier/adjudicator/leader"
	"berthier/adjudicator/store"
	"berthier/adjudicator/store/bolt"
	"berthier/adjudicator/store/postgres"
)

// movedValue is the name of the value that says where an office has gone.
const movedValue = "moved"

// moved says where an office has gone.
type moved struct {
	To string    `json:"to"`
	At time.Time `json:"at"`
	// Moving: it is on its way; what is there is not complete yet.
	Moving bool `json:"moving,omitempty"`
}

// gone says that no office opens the database any more; nil if the office has not moved.
func (m *moved) gone() error {
	switch {
	case m == nil:
		return nil
	case m.Moving:
		return hinted{fmt.Errorf("the office is being moved to %s since %s", m.To, moment(m.At)),
			"wait until berthier move has ended; if it was broken off, move the office again, or let it stay where it is: berthier move --undo"}
	}
	return hinted{fmt.Errorf("the office moved to %s on %s", m.To, moment(m.At)), "name that in the configuration (key database); berthier move brings it back into a new file"}
}

// movedTo reads where an office has gone; nil if it has not.
func movedTo(s store.Store) (m *moved, err error) {
	var data []byte
	if err := s.Read(context.Background(), func(r store.Reader) error { data = r.Value(movedValue); return nil }); err != nil || data == nil {
		return nil, err
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, fmt.Errorf("read where the office has moved: %w", err)
	}
	return m, nil
}

// errMoved is an error if the office has gone elsewhere, or is on its way: two databases that both go on would give the
// same numbers to other letters, and other dice to the same stops.
func errMoved(s store.Store) error {
	m, err := movedTo(s)
	return errors.Join(err, m.gone())
}

// markMoved notes where the office has gone.
func markMoved(ctx context.Context, s store.Store, to string) error {
	data, err := json.Marshal(moved{To: to, At: time.Now().UTC()})
	if err != nil {
		return err
	}
	if err := putMoved(ctx, s, data); err != nil {
		return fmt.Errorf("note that the office has moved: %w", err)
	}
	return nil
}

// putMoved writes where an office has gone in the place of what stands there; nil: it has not.
func putMoved(ctx context.Context, s store.Store, data []byte) error {
	return store.Again(ctx, func() error {
		var c store.Change
		was, err := c.ValueOf(ctx, s, movedValue)
		if err != nil || data == nil && was.Data == nil {
			return err
		}
		c.PutValue(movedValue, store.Value{Data: data, Was: was.Was})
		return s.Commit(ctx, c)
	})
}

// leaveServer sees that nobody works any more on a database that an office is about to leave, and that nobody begins to: what he would
// take in would be lost. Back lets the office stay where it is. A file has nobody else who works on it.
func leaveServer(ctx context.Context, from keeper, to string) (back func() error, err error) {
	s, ok := from.(*postgres.Store)
	if !ok {
		return func() error { return nil }, nil
	}
	work, err := leader.Beating(ctx, from, func(string) bool { return true }, false)
	if err != nil {
		return nil, err
	}
	if len(work) > 0 {
		return nil, hinted{fmt.Errorf("move: these members of the office work: %s", strings.Join(work, ", ")), "stop berthier serve first, on every machine (systemctl stop berthier), so that no service starts it again"}
	}
	data, err := json.Marshal(moved{To: to, At: time.Now().UTC(), Moving: true})
	if err != nil {
		return nil, err
	}
	back = func() error {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), openIn)
		defer cancel()
		if m, err := movedTo(from); err == nil && m != nil && !m.Moving {
			return nil // it has moved: what failed came after that
		}
		if err := putMoved(ctx, from, nil); err != nil {
			return hinted{fmt.Errorf("note that the office has not moved: %w", err), "berthier move --undo lets it stay where it is"}
		}
		return nil
	}
	if err := s.Retire(ctx, movedValue, data); err != nil {
		return nil, errors.Join(err, back()) // it may be in force all the same
	}
	return back, nil
}

// undoMove lets an office stay where it is whose move was broken off.
func undoMove(ctx context.Context, conf config, c *console) error {
	s, err := openStore(conf, bolt.Options{})
	if err != nil {
		return databaseHint(err, conf)
	}
	defer s.Close()
	switch m, err := movedTo(s); {
	case err != nil:
		return err
	case m == nil:
		return hinted{errors.New("move: no move was broken off"), "nothing is to be done: berthier serve opens the office"}
	case !m.Moving:
		return m.gone()
	}
	if err := putMoved(ctx, s, nil); err != nil {
		return databaseHint(err, conf)
	}
	_, err = fmt.Fprintf(c.out, "the office stays in %s; drop what the move has left where it was to go\n", conf.where())
	return err
}
