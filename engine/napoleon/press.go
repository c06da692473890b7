package napoleon

import (
	"slices"

	"berthier/engine"
	"berthier/orders/phrase"
)

// Talk implements [engine.Talker]. Two Allied players may write to each other only until they
// have deployed, and in Allied night turns (NAP-11.2, NAP-R58). A letter of the
// French goes to one of them only, or the French would pass on messages between them
// without knowing it (NAP-R58b).
func (g *game) Talk(from engine.Side, to []engine.Side) (clause string, why phrase.Phrase, ok bool) {
	if !g.three() || g.options.talk == talkFree || g.outcome != nil {
		return "", phrase.Phrase{}, true
	}
	if g.campOf(from) == frenchCamp {
		if len(to) > 1 {
			return "NAP-R58b", phrase.Say("nap.press-one"), false
		}
		return "", phrase.Phrase{}, true
	}
	if g.talking(g.turn) || !slices.ContainsFunc(to, func(s engine.Side) bool { return g.campOf(s) == alliedCamp }) {
		return "", phrase.Phrase{}, true
	}
	for i := g.turn + 1; i < len(g.turns); i++ {
		if t := &g.turns[i]; t.night && t.camp == alliedCamp {
			return "NAP-11.2", phrase.Say("nap.press-ban", phrase.Number("turn", i+1), phrase.Name("date", "date", t.date), phrase.Name("part", "part", t.part)), false
		}
	}
	return "NAP-11.2", phrase.Say("nap.press-ban-over"), false
}

// talking tells whether the Allies may write to each other in a turn.
func (g *game) talking(turn int) bool {
	t := &g.turns[turn]
	return g.phase == deployAllied || turn == g.turn && g.phase != deployFrench && t.night && t.camp == alliedCamp
}
