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

// A transaction is one change of a game while it is prepared: the game, and what is to be
// written when the change is committed.
type transaction struct {
	*game.Turn
	office   *Office
	kept     kept // of the game
	past     *past.History
	letters  *report.Writer
	resent   bool        // a letter is sent again
	ended    bool        // the game was over when it was taken up
	operator *Operator   // who acts on the command line; nil: a letter or the office itself acts
	reader   *log.Person // who gets the answers to the game master's letter; nil: the game master

	carried   int   // effects of the turn that were carried out
	unwritten error // of letters that could not be written

	opened   *opened      // what the change is made from; nil: nothing is written
	also     store.Change // what else is written: the mark of the letter, values, letters of before
	outgoing []*outbox.Outgoing
	shown    []*report.Shown // of reports, for the history of their seats
}

// commit writes the change, with what else belongs to it.
func (tr *transaction) commit(ctx context.Context) error {
	if tr.carry(); tr.unwritten != nil {
		return fmt.Errorf("commit %s: %w", tr.Game.ID, tr.unwritten)
	}
	tr.hideKeys()
	if err := tr.goesOn(ctx); err != nil {
		return err
	}
	c, err := tr.packChange(ctx)
	if err != nil {
		return err
	}
	if err := tr.office.store.Commit(ctx, c); err != nil {
		return fmt.Errorf("commit %s: %w", tr.Game.ID, err)
	}
	tr.grown(&c)
	tr.opened.end, tr.opened.record = tr.Last, store.VersionOf(c.Record)
	if len(tr.outgoing) > 0 || tr.resent {
		signal(tr.office.post)
	}
	signal(tr.office.wake)
	return nil
}

// packChange packs all that the change writes. It is done before the store is entered,
// where others wait.
func (tr *transaction) packChange(ctx context.Context) (c store.Change, err error) {
	c = tr.also.Clone()
	c.Game, c.After, c.Was, c.Entries = tr.Game.ID, tr.opened.end, tr.opened.record, tr.Entries
	if c.Wake == nil {
		c.Wake = map[string]time.Time{}
	}
	c.Leave, c.Join, c.Wake[tr.Game.ID] = tr.Left, tr.Joined, tr.Game.Wake()
	if err := (club{tr.office}).left(&c, tr.Game.ID, tr.Left); err != nil {
		return c, err
	}
	if err := (leagues{tr.office}).hear(&c, tr.Turn); err != nil {
		return c, err
	}
	tr.rest(&c)
	tr.packs(&c)
	if c.Record, err = json.Marshal(tr.Game); err != nil {
		return c, fmt.Errorf("write record of %s: %w", tr.Game.ID, err)
	}
	c.Tags = game.Tags(tr.Game)
	if tr.Moved {
		if c.Snapshot, err = tr.Position.Marshal(); err != nil {
			return c, fmt.Errorf("write snapshot of %s: %w", tr.Game.ID, err)
		}
	}
	for _, m := range tr.Checkpoints {
		data, err := m.Pack()
		if err != nil {
			return c, err
		}
		c.History = append(c.History, store.Position{Seq: m.Seq, Data: data})
	}
	if len(tr.Answers) > 0 {
		c.Answers = map[string][]byte{}
	}
	for side, file := range tr.Answers {
		c.Answers[string(side)] = file
	}
	for _, p := range tr.shown {
		page, blobs, err := packPage(p)
		if err != nil {
			return c, err
		}
		c.Pages, c.Blobs = append(c.Pages, page), append(c.Blobs, blobs...)
	}
	return c, tr.office.box.Enqueue(ctx, &c, tr.Now, tr.outgoing...)
}
