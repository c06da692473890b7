package adjudicator

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league"
	"berthier/adjudicator/league/book"
	"berthier/adjudicator/league/result"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/league/table"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/store"
	"berthier/adjudicator/verify"
	"berthier/orders/phrase"
)

// A game that was played in another office counts in the place of one of the season, if the set-up knows that office and
// the file of the game is signed with its key, holds in every point when it is played again, and is a game as those of the
// division are, of the same members on the same sides, begun since the season's own was made.

// A foreignGame is the export of a game of another office, as far as it was read.
type foreignGame struct {
	export  *log.Export
	office  league.Office
	made    log.Made
	people  map[string]log.Person // by sides
	began   time.Time
	entries []chain.Entry
}

// importGame lets a game of another office count.
func importGame(t *leagueTurn, r LeagueRuling, by string) error {
	v := t.Season
	if v == nil || v.Game(r.Game) == nil {
		return game.Refuse("league.no-game", phrase.Literal("game", r.Game))
	}
	f, err := foreign(t, r.Text)
	if err != nil {
		return err
	}
	if err := fitsPairing(t, f, v, r.Game); err != nil {
		return err
	}
	sides, err := t.sidesOf(f.entries[0])
	if err != nil {
		return err
	}
	o, link, err := result.Of(f.entries, sides)
	if err != nil {
		return err
	}
	if o.Kind != table.Played && o.Kind != table.Adjudicated || slices.ContainsFunc(o.Answered, func(by []int64) bool { return len(by) > 1 }) {
		return game.Refuse("league.import.end")
	}
	if !asksOf(v, r.Game).answered {
		o.Answered, o.Bots = nil, nil
	}
	err = t.Do(book.Imported{Imported: season.Imported{Game: r.Game, Office: f.office.Name, ID: f.export.Game, Link: link, Result: o, By: by, Reason: r.Reason}})
	return errors.Join(err, t.endGame(r.Game))
}

// foreign reads the export of a game of another office, and checks all that can be checked without the season.
func foreign(t *leagueTurn, text string) (*foreignGame, error) {
	s, err := t.setupOf(t.openBook)
	if err != nil {
		return nil, err
	}
	x, err := log.ReadExport([]byte(text))
	if err != nil {
		return nil, game.Refuse("league.import.file")
	}
	f := &foreignGame{export: x, people: map[string]log.Person{}}
	key, err := x.SignedBy()
	at := slices.IndexFunc(s.Offices, func(o league.Office) bool { return o.Key == key })
	if err != nil || at < 0 {
		return nil, game.Refuse("league.import.signature")
	}
	f.office = s.Offices[at]
	v, err := verify.Game(x, slices.Collect(maps.Values(t.office.systems)))
	if err != nil || v.Otherwise() != "" || v.Lost() { // what can't be checked, such as dice where none were rolled, speaks against nothing
		return nil, game.Refuse("league.import.holds")
	}
	var last chain.Link
	for _, e := range x.Entries {
		body, private, err := e.Digests()
		if err != nil || e.Body == "" {
			return nil, game.Refuse("league.import.whole")
		}
		last = chain.Chain(last, body, private)
		f.entries = append(f.entries, chain.Entry{Link: last, Body: []byte(e.Body), Private: []byte(e.Private)})
	}
	head, err := log.Read(f.entries[0], &f.made)
	if err != nil {
		return nil, game.Refuse("league.import.whole")
	}
	var private struct {
		Seats map[string]log.Person `json:"seats"`
	}
	if err := json.Unmarshal(f.entries[0].Private, &private); err != nil || len(private.Seats) == 0 {
		return nil, game.Refuse("league.import.whole")
	}
	f.people, f.began = private.Seats, head.At
	return f, nil
}

// fitsPairing tells why a game of another office can't be that of a pairing.
func fitsPairing(t *leagueTurn, f *foreignGame, v *season.Season, id string) error {
	s, err := t.setupOf(t.openBook)
	if err != nil {
		return err
	}
	d := divisionOf(s, t.SetUpAs(v.DivisionOf(id)))
	like := &game.State{System: f.made.System, Scenario: f.made.Scenario, Options: f.made.Options, Seats: make([]*game.Seat, len(f.people))}
	if f.made.Fixed || f.made.GMPlays || len(f.made.Bots) > 0 || f.made.Data != "" || !fits(t.leagues, d, like) {
		return game.Refuse("league.import.unlike")
	}
	sides, err := t.sidesIn(d)
	if err != nil {
		return err
	}
	g := v.Game(id)
	for i, side := range sides {
		m, err := t.club().at(f.people[string(side)].Address)
		if err != nil {
			return err
		}
		if m == nil || !m.Known(g.Entries[i]) || g.Players[i] != g.Entries[i] {
			return game.Refuse("league.import.players")
		}
	}
	return t.office.read(func(tx store.Reader) error {
		first, there, err := tx.Entry(id, 1)
		if err != nil || !there {
			return errors.Join(err, game.Refuse("league.no-game", phrase.Literal("game", id)))
		}
		own, err := log.Read(first, nil)
		if err == nil && f.began.Before(own.At) {
			err = game.Refuse("league.import.early")
		}
		return err
	})
}
