package leaguetest

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"berthier/adjudicator/league/book"
	"berthier/adjudicator/league/glicko"
	"berthier/adjudicator/league/rated"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/league/table"
)

// Eleven of the fifteen invariants of a league, each a property over made-up leagues; the four that need an office and its
// letters are held over the same scripts in TestScriptsByLetter of package adjudicator, and a month of a club by
// TestMonthOfAClub there.
//
// What must always be true is asked after each step, all else when the script is over and the season has come to its end.
func TestInvariants(t *testing.T) {
	ends, seasons := map[season.Phase]int{}, 0
	rapid.Check(t, func(t *rapid.T) {
		l, err := Play(Scripts(24, 80).Draw(t, "script"), func(l *League, _ Step) error {
			return errors.Join(pointsAreGivenOut(l), resultsRestOnLogs(l), nobodyGains(l), swissRounds(l), places(l), protestsHold(l), onePerson(l))
		})
		if err == nil {
			err = l.Finish()
		}
		if err == nil {
			err = errors.Join(pointsAreGivenOut(l), resultsRestOnLogs(l), orderOfArrival(l), rewound(l), roundRobins(l), swissRounds(l), tiesByHand(l), exchanged(l),
				fromNothing(l), nobodyGains(l), onePerson(l), nextSeason(l), corrections(l))
		}
		if err != nil {
			t.Fatal(err)
		}
		ends[l.Season.Phase]++
		seasons += len(l.Past)
	})
	if t.Logf("ended as %v, %d seasons closed", ends, seasons); seasons == 0 {
		t.Error("no season was closed")
	}
}

// resultOf is what a game counts as, in the terms of a table.
func resultOf(s *season.Season, round int, g *season.Game) table.Result {
	o := s.Value(g)
	r := table.Result{Game: g.ID, Round: round, Kind: o.Kind}
	for i, m := range g.Entries {
		seat := table.Seat{Entry: m}
		if len(o.Places) > 0 {
			seat.Place = o.Places[i]
		}
		if len(o.Missed) > 0 {
			seat.Missed = o.Missed[i]
		}
		r.Seats = append(r.Seats, seat)
	}
	return r
}

// results are those of a division, byes among them.
func results(s *season.Season, d season.Division) (all []table.Result) {
	out := map[string]bool{}
	for _, e := range s.Entries {
		out[e.Member] = e.Withdrawn && e.Fate != season.Keep
	}
	for _, p := range d.Pairings {
		for k := range p.Games {
			all = append(all, resultOf(s, p.Round, &p.Games[k]))
		}
	}
	for _, b := range d.Byes {
		for k := range gamesOf(d) {
			if !out[b.Member] {
				all = append(all, table.Result{Game: fmt.Sprintf("bye %d.%d %s", b.Round, k+1, b.Member), Round: b.Round, Kind: table.Bye, Seats: []table.Seat{{Entry: b.Member}}})
			}
		}
	}
	return all
}

func gamesOf(d season.Division) int {
	if d.Table.Pairing == table.Double {
		return 2
	}
	return 1
}

// 1. Points handed out in a division are what its decided games and byes are worth, and nobody has more games than
// pairings.
func pointsAreGivenOut(l *League) error {
	for _, d := range l.Season.Divisions {
		made, err := l.Season.Table(d.ID)
		if err != nil {
			return err
		}
		worth, pairings := int64(0), map[string]int{}
		for _, r := range results(l.Season, d) {
			p := d.Table.Points
			for _, s := range r.Seats {
				pairings[s.Entry]++
				switch {
				case r.Kind == table.Bye:
					worth += p.Bye
				case r.Kind == table.DoubleForfeit, r.Kind == table.Forfeit && s.Place == table.Lost:
					worth += p.ForfeitLoss
				case r.Kind == table.Forfeit:
					worth += p.ForfeitWin / int64(max(1, drew(r))) // the others of a game of three share it
				case (r.Kind == table.Played || r.Kind == table.Adjudicated) && s.Place == table.Won:
					worth += p.Win
				case (r.Kind == table.Played || r.Kind == table.Adjudicated) && s.Place == table.Lost:
					worth += p.Loss
				case r.Kind == table.Played || r.Kind == table.Adjudicated:
					worth += drawn(p, r)
				}
			}
		}
		for _, row := range made.Rows {
			worth -= row.Points
			if row.Games > pairings[row.Entry] {
				return fmt.Errorf("%s has %d results of %d games", row.Entry, row.Games, pairings[row.Entry])
			}
		}
		if worth != 0 {
			return fmt.Errorf("division %s: %d twelfths are not where they belong", d.ID, worth)
		}
	}
	return nil
}

