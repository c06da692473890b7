package adjudicator

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league/book"
	"berthier/adjudicator/league/member"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/league/table"
	"berthier/adjudicator/log"
	"berthier/adjudicator/outbox"
	"berthier/adjudicator/report"
	"berthier/adjudicator/store"
)

// Once a week each member who plays in a league gets one letter about all his leagues, and each
// secretary one with only what waits for a person. They go behind all other letters: a few are
// written at a time, and only while nothing else is due to be sent.
const (
	weeklyWake  = "=weekly" // in the index of what wakes
	weeklyValue = "weekly"  // how far this week's letters have come
	weeklyBatch = 16
	weeklyPause = time.Minute         // while other letters wait
	weeklySlack = 24 * time.Hour      // that a moment of these letters may lie ahead of what a clock allows, since those of members differ
	endingSoon  = 14 * 24 * time.Hour // before the end of a season: secretaries are told which games are near their end
	unruledFor  = 7 * 24 * time.Hour  // that something has waited for an umpire: secretaries are told
)

// A weeklyCursor is how far the letters of a week have come.
type weeklyCursor struct {
	Week    time.Time `json:"week"`            // when they began
	After   string    `json:"after,omitempty"` // the last member whose letter was thought of
	AllHave bool      `json:"desk,omitempty"`  // all members have theirs
}

// nextWeekly is when the letters of the next week begin: on a Monday, at six in the morning.
func nextWeekly(now time.Time) time.Time {
	at := time.Date(now.Year(), now.Month(), now.Day(), 6, 0, 0, 0, time.UTC)
	for !at.After(now) || at.Weekday() != time.Monday {
		at = at.AddDate(0, 0, 1)
	}
	return at
}

// readWeekly reads how far the letters of a week have come. A week that a clock has begun which had jumped ahead counts for nothing: its letters begin anew.
func readWeekly(data []byte, now time.Time) (at weeklyCursor, err error) {
	if data != nil {
		if err := json.Unmarshal(data, &at); err != nil {
			return at, fmt.Errorf("read how far weekly letters have come: %w", err)
		}
	}
	if at.Week.After(now.Add(weeklySlack)) {
		return weeklyCursor{}, nil
	}
	return at, nil
}

// weeklyInTime is when the week's letters, which are to go on at a moment, are to go on by a clock that is right: at that moment, unless a clock
// had jumped that set it. Then it is at once if they are half written, or else on the next Monday.
func weeklyInTime(tx store.Reader, at, now time.Time) (time.Time, error) {
	if !at.After(now.AddDate(0, 0, 7).Add(weeklySlack)) {
		return at, nil
	}
	has, err := readWeekly(tx.Value(weeklyValue), now)
	if err != nil {
		return at, err
	}
	if has.Week.IsZero() {
		return nextWeekly(now), nil
	}
	return now, nil
}

// weekly writes the next few letters of the week. The letters and how far they have come are one
// change.
func (l leagues) weekly(ctx context.Context) error {
	o, now := l.office, l.office.now()
	var c store.Change
	n, err := c.ValueOf(ctx, o.store, weeklyValue)
	if err != nil {
		return err
	}
	at, err := readWeekly(n.Data, now)
	if err != nil {
		return err
	}
	if at.Week.IsZero() {
		at = weeklyCursor{Week: now}
	}
	others := false
	if err := o.read(func(tx store.Reader) error { others = len(tx.Due(now, 1)) > 0; return nil }); err != nil {
		return err
	}
	if others {
		return o.store.Commit(ctx, store.Change{Wake: map[string]time.Time{weeklyWake: now.Add(weeklyPause)}})
	}
	letters, done, err := l.weeklyBatch(&at)
	if err != nil {
		return err
	}
	c.Wake = map[string]time.Time{weeklyWake: now.Add(weeklyPause)}
	n.Data = nil
	if done {
		c.Wake[weeklyWake] = nextWeekly(now)
	} else if n.Data, err = json.Marshal(at); err != nil {
		return fmt.Errorf("write how far weekly letters have come: %w", err)
	}
	c.PutValue(weeklyValue, n)
	return o.queue(ctx, c, letters...)
}

