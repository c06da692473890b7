package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league/book"
	"berthier/adjudicator/league/member"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/store"
	"berthier/orders"
	"berthier/orders/phrase"
)

// seatPrefix and the ids of a league, a game of it and an entry: a substitute has taken over that
// entry's side, and is to get its seat. It holds the id of who sat there. It is written with the
// substitute's yes, so he gets the seat even if the office dies in between.
const seatPrefix = "league-seat "

// takeSeats notes which sides of a game need a player, and which of them have theirs back.
func (t *leagueTurn) takeSeats(g *season.Game, record *game.State) error {
	if t.Season.Phase != season.Running || record.Phase != game.Running || t.Season.Value(g).Kind != "open" {
		return nil
	}
	for side, player := range g.Players {
		m, err := t.club().get(player)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(record.Seats, func(s *game.Seat) bool { return m.Has(s.Person.Address) })
		if i < 0 {
			continue // the seat of a substitute who has just taken it over
		}
		known := slices.ContainsFunc(t.Season.Vacancies, func(v season.Vacancy) bool { return v.Game == g.ID && v.Entry == g.Entries[side] })
		switch s := record.Seats[i]; {
		case needsPlayer(s) && !known:
			err = t.Do(book.Vacant{Vacant: season.Vacant{Game: g.ID, Entry: g.Entries[side]}})
		case !needsPlayer(s) && known && !t.Season.Gone(player):
			err = t.back(season.Vacancy{Game: g.ID, Entry: g.Entries[side]})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// needsPlayer tells whether somebody else is to be found for a seat.
func needsPlayer(s *game.Seat) bool { return s.Resigned || s.Wanted && s.Streak > 0 }

// back notes that a side needs no player any more, and tells the member to whom it was offered.
func (t *leagueTurn) back(v season.Vacancy) error {
	for _, known := range t.Season.Vacancies {
		if known.Game == v.Game && known.Entry == v.Entry && !known.Offer.IsZero() {
			if err := t.tell(known.Asked[len(known.Asked)-1], phrase.Say("league.offer.gone", phrase.Literal("league", t.League), phrase.Literal("game", v.Game))); err != nil {
				return err
			}
		}
	}
	return t.Do(book.Back{Back: season.Back{Game: v.Game, Entry: v.Entry}})
}

// substitutes does what follows for sides that need a player: each is offered to those who wait, one
// after the other; a side for which nobody is found in time is lost.
func (l steward) substitutes(ctx context.Context, id string) error {
	return l.act(ctx, id, "office", "", store.Change{}, func(t *leagueTurn) error {
		if t.Season == nil || t.Season.Phase != season.Running {
			return nil
		}
		for _, v := range t.Season.Over() {
			if err := t.back(v); err != nil {
				return err
			}
		}
		for _, v := range t.Season.Leaving() {
			if err := t.Do(book.Vacant{Vacant: season.Vacant{Game: v.Game, Entry: v.Entry}}); err != nil {
				return err
			}
		}
		for _, v := range slices.Clone(t.Season.Vacancies) {
			if err := t.fill(v); err != nil {
				return err
			}
		}
		return nil
	})
}

// fill does what follows for one side that needs a player.
func (t *leagueTurn) fill(v season.Vacancy) error {
	named, about := phrase.Literal("league", t.League), phrase.Literal("game", v.Game)
	now, _, err := leagueClock{t.office}.now()
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(t.Season.Vacancies, func(w season.Vacancy) bool { return w.Game == v.Game && w.Entry == v.Entry }) {
		return nil // it went with the other side of its game
	}
	if !now.Before(v.Since.Add(season.VacantStands)) {
		if err := errors.Join(t.endGame(v.Game), t.Do(book.Abandoned{Abandoned: season.Abandoned{Game: v.Game, Entry: v.Entry}})); err != nil {
			return err
		}
		for _, m := range t.Season.Game(v.Game).Entries {
			if err := t.tell(m, phrase.Say("league.offer.nobody", named, about, phrase.Literal("member", v.Entry))); err != nil {
				return err
			}
		}
		return nil
	}
	if !v.Offer.IsZero() {
		if now.Before(v.Offer.Add(season.OfferStands)) {
			return nil
		}
		asked := v.Asked[len(v.Asked)-1]
		if err := t.Do(book.Replied{Replied: season.Replied{Game: v.Game, Entry: v.Entry, Player: asked}}); err != nil {
			return err
		}
		if err := t.tell(asked, phrase.Say("league.offer.late", named, about)); err != nil {
			return err
		}
	}
	who, ok := t.Season.Substitute(v.Game, v.Entry)
	if !ok {
		return nil
	}
	if err := t.Do(book.Offered{Offered: season.Offered{Game: v.Game, Entry: v.Entry, Player: who}}); err != nil {
		return err
	}
	m, err := t.club().get(who)
	if err != nil {
		return err
	}
	form := func(command string) string {
		return orders.Mapping().Set("command", orders.Text(command)).Set("league", orders.Text(t.League)).Set("offer", orders.Text(v.Game)).
			Set("key", orders.Text(t.club().key(m))).FormIn(m.Person().Language).Encode()
	}
	letter := t.office.letters.Outside(m.Person(), t.office.now()).Alert(phrase.Say("league.offer.subject", named), []string{form("accept"), form("decline")},
		phrase.Say("league.offer", named, about, phrase.Within("until", game.Moment(t.office.now().Add(season.OfferStands)))), phrase.Say("league.offer.points"))
	t.outgoing = append(t.outgoing, t.club().notice(m.Person(), nil, letter))
	return nil
}

// reply lets a member take the side that was offered to him, or not.
func (t *leagueTurn) reply(m *member.Member, about string, takes bool) error {
	if t.Season == nil || t.Season.Phase != season.Running {
		return game.Refuse("league.offer.none")
	}
	v := t.Season.OfferOf(m.ID, about)
	if v == nil {
		return game.Refuse("league.offer.none")
	}
	where, entry := v.Game, v.Entry
	g := t.Season.Game(where)
	if takes {
		was := g.Players[slices.Index(g.Entries, entry)]
		if err := t.put(seatPrefix+t.League+" "+where+" "+entry, was); err != nil {
			return err
		}
	}
	if err := t.Do(book.Replied{Replied: season.Replied{Game: where, Entry: entry, Player: m.ID, Takes: takes}}); err != nil || !takes {
		return err
	}
	umpires := []string{t.Umpire[where], t.Second[where]}
	if err := noStakeOf(t, m, where); err != nil { // who sits in a game now rules on it no more, nor on others of those whom he meets there
		return err
	}
	still := slices.DeleteFunc(umpires, func(who string) bool { return who == "" || who != t.Umpire[where] && who != t.Second[where] })
	return tellSameClub(t, []string{where}, still...)
}

// giveSeats gives substitutes who have said yes their seats.
func (l steward) giveSeats(ctx context.Context, id string) error {
	prefix := seatPrefix + id + " "
	names, values, err := l.valuesOf(prefix)
	if err != nil {
		return err
	}
	var stuck stuckGames
	for i, name := range names {
		var at, entry string
		if _, err := fmt.Sscan(name, &at, &entry); err != nil {
			return fmt.Errorf("read seat %q of league %s: %w", name, id, err)
		}
		err := l.giveSeat(ctx, id, at, entry, string(values[i]))
		var refused *game.RefusedError
		if err != nil && !errors.As(err, &refused) {
			if err = fmt.Errorf("give a seat in %s to a substitute: %w", at, err); stuck.add(at, err) {
				continue
			}
			return err
		}
		err = l.act(ctx, id, "office", "", without(prefix+name, values[i]), func(t *leagueTurn) error {
			if refused == nil || t.Season == nil || t.Season.Game(at) == nil || t.Season.Value(t.Season.Game(at)).Kind != "open" {
				return nil
			}
			return t.Do(book.Vacant{Vacant: season.Vacant{Game: at, Entry: entry}}) // somebody else must be found
		})
		if err != nil && !errors.Is(err, store.ErrOutOfStep) {
			return err
		}
	}
	return stuck.orNil()
}

// giveSeat gives the seat that a member has in a game to the one who has taken the side over.
func (l steward) giveSeat(ctx context.Context, id, at, entry, was string) error {
	var to *member.Member
	err := l.look(id, func(b *openBook) error {
		v := b.SeasonOf(at)
		if v == nil {
			return game.Refuse("league.no-game", phrase.Literal("game", at))
		}
		g := v.Game(at)
		m, err := l.club().get(g.Players[slices.Index(g.Entries, entry)])
		to = m
		return err
	})
	if err != nil {
		return err
	}
	old, err := l.club().get(was)
	if err != nil {
		return err
	}
	return l.office.change(ctx, at, func(tr *transaction) error {
		for _, s := range tr.Game.Seats {
			if old.Has(s.Person.Address) {
				return tr.Do(game.Replaced{Side: s.Side, To: to.Person(), ByOffice: true})
			}
		}
		return nil // he has it already
	})
}

// withdraw takes a member out of the season, by an act of his or of a secretary's. Games of his that count for nobody now are closed.
func (t *leagueTurn) withdraw(act book.Input) error {
	var before []string
	if t.Season != nil {
		before = t.Season.Undecided()
	}
	if err := t.Do(act); err != nil {
		return err
	}
	after := t.Season.Undecided()
	for _, one := range before {
		if slices.Contains(after, one) {
			continue
		}
		if err := t.endGame(one); err != nil {
			return err
		}
	}
	return nil
}
