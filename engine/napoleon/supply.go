package napoleon

import (
	"iter"
	"math/rand/v2"
	"slices"
	"strconv"

	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// supplyPhase ends a player turn: supply losses in French turns, then defeat and
// victory, then the next turn (NAP-2.1, NAP-10.6).
func (p *campaign) supplyPhase() {
	if !p.supplied {
		p.supplied = true
		p.supplyLosses()
		if len(p.asks) > 0 {
			return
		}
	}
	before := p.defeated
	p.defeat()
	if p.outcome = p.victory(before); p.outcome != nil {
		p.Tell(p.outcome.Clause, engine.Telling{To: p.everyone(), Say: p.outcome.Reason})
		return
	}
	p.endTurn()
}

// supplyDue counts the units that each army loses for supply towns in which a
// French unit stands (NAP-9.0, NAP-9.0b): never more than it has left on the
// map (NAP-9.0c, NAP-R48).
func (g *game) supplyDue() [armies]int {
	var due [armies]int
	if g.turns[g.turn].camp != frenchCamp { // NAP-2.3
		return due
	}
	for t := range g.towns {
		if town := &g.towns[t]; town.loss > 0 && g.blocks(townID(t), frenchCamp) > 0 {
			due[town.supply] += town.loss
		}
	}
	for a := range armies {
		due[a] = min(due[a], g.onMap(a))
	}
	return due
}

// onMap counts an army's units on the map.
func (g *game) onMap(a army) int {
	n := 0
	for i := range g.units {
		if u := &g.units[i]; u.army == a && !u.dead && u.town != noTown {
			n++
		}
	}
	return n
}

// supplyLosses tells how many units are lost and asks which, unless all are lost.
func (p *campaign) supplyLosses() {
	due := p.supplyDue()
	untold := due
	for t := range p.towns {
		town := &p.towns[t]
		if n := min(town.loss, untold[town.supply]); n > 0 && p.blocks(townID(t), frenchCamp) > 0 {
			untold[town.supply] -= n
			p.Tell("NAP-9.0", to(p.everyone(), "nap.supply-held", p.townArg("town", townID(t)), armyArg("army", town.supply), phrase.Number("n", n)))
		}
	}
	for a := range armies {
		if due[a] > 0 && due[a] == p.onMap(a) {
			for i := range p.units {
				if u := &p.units[i]; u.army == a && !u.dead && u.town != noTown {
					p.eliminate(u)
				}
			}
			due[a] = 0
		}
	}
	var asked []engine.Side
	for a, n := range due {
		if side := p.sideOf(army(a)); n > 0 && !slices.Contains(asked, side) {
			asked = append(asked, side)
		}
	}
	for _, side := range asked {
		p.ask([]engine.Side{side}, "supply", "")
	}
}

// supplyDue is what the side must lose, by army.
func (v *View) supplyDue() [armies]int {
	due := v.game.supplyDue()
	for a := range armies {
		if !v.own[a] {
			due[a] = 0
		}
	}
	return due
}

// supplyLeft is what each army must still lose.
func (w *listing) supplyLeft() [armies]int {
	due := w.v.supplyDue()
	for _, id := range w.units {
		due[w.v.roster[id].army]--
	}
	return due
}

// supplyForm is the stop supply: which units are lost (NAP-9.0).
var supplyForm = &form[*listing]{
	Begin:    listingFor,
	Misspelt: true,
	Fields: []formField[*listing]{unitList("remove", "remove", rule[*listing, unitID]{
		Read: func(w *listing, r *orders.Reader, n *orders.Node) (unitID, bool) {
			return w.v.pickUnit(r, n, w.v.livingUnits())
		},
		Next: func(w *listing) iter.Seq[unitID] {
			return func(yield func(unitID) bool) {
				due := w.supplyLeft()
				for _, id := range w.v.livingUnits() {
					if due[w.v.roster[id].army] > 0 && !yield(id) {
						return
					}
				}
			}
		},
		May: func(w *listing, id unitID) *fault {
			if containsUnit(w.units, id) {
				return refusal("NAP-9.0", "nap.named-twice", w.v.idArg("unit", id))
			}
			return nil
		},
		End: func(w *listing, _ int, whole bool) []*fault {
			var wrong []*fault
			due, left := w.v.supplyDue(), w.supplyLeft()
			for who := range armies {
				if whole && w.v.own[who] && left[who] != 0 {
					wrong = append(wrong, refusal("NAP-9.0", "nap.supply-number", armyArg("army", who), phrase.Number("due", due[who]), phrase.Number("named", due[who]-left[who])))
				}
			}
			return wrong
		},
		Order: byID,
		Say: func(v *View, id unitID) engine.Choice {
			return engine.Choice{Of: v.unitName(id), What: "remove", Shown: v.brief(id)}
		},
	})},
	Usual: func(x *saying[*listing]) { removeFirst(x, x.View.givenUp()) },
	Fill:  func(x *saying[*listing]) { removeFirst(x, append(x.View.givenUp(), x.View.livingUnits()...)) },
	Chance: func(x *saying[*listing], chance *rand.Rand) {
		removeFirst(x, shuffled(x.View.livingUnits(), chance))
	},
	Note: func(x *saying[*listing], n *orders.Node) {
		v := x.View
		var lines []string
		for who, n := range v.supplyDue() {
			if n > 0 {
				own := slices.DeleteFunc(v.livingUnits(), func(id unitID) bool { return v.roster[id].army != army(who) })
				lines = append(lines, army(who).String()+" "+strconv.Itoa(n)+": "+v.briefs(own))
			}
		}
		above(n.Pairs[0].Value, lines)
	},
	Do: func(p *campaign, _ engine.Decision, w *listing) {
		for _, id := range w.inOrder() {
			p.eliminate(&p.units[id])
		}
	},
}

// inOrder are the units in the order in which they are lost: as a standing order names them,
// else by id.
func (w *listing) inOrder() []unitID {
	if w.asNamed {
		return w.units
	}
	return w.sorted()
}

// givenUp are the units that are lost by default: the weakest, leaders last, then the
// highest ids.
func (v *View) givenUp() []unitID {
	ids, due := v.livingUnits(), v.supplyDue()
	slices.SortFunc(ids, func(x, y unitID) int {
		a, b := v.unit(x), v.unit(y)
		if la, lb := a.kind == leader, b.kind == leader; la != lb {
			if la {
				return 1
			}
			return -1
		}
		if a.strength != b.strength {
			return int(a.strength) - int(b.strength)
		}
		return int(y) - int(x)
	})
	ids = slices.DeleteFunc(ids, func(id unitID) bool {
		due[v.roster[id].army]--
		return due[v.roster[id].army] < 0
	})
	slices.Sort(ids)
	return ids
}

// removeFirst gives up the first of some units, of each army as many as are due.
func removeFirst(x *saying[*listing], ids []unitID) {
	left := x.World.supplyLeft()
	for _, id := range ids {
		if a := x.View.roster[id].army; left[a] > 0 && x.Try("remove", id) {
			left[a]--
		}
	}
}
