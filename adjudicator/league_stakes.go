package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league/member"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/store"
	"berthier/mail/mailbox"
	"berthier/orders/phrase"
)

// These give the error that somebody gains or loses by what he wants to decide in ways that the log of the league does not tell alone: his
// family plays in the division, or he gives a season other dates in which he plays himself.

// gainsByGame is that of a decision on a game, if it is on one.
func gainsByGame(t *leagueTurn, r LeagueRuling, by string) error {
	if r.Game == "" {
		return nil
	}
	return noFamily(t, r.Game, by)
}

// gainsByDates is that of a decision on the season's dates, or on the time of one game.
func gainsByDates(t *leagueTurn, r LeagueRuling, by string) error {
	if (r.Kind == "postpone" || r.Game == "") && t.takesPart(by) {
		return game.Refuse("league.dates.stake", phrase.Literal("who", by))
	}
	if r.Kind == "postpone" {
		return nil
	}
	return gainsByGame(t, r, by)
}

// gainsByReversing is that of a decision that takes something back: the same as of what is taken back.
func gainsByReversing(t *leagueTurn, r LeagueRuling, by string) error {
	switch r.Overrules {
	case "withdraw":
		for _, m := range r.Of {
			if err := t.mayTakeOut(by, m); err != nil {
				return err
			}
		}
		return nil
	case "extend":
		return gainsByDates(t, r, by)
	}
	return gainsByGame(t, r, by)
}

// gainsByAdmitting is that of a decision on who enters a season late, by whoever takes part in it, or has family there: who comes once
// the list is closed waits for a side of somebody else, perhaps of an opponent.
func gainsByAdmitting(t *leagueTurn, r LeagueRuling, by string) error {
	if t.Season == nil || t.Season.Phase == season.Entering {
		return nil
	}
	if t.takesPart(by) || slices.Contains(r.Of, by) {
		return game.Refuse("league.admit.stake", phrase.Literal("who", by))
	}
	m, err := t.club().get(by)
	if errors.Is(err, ErrNoMember) {
		return nil // he is an address, of whom nobody knows more
	}
	if err != nil {
		return err
	}
	among := slices.Clone(r.Of)
	for _, e := range t.Season.Entries {
		if !e.Withdrawn {
			among = append(among, e.Member)
		}
	}
	family, err := familyOf(t.club(), m, among)
	if err != nil || family == "" {
		return err
	}
	return game.Refuse("league.admit.stake-family", phrase.Literal("who", by), phrase.Literal("member", family))
}

// takesPart tells whether somebody takes part in the season.
func (b *openBook) takesPart(who string) bool {
	return b.Season != nil && slices.ContainsFunc(b.Season.Entries, func(e season.Entry) bool { return e.Member == who && !e.Withdrawn })
}

// noFamily gives the error that family of somebody plays in the division of a game, or sits in the game for another.
func noFamily(t *leagueTurn, id, who string) error {
	v := t.SeasonOf(id)
	if v == nil {
		return nil
	}
	g, d := v.Game(id), &v.Divisions[v.DivisionOf(id)]
	return familyAmong(t, who, d, g.Players)
}

// familyAmong gives the error that family of somebody is among the members of a division, or some others.
func familyAmong(t *leagueTurn, who string, d *season.Division, others []string) error {
	m, err := t.club().get(who)
	if errors.Is(err, ErrNoMember) {
		return nil // he is an address, of whom nobody knows more
	}
	if err != nil {
		return err
	}
	family, err := familyOf(t.club(), m, slices.Concat(d.Members, others))
	if err != nil || family == "" {
		return err
	}
	return game.Refuse("league.stake-family", phrase.Literal("who", who), phrase.Literal("member", family), phrase.Literal("division", d.ID))
}

// familyOf gives the first of some members who is family of a member, and not himself; "": none is.
func familyOf(c club, m *member.Member, among []string) (string, error) {
	for _, id := range among {
		if id == m.ID {
			continue
		}
		other, err := c.get(id)
		if err != nil {
			return "", err
		}
		if other.ID != m.ID && m.Related(other) {
			return id, nil
		}
	}
	return "", nil
}

// noStakeOf finds another umpire for a game in which somebody sits now, and for those that he looks after himself, where the
// umpire has come to have a stake.
func noStakeOf(t *leagueTurn, m *member.Member, seat string) error {
	for _, id := range t.Season.Undecided() {
		if id != seat && !m.Has(t.Umpire[id]) && !m.Has(t.Second[id]) {
			continue
		}
		if err := t.noStake(id); err != nil {
			return err
		}
	}
	return nil
}

// umpireGains tells whether an address is that of an umpire of a league's game, or of an administrator, who gains or loses by
// it as things stand now, whatever they were when the umpire was drawn.
func umpireGains(o *Office, id, address string) (bool, error) {
	all, err := gainers(o, id)
	return slices.ContainsFunc(all, func(one string) bool { return mailbox.Same(one, address) }), err
}

