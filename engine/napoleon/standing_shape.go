package napoleon

import "berthier/engine/shape"

// Pieces of which standing orders are made.
var (
	anyTown    = shape.Either(shape.Words("any"), townShape)
	someTowns  = shape.Filled(townShape)
	quarryList = shape.Filled(shape.Either(shape.Words(classWords...), unitShape))
	// measure is a comparison, such as >=3: what is wrong with one, the judge tells.
	measure = shape.Name("measure")
)

// planShape is how a battle plan is written.
var planShape = shape.RecordOf([]string{"rules", "use"},
	shape.May("at", anyTown),
	shape.May("role", shape.Words(roleWords[:]...)),
	shape.May("turns", shape.Either(shape.Words("all"), shape.Number(1, mostPlanTurns))),
	shape.May("use", shape.Words(planWords...)),
	shape.May("pos", columnShape),
	shape.May("rules", shape.Filled(shape.Record(
		shape.May("when", shape.Either(shape.Words("always"), shape.Filled(conditionShape))),
		shape.Need("do", deedShape),
	))),
	shape.May("ask-when", shape.Filled(shape.Name("measure"))),
)

// conditionShape is how a condition of a plan is written; a map may hold several.
var conditionShape = shape.Either(shape.Words(stateWords...), shape.Record(
	shape.May("in", shape.Words(inWords...)),
	shape.May("pos", columnShape),
	shape.May("type", shape.Filled(shape.Words(classWords...))),
	shape.May("unit", shape.Filled(unitShape)),
	shape.May("strength", measure),
	shape.May("enemy", shape.Words(enemyWords...)),
	shape.May("battle-turn", measure),
	shape.May("total", measure),
	shape.May("role", shape.Words(roleWords[1:]...)),
))

// deedShape is how it is written what a plan does.
var deedShape = shape.Either(shape.Words(deedWords...), shape.Verbs(
	shape.May("fire", groupShape),
	shape.May("engage", columnShape),
	shape.May("support", columnShape),
	shape.May("disengage", shape.Words("reserve")),
	shape.May("move", pathShape),
	shape.May("fire-move", pathShape),
	shape.May("move-fire", pathShape),
	shape.May("shelter", shape.Either(shape.Words("any"), unitShape)),
	shape.May("swap", unitShape),
	shape.May("occupy", shape.Words("farm", "hill")),
	shape.May("retreat", someTowns),
))

// standingShape is how standing orders are written.
var standingShape = shape.OrNone(shape.Filled(shape.Verbs(
	shape.May("casualties", shape.Record(shape.May("lose-first", quarryList), shape.May("spare", quarryList))),
	shape.May("retreat-to", shape.Record(shape.May("at", anyTown), shape.Need("towns", someTowns))),
	shape.May("sacrifice", quarryList),
	shape.May("regroup", shape.Words("none")),
	shape.May("reinforce", shape.OrNone(shape.Record(
		shape.Need("to", anyTown),
		shape.May("from", shape.Either(shape.Words("any"), someTowns)),
		shape.May("keep", shape.Number(0, mostNamed)),
		shape.May("per-turn", shape.Either(shape.Words("max"), shape.Number(1, mostNamed))),
	))),
	shape.May("skirmish", shape.Record(shape.Need("show", shape.Either(shape.Words("strongest", "weakest"), unitsShape)))),
	shape.May("battle-order", shape.Filled(shape.Either(shape.Words("rest"), townShape))),
	shape.May("morale-order", shape.Filled(shape.Either(columnShape, unitShape))),
	shape.May("terrain", shape.Record(shape.May("wood", columnShape), shape.May("farm", columnShape), shape.May("stream", columnShape), shape.May("hill", columnShape))),
	shape.May("supply-losses", unitsShape),
	shape.May("deploy", shape.Record(
		shape.May("at", anyTown), shape.May("role", shape.Words(roleWords[:]...)),
		shape.May("left", unitsShape), shape.May("center", unitsShape), shape.May("right", unitsShape), shape.May("reserve", unitsShape),
		shape.May("farm", heldShape), shape.May("hill", heldShape),
	)),
	shape.May("plan", planShape),
	shape.May("moves", shape.Record(shape.Need("turn", shape.Number(1, mostNamed)), shape.Need("orders", moveShape))),
	shape.May("bid", shape.Record(shape.Need("camp", shape.Words(campWords[:]...)), shape.Need("up-to", shape.Number(0, mostBidden)))),
)))

// mostNamed is more than any scenario has units or turns.
const mostNamed = 999

// answeredBy are the standing orders that may answer a kind of stop.
var answeredBy = map[string][]string{
	"bid":              {"bid"},
	"move":             {"moves"},
	"battle-order":     {"battle-order"},
	"skirmish":         {"skirmish"},
	"skirmish-retreat": {"retreat-to"},
	"hits":             {"casualties"},
	"terrain-attacker": {"terrain"},
	"terrain-defender": {"terrain"},
	"deploy-defender":  {"deploy"},
	"deploy-attacker":  {"deploy"},
	"morale-order":     {"morale-order"},
	"battle-turn":      {"plan"},
	"reinforce":        {"reinforce"},
	"rout":             {"retreat-to", "sacrifice"},
	"regroup":          {"regroup"},
	"stalemate":        {"retreat-to"},
	"supply":           {"supply-losses"},
}
