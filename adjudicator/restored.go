package adjudicator

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"time"

	"berthier/adjudicator/log"
	"berthier/adjudicator/store"
	"berthier/mail"
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
	g := d.game
	if g.Restored == r.Mark || g.Phase != running {
		return nil
	}
	if err := d.note(log.Entry{Kind: log.KindRestored, By: "office", Data: r}); err != nil {
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
	d.tellGM(phrase.Say("office.restored.subject"), phrase.Say("office.restored.gm", phrase.Within("at", d.office.sayMoment(g.GM, r.At))))
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
func (o *Office) restoredNews(s *seat) []phrase.Phrase {
	if s.Restored.IsZero() {
		return nil
	}
	return []phrase.Phrase{phrase.Say("office.restored.you", phrase.Within("at", o.sayMoment(s.Person, s.Restored)))}
}

// tellsRestore tells whether a letter to a seat says that there was a restore: one
// that is sent again, as it was, does not.
func (o *Office) tellsRestore(s *seat, letter *templates.Letter) bool {
	for _, news := range o.restoredNews(s) {
		text := strings.Join(strings.Fields(o.words.Say(templates.Language(s.Person.Language), news, nil)), " ")
		if !strings.Contains(strings.Join(strings.Fields(letter.Text), " "), text) {
			return false
		}
	}
	return true
}

// A lostTime is a stretch of time of which a log says that a restore has lost it.
type lostTime struct {
	entry    uint64 // that says so
	from, to time.Time
}

// lostTimesOf reads the restores from a log: what was written between the last
// entry before one and the moment of the restore may be lost. Entries that are
// withheld have no time.
func lostTimesOf(x *Export) []lostTime {
	var all []lostTime
	var last time.Time
	for _, e := range x.Entries {
		if e.Body == "" {
			continue
		}
		var body struct {
			Kind string          `json:"kind"`
			At   time.Time       `json:"at"`
			Data json.RawMessage `json:"data"`
		}
		if json.Unmarshal([]byte(e.Body), &body) != nil {
			continue // the chain's check tells it
		}
		if body.Kind == log.KindRestored {
			var r log.Restoration
			if json.Unmarshal(body.Data, &r) == nil {
				all = append(all, lostTime{entry: e.N, from: last, to: r.At})
			}
		}
		last = body.At
	}
	return all
}

// lostLetter tells of a letter whose hash is in no entry whether it may be of the
// time that a restore has lost, and says so. The entry that it names, if it does, is
// not one from before.
func lostLetter(times []lostTime, name string, letter *mail.Letter, entry uint64) (says string, lost bool) {
	for _, t := range times {
		if !letter.Date.Before(t.from.Truncate(time.Second)) && !letter.Date.After(t.to) && (entry == 0 || entry >= t.entry) {
			return fmt.Sprintf("%s is from before the restore of entry %d: no log has its hash, and what it tells can't be checked", name, t.entry), true
		}
	}
	return "", false
}
