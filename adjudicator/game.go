package adjudicator

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/outbox"
	"berthier/adjudicator/past"
	"berthier/adjudicator/report"
	"berthier/adjudicator/store"
)

// A desk is where one change of a game is prepared: the game, and what is to be
// written when the change is committed.
type desk struct {
	*game.Turn
	office   *Office
	kept     kept // of the game
	past     *past.History
	letters  *report.Writer
	resent   bool        // a letter is sent again
	operator *Operator   // who acts on the command line; nil: it is a letter, or the office
	reader   *log.Person // who gets the answers to the game master's letter; nil: the game master

	carried   int   // effects of the turn that were carried out
	unwritten error // of letters that could not be written

	opened *opened      // what the change is made from; nil: nothing is written
	also   store.Change // what else is written: the mark of the letter, notes, letters of before
	rows   []*outbox.Outgoing
	shown  []*report.Shown // of reports, for the history of their seats
}

// commit writes the change, with what else belongs to it.
func (d *desk) commit(ctx context.Context) error {
	if d.carry(); d.unwritten != nil {
		return fmt.Errorf("commit %s: %w", d.Game.ID, d.unwritten)
	}
	d.hideKeys()
	c, err := d.packChange(ctx)
	if err != nil {
		return err
	}
	if err := d.office.store.Commit(ctx, c); err != nil {
		return fmt.Errorf("commit %s: %w", d.Game.ID, err)
	}
	d.opened.end, d.opened.record = d.Last, store.VersionOf(c.Record)
	if len(d.rows) > 0 || d.resent {
		signal(d.office.post)
	}
	signal(d.office.wake)
	return nil
}

// packChange packs all that the change writes. It is done before the store is entered,
// where others wait.
func (d *desk) packChange(ctx context.Context) (c store.Change, err error) {
	c = d.also.Clone()
	c.Game, c.After, c.Was, c.Entries = d.Game.ID, d.opened.end, d.opened.record, d.Entries
	c.Leave, c.Join, c.Wake = d.Left, d.Joined, map[string]time.Time{d.Game.ID: d.Game.Wake()}
	if c.Record, err = json.Marshal(d.Game); err != nil {
		return c, fmt.Errorf("write record of %s: %w", d.Game.ID, err)
	}
	if d.Moved {
		if c.Snapshot, err = d.Position.Marshal(); err != nil {
			return c, fmt.Errorf("write snapshot of %s: %w", d.Game.ID, err)
		}
	}
	for _, m := range d.Checkpoints {
		data, err := m.Pack()
		if err != nil {
			return c, err
		}
		c.History = append(c.History, store.Position{Seq: m.Seq, Data: data})
	}
	if len(d.Answers) > 0 {
		c.Answers = map[string][]byte{}
	}
	for side, file := range d.Answers {
		c.Answers[string(side)] = file
	}
	for _, p := range d.shown {
		page, blobs, err := packPage(p)
		if err != nil {
			return c, err
		}
		c.Pages, c.Blobs = append(c.Pages, page), append(c.Blobs, blobs...)
	}
	return c, d.office.box.Enqueue(ctx, &c, d.Now, d.rows...)
}
