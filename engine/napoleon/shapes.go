package napoleon

import (
	"slices"

	"berthier/engine/shape"
	"berthier/orders"
)

// Names implements [engine.Namer].
func (v *View) Names(kind string) []orders.Choice {
	switch kind {
	case "town":
		return slices.Clone(v.pick)
	case "unit":
		all := make([]orders.Choice, len(v.roster))
		for i, u := range v.roster {
			all[i] = orders.Choice{ID: u.id, Names: []string{u.name}}
		}
		return all
	}
	return nil
}

// How order files are written, whatever may be ordered.
var (
	unitShape   = shape.Name("unit")
	townShape   = shape.Name("town")
	unitsShape  = shape.Some("unit")
	columnShape = shape.Words(placeWords[:]...)
	// whoShape are the units of an action: one, or a list.
	groupShape = shape.Words("squares", "others")
	pathShape  = shape.Filled(shape.Words("left", "center", "right", "reserve", "forward"))
	// townsShape are {TOWN: [units], ...}, or none.
	townsShape = townLists.Shape()
	shiftShape = shape.OrNone(shape.Record(shape.May("in", townsShape), shape.May("out", townsShape)))
)

// deployShape is how it is written who stands in which town.
var deployShape = shape.Map(townShape, unitsShape)

// terrainShape is how it is written where pieces of terrain lie.
var terrainShape = shape.Record(shape.May("wood", shape.Filled(columnShape)), shape.May("farm", shape.Filled(columnShape)),
	shape.May("stream", shape.Filled(columnShape)), shape.May("hill", shape.Filled(columnShape)))

// boardShape is how it is written where units begin a battle.
var boardShape = shape.Record(shape.May("left", unitsShape), shape.May("center", unitsShape), shape.May("right", unitsShape),
	shape.May("reserve", unitsShape), shape.May("farm", heldShape), shape.May("hill", heldShape))

// heldShape is who occupies something in which position.
var heldShape = shape.Record(shape.May("left", unitShape), shape.May("center", unitShape), shape.May("right", unitShape))

// moveShape is how a movement order is written.
var moveShape = shape.Either(shape.Words("default", "none"), shape.Filled(movesShape))

// closedShape is how the list is written at its stop, where the word end may close it.
var closedShape = shape.Filled(shape.Either(shape.Words("end"), ordersOfMove(shape.May("force", shape.Words("yes", "no")))))

// movesShape is how one order of a movement that is to come is written.
var movesShape = ordersOfMove()

// ordersOfMove is how one order of a movement is written, with so many more keys of a march; a
// march also as its towns in a row.
func ordersOfMove(more ...shape.Key) shape.Shape {
	keys := []shape.Key{shape.Need("from", townShape), shape.May("via", shape.Filled(townShape)), shape.Need("to", townShape), shape.Need("units", unitsShape)}
	return shape.InShort(shape.Verbs(
		shape.May("move", shape.Record(append(keys, more...)...)),
		shape.May("forced", unitsShape),
		shape.May("reveal", shape.Filled(unitShape)),
		shape.May("night-march", shape.Filled(unitShape)),
	), "[move] {move.from} - [{move.via/-} -] {move.to}: {move.units}")
}

// turnShape is how the orders for a battle turn are written.
var turnShape = shape.Either(shape.Words("none", "plan", "hold"), shape.Record(
	shape.May("at", townShape),
	shape.May("plan", shape.Either(shape.Words(ledBy...), shape.Verbs(shape.May("assault", columnShape)))),
	shape.May("actions", shape.Ended(actionShape)),
	shape.May("show", unitsShape),
	shape.May("then", shape.Words("ask", "end")),
	shape.May("on-fail", shape.Words("ask", "continue")),
	shape.May("reinforce", townsShape),
	shape.May("regroup", shiftShape),
))
