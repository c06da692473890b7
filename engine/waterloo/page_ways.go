package waterloo

import (
	"slices"
	"strconv"

	"berthier/engine"
	"berthier/engine/sheet"
	"berthier/orders/phrase"
)

// stands says in words what the map shows around the side's own units: who stands where,
// square by square from the north, and the enemies beside them. An ally's units count as neither.
func (v *View) stands() []phrase.Phrase {
	mine := func(u unitID) bool { return v.own[v.armyOf(u)] }
	all := [camps][]phrase.Value{}
	for q := square(1); int(q) <= v.squares(); q++ {
		u := v.unitAt(q)
		if u == 0 {
			continue
		}
		if mine(u) || slices.ContainsFunc(v.beside(u), mine) {
			all[v.campOf(u)] = append(all[v.campOf(u)], v.stand(u, q))
		}
	}
	var lines []phrase.Phrase
	for _, c := range v.campsInOrder() {
		if len(all[c]) > 0 {
			lines = append(lines, phrase.Say("wat.ways.camp", campArg("camp", c), sheet.Filled("units", sheet.List(all[c]...))))
		}
	}
	if len(lines) > 0 {
		lines = append(lines, phrase.Say("wat.ways.key"))
	}
	return lines
}

// stand tells of a unit on the board: its square, the way it faces, and its value of what it
// was at first.
func (v *View) stand(u unitID, q square) phrase.Value {
	args := []argument{phrase.Literal("square", v.squareID(q)), facingArg("face", v.unit(u).Face), phrase.Literal("unit", v.def(u).id),
		phrase.Literal("value", strconv.Itoa(v.value(u))+"/"+strconv.Itoa(v.def(u).full))}
	marks := ""
	if v.unit(u).Disordered {
		marks += "?"
	}
	if len(v.beside(u)) > 0 {
		marks += "!"
	}
	if marks != "" {
		args = append(args, phrase.Literal("marks", marks))
	}
	return sheet.Phrase("wat.ways.unit", args...)
}

// decks tell of each deck how its cards lie.
func (v *View) decks() phrase.Phrase {
	var all []phrase.Value
	for a := french; a <= prussian; a++ {
		if a == prussian && !v.prussians() {
			continue
		}
		d := &v.Decks[a]
		used := len(d.Used) + len(d.Committed)
		all = append(all, sheet.Phrase("wat.page.deck", armyArg("army", a), phrase.Number("hand", len(d.Hand)), phrase.Number("used", used),
			phrase.Number("left", len(v.deckOf(a))-len(d.Hand)-used)))
	}
	return phrase.Say("wat.page.deck-counts", sheet.Filled("decks", sheet.List(all...)))
}

// handLines list the hands that the side sees, card by card.
func (v *View) handLines() []phrase.Phrase {
	var all []phrase.Phrase
	for a := french; a <= prussian; a++ {
		if !v.seesHand(a) || a == prussian && !v.prussians() {
			continue
		}
		if len(v.Decks[a].Hand) == 0 {
			all = append(all, phrase.Say("wat.page.hand-empty", armyArg("army", a)))
			continue
		}
		all = append(all, phrase.Say("wat.page.hand-cards", armyArg("army", a), v.briefs(v.Decks[a].Hand)))
	}
	return append(all, v.decks())
}

// battleLines say in words of a table who fights with how many points.
func (v *View) battleLines(lines []phrase.Phrase, t *engine.Table) []phrase.Phrase {
	all := append([]phrase.Phrase(nil), lines...)
	for _, row := range t.Rows {
		args := []argument{sheet.Filled("role", row[0]), sheet.Filled("unit", row[1]), sheet.Filled("position", row[2]), sheet.Filled("points", row[3])}
		if !sheet.Blank(row[4]) {
			args = append(args, sheet.Filled("state", row[4]))
		}
		all = append(all, phrase.Say("wat.page.battle-line", args...))
	}
	return all
}
