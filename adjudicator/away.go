package adjudicator

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/outbox"
	"berthier/adjudicator/shelf"
	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/orders/phrase"
)

// Of a finished game whose set-up says how long its letters are kept, the reports and what each seat was
// shown are put away after days of grace: they move to a file on the office's shelf, and the store keeps
// the file's SHA-256. The file is complete and on the disk before anything of it leaves the store, and
// all that leaves it leaves in one change. Whoever asks for it reads the file; before a game goes on, all
// comes back. When the time that the set-up names has passed, the file is removed. The record, the log
// and the positions stay in the store for good.

const (
	awayAfter     = 14 * 24 * time.Hour // after the last that happened in the game
	awayAgain     = 24 * time.Hour      // when to look again whether a game may be put away
	condemnedFor  = 7 * 24 * time.Hour  // between the moment at which a file is found due to be removed and its end: a clock may have jumped
	awayWake      = "=away/"            // and a game's id, in the index of what wakes
	awayPrefix    = "away "             // and a game's id: the value that says where it is
	mostAwayTries = 3
)

// An away says where what was kept of a game has gone.
type away struct {
	shelf.Ref
	At        time.Time `json:"at"`
	Until     time.Time `json:"until,omitzero"`     // how long it is kept; zero: for good
	Condemned time.Time `json:"condemned,omitzero"` // since when it has been due to be removed
	Gone      time.Time `json:"gone,omitzero"`      // when it was
}

// awayOf tells where what was kept of a game has gone; nil: it is in the store.
func awayOf(tx store.Reader, id string) (*away, error) {
	data := tx.Value(awayPrefix + id)
	if data == nil {
		return nil, nil
	}
	a := &away{}
	if err := json.Unmarshal(data, a); err != nil {
		return nil, fmt.Errorf("read where %s was put away: %w", id, err)
	}
	return a, nil
}

// whereIs tells where what was kept of a game has gone; nil: it is in the store.
func (s shelving) whereIs(id string) (a *away, err error) {
	o := s.office
	err = o.read(func(tx store.Reader) error { a, err = awayOf(tx, id); return err })
	return a, err
}

// put adds to a change where a game has gone.
func (a *away) put(c *store.Change, tx store.Reader, id string) error {
	data, err := json.Marshal(a)
	v := c.ValueIn(tx, awayPrefix+id)
	v.Data = data
	c.PutValue(awayPrefix+id, v)
	return err
}

// A shelving puts what was kept of finished games away, reads it, and brings it back.
type shelving struct{ office *Office }

// An awayReader reads what was put away of a game as if it were in the store.
type awayReader struct {
	store.Reader
	item *shelf.Item
}

// Outgoing implements [store.Reader].
func (r awayReader) Outgoing(id uint64) (store.Outgoing, bool) {
	if o, ok := r.Reader.Outgoing(id); ok {
		return o, ok
	}
	body := r.Lay(id)
	return store.Outgoing{ID: id, Body: bytes.Clone(body)}, body != nil
}

// Lay implements [outbox.Elsewhere].
func (r awayReader) Lay(id uint64) []byte {
	i, ok := slices.BinarySearchFunc(r.item.Letters, id, func(l shelf.Letter, id uint64) int { return cmp.Compare(l.ID, id) })
	if !ok {
		return nil
	}
	return r.item.Letters[i].Body
}

// Away implements [outbox.Elsewhere].
func (r awayReader) Away(id uint64) bool {
	_, there := r.Reader.Outgoing(id)
	return !there
}

// Pages implements [store.Reader].
func (r awayReader) Pages(id, seat string, f func(n uint64, page []byte) error) error {
	pages := map[uint64][]byte{}
	for _, p := range r.item.Pages {
		if p.Seat == seat && id == r.item.Game {
			pages[p.N] = p.Data
		}
	}
	if err := r.Reader.Pages(id, seat, func(n uint64, page []byte) error { pages[n] = bytes.Clone(page); return nil }); err != nil {
		return err
	}
	for _, n := range slices.Sorted(maps.Keys(pages)) {
		if err := f(n, pages[n]); err != nil {
			return err
		}
	}
	return nil
}

// Value implements [store.Reader].
func (r awayReader) Value(name string) []byte {
	if data := r.Reader.Value(name); data != nil {
		return data
	}
	return bytes.Clone(r.item.Values[name])
}

