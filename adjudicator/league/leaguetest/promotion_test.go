package leaguetest

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"berthier/adjudicator/league/book"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/league/table"
)

// A climber is a member who played a system in a season, with where he goes in the next one.
type climber struct {
	member     string
	from, rank int // level, and place in his table
	group      int // of divisions side by side
	to         int
}

// climbers states the rule of who goes up and down anew, from the tables of a season alone: of each division the first goes one level up
// and the last one down, where the system has such a level; whoever wins a play-off for the lower division changes places with the
// other, unless the tables move one of them already. Who has left the table goes nowhere.
func climbers(s *season.Season, systems []string, system string) (all []climber, err error) {
	var levels []int
	for i, d := range s.Divisions {
		if systems[i] == system && d.Playoff == nil {
			levels = append(levels, d.Level)
		}
	}
	next := func(from int, beyond func(a, b int) bool) int { // the nearest level that lies beyond, or that one
		to := from
		for _, n := range levels {
			if beyond(n, from) && (to == from || beyond(to, n)) {
				to = n
			}
		}
		return to
	}
	for i, d := range s.Divisions {
		if systems[i] != system || d.Playoff != nil {
			continue
		}
		made, err := s.Table(d.ID)
		if err != nil {
			return nil, err
		}
		rows := slices.DeleteFunc(slices.Clone(made.Rows), func(r table.Row) bool { return r.Rank == 0 })
		for n, r := range rows {
			c := climber{r.Entry, d.Level, n, i, d.Level}
			above, below := next(d.Level, func(a, b int) bool { return a < b }), next(d.Level, func(a, b int) bool { return a > b })
			switch {
			case n == 0 && above != d.Level:
				c.to = above
			case n > 0 && n == len(rows)-1:
				c.to = below
			}
			all = append(all, c)
		}
	}
	for i, d := range s.Divisions {
		if d.Playoff == nil || systems[i] != system || len(d.Pairings) == 0 || len(d.Pairings[0].Games) == 0 {
			continue
		}
		points := map[string]int{}
		for k := range d.Pairings[0].Games {
			g := &d.Pairings[0].Games[k]
			for side, place := range s.Value(g).Places {
				if place == table.Won && s.Value(g).Kind.Counts() {
					points[g.Entries[side]]++
				}
			}
		}
		upper, lower := d.Playoff.Members[0], d.Playoff.Members[1]
		if points[lower] <= points[upper] {
			continue
		}
		u, w := slices.IndexFunc(all, func(c climber) bool { return c.member == upper }), slices.IndexFunc(all, func(c climber) bool { return c.member == lower })
		if u >= 0 && w >= 0 && all[u].to == all[u].from && all[w].to == all[w].from {
			all[u].to, all[w].to = all[w].from, all[u].from
		}
	}
	return all, nil
}

// 10, from one season to the next: divisions are filled from above with those who played there or come there, first those who come down,
// then those who stay, then those who come up, each by their places; after them with the others, until all are as large as the plan
// says. So as many go up as go down but for leavers and comers, and nobody stands below one who was behind him in their table.
func nextSeason(l *League) error {
	if l.Season.Phase != season.Settling {
		return nil
	}
	before, systems := l.Season, slices.Clone(l.System)
	if err := errors.Join(l.Do(book.Ended{Seed: l.Seed.String()}), l.announce()); err != nil {
		return err
	}
	for n := range l.script.Members {
		if (n*7+l.number)%11 > 0 { // some leave
			if err := l.Step(Step{What: Enter, A: n, B: 0}); err != nil {
				return err
			}
		}
	}
	if err := errors.Join(l.Step(Step{What: Close}), l.Step(Step{What: Start})); err != nil || l.Season.Phase != season.Running {
		return err
	}
	order, err := climbers(before, systems, l.System[0]) // all want to play that one
	if err != nil {
		return err
	}
	way := func(c climber) int { return cmp.Compare(c.from, c.to) } // -1: he comes down
	slices.SortFunc(order, func(a, b climber) int {
		return cmp.Or(cmp.Compare(a.to, b.to), cmp.Compare(way(a), way(b)), cmp.Compare(a.rank, b.rank), cmp.Compare(a.group, b.group))
	})
	entered := map[string]bool{}
	for _, e := range l.Season.Entries {
		entered[e.Member] = !e.Withdrawn
	}
	order = slices.DeleteFunc(order, func(c climber) bool { return !entered[c.member] })
	others := len(l.Season.Entries) - len(order)
	for i, d := range l.Season.Divisions {
		if l.System[i] != l.System[0] {
			continue
		}
		take := min(d.Size, len(order))
		rest := min(d.Size-take, others)
		least := 2
		if d.Table.Pairing == table.Trio {
			least = 3
		}
		if take+rest < least { // too few to play
			take, rest = 0, 0
		}
		for _, c := range order[:take] {
			if !slices.Contains(d.Members, c.member) {
				return fmt.Errorf("%s, place %d on level %d, is not in %s but there are %v", c.member, c.rank+1, c.from, d.ID, d.Members)
			}
		}
		if len(d.Members) != take+rest {
			return fmt.Errorf("%s has %v: %d who played, and %d others, should be there", d.ID, d.Members, take, rest)
		}
		order, others = order[take:], others-rest
	}
	return places(l)
}

