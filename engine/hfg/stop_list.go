package hfg

import (
	"math/rand/v2"

	"berthier/engine/shape"
	"berthier/orders"
)

// The stop list (HFG-S1): the army, and what it would buy.

var (
	idShape      = shape.Name("name")
	troopShape   = shape.Either(shape.Words(troopWordsListed()...), shape.Map(shape.Words(troopWordsListed()...), shape.Either(shape.Words(gradeWords[1:]...), shape.List(shape.Words(gradeWords[1:]...)))))
	bought1Shape = shape.Filled(shape.RecordOf(provisionWords[1:], func() []shape.Key {
		var keys []shape.Key
		for _, word := range provisionWords[1:] {
			keys = append(keys, shape.May(word, shape.Number(1, mostListed)))
		}
		return keys
	}()...))
	listShape = shape.Record(
		shape.May("list", shape.Name("list")),
		shape.May("year", shape.Number(firstYear, lastYear)),
		shape.May("nation", shape.Name("nation")),
		shape.May("native", shape.Words("yes", "no")),
		shape.May("commands", shape.List(shape.Record(
			shape.Need("id", idShape), shape.Need("kind", shape.Words(rankWords[1:]...)), shape.Need("general", idShape),
			shape.May("name", shape.Name("name")), shape.May("nation", shape.Name("nation")), shape.May("under", idShape),
			shape.May("aggression", shape.Number(0, mostAggression)), shape.May("elements", shape.List(idShape))))),
		shape.May("elements", shape.Map(idShape, troopShape)),
		shape.May("defending", shape.Either(shape.Words("none"), bought1Shape)),
		shape.May("attacking", shape.Either(shape.Words("none"), bought1Shape)),
	)
)

// troopWordsListed are the types that a list may have.
func troopWordsListed() []string {
	all := make([]string, len(troopChoices))
	for i, c := range troopChoices {
		all[i] = c.ID
	}
	return all
}

// listPreface is the stop list.
var listPreface = preface[*listOrder]{
	step:  listing,
	shape: listShape,
	read:  readList,
	write: func(g *game, _ side, o *listOrder) *orders.Node { return g.writeList(o) },
	usual: func(g *game, of side) *listOrder { return g.usualList(of) },
	chance: func(g *game, of side, chance *rand.Rand) *listOrder {
		o := g.usualList(of)
		a := *o.army
		a.defending, a.attacking = some(a.defending, chance), some(a.attacking, chance)
		return &listOrder{base: o.base, army: &a}
	},
	choices: chooseList,
	primer:  listPrimer,
	do:      func(p *prologue, of side, o *listOrder) { p.enlist(of, o) },
}

// some are purchases, of each some or none.
func some(all []purchase, chance *rand.Rand) []purchase {
	var kept []purchase
	for _, p := range all {
		if n := chance.IntN(p.number + 1); n > 0 {
			kept = append(kept, purchase{what: p.what, number: n})
		}
	}
	return kept
}

// wordsOf are preparations as files write them.
func wordsOf(all []provision) string {
	text := ""
	for i, p := range all {
		if i > 0 {
			text += ", "
		}
		text += p.String()
	}
	return text
}