// Blob implements [store.Reader].
func (r awayReader) Blob(digest [sha256.Size]byte) []byte {
	if data := r.Reader.Blob(digest); data != nil {
		return data
	}
	for _, data := range r.item.Blobs {
		if sha256.Sum256(data) == digest {
			return bytes.Clone(data)
		}
	}
	return nil
}

// readAll lets f read the store with what was put away of a game, as far as that is still kept.
func (s shelving) readAll(id string, f func(store.Reader) error) error {
	o := s.office
	return o.read(func(tx store.Reader) error {
		a, err := awayOf(tx, id)
		if err != nil || a == nil || !a.Gone.IsZero() {
			return errors.Join(err, f(tx))
		}
		item, err := s.get(tx, a.Ref)
		if err != nil {
			return s.notThere(id, a.Ref, err)
		}
		return f(awayReader{tx, item})
	})
}

// notThere is the error of a file that can't be read. It is a refusal, unless the file may be read later: then who asks for it waits.
func (s shelving) notThere(id string, ref shelf.Ref, err error) error {
	o := s.office
	o.log.Error("what was put away can't be read", "game", id, "file", o.shelf.Path(ref), "error", err)
	if errors.Is(err, shelf.ErrNotNow) {
		return err
	}
	return errors.Join(errMissing, game.Refuse("office.away.missing", phrase.Literal("game", id), phrase.Literal("file", ref.File)), err)
}

// errMissing: a file of the shelf is lost or damaged, which waiting does not mend.
var errMissing = errors.New("it was put away, and can't be read")

// rest notes when a game that is over is to be put away, or that one which goes on is not. What was put
// away and is sent once more leaves the store again by then, too.
func (tr *transaction) rest(c *store.Change) {
	switch {
	case tr.Game.Phase != game.Running && tr.Game.Keep != 0:
		c.Wake[awayWake+tr.Game.ID] = tr.Now.Add(awayAfter)
	case tr.ended:
		c.Wake[awayWake+tr.Game.ID] = time.Time{}
	}
}

// goesOn brings back what was put away of a game before the game goes on, or anything new is kept of it.
func (tr *transaction) goesOn(ctx context.Context) error {
	if !tr.ended || tr.Game.Phase != game.Running && len(tr.shown) == 0 && !slices.ContainsFunc(tr.outgoing, func(l *outbox.Outgoing) bool { return l.List != "" }) {
		return nil
	}
	return shelving{tr.office}.bringBack(ctx, tr.Game.ID)
}

// bringBack puts into the store again what was put away of a game, and removes the file, now or later
// ([shelving.clear]). The caller holds the game.
func (s shelving) bringBack(ctx context.Context, id string) error {
	o := s.office
	var was *away
	err := store.Again(ctx, func() error {
		c := store.Change{Game: id, Wake: map[string]time.Time{}}
		if err := o.read(func(tx store.Reader) (err error) {
			was, err = awayOf(tx, id)
			if err != nil || was == nil || !was.Gone.IsZero() {
				was = nil
				return err
			}
			item, err := s.get(tx, was.Ref)
			if err != nil {
				return s.notThere(id, was.Ref, err)
			}
			c.Was, c.After = store.VersionOf(tx.Game(id)), tx.Last(id)
			return errors.Join(putBack(&c, tx, item), s.leave(&c, tx, id, was.Ref))
		}); err != nil || was == nil {
			return err
		}
		c.Wake[awayWake+id] = o.now().Add(awayAfter)
		return o.store.Commit(ctx, c)
	})
	if err != nil {
		return fmt.Errorf("bring %s back: %w", id, err)
	}
	if was == nil {
		return nil
	}
	o.log.Info("brought back what was put away", "game", id, "file", was.File)
	_ = s.clear(ctx, id) // if that fails it is tried again: the game goes on
	return nil
}

