package rated

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"berthier/adjudicator/league/book"
	"berthier/adjudicator/league/glicko"
	"berthier/adjudicator/league/leaguetest"
	"berthier/adjudicator/league/pair"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/league/table"
	"berthier/adjudicator/log/chain"
)

// A counted is what a game counts as, for the plain reading of a log.
type counted struct {
	*result
	system string
	number int // of the season
	name   string
}

// plainly works out ratings in the plainest way: the whole log is read, and all periods are computed once more
// with each season. It has no part in the code that follows a log but what a single game counts as.
func plainly(entries []chain.Entry, rules Rules, now time.Time) (string, error) {
	games, joined, ended := map[string]counted{}, map[[2]string]time.Time{}, map[int]bool{}
	join := func(system, member string, at time.Time) {
		if _, there := joined[[2]string{system, member}]; !there {
			joined[[2]string{system, member}] = at
		}
	}
	var began time.Time
	b := &book.Book{}
	for i, e := range entries {
		head, in, err := b.Take(e)
		if err != nil {
			return "", err
		}
		if i == 0 {
			began = head.At
		}
		count := func(s *season.Season, id string, o season.Outcome, at time.Time) {
			c := games[id]
			r := *c.result
			r.at, r.places, r.sides, r.rated = at, o.Places, nil, o.Kind == table.Played || o.Kind == table.Adjudicated
			if r.rated {
				r.sides, r.rated = playedBy(&s.Plan, s.Game(id), o)
			}
			c.result = &r
			games[id] = c
		}
		switch in := in.(type) {
		case book.Started:
			for n, d := range b.Season.Divisions {
				for _, m := range d.Members {
					join(b.System[n], m, head.At)
				}
			}
		case book.Playing:
			for _, id := range in.Games {
				n := b.Season.DivisionOf(id)
				games[id] = counted{&result{id: id, members: b.Season.Game(id).Entries, ladder: b.Season.Divisions[n].Table.Form == table.Ladder}, b.System[n], b.Number, rules.SetUp(b.SetUpAs(n))}
			}
		case book.Replied:
			if in.Takes {
				join(b.System[b.Season.DivisionOf(in.Game)], in.Player, head.At)
			}
		case book.Ended:
			ended[b.Number] = true
		case book.Final:
			for _, id := range in.Games {
				count(b.Season, id, b.Season.Value(b.Season.Game(id)), head.At)
			}
		case book.Corrected:
			if c := games[in.Game]; !c.at.IsZero() {
				s := b.SeasonOf(in.Game)
				o := s.Value(s.Game(in.Game))
				if !s.Game(in.Game).Final {
					o = season.Outcome{}
				}
				count(s, in.Game, o, c.at)
			}
		}
	}
	inTheEnd(b, games, joined)
	seldom(games)
	period := func(at time.Time) int { return int(at.Sub(began) / rules.Period) }
	return bySystem(rules, now, joined, games, ended, b.Number, period)
}

// bySystem works out the ratings of each system.
func bySystem(rules Rules, now time.Time, joined map[[2]string]time.Time, games map[string]counted, ended map[int]bool, number int, period func(time.Time) int) (string, error) {
	text := ""
	systems := map[string]bool{}
	for key := range joined {
		systems[key[0]] = true
	}
	for _, system := range slices.Sorted(maps.Keys(systems)) {
		var members []glicko.Member
		for key, at := range joined {
			if key[0] == system {
				members = append(members, glicko.Member{ID: key[1], Period: period(at)})
			}
		}
		slices.SortFunc(members, func(a, b glicko.Member) int { return cmp.Compare(a.ID, b.ID) })
		one, err := seasonBySeason(rules, system, period(now), members, games, ended, number, period)
		if err != nil {
			return "", err
		}
		text += one
	}
	return text, nil
}

// inTheEnd puts in the place of all ids those that are known in the end.
func inTheEnd(b *book.Book, games map[string]counted, joined map[[2]string]time.Time) {
	for id, c := range games {
		r := *c.result
		r.known(b)
		games[id] = counted{&r, c.system, c.number, c.name}
	}
	first := maps.Clone(joined)
	clear(joined)
	for key, at := range first {
		key[1] = b.Person(key[1])
		if was, there := joined[key]; !there || at.Before(was) {
			joined[key] = at
		}
	}
}

// seldom takes from the rated games those on ladders that are played too often against the same opponent.
func seldom(games map[string]counted) {
	var ids []string
	for id, c := range games {
		if c.ladder && c.rated {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b string) int { return cmp.Or(games[a].at.Compare(games[b].at), cmp.Compare(a, b)) })
	all, against := map[string]int{}, map[string]int{}
	for _, id := range ids {
		a, b := games[id].side(0)[0], games[id].side(1)[0]
		if !pair.RatedAgain(all[a], against[a+" "+b]) || !pair.RatedAgain(all[b], against[b+" "+a]) {
			games[id].rated = false
			continue
		}
		all[a]++
		all[b]++
		against[a+" "+b]++
		against[b+" "+a]++
	}
}

