// Package rated rates the members of a league from its log: which games count, when, and for whom.
// Nothing is kept and nothing patched: ratings are what follows from the results in force, period
// by period, so a result that is opened again or made otherwise gives other ratings from then on.
package rated

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"berthier/adjudicator/league/book"
	"berthier/adjudicator/league/glicko"
	"berthier/adjudicator/league/pair"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/league/table"
	"berthier/adjudicator/log/chain"
)

// A Ladder is the ratings in one game system.
type Ladder struct {
	System  string // id of the ruleset
	Last    int    // the period up to which they are worked out
	History glicko.History
	Members []glicko.Member
	Games   []glicko.Game
	Sides   []SetUp // what playing a side is reckoned to be worth now
}

// A SetUp is what playing the sides of one set-up is reckoned to be worth, in their order.
type SetUp struct {
	Name    string
	Offsets []glicko.Offset
}

// At gives a member's rating now, and whether he has one.
func (l Ladder) At(member string) (glicko.Rating, bool) { return l.History.At(l.Last, member) }

// Played gives how many games of a member are rated.
func (l Ladder) Played(member string) int {
	n := 0
	for _, g := range l.Games {
		if slices.Contains(g.Sides[0].Members, member) || slices.Contains(g.Sides[1].Members, member) {
			n++
		}
	}
	return n
}

// A result is what a game counts as, and since when.
type result struct {
	members []string   // whose game it is, by sides
	sides   [][]string // who is rated for each ([playedBy])
	places  []table.Place
	system  string
	at      time.Time
	rated   bool
	season  int
	ladder  bool   // it was played on a ladder
	setUp   string // by which its game was made; "": its sides are not told apart
}

// Of works out the ratings of a league, system by system, from the entries of its log. A period is so
// long, counted from when the league was made; a game counts in the period in which its result became
// final. Rated are games that were played or adjudicated; byes, forfeits and what was cancelled are not.
func Of(entries []chain.Entry, sys glicko.System, period time.Duration, now time.Time) ([]Ladder, error) {
	return OfSides(entries, sys, period, now, nil)
}

// OfSides works them out as Of does, where playing a side may be worth something: when a season ends that is
// fitted from all games rated until then, and is reckoned with in the season after it. SetUp names the set-up of the
// division that has a place in a season, so that games of the same set-up count together; "": its sides are
// not told apart. Nil: no sides are.
func OfSides(entries []chain.Entry, sys glicko.System, period time.Duration, now time.Time, setUp func(place int) string) ([]Ladder, error) {
	if period <= 0 || len(entries) == 0 {
		return nil, nil
	}
	log, err := read(entries, setUp)
	if err != nil {
		return nil, err
	}
	joined, began := log.joined, log.began
	periodOf := func(t time.Time) int { return max(int(t.Sub(began)/period), 0) }
	var all []Ladder
	systems := map[string]bool{}
	for key := range joined {
		systems[key.system] = true
	}
	for _, system := range slices.Sorted(maps.Keys(systems)) {
		l := Ladder{System: system, Last: periodOf(now)}
		for key, at := range joined {
			if key.system == system {
				l.Members = append(l.Members, glicko.Member{ID: key.member, Period: periodOf(at)})
			}
		}
		slices.SortFunc(l.Members, func(a, b glicko.Member) int { return cmp.Compare(a.ID, b.ID) })
		if err := l.compute(sys, log, func(r result) int { return periodOf(r.at) }); err != nil {
			return nil, fmt.Errorf("rate %s: %w", system, err)
		}
		all = append(all, l)
	}
	return all, nil
}

// A place in a system is a member's.
type place struct{ system, member string }

// A told is what the log of a league tells of ratings.
type told struct {
	results map[string]result   // in force, of all seasons, by games
	joined  map[place]time.Time // when each member first played in a system
	ended   map[int]time.Time   // when each season ended
	began   time.Time           // when the league was made
}