// Corrections of a season that is closed. The log of a game says something else by now: that alone changes nothing, nor does one person, however
// often; when two agree, the table is the one that the results give with this one changed, or, if they let it stand, the one that
// was. Whoever has a stake decides nothing, a game that is open again corrects nothing, divisions that have been drawn stay as
// they are, and the log alone gives the same.
func corrections(l *League) error {
	if len(l.Past) == 0 || l.Season.Phase != season.Running {
		return nil
	}
	past := l.Past[len(l.Past)-1]
	drawn := fmt.Sprintf("%+v", l.Season.Divisions)
	games := GamesOf(past)
	for n, g := range games[:min(len(games), 3)] {
		if err := corrected(l, past, g, n%3 == 2, OutcomeOf(len(g.Entries), n, l.number+n)); err != nil {
			return fmt.Errorf("%s: %w", g.ID, err)
		}
	}
	if now := fmt.Sprintf("%+v", l.Season.Divisions); now != drawn {
		return fmt.Errorf("divisions were %s and are %s", drawn, now)
	}
	return fromLog(l)
}

// corrected has two people decide what becomes of a final result, after all that must not count.
func corrected(l *League, past *season.Season, g *season.Game, stands bool, o season.Outcome) error {
	say := func(o season.Outcome) error {
		l.number++
		link := season.Link{Number: l.number, Hash: fmt.Sprint("h", l.number)}
		l.Said[g.ID] = append(l.Said[g.ID], season.Resulted{Game: g.ID, Link: link, Result: o})
		return l.Do(book.Contested{Contested: season.Contested{Game: g.ID, Link: link, Result: o}})
	}
	settle := func(by string, stands bool) error {
		return l.Do(book.Corrected{Corrected: season.Corrected{Game: g.ID, By: by, Stand: stands}})
	}
	was, err := tablesOf(past, nil, season.Outcome{})
	if err != nil {
		return err
	}
	want := was
	if !stands && !reflect.DeepEqual(o, g.Result) {
		if want, err = tablesOf(past, g, o); err != nil {
			return err
		}
	}
	stays := func(what string) error {
		if now, err := tablesOf(past, nil, season.Outcome{}); err != nil || now != was {
			return fmt.Errorf("%s changes the table: %v\n%s\n%s", what, err, was, now)
		}
		return nil
	}
	if err := say(season.Outcome{Kind: table.Open}); err != nil {
		return err
	}
	if settle("one@club.example", false) == nil || stays("a game that is open again") != nil {
		return errors.New("it counts as open in a season that is closed")
	}
	if err := errors.Join(say(o), stays("what the log says")); err != nil || g.Claim == nil { // it says again what counts
		return err
	}
	for _, by := range g.Entries {
		if settle(by, stands) == nil {
			return fmt.Errorf("%s decides about his own game", by)
		}
	}
	if err := errors.Join(settle("one@club.example", stands), stays("one person")); err != nil {
		return err
	}
	if settle("one@club.example", stands) == nil || stays("one person twice") != nil {
		return errors.New("one person decides alone")
	}
	if err := settle("two@club.example", stands); err != nil {
		return err
	}
	if now, err := tablesOf(past, nil, season.Outcome{}); err != nil || now != want {
		return fmt.Errorf("%v: two agree that the result stands: %t, and the table is\n%s\nnot\n%s", err, stands, now, want)
	}
	return nil
}

// tablesOf are the tables of a season, made anew from its results alone, with another one of a game (nil: of none).
func tablesOf(s *season.Season, g *season.Game, o season.Outcome) (text string, err error) {
	for _, d := range s.Divisions {
		if d.Table.Form == table.Ladder { // it is a function of the same results, held by TestLadderArrival
			continue
		}
		var entries []table.Entry
		for _, e := range s.Entries {
			if slices.Contains(d.Members, e.Member) {
				entries = append(entries, table.Entry{ID: e.Member, Start: e.Start, Lot: e.Lot, Out: e.Withdrawn && e.Fate != season.Keep})
			}
		}
		all := results(s, d)
		for i, r := range all {
			if g == nil || r.Game != g.ID {
				continue
			}
			all[i] = otherwise(s, r, o)
		}
		made, err := table.Make(d.Table, entries, all)
		if err != nil {
			return "", err
		}
		text += plain(made) + "\n"
		if g != nil {
			continue
		}
		if own, err := s.Table(d.ID); err != nil || plain(own) != plain(made) {
			return "", fmt.Errorf("the season's table is not the one of its results: %v", err)
		}
	}
	return text, nil
}

// otherwise is a result as it is with another outcome of its game: whoever has left takes it with him as before.
func otherwise(s *season.Season, r table.Result, o season.Outcome) table.Result {
	fate := season.Keep
	for _, seat := range r.Seats {
		for _, e := range s.Entries {
			if e.Member == seat.Entry && e.Withdrawn && (e.Fate == season.Cancel || fate == season.Keep) {
				fate = e.Fate
			}
		}
	}
	seats := make([]table.Seat, len(r.Seats))
	for i := range seats {
		seats[i].Entry = r.Seats[i].Entry
		if len(o.Places) > 0 {
			seats[i].Place = o.Places[i]
		}
	}
	kind := o.Kind
	switch fate {
	case season.Cancel:
		kind = table.Cancelled
		for i := range seats {
			seats[i].Place = ""
		}
	case season.Annul:
		kind = table.Annulled
	}
	return table.Result{Game: r.Game, Round: r.Round, Kind: kind, Seats: seats}
}
