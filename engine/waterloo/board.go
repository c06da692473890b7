package waterloo

import (
	"iter"
	"slices"

	"berthier/engine"
	"berthier/orders/phrase"
)

// What a game says about its pieces, seats and cards. These functions work on a
// position and on a view alike.

// unit is a unit as it stands.
func (g *game) unit(id unitID) *unit { return &g.Units[id] }

// everyUnit gives the units on the board, in the order of ids.
func (g *game) everyUnit() iter.Seq2[unitID, *unit] {
	return func(yield func(unitID, *unit) bool) {
		for i := 1; i < len(g.Units); i++ {
			if g.Units[i].At != 0 && !yield(unitID(i), &g.Units[i]) {
				return
			}
		}
	}
}

// unitAt is the unit in a square, 0 for none (WAT-8.9).
func (g *game) unitAt(q square) unitID {
	if q == 0 {
		return 0
	}
	for i := 1; i < len(g.Units); i++ {
		if g.Units[i].At == q {
			return unitID(i)
		}
	}
	return 0
}

// value is the combat value of the side that a unit shows (WAT-9.20).
func (g *game) value(id unitID) int {
	if g.Units[id].Reduced {
		return g.def(id).reduced
	}
	return g.def(id).full
}

func (g *game) armyOf(id unitID) army { return g.def(id).army }
func (g *game) campOf(id unitID) camp { return g.def(id).army.camp() }

// hostile tells whether two units are enemies (WAT-1.2).
func (g *game) hostile(a, b unitID) bool { return g.campOf(a) != g.campOf(b) }

// inChateau tells whether a unit stands in a chateau.
func (g *game) inChateau(id unitID) bool {
	at := g.Units[id].At
	return at != 0 && g.terrain[at] == chateau
}

// allRound tells whether a unit has its front on all sides, as infantry in a chateau has
// (WAT-10.2).
func (g *game) allRound(id unitID) bool {
	return g.inChateau(id) && g.def(id).arm == infantry
}

// faces tells whether a square lies before a unit's front (WAT-9.2, WAT-9.6).
func (g *game) faces(id unitID, q square) bool {
	side, near := g.toward(g.Units[id].At, q)
	return near && (g.allRound(id) || g.Units[id].Face == side)
}

// beside gives the enemies of a unit in the four squares around it, clockwise
// from north.
func (g *game) beside(id unitID) []unitID {
	var all []unitID
	for _, f := range facingsAll {
		if e := g.unitAt(g.next(g.Units[id].At, f)); e != 0 && g.hostile(id, e) {
			all = append(all, e)
		}
	}
	return all
}

// commanderOf is the commander of an army, 0 for the Prussians.
func (g *game) commanderOf(a army) commanderID {
	for i := range g.commanders {
		if g.commanders[i].army == a {
			return commanderID(i + 1)
		}
	}
	return 0
}

// commandersAt gives the commanders in a square.
func (g *game) commandersAt(q square) []commanderID {
	var all []commanderID
	for i := range g.commanders {
		if q != 0 && g.Commanders[i+1].At == q {
			all = append(all, commanderID(i+1))
		}
	}
	return all
}

// three tells whether the Allies are two players (WAT-1.3).
func (g *game) three() bool { return g.options.players == playersThree }

// prussians tells whether the Prussians take part (WAT-3.3).
func (g *game) prussians() bool { return g.length().prussians }

// length is the game that is played on the board (WAT-1.4).
func (g *game) length() *lengthDef { return &g.lengths[g.options.length] }

// Sides implements [engine.Position].
func (g *game) Sides() []engine.Side {
	if g.three() {
		return []engine.Side{"french", "anglo", "prussian"}
	}
	return []engine.Side{"french", "anglo"}
}

// seatOf is the seat that commands an army (WAT-1.3).
func (g *game) seatOf(a army) engine.Side {
	if a == prussian && !g.three() {
		return "anglo"
	}
	return engine.Side(a.String())
}

// armyOfSeat is the army that gives a seat its name.
func armyOfSeat(side engine.Side) army {
	a, _ := armyNamed(string(side))
	return a
}

// armiesOf lists the armies in play that a seat commands.
func (g *game) armiesOf(side engine.Side) []army {
	var all []army
	for a := french; a <= prussian; a++ {
		if (a != prussian || g.prussians()) && g.seatOf(a) == side {
			all = append(all, a)
		}
	}
	return all
}

// armiesIn lists the armies in play of a camp.
func (g *game) armiesIn(c camp) []army {
	var all []army
	for a := french; a <= prussian; a++ {
		if a.camp() == c && (a != prussian || g.prussians()) {
			all = append(all, a)
		}
	}
	return all
}

// campOfSeat is the camp of a seat.
func campOfSeat(side engine.Side) camp { return armyOfSeat(side).camp() }