// weeklyBatch writes the letters of a batch: to members in the order of their ids, then to
// secretaries.
func (l leagues) weeklyBatch(at *weeklyCursor) (letters []*outbox.Outgoing, done bool, err error) {
	weeks, err := l.weeks(at.Week)
	if err != nil {
		return nil, false, err
	}
	if !at.AllHave {
		members, err := l.club().all()
		if err != nil {
			return nil, false, err
		}
		for _, m := range members {
			if m.ID <= at.After {
				continue
			}
			at.After = m.ID
			r, err := l.weeklyTo(m, weeks)
			if err != nil {
				return nil, false, err
			}
			if r != nil {
				if letters = append(letters, r); len(letters) == weeklyBatch {
					return letters, false, nil
				}
			}
		}
		at.AllHave = true
		return letters, false, nil
	}
	letters, err = l.secretaryLetters(weeks)
	for _, w := range weeks {
		w.week = nil // the letters of this week are written
	}
	return letters, true, err
}

// newsOf gives the games that count as something else in a league than they did before, whatever has made it so: the end
// of a game or of the season's time, a ruling, a withdrawal, a game of another office, a correction. They are in the order of
// their pairings, by season and division; seasons that are closed are among them.
func newsOf(now, before *book.Book) map[string]map[string][]report.News {
	all := map[string]map[string][]report.News{}
	for _, v := range append(slices.Clone(now.Past), now.Season) {
		was := before.Season
		if i := slices.IndexFunc(before.Past, func(s *season.Season) bool { return s.Plan.Season == v.Plan.Season }); i >= 0 {
			was = before.Past[i]
		}
		for _, d := range v.Divisions {
			for _, p := range d.Pairings {
				for _, g := range p.Games {
					one := report.News{Game: g, Now: v.Value(&g), Was: season.Outcome{Kind: table.Open}}
					if was != nil && was.Game(g.ID) != nil {
						one.Was = was.Value(was.Game(g.ID))
					}
					if one.Now.Kind == one.Was.Kind && slices.Equal(one.Now.Places, one.Was.Places) {
						continue
					}
					if all[v.Plan.Season] == nil {
						all[v.Plan.Season] = map[string][]report.News{}
					}
					all[v.Plan.Season][d.ID] = append(all[v.Plan.Season][d.ID], one)
				}
			}
		}
	}
	return all
}

// weeklyTo is the week's letter to a member, or nil if he neither plays in a league now nor waits for a place there, nothing
// has changed in a division of his, and his ratings stay.
func (l leagues) weeklyTo(m *member.Member, weeks []leagueWeek) (*outbox.Outgoing, error) {
	if m.Forgotten || m.Is != "" || m.NoWeekly {
		return nil, nil
	}
	var parts []report.Week
	var moved []report.RatingMoved
	for _, w := range weeks {
		moved = append(moved, w.moved[m.ID]...)
		for _, at := range w.places[m.ID] {
			d := at.season.Divisions[at.division]
			if !concerns(w, at.season, d, m.ID) {
				continue
			}
			part, err := weekOf(l, m, w, at.season, d)
			if err != nil {
				return nil, err
			}
			parts = append(parts, part)
		}
		if part, waits := waitingIn(w, m.ID); waits {
			parts = append(parts, part)
		}
	}
	if len(parts)+len(moved) == 0 {
		return nil, nil
	}
	letter := l.office.letters.Outside(m.Person(), l.office.now()).Weekly(parts, moved)
	r := l.club().notice(m.Person(), nil, letter)
	r.Stops = l.club().stops(m)
	return r, nil
}

// concerns tells whether a member reads of a division in the week's letter: he has a place there, and the season is played or has
// news; or he has taken over a side of a game that is being played, or that is in the news.
func concerns(w leagueWeek, v *season.Season, d season.Division, member string) bool {
	news := w.news[v.Plan.Season]
	if slices.Contains(d.Members, member) {
		return len(news[d.ID]) > 0 || v == w.Season && (v.Phase == season.Running || len(news) > 0)
	}
	if slices.ContainsFunc(news[d.ID], func(n report.News) bool { return slices.Contains(n.Game.Players, member) }) {
		return true
	}
	return v.Phase == season.Running && slices.ContainsFunc(d.Pairings, func(p season.Pairing) bool {
		return slices.ContainsFunc(p.Games, func(g season.Game) bool {
			return slices.Contains(g.Players, member) && v.Value(&g).Kind == table.Open
		})
	})
}

