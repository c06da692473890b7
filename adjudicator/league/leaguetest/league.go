package leaguetest

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"berthier/adjudicator/league/book"
	"berthier/adjudicator/league/glicko"
	"berthier/adjudicator/league/lots"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/league/table"
	"berthier/adjudicator/log/chain"
)

// Day is a day.
const Day = 24 * time.Hour

// Began is when leagues begin.
var Began = time.Date(2027, 1, 10, 9, 0, 0, 0, time.UTC)

// A League is a league's book without an office, with the logs of its games as far as a league reads them.
type League struct {
	*book.Book
	Log   []chain.Entry
	Now   time.Time
	Said  map[string][]season.Resulted // what the log of each game has said, in its order
	Stake []string                     // what was done by who had a stake in it: there must be nothing

	script Script
	number int // entries of all games' logs
}

// New makes the league of a script. Nothing of its steps has happened yet but that its first season is open.
func New(s Script) (*League, error) {
	l := &League{Book: &book.Book{}, Now: Began, Said: map[string][]season.Resulted{}, script: s}
	return l, errors.Join(l.Do(book.Made{League: "l", Text: "t"}), l.announce())
}

// Play makes the league of a script and lets all of its steps happen; after each of them it looks.
func Play(s Script, look func(l *League, step Step) error) (*League, error) {
	l, err := New(s)
	for i := 0; err == nil && i < len(s.Steps); i++ {
		if err = l.Step(s.Steps[i]); err == nil {
			err = look(l, s.Steps[i])
		}
	}
	return l, err
}

// Do lets something happen, and keeps it in the log. A refusal changes nothing.
func (l *League) Do(in book.Input) error {
	var end chain.Link
	if len(l.Log) > 0 {
		end = l.Log[len(l.Log)-1].Link
	}
	e, err := l.Book.Do(book.Around{Now: l.Now, After: end, By: "test", Draw: func(b []byte) error { clear(b); return nil }}, in)
	if err == nil {
		l.Log = append(l.Log, e)
	}
	return err
}

// Plan is the plan of the league's next season.
func (l *League) Plan() (p season.Plan, systems []string) {
	is := func(bit int) bool { return l.script.Options>>bit&1 == 1 }
	p = season.Plan{League: "l", Season: fmt.Sprint(l.Number + 1), MostAtOnce: 1 + l.script.Options%3, Under: 50, Then: season.Annul, Else: season.Keep, Final: 14 * Day,
		MostSeats: 2, SubsRated: "own", Up: 1, Down: 1, Playoffs: is(0), Length: 60 * Day}
	if is(1) {
		p.Then = season.Cancel
	}
	if is(6) { // each season is rated in another way
		p.Rating = &season.Rating{System: glicko.Default, Period: time.Duration(7+5*l.Number%9) * Day, SetUps: slices.Repeat([]string{"historical", "", "quick"}[l.Number%3:], 9)}
		p.Rating.Tau += int64(l.Number % 4 * 100)
		p.Rating.Start.R -= int64(l.Number % 3 * 50_00)
	}
	for i, n := range l.script.Divisions {
		d := season.DivisionPlan{ID: fmt.Sprint("d", i), Size: l.script.Size, Level: i}
		d.Table = table.Division{Form: table.RoundRobin, Pairing: table.Single, Points: table.Usual, Ties: []table.Tie{table.Direct, table.SonnebornBerger, table.Wins, table.Lot}}
		switch n % 6 {
		case 1:
			d.Table.Pairing = table.Double
		case 2:
			d.Table.Form, d.Rounds, d.Table.Ties = table.Swiss, 2+n%3, []table.Tie{table.Buchholz, table.SonnebornBerger, table.StartRating, table.Lot}
		case 3:
			d.Table.Form, d.Table.Pairing, d.Rounds, d.Table.Ties = table.Swiss, table.Double, 2, []table.Tie{table.BuchholzCut1, table.Direct, table.Lot}
		case 4:
			d.Table.Pairing, d.Rounds = table.Trio, 2
		case 5:
			d.Table.Form, d.Table.Ties = table.Ladder, nil
		}
		p.Divisions, systems = append(p.Divisions, d), append(systems, []string{"x", "y"}[n/10%2])
	}
	return p, systems
}

