package adjudicator

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"berthier/adjudicator/store"
	"berthier/orders"
)

// A database that has never held a game may be a new one that somebody put in the
// place of the right one by mistake: then every order that comes in would be put
// aside as a stranger's. So a letter that is for a game stays in the inbox as long
// as there is none, and is offered again.

// errNoGames: the letter is for a game, and the database has never held one.
var errNoGames = errors.New("the letter is for a game, and this database has never held one: it stays in the inbox; if games are missing, restore a backup (berthier restore)")

// unknownLasts is how long a letter counts as waiting since it was offered last,
// and mostUnknown how many are counted.
const (
	unknownLasts = 15 * time.Minute
	mostUnknown  = 10_000
)

// waitsForGame tells whether the letter is for a game while there has never been
// one here. Games are never removed.
func (it *arrival) waitsForGame() (bool, error) {
	games := false
	if err := it.office.read(func(tx store.Reader) error { games = anyGame(tx); return nil }); err != nil {
		return false, err
	}
	l := &it.office.ills
	l.mu.Lock()
	defer l.mu.Unlock()
	if games {
		l.unknown = nil
		return false, nil
	}
	if !it.forGame() {
		return false, nil
	}
	if l.unknown == nil {
		l.unknown = map[[32]byte]time.Time{}
	}
	maps.DeleteFunc(l.unknown, func(_ [32]byte, at time.Time) bool { return it.now.Sub(at) >= unknownLasts })
	if len(l.unknown) < mostUnknown {
		l.unknown[it.letter.Digest] = it.now
	}
	return true, nil
}

// forGame tells whether the letter can only mean a game: it holds an order file, or
// answers a letter of an office with this address. What an administrator writes with
// the office's key, to make a game, and a call for help need none.
func (it *arrival) forGame() bool {
	for _, id := range append([]string{it.letter.InReplyTo}, it.letter.References...) {
		if strings.HasSuffix(id, "@"+it.office.opt.Domain) {
			return true
		}
	}
	file, problems := orders.Find(partsOf(it.letter.Parts))
	if len(problems) > 0 { // a file that is not whole is one all the same
		return !slices.Contains([]string{"order.empty-letter", "order.no-file", "order.no-file-attached"}, problems[0].Why.Code)
	}
	doc, _ := orders.Parse(file.Text, nil)
	if doc.Root == nil {
		return true
	}
	named := foldGame(doc.Game) != ""
	switch {
	case doc.Command == "new":
		return false // what it makes is no game yet
	case !named && (doc.Command == "list" || doc.Command == "help"):
		return false
	}
	if it.office.mayMake(it.from) != nil && doc.Key != "" {
		if key, err := it.office.OfficeKey(it.from); err == nil && sameKey(doc.Key, key) {
			return named
		}
	}
	return named || doc.Key != "" || it.looksLikeOrders()
}
