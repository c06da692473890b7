package mistakes

import (
	"slices"

	"berthier/engine"
	"berthier/orders/phrase"
)

var (
	_ engine.Talker = (*game)(nil)
	_ engine.Allied = (*game)(nil)
)

// Talk implements [engine.Talker]. Red and black may not agree on their bids: from the draw until
// the bids are shown they don't write to each other (EM-R65).
func (g *game) Talk(from engine.Side, to []engine.Side) (clause string, why phrase.Phrase, ok bool) {
	allies := g.Allies(from)
	if g.Phase != bidding || !slices.ContainsFunc(to, func(s engine.Side) bool { return slices.Contains(allies, s) }) {
		return "", phrase.Phrase{}, true
	}
	return "EM-R65", phrase.Say("em.press-bids"), false
}

// Allies implements [engine.Allied]: red and black, where three play (EM-R54).
func (g *game) Allies(of engine.Side) []engine.Side {
	return slices.DeleteFunc(g.seats(), func(s engine.Side) bool {
		return of == s || seatArmy(of) == noArmy || !seatArmy(s).allied(seatArmy(of))
	})
}
