package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league"
	"berthier/adjudicator/league/book"
	"berthier/adjudicator/league/lots"
	"berthier/adjudicator/league/rated"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/outbox"
	"berthier/adjudicator/store"
)

// The log of a league lies in the store like that of a game, under an id that no game can
// have. All else of it follows from that log.
const (
	leaguePrefix = "=league/"     // and an id: the log, and where it wakes
	leagueValue  = "league "      // and an id: there is such a league
	newsPrefix   = "league-news " // and the ids of a league and a game of it: the log of that game may say something else
	wishPrefix   = "league-wish " // and the ids of a league and a member: he wants to enter
)

// leagues is what an office does with its leagues.
type leagues struct{ office *Office }

// club is the club whose members play in the leagues.
func (l leagues) club() club { return club(l) }

// An openBook is the book of a league with the end of its log, from which the next change is made.
type openBook struct {
	*book.Book
	end   chain.Link
	setup *league.Setup // read when it was first needed
	rated *rated.Log    // what its log tells of ratings
	rota  rotaAt
	week  *weekOfLeague // of the letters that are being written; nil: none are
}

// ErrNoLeague: there is no league of that id.
var ErrNoLeague = errors.New("there is no such league")

// entriesOf reads a log whole.
func entriesOf(tx store.Reader, id string) (all []chain.Entry, err error) {
	err = tx.Entries(id, 0, func(e chain.Entry) error { all = append(all, e); return nil })
	return all, err
}

// newBook is that of a league to which nothing has happened.
func newBook() *openBook { return &openBook{Book: &book.Book{}, rated: &rated.Log{}} }

