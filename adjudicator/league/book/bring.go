package book

import (
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league/season"
	"berthier/orders/phrase"
)

// Brought is that a player of a running game wants it to count as the game of a pairing, if its players meet in the
// season; or (Back) that he does not any more. It counts once all of its players have said so, and
// can be said only before the list of entries is closed: nobody knows yet whom he meets.
type Brought struct {
	Game   string   `json:"game"`
	Member string   `json:"member"`
	Seats  []string `json:"seats"` // its players, in the order of sides
	Back   bool     `json:"back,omitempty"`
}

func (Brought) kind() string { return "brought" }

// A Bring is a running game that players bring into the season.
type Bring struct {
	Game   string
	Seats  []string // members, in the order of sides
	Agreed []string // who of them wants it
}

func (in Brought) happen(b *Book) error {
	if err := b.during(season.Entering); err != nil {
		return err
	}
	if !b.Has(in.Member) && !slices.Contains(b.Asked, in.Member) {
		return game.Refuse("league.not-entered")
	}
	if !slices.Contains(in.Seats, in.Member) {
		return game.Refuse("league.bring.plays-not", phrase.Literal("game", in.Game))
	}
	at := slices.IndexFunc(b.Brings, func(x Bring) bool { return x.Game == in.Game })
	if at < 0 {
		if in.Back {
			return game.Refuse("league.bring.not-brought", phrase.Literal("game", in.Game))
		}
		at = len(b.Brings)
		b.Brings = append(b.Brings, Bring{Game: in.Game, Seats: slices.Clone(in.Seats)})
	}
	x := &b.Brings[at]
	if !slices.Equal(x.Seats, in.Seats) { // somebody else sits there by now
		x.Seats, x.Agreed = slices.Clone(in.Seats), nil
	}
	x.Agreed = slices.DeleteFunc(x.Agreed, func(m string) bool { return m == in.Member })
	if !in.Back {
		x.Agreed = append(x.Agreed, in.Member)
	}
	return nil
}

// All tells whether all players of a game want it to count.
func (x Bring) All() bool { return len(x.Agreed) == len(x.Seats) }

// BroughtFor gives the running games that may be those of a pairing: all of their players want it, and they are the
// members of the pairing.
func (b *Book) BroughtFor(p Pairing) (all []Bring) {
	for _, x := range b.Brings {
		meet := slices.Clone(p.Games[0].Members)
		sit := slices.Clone(x.Seats)
		slices.Sort(meet)
		slices.Sort(sit)
		if x.All() && slices.Equal(meet, sit) && b.Season.Game(x.Game) == nil {
			all = append(all, x)
		}
	}
	return all
}
