package waterloo

import (
	"slices"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// Kinds of orders that are legal but odd.
const (
	oddNoEffect = "no-effect"       // a card is played where it can't have an effect (WAT-R19)
	oddUnspent  = "card-unspent"    // a movement card moves nobody, and no attack follows it
	oddLeft     = "square-left"     // a victory square is left empty next to an enemy
	oddWeak     = "attack-weak"     // an attack is not above what the defender has without cards
	oddPass     = "pass-ends-turn"  // a pass that ends the turn while cards are left
	oddLost     = "unit-lost"       // a unit is eliminated that could be kept
	oddSpent    = "all-cards-spent" // several cards are filed, and with them the whole hand
)

// oddHolds are the kinds at which a player had better look again.
var oddHolds = []string{oddWeak, oddLost, oddUnspent, oddPass, oddSpent}

// Cautions implements [engine.Cautious].
func (r Ruleset) Cautions(view engine.View, d engine.Decision, given engine.Answer) []engine.Caution {
	v, answer := view.(*View), given.(play.Answer).Reply
	if answer.Node().Encode() == stops[d.Kind].Fallback(v, d).Node().Encode() {
		return nil
	}
	if w, ok := saidTo[armyReply](answer); ok {
		return v.oddArmy(w.is)
	}
	if w, ok := saidTo[*filing](answer); ok {
		if w.who == attacking {
			declared := *w.b
			return v.oddAttack(&declared, w.cards, true)
		}
		return v.oddCommits(w.b, w.who, w.cards)
	}
	if w, ok := saidTo[lossReply](answer); ok {
		return v.oddLoss(w)
	}
	if w, ok := saidTo[lossesReply](answer); ok {
		return v.oddAttackerLoss(w)
	}
	if w, ok := saidTo[firingReply](answer); ok && w.is.card != 0 {
		return v.oddShot(w.is.card, w.is.shot)
	}
	if w, ok := saidTo[*onward](answer); ok {
		return v.oddSquares(w.board)
	}
	if w, ok := saidTo[*rounding](answer); ok {
		return v.oddRound(w.all())
	}
	return nil
}

// odd is a caution. Its words are those of its kind, or those of one form of its kind.
func odd(kind, form, clause string, args ...argument) []engine.Caution {
	return []engine.Caution{{Kind: kind, Clause: clause, Say: phrase.Say("wat.odd-"+form, args...), Holds: slices.Contains(oddHolds, kind)}}
}

// oddArmy warns of a pass that ends the turn: because the enemy has passed, or has no card
// and so passes next (WAT-4.6).
func (v *View) oddArmy(a army) []engine.Caution {
	t, ok := v.Flow[0].(*turnFrame)
	if a != noArmy || !ok || !t.Passed && v.cardsOf(frenchCamp) > 0 {
		return nil
	}
	return odd(oddPass, "pass-ends-turn", "WAT-4.6", phrase.Number("n", v.cardsOf(alliedCamp)))
}

// oddShot warns of fire that has no effect (WAT-R19).
func (v *View) oddShot(c cardID, s shot) []engine.Caution {
	target, _, f := v.aimed(s)
	if f != nil || v.hurts(target) {
		return nil
	}
	form := "fire-disordered"
	if v.sheltered(target) {
		form = "fire-chateau"
	}
	return odd(oddNoEffect, form, "WAT-R19", v.cardArg("card", c), v.unitArg("unit", target))
}

// oddCommits warns of cards that have no effect in a battle (WAT-R19).
func (v *View) oddCommits(b *battleFrame, who role, cards []commit) []engine.Caution {
	var list []engine.Caution
	helped := *b
	helped.Attack.Cards, helped.Defence.Cards = nil, nil
	helped.of(who).Cards = []commit{{As: asCommand}}
	reaches := slices.ContainsFunc(v.sums(&helped, who), func(s sum) bool { return s.Command > 0 })
	for _, c := range cards {
		switch {
		case c.As == asArtillery:
			list = append(list, v.oddShot(c.Card, shot{c.By, c.Side})...)
		case c.As == asCommand && !reaches:
			list = append(list, odd(oddNoEffect, "command-idle", "WAT-R19", v.cardArg("card", c.Card))...)
		}
	}
	if hand := v.Decks[v.fighting(b, who)].Hand; len(cards) > 1 && len(cards) == len(hand) {
		list = append(list, odd(oddSpent, oddSpent, "WAT-4.5", phrase.Number("n", len(cards)))...)
	}
	return list
}

// oddRound checks the steps of a round, each on the board as the steps before it leave
// it if nothing happens in between.
func (v *View) oddRound(steps []step) []engine.Caution {
	var list []engine.Caution
	t := v.trying()
	for i := range steps {
		st := &steps[i]
		list = append(list, t.oddAction(st)...)
		follows := st.Attack != nil || i+1 < len(steps) && steps[i+1].Card == 0 && steps[i+1].Attack != nil
		if st.Card != 0 && st.Action == noAction && len(st.Moves) == 0 && !follows {
			list = append(list, odd(oddUnspent, "card-unspent", "WAT-R48", t.cardArg("card", st.Card))...)
		}
		if st.Attack != nil {
			before := *st
			before.Attack = nil
			at := t.trying()
			if st.Card != 0 {
				at.assume(&before)
			}
			b := at.expected(st.Attack.Target, st.Attack.With, false, false)
			list = append(list, at.oddAttack(b, st.Attack.Cards, st.Attack.Filed)...)
		}
		t.assume(st)
	}
	return append(list, v.oddSquares(t.game)...)
}

// oddAction checks an action card.
func (v *View) oddAction(st *step) []engine.Caution {
	d := &st.Does
	switch st.Action {
	case artilleryFire:
		return v.oddShot(st.Card, shot{d.By, d.Side})
	case napoleonsHealth:
		if len(v.Decks[french].Hand) == 0 {
			return odd(oddNoEffect, "health-idle", "WAT-R19", v.cardArg("card", st.Card))
		}
	case cavalryCharge:
		t := &View{game: v.afterCard(st.Card), side: v.side, own: v.own}
		return t.oddAttack(t.charging(d.Unit, d.Target, false), d.Cards, d.Filed)
	}
	return nil
}

// oddAttack warns of a weak attack whose cards are settled, because they are filed
// or because no more may be played.
func (v *View) oddAttack(b *battleFrame, cards []commit, filed bool) []engine.Caution {
	list := v.oddCommits(b, attacking, cards)
	if !filed && v.room(b, attacking) > 0 {
		return list
	}
	b.Attack.Cards = cards
	if attack, defence := v.totals(b); attack <= defence {
		list = append(list, odd(oddWeak, "attack-weak", "WAT-9.31", v.unitArg("target", b.Target),
			phrase.Number("attack", attack), phrase.Number("defence", defence))...)
	}
	return list
}

// oddSquares warns of victory squares that a unit of the side has left empty next
// to an enemy, on the board as the orders leave it (WAT-13.1).
func (v *View) oddSquares(after *game) []engine.Caution {
	var list []engine.Caution
	for i := range v.objectives {
		at := v.objectives[i].at
		was := v.unitAt(at)
		if !v.marked(objectiveID(i+1)) || was == 0 || !v.own[v.armyOf(was)] || after.unitAt(at) != 0 {
			continue
		}
		for _, side := range facingsAll {
			if near := after.unitAt(after.next(at, side)); near != 0 && after.hostile(was, near) {
				list = append(list, odd(oddLeft, "square-left", "WAT-13.1", v.unitArg("unit", was), v.squareArg("square", at), v.unitArg("enemy", near))...)
				break
			}
		}
	}
	return list
}

// oddLoss warns of a choice that eliminates a defender who could be kept (WAT-9.36).
func (v *View) oddLoss(w lossReply) []engine.Caution {
	dies := func(l loss) bool { return l.reduces > 1 || l.reduces == 1 && !v.whole(w.b.Target) }
	if !dies(w.is) || !slices.ContainsFunc(v.losses(w.b), func(l loss) bool { return !dies(l) }) {
		return nil
	}
	return odd(oddLost, "unit-lost", "WAT-9.36", v.unitArg("unit", w.b.Target))
}

// oddAttackerLoss warns of a choice that eliminates an attacker while another one would
// only be reduced (WAT-9.35).
func (v *View) oddAttackerLoss(w lossesReply) []engine.Caution {
	if v.whole(w.is) || !slices.ContainsFunc(v.strongest(w.b), v.whole) {
		return nil
	}
	return odd(oddLost, "unit-lost", "WAT-9.35", v.unitArg("unit", w.is))
}
