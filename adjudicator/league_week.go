package adjudicator

import (
	"errors"
	"slices"
	"time"

	"berthier/adjudicator/league/book"
	"berthier/adjudicator/league/rated"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/report"
	"berthier/adjudicator/store"
)

// A leagueWeek is a league as it stands, and what of it hangs on how it stood a week ago.
type leagueWeek struct {
	*openBook
	*weekOfLeague
}

// A weekOfLeague is what the letters of a week hang on. They are written a few at a time, over hours in a large league, so it is
// kept as long as they are being written: the log is read once for all of them.
type weekOfLeague struct {
	began   time.Time // when these letters did
	before  *book.Book
	ratings []rated.Ladder // of then

	// What follows is found again when something has happened to the league meanwhile.
	found  chain.Link                          // the end of the log then
	news   map[string]map[string][]report.News // games that count as something else since, by season and division
	moved  map[string][]report.RatingMoved     // by members
	places map[string][]placeInWeek            // by members
	waits  map[string]int                      // the place of who waits for a place in the season, by members, from 1
}

// A placeInWeek is a division of which a member may read in the week's letter, by its place in its season.
type placeInWeek struct {
	season   *season.Season
	division int
}

// weeks gives all leagues, with what has changed in the week before a moment.
func (l leagues) weeks(now time.Time) (all []leagueWeek, err error) {
	ids, err := l.all()
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		err := l.look(id, func(b *openBook) error {
			if b.Season == nil {
				return nil
			}
			if _, err := l.setupOf(b); err != nil {
				return err
			}
			if b.week == nil || !b.week.began.Equal(now) {
				if b.week, err = weekBefore(l, b, now); err != nil {
					return err
				}
			}
			if b.week.found != b.end {
				ladders, err := l.ratings(b)
				if err != nil {
					return err
				}
				b.week.find(b, ladders)
			}
			all = append(all, leagueWeek{b, b.week})
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// weekBefore reads the log of a league up to a week before a moment.
func weekBefore(l leagues, b *openBook, now time.Time) (*weekOfLeague, error) {
	w := &weekOfLeague{began: now, before: &book.Book{}}
	since := now.AddDate(0, 0, -7)
	var then rated.Log
	err := l.office.read(func(tx store.Reader) error {
		return tx.Entries(leaguePrefix+b.League, 0, func(e chain.Entry) error {
			head, in, err := book.Read(e)
			if err != nil {
				return err
			}
			if head.At.After(since) {
				return errEnough
			}
			if err := w.before.Follow(in); err != nil {
				return err
			}
			then.Follow(w.before, head.At, in)
			return nil
		})
	})
	if err != nil && !errors.Is(err, errEnough) {
		return nil, err
	}
	old, err := oldRating(l, b)
	if err != nil {
		return nil, err
	}
	if first := slices.Concat(b.Past, []*season.Season{b.Season})[0]; first.Plan.Rating != nil {
		old = *first.Plan.Rating // it may have been noted since
	}
	w.ratings, err = then.Ladders(old, since)
	return w, err
}

// find finds what has changed since then, with the ratings of now.
func (w *weekOfLeague) find(b *openBook, ladders []rated.Ladder) {
	w.found, w.news, w.moved = b.end, newsOf(b.Book, w.before), movedOf(w.ratings, ladders)
	w.places, w.waits = map[string][]placeInWeek{}, map[string]int{}
	for _, v := range append(slices.Clone(b.Past), b.Season) {
		for i, d := range v.Divisions {
			if v != b.Season && len(w.news[v.Plan.Season][d.ID]) == 0 {
				continue
			}
			for _, m := range membersIn(d) {
				w.places[m] = append(w.places[m], placeInWeek{v, i})
			}
		}
	}
	if b.Season.Phase == season.Running {
		for i, m := range b.Season.Waiting() {
			w.waits[m] = i + 1
		}
	}
}

// membersIn gives all who have a place in a division, or have had a side of one of its games, each once.
func membersIn(d season.Division) []string {
	all, there := slices.Clone(d.Members), map[string]bool{}
	for _, m := range all {
		there[m] = true
	}
	for _, p := range d.Pairings {
		for _, g := range p.Games {
			for _, sat := range append(slices.Clone(g.Sat), g.Entries, g.Players) {
				for _, m := range sat {
					if !there[m] {
						there[m], all = true, append(all, m)
					}
				}
			}
		}
	}
	return all
}

// namesIn gives the names of all who have a place in a division, or a side of one of its games, by their ids.
func namesIn(l leagues, d season.Division) (map[string]string, error) {
	names := map[string]string{}
	for _, id := range membersIn(d) {
		m, err := l.club().now(id)
		if err != nil {
			return nil, err
		}
		names[id] = m.Name
	}
	return names, nil
}