// seasonBySeason computes everything once more with each season.
func seasonBySeason(rules Rules, system string, last int, members []glicko.Member, games map[string]counted, ended map[int]bool, seasons int, period func(time.Time) int) (string, error) {
	var rated []glicko.Game
	var sides []SetUp
	balances := map[string][]glicko.Balance{}
	history, err := rules.Compute(nil, 0, last, members, nil)
	if err != nil {
		return "", err
	}
	for n := 1; n <= seasons; n++ {
		worth := map[string][]int64{}
		for _, s := range sides {
			for _, o := range s.Offsets {
				worth[s.Name] = append(worth[s.Name], o.Offset)
			}
		}
		ids := slices.DeleteFunc(slices.Sorted(maps.Keys(games)), func(id string) bool { c := games[id]; return !c.rated || c.system != system || c.number != n })
		for _, id := range ids {
			rated = games[id].games(rated, period(games[id].at), worth[games[id].name])
		}
		if history, err = rules.Compute(nil, 0, last, members, rated); err != nil {
			return "", err
		}
		if !ended[n] || len(ids) == 0 {
			continue
		}
		played, most := map[string][]glicko.Played{}, map[string]int{}
		for _, id := range ids {
			c := games[id]
			if c.name == "" {
				continue
			}
			most[c.name] = max(most[c.name], len(c.members))
			for _, g := range c.games(nil, period(c.at), nil) {
				if len(g.Sides[0].Members)+len(g.Sides[1].Members) > 2 {
					continue
				}
				p := glicko.Played{ID: g.ID, Score: g.Score, Weight: g.Weight}
				for k := range g.Sides {
					who := g.Sides[k].Members[0]
					for side := range c.members {
						if c.side(side)[0] == who {
							p.Sides[k] = strconv.Itoa(side + 1)
						}
					}
					p.Ratings[k] = rules.Start
					if r, has := history.At(g.Period-1, who); has {
						p.Ratings[k] = r
					}
				}
				played[c.name] = append(played[c.name], p)
			}
		}
		for name, n := range most {
			balances[name] = append(balances[name], rules.Balance([]string{"1", "2", "3"}[:n], played[name]))
		}
		sides = nil
		for _, name := range slices.Sorted(maps.Keys(balances)) {
			sides = append(sides, SetUp{name, glicko.Balanced(balances[name]...)})
		}
	}
	return fmt.Sprintf("%s %d %+v %+v %+v %+v\n", system, last, history, members, sides, byPeriod(rated)), nil
}

func byPeriod(games []glicko.Game) []glicko.Game {
	slices.SortFunc(games, func(a, b glicko.Game) int { return cmp.Or(cmp.Compare(a.Period, b.Period), cmp.Compare(a.ID, b.ID)) })
	return games
}

// Ratings that follow a log, and are asked for now and then, are to the last bit those of the whole log read anew, and
// those that the plainest reading gives: with rewinds, rulings, corrections of final results, withdrawals and substitutes,
// season after season. What was given out before stays as it was.
func TestFollowedIsReadAnew(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		script := leaguetest.Scripts(9, 60).Draw(t, "script")
		rules := Rules{System: glicko.Default, Period: 10 * day, SetUp: func(place int) string { return []string{"nap.yaml", "", "wat.yaml"}[place%3] }}
		asks := rapid.IntRange(2, 9).Draw(t, "asks")
		var followed Log
		b, seen, steps := &book.Book{}, 0, 0
		var before []Ladder
		var was string
		look := func(l *leaguetest.League, step leaguetest.Step) error {
			for ; seen < len(l.Log); seen++ {
				head, in, err := b.Take(l.Log[seen])
				if err != nil {
					return err
				}
				followed.Follow(b, head.At, in)
			}
			if steps++; steps%asks > 0 && step.What != leaguetest.Settle {
				return nil
			}
			now, err := followed.Ladders(rules, l.Now)
			if err != nil {
				return err
			}
			anew, err := Of(l.Log, rules, l.Now)
			if err != nil {
				return err
			}
			plain, err := plainly(l.Log, rules, l.Now)
			switch {
			case err != nil:
				return err
			case written(now) != written(anew):
				return fmt.Errorf("followed\n%s\nread anew\n%s", written(now), written(anew))
			case ladders(now) != plain:
				return fmt.Errorf("followed\n%s\nread plainly\n%s", ladders(now), plain)
			case written(before) != was:
				return fmt.Errorf("what was given out was\n%s\nand is\n%s", was, written(before))
			}
			before, was = now, written(now)
			return nil
		}
		l, err := leaguetest.Play(script, look)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // and another season with what is left to do in this one
			if err := l.Finish(); err != nil {
				t.Fatal(err)
			}
			for _, step := range append([]leaguetest.Step{{What: leaguetest.End}}, script.Steps...) {
				if err := l.Step(step); err != nil {
					t.Fatal(err)
				}
				if err := look(l, step); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}

// ladders is what ladders say that the plain reading gives, too.
func ladders(all []Ladder) (text string) {
	for _, l := range all {
		text += fmt.Sprintf("%s %d %+v %+v %+v %+v\n", l.System, l.Last, l.History, l.Members, l.Sides, l.Games())
	}
	return text
}