// gainers gives the addresses of those umpires of a league's game, and of those administrators, who gain or lose by it.
func gainers(o *Office, id string) (all []string, err error) {
	l := leagues{o}
	if ids, err := l.all(); err != nil || len(ids) == 0 { // each letter asks: an office without leagues need not read the record
		return nil, err
	}
	in, masters := "", slices.Clone(o.opt.GMs)
	err = o.read(func(tx store.Reader) error {
		if g, err := game.Read(tx.Game(id)); err == nil && g != nil {
			in, masters = g.League, append(g.MastersOf(), masters...)
		}
		return nil // whoever takes the letter in says that it can't be read
	})
	if err != nil || in == "" {
		return nil, err
	}
	err = l.look(in, func(b *openBook) error {
		if b.Season == nil || b.Season.Game(id) == nil {
			return nil
		}
		r, err := l.rotaOf(b)
		if err != nil {
			return err
		}
		g := b.Season.Game(id)
		about, err := r.stakesIn(b.Season.DivisionOf(id), slices.Concat(g.Entries, g.Players))
		if err != nil {
			return err
		}
		for _, p := range masters {
			m, err := l.club().at(p.Address)
			if err != nil {
				return err
			}
			if gains, _ := about.of(umpire{p.Address, m}); gains {
				all = append(all, p.Address)
			}
		}
		return nil
	})
	if errors.Is(err, ErrNoLeague) {
		return nil, nil
	}
	return all, err
}

// kinPrefix begins the name of a stored value; the league's and the member's id follow. The value says that somebody has become family of
// the member, or is it no longer.
const kinPrefix = "league-kin "

// tellLeagues has the leagues look once more at who rules on a member's games, in the change that makes his family another.
func (a *memberAct) tellLeagues() error {
	o := a.club.office
	ids, err := leagues{o}.all()
	if err != nil {
		return err
	}
	return o.read(func(tx store.Reader) error {
		for _, id := range ids {
			name := kinPrefix + id + " " + a.member.ID
			v := a.change.ValueIn(tx, name)
			v.Data = []byte("family")
			a.change.PutValue(name, v)
			if a.change.Wake == nil {
				a.change.Wake = map[string]time.Time{}
			}
			a.change.Wake[leaguePrefix+id] = a.Now
		}
		return nil
	})
}

// kin finds other umpires for games whose umpire has turned out to be family of a player after the draw. The secretaries are
// told, since whoever says so chooses his umpire in a way.
func (l steward) kin(ctx context.Context, id string) error {
	prefix := kinPrefix + id + " "
	members, values, err := l.valuesOf(prefix)
	if err != nil {
		return err
	}
	for i, one := range members {
		err := l.act(ctx, id, "office", "", without(prefix+one, values[i]), func(t *leagueTurn) error { return otherThanKin(t, one) })
		if err != nil && !errors.Is(err, store.ErrOutOfStep) {
			return fmt.Errorf("look for umpires who are no family of %s: %w", one, err)
		}
	}
	return nil
}

// otherThanKin gives the games of a member, and those that he looks after, to others where family would rule on family.
func otherThanKin(t *leagueTurn, member string) error {
	if t.Season == nil || t.Season.Phase == season.Closed {
		return nil
	}
	m, err := t.club().now(member)
	if err != nil {
		return err
	}
	for _, id := range t.Season.Undecided() {
		g := t.Season.Game(id)
		before := []string{t.Umpire[id], t.Second[id]}
		if !slices.Contains(slices.Concat(g.Entries, g.Players), m.ID) && !m.Has(before[0]) && !m.Has(before[1]) {
			continue
		}
		stays, err := kinRules(t, id)
		if err != nil || !stays {
			if err != nil {
				return err
			}
			continue
		}
		if err := t.noStake(id); err != nil {
			return err
		}
		say := "league.umpire.family"
		if stays, err = kinRules(t, id); err != nil {
			return err
		} else if stays {
			say += "-stays"
		}
		if err := t.tellSecretaries(phrase.Say(say, phrase.Literal("league", t.League), phrase.Literal("game", id), phrase.Literal("member", member))); err != nil {
			return err
		}
	}
	return nil
}

// kinRules tells whether one of the umpires of a game may not rule on it, since he gains or loses by it.
func kinRules(t *leagueTurn, id string) (bool, error) {
	r, err := t.rotaOf(t.openBook)
	if err != nil {
		return false, err
	}
	g := t.Season.Game(id)
	about, err := r.stakesIn(t.Season.DivisionOf(id), slices.Concat(g.Entries, g.Players))
	if err != nil {
		return false, err
	}
	for _, address := range []string{t.Umpire[id], t.Second[id]} {
		m, err := t.club().at(address)
		if err != nil {
			return false, err
		}
		if gains, _ := about.of(umpire{address, m}); gains && address != "" {
			return true, nil
		}
	}
	return false, nil
}
