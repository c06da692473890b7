package waterloo

import (
	"slices"

	"berthier/engine/shape"
	"berthier/orders"
)

// Names implements [engine.Namer]. Where a unit moves, a commander may.
func (v *View) Names(kind string) []orders.Choice {
	var all []orders.Choice
	commanders := func() {
		for _, c := range v.commanders {
			all = append(all, orders.Choice{ID: c.id, Names: []string{c.name}})
		}
	}
	switch kind {
	case "unit":
		for _, u := range v.roster {
			all = append(all, orders.Choice{ID: u.id, Names: []string{short(u.id), u.name}})
		}
		commanders()
	case "commander":
		commanders()
	case "card":
		for _, c := range v.cards {
			all = append(all, orders.Choice{ID: c.id})
		}
	case "square":
		for _, id := range v.squareIDs {
			all = append(all, orders.Choice{ID: id})
		}
	case "entry":
		for _, e := range v.entries {
			all = append(all, orders.Choice{ID: e.id, Names: []string{v.squareID(e.at)}})
		}
	}
	return all
}

// How order files are written, whatever may be ordered.
var (
	unitShape   = shape.Name("unit")
	cardShape   = shape.Name("card")
	squareShape = shape.Name("square")
	entryShape  = shape.Name("entry")
	unitsShape  = shape.Filled(unitShape)
	turnedShape = shape.Words("n", "e", "s", "w")
	faceShape   = shape.Words("n", "e", "s", "w", "keep")
)

// pathShape is how a path is written: squares and turns in their order.
var pathShape = shape.Filled(shape.Either(shape.Said("face", turnedShape), squareShape,
	shape.InShort(shape.Record(shape.Need("to", squareShape), shape.May("face", faceShape)), "{to} face {face}"), shape.Record(shape.Need("face", turnedShape))))

// movesShape is how the moves of a card are written.
var movesShape = shape.List(shape.InShort(
	shape.Record(shape.Need("unit", unitShape), shape.May("path", pathShape), shape.May("at", entryShape), shape.May("face", faceShape)),
	"{unit} - {path/-}", "{unit} at {at} [face {face}] [- {path/-}]"))

// entersShape is how reinforcements are written with where they enter.
var entersShape = shape.List(shape.Record(shape.Need("unit", unitShape), shape.Need("at", entryShape), shape.May("face", faceShape), shape.May("path", pathShape)))

// commitShape is how a card for a battle is written.
var commitShape = shape.Either(cardShape, shape.InShort(shape.Record(
	shape.Need("card", cardShape), shape.May("as", shape.Words(useWords[:]...)),
	shape.May("by", unitShape), shape.May("side", faceShape), shape.May("unit", unitShape),
), "{card} [as {as}] by {by} [side {side}]", "{card} as {as} [unit {unit}]"))

// advanceShape is how it is written who advances.
var advanceShape = shape.Either(unitShape, shape.InShort(shape.Record(shape.May("unit", unitShape), shape.May("face", faceShape)), "[{unit}] face {face}"))

// attackShape is how an attack is written.
var attackShape = shape.OrNone(shape.InShort(shape.Record(
	shape.Need("target", shape.Name("target")), shape.Need("with", unitsShape), shape.May("cards", shape.List(commitShape)),
	shape.May("advance", advanceShape), shape.May("after", shape.Words("go", "ask")),
), "{target} with {with} [cards {cards}] [advance {advance}] [after {after}]"))

// stepShape is how a step of a round is written; also as a card, and behind a colon what it does.
var stepShape = shape.InShort(shape.RecordWith([]string{"end", "attack", "card"},
	shape.May("card", cardShape),
	shape.May("move", movesShape),
	shape.May("enter", entersShape),
	shape.May("action", shape.Words(slices.DeleteFunc(slices.Clone(stepWords[:]), func(w string) bool { return w == "" })...)),
	shape.May("by", unitShape),
	shape.May("side", faceShape),
	shape.May("unit", unitShape),
	shape.May("target", unitShape),
	shape.May("cards", shape.List(commitShape)),
	shape.May("advance", advanceShape),
	shape.May("rally", unitsShape),
	shape.May("flip", unitShape),
	shape.May("attack", attackShape),
	shape.May("on-reaction", shape.Words(reactionWords[:]...)),
	shape.May("end", shape.Words("round")),
),
	"{card}: {move} [; on-reaction {on-reaction}] [; attack {attack}]",
	"{card}: attack {attack}",
	"{card}: {action} by {by} [side {side}] [; attack {attack}]",
	"{card}: {action} {unit} target {target} [cards {cards}] [advance {advance}] [; attack {attack}]",
	"{card}: {action} [rally {rally}] [; attack {attack}]",
	"{card}: {action} flip {flip} [; attack {attack}]",
)

// roundShape is how the steps of a round are written.
var roundShape = shape.Filled(shape.Either(shape.Words("end"), stepShape))

// lossShape is how it is written how a defeat is taken.
var lossShape = shape.Record(
	shape.Need("loss", shape.Either(shape.Words("cdp", "retreat", "reduce"),
		shape.InShort(shape.Record(shape.Need("cdp", shape.Number(1, 2)), shape.May("for", shape.Words("retreat", "reduction"))), "cdp {cdp} [for {for}]"))),
	shape.May("to", squareShape), shape.May("face", faceShape),
)