// drew is how many drew a game.
func drew(r table.Result) int {
	n := 0
	for _, s := range r.Seats {
		if s.Place == table.Drew {
			n++
		}
	}
	return n
}

// drawn is what a draw is worth: half of a win among two; in a game of three those who draw share a win.
func drawn(p table.Points, r table.Result) int64 {
	if len(r.Seats) == 3 {
		return p.Win / int64(drew(r))
	}
	return p.Draw
}

// 2. A table is a function of the set of results in force: made of them in any order, without the season and what happened
// in it, it is the same.
func orderOfArrival(l *League) error {
	for _, s := range append(slices.Clone(l.Past), l.Season) {
		for _, d := range s.Divisions {
			if d.Table.Form == table.Ladder { // it is held by TestLadderArrival
				continue
			}
			made, err := s.Table(d.ID)
			if err != nil {
				return err
			}
			var entries []table.Entry
			for _, e := range s.Entries {
				if slices.Contains(d.Members, e.Member) {
					entries = append(entries, table.Entry{ID: e.Member, Start: e.Start, Lot: e.Lot, Out: e.Withdrawn && e.Fate != season.Keep})
				}
			}
			all := results(s, d)
			slices.Reverse(all)
			slices.SortStableFunc(all, func(a, b table.Result) int { return cmp.Compare(len(a.Game)%3, len(b.Game)%3) })
			again, err := table.Make(d.Table, entries, all)
			if err != nil {
				return err
			}
			if a, b := plain(made), plain(again); a != b {
				return fmt.Errorf("division %s:\n%s\nin another order\n%s", d.ID, a, b)
			}
		}
	}
	return nil
}

