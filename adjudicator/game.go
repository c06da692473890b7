package adjudicator

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/store"
	"berthier/adjudicator/timing"
	"berthier/engine"
	"berthier/templates"
)

// readerOf is a person as the reader of a letter.
func readerOf(p log.Person) templates.Reader {
	return templates.Reader{Name: p.Name, Language: p.Language, Zone: timing.Zone(p.Zone)}
}

func (o *Office) seatKey(g *game.State, s *game.Seat) string {
	return o.key(g.ID, string(s.Side), s.Epoch, s.Keys)
}
func (o *Office) gmKey(g *game.State) string { return o.key(g.ID, string(engine.GM), g.Epoch, g.Keys) }

// A desk is where one change of a game is prepared: the game, and what is to be
// written when the change is committed.
type desk struct {
	*game.Turn
	office   *Office
	reading  bool
	resent   bool        // a letter is sent again
	dry      bool        // a rehearsal: nothing of it is kept
	operator *Operator   // who acts on the command line; nil: it is a letter, or the office
	reader   *log.Person // who gets the answers to the game master's letter; nil: the game master

	carried   int   // effects of the turn that were carried out
	unwritten error // of letters that could not be written

	rows     []*row
	archives map[string][]byte          // pages of the finished game, by language
	kept     []packedPage               // of reports sent, for the history of their seats
	writes   []func(tx *store.Tx) error // whatever else
}

// A packedChange is a change as the store keeps it. It is packed before the transaction,
// for which others wait.
type packedChange struct {
	record   []byte
	snapshot []byte // nil: the position is the same
	rows     []packedRow
	history  [][]byte // by milestone
	wake     time.Time
}

// commit writes the change, with what else belongs to the transaction.
func (d *desk) commit(ctx context.Context, also func(*store.Tx) error) error {
	if d.carry(); d.unwritten != nil {
		return fmt.Errorf("commit %s: %w", d.Game.ID, d.unwritten)
	}
	d.hideKeys()
	packed, err := d.packChange()
	if err != nil {
		return err
	}
	err = d.office.store.Apply(ctx, func(tx *store.Tx) error {
		if also != nil {
			if err := also(tx); err != nil {
				return err
			}
		}
		return d.putChange(tx, packed)
	})
	if err != nil {
		return fmt.Errorf("commit %s: %w", d.Game.ID, err)
	}
	if len(packed.rows) > 0 || d.resent {
		signal(d.office.post)
	}
	signal(d.office.wake)
	return nil
}

// packChange packs all that the change writes.
func (d *desk) packChange() (p packedChange, err error) {
	if p.record, err = json.Marshal(d.Game); err != nil {
		return p, fmt.Errorf("write record of %s: %w", d.Game.ID, err)
	}
	if d.Moved {
		if p.snapshot, err = d.Position.Marshal(); err != nil {
			return p, fmt.Errorf("write snapshot of %s: %w", d.Game.ID, err)
		}
	}
	p.rows = make([]packedRow, len(d.rows))
	for i, r := range d.rows {
		if p.rows[i], err = r.pack(); err != nil {
			return p, err
		}
	}
	p.history = make([][]byte, len(d.Checkpoints))
	for i, m := range d.Checkpoints {
		if p.history[i], err = m.Pack(); err != nil {
			return p, err
		}
	}
	for i := range d.kept {
		if err := d.kept[i].pack(); err != nil {
			return p, err
		}
	}
	p.wake = d.Game.Wake()
	return p, nil
}

// putChange writes the change in a transaction.
func (d *desk) putChange(tx *store.Tx, p packedChange) error {
	id := d.Game.ID
	if err := tx.Append(id, d.Entries...); err != nil {
		return err
	}
	if err := tx.PutGame(id, p.record); err != nil {
		return err
	}
	if d.Moved {
		if err := tx.PutSnapshot(id, p.snapshot); err != nil {
			return err
		}
	}
	for i, m := range d.Checkpoints {
		if err := tx.PutHistory(id, m.Seq, p.history[i]); err != nil {
			return err
		}
	}
	for side, file := range d.Answers {
		if err := tx.PutAnswer(id, string(side), file); err != nil {
			return err
		}
	}
	for _, address := range d.Left {
		if err := tx.Leave(address, id); err != nil {
			return err
		}
	}
	for _, address := range d.Joined {
		if err := tx.Join(address, id); err != nil {
			return err
		}
	}
	for _, r := range p.rows {
		if err := r.queue(tx, d.Now); err != nil {
			return err
		}
	}
	for i := range d.kept {
		if err := d.kept[i].put(tx, id); err != nil {
			return err
		}
	}
	for _, write := range d.writes {
		if err := write(tx); err != nil {
			return err
		}
	}
	return tx.Wake(id, p.wake)
}