// open takes a league's book up. The caller holds it.
func (l leagues) open(id string) (*openBook, error) {
	if b, ok := l.office.books.Get(id); ok {
		same, err := stands(l.office.store, leaguePrefix+id, b.end, store.Version{})
		if same || err != nil {
			return b, err
		}
	}
	b := newBook()
	err := l.office.read(func(tx store.Reader) error {
		return tx.Entries(leaguePrefix+id, 0, func(e chain.Entry) error {
			head, in, err := b.Take(e)
			if err == nil {
				b.rated.Follow(b.Book, head.At, in)
				b.end = e.Link
			}
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	if b.end.Seq == 0 {
		return nil, fmt.Errorf("open league %q: %w", id, ErrNoLeague)
	}
	l.office.books.Put(id, b)
	return b, nil
}

// look takes a league's book up for reading.
func (l leagues) look(id string, do func(*openBook) error) error {
	defer l.office.hold(leaguePrefix + id)()
	b, err := l.open(id)
	if err != nil {
		return err
	}
	return do(b)
}

// all gives the ids of all leagues, sorted.
func (l leagues) all() (ids []string, err error) {
	err = l.office.read(func(tx store.Reader) error {
		return tx.Values(leagueValue, func(name string, _ []byte) error {
			ids = append(ids, strings.TrimPrefix(name, leagueValue))
			return nil
		})
	})
	return ids, err
}

// A leagueTurn is a change of a league while it is prepared.
type leagueTurn struct {
	leagues
	*openBook
	by, letter string
	change     store.Change
	end        chain.Link
	outgoing   []*outbox.Outgoing
	unsure     bool // the book may have been changed half-way
}

// Do lets something happen to the league.
func (t *leagueTurn) Do(in book.Input) error {
	switch in.(type) {
	case book.Changed, book.Ended, book.Announced:
		if err := noteRating(t); err != nil {
			return err
		}
	}
	now := t.office.now()
	e, err := t.Book.Do(book.Around{Now: now, Draw: t.office.draw, After: t.end, By: t.by, Letter: t.letter}, in)
	if err != nil {
		var refused *game.RefusedError
		t.unsure = t.unsure || !errors.As(err, &refused)
		return err
	}
	t.rated.Follow(t.Book, now, in)
	t.change.Entries, t.end = append(t.change.Entries, e), e.Link
	t.rota.running = nil
	switch in.(type) {
	case book.Changed, book.Ended:
		t.setup, t.rota = nil, rotaAt{} // another one may be in force from now on
	}
	return nil
}

// act takes a league's book up, lets do change it, and commits what it did, with what else the
// change with has. If do fails nothing has changed.
func (l leagues) act(ctx context.Context, id, by, letter string, with store.Change, do func(*leagueTurn) error) error {
	defer l.office.hold(leaguePrefix + id)()
	b, err := l.open(id)
	if err != nil {
		return err
	}
	return l.commit(ctx, id, &leagueTurn{leagues: l, openBook: b, by: by, letter: letter, change: with.Clone(), end: b.end}, do)
}

// commit lets do happen in a turn, and commits it. The caller holds the league.
func (l leagues) commit(ctx context.Context, id string, t *leagueTurn, do func(*leagueTurn) error) error {
	committed := false
	defer func() {
		if !committed && (t.unsure || t.end != t.openBook.end) {
			l.office.books.Drop(id) // it is not what the log says
		}
	}()
	if err := do(t); err != nil {
		return err
	}
	if c := &t.change; len(c.Entries)+len(c.Values)+len(c.Wake)+len(t.outgoing) == 0 && c.Mark == nil {
		committed = true
		return nil
	}
	t.change.Game, t.change.After = leaguePrefix+id, t.openBook.end
	if t.change.Wake == nil {
		t.change.Wake = map[string]time.Time{}
	}
	if _, said := t.change.Wake[leaguePrefix+id]; !said && len(t.change.Entries) > 0 {
		t.change.Wake[leaguePrefix+id] = l.office.now() // something may follow by the rules
	}
	if err := l.office.queue(ctx, t.change, t.outgoing...); err != nil {
		return fmt.Errorf("commit league %s: %w", id, err)
	}
	t.openBook.end, committed = t.end, true
	signal(l.office.wake)
	return nil
}

// hear notes in the change of a game that its league must read its log once more. What wakes the
// league is written together with what it is to read, so nothing is lost and nothing told twice.
func (l leagues) hear(c *store.Change, t *game.Turn) error {
	if t.Game.League == "" || !forfeits(t.Game) && !waitsForMaster(t.Game) && !slices.ContainsFunc(t.Game.Seats, func(s *game.Seat) bool { return s.Wanted || s.Resigned }) && !slices.ContainsFunc(t.Kinds, func(kind string) bool {
		return slices.Contains([]string{log.KindOver, log.KindClosed, log.KindRuling, log.KindRewound}, kind)
	}) {
		return nil
	}
	c.Wake[leaguePrefix+t.Game.League] = l.office.now()
	name := newsPrefix + t.Game.League + " " + t.Game.ID
	return l.office.read(func(tx store.Reader) error {
		v := c.ValueIn(tx, name)
		v.Data = fmt.Appendf(nil, "%d", t.Last.Seq)
		c.PutValue(name, v)
		return nil
	})
}

// forfeits tells whether somebody has been silent for so long that a running game is lost to him.
func forfeits(g *game.State) bool {
	return g.Phase == game.Running && g.Silence.Forfeit > 0 && slices.ContainsFunc(g.Seats, func(s *game.Seat) bool { return s.Streak >= g.Silence.Forfeit })
}

// finalAfter is how long after a result it becomes final.
const finalAfter = 14 * 24 * time.Hour

// planOf is the plan of a league's next season.
func planOf(s *league.Setup, number int, rating *season.Rating) (season.Plan, []string) {
	p := season.Plan{League: s.League, Season: fmt.Sprint(number), MostAtOnce: s.MostAtOnce, Under: s.Withdraw.Under,
		Then: season.Fate(s.Withdraw.Then), Else: season.Fate(s.Withdraw.Else), Final: finalAfter, MostSeats: s.Substitutes.MostGames, SubsRated: s.Substitutes.Rated, Up: s.Moves.Up, Down: s.Moves.Down, Playoffs: s.Moves.PlayoffUp > 0, Probation: s.Members.Probation, Length: s.Seasons.Length, FirstCall: true, Rating: rating}
	if s.Concurrent {
		p.MostAtOnce = 1 << 20 // all rounds are played at once
	}
	var systems []string
	for level, d := range s.Divisions {
		for n := range d.Copies {
			id := d.ID
			if d.Copies > 1 {
				id = fmt.Sprintf("%s-%d", d.ID, n+1)
			}
			p.Divisions = append(p.Divisions, season.DivisionPlan{ID: id, Size: d.Size, Level: level, Rounds: d.Rounds, Table: s.Table(d)})
			systems = append(systems, d.System)
		}
	}
	return p, systems
}

// divisionOf gives the division of the set-up of which the n-th of the season is a copy.
func divisionOf(s *league.Setup, n int) league.Division {
	for _, d := range s.Divisions {
		if n < d.Copies {
			return d
		}
		n -= d.Copies
	}
	return league.Division{}
}

// setupOf reads the set-up of a league that is in force.
func (l leagues) setupOf(b *openBook) (*league.Setup, error) {
	if b.setup == nil {
		s, problems := l.reader(b.Files).Read(b.Text)
		if len(problems) > 0 {
			return nil, fmt.Errorf("read set-up of league %s: %w", b.League, problems)
		}
		b.setup = s
	}
	return b.setup, nil
}

// reader reads set-ups of leagues, with the files that they name.
func (l leagues) reader(files map[string]string) *league.Reader {
	return &league.Reader{Games: l.office.Clerk().setReader(), File: func(name string) (string, error) {
		text, ok := files[name]
		if !ok {
			return "", errors.New("the file is not there")
		}
		return text, nil
	}}
}

// announce begins a season: its seed is drawn, and told by its SHA-256 before anybody enters.
func (t *leagueTurn) announce() error {
	s, err := t.setupOf(t.openBook)
	if err != nil {
		return err
	}
	var seed lots.Seed
	if err := t.office.draw(seed[:]); err != nil {
		return err
	}
	plan, systems := planOf(s, t.Number+1, ratingOf(t.leagues, s))
	dates := datesOf(s, t.Number+1, t.office.now())
	t.change.Wake = map[string]time.Time{weeklyWake: nextWeekly(t.office.now())}
	rules := map[string]string{}
	for _, system := range systems {
		rules[system] = t.office.digest(system)
	}
	return t.Do(book.Announced{Plan: plan, Systems: systems, Rules: rules, Commitment: seed.Commitment(), Seed: seed.String(), Dates: dates})
}
