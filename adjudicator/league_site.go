package adjudicator

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league"
	"berthier/adjudicator/league/book"
	"berthier/adjudicator/league/rated"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/league/table"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/report"
	"berthier/adjudicator/store"
	"berthier/adjudicator/timing"
	"berthier/orders/phrase"
	"berthier/templates"
)

// LeagueSite gives what everybody may see of a league as pages of HTML, by their paths, and the games
// that are over: each of them has a page of its own, which [Clerk.PublicArchive] gives, at
// [templates.ArchiveFile]. All of it follows from the logs: the same logs give the same bytes,
// whenever they are asked.
func (s *Secretary) LeagueSite(id string) (pages map[string][]byte, games []string, err error) {
	l := leagues{s.club.office}
	var site *templates.Site
	err = l.look(id, func(b *openBook) error {
		set, err := l.setupOf(b)
		if err != nil {
			return err
		}
		return l.office.read(func(tx store.Reader) (err error) {
			site, games, err = l.office.leagueSite(tx, id, set)
			return err
		})
	})
	if err != nil {
		return nil, nil, err
	}
	return l.office.words.Site(site), games, nil
}

// A siteWalk is a league's log as far as its pages have been made from it.
type siteWalk struct {
	book.Book
	rated   rated.Log
	names   map[string]string // as the pages show them
	seasons []*season.Season
	systems [][]string // of the divisions of each season
	news    []templates.SiteNews
	told    map[string]season.Outcome // by games: what was last told of each
}

// leagueSite makes the pages of a league as values, as of one moment.
func (o *Office) leagueSite(tx store.Reader, id string, set *league.Setup) (*templates.Site, []string, error) {
	entries, err := entriesOf(tx, leaguePrefix+id)
	if err != nil {
		return nil, nil, err
	}
	first, _, err := book.Read(entries[0])
	if err != nil {
		return nil, nil, err
	}
	last, _, err := book.Read(entries[len(entries)-1])
	if err != nil {
		return nil, nil, err
	}
	names, err := publicNames(tx, entries)
	if err != nil {
		return nil, nil, err
	}
	w := &siteWalk{names: names, told: map[string]season.Outcome{}}
	if err := w.walk(entries); err != nil {
		return nil, nil, err
	}
	out := &templates.Site{League: id, Title: set.Title, Languages: siteLanguages(set), Zone: timing.Zone(set.Zone), Changed: last.At, Archives: map[string]bool{},
		Tag: fmt.Sprintf("tag:%s,%d:%s/", o.opt.From.Domain(), first.At.UTC().Year(), id)}
	var over []string
	for i, s := range w.seasons {
		one, err := report.SiteSeason(s, w.systems[i], names)
		if err != nil {
			return nil, nil, err
		}
		out.Seasons = append(out.Seasons, one)
		games, err := gamesOver(tx, s)
		if err != nil {
			return nil, nil, err
		}
		over = append(over, games...)
	}
	for _, one := range over {
		out.Archives[one] = true
	}
	slices.Reverse(w.news)
	out.News = w.news
	// Ratings as of when something last happened: what only the time of asking changes stands in no page.
	var old season.Rating
	if w.Season != nil && len(w.Unrated()) > 0 {
		old = *ratingOf(leagues{o}, set)
	}
	ladders, err := w.rated.Ladders(old, last.At)
	if err != nil {
		return nil, nil, err
	}
	for _, ladder := range ladders {
		out.Ladders = append(out.Ladders, report.SiteLadder(ladder, names))
	}
	return out, over, nil
}

// siteLanguages are those of the pages: all that the program writes, the league's own first.
func siteLanguages(set *league.Setup) []string {
	all := slices.Clone(set.Languages)
	for _, language := range templates.Languages {
		if !slices.Contains(all, language) {
			all = append(all, language)
		}
	}
	return all
}

// publicNames gives the names of all who have ever entered a league, as everybody may read them:
// whole of who has agreed to it, else initials.
func publicNames(tx store.Reader, entries []chain.Entry) (map[string]string, error) {
	names := map[string]string{}
	for _, e := range entries {
		_, in, err := book.Read(e)
		if err != nil {
			return nil, err
		}
		entered, ok := in.(book.Entered)
		if !ok {
			continue
		}
		m, err := readMember(tx, entered.Member)
		if err != nil {
			return nil, err
		}
		switch {
		case m == nil:
		case m.Public:
			names[m.ID] = m.Name
		default:
			names[m.ID] = report.Initials(m.Name)
		}
	}
	return names, nil
}

// walk follows a league's log, and notes its seasons and what is new.
func (w *siteWalk) walk(entries []chain.Entry) error {
	for _, e := range entries {
		head, in, err := w.Take(e)
		if err != nil {
			return err
		}
		w.rated.Follow(&w.Book, head.At, in)
		tell := func(what string) {
			w.news = append(w.news, templates.SiteNews{ID: fmt.Sprint(e.Seq), At: head.At, Says: phrase.Say("site.news."+what, phrase.Literal("season", w.Season.Plan.Season)), Season: w.Season.Plan.Season})
		}
		switch in := in.(type) {
		case book.Announced:
			w.seasons, w.systems = append(w.seasons, w.Season), append(w.systems, w.System)
			tell("announced")
		case book.Closed:
			tell("closed")
		case book.Started:
			tell("started")
		case book.Ended:
			tell("ended")
		default:
			w.result(e, head.At, resultOfGame(in))
		}
	}
	return nil
}

// resultOfGame gives the game whose result an input may change; "": none.
func resultOfGame(in book.Input) string {
	switch in := in.(type) {
	case book.Resulted:
		return in.Game
	case book.Counted:
		return in.Game
	case book.Ruled:
		return in.Game
	case book.Overruled:
		return in.Game
	case book.Corrected:
		return in.Game
	}
	return ""
}

// result notes what a game counts as by now, if that is news: a result, or that it goes on.
func (w *siteWalk) result(e chain.Entry, at time.Time, id string) {
	v := w.SeasonOf(id)
	if v == nil {
		return
	}
	division, round := v.DivisionOf(id), season.RoundOf(v, id)
	g := v.Game(id)
	now := v.Value(g)
	if before, told := w.told[id]; sameOutcome(now, before) || !told && now.Kind == table.Open {
		return
	}
	w.told[id] = now
	w.news = append(w.news, templates.SiteNews{ID: fmt.Sprint(e.Seq), At: at, Says: report.SiteResult(v.Divisions[division].ID, round, g.Entries, now, w.names), Season: v.Plan.Season, Game: id})
}

// gamesOver gives the games of a season that have a result and are over, sorted. A game whose result
// does not count, since somebody withdrew, may still be played; it is none of them.
func gamesOver(tx store.Reader, s *season.Season) (over []string, err error) {
	for _, d := range s.Divisions {
		for _, p := range d.Pairings {
			for _, one := range p.Games {
				if s.Value(&one).Kind == table.Open {
					continue
				}
				g, err := game.Read(tx.Game(one.ID))
				if err != nil {
					return nil, err
				}
				if g.Phase != game.Running {
					over = append(over, one.ID)
				}
			}
		}
	}
	slices.SortFunc(over, cmp.Compare[string])
	return over, nil
}