func read(entries []chain.Entry, setUp func(place int) string) (told, error) {
	results, joined := map[string]result{}, map[place]time.Time{}
	t := told{results: results, joined: joined, ended: map[int]time.Time{}}
	b := &book.Book{}
	for i, e := range entries {
		head, in, err := book.Read(e)
		if err != nil {
			return t, err
		}
		if i == 0 {
			t.began = head.At
		}
		if err := b.Follow(in); err != nil {
			return t, fmt.Errorf("entry %d: %w", e.Seq, err)
		}
		switch in := in.(type) {
		case book.Started:
			for n, d := range b.Season.Divisions {
				for _, member := range d.Members {
					key := place{b.System[n], member}
					if _, there := joined[key]; !there {
						joined[key] = head.At
					}
				}
			}
		case book.Playing:
			for n, d := range b.Season.Divisions {
				if d.ID != in.Division {
					continue
				}
				name := ""
				if setUp != nil {
					name = setUp(b.SetUpAs(n))
				}
				for _, g := range d.Pairings[in.Pairing].Games {
					results[g.ID] = result{members: g.Entries, sides: alone(g.Entries), system: b.System[n], season: b.Number, ladder: d.Table.Form == table.Ladder, setUp: name}
				}
			}
		case book.Replied:
			if in.Takes && b.Season.Plan.SubsRated == "own" {
				key := place{b.System[b.Season.DivisionOf(in.Game)], in.Player}
				if _, there := joined[key]; !there {
					joined[key] = head.At
				}
			}
		case book.Ended:
			t.ended[b.Number] = head.At
		case book.Resulted:
			if b.Season.Plan.Final == 0 { // a season of before there was a time after which results are final
				results[in.Game] = results[in.Game].as(&b.Season.Plan, b.Season.Game(in.Game), in.Result, head.At)
			}
		case book.Final:
			for _, id := range in.Games {
				g := b.Season.Game(id)
				results[id] = results[id].as(&b.Season.Plan, g, b.Season.Value(g), head.At)
			}
		case book.Corrected: // what has taken its place counts when the first one did
			if s, r := b.SeasonOf(in.Game), results[in.Game]; !r.at.IsZero() {
				o := s.Value(s.Game(in.Game))
				if !s.Game(in.Game).Final {
					o = season.Outcome{}
				}
				results[in.Game] = r.as(&s.Plan, s.Game(in.Game), o, r.at)
			}
		}
	}
	t.known(b)
	t.seldom()
	return t, nil
}

// known puts in the place of each id that by which its member is known now. Who had two has one rating, as if he had
// always been one member, and what he played against himself is not rated.
func (t *told) known(b *book.Book) {
	if len(b.Merged) == 0 {
		return
	}
	as := func(ids []string) (all []string) {
		for _, id := range ids {
			if one := b.Person(id); !slices.Contains(all, one) {
				all = append(all, one)
			}
		}
		return all
	}
	for id, r := range t.results {
		r.members = slices.Clone(r.members)
		for i := range r.members {
			r.members[i] = b.Person(r.members[i])
		}
		r.rated = r.rated && len(as(r.members)) == len(r.members)
		sides, people := make([][]string, len(r.sides)), 0
		for i := range r.sides {
			sides[i] = as(r.sides[i])
			people += len(sides[i])
		}
		r.rated = r.rated && len(as(slices.Concat(sides...))) == people
		r.sides = sides
		t.results[id] = r
	}
	joined := map[place]time.Time{}
	for key, at := range t.joined {
		key.member = b.Person(key.member)
		if first, there := joined[key]; !there || at.Before(first) {
			joined[key] = at
		}
	}
	t.joined = joined
}

// seldom rates no more than a third of a member's games on ladders against the same opponent, in the order in which
// they count ([pair.RatedAgain]).
func (t *told) seldom() {
	var ids []string
	for id, r := range t.results {
		if r.ladder && r.rated {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b string) int {
		return cmp.Or(t.results[a].at.Compare(t.results[b].at), cmp.Compare(a, b))
	})
	all, against := map[string]int{}, map[[2]string]int{}
	for _, id := range ids {
		r := t.results[id]
		a, b := r.sides[0][0], r.sides[1][0]
		if !pair.RatedAgain(all[a], against[[2]string{a, b}]) || !pair.RatedAgain(all[b], against[[2]string{b, a}]) {
			r.rated = false
			t.results[id] = r
			continue
		}
		for _, two := range [][2]string{{a, b}, {b, a}} {
			all[two[0]]++
			against[two]++
		}
	}
}

// as gives the result as an outcome makes it, since a moment.
func (r result) as(plan *season.Plan, g *season.Game, o season.Outcome, at time.Time) result {
	r.at, r.places = at, o.Places
	r.rated = o.Kind == table.Played || o.Kind == table.Adjudicated
	if r.rated {
		r.sides, r.rated = playedBy(plan, g, o)
	}
	return r
}

// alone gives each member a side of his own.
func alone(members []string) (sides [][]string) {
	for _, m := range members {
		sides = append(sides, []string{m})
	}
	return sides
}

// games gives a result as it is rated: one game of two, or the three pairs of a game of three, each at
// half the weight.
func (r result) games(id string, period int, offsets []glicko.Offset) (all []glicko.Game) {
	for i := range r.members {
		for j := i + 1; j < len(r.members); j++ {
			name := id
			if len(r.members) > 2 {
				name = fmt.Sprintf("%s/%d-%d", id, i+1, j+1)
			}
			var worth [3]int64
			for n := range offsets {
				worth[n] = offsets[n].Offset
			}
			all = append(all, glicko.Game{ID: name, Period: period, Weight: weight(r), Score: score(r.places[i], r.places[j]),
				Sides: [2]glicko.Side{{Members: r.sides[i], Offset: worth[i]}, {Members: r.sides[j], Offset: worth[j]}}})
		}
	}
	return all
}

// score is what the first of two got against the second, in twelfths.
func score(a, b table.Place) int64 {
	worth := map[table.Place]int{table.Won: 2, table.Drew: 1, table.Lost: 0}
	switch {
	case worth[a] > worth[b]:
		return glicko.Twelfths
	case worth[a] < worth[b]:
		return 0
	}
	return glicko.Twelfths / 2
}
