package napoleon

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

func init() { stops["supply"] = supplyStop{} }

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

// supplyLosses tells what is lost and asks who it shall be, unless all go or a
// standing order says.
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
		d := engine.Decision{Side: side, Kind: "supply"}
		if chosen, ok := p.supplyByStanding(d, due); ok {
			for _, id := range chosen {
				p.eliminate(&p.units[id])
			}
			continue
		}
		p.ask([]engine.Side{side}, d.Kind, d.At)
	}
}

// supplyByStanding chooses the losses by the standing order supply_losses, if
// the units that it names suffice.
func (p *campaign) supplyByStanding(d engine.Decision, due [armies]int) ([]unitID, bool) {
	var chosen []unitID
	for _, id := range p.standing[p.seatOf(d.Side)].supplyLosses {
		u := &p.units[id]
		if due[u.army] > 0 && !u.dead && u.town != noTown && p.sideOf(u.army) == d.Side {
			due[u.army]--
			chosen = append(chosen, id)
		}
	}
	for a, n := range due {
		if n > 0 && p.sideOf(army(a)) == d.Side {
			return nil, false
		}
	}
	p.useStanding(d, "supply_losses")
	return chosen, true
}

// supplyStop is the stop supply (NAP-9.0).
type supplyStop struct{}

// supplyAnswer names the units that are lost.
type supplyAnswer struct {
	s     *scenario
	units []unitID
}

func (a supplyAnswer) Node() *orders.Node {
	return orders.Mapping().Set("remove", a.s.unitTexts(a.units))
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

func (supplyStop) Read(v *View, d engine.Decision, r *orders.Reader, body *orders.Node) play.Reply {
	if body == nil || r.Is(body, "default") {
		return supplyStop{}.Fallback(v, d)
	}
	before := len(r.Problems)
	f := r.Fields(body, "remove")
	list := f.Get("remove")
	if list == nil {
		if len(r.Problems) == before {
			r.Require(f, "remove")
		}
		return nil
	}
	a := supplyAnswer{s: v.scenario}
	own, due := v.livingUnits(), v.supplyDue()
	var named [armies]int
	whole := true
	for _, item := range r.List(list) {
		id, ok := v.pickUnit(r, item, own)
		switch {
		case !ok:
			whole = false
		case slices.Contains(a.units, id):
			r.Refuse(item, "NAP-9.0", phrase.Say("nap.named-twice", v.idArg("unit", id)))
			whole = false
		default:
			a.units = append(a.units, id)
			named[v.roster[id].army]++
		}
	}
	for who := range armies {
		if whole && v.own[who] && named[who] != due[who] {
			r.Refuse(list, "NAP-9.0", phrase.Say("nap.supply-number", armyArg("army", who), phrase.Number("due", due[who]), phrase.Number("named", named[who])))
		}
	}
	slices.Sort(a.units)
	return a
}

func (supplyStop) Template(v *View, d engine.Decision) *orders.Node {
	a := supplyStop{}.Fallback(v, d).(supplyAnswer)
	n := a.Node()
	var lines []string
	due := v.supplyDue()
	for who := range armies {
		if due[who] == 0 {
			continue
		}
		var names []string
		for _, id := range v.livingUnits() {
			if v.roster[id].army == who {
				names = append(names, v.brief(id))
			}
		}
		lines = append(lines, who.String()+" "+strconv.Itoa(due[who])+": "+strings.Join(names, ", "))
	}
	n.Pairs[0].Value.Above = strings.Join(lines, "\n")
	return n
}

// fallback takes the weakest, leaders last, then the highest ids.
func (supplyStop) Fallback(v *View, d engine.Decision) play.Reply {
	return v.supplyChoice(func(ids []unitID) {
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
	})
}

func (supplyStop) Random(v *View, d engine.Decision, chance *rand.Rand) play.Reply {
	return v.supplyChoice(func(ids []unitID) {
		chance.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	})
}

// supplyChoice takes the first units due of each army in an order.
func (v *View) supplyChoice(order func([]unitID)) supplyAnswer {
	a := supplyAnswer{s: v.scenario}
	due := v.supplyDue()
	ids := v.livingUnits()
	order(ids)
	for _, id := range ids {
		if who := v.roster[id].army; due[who] > 0 {
			due[who]--
			a.units = append(a.units, id)
		}
	}
	slices.Sort(a.units)
	return a
}

func (supplyStop) Take(p *campaign, d engine.Decision, a play.Reply) {
	for _, id := range a.(supplyAnswer).units {
		p.eliminate(&p.units[id])
	}
}
