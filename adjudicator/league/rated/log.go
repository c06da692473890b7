package rated

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"berthier/adjudicator/league/book"
	"berthier/adjudicator/league/pair"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/league/table"
)

// A Log is what the log of a league tells of ratings, as far as it has been followed. Its zero value has followed
// nothing. It may be used by one goroutine at a time.
type Log struct {
	began   time.Time // when the league was made
	last    time.Time // when the last entry was written
	results map[string]*result
	seasons []*seasonOf
	often   map[string]bool // games on ladders against the same opponent that are not rated for that
	climbed bool            // a result on a ladder has changed since that was worked out
	systems map[string]*system
	old     season.Rating // how seasons are rated of which the log does not say it
	spans   []span        // by which the systems are worked out
}

// A seasonOf is the games of a season.
type seasonOf struct {
	announced time.Time
	ended     time.Time            // zero: it runs
	rating    *season.Rating       // nil: the log does not say
	games     map[*system][]string // ids, in the order in which they began
}

// Follow takes what has happened to a league; it has happened to the book already. A clock that went back is taken
// to have stood still.
func (l *Log) Follow(b *book.Book, at time.Time, in book.Input) {
	at = at.Round(0) // as the log has it
	if l.results == nil {
		*l = Log{began: at, last: at, results: map[string]*result{}, often: map[string]bool{}, systems: map[string]*system{}}
	}
	if at.Before(l.last) {
		at = l.last
	}
	l.last = at
	switch in := in.(type) {
	case book.Announced:
		l.seasons = append(l.seasons, &seasonOf{announced: at, rating: in.Plan.Rating, games: map[*system][]string{}})
		for _, s := range l.systems {
			s.change(at) // periods may be counted otherwise from now on
		}
	case book.Rated:
		for _, s := range l.seasons {
			if s.rating == nil {
				s.rating = &in.Rating
			}
		}
	case book.Started:
		if r := b.Season.Plan.Rating; r != nil && r.Period <= 0 {
			break
		}
		for n, d := range b.Season.Divisions {
			for _, member := range d.Members {
				l.system(b.System[n]).join(member, len(l.seasons)-1, at)
			}
		}
	case book.Playing:
		l.begin(b, in)
	case book.Replied:
		if in.Takes && b.Season.Plan.SubsRated == "own" {
			l.system(b.System[b.Season.DivisionOf(in.Game)]).join(in.Player, len(l.seasons)-1, at)
		}
	case book.Ended:
		if n := len(l.seasons); n > 0 {
			l.seasons[n-1].ended = at
		}
	case book.Resulted:
		if b.Season.Plan.Final == 0 { // a season of before there was a time after which results are final
			l.count(b, b.Season, in.Game, in.Result, at)
		}
	case book.Final:
		for _, id := range in.Games {
			l.count(b, b.Season, id, b.Season.Value(b.Season.Game(id)), at)
		}
	case book.Corrected: // what has taken its place counts when the first one did
		if r := l.results[in.Game]; r != nil && !r.at.IsZero() {
			s := b.SeasonOf(in.Game)
			o := s.Value(s.Game(in.Game))
			if !s.Game(in.Game).Final {
				o = season.Outcome{}
			}
			l.count(b, s, in.Game, o, r.at)
		}
	case book.Reversed: // what was rated as nobody's counts again
		for id, r := range l.results {
			if g := b.Season.Game(id); in.What == "withdraw" && g != nil && g.Final && !r.at.IsZero() && slices.Contains(g.Entries, in.Member) {
				l.count(b, b.Season, id, b.Season.Value(g), r.at)
			}
		}
	case book.Merged:
		l.merge(b)
	}
}

// merge puts in the place of each id that by which its member is known now: who had two has one rating, as if he had
// always been one member.
func (l *Log) merge(b *book.Book) {
	for id, was := range l.results {
		r := *was
		r.known(b)
		l.results[id] = &r
	}
	for _, s := range l.systems {
		all := map[string]joined{}
		for member, at := range s.joined {
			member = b.Person(member)
			if first, there := all[member]; !there || at.at.Before(first.at) || at.at.Equal(first.at) && at.season < first.season {
				all[member] = at
			}
		}
		s.joined = all
	}
	l.climbed = true
	l.anew()
}

// anew has everything worked out again from the start, when ratings are next asked for.
func (l *Log) anew() {
	for _, s := range l.systems {
		*s = system{joined: s.joined, stale: true}
	}
}

