package rated

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"berthier/adjudicator/league/glicko"
)

// A system is the ratings in a game system as they were last worked out, and since when they are otherwise.
type system struct {
	joined map[string]joined // when each member first played in it
	stale  bool              // something has changed
	since  time.Time         // when the earliest of what has changed counts

	members []glicko.Member
	history glicko.History
	rated   [][]*result // by the periods of the history, in the order of ids
	played  map[string]int
	fits    map[int]fit // what the games of a season that has ended say of its sides
	worth   map[worthOf][]int64
	sides   []SetUp
}

// joined is when somebody first played, and in which season.
type joined struct {
	at     time.Time
	season int
}

// change notes that something that counts since a moment is otherwise than before.
func (s *system) change(at time.Time) {
	if !s.stale || at.Before(s.since) {
		s.since = at
	}
	s.stale = true
}

// join notes that a member plays.
func (s *system) join(member string, season int, at time.Time) {
	if _, there := s.joined[member]; !there {
		s.joined[member] = joined{at, season}
		s.change(at)
	}
}

// forget forgets what hangs on what has changed. Ladders that were given out share what is kept, so nothing
// of it is altered.
func (s *system) forget(l *Log) {
	from := min(len(s.history), l.earliest(s.since))
	s.stale = false
	s.played, s.worth = maps.Clone(s.played), maps.Clone(s.worth)
	if s.played == nil {
		s.played, s.worth, s.fits = map[string]int{}, map[worthOf][]int64{}, map[int]fit{}
	}
	for _, period := range s.rated[from:] {
		for _, r := range period {
			s.count(r, -1)
		}
	}
	s.history, s.rated = s.history[:from:from], slices.Clone(s.rated[:from])
	maps.DeleteFunc(s.fits, func(season int, _ fit) bool { return l.periodIn(l.seasons[season].ended, season) >= from })
	s.members = nil
	for id, first := range s.joined {
		s.members = append(s.members, glicko.Member{ID: id, Period: l.periodIn(first.at, first.season)})
	}
	slices.SortFunc(s.members, func(a, b glicko.Member) int { return cmp.Compare(a.ID, b.ID) })
}

// count counts a result, or no longer, for all who sat in its game and are rated for it.
func (s *system) count(r *result, n int) {
	var seen []string
	for side := range r.members {
		for _, m := range r.side(side) {
			if !slices.Contains(seen, m) {
				seen = append(seen, m)
				s.played[m] += n
			}
		}
	}
}

// compute works the ratings out up to a period, season by season, since what a side is worth in one follows from the
// ratings and games of those before.
func (s *system) compute(l *Log, last int) error {
	if s.stale {
		s.forget(l)
	}
	from := len(s.history)
	for len(s.rated) <= last {
		s.rated = append(s.rated, nil)
	}
	for n, season := range l.seasons {
		first := last + 1
		if !season.ended.IsZero() && l.periodIn(season.ended, n) < from {
			continue
		}
		for _, id := range season.games[s] {
			r := l.results[id]
			period := l.periodIn(r.at, n)
			if !l.counts(r) || period < from {
				continue
			}
			s.rated[period] = append(s.rated[period], r)
			s.count(r, 1)
			first = min(first, period)
		}
		if first > last {
			continue
		}
		if err := s.advance(l, first-1); err != nil {
			return err
		}
		s.reckon(l, n, first)
	}
	if err := s.advance(l, last); err != nil {
		return err
	}
	s.sides = nil
	if n := s.lastSeason(); n >= 0 && len(l.ratingOf(len(l.seasons)-1).SetUps) > 0 {
		if !l.seasons[n].ended.IsZero() {
			n++
		}
		s.sides = s.setUps(l, n)
	}
	return nil
}

// advance works out the periods up to one, with the games that are known of them.
func (s *system) advance(l *Log, last int) (err error) {
	from := len(s.history)
	if last < from {
		return nil
	}
	now := Ladder{rated: s.rated, worth: s.worth}
	n := 0
	for _, period := range s.rated[from : last+1] {
		n += len(period)
	}
	games := make([]glicko.Game, 0, n)
	for period := from; period <= last; period++ {
		slices.SortFunc(s.rated[period], func(a, b *result) int { return cmp.Compare(a.id, b.id) })
		games = append(games, now.GamesIn(period)...)
	}
	for _, one := range l.spans {
		if upTo := min(one.last(), last); upTo >= len(s.history) {
			if s.history, err = one.Compute(s.history, len(s.history), upTo, s.members, games); err != nil {
				return err
			}
		}
	}
	return nil
}

// lastSeason gives the last season of which a game is rated; -1: there is none.
func (s *system) lastSeason() int {
	for _, period := range slices.Backward(s.rated) {
		last := -1
		for _, r := range period {
			last = max(last, r.season)
		}
		if last >= 0 {
			return last
		}
	}
	return -1
}
