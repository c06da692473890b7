package adjudicator

import (
	"context"
	"math/big"
	"strings"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/store"
	"berthier/orders/phrase"
	"berthier/templates"
)

// When a database was restored from a copy, letters are on their way or in players'
// boxes of which it knows nothing: what they tell has not happened, and the hashes at
// their foot are in no log. So the log says that there was a restore, each player is
// told in the next letter that he gets, and nothing is numbered as it was then. Whose
// letters fit nowhere else can be told apart later ([VerifyLetters]), but proves
// nothing: an office that cheats would claim a restore.

// restoredDone is the note of the store that names the last restore that all its
// games know of.
const restoredDone = "restored/done"

// Numbers that players may have seen go on at least so far on, and at most so much
// further: by chance, so that restoring a copy twice gives other ones.
const (
	leastSkip = 1000
	mostSkip  = 1_000_000
	mostMoves = 1_000_000_000
)

// settleRestore tells the games of a restore that they do not know of yet.
func (o *Office) settleRestore() error {
	var (
		restored store.Restoration
		ids      []string
	)
	err := o.read(func(tx store.Reader) error {
		r, any, err := store.Restored(tx)
		if err != nil || !any || string(tx.Note(restoredDone)) == r.Mark {
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
			return o.change(ctx, id, func(d *desk) error { return d.restored(log.Restoration(restored)) })
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
		done, err := o.noteOf(&c, restoredDone)
		if err != nil {
			return err
		}
		done.Data = []byte(restored.Mark)
		c.PutNote(restoredDone, done)
		return o.store.Commit(ctx, c)
	})
}

// restored notes a restore in the log of a game that is not over.
func (d *desk) restored(r log.Restoration) error {
	g := d.Game
	if g.Restored == r.Mark || g.Phase != game.Running {
		return nil
	}
	if err := d.Log(log.Entry{Kind: log.KindRestored, By: "office", Data: r}); err != nil {
		return err
	}
	g.Restored = r.Mark
	skip := skipOf(r.Mark)
	for _, s := range g.Seats {
		s.Serial += skip
		s.Restored = r.At
		if s.Owes != nil { // calendars keep the newest of what they were told
			s.Owes.Moves = min(s.Owes.Moves+skip, mostMoves)
		}
	}
	d.TellGM(phrase.Say("office.restored.subject"), phrase.Say("office.restored.gm", phrase.Within("at", d.office.sayMoment(g.GM, r.At))))
	return nil
}

// skipOf is how far numbers skip at a restore. It comes from the chance in its mark,
// so that a game that is told twice skips as far.
func skipOf(mark string) int {
	n, ok := new(big.Int).SetString(mark, 16)
	if !ok {
		return leastSkip
	}
	return leastSkip + int(n.Mod(n, big.NewInt(mostSkip)).Int64())
}

// restoredNews is what the next letter to a seat says of a restore.
func (o *Office) restoredNews(s *game.Seat) []phrase.Phrase {
	if s.Restored.IsZero() {
		return nil
	}
	return []phrase.Phrase{phrase.Say("office.restored.you", phrase.Within("at", o.sayMoment(s.Person, s.Restored)))}
}

// tellsRestore tells whether a letter to a seat says that there was a restore: one
// that is sent again, as it was, does not.
func (o *Office) tellsRestore(s *game.Seat, letter *templates.Letter) bool {
	for _, news := range o.restoredNews(s) {
		text := strings.Join(strings.Fields(o.words.Say(templates.Language(s.Person.Language), news, nil)), " ")
		if !strings.Contains(strings.Join(strings.Fields(letter.Text), " "), text) {
			return false
		}
	}
	return true
}
