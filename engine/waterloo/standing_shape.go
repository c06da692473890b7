package waterloo

import (
	"slices"

	"berthier/engine/shape"
)

// someUnits is a list of units, or any of them.
var someUnits = shape.Either(shape.Words("any"), unitsShape)

// turnsShape is a list of directions, the best first.
var turnsShape = shape.Filled(faceShape)

// windowShape is what is done in a window of artillery.
var windowShape = shape.Words("hold", "ask")

// lossesShape is in what order ways to take a defeat are tried.
var lossesShape = shape.Filled(shape.Words(lossWords[:]...))

// standingShape is how standing orders are written.
var standingShape = shape.OrNone(shape.Record(standingParts...))

// standingParts are the keys of standing orders.
var standingParts = []shape.Key{
	shape.May("initiative", shape.Record(shape.Need("bid", shape.Either(shape.Words("none", "lowest", "highest", "ask"), cardShape,
		shape.Record(shape.Need("min-mp", shape.Number(1, 99)), shape.May("keep", shape.Filled(shape.Words(keptWords[1:]...)))))))),
	shape.May("army", shape.Record(shape.Need("prefer", shape.Filled(shape.Words("anglo", "prussian"))))),
	shape.May("artillery", shape.Record(
		shape.May("fire", shape.Words("best")),
		shape.May("windows", shape.Either(windowShape, windowsShape())),
		shape.May("keep", shape.Number(0, 99)),
		shape.May("rules", shape.Filled(shape.Record(
			shape.May("at", someUnits), shape.May("state", shape.Words(stateWords[:]...)),
			shape.May("by", someUnits), shape.May("when", shape.Words(append([]string{"any"}, windowWords[atRoundStart:]...)...)),
		))),
	)),
	shape.May("cavalry-retreat", shape.Record(
		shape.May("default", shape.Words(retreatWords[:]...)),
		shape.May("rules", shape.Filled(shape.Record(shape.Need("unit", unitShape), shape.Need("do", shape.Words(retreatWords[:]...)),
			shape.May("to", turnsShape), shape.May("face", faceShape)))),
	)),
	shape.May("battle", shape.Record(
		shape.May("default", shape.Words("none", "ask")),
		shape.May("rules", shape.Filled(shape.Record(
			shape.Need("unit", unitShape),
			shape.Need("reach", shape.Either(shape.Words("tie"), shape.Record(shape.Need("margin", shape.Number(0, 99))))),
			shape.May("max-cards", shape.Number(1, 99)), shape.May("max-bp", shape.Number(1, 99)),
			shape.May("use", shape.Filled(shape.Words(useWords[:]...))),
			shape.May("artillery", shape.Words("strongest", "weakest")),
			shape.May("if-short", shape.Words("none", "all")),
		))),
	)),
	shape.May("loss", shape.Record(
		shape.May("default", shape.Either(shape.Words("ask"), lossesShape)),
		shape.May("rules", shape.Filled(shape.Record(
			shape.May("unit", unitShape), shape.May("square", squareShape), shape.Need("order", lossesShape),
			shape.May("to", turnsShape), shape.May("face", faceShape),
		))),
	)),
	shape.May("advance", shape.Either(shape.Words("best"), shape.Record(shape.May("prefer", unitsShape), shape.May("face", faceShape)))),
	shape.May("attacker-loss", unitsShape),
	shape.May("commander", shape.Record(shape.Need("to", unitsShape))),
}

// partShape is how the standing order of a key is written.
func partShape(key string) shape.Shape {
	return standingParts[slices.IndexFunc(standingParts, func(k shape.Key) bool { return k.Key == key })].Value
}

// windowsShape is what is done window by window.
func windowsShape() shape.Shape {
	var keys []shape.Key
	for _, word := range windowWords[atRoundStart:] {
		keys = append(keys, shape.May(word, windowShape))
	}
	return shape.Record(keys...)
}

// answeredBy are the standing orders that may answer a kind of stop.
var answeredBy = map[string][]string{
	stopBid:            {"initiative"},
	stopArmy:           {"army"},
	stopCavalryRetreat: {"cavalry-retreat"},
	stopArtillery:      {"artillery"},
	stopRevealed:       {"artillery"},
	stopCommit:         {"battle"},
	stopLoss:           {"loss"},
	stopAttackerLoss:   {"attacker-loss"},
	stopAdvance:        {"advance"},
	stopCommander:      {"commander"},
}
