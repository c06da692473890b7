package adjudicator

import (
	"errors"
	"maps"
	"time"

	"berthier/adjudicator/store"
)

// A database that has never held a game nor a member may be a new one that somebody put in place of the
// right one by mistake: then every order that comes in would be put aside as a
// stranger's. So a letter that is for a game stays in the inbox as long
// as there is no game, and is offered again.

// errNoGames: the letter is for a game, and the database has never held one.
var errNoGames = errors.New("the letter is for a game, but this database has never held a game: it stays in the inbox; if games are missing, restore a backup (berthier restore)")

// unknownLasts is how long a letter counts as waiting after it was last offered,
// and mostUnknown how many are counted.
const (
	unknownLasts = 15 * time.Minute
	mostUnknown  = 10_000
)

// WaitsForGame tells whether the letter is for a game while there has never been
// one here, nor a member, who writes letters that look alike. Neither is ever removed.
func (it *arrival) WaitsForGame() (bool, error) {
	games := false
	if err := it.office.read(func(tx store.Reader) error { games = anyGame(tx) || tx.Value(memberCount) != nil; return nil }); err != nil {
		return false, err
	}
	l := &it.office.ills
	l.mu.Lock()
	defer l.mu.Unlock()
	if games {
		l.unknown = nil
		return false, nil
	}
	var unread error
	ours := func(key string) (his bool) {
		if !it.Makes() || unread != nil {
			return false
		}
		his, unread = it.HasKey(key)
		return his
	}
	if waits := it.ForGame(it.office.opt.Domain, ours); !waits || unread != nil {
		return false, unread
	}
	if l.unknown == nil {
		l.unknown = map[[32]byte]time.Time{}
	}
	maps.DeleteFunc(l.unknown, func(_ [32]byte, at time.Time) bool { return it.Now.Sub(at) >= unknownLasts })
	if len(l.unknown) < mostUnknown {
		l.unknown[it.Mail.Digest] = it.Now
	}
	return true, nil
}
