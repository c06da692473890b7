package adjudicator

import (
	"errors"
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league/member"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/log"
	"berthier/adjudicator/store"
	"berthier/mail/mailbox"
	"berthier/orders/phrase"
)

// mayRule gives the error that somebody gains or loses by what he wants to decide in ways that the log of the league does
// not tell alone: his family plays in the division, or he gives a season other dates in which he plays himself.
func mayRule(t *leagueTurn, r LeagueRuling, by string) error {
	switch {
	case r.Kind == "postpone", r.Kind == "extend" && r.Game == "":
		if t.takesPart(by) {
			return game.Refuse("league.dates.stake", phrase.Literal("who", by))
		}
		return nil
	case r.Game == "":
		return nil
	}
	return noFamily(t, r.Game, by)
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
	if errors.Is(err, errNoMember) {
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

// umpireGains tells whether an address is that of an umpire of a league's game who gains or loses by it as things stand now,
// whatever they were when he was drawn.
func umpireGains(o *Office, id, address string) (gains bool, err error) {
	in := ""
	err = o.read(func(tx store.Reader) error {
		g, err := game.Read(tx.Game(id))
		if err == nil && g != nil && slices.ContainsFunc(g.MastersOf(), func(p log.Person) bool { return mailbox.Same(p.Address, address) }) {
			in = g.League
		}
		return nil // whoever takes the letter in says that it can't be read
	})
	if err != nil || in == "" {
		return false, err
	}
	l := leagues{o}
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
		m, err := l.club().at(address)
		gains, _ = about.of(umpire{address, m})
		return err
	})
	if errors.Is(err, ErrNoLeague) {
		return false, nil
	}
	return gains, err
}