// plain is a table without the marks, which tell how results came about.
func plain(t table.Table) string {
	rows := slices.Clone(t.Rows)
	for i := range rows {
		rows[i].Cells = slices.Clone(rows[i].Cells)
		for k := range rows[i].Cells {
			rows[i].Cells[k].Marks = nil
		}
	}
	data, err := json.Marshal(rows)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// 3. A result rests on an entry of its game's log, and says what that entry says; nothing that was said later was left out,
// unless the result was final.
func resultsRestOnLogs(l *League) error {
	for _, g := range l.Games() {
		said := l.Said[g.ID]
		at := slices.IndexFunc(said, func(r season.Resulted) bool { return r.Link == g.Link })
		switch {
		case g.Link.Number == 0 && len(said) > 0 && g.Claim == nil && g.Counted == nil:
			return fmt.Errorf("%s: the log says %+v, and no result was taken", g.ID, said)
		case g.Link.Number == 0:
		case at < 0:
			return fmt.Errorf("%s: its result rests on %v, which is not in its log", g.ID, g.Link)
		case !reflect.DeepEqual(said[at].Result, g.Result):
			return fmt.Errorf("%s: result %+v, but the log says %+v", g.ID, g.Result, said[at].Result)
		case at < len(said)-1 && !g.Final && g.Claim == nil && !contested(l, g.ID):
			return fmt.Errorf("%s: the log has said more since: %+v", g.ID, said[at+1:])
		}
	}
	return nil
}

// contested tells whether the result of a game was contested.
func contested(l *League, id string) bool {
	for _, e := range l.Log {
		if _, in, err := book.Read(e); err == nil {
			if c, ok := in.(book.Contested); ok && c.Game == id {
				return true
			}
		}
	}
	return false
}

// 4. A game that is taken back and ends again in the same way leaves tables and ratings as they were, byte for byte: here
// each that can be is, in a copy of the league made from its log.
func rewound(l *League) error {
	before, err := standings(l)
	if err != nil {
		return err
	}
	b, err := book.Replay(l.Log)
	if err != nil {
		return err
	}
	again := &League{Book: b, Log: slices.Clone(l.Log), Now: l.Now, Said: map[string][]season.Resulted{}, script: l.script, number: l.number + 1000}
	for _, g := range again.Games() {
		if g.Final || g.Result.Kind == "" || g.Result.Kind == table.Open || !again.playing() {
			continue
		}
		was := g.Result
		if err := errors.Join(again.Say(g, season.Outcome{Kind: table.Open}), again.Say(g, was)); err != nil {
			return err
		}
	}
	after, err := standings(again)
	if err == nil && before != after {
		err = fmt.Errorf("before %s\nafter rewinds %s", before, after)
	}
	return err
}

// standings are all tables and ratings of a league.
func standings(l *League) (string, error) {
	text := ""
	for _, d := range l.Season.Divisions {
		made, err := l.Season.Table(d.ID)
		if err != nil {
			return "", err
		}
		text += plain(made) + "\n"
	}
	ratings, err := rated.Of(l.Log, season.Rating{System: glicko.Default, Period: 30 * Day}, l.Now)
	return text + written(ratings), err
}

// written is all that ladders say.
func written(all []rated.Ladder) (text string) {
	for _, l := range all {
		text += fmt.Sprintf("%s %d %+v %+v %+v %+v\n", l.System, l.Last, l.History, l.Members, l.Sides, l.Games())
		for _, m := range l.Members {
			text += fmt.Sprintln(m.ID, l.Played(m.ID))
		}
	}
	return text
}

// 5. In a round robin every two meet once, or twice with sides exchanged; sides are even to within one; and nobody is twice in
// a round. All sizes from 2 to 40 are held against a second program by TestRoundRobin and TestBrute of package pair.
func roundRobins(l *League) error {
	for _, d := range l.Season.Divisions {
		if d.Table.Form != table.RoundRobin || d.Table.Pairing == table.Trio || d.Playoff != nil {
			continue
		}
		met, sides, rounds := map[[2]string]int{}, map[string]int{}, map[string]bool{}
		for _, p := range d.Pairings {
			a, b := p.Seats[0], p.Seats[1]
			met[[2]string{min(a, b), max(a, b)}]++
			sides[a]++
			sides[b]--
			for _, m := range p.Seats {
				if at := fmt.Sprint(p.Round, m); rounds[at] {
					return fmt.Errorf("%s is twice in round %d", m, p.Round)
				} else {
					rounds[at] = true
				}
			}
		}
		if n := len(d.Members); len(d.Pairings) > 0 && len(met) != n*(n-1)/2 {
			return fmt.Errorf("division %s: %d of %d members meet", d.ID, len(met), n)
		}
		for pair, n := range met {
			if n != 1 {
				return fmt.Errorf("%v meet %d times", pair, n)
			}
		}
		for m, n := range sides {
			if n < -1 || n > 1 {
				return fmt.Errorf("%s has a side %d times oftener", m, n)
			}
		}
	}
	return nil
}

// 6. In a Swiss division nobody meets anybody twice, has more than one bye, or one side more than twice oftener than the other.
// Rounds are held against a second program by TestSwissByTheRules of package pair.
func swissRounds(l *League) error {
	for _, d := range l.Season.Divisions {
		if d.Table.Form != table.Swiss {
			continue
		}
		met, balance, byes := map[[2]string]bool{}, map[string]int{}, map[string]int{}
		for _, p := range d.Pairings {
			a, b := p.Seats[0], p.Seats[1]
			key := [2]string{min(a, b), max(a, b)}
			played := len(p.Games) > 0 && slices.ContainsFunc(p.Games, func(g season.Game) bool { return g.Result.Kind == table.Played || g.Result.Kind == table.Adjudicated })
			if met[key] {
				return fmt.Errorf("%s and %s meet twice", a, b)
			}
			if met[key] = played; played {
				balance[a]++
				balance[b]--
			}
		}
		for _, b := range d.Byes {
			if byes[b.Member]++; byes[b.Member] > 1 {
				return fmt.Errorf("%s has two byes", b.Member)
			}
		}
		for m, n := range balance {
			if d.Table.Pairing == table.Single && (n < -2 || n > 2) {
				return fmt.Errorf("%s has a side %d times oftener", m, n)
			}
		}
	}
	return nil
}

// 7. What parts every two neighbours of a table by points, Sonneborn-Berger, wins, rating or lot parts them, worked out anew from
// the cross-table. The other rules, and small tables that were worked out by hand, are in the tests of package table.
func tiesByHand(l *League) error {
	for _, d := range l.Season.Divisions {
		if d.Table.Form == table.Ladder {
			continue
		}
		made, err := l.Season.Table(d.ID)
		if err != nil {
			return err
		}
		points := map[string]int64{}
		for _, r := range made.Rows {
			points[r.Entry] = r.Points
		}
		lots, starts := map[string]int{}, map[string]int64{}
		for _, e := range l.Season.Entries {
			lots[e.Member], starts[e.Member] = e.Lot, e.Start
		}
		worth := func(tie table.Tie, r table.Row) (sum int64) {
			for _, c := range r.Cells {
				over := c.Kind == table.Played || c.Kind == table.Adjudicated
				switch tie {
				case table.SonnebornBerger:
					switch {
					case over:
						for _, other := range c.Against {
							sum += points[other] * c.Points * 2 / int64(len(c.Against))
						}
					case c.Kind == table.Forfeit, c.Kind == table.DoubleForfeit, c.Kind == table.Bye && d.Table.Form == table.Swiss:
						sum += 2 * r.Points * c.Points
					}
				case table.Wins:
					if over && c.Place == table.Won {
						sum++
					}
				}
			}
			switch tie {
			case table.ByPoints:
				return r.Points
			case table.Lot:
				return -int64(lots[r.Entry])
			case table.StartRating:
				return -starts[r.Entry]
			}
			return sum
		}
		for i, low := range made.Rows {
			if i == 0 || low.Rank == 0 {
				continue
			}
			high := made.Rows[i-1]
			if high.Points < low.Points {
				return fmt.Errorf("%s stands above %s with fewer points", high.Entry, low.Entry)
			}
			if by := low.Parted; slices.Contains([]table.Tie{table.ByPoints, table.SonnebornBerger, table.Wins, table.StartRating, table.Lot}, by) && worth(by, high) <= worth(by, low) {
				return fmt.Errorf("%s parts %s (%d) from %s (%d)", by, high.Entry, worth(by, high), low.Entry, worth(by, low))
			}
		}
	}
	return nil
}

// 8. Who sat on which side of the scale is of no matter: with all games' players exchanged and their scores turned round
// ratings are the same. A member without games keeps his rating, and it is only less certain. Glickman's example and
// 10,000 periods of a second program are in the tests of package glicko.
func exchanged(l *League) error {
	ladders, err := rated.Of(l.Log, season.Rating{System: glicko.Default, Period: 30 * Day}, l.Now.Add(300*Day))
	if err != nil {
		return err
	}
	for _, one := range ladders {
		games := one.Games()
		for i := range games {
			games[i].Sides[0], games[i].Sides[1], games[i].Score = games[i].Sides[1], games[i].Sides[0], glicko.Twelfths-games[i].Score
		}
		again, err := glicko.Default.Compute(glicko.History{}, 0, one.Last, one.Members, games)
		if err != nil {
			return err
		}
		for _, m := range one.Members {
			was, has := one.At(m.ID)
			turned, _ := again.At(one.Last, m.ID)
			if !has || was != turned {
				return fmt.Errorf("%s has %+v, with sides exchanged %+v", m.ID, was, turned)
			}
			if one.Played(m.ID) == 0 && (was.R != glicko.Default.Start.R || was.RD < glicko.Default.Start.RD) {
				return fmt.Errorf("%s has played nothing, and has %+v", m.ID, was)
			}
		}
	}
	return nil
}

// 9. Ratings that are worked out from nothing are those that go on from what was kept, to the last bit. TestBits of package
// glicko holds the same numbers on every machine.
func fromNothing(l *League) error {
	ladders, err := rated.Of(l.Log, season.Rating{System: glicko.Default, Period: 10 * Day}, l.Now)
	if err != nil {
		return err
	}
	for _, one := range ladders {
		for from := 0; from <= one.Last; from += 1 + one.Last/5 {
			kept, err := glicko.Default.Compute(glicko.History{}, 0, from, one.Members, one.Games())
			if err != nil {
				return err
			}
			went, err := glicko.Default.Compute(kept, from, one.Last, one.Members, one.Games())
			if err != nil || !reflect.DeepEqual(went, one.History) {
				return fmt.Errorf("gone on from period %d: %w %v, not %v", from, err, went, one.History)
			}
		}
	}
	return fromLog(l)
}

// fromLog: what the log gives read anew is what was made step by step.
func fromLog(l *League) error {
	b, err := book.Replay(l.Log)
	if err != nil {
		return err
	}
	again, err := standings(&League{Book: b, Log: l.Log, Now: l.Now})
	if err != nil {
		return err
	}
	if was, err := standings(l); err != nil || was != again {
		return fmt.Errorf("from the log alone %s, %w, not %s", again, err, was)
	}
	return nil
}

// 10. Divisions are no larger than the plan says and have enough members to be played, nobody is in two of a season, and a
// division has room only if nobody of its system waits who entered in time.
func places(l *League) error {
	in := map[string]string{}
	for _, d := range l.Season.Divisions {
		if d.Playoff != nil {
			continue
		}
		if len(d.Members) > d.Size || len(d.Members) == 1 && l.Season.Phase == season.Dividing {
			return fmt.Errorf("division %s of %d has %d members", d.ID, d.Size, len(d.Members))
		}
		for _, m := range d.Members {
			if in[m] != "" {
				return fmt.Errorf("%s is in %s and %s", m, in[m], d.ID)
			}
			in[m] = d.ID
		}
	}
	return nil
}

// protestsHold: no result is final while a protest about it waits, nobody protests twice at once, and nobody who takes no sides of others
// is the next to whom one is offered.
func protestsHold(l *League) error {
	waits := map[[2]string]bool{}
	for _, p := range l.OpenProtests() {
		if at := [2]string{p.Game, p.Member}; waits[at] {
			return fmt.Errorf("%s protests twice about %s", p.Member, p.Game)
		} else {
			waits[at] = true
		}
		if g := l.Season.Game(p.Game); g == nil || g.Final {
			return fmt.Errorf("%s is final, or not there, while %s protests", p.Game, p.Member)
		}
	}
	for _, v := range l.Season.Vacancies {
		if next, ok := l.Season.Substitute(v.Game, v.Entry); ok && l.Resting[next] {
			return fmt.Errorf("a side of %s is to be offered to %s, who takes none", v.Game, next)
		}
	}
	return nil
}

// onePerson: who turned out to be another one takes part under one id alone, and is rated as one, never against himself.
func onePerson(l *League) error {
	if len(l.Merged) == 0 {
		return nil
	}
	for _, e := range l.Season.Entries {
		if into := l.Merged[e.Member]; into != "" && !e.Withdrawn && l.Season.Phase != season.Closed {
			return fmt.Errorf("%s takes part, who is %s", e.Member, into)
		}
	}
	for _, g := range l.Games() {
		for i, m := range g.Players {
			if g.Ruled != nil && l.Merged[g.Ruled.By] != "" || l.Season.Value(g).Kind == table.Open && l.Merged[m] != "" && !l.Season.Gone(m) {
				return fmt.Errorf("%s has %s at side %d", g.ID, m, i+1)
			}
		}
	}
	ladders, err := rated.Of(l.Log, season.Rating{System: glicko.Default, Period: 30 * Day}, l.Now)
	if err != nil {
		return err
	}
	for _, one := range ladders {
		for _, m := range one.Members {
			if l.Merged[m.ID] != "" {
				return fmt.Errorf("%s is rated, who is %s", m.ID, l.Merged[m.ID])
			}
		}
		for _, g := range one.Games() {
			for _, m := range g.Sides[0].Members {
				if slices.Contains(g.Sides[1].Members, m) {
					return fmt.Errorf("%s is rated against himself in %s", m, g.ID)
				}
			}
		}
	}
	return nil
}

// 11. Nothing that was done was done by somebody with a stake in it.
func nobodyGains(l *League) error {
	if len(l.Stake) > 0 {
		return fmt.Errorf("%v", l.Stake)
	}
	return nil
}
