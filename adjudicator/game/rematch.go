package game

import (
	"slices"
	"time"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/orders/phrase"
)

// A Rematch is what the players of a finished game want next: the same game once more, with
// sides changed. It is made when all of them want it.
type Rematch struct {
	Wishes []Wish `json:"wishes,omitempty"`
	Game   string `json:"game,omitempty"` // the new game, once it is made
}

// A Wish is a player's wish for a rematch.
type Wish struct {
	Address string    `json:"address"`
	At      time.Time `json:"at"`
}

// WishFor is how long a wish for a rematch holds: nobody is to begin a game that he has
// forgotten asking for.
const WishFor = 30 * 24 * time.Hour

// wants tells whether the player of a seat wants a rematch.
func (g *State) wants(s *Seat) bool {
	return g.Rematch != nil && slices.ContainsFunc(g.Rematch.Wishes, func(w Wish) bool { return w.Address == s.Person.Address })
}

// Unwilling are the seats of people who have not said that they want a rematch. Bots always
// do.
func (g *State) Unwilling() []*Seat {
	return slices.DeleteFunc(slices.Clone(g.Seats), func(s *Seat) bool { return s.Person.Bot != "" || g.wants(s) })
}

// Agreed tells whether a rematch is to be made: all players want it, and it is not made yet.
func (g *State) Agreed() bool {
	return g.Rematch != nil && g.Rematch.Game == "" && len(g.Rematch.Wishes) > 0 && len(g.Unwilling()) == 0
}

// MayAskAgain tells why nobody may ask for a rematch of a game; nil if its players may.
func (g *State) MayAskAgain() error {
	switch {
	case g.Phase == Running:
		return Refuse("office.rematch.not-over")
	case g.Rematch != nil && g.Rematch.Game != "":
		return Refuse("office.rematch.made", phrase.Literal("game", g.Rematch.Game))
	}
	return nil
}

// Next gives the seat of which a player has had the one before it: in a rematch each moves on
// by one seat, in the order of the rules.
func (g *State) Next(s *Seat) *Seat {
	return g.Seats[(slices.Index(g.Seats, s)+1)%len(g.Seats)]
}

// RematchAsked says that a player wants to play a finished game again with sides changed, or
// no longer does.
type RematchAsked struct {
	Side   engine.Side
	Cancel bool
	Letter Reference
}

func (r RematchAsked) happen(t *Turn) error {
	g, s := t.Game, t.Game.Seat(r.Side)
	if err := g.MayAskAgain(); err != nil {
		return err
	}
	var wishes []Wish
	if g.Rematch != nil {
		wishes = slices.DeleteFunc(slices.Clone(g.Rematch.Wishes), func(w Wish) bool { return t.Now.Sub(w.At) > WishFor })
	}
	mine := func(w Wish) bool { return w.Address == s.Person.Address }
	switch wanted := slices.ContainsFunc(wishes, mine); {
	case r.Cancel && !wanted:
		return Refuse("office.rematch.no-wish")
	case !r.Cancel && wanted:
		return Refuse("office.rematch.twice", sides("sides", g.Unwilling()))
	case r.Cancel:
		wishes = slices.DeleteFunc(wishes, mine)
	default:
		wishes = append(wishes, Wish{Address: s.Person.Address, At: t.Now})
	}
	g.Rematch = &Rematch{Wishes: wishes}
	if err := t.Log(log.Entry{Kind: log.KindRematch, Seat: s.Side, By: "player", Letter: r.Letter.Digest, Data: log.Rematch{Cancel: r.Cancel}}); err != nil {
		return err
	}
	subject := phrase.Say("office.rematch.subject")
	if r.Cancel {
		t.toSeat(s, Notice{Re: &r.Letter, Subject: subject, Lines: []phrase.Phrase{phrase.Say("office.rematch.cancelled")}})
		for _, other := range g.Seats {
			if other.Person.Address != s.Person.Address && g.wants(other) {
				t.TellSeat(other, subject, phrase.Say("office.rematch.no-longer", SideName(s.Side)))
			}
		}
		return nil
	}
	missing := g.Unwilling()
	if len(missing) == 0 {
		return nil // the first report of the new game is the answer
	}
	t.toSeat(s, Notice{Re: &r.Letter, Subject: subject, Lines: []phrase.Phrase{phrase.Say("office.rematch.asked", sides("sides", missing))}})
	for _, other := range missing {
		t.toSeat(other, Notice{Subject: subject, Again: true, Lines: []phrase.Phrase{
			phrase.Say("office.rematch.wanted", SideName(s.Side), phrase.Name("now", "side", string(g.Next(other).Side)))}})
	}
	return nil
}

// sides fills a place of a sentence with the sides of seats.
func sides(place string, seats []*Seat) phrase.Arg {
	names := make([]string, len(seats))
	for i, s := range seats {
		names[i] = string(s.Side)
	}
	return phrase.Names(place, "side", names)
}

// RematchMade says that the rematch which all players wanted is made.
type RematchMade struct{ Game string }

func (r RematchMade) happen(t *Turn) error {
	if !t.Game.Agreed() {
		return nil
	}
	again := *t.Game.Rematch
	again.Game = r.Game
	t.Game.Rematch = &again
	return t.Log(log.Entry{Kind: log.KindRematch, By: "office", Data: log.Rematch{Game: r.Game}})
}

// RematchFailed says that a rematch can't be made: the program has not the rules any more, or
// they don't take the set-up.
type RematchFailed struct{ Why string }

func (r RematchFailed) happen(t *Turn) error {
	t.Game.Rematch = nil
	subject, line := phrase.Say("office.rematch.subject"), phrase.Say("office.rematch.failed")
	for _, s := range t.Game.Seats {
		t.TellSeat(s, subject, line)
	}
	t.TellGM(subject, line, phrase.Say("office.rematch.why", phrase.Literal("error", r.Why)))
	return t.Log(log.Entry{Kind: log.KindRematch, By: "office", Data: log.Rematch{Failed: r.Why}})
}
