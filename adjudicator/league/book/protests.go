package book

import (
	"slices"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league/season"
	"berthier/orders/phrase"
)

// A Protest is what a member who plays in a game has against what becomes of it in the table.
type Protest struct {
	Game      string
	Member    string
	At        time.Time
	Answered  time.Time // zero: it waits for a secretary
	Dismissed bool      // a secretary has dismissed it: he may think again
}

// Protested is that a member protests. The game goes on, but its result is not final as long as the protest waits.
type Protested struct {
	Game   string    `json:"game"`
	Member string    `json:"member"`
	Reason string    `json:"reason,omitempty"` // in the private part of the entry
	At     time.Time `json:"-"`
}

// Dismissed is that a secretary dismisses all protests about a game that wait: what it counts as stays.
type Dismissed struct {
	Game   string    `json:"game"`
	By     string    `json:"by,omitempty"` // a member, or an address; in the private part of the entry, like the next
	Reason string    `json:"reason,omitempty"`
	At     time.Time `json:"-"`
}

func (Protested) kind() string { return "protested" }
func (Dismissed) kind() string { return "dismissed" }

func (in Protested) happen(b *Book) error {
	if err := b.during(season.Running, season.Settling); err != nil {
		return err
	}
	g := b.Season.Game(in.Game)
	if g == nil || !slices.Contains(g.Players, in.Member) && !slices.Contains(g.Entries, in.Member) {
		return game.Refuse("league.no-game", phrase.Literal("game", in.Game))
	}
	if g.Final {
		return game.Refuse("league.protest.final", phrase.Literal("game", in.Game))
	}
	for _, p := range b.Protests {
		switch {
		case p.Game != in.Game || p.Member != in.Member:
		case p.Answered.IsZero():
			return game.Refuse("league.protest.waits", phrase.Literal("game", in.Game))
		case !g.Since.After(p.Answered):
			return game.Refuse("league.protest.answered", phrase.Literal("game", in.Game))
		}
	}
	b.Protests = append(b.Protests, Protest{Game: in.Game, Member: in.Member, At: in.At})
	return nil
}

// Protested tells whether a protest about a game waits for a secretary.
func (b *Book) Protested(id string) bool {
	return slices.ContainsFunc(b.Protests, func(p Protest) bool { return p.Game == id && p.Answered.IsZero() })
}

// OpenProtests gives the protests that wait for a secretary, in their order.
func (b *Book) OpenProtests() (all []Protest) {
	for _, p := range b.Protests {
		if p.Answered.IsZero() {
			all = append(all, p)
		}
	}
	return all
}

func (in Dismissed) happen(b *Book) error {
	if b.SeasonOf(in.Game) == nil {
		return game.Refuse("league.no-game", phrase.Literal("game", in.Game))
	}
	if err := b.mayDecide(in.Game, in.By); err != nil {
		return err
	}
	if !b.Protested(in.Game) {
		return game.Refuse("league.protest.none", phrase.Literal("game", in.Game))
	}
	for i := range b.Protests {
		if p := &b.Protests[i]; p.Game == in.Game && p.Answered.IsZero() {
			p.Dismissed = true
		}
	}
	return b.answering(in.Game, in.At, nil)
}

// answering notes that the protests about a game are answered, if what a secretary decides about it can be done.
func (b *Book) answering(id string, at time.Time, err error) error {
	if err != nil {
		return err
	}
	for i := range b.Protests {
		if p := &b.Protests[i]; p.Game == id && p.Answered.IsZero() {
			p.Answered = at
		}
	}
	return nil
}
