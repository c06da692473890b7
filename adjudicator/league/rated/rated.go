// Package rated rates the members of a league from its log: which games count, when, and for whom.
// Ratings are never patched: they are what follows from the results in force, period by period. A [Log] follows
// the league's log entry by entry; a result that is opened again or made otherwise has all periods from its own on
// worked out again, and gives what the whole log gives when it is read from its first entry.
package rated

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"berthier/adjudicator/league/book"
	"berthier/adjudicator/league/glicko"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/league/table"
	"berthier/adjudicator/log/chain"
)

// A Ladder is the ratings in one game system. It stays as it is when the log goes on.
type Ladder struct {
	System  string // id of the ruleset
	Last    int    // the period up to which they are worked out
	History glicko.History
	Members []glicko.Member // in the order of their ids
	Sides   []SetUp         // what playing a side is reckoned to be worth now

	rated  [][]*result         // the games of each period up to the last
	worth  map[worthOf][]int64 // with what their sides were reckoned
	played map[string]int
	spans  []span
	as     []*season.Rating // how each season is rated
}

// A SideScore is how a member has fared on one side of the games of a set-up, of those that are rated.
type SideScore struct {
	SetUp           string
	Side            int // from 1, in the order of the rules
	Won, Drew, Lost int
}

// BySide gives a member's score by side, set-up by set-up, in games whose sides are told apart.
func (l Ladder) BySide(member string) (all []SideScore) {
	for _, period := range l.rated {
		for _, r := range period {
			name := l.as[r.season].SetUp(r.setUp)
			for i := range r.members {
				if who := r.side(i); name == "" || len(who) != 1 || who[0] != member {
					continue
				}
				at := slices.IndexFunc(all, func(x SideScore) bool { return x.SetUp == name && x.Side == i+1 })
				if at < 0 {
					at, all = len(all), append(all, SideScore{SetUp: name, Side: i + 1})
				}
				switch r.places[i] {
				case table.Won:
					all[at].Won++
				case table.Drew:
					all[at].Drew++
				default:
					all[at].Lost++
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b SideScore) int { return cmp.Or(cmp.Compare(a.SetUp, b.SetUp), cmp.Compare(a.Side, b.Side)) })
	return all
}

// A SetUp is what playing the sides of one set-up is reckoned to be worth, in their order.
type SetUp struct {
	Name    string
	Offsets []glicko.Offset
}

// At gives a member's rating now, and whether he has one.
func (l Ladder) At(member string) (glicko.Rating, bool) { return l.History.At(l.Last, member) }

// Played gives how many games a member has sat in that are rated.
func (l Ladder) Played(member string) int { return l.played[member] }

// GamesIn gives the games that are rated in a period, in the order of their ids. A game of three is its three
// pairs.
func (l Ladder) GamesIn(period int) (all []glicko.Game) {
	if period < 0 || period >= len(l.rated) {
		return nil
	}
	for _, r := range l.rated[period] {
		all = r.games(all, period, l.worth[r.worthOf()])
	}
	return all
}

// Begins gives when a period begins.
func (l Ladder) Begins(period int) time.Time {
	s := spanOf(l.spans, period)
	return s.from.Add(time.Duration(period-s.first) * s.length)
}

// Why gives what each of a member's games of a period did to his rating.
func (l Ladder) Why(period int, member string) []glicko.Share {
	return spanOf(l.spans, period).Why(l.History, period, member, l.Members, l.GamesIn(period))
}

// Games gives all games that are rated, by periods.
func (l Ladder) Games() (all []glicko.Game) {
	for period := range l.rated {
		all = append(all, l.GamesIn(period)...)
	}
	return all
}

// Of works out the ratings of a league, system by system, from the entries of its log. A game counts in the period
// in which its result became final. Rated are games that were played or adjudicated; byes, forfeits and what was
// cancelled are not. Where sides are told apart, what each is worth is fitted when a season ends from all games rated
// until then, and reckoned with in the season after it. Each season is rated as it was announced; old is how those are of
// which the log does not say it.
func Of(entries []chain.Entry, old season.Rating, now time.Time) ([]Ladder, error) {
	var l Log
	b := &book.Book{}
	for _, e := range entries {
		head, in, err := b.Take(e)
		if err != nil {
			return nil, err
		}
		l.Follow(b, head.At, in)
	}
	return l.Ladders(old, now)
}

// A result is what a game counts as, and since when. It is never altered: another one takes its place.
type result struct {
	id      string
	members []string   // whose game it is, by sides
	sides   [][]string // who is rated for each ([playedBy]); none: the members are
	places  []table.Place
	at      time.Time // since when it counts; zero: it has not counted yet
	rated   bool
	season  int     // its place among those of the log
	ladder  bool    // it was played on a ladder
	setUp   int     // place of the division by whose set-up its game was made
	of      *system // in which it is rated
}

// side gives who is rated for a side.
func (r *result) side(n int) []string {
	if r.sides == nil {
		return r.members[n : n+1 : n+1]
	}
	return r.sides[n]
}

// games adds a result as it is rated: one game of two, or the three pairs of a game of three, each at half the
// weight.
func (r *result) games(all []glicko.Game, period int, worth []int64) []glicko.Game {
	of := func(side int) int64 {
		if side < len(worth) {
			return worth[side]
		}
		return 0
	}
	for i := range r.members {
		for j := i + 1; j < len(r.members); j++ {
			all = append(all, glicko.Game{ID: r.pair(i, j), Period: period, Weight: r.weight(), Score: score(r.places[i], r.places[j]),
				Sides: [2]glicko.Side{{Members: r.side(i), Offset: of(i)}, {Members: r.side(j), Offset: of(j)}}})
		}
	}
	return all
}

// pair names the game of two sides of a result.
func (r *result) pair(i, j int) string {
	if len(r.members) == 2 {
		return r.id
	}
	return fmt.Sprintf("%s/%d-%d", r.id, i+1, j+1)
}

// weight of a game of two is one; of each pair of a game of three a half.
func (r *result) weight() int64 {
	if len(r.members) > 2 {
		return glicko.Twelfths / 2
	}
	return glicko.Twelfths
}

// score is what the first of two got against the second, in twelfths.
func score(a, b table.Place) int64 {
	switch x, y := rank(a), rank(b); {
	case x > y:
		return glicko.Twelfths
	case x < y:
		return 0
	}
	return glicko.Twelfths / 2
}

func rank(p table.Place) int {
	return slices.Index([]table.Place{table.Drew, table.Won}, p) // -1: lost
}