// waitingIn is what a member reads who waits for a place in a season that is being played: when it is his turn to take over
// a side, and which one is offered to him; false: he waits for none.
func waitingIn(w leagueWeek, member string) (part report.Week, waits bool) {
	at := w.waits[member]
	if at == 0 {
		return part, false
	}
	part = report.Week{League: w.League, Waits: at}
	part.Rests = slices.ContainsFunc(w.Season.Entries, func(e season.Entry) bool { return e.Member == member && e.Rests })
	for _, v := range w.Season.Vacancies {
		if !v.Offer.IsZero() && v.Asked[len(v.Asked)-1] == member {
			part.Offers = append(part.Offers, report.Playing{Game: v.Game, Deadline: v.Offer.Add(season.OfferStands)})
		}
	}
	return part, true
}

// weekOf is what a member reads of a division of his, or in which he plays for somebody else. Of a season that is over he
// reads the news alone.
func weekOf(l leagues, m *member.Member, w leagueWeek, v *season.Season, d season.Division) (report.Week, error) {
	names, err := namesIn(l, d)
	if err != nil {
		return report.Week{}, err
	}
	part := report.Week{League: w.League, Division: d.ID, Names: names, News: w.news[v.Plan.Season][d.ID]}
	if v != w.Season {
		return part, nil
	}
	if part.Place, err = rankIn(v, d.ID, m.ID); err != nil {
		return part, err
	}
	if was := w.before.Season; was != nil && was.Plan.Season == v.Plan.Season && slices.ContainsFunc(was.Divisions, func(x season.Division) bool { return x.ID == d.ID }) { // a play-off may be new
		if part.Before, err = rankIn(w.before.Season, d.ID, m.ID); err != nil {
			return part, err
		}
	}
	for _, p := range d.Pairings {
		for _, g := range p.Games {
			if v.Value(&g).Kind != table.Open || !slices.Contains(g.Players, m.ID) {
				continue
			}
			one, err := l.playing(g.ID, m)
			if lasts(err) { // secretaries read that it stands still
				continue
			}
			if err != nil {
				return part, err
			}
			part.Playing = append(part.Playing, one)
		}
	}
	return part, nil
}

// rankIn is a member's place in a table; 0: he has none.
func rankIn(s *season.Season, division, member string) (int, error) {
	made, err := s.Table(division)
	if err != nil {
		return 0, err
	}
	for _, r := range made.Rows {
		if r.Entry == member {
			return r.Rank, nil
		}
	}
	return 0, nil
}

// playing is what a member reads of a game of his that is being played: what he owes himself, and
// nothing of the others.
func (l leagues) playing(id string, m *member.Member) (report.Playing, error) {
	p := report.Playing{Game: id}
	err := l.office.read(func(tx store.Reader) error {
		g, err := game.Read(tx.Game(id))
		if err != nil {
			return err
		}
		for _, s := range g.Seats {
			if !s.Vacated && m.Has(s.Person.Address) && s.Owes != nil && s.Owes.Answer == nil && !s.Owes.Passed {
				p.Stop, p.Deadline = s.Owes.Stop, s.Owes.Deadline
			}
		}
		return nil
	})
	return p, err
}

// secretaryLetters are those to the secretaries of all leagues in which something waits for a person.
func (l leagues) secretaryLetters(weeks []leagueWeek) (letters []*outbox.Outgoing, err error) {
	waits := map[string][]report.Waiting{}
	for _, w := range weeks {
		waiting, err := l.waiting(w)
		if err != nil {
			return nil, err
		}
		for _, address := range w.setup.Secretaries {
			waiting, err := withoutHis(l, w.openBook, waiting, address)
			if err != nil {
				return nil, err
			}
			if len(waiting.Asked)+len(waiting.Closed)+len(waiting.Still)+len(waiting.Claims)+len(waiting.Alone)+len(waiting.Protests)+len(waiting.Ending)+len(waiting.Thrown)+len(waiting.Unruled) > 0 || waiting.Phase != "" {
				waits[address] = append(waits[address], waiting)
			}
		}
	}
	for _, address := range slices.Sorted(maps.Keys(waits)) {
		p := log.Person{Address: address}
		if m, err := l.club().at(address); err != nil {
			return nil, err
		} else if m != nil {
			p = m.Person()
			p.Address = address
		}
		letter := l.office.letters.Outside(p, l.office.now()).Waits(waits[address])
		letters = append(letters, l.club().notice(p, nil, letter))
	}
	return letters, nil
}

