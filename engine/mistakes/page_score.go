package mistakes

import (
	"berthier/engine"
	"berthier/orders/phrase"
)

var (
	_ engine.Scored      = Ruleset{}
	_ engine.Progressing = Ruleset{}
)

// Score implements [engine.Scored]: victory points as they stand (EM-17.1, EM-17.2, EM-18.3), of
// which those for what the enemy has lost are inflicted. In the short game, which is won by two
// towns alone, the side that would win now has one point (EM-18.2). Red and black win and lose
// together.
func (Ruleset) Score(view engine.View) []engine.Score {
	v, ok := view.(*View)
	if !ok || v.over() {
		return nil
	}
	var all []engine.Score
	for _, seat := range v.seats() {
		side := red
		if seat == "blue" || v.separateScores != 0 {
			side = seatArmy(seat)
		}
		one := engine.Score{Side: seat}
		switch {
		case v.length().scoring != scoreShort:
			one.Points, one.Inflicted = v.score(side), v.inflicted(side)
		case v.winner() == side:
			one.Points = 1
		}
		all = append(all, one)
	}
	return all
}

// inflicted is what a side has for what its enemies have lost.
func (g *game) inflicted(side army) int {
	if g.length().scoring == scoreFree {
		n := g.lostUnits(side) + g.wounds(side)
		if g.freeGenerals != 0 {
			n += g.lostLeaders(side)
		}
		return n
	}
	return g.lostUnits(side) + g.lostLeaders(side)
}

// Progress implements [engine.Progressing]: points, or the towns that decide, as they stand, and
// how long the game lasts. All of it is on the field.
func (Ruleset) Progress(view engine.View) []phrase.Phrase {
	v, ok := view.(*View)
	if !ok || v.over() {
		return nil
	}
	var all []phrase.Phrase
	if v.length().scoring == scoreShort {
		all = append(all, phrase.Say("em.progress-towns", armyArg("army", v.winner())))
	} else if v.separateScores != 0 {
		all = append(all, phrase.Say("em.progress-three", phrase.Number("blue", v.score(blue)), phrase.Number("red", v.score(red)), phrase.Number("black", v.score(black))))
	} else {
		all = append(all, phrase.Say("em.progress-points", phrase.Number("blue", v.score(blue)), phrase.Number("blue-lost", v.inflicted(blue)),
			phrase.Number("red", v.score(red)), phrase.Number("red-lost", v.inflicted(red))))
	}
	last := v.last()
	return append(all, phrase.Say("em.progress-turns", phrase.Number("turn", v.Turn), phrase.Number("last", last), phrase.Number("left", last-v.Turn)))
}