// known puts in the place of each id that by which its member is known now. What he played against himself is not rated.
func (r *result) known(b *book.Book) {
	as := func(ids []string) (all []string) {
		for _, id := range ids {
			if one := b.Person(id); !slices.Contains(all, one) {
				all = append(all, one)
			}
		}
		return all
	}
	var everybody []string
	people := 0
	sides := make([][]string, len(r.members))
	for i := range sides {
		sides[i] = as(r.side(i))
		people += len(sides[i])
		everybody = append(everybody, sides[i]...)
	}
	r.rated = r.rated && len(as(r.members)) == len(r.members) && len(as(everybody)) == people
	if r.sides != nil {
		r.sides = sides
	}
	members := make([]string, len(r.members))
	for i := range members {
		members[i] = b.Person(r.members[i])
	}
	r.members = members
}

// system is what is known of a system of games.
func (l *Log) system(id string) *system {
	s := l.systems[id]
	if s == nil {
		s = &system{joined: map[string]joined{}}
		l.systems[id] = s
	}
	return s
}

// begin takes the games of a pairing that have begun.
func (l *Log) begin(b *book.Book, in book.Playing) {
	for _, id := range in.Games {
		at := b.Season.DivisionOf(id)
		d := &b.Season.Divisions[at]
		l.results[id] = &result{id: id, members: b.Season.Game(id).Entries, season: len(l.seasons) - 1,
			ladder: d.Table.Form == table.Ladder, setUp: b.SetUpAs(at), of: l.system(b.System[at])}
		of := l.results[id].of
		games := l.seasons[len(l.seasons)-1].games
		games[of] = append(games[of], id)
	}
}

// count takes what a game counts as since a moment.
func (l *Log) count(b *book.Book, s *season.Season, id string, o season.Outcome, at time.Time) {
	was := l.results[id]
	r := *was
	r.at, r.places, r.sides = at, o.Places, nil
	r.rated = o.Kind == table.Played || o.Kind == table.Adjudicated
	if r.rated {
		r.sides, r.rated = playedBy(&s.Plan, s.Game(id), o)
	}
	if len(b.Merged) > 0 {
		r.known(b)
	}
	l.results[id] = &r
	l.climbed = l.climbed || r.ladder
	for _, one := range []*result{was, &r} {
		if one.rated {
			one.of.change(one.at)
		}
	}
}

// seldom rates no more than a third of a member's games on ladders against the same opponent, in the order in which
// they count ([pair.RatedAgain]).
func (l *Log) seldom() {
	if !l.climbed {
		return
	}
	l.climbed = false
	var climbs []*result
	for _, r := range l.results {
		if r.ladder && r.rated && l.ratingOf(r.season).Period > 0 {
			climbs = append(climbs, r)
		}
	}
	slices.SortFunc(climbs, func(a, b *result) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.id, b.id)) })
	often := map[string]bool{}
	all, against := map[string]int{}, map[[2]string]int{}
	for _, r := range climbs {
		a, b := r.side(0)[0], r.side(1)[0]
		if !pair.RatedAgain(all[a], against[[2]string{a, b}]) || !pair.RatedAgain(all[b], against[[2]string{b, a}]) {
			often[r.id] = true
		} else {
			for _, two := range [][2]string{{a, b}, {b, a}} {
				all[two[0]]++
				against[two]++
			}
		}
		if often[r.id] != l.often[r.id] {
			r.of.change(r.at)
		}
	}
	l.often = often
}

// counts tells whether a result is rated.
func (l *Log) counts(r *result) bool {
	return r.rated && !l.often[r.id] && l.ratingOf(r.season).Period > 0
}

// ratingOf gives how a season is rated.
func (l *Log) ratingOf(season int) *season.Rating {
	if r := l.seasons[season].rating; r != nil {
		return r
	}
	return &l.old
}

// Ladders gives the ratings as of a moment, system by system. What has changed since they were last asked for is
// worked out again, from the first period on in which something is otherwise. Old is how those seasons are rated of which the
// log does not say it.
func (l *Log) Ladders(old season.Rating, now time.Time) (all []Ladder, err error) {
	if l.results == nil {
		return nil, nil
	}
	if now.Before(l.last) {
		now = l.last
	}
	if unsaid := slices.ContainsFunc(l.seasons, func(s *seasonOf) bool { return s.rating == nil }); unsaid && !l.old.Same(&old) {
		l.anew()
		l.climbed = true
	}
	l.old = old
	as := make([]*season.Rating, len(l.seasons))
	for i := range as {
		as[i] = l.ratingOf(i)
	}
	if l.spans = spansOf(l, as); len(l.spans) == 0 {
		return nil, nil
	}
	l.seldom()
	for _, id := range slices.Sorted(maps.Keys(l.systems)) {
		s := l.systems[id]
		if err := s.compute(l, l.period(now)); err != nil {
			*s = system{joined: s.joined, stale: true} // from the start, another time
			return nil, fmt.Errorf("rate %s: %w", id, err)
		}
		all = append(all, Ladder{System: id, Last: l.period(now), History: s.history[:l.period(now)+1], Members: s.members, Sides: s.sides, rated: s.rated, worth: s.worth, played: s.played, spans: l.spans, as: as})
	}
	return all, nil
}
