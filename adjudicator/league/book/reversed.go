package book

import (
	"fmt"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league/season"
	"berthier/orders/phrase"
)

// TakenOut is that a secretary has withdrawn a member.
type TakenOut struct {
	Member string `json:"member"`
}

func (TakenOut) kind() string { return "taken-out" }

func (in TakenOut) happen(b *Book) error { return b.withdraw(in.Member, season.TakenOut(in)) }

// Reversed is that something no longer holds that a secretary has done, beside a ruling on a game: that he has taken a member
// out of the season, given the season or a game more time, or dismissed the protests about a game. What he has done stays in
// the log.
type Reversed struct {
	What   string    `json:"what"`             // withdraw, extend, dismiss
	Member string    `json:"member,omitempty"` // who was taken out
	Game   string    `json:"game,omitempty"`   // whose time or protests it is about; "": the season's
	By     string    `json:"by,omitempty"`     // a member, or an address; in the private part of the entry, like the next
	Reason string    `json:"reason,omitempty"`
	At     time.Time `json:"-"`
}

func (Reversed) kind() string { return "reversed" }

func (in Reversed) happen(b *Book) error {
	if b.Season == nil {
		return game.Refuse("league.no-season")
	}
	switch {
	case in.What == "withdraw":
		return b.refused(b.Season, b.apply(season.Reinstated{Member: in.Member}))
	case in.What == "extend" && in.Game == "":
		return b.refused(b.Season, b.apply(season.Curtailed{By: in.By, At: in.At}))
	case in.What == "extend":
		return b.decide(in.Game, in.By, season.Unprolonged{Game: in.Game, By: in.By})
	case in.What == "dismiss":
		return b.askAgain(in)
	}
	return fmt.Errorf("what was done by %q is not reversed", in.What)
}

// askAgain has the protests about a game wait again that were last dismissed.
func (b *Book) askAgain(in Reversed) error {
	if err := b.during(season.Running, season.Settling); err != nil {
		return err
	}
	if err := b.mayDecide(in.Game, in.By); err != nil {
		return err
	}
	g := b.Season.Game(in.Game)
	if g == nil {
		return game.Refuse("league.no-game", phrase.Literal("game", in.Game))
	}
	if g.Final {
		return game.Refuse("league.protest.final", phrase.Literal("game", in.Game))
	}
	var last time.Time
	for _, p := range b.Protests {
		if p.Game == in.Game && p.Dismissed && p.Answered.After(last) {
			last = p.Answered
		}
	}
	if last.IsZero() {
		return game.Refuse("league.decide.not-dismissed", phrase.Literal("game", in.Game))
	}
	for i := range b.Protests {
		if p := &b.Protests[i]; p.Game == in.Game && p.Dismissed && p.Answered.Equal(last) {
			p.Answered, p.Dismissed = time.Time{}, false
		}
	}
	return nil
}