// seatsIn lists the seats of a camp.
func (g *game) seatsIn(c camp) []engine.Side {
	var all []engine.Side
	for _, s := range g.Sides() {
		if campOfSeat(s) == c {
			all = append(all, s)
		}
	}
	return all
}

// deckOf lists all cards of an army's deck, in the order of ids (WAT-6.0).
func (s *scenario) deckOf(a army) []cardID {
	var all []cardID
	for i := range s.cards {
		if s.cards[i].army == a {
			all = append(all, cardID(i+1))
		}
	}
	return all
}

// holds tells whether a card is in its army's hand.
func (g *game) holds(c cardID) bool { return slices.Contains(g.Decks[g.card(c).army].Hand, c) }

// undealt lists the part of an army's reserve that was not dealt. In a view of another
// army these are all cards that nobody has used in this turn.
func (g *game) undealt(a army) []cardID {
	d := &g.Decks[a]
	var all []cardID
	for _, c := range g.deckOf(a) {
		if !slices.Contains(d.Hand, c) && !slices.Contains(d.Used, c) && !slices.Contains(d.Committed, c) {
			all = append(all, c)
		}
	}
	return all
}

// unseen lists the cards of an army that may be in its hand or in its reserve, for a
// side that has seen neither.
func (g *game) unseen(a army) []cardID {
	return slices.DeleteFunc(g.undealt(a), func(c cardID) bool { return slices.Contains(g.Decks[a].Shown, c) })
}

// cardsOf counts the cards in all hands of a camp.
func (g *game) cardsOf(c camp) int {
	n := 0
	for _, a := range g.armiesIn(c) {
		n += len(g.Decks[a].Hand)
	}
	return n
}

// add and drop change lists of cards and keep them in order.
func add(list []cardID, c cardID) []cardID {
	i, have := slices.BinarySearch(list, c)
	if have {
		return list
	}
	return slices.Insert(slices.Clone(list), i, c)
}

func drop(list []cardID, c cardID) []cardID {
	i := slices.Index(list, c)
	if i < 0 {
		return list
	}
	if len(list) == 1 {
		return nil // an empty list is none
	}
	return slices.Delete(slices.Clone(list), i, i+1)
}

// turnNow and roundNow find the turn and the round under way; nil if there is none, as
// at the end of the game.
func (g *game) turnNow() *turnFrame { return under[*turnFrame](g) }

func (g *game) roundNow() *roundFrame { return under[*roundFrame](g) }

// under finds the topmost frame of a type.
func under[F frame](g *game) F {
	for i := len(g.Flow) - 1; i >= 0; i-- {
		if f, ok := g.Flow[i].(F); ok {
			return f
		}
	}
	var none F
	return none
}

// lock is the only Allied army whose cards may be used now; none if either may
// (WAT-6.6, WAT-R10).
func (g *game) lock() army {
	r := g.roundNow()
	if r == nil {
		return noArmy
	}
	if r.Camp == frenchCamp && g.options.exclusive == exclusiveOwnRound {
		return noArmy
	}
	return r.Lock
}

// barred tells whether a card may not be used now because the Allies use cards
// of the other army in this round (WAT-6.6, WAT-7.5).
func (g *game) barred(c cardID) *fault {
	a := g.card(c).army
	if lock := g.lock(); a != french && lock != noArmy && lock != a {
		return refusal("WAT-6.6", "wat.card-locked", g.cardArg("card", c), armyArg("army", lock))
	}
	return nil
}

// left counts the cards that the side whose round it is may still play in it
// (WAT-4.24).
func (g *game) left() int {
	r := g.roundNow()
	if r == nil {
		return 0
	}
	return max(g.limit-r.Played, 0)
}

// argument fills a place of a sentence.
type argument = phrase.Arg

func (s *scenario) unitArg(place string, id unitID) argument {
	return phrase.Name(place, "unit", s.def(id).id)
}

func (s *scenario) unitsArg(place string, ids []unitID) argument {
	return phrase.NamesOf(place, "unit", ids, func(id unitID) string { return s.def(id).id })
}

func (s *scenario) squareArg(place string, q square) argument {
	return phrase.Name(place, "square", s.squareID(q))
}

func (s *scenario) cardArg(place string, c cardID) argument {
	return phrase.Name(place, "card", s.card(c).id)
}

func (s *scenario) cardsArg(place string, cs []cardID) argument {
	return phrase.NamesOf(place, "card", cs, func(c cardID) string { return s.card(c).id })
}

func (s *scenario) commanderArg(place string, c commanderID) argument {
	return phrase.Name(place, "commander", s.lead(c).id)
}

func armyArg(place string, a army) argument { return phrase.Name(place, "army", a.String()) }

func campArg(place string, c camp) argument { return phrase.Name(place, "camp", c.String()) }

func facingArg(place string, f facing) argument { return phrase.Name(place, "facing", f.String()) }