// putBack adds to a change all that an item holds and the store does not.
func putBack(c *store.Change, tx store.Reader, item *shelf.Item) error {
	letters, err := lettersOf(tx, item)
	if err != nil {
		return err
	}
	c.Outgoing = append(c.Outgoing, letters...)
	there := map[string]bool{}
	for _, p := range item.Pages {
		if there[p.Seat] {
			continue
		}
		there[p.Seat] = true
		known := map[uint64]bool{}
		if err := tx.Pages(item.Game, p.Seat, func(n uint64, _ []byte) error { known[n] = true; return nil }); err != nil {
			return err
		}
		for _, q := range item.Pages {
			if q.Seat == p.Seat && !known[q.N] {
				c.Pages = append(c.Pages, store.Page{Seat: q.Seat, N: q.N, Data: q.Data})
			}
		}
	}
	for name, data := range item.Values {
		if v := c.ValueIn(tx, name); v.Data == nil {
			v.Data = data
			c.PutValue(name, v)
		}
	}
	for _, data := range item.Blobs {
		c.Blobs = append(c.Blobs, store.Blob{Digest: sha256.Sum256(data), Data: data})
	}
	v := c.ValueIn(tx, awayPrefix+item.Game)
	v.Data = nil
	c.PutValue(awayPrefix+item.Game, v)
	return nil
}

// lettersOf gives the letters of an item that are not in the store. One that has been sent once more is there, by itself: if a
// bundle lay in its place, what lay in that is taken apart.
func lettersOf(tx store.Reader, item *shelf.Item) (all []store.Outgoing, err error) {
	var apart store.Change
	whole := awayReader{noLetters{tx}, item}
	for _, l := range item.Letters {
		if _, there := tx.Outgoing(l.ID); there && outbox.HoldsBundle(l.Body) {
			err = errors.Join(err, outbox.Apart(&apart, whole, l.ID))
		}
	}
	for _, l := range item.Letters {
		if _, there := tx.Outgoing(l.ID); !there {
			out, _ := apart.OutgoingIn(whole, l.ID)
			all = append(all, store.Outgoing{ID: l.ID, Body: out.Body})
		}
	}
	return all, err
}

// A noLetters is a reader without letters.
type noLetters struct{ store.Reader }

// Outgoing implements [store.Reader].
func (noLetters) Outgoing(uint64) (store.Outgoing, bool) { return store.Outgoing{}, false }

// settleAway does what is due with what is kept of a finished game.
func (s shelving) settleAway(ctx context.Context, id string) error {
	o := s.office
	final, err := s.final(id)
	if err != nil {
		return err
	}
	defer o.hold(id)()
	var (
		a *away
		g *game.State
	)
	if err := o.read(func(tx store.Reader) (err error) {
		if a, err = awayOf(tx, id); err == nil {
			g, err = game.Read(tx.Game(id))
		}
		return err
	}); err != nil {
		return err
	}
	any, err := s.anyReports(g)
	switch {
	case err != nil:
		return err
	case a != nil && a.Gone.IsZero():
		return s.expire(ctx, id, a)
	case g.Phase == game.Running || g.Keep == 0 || a != nil && !any:
		return s.lookAgain(ctx, id, time.Time{})
	case !final || len(g.Disputes) > 0 || o.shelf.None():
		return s.lookAgain(ctx, id, o.now().Add(awayAgain))
	}
	return s.putAway(ctx, id)
}

// removeUnless removes a file, unless it is the one in which the game lies: another member of the office may have put the
// same away in the same moment, and the same bytes have one name.
func (s shelving) removeUnless(id string, ref shelf.Ref) error {
	a, err := s.whereIs(id)
	if err != nil || a != nil && a.Gone.IsZero() && a.Ref.File == ref.File {
		return err
	}
	return s.office.shelf.Remove(ref)
}

// anyReports tells whether the store has a report of a game.
func (s shelving) anyReports(g *game.State) (any bool, err error) {
	o := s.office
	err = o.read(func(tx store.Reader) error {
		for _, seat := range g.Seats {
			any = any || tx.Value(reportsName(g.ID, seat.Side)) != nil
		}
		return nil
	})
	return any, err
}

// lookAgain says when to look again at what is kept of a game; zero: never.
func (s shelving) lookAgain(ctx context.Context, id string, at time.Time) error {
	o := s.office
	return o.store.Commit(ctx, store.Change{Wake: map[string]time.Time{awayWake + id: at}})
}

// final tells whether the result of a game is final in its league; so it is in none, or in a season that is
// over.
func (s shelving) final(id string) (final bool, err error) {
	var in string
	if err := s.office.read(func(tx store.Reader) error {
		g, err := game.Read(tx.Game(id))
		if err == nil {
			in = g.League
		}
		return err
	}); err != nil || in == "" {
		return true, err
	}
	err = leagues(s).look(in, func(b *openBook) error {
		if b.Season == nil || b.Season.Phase == season.Closed {
			final = true
			return nil
		}
		g := b.Season.Game(id)
		final = g == nil || g.Final && g.Claim == nil
		return nil
	})
	return final, err
}

