package adjudicator

import (
	"context"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/store"
)

// When a database was restored from a copy, there are letters on their way or in players'
// mailboxes of which it knows nothing: what they tell has not happened, and the hashes at
// their foot are in no log. So the log says that there was a restore, each player is
// told in the next letter that he gets, and no number is used again. Letters from the lost
// time can be recognised later ([VerifyLetters]), but that proves
// nothing: an office that cheats could claim a restore.

// restoredDone is the name of the value of the store that names the last restore that all its
// games know of.
const restoredDone = "restored/done"

// settleRestore tells the games of a restore that they do not know of yet.
func (l loop) settleRestore() error {
	o := l.office
	var (
		restored store.Restoration
		ids      []string
	)
	err := o.read(func(tx store.Reader) error {
		r, any, err := store.Restored(tx)
		if err != nil || !any || string(tx.Value(restoredDone)) == r.Mark {
			return err
		}
		restored = r
		return tx.Games(func(id string, _ []byte) error { ids = append(ids, id); return nil })
	})
	if err != nil || restored.Mark == "" {
		return err
	}
	ctx, all := context.Background(), true
	for _, id := range ids {
		if err := o.guarded(func() error {
			return o.changeAgain(ctx, id, func(tr *transaction) error { return tr.Do(game.Restored{Restoration: log.Restoration(restored)}) })
		}); err != nil {
			// The others must go on; this one is told at the next start.
			o.log.Error("game not told of the restore", "game", id, "error", err)
			all = false
		}
	}
	o.log.Warn("the database was restored from a copy", "at", restored.At, "games", len(ids))
	if !all {
		return nil
	}
	return store.Again(ctx, func() error {
		var c store.Change
		done, err := c.ValueOf(ctx, o.store, restoredDone)
		if err != nil {
			return err
		}
		done.Data = []byte(restored.Mark)
		c.PutValue(restoredDone, done)
		return o.store.Commit(ctx, c)
	})
}