// withoutHis leaves out of what waits for a secretary what he may not know as a player: protests about games of his division, and games of his
// own in which something waits for an umpire, which may be a dispute of his opponent's.
func withoutHis(l leagues, b *openBook, all report.Waiting, address string) (report.Waiting, error) {
	who, err := l.person(address)
	if err != nil || b.Season == nil {
		return all, err
	}
	his := func(id string) bool { g := b.Season.Game(id); return g != nil && slices.Contains(g.Players, who) }
	all.Unruled = slices.DeleteFunc(slices.Clone(all.Unruled), his)
	all.Alone = slices.DeleteFunc(slices.Clone(all.Alone), his)
	all.Protests = slices.DeleteFunc(slices.Clone(all.Protests), func(id string) bool { return b.Season.Game(id) != nil && b.Season.MayDecide(id, who) != nil })
	return all, nil
}

// waiting is what of a league waits for a person: who has asked to enter, games that were closed
// without a result, games that stand still, and a season that a secretary may take further
// and no date will.
func (l leagues) waiting(w leagueWeek) (report.Waiting, error) {
	out := report.Waiting{League: w.League, Asked: slices.Clone(w.Asked)}
	for _, v := range append(slices.Clone(w.Past), w.Season) {
		out.Claims = append(out.Claims, v.Contested()...)
	}
	for _, p := range w.OpenProtests() {
		if !slices.Contains(out.Protests, p.Game) {
			out.Protests = append(out.Protests, p.Game)
		}
	}
	if w.Season.Phase == season.Settling && w.Season.Unsettled() == 0 || w.Season.Phase == season.Dividing && w.Dates.Start.IsZero() {
		out.Phase = string(w.Season.Phase)
	}
	for _, one := range season.Ending(w.Season, endingSoon, l.office.now()) {
		near, err := nearEnd(l, one)
		if err != nil && !lasts(err) {
			return out, err
		}
		if near {
			out.Ending, out.Until = append(out.Ending, one), w.Season.Until
		}
	}
	var err error
	if out.Alone, err = l.withoutUmpire(w.openBook); err != nil {
		return out, err
	}
	if out.Unruled, err = unruled(l, w); err != nil {
		return out, err
	}
	if out.Thrown, err = thrown(l, w.openBook); err != nil {
		return out, err
	}
	err = l.office.read(func(tx store.Reader) error {
		for _, d := range w.Season.Divisions {
			for _, p := range d.Pairings {
				for _, one := range p.Games {
					if w.Season.Value(&one).Kind != table.Open {
						continue
					}
					g, err := game.Read(tx.Game(one.ID))
					switch {
					case lasts(err):
						out.Still = append(out.Still, one.ID)
					case err != nil:
						return err
					case g.Phase != game.Running:
						out.Closed = append(out.Closed, one.ID)
					case !g.Paused.IsZero(), w.Season.Alone(one.ID):
						out.Still = append(out.Still, one.ID)
					}
				}
			}
		}
		return nil
	})
	return out, err
}

// unruled gives the games in which something has waited for an umpire for long, and waits still.
func unruled(l leagues, w leagueWeek) (all []string, err error) {
	err = l.office.read(func(tx store.Reader) error {
		for _, id := range slices.Sorted(maps.Keys(w.Waits)) {
			if l.office.now().Sub(w.Waits[id].Since) < unruledFor {
				continue
			}
			g, err := game.Read(tx.Game(id))
			if lasts(err) {
				continue
			}
			if err != nil {
				return err
			}
			since, err := waitsSince(tx, g, w.Waits[id].Since)
			if err != nil {
				return err
			}
			if !since.IsZero() {
				all = append(all, id)
			}
		}
		return nil
	})
	return all, err
}