// putAway puts away what is kept of a game. The caller holds it.
func (s shelving) putAway(ctx context.Context, id string) error {
	o := s.office
	t, err := o.open(id)
	if err != nil {
		return err
	}
	tr := o.transaction(t.Loaded, o.now())
	x, err := tr.letters.Export(engine.GM)
	if err != nil {
		return err
	}
	var export bytes.Buffer
	if err := x.Write(&export); err != nil {
		return err
	}
	for n := 1; ; n++ {
		err := s.putAwayOnce(ctx, t, export.Bytes())
		if !errors.Is(err, store.ErrOutOfStep) || n == mostAwayTries {
			return err
		}
	}
}

// errWaits: a letter waits to be sent.
var errWaits = errors.New("a letter waits to be sent")

func (s shelving) putAwayOnce(ctx context.Context, t *opened, export []byte) error {
	o := s.office
	id, now := t.Game.ID, o.now()
	c := store.Change{Game: id, After: t.end, Was: t.record, Wake: map[string]time.Time{}}
	item := &shelf.Item{Game: id, Values: map[string][]byte{}}
	err := o.read(func(tx store.Reader) error { return takeAway(&c, tx, t.Game, item) })
	if errors.Is(err, errWaits) {
		return s.lookAgain(ctx, id, now.Add(awayAgain))
	}
	if err != nil {
		return fmt.Errorf("put %s away: %w", id, err)
	}
	if err := o.read(func(tx store.Reader) error { return s.ours(tx, true) }); err != nil {
		o.log.Error("game not put away: all members of an office share one folder", "game", id, "error", err)
		return s.lookAgain(ctx, id, now.Add(awayAgain))
	}
	ref, err := o.shelf.Put(item, export)
	if err != nil { // such as a full disk: nothing has changed, and no deadline is in danger
		o.log.Error("game not put away", "game", id, "error", err)
		return s.lookAgain(ctx, id, now.Add(time.Hour))
	}
	a := &away{Ref: ref, At: now}
	if t.Game.Keep > 0 {
		last, err := s.lastStop(t.Game)
		if err != nil {
			return fmt.Errorf("put %s away: %w", id, err)
		}
		a.Until = last.Add(t.Game.Keep)
	}
	c.Wake[awayWake+id] = a.Until
	if err := o.read(func(tx store.Reader) error { return a.put(&c, tx, id) }); err != nil {
		return err
	}
	if err := o.store.Commit(ctx, c); err != nil {
		if errors.Is(err, store.ErrOutOfStep) { // another error may mean that it was written after all
			err = errors.Join(err, s.removeUnless(id, ref))
		}
		return fmt.Errorf("put %s away: %w", id, err)
	}
	o.log.Info("put away", "game", id, "file", ref.File, "bytes", ref.Bytes)
	return nil
}

// takeAway moves what is put away of a game from a store to an item.
func takeAway(c *store.Change, tx store.Reader, g *game.State, item *shelf.Item) error {
	shared := map[string]bool{}
	books := map[string]bool{}
	for _, s := range g.Seats {
		list := reportsName(g.ID, s.Side)
		if v := c.ValueIn(tx, list); v.Data != nil {
			item.Values[list] = v.Data
			c.PutValue(list, store.Value{Was: v.Was})
		}
		books[string(s.BookOf())] = true
		letters, grounds, err := outbox.Listed(tx, list)
		if err != nil {
			return err
		}
		for _, o := range letters {
			if !o.Due.IsZero() {
				return errWaits
			}
			item.Letters = append(item.Letters, shelf.Letter{ID: o.ID, Body: o.Body})
			c.Outgoing = append(c.Outgoing, store.Outgoing{ID: o.ID, Was: o.Version(), Gone: true})
		}
		for _, ground := range grounds {
			shared[ground] = true
		}
	}
	slices.SortFunc(item.Letters, func(a, b shelf.Letter) int { return cmp.Compare(a.ID, b.ID) })
	for _, book := range slices.Sorted(maps.Keys(books)) {
		if err := tx.Pages(g.ID, book, func(n uint64, page []byte) error {
			item.Pages = append(item.Pages, shelf.Page{Seat: book, N: n, Data: bytes.Clone(page)})
			c.Pages = append(c.Pages, store.Page{Seat: book, N: n, Gone: true})
			return nil
		}); err != nil {
			return err
		}
		if err := pagesOf(tx, g.ID, book, 0, func(_ uint64, page []byte) error {
			p, err := unpackPage(page)
			for _, ground := range p.Grounds {
				shared[ground] = true
			}
			return err
		}); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(shared)) {
		var key [sha256.Size]byte
		if _, err := hex.Decode(key[:], []byte(name)); err != nil {
			return err
		}
		data := tx.Blob(key)
		if data == nil {
			return fmt.Errorf("%w: a picture's ground is missing", store.ErrDamaged)
		}
		item.Blobs = append(item.Blobs, data)
	}
	return nil
}