func (l *League) announce() error {
	plan, systems := l.Plan()
	seed := lots.Seed{byte(l.Number + 1)}
	return errors.Join(l.Do(book.Announced{Plan: plan, Systems: systems, Commitment: seed.Commitment(), Seed: seed.String()}), l.Do(book.Opened{}))
}

// pick chooses one of some things, counted around; ok is false if there is none.
func pick[T any](all []T, n int) (one T, ok bool) {
	if len(all) == 0 {
		return one, false
	}
	return all[n%len(all)], true
}

// Games gives the games of the present season, in their order.
func (l *League) Games() (all []*season.Game) { return GamesOf(l.Season) }

// GamesOf gives the games of a season, in their order.
func GamesOf(s *season.Season) (all []*season.Game) {
	for i := range s.Divisions {
		for j := range s.Divisions[i].Pairings {
			for k := range s.Divisions[i].Pairings[j].Games {
				all = append(all, &s.Divisions[i].Pairings[j].Games[k])
			}
		}
	}
	return all
}

// Step lets a step happen. The error is a fault of the league: what may be refused is, without one.
func (l *League) Step(s Step) error {
	member := fmt.Sprintf("M-%04d", s.A%l.script.Members+1)
	switch s.What {
	case Enter:
		_ = l.Do(book.Entered{Member: member, Start: int64(1500_00 + s.B%3*50_00), Wish: book.Wish{System: []string{"", "x", "y"}[s.B%3]}})
	case Withdraw:
		if s.C%4 == 0 {
			_ = l.Do(book.Withdrew{Member: member})
		}
	case Close:
		_ = l.Do(book.Closed{})
	case Start:
		if drawn, err := l.Draw(); l.Season.Phase == season.Dividing && err == nil {
			return l.Do(drawn)
		}
	case GoOn:
		return l.GoOn()
	case Pause:
		_ = l.Do(book.Rested{Member: member, Rests: s.B%3 > 0})
	case Merge:
		if s.C%4 == 0 {
			_ = l.Do(book.Merged{Gone: member, Into: fmt.Sprintf("M-%04d", s.B%l.script.Members+1)})
		}
	case Change:
		in := book.Changed{Now: book.SetUp{Text: fmt.Sprint("t", s.A)}}
		if s.B%2 == 0 {
			in.Later = &book.SetUp{Text: fmt.Sprint("t", s.B)}
		}
		_ = l.Do(in)
	case Result, Rewind, Rule, Vacate, Contest, Settle, Protest:
		if g, ok := pick(l.Games(), s.A); ok {
			return l.about(g, s)
		}
	case Wait:
		return l.wait(time.Duration(s.A%9) * Day)
	case Climb:
		if d := season.OnLadder(l.Season, member); d != "" {
			other, _ := pick(season.Ladder(l.Season, d), s.B)
			_ = l.Do(book.Challenged{Challenged: season.Challenged{Division: d, Challenger: member, Challenged: other}})
		}
	case End:
		if l.Season.Phase == season.Settling && l.Season.Unsettled() == 0 {
			return errors.Join(l.Do(book.Ended{Seed: l.Seed.String()}), l.announce())
		}
	}
	return nil
}

