package main

import (
	"bytes"
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

// markOf gives what stands in a database of where its office has gone; nil: nothing.
func markOf(s store.Store) (data []byte, err error) {
	err = s.Read(context.Background(), func(r store.Reader) error { data = r.Value(movedValue); return nil })
	return data, err
}

// movedTo reads where an office has gone; nil if it has not.
func movedTo(s store.Store) (*moved, error) {
	data, err := markOf(s)
	if err != nil {
		return nil, err
	}
	return readMoved(data)
}

// readMoved reads what stands in a database of where its office has gone; nil if it has not.
func readMoved(data []byte) (m *moved, err error) {
	if data == nil {
		return nil, nil
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

// errTakenBack: somebody else has decided meanwhile where the office is.
var errTakenBack = hinted{errors.New("move: the move was taken back while it ran, or another one began (berthier move --undo, berthier move)"),
	"the office stays where it was; let one person move it, and drop what this move has written"}

// errInterrupted: the mover was deposed, and its mark still stands.
var errInterrupted = hinted{errors.New("move: another command of this member began while the move ran, and has ended it"),
	"berthier move --undo lets the office stay where it is; then move it again, and begin no other command on this machine until that has ended"}

// A leaving is the move of an office away from a database.
type leaving struct {
	from keeper
	mark []byte // what stands there as long as the office is on its way; nil: nothing, as in a file, on which nobody else works
}

// done notes where the office has gone. It fails if the mark of this move is not there any more: then members may have begun again, and
// what they took in would be lost.
func (l *leaving) done(ctx context.Context, to string) error {
	data, err := json.Marshal(moved{To: to, At: time.Now().UTC()})
	if err != nil {
		return err
	}
	switch err := l.put(ctx, data); {
	case errors.Is(err, errTakenBack), errors.Is(err, errInterrupted):
		return err
	case err != nil:
		return fmt.Errorf("note that the office has moved: %w", err)
	}
	return nil
}

// back lets the office stay where it is, unless somebody else has decided that meanwhile, or it has moved and what failed came after that.
func (l *leaving) back(ctx context.Context) error {
	if l.mark == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), openIn)
	defer cancel()
	switch err := l.put(ctx, nil); {
	case errors.Is(err, errInterrupted):
		return err
	case err != nil && !errors.Is(err, errTakenBack):
		return hinted{fmt.Errorf("note that the office has not moved: %w", err), "berthier move --undo lets it stay where it is"}
	}
	return nil
}

// put writes where the office has gone in the place of the mark of this move; nil: it has not. It fails with errTakenBack if that mark is not there.
func (l *leaving) put(ctx context.Context, data []byte) error {
	err := store.Again(ctx, func() error {
		var c store.Change
		was, err := c.ValueOf(ctx, l.from, movedValue)
		if err != nil {
			return err
		}
		if !bytes.Equal(was.Data, l.mark) {
			return errTakenBack
		}
		c.PutValue(movedValue, store.Value{Data: data, Was: was.Was})
		return l.from.Commit(ctx, c)
	})
	if errors.Is(err, store.ErrDeposed) { // by the one who has taken it back, or by any other command of this machine
		if now, readErr := markOf(l.from); readErr == nil && bytes.Equal(now, l.mark) {
			return errInterrupted
		}
		return errTakenBack
	}
	return err
}

// leaveServer sees that nobody works any more on a database that an office is about to leave, and that nobody begins to: what he would
// take in would be lost. A file has nobody else who works on it.
func leaveServer(ctx context.Context, from keeper, to string) (*leaving, error) {
	l := &leaving{from: from}
	s, ok := from.(*postgres.Store)
	if !ok {
		return l, nil
	}
	was, err := markOf(from)
	if err != nil {
		return nil, err
	}
	work, err := leader.Beating(ctx, from, func(string) bool { return true }, false)
	if err != nil {
		return nil, err
	}
	if len(work) > 0 {
		return nil, hinted{fmt.Errorf("move: these members of the office work: %s", strings.Join(work, ", ")), "stop berthier serve first, on every machine (systemctl stop berthier), so that no service starts it again"}
	}
	if l.mark, err = json.Marshal(moved{To: to, At: time.Now().UTC(), Moving: true}); err != nil {
		return nil, err
	}
	switch err := s.Retire(ctx, movedValue, was, l.mark); {
	case errors.Is(err, store.ErrOutOfStep):
		return nil, errTakenBack
	case err != nil:
		return nil, errors.Join(err, l.back(ctx)) // it may be in force all the same
	}
	return l, nil
}

// undoMove lets an office stay where it is whose move was broken off. If that move runs still, on another machine, it can't end any more:
// it is deposed as every other member, in the moment in which its mark goes.
func undoMove(ctx context.Context, conf config, c *console) error {
	s, err := openStore(conf, bolt.Options{})
	if err != nil {
		return databaseHint(err, conf)
	}
	defer s.Close()
	mark, err := markOf(s)
	if err != nil {
		return err
	}
	switch m, err := readMoved(mark); {
	case err != nil:
		return err
	case m == nil:
		return hinted{errors.New("move: no move was broken off"), "nothing is to be done: berthier serve opens the office"}
	case !m.Moving:
		return m.gone()
	}
	if server, ok := s.(*postgres.Store); ok {
		err = server.Retire(ctx, movedValue, mark, nil)
	} else {
		err = (&leaving{from: s, mark: mark}).put(ctx, nil)
	}
	if errors.Is(err, store.ErrOutOfStep) || errors.Is(err, errTakenBack) {
		return hinted{errors.New("move: the move ended meanwhile, or another one began"), "berthier game list says where the office is"}
	}
	if err != nil {
		return databaseHint(err, conf)
	}
	_, err = fmt.Fprintf(c.out, "the office stays in %s; drop what the move has left where it was to go\n", conf.where())
	return err
}
