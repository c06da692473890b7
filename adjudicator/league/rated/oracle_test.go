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
	begun  int // how many had begun before
}

// plainly works out ratings in the plainest way: the whole log is read, and all periods are computed once more
// with each season. It has no part in the code that follows a log but what a single game counts as.
func plainly(entries []chain.Entry, rules season.Rating, now time.Time) (string, error) {
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
				games[id] = counted{&result{id: id, members: b.Season.Game(id).Entries, ladder: b.Season.Divisions[n].Table.Form == table.Ladder}, b.System[n], b.Number, rules.SetUp(b.SetUpAs(n)), len(games)}
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
func bySystem(rules season.Rating, now time.Time, joined map[[2]string]time.Time, games map[string]counted, ended map[int]bool, number int, period func(time.Time) int) (string, error) {
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
		games[id] = counted{&r, c.system, c.number, c.name, c.begun}
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
func seasonBySeason(rules season.Rating, system string, last int, members []glicko.Member, games map[string]counted, ended map[int]bool, seasons int, period func(time.Time) int) (string, error) {
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
		slices.SortFunc(ids, func(a, b string) int { return cmp.Compare(games[a].begun, games[b].begun) })
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

// Ratings that follow a log, and are asked for at any time, are to the last bit those of the whole log read anew, and
// those that the plainest reading gives: with rewinds, rulings, final results of this season and of others that are
// corrected, seasons that are rated in different ways, games on ladders against the same opponent, withdrawals and substitutes, season after season. What was given
// out before stays as it was.
func TestFollowedIsReadAnew(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		script := leaguetest.Scripts(9, 0).Draw(t, "script")
		if rapid.IntRange(0, 3).Draw(t, "ladder") == 0 {
			script.Members, script.Divisions, script.Size = 4, []int{5}, 4
		}
		l, err := leaguetest.New(script)
		if err != nil {
			t.Fatal(err)
		}
		f := &following{league: l, often: rapid.IntRange(3, 9).Draw(t, "often"),
			rules: season.Rating{System: glicko.Default, Period: 10 * day, SetUps: slices.Repeat([]string{"historical", "", "quick"}, 9)}}
		number := rapid.IntRange(0, 999)
		for range 3 {
			for _, step := range script.Steps {
				f.do(t, func() error { return l.Step(step) })
			}
			for range rapid.IntRange(0, 20).Draw(t, "steps") {
				what := rapid.SampledFrom(happenings).Draw(t, "what")
				step := leaguetest.Step{What: leaguetest.What(what), A: number.Draw(t, "a"), B: number.Draw(t, "b"), C: number.Draw(t, "c")}
				switch what {
				case "correct":
					f.do(t, func() error { return f.correct(l.Season, step) })
				case "correct past":
					if len(l.Past) > 0 {
						f.do(t, func() error { return f.correct(l.Past[step.C%len(l.Past)], step) })
					}
				case string(leaguetest.Wait):
					step.A = 7 + step.A%2
					fallthrough
				default:
					f.do(t, func() error { return l.Step(step) })
				}
			}
			f.do(t, l.Finish)
			f.do(t, func() error { return l.Step(leaguetest.Step{What: leaguetest.End}) })
		}
	})
}

// happenings are what happens between two looks at ratings, as often as it is drawn.
var happenings = []string{"result", "result", "result", "result", "result", "wait", "wait", "wait", "go on", "go on", "go on", "rule", "rewind", "vacate", "withdraw", "climb", "climb", "climb", "correct", "correct",
	"correct past", "correct past"}

// A following is a league whose ratings are followed.
type following struct {
	league *leaguetest.League
	rules  season.Rating
	often  int // every so many steps ratings are looked at
	steps  int
	link   int

	log    Log
	book   book.Book
	seen   int
	before []Ladder
	was    string
}

// correct lets two people put another result in the place of one that is final.
func (f *following) correct(s *season.Season, step leaguetest.Step) error {
	games := slices.DeleteFunc(leaguetest.GamesOf(s), func(g *season.Game) bool { return !g.Final })
	if len(games) == 0 {
		return nil
	}
	g := games[step.A%len(games)]
	if s == f.league.Season {
		if err := f.league.Step(leaguetest.Step{What: leaguetest.Contest, A: slices.Index(leaguetest.GamesOf(s), g), B: step.B, C: step.C}); err != nil {
			return err
		}
	} else { // its log has nothing else to say
		f.link++
		_ = f.league.Do(book.Contested{Contested: season.Contested{Game: g.ID, Link: season.Link{Number: 1_000_000 + f.link, Hash: "h"}, Result: leaguetest.OutcomeOf(len(g.Entries), step.B, step.C)}})
	}
	for _, by := range []string{"secretary@club.example", "other@club.example"} {
		_ = f.league.Do(book.Corrected{Corrected: season.Corrected{Game: g.ID, By: by}})
	}
	return nil
}

// do lets something happen, and looks at the ratings.
func (f *following) do(t *rapid.T, what func() error) {
	if err := what(); err != nil {
		t.Fatal(err)
	}
	for ; f.seen < len(f.league.Log); f.seen++ {
		head, in, err := f.book.Take(f.league.Log[f.seen])
		if err != nil {
			t.Fatal(err)
		}
		f.log.Follow(&f.book, head.At, in)
	}
	if f.steps++; f.steps%f.often > 0 {
		return
	}
	now, err := f.log.Ladders(f.rules, f.league.Now)
	if err != nil {
		t.Fatal(err)
	}
	anew, err := Of(f.league.Log, f.rules, f.league.Now)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := plainly(f.league.Log, f.rules, f.league.Now)
	if err != nil {
		t.Fatal(err)
	}
	if written(now) != written(anew) {
		t.Fatalf("followed\n%s\nread anew\n%s", written(now), written(anew))
	}
	if plan, _ := f.league.Plan(); plan.Rating == nil && ladders(now) != plain { // the plainest reading knows one way to rate
		t.Fatalf("followed\n%s\nread plainly\n%s", ladders(now), plain)
	}
	if written(f.before) != f.was {
		t.Fatalf("what was given out was\n%s\nand is\n%s", f.was, written(f.before))
	}
	f.before, f.was = now, written(now)
}

// ladders is what ladders say that the plain reading gives, too.
func ladders(all []Ladder) (text string) {
	for _, l := range all {
		text += fmt.Sprintf("%s %d %+v %+v %+v %+v\n", l.System, l.Last, l.History, l.Members, l.Sides, l.Games())
	}
	return text
}
