package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"berthier/adjudicator/deflate"
	"berthier/adjudicator/game"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/outbox"
	"berthier/adjudicator/store"
)

// Most of what is kept of a game says what was said a moment before: reports, what each seat
// was shown, positions. So it is packed together (see [deflate.Bundle]), so many at a time; it
// reads as before. What is asked for most, the last of each, stays by itself as long as a game goes on.
const (
	pagesInBundle     = 16
	positionsInBundle = 64
	entriesInBlock    = 64  // of a log that grows
	inLastBundle      = 192 // of what is kept of a game that is over, which is packed anew,
	crowdedBundle     = 64  // unless there are so many in a bundle already
)

// What this process knows of what there is to pack ends with it. So the change that ends a game, or one after that, says when to look
// whether the rest of it is packed, and what packs it says that nobody need look.
const (
	packWake  = "=pack/" // and a game's id, in the index of what wakes
	packAgain = time.Hour
)

// toBundle are games of which there is something to pack together.
type toBundle struct {
	mu    sync.Mutex
	games map[string]bool   // whether the rest goes with it, since the game is over
	waits map[string]uint64 // of games that are over: a report that waits to be sent; they are packed when none does any more
}

// add notes that there may be something to pack in a game.
func (b *toBundle) add(id string, rest bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.games == nil {
		b.games = map[string]bool{}
	}
	b.games[id] = b.games[id] || rest
}

// take gives the games noted, and forgets them.
func (b *toBundle) take() map[string]bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	games := b.games
	b.games = nil
	return games
}

// wait notes that a game that is over is to be packed when a report of it waits no more.
func (b *toBundle) wait(id string, report uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.waits == nil {
		b.waits = map[string]uint64{}
	}
	b.waits[id] = report
}

// goOn notes the games again whose reports wait no more.
func (b *toBundle) goOn(waits func(report uint64) bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for id, report := range b.waits {
		if waits(report) {
			continue
		}
		delete(b.waits, id)
		if b.games == nil {
			b.games = map[string]bool{}
		}
		b.games[id] = true
	}
}

// grown notes a game for packing if a change has filled a bundle, or ended the game.
func (tr *transaction) grown(c *store.Change) {
	over := tr.Game.Phase != game.Running
	if over || slices.ContainsFunc(c.Pages, func(p store.Page) bool { return p.N%pagesInBundle == 1 }) ||
		slices.ContainsFunc(c.Entries, func(e chain.Entry) bool { return e.Seq%entriesInBlock == 0 }) {
		tr.office.bundling.add(tr.Game.ID, over)
	}
}

// packs notes in a change when to look whether the rest of a game that is over is packed.
func (tr *transaction) packs(c *store.Change) {
	switch {
	case tr.Game.Phase != game.Running:
		c.Wake[packWake+tr.Game.ID] = tr.Now.Add(packAgain)
	case tr.ended:
		c.Wake[packWake+tr.Game.ID] = time.Time{}
	}
}

// settlePack packs the rest of a game that is over, if the process that was to do so has not: it has ended, or is another member.
func (l loop) settlePack(ctx context.Context, id string) error {
	o := l.office
	defer o.hold(id)()
	c, over, report := store.Change{Game: id}, false, uint64(0)
	err := o.read(func(tx store.Reader) error {
		record := tx.Game(id)
		c.Was, c.After = store.VersionOf(record), tx.Last(id)
		g, err := game.Read(record)
		if over = err == nil && g.Phase != game.Running; over {
			report, err = outbox.Waiting(tx, listsOf(g))
		}
		return err
	})
	again := time.Time{}
	switch {
	case err == nil && over && report > 0:
		again = o.now().Add(packAgain)
	case err == nil && over:
		var n int
		if n, err = l.bundleHeld(ctx, id, true); n > 0 || errors.Is(err, store.ErrOutOfStep) {
			return err // it has said that nobody need look
		}
	}
	if err != nil { // it takes more room than it need
		o.log.Error("game not packed", "game", id, "error", err)
		again = o.now().Add(awayAgain)
	}
	c.Wake = map[string]time.Time{packWake + id: again}
	return o.store.Commit(ctx, c)
}

