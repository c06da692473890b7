package hfg

import (
	"berthier/engine"
	"berthier/engine/sheet"
	"berthier/orders/phrase"
)

var (
	_ engine.Scored      = Ruleset{}
	_ engine.Progressing = Ruleset{}
	_ engine.Chronicled  = Ruleset{}
	_ engine.Introducing = Ruleset{}
)

// hourOf names a pair of turns. The battle is one day, so that each pair is told by itself.
func hourOf(pair int) engine.Hour {
	if pair == 0 {
		return engine.Hour{}
	}
	say := phrase.Say("hfg.course.pair", phrase.Number("pair", pair))
	return engine.Hour{Turn: pair, Name: say, Day: say}
}

// Score implements [engine.Scored]. Nobody is told what the enemy has lost in all before the end
// (HFG-17.8), so that nothing which everybody may know says who is ahead: a battle that goes on stands
// level.
func (Ruleset) Score(view engine.View) []engine.Score {
	v, ok := view.(*View)
	if !ok || v.Phase == over || v.Phase == preparing {
		return nil
	}
	var all []engine.Score
	for _, seat := range v.seats() {
		all = append(all, engine.Score{Side: seat})
	}
	return all
}

// Progress implements [engine.Progressing]: how long the battle lasts, with what a side has lost
// it, and what comes of its last sunset (HFG-17.6, HFG-17.7, HFG-R191). Which of its commands are defeated a side reads in the table of them.
func (Ruleset) Progress(view engine.View) []phrase.Phrase {
	v, ok := view.(*View)
	if !ok || v.Phase == over || v.Phase == preparing {
		return nil
	}
	all := []phrase.Phrase{phrase.Say("hfg.progress", phrase.Number("pair", v.pair()), phrase.Number("last", v.lastPair()), phrase.Number("left", v.lastPair()-v.pair()))}
	if v.outlasts() && !v.hasMorrow() {
		all = append(all, phrase.Say("hfg.progress-last-sunset"))
	}
	return all
}

// defeatedOf lists the defeated commands of a side.
func (g *game) defeatedOf(s side) (ids []string) {
	for c := commandID(1); int(c) < len(g.Commands); c++ {
		if g.lead(c).side == s && g.Commands[c].Status == defeated {
			ids = append(ids, g.lead(c).id)
		}
	}
	return ids
}

// Tally implements [engine.Chronicled]: the pair that is played. What a side has lost is its secret till the
// end (HFG-17.8), and then [Ruleset.Hidden] tells it.
func (Ruleset) Tally(view engine.View) engine.Tally {
	v, ok := view.(*View)
	if !ok || v.Phase == preparing {
		return engine.Tally{}
	}
	t := engine.Tally{Hour: hourOf(v.pair()), Holding: phrase.Say("hfg.course.towns")}
	for s := first; s < sides; s++ {
		t.Parties = append(t.Parties, engine.Party{Who: sheet.Name("army", v.sides[s-1].id)})
	}
	return t
}

// Hidden implements [engine.Chronicled]: what the enemy had lost, and which of his commands were
// defeated (HFG-17.8).
func (Ruleset) Hidden(all engine.View, from engine.Side) []phrase.Phrase {
	v, ok := all.(*View)
	if !ok || v.Phase == preparing || v.sideOf(from) == noSide {
		return nil
	}
	foe := v.sideOf(from).enemy()
	t := v.tollOn(foe)
	told := []phrase.Phrase{phrase.Say("hfg.course.lost", v.sideArg("army", foe), phrase.Literal("lost", halves(t.lost)), phrase.Literal("all", halves(t.original)))}
	if ids := v.defeatedOf(foe); len(ids) > 0 {
		told = append(told, phrase.Say("hfg.course.defeated", phrase.Names("commands", "corps", ids)))
	}
	return told
}

// letterRate is about how many letters a seat writes in ten pairs of turns, as docs/pace.md counts them.
var letterRate = map[string]int{engine.Postal: 20, engine.EveryDecision: 30, engine.ByPlan: 20}

// Introduce implements [engine.Introducing].
func (Ruleset) Introduce(view engine.View) engine.Introduction {
	v, ok := view.(*View)
	if !ok {
		return engine.Introduction{}
	}
	x := engine.Introduction{Letters: map[string]int{},
		Game: []phrase.Phrase{phrase.Say("hfg.intro.game", sheet.Filled("battle", sheet.Name("battle", v.Scenario))), phrase.Say("hfg.intro.wins", phrase.Number("last", v.options.sunset)),
			phrase.Say("hfg.intro.turn"), phrase.Say("hfg.intro.hidden")}}
	for pace, n := range letterRate {
		x.Letters[pace] = n * v.options.sunset / 10
	}
	for _, e := range v.standing() {
		if v.owns(e) && v.Elements[e].Holds == 0 {
			at := point(v.Elements[e].At)
			x.Signs = append(x.Signs, phrase.Say("hfg.intro.element", v.elementArg("element", e), sheet.Filled("type", sheet.Name("type", v.def(e).troop.String())),
				phrase.Literal("at", inline(scale.WritePoint(wholePaces(at)))), phrase.Literal("square", gridName(at)), phrase.Number("facing", v.Elements[e].Facing)))
			break
		}
	}
	for c := commandID(1); int(c) < len(v.Commands); c++ {
		if d := v.lead(c); v.leads(c) && d.general != 0 {
			x.Signs = append(x.Signs, phrase.Say("hfg.intro.command", v.commandArg("command", c), v.elementArg("general", d.general)))
			break
		}
	}
	return x
}

// halves writes a number of halves.
func halves(n int) string {
	return scale.WriteLength(int64(n) * pace / 2).Text
}
