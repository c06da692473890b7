package waterloo

import (
	"math/rand/v2"
	"slices"
	"strings"

	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// Cards that are played as actions in one's own round (chapter 11): what each may do, how
// it is written, and what it does.

// rallied is how many units a card puts in good order (WAT-11.6).
const rallied = 2

// drawnByHealth is how many cards Napoleon's health takes (WAT-11.7).
const drawnByHealth = 2

// afterCard is the game once a card has been played, in which the cards behind it can be
// judged.
func (g *game) afterCard(c cardID) *game {
	if r := g.roundNow(); c == 0 || r == nil || !g.holds(c) {
		return g
	}
	t := g.trial()
	t.use(c)
	t.count(c)
	t.roundNow().Army = t.card(c).army
	return t
}

// mayReorganise tells why a unit can't be reorganised (WAT-11.6).
func (g *game) mayReorganise(c cardID, id unitID) *fault {
	u, unit := g.unit(id), g.unitArg("unit", id)
	switch {
	case g.armyOf(id) != g.card(c).army:
		return refusal("WAT-R12", "wat.card-unit", g.cardArg("card", c), armyArg("army", g.card(c).army), unit)
	case u.At == 0:
		return refusal("WAT-11.6", "wat.not-on-board", unit)
	case u.Moved:
		return refusal("WAT-11.6", "wat.reorganise-moved", unit)
	case u.Attacked:
		return refusal("WAT-11.6", "wat.reorganise-attacked", unit)
	}
	return nil
}

// mayRally tells why a unit can't be put in good order.
func (g *game) mayRally(c cardID, id unitID) *fault {
	if f := g.mayReorganise(c, id); f != nil {
		return f
	}
	if !g.unit(id).Disordered {
		return refusal("WAT-11.6", "wat.rally-ordered", g.unitArg("unit", id))
	}
	return nil
}

// mayFlip tells why a unit can't be turned to full strength.
func (g *game) mayFlip(c cardID, id unitID) *fault {
	if f := g.mayReorganise(c, id); f != nil {
		return f
	}
	if !g.unit(id).Reduced {
		return refusal("WAT-11.6", "wat.flip-full", g.unitArg("unit", id))
	}
	if near := g.beside(id); len(near) > 0 {
		return refusal("WAT-11.6", "wat.flip-near", g.unitArg("unit", id), g.unitArg("enemy", near[0]))
	}
	return nil
}

// rideFault tells why a card can't make a unit charge a target (WAT-11.4,
// WAT-11.5).
func (g *game) rideFault(c cardID, id, target unitID) *fault {
	d := g.card(c)
	if id == 0 || target == 0 {
		return refusal("WAT-11.4", "wat.charge-nobody")
	}
	switch {
	case d.action == cavalryCharge && g.armyOf(id) != d.army:
		return refusal("WAT-R12", "wat.card-unit", g.cardArg("card", c), armyArg("army", d.army), g.unitArg("unit", id))
	case d.action == mustCharge && g.campOf(id) == d.army.camp():
		return refusal("WAT-11.5", "wat.must-charge-own", g.unitArg("unit", id))
	}
	_, f := g.chargePath(id, target)
	return f
}

// charging is the battle to which a charge leads.
func (g *game) charging(id, target unitID, forced bool) *battleFrame {
	return g.expected(target, []unitID{id}, true, forced)
}

// actionFault tells why an action card can't be played in the way a step says (chapter 11).
func (g *game) actionFault(st *step) *fault {
	d := &st.Does
	switch st.Action {
	case artilleryFire:
		return g.shotFault(st.Card, shot{d.By, d.Side})
	case cavalryCharge, mustCharge:
		if f := g.rideFault(st.Card, d.Unit, d.Target); f != nil {
			return f
		}
		t := g.afterCard(st.Card)
		b := t.charging(d.Unit, d.Target, st.Action == mustCharge)
		if f := t.commitsFault(b, b.phasing(), d.Cards); f != nil {
			return f
		}
		if st.Action == cavalryCharge {
			return g.advanceFault([]unitID{d.Unit}, d.Cards, d.Advance)
		}
	case reorganise:
		if (len(d.Rally) > 0) == (d.Flip != 0) {
			return refusal("WAT-11.6", "wat.reorganise-one")
		}
		if len(d.Rally) > rallied {
			return refusal("WAT-11.6", "wat.rally-many", phrase.Number("most", rallied))
		}
		for i, id := range d.Rally {
			if slices.Contains(d.Rally[:i], id) {
				return refusal("WAT-11.6", "wat.named-twice", g.unitArg("unit", id))
			}
			if f := g.mayRally(st.Card, id); f != nil {
				return f
			}
		}
		if d.Flip != 0 {
			return g.mayFlip(st.Card, d.Flip)
		}
	case napoleonsHealth:
	default: // battle actions are not steps (WAT-11.2, WAT-11.3)
		return refusal("WAT-6.1", "wat.action-battle", g.cardArg("card", st.Card))
	}
	return nil
}

// actionNode adds the keys of an action to the node of its step.
func (s *scenario) actionNode(n *orders.Node, st *step) {
	d := &st.Does
	unit := func(key string, id unitID) {
		if id != 0 {
			n.Set(key, orders.Text(s.def(id).id))
		}
	}
	unit("by", d.By)
	if d.By != 0 && d.Side != noFacing {
		n.Set("side", orders.Text(strings.ToUpper(facingKeys[d.Side])))
	}
	unit("unit", d.Unit)
	unit("target", d.Target)
	if d.Filed {
		n.Set("cards", s.commitNodes(d.Cards))
	}
	if d.Advance.Said {
		n.Set("advance", s.advanceNode(d.Advance))
	}
	if len(d.Rally) > 0 {
		n.Set("rally", s.unitTexts(d.Rally))
	}
	unit("flip", d.Flip)
}

// startAction carries out an action card, which is used and counted already.
func (p *battlefield) startAction(st *step) {
	d := &st.Does
	switch st.Action {
	case artilleryFire:
		p.shell(st.Card, shot{d.By, d.Side})
	case cavalryCharge, mustCharge:
		p.startCharge(st)
	case reorganise:
		for _, id := range d.Rally {
			u := p.unit(id)
			u.Disordered, u.Reorganised = false, true
			p.announce("WAT-11.6", "wat.rallies", p.unitArg("unit", id))
		}
		if d.Flip != 0 {
			u := p.unit(d.Flip)
			u.Reduced, u.Reorganised = false, true
			p.announce("WAT-11.6", "wat.flips", p.unitArg("unit", d.Flip), phrase.Number("value", p.value(d.Flip)))
		}
	case napoleonsHealth:
		p.health()
	}
}

// health takes cards at random from the French hand; the Allies do not see which
// (WAT-11.7, WAT-R36).
func (p *battlefield) health() {
	var drawn []cardID
	for range drawnByHealth {
		hand := p.Decks[french].Hand
		if len(hand) == 0 {
			break
		}
		c := hand[p.Dice.Roll(len(hand), phrase.Say("wat.roll-health", phrase.Number("n", len(drawn)+1)))-1]
		drawn = append(drawn, c)
		if p.options.healthShown == on {
			p.use(c)
		} else {
			p.Decks[french].Hand = drop(hand, c)
		}
	}
	if p.options.healthShown == on && len(drawn) > 0 {
		p.announce("WAT-R36", "wat.health", phrase.Number("n", len(drawn)), p.cardsArg("cards", drawn))
		return
	}
	owner := p.seatOf(french)
	others := to(p.others(owner), "wat.health", phrase.Number("n", len(drawn)))
	if len(drawn) == 0 {
		p.Tell("WAT-11.7", to([]engine.Side{owner}, "wat.health", phrase.Number("n", 0)), others)
		return
	}
	p.Tell("WAT-11.7", to([]engine.Side{owner}, "wat.health", phrase.Number("n", len(drawn)), p.cardsArg("cards", drawn)), others)
}

// randomAction is something that an action card may do now; false if there is nothing.
func randomAction(v *View, c cardID, chance *rand.Rand) (actionStep, bool) {
	var d actionStep
	switch a := v.card(c).action; a {
	case artilleryFire:
		s, ok := v.randomShot(c, chance)
		return actionStep{By: s.by, Side: s.side}, ok
	case cavalryCharge, mustCharge:
		all := v.charges(v.card(c).army)
		if a == mustCharge {
			all = v.forcedCharges(v.card(c).army.camp())
		}
		if len(all) == 0 {
			return d, false
		}
		one := all[chance.IntN(len(all))]
		d.Unit, d.Target = one.unit, one.target
		if chance.IntN(2) == 0 {
			t := &View{game: v.afterCard(c), side: v.side, own: v.own}
			b := t.charging(one.unit, one.target, a == mustCharge)
			d.Cards, d.Filed = t.randomCommits(b, b.phasing(), chance), true
		}
		if a == cavalryCharge && chance.IntN(2) == 0 {
			d.Advance = advanceOrder{Said: true, Unit: one.unit, Face: facing(chance.IntN(5))}
		}
		return d, true
	case reorganise:
		var rally, flip []unitID
		for id := range v.everyUnit() {
			if v.mayRally(c, id) == nil {
				rally = append(rally, id)
			}
			if v.mayFlip(c, id) == nil {
				flip = append(flip, id)
			}
		}
		chance.Shuffle(len(rally), func(i, j int) { rally[i], rally[j] = rally[j], rally[i] })
		if len(flip) > 0 && (len(rally) == 0 || chance.IntN(2) == 0) {
			d.Flip = flip[chance.IntN(len(flip))]
			return d, true
		}
		d.Rally = rally[:min(len(rally), 1+chance.IntN(rallied))]
		if len(d.Rally) == 0 {
			d.Rally = nil
		}
		return d, len(d.Rally) > 0
	case napoleonsHealth:
		return d, true
	}
	return d, false
}
