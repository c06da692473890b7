package waterloo

import (
	"bytes"
	"slices"
	"strconv"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// What must hold in every position. Some of it must hold in any game at all: Load refuses
// a position without it, at the place in the file. The rest always holds by the rules, and
// a game master's change must not break it; but cases may begin without it.

// breaches gathers what is found in a game.
type breaches struct {
	game *game
	play.Breaches
}

// Check implements [engine.Checked]: what a game master's change may not break.
func (g *game) Check(was engine.Position) orders.Problems {
	b := &breaches{game: g}
	before, ok := was.(*game)
	if !ok || before.name != g.name || !bytes.Equal(before.source, g.source) {
		b.Say("", "wat.check-scenario").At("scenario")
	} else if b.fixed(before); len(b.All) == 0 {
		b.impossible()
		b.pieces(before)
		b.commandersPlaced(before)
		b.grounds()
		b.hands()
		b.going()
		b.ending()
	}
	return b.Problems()
}

// impossible finds what can't be in any game: two units in a square, a card in two
// places, and the like. If it finds nothing, the game can go on.
func (b *breaches) impossible() {
	if g := b.game; g.Turn < 1 || g.Turn > g.length().turns {
		b.Say("WAT-1.4", "wat.position-turn", number("turns", g.length().turns)).At("turn")
	}
	b.places()
	b.decks()
	for i, f := range b.game.Flow {
		if sound, ok := f.(interface{ sound(g *game, depth int) bool }); ok && !sound.sound(b.game, i) {
			b.Say("", "wat.position-flow").At("flow", strconv.Itoa(i))
		}
	}
	if (len(b.game.Flow) == 0) != (b.game.outcome != nil) {
		b.Say("", "wat.position-flow").At("flow")
	}
}

// places finds units and commanders where they can't be.
func (b *breaches) places() {
	at := map[square]bool{}
	for i := 1; i < len(b.game.Units); i++ {
		u, d := &b.game.Units[i], b.game.def(unitID(i))
		keys := []string{"units", d.id}
		if u.At != 0 && at[u.At] {
			b.Say("WAT-8.9", "wat.scenario-place", phrase.Literal("unit", d.id), b.game.squareArg("square", u.At)).At(keys...)
		}
		at[u.At] = true
		if u.Dead && u.At != 0 {
			b.Say("WAT-9.36", "wat.check-dead", b.game.unitArg("unit", unitID(i))).At(keys...).Write("units: {" + d.id + ": {dead: true}}")
		}
		if u.Reduced && d.reduced == 0 {
			b.Say("WAT-9.36", "wat.position-reduced", b.game.unitArg("unit", unitID(i))).At(keys...).Write("units: {" + d.id + ": {reduced: ~}}")
		}
		if d.army == prussian && !b.game.prussians() && u.At != 0 {
			b.Say("WAT-3.3", "wat.position-prussian", b.game.unitArg("unit", unitID(i))).At(keys...).Write("units: {" + d.id + ": ~}")
		}
	}
	for i := range b.game.commanders {
		c := commanderID(i + 1)
		leaves := slices.ContainsFunc(b.game.Flow, func(f frame) bool { // the commander is being displaced
			place, ok := f.(*placeFrame)
			return ok && place.Commander == c
		})
		if id := b.game.unitAt(b.game.Commanders[c].At); id != 0 && !leaves && b.game.campOf(id) != b.game.lead(c).army.camp() {
			b.Say("WAT-12.1", "wat.position-commander", b.game.commanderArg("commander", c), b.game.unitArg("unit", id)).At("commanders")
		}
	}
}

// decks finds cards that are not where they can be. Each card is in one place; cards that
// are in none are the hidden part of the reserve, cards that were shown its known part
// (WAT-6.0, WAT-7.4).
func (b *breaches) decks() {
	for a := french; a <= prussian; a++ {
		keys := []string{"cards", a.String()}
		seen := map[cardID]bool{}
		for _, zone := range [...][]cardID{b.game.Decks[a].Hand, b.game.Decks[a].Used, b.game.Decks[a].Shown, b.game.Decks[a].Committed} {
			for _, c := range zone {
				if c == 0 || b.game.card(c).army != a || seen[c] {
					text := ""
					if c != 0 {
						text = b.game.card(c).id
					}
					b.Say("WAT-6.0", "wat.position-card", phrase.Literal("card", text), armyArg("army", a)).At(keys...)
				}
				seen[c] = true
			}
		}
		if a == prussian && !b.game.prussians() && len(seen) > 0 {
			b.Say("WAT-3.3", "wat.position-card", phrase.Literal("card", ""), armyArg("army", a)).At(keys...)
		}
	}
}

// fixed finds options that were settled when the board was laid out: length,
// players and set-up of a game stay what they were.
func (b *breaches) fixed(was *game) {
	menu := b.game.menu()
	for _, o := range menu.Options {
		if name := o.Name; name == "scenario-length" || name == "players" || name == "setup" {
			if before := menu.Word(&was.options, name); before != menu.Word(&b.game.options, name) {
				b.Say(o.Clause, "wat.check-fixed", phrase.Literal("option", name)).At("options", name).Write("options: {" + name + ": " + before + "}")
			}
		}
	}
}

// pieces counts the units against those that there were before, and finds marks that a
// unit can't have where it is.
func (b *breaches) pieces(was *game) {
	if len(was.Units) != len(b.game.Units) {
		b.Say("WAT-3.1", "wat.check-pieces").At("units")
		return
	}
	for i := 1; i < len(b.game.Units); i++ {
		u, old, d := &b.game.Units[i], &was.Units[i], b.game.def(unitID(i))
		keys, name := []string{"units", d.id}, b.game.unitArg("unit", unitID(i))
		switch {
		case u.At != 0 && old.At == 0 && d.arrives > b.game.Turn:
			b.Say("WAT-5.1", "wat.check-early", name, number("turn", d.arrives)).At(keys...).Write("units: {" + d.id + ": ~}")
		case u.At == 0 && !u.Dead && (old.At != 0 || old.Dead) && (d.arrives == 0 || d.arrives > b.game.Turn):
			b.Say("WAT-3.1", "wat.check-gone", name).At(keys...).Write("units: {" + d.id + ": {dead: true}}")
		case u.At == 0 && (u.Reduced || u.Disordered || u.Moved || u.Reorganised || u.Attacked):
			b.Say("WAT-9.36", "wat.check-marks", name).At(keys...)
		case b.game.roundNow() == nil && (u.Moved || u.Reorganised || u.Attacked):
			b.Say("WAT-4.9", "wat.check-markers", name).At(keys...).Write("units: {" + d.id + ": {moved: ~, reorganised: ~, attacked: ~}}")
		}
	}
}

// commandersPlaced finds a commander who was taken off the board: he is set aside only
// while no unit of his camp is on the board (WAT-12.5).
func (b *breaches) commandersPlaced(was *game) {
	for i := range b.game.commanders {
		c := commanderID(i + 1)
		if b.game.Commanders[c].At != 0 || was.Commanders[c].At == 0 {
			continue
		}
		for id := range b.game.everyUnit() {
			if b.game.campOf(id) == b.game.lead(c).army.camp() {
				b.Say("WAT-12.5", "wat.check-aside", b.game.commanderArg("commander", c)).At("commanders").
					Write("commanders: {" + b.game.lead(c).id + ": {at: " + b.game.squareID(b.game.unit(id).At) + "}}")
				break
			}
		}
	}
}

// grounds finds more destruction points than are printed, and a victory square that is
// controlled by another camp than that of the unit in it (WAT-10.4, WAT-13.1).
func (b *breaches) grounds() {
	for i := range b.game.chateaux {
		if c := &b.game.chateaux[i]; b.game.CDP[i+1] < 0 || b.game.CDP[i+1] > c.cdp {
			b.Say("WAT-10.4", "wat.check-cdp", b.game.squareArg("square", c.at), number("n", int(b.game.CDP[i+1])), number("most", int(c.cdp))).At("cdp", c.id)
		}
	}
	for i := range b.game.objectives {
		o, control := &b.game.objectives[i], b.game.Control[i+1]
		keys, where := []string{"control", o.id}, phrase.Name("objective", "objective", o.id)
		switch id := b.game.unitAt(o.at); {
		case !b.game.marked(objectiveID(i + 1)):
			if control != noCamp {
				b.Say("WAT-3.2", "wat.check-unmarked", where).At(keys...).Write("control: {" + o.id + ": ~}")
			}
		case id != 0 && b.game.campOf(id) != control:
			b.Say("WAT-13.1", "wat.check-control", where, b.game.unitArg("unit", id)).At(keys...).Write("control: {" + o.id + ": " + b.game.campOf(id).String() + "}")
		}
	}
	if q := b.game.Entry; q != 0 && !slices.ContainsFunc(b.game.entries, func(e entryDef) bool { return e.at == q }) {
		b.Say("WAT-5.3", "wat.check-entry", b.game.squareArg("square", q)).At("entry")
	}
}

// hands counts the cards: a card that was dealt in a turn is in the hand, was used, or
// lies in a battle; and it lies there only while a battle is fought (WAT-4.2, WAT-9.14).
func (b *breaches) hands() {
	dealt := b.game.outcome != nil
	if t := b.game.turnNow(); t != nil {
		dealt = t.Stage != turnDeal
	}
	fought := under[*battleFrame](b.game)
	for a := french; a <= prussian; a++ {
		d, keys, name := &b.game.Decks[a], []string{"cards", a.String()}, armyArg("army", a)
		if want := b.game.scenario.hands[a]; dealt && (a != prussian || b.game.prussians()) && b.game.Turn <= len(want) {
			n, lost := len(d.Hand)+len(d.Used)+len(d.Committed), 0
			if a == french {
				lost = b.game.takenByHealth()
			}
			if n > want[b.game.Turn-1] || n < want[b.game.Turn-1]-lost {
				b.Say("WAT-4.2", "wat.check-dealt", name, number("n", n), number("dealt", want[b.game.Turn-1]), number("turn", b.game.Turn)).At(keys...)
			}
		}
		for _, c := range d.Committed {
			if fought == nil || fought.Stage == battleCommitting || !fought.puts(c) {
				b.Say("WAT-9.14", "wat.check-committed", b.game.cardArg("card", c), name).At(keys...)
			}
		}
	}
	if fought == nil {
		return
	}
	seen := map[cardID]bool{}
	for r := attacking; r <= defending; r++ {
		for _, c := range fought.of(r).Cards {
			d := &b.game.Decks[b.game.card(c.Card).army]
			open := slices.Contains(d.Committed, c.Card) || slices.Contains(d.Used, c.Card)
			if seen[c.Card] || b.game.card(c.Card).army.camp() != b.game.fighting(fought, r).camp() ||
				fought.Stage == battleCommitting && !b.game.holds(c.Card) || fought.Stage > battleCommitting && !open {
				b.Say("WAT-9.10", "wat.check-commitment", b.game.cardArg("card", c.Card)).At("flow")
			}
			seen[c.Card] = true
		}
	}
}

// takenByHealth is how many cards the hand of the French may have lost in this turn
// (WAT-11.7).
func (g *game) takenByHealth() int {
	n := 0
	for a := range g.Decks {
		for _, c := range g.Decks[a].Used {
			if g.card(c).action == napoleonsHealth {
				n += drawnByHealth
			}
		}
	}
	return n
}

// puts tells whether a card is among the cards of either side.
func (b *battleFrame) puts(card cardID) bool {
	is := func(c commit) bool { return c.Card == card }
	return slices.ContainsFunc(b.Attack.Cards, is) || slices.ContainsFunc(b.Defence.Cards, is)
}

// going finds what does not fit the turn and the round under way, and answers for which
// the game does not wait.
func (b *breaches) going() {
	if t := b.game.turnNow(); t != nil {
		if t.Stage == turnRounds && t.First == noCamp {
			b.Say("WAT-7.1", "wat.check-first").At("flow")
		}
		if t.Stage == turnBid && t.Asked && b.game.top() == frame(t) {
			for _, side := range b.game.bidders() {
				if _, said := b.game.standingBid(armyOfSeat(side)); !said {
					b.owes(side, "WAT-7.2")
				}
			}
		}
	}
	if r := b.game.roundNow(); r != nil {
		most := min(r.Played, 1) // WAT-4.21
		if b.game.options.bank == on {
			most = r.Played
		}
		switch {
		case r.Played > b.game.limit:
			b.Say("WAT-4.4", "wat.check-played", number("n", r.Played), number("limit", b.game.limit)).At("flow")
		case r.Rights > most:
			b.Say("WAT-4.21", "wat.check-rights", number("n", r.Rights), number("most", most)).At("flow")
		case r.Camp == alliedCamp && r.Army != noArmy && r.Lock != r.Army:
			b.Say("WAT-6.6", "wat.check-lock", armyArg("army", r.Army)).At("flow")
		}
		if r.Stage == roundOpening && r.Asked && b.game.top() == frame(r) {
			for _, side := range b.game.seatsIn(alliedCamp) {
				if _, said := b.game.standingArmy(armyOfSeat(side)); !said {
					b.owes(side, "WAT-6.6")
				}
			}
		}
	}
	if m := under[*moveFrame](b.game); m != nil {
		c := b.game.card(m.Card)
		switch {
		case !slices.Contains(b.game.Decks[c.army].Used, m.Card):
			b.Say("WAT-6.4", "wat.check-moving", b.game.cardArg("card", m.Card)).At("flow")
		case m.MP+m.Spent > c.mp:
			b.Say("WAT-8.1", "wat.check-mp", b.game.cardArg("card", m.Card), number("n", m.MP+m.Spent), number("mp", c.mp)).At("flow")
		}
	}
}

// owes finds a seat that is not asked although its answer is part of the present stop: the
// seat could never answer.
func (b *breaches) owes(side engine.Side, clause string) {
	waits := slices.ContainsFunc(b.game.answered, func(l play.Left) bool { return l.To.Side == side })
	if !waits && !slices.ContainsFunc(b.game.asks, func(d engine.Decision) bool { return d.Side == side }) {
		b.Say(clause, "wat.check-owed", armyArg("army", armyOfSeat(side))).At("owed")
	}
}

// ending finds winners that are not a camp: the seats of the Allies win and lose
// together (WAT-1.5).
func (b *breaches) ending() {
	if b.game.outcome == nil || len(b.game.outcome.Winners) == 0 {
		return
	}
	if won := b.game.outcome.Winners; !slices.Equal(won, b.game.seatsIn(campOfSeat(won[0]))) {
		b.Say("WAT-1.5", "wat.check-winners").At("outcome")
	}
}
