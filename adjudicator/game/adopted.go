package game

import (
	"berthier/adjudicator/log"
	"berthier/orders/phrase"
)

// Adopted is that a running game is taken into the season of a league from now on: it plays a pairing of
// that, as its players have asked.
type Adopted struct {
	League  string
	Forfeit int // stops missed in a row with which it is lost
}

// MayBeAdopted tells why a game can't be taken into a season.
func MayBeAdopted(g *State) error {
	switch {
	case g.Phase != Running || g.Fault != "":
		return Refuse("league.bring.not-running", phrase.Literal("game", g.ID))
	case g.League != "":
		return Refuse("league.bring.has-league", phrase.Literal("game", g.ID))
	case g.Fixed || g.GMPlays || g.Solo:
		return Refuse("league.bring.unlike", phrase.Literal("game", g.ID))
	}
	return nil
}

func (a Adopted) happen(t *Turn) error {
	g := t.Game
	if err := MayBeAdopted(g); err != nil {
		return err
	}
	g.League, g.Silence.Forfeit, g.Reserves = a.League, a.Forfeit, nil
	if err := t.Log(log.Entry{Kind: log.KindAdopted, By: "office", Data: log.Adoption{League: a.League, Forfeit: a.Forfeit}}); err != nil {
		return err
	}
	t.TellSeats(phrase.Say("league.bring.subject", phrase.Literal("league", a.League)), phrase.Say("league.bring.adopted", phrase.Literal("league", a.League)))
	return nil
}