// expire removes a file whose time has passed, and what is in the store again of it since it was sent
// once more. A file is removed only after it has been due for days: a clock that has jumped may be
// put right in that time.
func (s shelving) expire(ctx context.Context, id string, a *away) error {
	o, now := s.office, s.office.now()
	c, next := store.Change{Wake: map[string]time.Time{}}, a.Until
	if err := o.read(func(tx store.Reader) error { return s.ours(tx, false) }); err != nil {
		o.log.Error("what was put away is not looked at", "game", id, "error", err)
		return s.lookAgain(ctx, id, now.Add(awayAgain))
	}
	if err := s.tidy(&c, id, a); errors.Is(err, errWaits) {
		return s.lookAgain(ctx, id, now.Add(awayAgain))
	} else if err != nil {
		return err
	}
	switch {
	case a.Until.IsZero() || now.Before(a.Until):
		a.Condemned = time.Time{} // if it was: the clock had jumped
	case a.Condemned.IsZero() || a.Condemned.After(now): // or a clock that had jumped condemned it
		a.Condemned, next = now, now.Add(condemnedFor)
		o.log.Warn("what was put away is to be removed", "game", id, "file", a.File, "on", next)
	case now.Before(a.Condemned.Add(condemnedFor)):
		next = a.Condemned.Add(condemnedFor)
	default:
		a.Gone, next = now, time.Time{}
	}
	c.Wake[awayWake+id] = next
	// It is written even if it says the same: of two who change it, one is told.
	if err := o.read(func(tx store.Reader) error {
		if a.Gone.IsZero() {
			return a.put(&c, tx, id)
		}
		return errors.Join(a.put(&c, tx, id), s.leave(&c, tx, id, a.Ref))
	}); err != nil {
		return err
	}
	if err := o.store.Commit(ctx, c); err != nil {
		return err
	}
	if a.Gone.IsZero() {
		return nil
	}
	o.log.Info("what was put away has had its time", "game", id, "file", a.File)
	_ = s.clear(ctx, id) // if that fails it is tried again
	return nil
}

// tidy adds to a change that letters leave the store again which were sent once more from the shelf.
func (s shelving) tidy(c *store.Change, id string, a *away) error {
	o := s.office
	item, err := o.shelf.Get(a.Ref)
	if err != nil { // the folder is the right one
		o.log.Error("what was put away can't be read", "game", id, "file", o.shelf.Path(a.Ref), "error", err)
		return nil // it can be removed all the same, when its time has come
	}
	return o.read(func(tx store.Reader) error {
		for _, l := range item.Letters {
			out, there := tx.Outgoing(l.ID)
			switch {
			case !there:
			case !out.Due.IsZero():
				return errWaits
			default:
				c.Outgoing = append(c.Outgoing, store.Outgoing{ID: l.ID, Was: out.Version(), Gone: true})
			}
		}
		return nil
	})
}

// Away gives the files in which a store says that something was put away and is still kept, by game.
func Away(tx store.Reader) (map[string]shelf.Ref, error) {
	all := map[string]shelf.Ref{}
	return all, tx.Values(awayPrefix, func(name string, data []byte) error {
		var a away
		if err := json.Unmarshal(data, &a); err != nil {
			return fmt.Errorf("read value %q: %w", name, err)
		}
		if a.Gone.IsZero() {
			all[strings.TrimPrefix(name, awayPrefix)] = a.Ref
		}
		return nil
	})
}