// bundle packs what has gathered since it was last asked. The rest of a game that is over is packed once, when all its
// reports have been sent: that reads all of them, and a letter may wait for days.
func (l loop) bundle(ctx context.Context) error {
	b := &l.office.bundling
	errs := []error{l.office.read(func(tx store.Reader) error {
		b.goOn(func(report uint64) bool { return outbox.StillWaits(tx, report) })
		return nil
	})}
	games := b.take()
	for _, id := range slices.Sorted(maps.Keys(games)) {
		if ctx.Err() != nil {
			b.add(id, games[id])
			continue
		}
		rest, report := games[id], uint64(0)
		var err error
		if rest {
			report, err = l.reportWaits(id)
		}
		if report > 0 { // full bundles can be made meanwhile
			b.wait(id, report)
			rest = false
		}
		if err == nil {
			_, err = l.bundleOne(ctx, id, rest)
		}
		if err != nil {
			b.add(id, games[id])
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// reportWaits gives the number of a report of a game that waits to be sent; 0: none does.
func (l loop) reportWaits(id string) (report uint64, err error) {
	err = l.office.read(func(tx store.Reader) error {
		record := tx.Game(id)
		if record == nil {
			return nil
		}
		g, err := game.Read(record)
		if err == nil {
			report, err = outbox.Waiting(tx, listsOf(g))
		}
		return err
	})
	return report, err
}

// listsOf gives the names of the lists of a game's reports.
func listsOf(g *game.State) (lists []string) {
	for _, s := range g.Seats {
		lists = append(lists, reportsName(g.ID, s.Side))
	}
	return lists
}

// Bundle packs together what is kept of a game; rest says that it is over, so that bundles need not
// be full. It gives how many reports, pages and positions it has packed. Nothing that anybody
// is shown changes.
func (c *Clerk) Bundle(ctx context.Context, id string) (n int, err error) {
	rest := false
	err = c.office.read(func(tx store.Reader) error {
		g, err := game.Read(tx.Game(id))
		rest = err == nil && g.Phase != game.Running
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("pack %s: %w", id, err)
	}
	return loop{c.office}.bundleOne(ctx, id, rest)
}

// bundleOne packs together what is kept of a game, in one change.
func (l loop) bundleOne(ctx context.Context, id string, rest bool) (n int, err error) {
	defer l.office.hold(id)()
	return l.bundleHeld(ctx, id, rest)
}

// bundleHeld packs together what is kept of a game. The caller holds it.
func (l loop) bundleHeld(ctx context.Context, id string, rest bool) (n int, err error) {
	o := l.office
	err = store.Again(ctx, func() error {
		c := store.Change{Game: id}
		if n = 0; rest {
			c.Wake = map[string]time.Time{packWake + id: {}}
		}
		if err := o.read(func(tx store.Reader) error {
			b := bundler{tx: tx, change: &c, rest: rest}
			err := b.all()
			n = b.n
			return err
		}); err != nil || n == 0 && !c.Settle {
			return err
		}
		return o.store.Commit(ctx, c)
	})
	if err != nil {
		return 0, fmt.Errorf("pack %s: %w", id, err)
	}
	return n, nil
}

// A bundler packs one game.
type bundler struct {
	tx     store.Reader
	change *store.Change
	rest   bool
	n      int
}

// all packs what there is to pack.
func (b *bundler) all() error {
	id := b.change.Game
	record := b.tx.Game(id)
	if record == nil {
		return nil
	}
	g, err := game.Read(record)
	if err != nil {
		return err
	}
	b.change.Was, b.change.After = store.VersionOf(record), b.tx.Last(id)
	if loose := b.tx.Loose(id); loose >= entriesInBlock || b.rest && loose > 1 {
		b.change.Settle = true
	}
	books, lists := map[string]bool{}, listsOf(g)
	for _, s := range g.Seats {
		books[string(s.BookOf())] = true
	}
	if b.rest { // what two seats were told is mostly the same
		err = b.reports(lists...)
	} else {
		for _, list := range lists {
			err = errors.Join(err, b.reports(list))
		}
	}
	if err != nil {
		return err
	}
	for _, book := range slices.Sorted(maps.Keys(books)) {
		if err := b.pages(book); err != nil {
			return err
		}
	}
	return b.positions(g.Head)
}

// reports packs the reports of lists together.
func (b *bundler) reports(lists ...string) error {
	n, err := outbox.Gather(b.change, b.tx, lists, b.rest)
	b.n += n
	return err
}

// pages packs what was shown in a book.
func (b *bundler) pages(book string) error {
	var all []deflate.Part
	if err := b.tx.Pages(b.change.Game, book, func(n uint64, page []byte) error {
		all = append(all, deflate.Part{Number: n, Data: slices.Clone(page)})
		return nil
	}); err != nil || len(all) == 0 {
		return err
	}
	size, last := pagesInBundle, len(all)-1
	if b.rest && crowded(all) {
		size, last, all = inLastBundle, len(all), all[:0]
		if err := pagesOf(b.tx, b.change.Game, book, 0, func(n uint64, page []byte) error {
			all = append(all, deflate.Part{Number: n, Data: slices.Clone(page)})
			return nil
		}); err != nil {
			return err
		}
	}
	return b.pack(all[:last], size, func(n uint64, value []byte) {
		b.change.Pages = append(b.change.Pages, store.Page{Seat: book, N: n, Data: value})
	})
}

// crowded tells whether values would take less room in larger bundles.
func crowded(values []deflate.Part) bool {
	loose, bundles := 0, 0
	for _, p := range values {
		switch {
		case !deflate.Bundled(p.Data):
			loose++
		case deflate.Holds(p.Data):
			bundles++
		}
	}
	return loose > 0 || bundles > len(values)/crowdedBundle+1
}

// positions packs the positions of the past.
func (b *bundler) positions(head uint64) error {
	var all []deflate.Part
	if err := b.tx.Entries(b.change.Game, 0, func(e chain.Entry) error {
		if e.Seq == head {
			return nil
		}
		if packed := b.tx.History(b.change.Game, e.Seq); packed != nil {
			all = append(all, deflate.Part{Number: e.Seq, Data: packed})
		}
		return nil
	}); err != nil {
		return err
	}
	return b.pack(all, positionsInBundle, func(n uint64, value []byte) {
		b.change.History = append(b.change.History, store.Position{Seq: n, Data: value})
	})
}

// pack puts values into bundles of a size, those that lie in one already left out, and lets put keep
// what takes their place.
func (b *bundler) pack(values []deflate.Part, size int, put func(n uint64, value []byte)) error {
	values = slices.DeleteFunc(values, func(p deflate.Part) bool { return deflate.Bundled(p.Data) })
	for parts := range slices.Chunk(values, size) {
		if len(parts) < size && (!b.rest || len(parts) < 2) {
			break
		}
		for i := range parts {
			data, err := deflate.All(parts[i].Data)
			if err != nil {
				return fmt.Errorf("number %d: %w", parts[i].Number, err)
			}
			parts[i].Data = data
		}
		packed, err := deflate.Bundle(parts)
		if err != nil {
			return err
		}
		for i, p := range parts {
			put(p.Number, packed[i])
		}
		b.n += len(parts)
	}
	return nil
}

// pagesOf calls f for the pages of a book, each by itself, or for only one of them if it is not zero. A
// page whose bundle is damaged is given as it is kept, which nobody can read.
func pagesOf(tx store.Reader, id, book string, only uint64, f func(n uint64, page []byte) error) error {
	holders := map[uint64][]byte{} // a bundle comes before what lies in it
	r := deflate.Reader{At: func(n uint64) []byte { return holders[n] }}
	return tx.Pages(id, book, func(n uint64, page []byte) error {
		if deflate.Holds(page) {
			holders[n] = page
		}
		if only != 0 && n != only {
			return nil
		}
		if whole, err := r.Value(n, page); err == nil {
			page = whole
		}
		return f(n, page)
	})
}

// positionsOf reads the positions of a game.
func positionsOf(tx store.Reader, id string) func(seq uint64) ([]byte, error) {
	r := deflate.Reader{At: func(n uint64) []byte { return tx.History(id, n) }}
	return func(seq uint64) ([]byte, error) {
		packed := tx.History(id, seq)
		if packed == nil {
			return nil, nil
		}
		return r.Value(seq, packed)
	}
}