// about is a step about a game.
func (l *League) about(g *season.Game, s Step) error {
	open := l.Season.Value(g).Kind == table.Open
	switch s.What {
	case Result:
		if open && l.playing() {
			return l.Say(g, OutcomeOf(len(g.Entries), s.B, s.C))
		}
	case Rewind:
		if swiss := l.Season.Divisions[l.Season.DivisionOf(g.ID)].Table.Form == table.Swiss; !swiss && g.Result.Kind != table.Open && !g.Final && l.playing() {
			return l.Say(g, season.Outcome{Kind: table.Open})
		}
	case Rule:
		l.rule(g, s)
	case Protest:
		who, _ := pick(g.Players, s.B)
		if s.C%3 > 0 {
			_ = l.Do(book.Protested{Game: g.ID, Member: who})
		} else if by := l.somebody(g, s.B); l.Do(book.Dismissed{Game: g.ID, By: by}) == nil {
			l.staked(g, by, "dismisses")
		}
	case Vacate:
		l.vacate(g, s)
	case Contest:
		l.number++
		in := season.Resulted{Game: g.ID, Link: season.Link{Number: l.number, Hash: fmt.Sprint("h", l.number)}, Result: OutcomeOf(len(g.Entries), s.B, s.C)}
		if l.Do(book.Contested{Contested: season.Contested{Game: g.ID, Link: in.Link, Result: in.Result}}) == nil {
			l.Said[g.ID] = append(l.Said[g.ID], in)
		}
	case Settle:
		by := l.somebody(g, s.B)
		if l.Do(book.Corrected{Corrected: season.Corrected{Game: g.ID, By: by, Stand: s.C%2 == 0}}) == nil {
			l.staked(g, by, "settles")
		}
	}
	return nil
}

func (l *League) playing() bool {
	return l.Season.Phase == season.Running || l.Season.Phase == season.Settling
}

// Say lets the log of a game say something.
func (l *League) Say(g *season.Game, o season.Outcome) error {
	l.number++
	in := season.Resulted{Game: g.ID, Link: season.Link{Number: l.number, Hash: fmt.Sprint("h", l.number)}, Result: o}
	l.Said[g.ID] = append(l.Said[g.ID], in)
	return l.Do(book.Resulted{Resulted: in})
}

// OutcomeOf is an outcome of a game of so many sides.
func OutcomeOf(sides, b, c int) season.Outcome {
	o := season.Outcome{Kind: []table.Kind{table.Played, table.Played, table.Played, table.Played, table.Adjudicated, table.Forfeit, table.DoubleForfeit}[b%7]}
	if o.Kind == table.DoubleForfeit {
		return o
	}
	o.Places = slices.Repeat([]table.Place{table.Lost}, sides)
	if o.Kind != table.Forfeit && c%4 == 3 {
		o.Places = slices.Repeat([]table.Place{table.Drew}, sides)
		return o
	}
	o.Places[c%4%sides] = table.Won
	return o
}

// somebody is who decides about a game: a secretary, an umpire, or one who enters.
func (l *League) somebody(g *season.Game, n int) string {
	all := []string{"secretary@club.example", "umpire@club.example", g.Players[0]}
	for _, e := range l.Season.Entries {
		all = append(all, e.Member)
	}
	return all[n%len(all)]
}

// staked notes what was done by who has a stake in a game.
func (l *League) staked(g *season.Game, by, what string) {
	d := l.Season.Divisions[l.Season.DivisionOf(g.ID)]
	if slices.Contains(d.Members, by) || slices.Contains(g.Players, by) {
		l.Stake = append(l.Stake, fmt.Sprintf("%s %s about %s", by, what, g.ID))
	}
}

func (l *League) rule(g *season.Game, s Step) {
	by := l.somebody(g, s.B)
	var in book.Input = book.Ruled{Ruled: season.Ruled{Game: g.ID, Forfeit: g.Entries[:s.C%(len(g.Entries)+1)], By: by}}
	if s.C%4 == 3 {
		in = book.Overruled{Overruled: season.Overruled{Game: g.ID, By: by}}
	}
	if l.Do(in) == nil {
		l.staked(g, by, "rules")
	}
}

// vacate lets a side need a player, or lets something come of that.
func (l *League) vacate(g *season.Game, s Step) {
	entry := g.Entries[s.B%len(g.Entries)]
	for _, v := range slices.Clone(l.Season.Vacancies) {
		asked := append([]string{"nobody"}, v.Asked...)
		switch s.C % 5 {
		case 0, 1:
			_ = l.Do(book.Replied{Replied: season.Replied{Game: v.Game, Entry: v.Entry, Player: asked[len(asked)-1], Takes: s.C%5 == 0}})
		case 2:
			_ = l.Do(book.Back{Back: season.Back{Game: v.Game, Entry: v.Entry}})
		case 3:
			_ = l.Do(book.Abandoned{Abandoned: season.Abandoned{Game: v.Game, Entry: v.Entry}})
		}
		if next, ok := l.Season.Substitute(v.Game, v.Entry); ok {
			_ = l.Do(book.Offered{Offered: season.Offered{Game: v.Game, Entry: v.Entry, Player: next}})
		}
	}
	_ = l.Do(book.Vacant{Vacant: season.Vacant{Game: g.ID, Entry: entry}})
}

// GoOn does what follows by the rules: rounds, the end of play, games that are due.
func (l *League) GoOn() error {
	for {
		next, err := l.Next()
		if err != nil {
			return err
		}
		if next != nil {
			if err := l.Do(next); err != nil {
				return err
			}
			continue
		}
		due := l.Due()
		if len(due) == 0 {
			return nil
		}
		made := season.Made{Division: l.Season.Divisions[due[0].Division].ID, Pairing: due[0].Pairing}
		for _, g := range due[0].Games {
			made.Games = append(made.Games, g.ID)
		}
		if err := l.Do(book.Playing{Made: made, Umpire: "umpire@club.example"}); err != nil {
			return err
		}
	}
}

// wait lets time pass: results become final, and when the season's time has ended what is open is counted.
func (l *League) wait(d time.Duration) error {
	l.Now = l.Now.Add(d)
	if l.Season.TimeUp(l.Now) {
		if l.Season.Lapses() {
			if err := l.Do(book.Lapsed{}); err != nil {
				return err
			}
		}
		for _, id := range l.Season.Undecided() {
			g := l.Season.Game(id)
			l.number++
			points := make([]int64, len(g.Entries))
			points[l.number%len(points)] = int64(l.number % 3)
			if err := l.Do(book.Counted{Counted: season.Counted{Game: id, Link: season.Link{Number: l.number, Hash: fmt.Sprint("h", l.number)}, Points: points}}); err != nil {
				return err
			}
		}
	}
	games, _ := l.Season.Ripe(l.Now)
	games = slices.DeleteFunc(games, l.Protested)
	if len(games) > 0 && l.playing() {
		return l.Do(book.Final{Final: season.Final{Games: games}})
	}
	return nil
}

// Finish lets a season that is being played come to its end, whatever has happened.
func (l *League) Finish() error {
	for n := range 400 {
		if l.Season.Phase != season.Running {
			break
		}
		if err := l.GoOn(); err != nil {
			return err
		}
		said := false
		for _, g := range l.Games() {
			if l.Season.Value(g).Kind == table.Open {
				said = true
				if err := l.Say(g, OutcomeOf(len(g.Entries), n, l.number)); err != nil {
					return err
				}
			}
		}
		if !said && l.Season.Phase == season.Running { // a ladder is played until its time has ended
			if err := l.wait(max(0, l.Season.Until.Sub(l.Now))); err != nil {
				return err
			}
		}
	}
	if l.Season.Phase != season.Settling {
		return nil
	}
	for _, p := range l.OpenProtests() {
		if !l.Protested(p.Game) {
			continue // answered with another one about that game
		}
		if err := l.Do(book.Dismissed{Game: p.Game, By: "secretary@club.example"}); err != nil {
			return err
		}
	}
	if err := l.wait(15 * Day); err != nil {
		return err
	}
	for n := range 3 {
		for _, id := range l.Season.Contested() {
			_ = l.Do(book.Corrected{Corrected: season.Corrected{Game: id, Stand: true, By: fmt.Sprint("second ", n)}})
		}
	}
	if err := l.wait(15 * Day); err != nil {
		return err
	}
	if n := l.Season.Unsettled(); n > 0 || l.Season.Phase != season.Settling {
		return fmt.Errorf("%d results are not final, and the season is %s", n, l.Season.Phase)
	}
	return nil
}
