package napoleon

import (
	"iter"
	"math/rand/v2"
	"slices"
	"strconv"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// The stops at which units are given towns: reinforce, the retreats and regroup.

// townLists are {TOWN: [units], ...}.
var townLists = play.Lists[*View, townID, unitID, place]{
	Where: townNames,
	What: kindOf[unitID]{
		Shape: unitShape,
		Read: func(v *View, r *orders.Reader, n *orders.Node) (unitID, bool) {
			return v.pickUnit(r, n, v.livingUnits())
		},
		Write: func(v *View, id unitID) *orders.Node { return orders.Text(v.unitName(id)) },
	},
	Title: "TOWN",
	Twice: func(v *View, id unitID) *fault { return refusal("", "nap.named-twice", v.idArg("unit", id)) },
	Join:  func(t townID, id unitID) place { return place{id, t} },
	Split: func(pl place) (townID, unitID) { return pl.town, pl.unit },
}

// ofUnit is a fault of the rules that concerns one unit.
func (s *scenario) ofUnit(id unitID, f *fault) *fault {
	if f == nil {
		return nil
	}
	return refusal(f.Clause, "nap.act-refused", s.idArg("unit", id), phrase.Within("why", f.Why))
}

// A bringing is the world of the stop reinforce: who comes so far.
type bringing struct {
	v    *View
	b    *battle
	come []place
}

// fault tells why a unit may not come as well.
func (w *bringing) fault(pl place) *fault {
	try := allotment{append(w.come[:len(w.come):len(w.come)], pl)}
	at, f := w.v.reinforceFault(w.b, try)
	return w.v.ofUnit(try.places[at].unit, f)
}

// mayCome are the units that might come, each from its town.
func (w *bringing) mayCome(yield func(place) bool) {
	for _, id := range w.v.livingUnits() {
		if u := w.v.unit(id); w.v.mayReinforce(w.b, u) == nil && !yield(place{id, u.town}) {
			return
		}
	}
}

// reinforceForm is the stop reinforce: who comes to a battle (NAP-6.34).
var reinforceForm = &form[*bringing]{
	Begin: func(v *View, d engine.Decision) (*bringing, bool) {
		b := v.battleOf(d)
		return &bringing{v: v, b: b}, b != nil
	},
	Misspelt: true,
	Fields: []formField[*bringing]{play.Places("reinforce", townLists, func(w *bringing, t townID) []unitID { return w.v.ableToCome(w.b, t) }, rule[*bringing, place]{
		Next: func(w *bringing) iter.Seq[place] { return w.mayCome },
		May:  (*bringing).fault,
		Put:  func(w *bringing, pl place) { w.come = append(w.come, pl) },
		Say: func(v *View, pl place) engine.Choice {
			return engine.Choice{Of: v.unitName(pl.unit), What: v.towns[pl.town].name, Shown: v.brief(pl.unit)}
		},
	})},
	Chance: func(x *saying[*bringing], chance *rand.Rand) {
		v, b := x.View, x.World.b
		for _, road := range v.towns[b.town].roads {
			t := v.roads[road].from(b.town)
			room := v.numbers.battleRoad.of(v.roads[road]) - b.hadBrought(road)
			for _, id := range shuffled(v.group(t), chance) {
				if room > 0 && chance.IntN(3) > 0 && v.mayReinforce(b, v.unit(id)) == nil {
					x.Try("reinforce", place{id, t})
					room--
				}
			}
		}
	},
	Sense:   senseReinforce,
	Besides: func(x *saying[*bringing]) []string { return x.View.comingLines(x.World.b) },
	Note: func(x *saying[*bringing], n *orders.Node) {
		above(n.Get("reinforce"), x.View.couldCome(x.World.b))
	},
	Do: func(p *campaign, d engine.Decision, w *bringing) {
		p.bring(p.battleOf(d), allotment{slices.Clone(w.come)})
	},
}

// ableToCome are the units of a town that may come to a battle.
func (v *View) ableToCome(b *battle, t townID) []unitID {
	return slices.DeleteFunc(v.group(t), func(id unitID) bool { return v.mayReinforce(b, v.unit(id)) != nil })
}

// couldCome lists the units each of which may reinforce, by town, in the form of an order.
// Where a road is full it names none.
func (v *View) couldCome(b *battle) []string {
	var lines []string
	for _, road := range v.towns[b.town].roads {
		t := v.roads[road].from(b.town)
		able := v.ableToCome(b, t)
		if len(able) == 0 {
			continue
		}
		able = slices.DeleteFunc(able, func(id unitID) bool {
			_, f := v.reinforceFault(b, allotment{[]place{{id, t}}})
			return f != nil
		})
		lines = append(lines, v.roadLine("", t, max(v.numbers.battleRoad.of(v.roads[road])-b.hadBrought(road), 0), able))
	}
	return lines
}

// roadLine lists the units that may take the road to or from a town.
func (v *View) roadLine(word string, t townID, most int, able []unitID) string {
	line := word + v.towns[t].name + ", max " + strconv.Itoa(most)
	if len(able) > 0 {
		line += ": " + v.briefs(able)
	}
	return line
}

// A leaving is the world of the stops at which units leave a battle.
type leaving struct {
	v      *View
	b      *battle
	camp   camp
	units  []unitID // that have to leave
	places []place
	lose   []unitID // that the file gives up
	wait   bool     // a stalemate: a unit that finds no road only waits
}

// fault tells why a unit may not go by a road as well. All units are judged in the
// order of the file.
func (w *leaving) fault(pl place) *fault {
	var f *fault
	switch {
	case !containsUnit(w.units, pl.unit):
		f = refusal("NAP-7.0", "nap.leave-who")
	case containsUnit(w.lose, pl.unit):
		f = refusal("NAP-7.4b", "nap.leave-and-lose")
	default:
		var at unitID
		if at, f = w.v.leaveBy(w.b, append(w.places[:len(w.places):len(w.places)], pl)); f != nil {
			pl.unit = at
		}
	}
	return w.v.ofUnit(pl.unit, f)
}

// goes tells whether a unit has a road.
func (w *leaving) goes(id unitID) bool {
	return slices.ContainsFunc(w.places, func(pl place) bool { return pl.unit == id })
}

// lost are the units that no road takes.
func (w *leaving) lost() []unitID { return slices.DeleteFunc(slices.Clone(w.units), w.goes) }

// roomFault tells that a road stays free although a unit waits (NAP-7.4b).
func (w *leaving) roomFault() *fault {
	v, try := w.v, w.b.clone()
	for _, pl := range w.places {
		if way, f := v.wayTo(&try, v.unit(pl.unit), pl.town); f == nil {
			v.takes(&try, v.unit(pl.unit), way)
		}
	}
	exits := v.exits(&try, w.camp)
	waiting, free := 0, 0 // units that count on a road, and units that do not (NAP-5.4b)
	for _, id := range w.lost() {
		if v.weight(v.unit(id).kind) == 0 {
			free++
		} else {
			waiting++
		}
	}
	if len(exits) == 0 {
		free = 0
	}
	left := min(waiting, room(exits)) + free
	if left == 0 {
		return nil
	}
	f := refusal("NAP-7.4b", "nap.leave-room", phrase.Number("n", left))
	f.Remedy = phrase.Say("nap.leave-room-remedy", phrase.Literal("towns", v.exitNames(exits)))
	return f
}

// givenUp is the field of leaveForm with the units that are given up: all that no road
// takes.
var givenUp = formField[*leaving]{
	Key: "lose", Optional: true, Early: true, Shape: unitsShape,
	Read: func(x *saying[*leaving], r *orders.Reader, n *orders.Node) {
		if !r.Is(n, "none") {
			x.World.lose, _ = x.View.unitsOf(r, n, x.World.units)
		}
		if x.World.wait {
			r.Refuse(n, "NAP-R40", phrase.Say("nap.leave-no-loss"))
		}
	},
	Write: func(x *saying[*leaving], _ []play.Part) *orders.Node {
		if lost := x.World.lost(); len(lost) > 0 && !x.World.wait {
			return x.View.unitTexts(lost)
		}
		return nil
	},
}

// leaveForm is the stops skirmish-retreat (NAP-6.6e), rout (NAP-7.4b) and stalemate
// (NAP-6.7): by which roads units leave a battle.
var leaveForm = &form[*leaving]{
	Begin: func(v *View, d engine.Decision) (*leaving, bool) {
		b := v.battleOf(d)
		if b == nil {
			return nil, false
		}
		c, units := v.leaving(b)
		return &leaving{v: v, b: b, camp: c, units: units, wait: d.Kind == "stalemate"}, true
	},
	Misspelt: true,
	Fields: []formField[*leaving]{
		play.Places("retreat", townLists, func(w *leaving, _ townID) []unitID { return w.units }, rule[*leaving, place]{
			Next: func(w *leaving) iter.Seq[place] { return w.ways },
			May:  (*leaving).fault,
			Put:  func(w *leaving, pl place) { w.places = append(w.places, pl) },
			End: func(w *leaving, _ int, whole bool) []*fault {
				if f := w.roomFault(); whole && f != nil {
					return []*fault{f}
				}
				return nil
			},
			Say: func(v *View, pl place) engine.Choice {
				return engine.Choice{Of: v.unitName(pl.unit), What: v.towns[pl.town].name, Shown: v.towns[pl.town].name}
			},
		}),
		givenUp,
	},
	// The default follows section 5.4 of the digest.
	Usual: func(x *saying[*leaving]) {
		w := x.World
		tryPlaces(x, x.View.defaultLeaving(w.b, w.camp, w.units, x.View.exits(w.b, w.camp)).places)
	},
	// No road may stay free while a unit waits (NAP-7.4b).
	Fill: func(x *saying[*leaving]) {
		w := x.World
		tryPlaces(x, x.View.defaultLeaving(w.b, w.camp, w.units, x.View.exits(w.b, w.camp)).places)
		for _, id := range w.units {
			for _, e := range x.View.exits(w.b, w.camp) {
				tryPlaces(x, []place{{id, e.town}})
			}
		}
	},
	Chance: func(x *saying[*leaving], chance *rand.Rand) {
		w := x.World
		a := x.View.leaveByChance(w.b, w.camp, w.units, chance)
		tryPlaces(x, a.places)
	},
	Note: func(x *saying[*leaving], n *orders.Node) {
		v, w := x.View, x.World
		lines := []string{v.briefs(w.units), v.exitNames(v.exits(w.b, w.camp))}
		if slices.ContainsFunc(w.units, func(id unitID) bool { return v.goesFar(v.unit(id)) }) {
			var names []string
			for _, t := range v.farTowns(w.b, w.camp) {
				names = append(names, v.towns[t].name)
			}
			if len(names) > 0 {
				lines = append(lines, "cavalry, leader: "+listed(names))
			}
		}
		above(n.Get("retreat"), lines)
	},
	Do: func(p *campaign, d engine.Decision, w *leaving) {
		b, places := p.battleOf(d), allotment{slices.Clone(w.places)}
		if c, _ := p.leaving(b); p.shared(c) {
			p.gathered = append(p.gathered, gathered{d, places})
			return
		}
		switch d.Kind {
		case "skirmish-retreat":
			p.endSkirmish(b, places)
		case "rout":
			p.endRout(b, places)
		default:
			p.endStalemateStep(b, places)
		}
	},
}

// tryPlaces lets units leave that have no road yet, as far as they may.
func tryPlaces(x *saying[*leaving], list []place) {
	for _, pl := range list {
		if w := x.World; containsUnit(w.units, pl.unit) && !w.goes(pl.unit) {
			x.Try("retreat", pl)
		}
	}
}

// ways are the towns to which each of the units that have no road yet might go.
func (w *leaving) ways(yield func(place) bool) {
	v := w.v
	towns := v.farTowns(w.b, w.camp)
	for _, e := range v.exits(w.b, w.camp) {
		towns = append(towns, e.town)
	}
	slices.Sort(towns)
	for _, id := range w.lost() {
		for _, t := range slices.Compact(towns) {
			if v.own[v.roster[id].army] && !yield(place{id, t}) {
				return
			}
		}
	}
}

// leaveBy lets units leave a battle in the order in which a file writes them; it
// gives the first that may not, and why.
func (v *View) leaveBy(b *battle, list []place) (unitID, *fault) {
	try := *b
	for _, pl := range townLists.InOrder(list) {
		u := v.unit(pl.unit)
		w, f := v.wayTo(&try, u, pl.town)
		if f != nil {
			return pl.unit, f
		}
		v.takes(&try, u, w)
	}
	return noUnit, nil
}

// leaveByChance gives units random roads.
func (v *View) leaveByChance(b *battle, c camp, units []unitID, chance *rand.Rand) allotment {
	var free []townID
	for _, e := range v.exits(b, c) {
		for range e.free {
			free = append(free, e.town)
		}
	}
	free = shuffled(free, chance)
	var a allotment
	i := 0
	for _, id := range shuffled(units, chance) {
		exits := v.exits(b, c)
		switch {
		case v.weight(v.unit(id).kind) == 0:
			if len(exits) > 0 {
				a.places = append(a.places, place{id, exits[chance.IntN(len(exits))].town})
			}
		case i < len(free):
			a.places = append(a.places, place{id, free[i]})
			i++
		}
	}
	v.goOn(b, c, &a, chance)
	return a
}

// goOn now and then lets a unit go two towns that may (NAP-7.2b), if it can do so by
// the town to which it goes anyway.
func (v *View) goOn(b *battle, c camp, a *allotment, chance *rand.Rand) {
	far := v.farTowns(b, c)
	for i, one := range a.places {
		if u := v.unit(one.unit); len(far) == 0 || !v.goesFar(u) || chance.IntN(2) > 0 {
			continue
		}
		others := slices.Delete(slices.Clone(a.places), i, i+1)
		try := *b
		for _, pl := range others {
			if w, f := v.wayTo(&try, v.unit(pl.unit), pl.town); f == nil {
				v.takes(&try, v.unit(pl.unit), w)
			}
		}
		t := far[chance.IntN(len(far))]
		if w, f := v.wayTo(&try, v.unit(one.unit), t); f == nil && v.roads[w[0]].from(b.town) == one.town {
			a.places = append(others, place{one.unit, t})
			return
		}
	}
}

// A shift is one unit that is brought into the town that was won, or out of it.
type shift struct {
	in bool
	place
}

// A regroups is the world of the stop regroup.
type regroups struct {
	v  *View
	b  *battle
	so regroupAnswer
}

// fault tells why a unit may not be moved as well.
func (w *regroups) fault(one shift) *fault {
	id, f := w.v.regroupFault(w.b, w.so.and(one.in, one.place))
	return w.v.ofUnit(id, f)
}

// mayShift are the units that might be moved.
func (w *regroups) mayShift(yield func(shift) bool) {
	for _, road := range w.v.towns[w.b.town].roads {
		t := w.v.roads[road].from(w.b.town)
		for _, in := range [2]bool{true, false} {
			at := t
			if !in {
				at = w.b.town
			}
			for _, id := range w.v.group(at) {
				if !yield(shift{in, place{id, t}}) {
					return
				}
			}
		}
	}
}

// shiftChoice is how a shift is listed.
func shiftChoice(v *View, one shift) engine.Choice {
	word := "out "
	if one.in {
		word = "in "
	}
	return engine.Choice{Of: v.unitName(one.unit), What: word + v.towns[one.town].name, Shown: v.brief(one.unit)}
}

// regroupForm is the stop regroup (NAP-7.5).
var regroupForm = &form[*regroups]{
	Begin: func(v *View, d engine.Decision) (*regroups, bool) {
		b := v.battleOf(d)
		return &regroups{v: v, b: b, so: regroupAnswer{s: v.scenario}}, b != nil
	},
	Misspelt: true,
	Fields: []formField[*regroups]{{
		Key: "regroup", Shape: shiftShape,
		Read: func(x *saying[*regroups], r *orders.Reader, n *orders.Node) {
			x.View.eachShift(r, x.World.b, n, func(at *orders.Node, one shift) {
				x.Judge(r, at, "regroup", one, true, len(r.Problems))
			})
		},
		Write: func(x *saying[*regroups], _ []play.Part) *orders.Node { return x.World.so.value() },
		Next: func(w *regroups) iter.Seq[any] {
			return func(yield func(any) bool) { w.mayShift(func(one shift) bool { return yield(one) }) }
		},
		May: func(w *regroups, one any) *fault { return w.fault(one.(shift)) },
		Put: func(w *regroups, one any) { w.so = *w.so.and(one.(shift).in, one.(shift).place) },
		Arrange: func(w *regroups, parts []play.Part) {
			for i, one := range w.so.shifts() {
				parts[i].Value = one
			}
		},
		Say: func(v *View, value any) engine.Choice { return shiftChoice(v, value.(shift)) },
	}},
	Chance: func(x *saying[*regroups], chance *rand.Rand) {
		v, b := x.View, x.World.b
		for _, road := range v.towns[b.town].roads {
			t := v.roads[road].from(b.town)
			for k, at := range [2]townID{t, b.town} {
				for _, id := range v.group(at) {
					if chance.IntN(5) == 0 {
						x.Try("regroup", shift{k == 0, place{id, t}})
					}
				}
			}
		}
	},
	Sense: senseRegroup,
	Note: func(x *saying[*regroups], n *orders.Node) {
		above(n.Get("regroup"), x.View.couldRegroup(x.World.b))
	},
	Do: func(p *campaign, d engine.Decision, w *regroups) {
		so := w.so // a copy, so that the answer stays as it is
		p.endRegroup(p.battleOf(d), &so)
	},
}

// regroupAnswer moves units into the town that was won and out of it.
type regroupAnswer struct {
	s       *scenario
	in, out []place
}

func (a regroupAnswer) value() *orders.Node {
	n := orders.Inline()
	if len(a.in) > 0 {
		n.Set("in", a.s.townNodes(a.in))
	}
	if len(a.out) > 0 {
		n.Set("out", a.s.townNodes(a.out))
	}
	return orNone(n)
}

// eachShift reads {in: {TOWN: [units]}, out: {TOWN: [units]}}, or none.
func (v *View) eachShift(r *orders.Reader, b *battle, n *orders.Node, take func(*orders.Node, shift)) {
	if play.Nothing(r, n) {
		return
	}
	f := r.Fields(n, "in", "out")
	for _, key := range [2]string{"in", "out"} {
		list, nodes := townLists.Read(v, r, f.Get(key), func(t townID) []unitID {
			if key == "in" {
				return v.group(t)
			}
			return v.group(b.town)
		})
		for i, pl := range list {
			take(nodes[i], shift{key == "in", pl})
		}
	}
}

// shifts are the moves of an answer in the order of the file.
func (a *regroupAnswer) shifts() []shift {
	var all []shift
	for _, pl := range townLists.InOrder(a.in) {
		all = append(all, shift{true, pl})
	}
	for _, pl := range townLists.InOrder(a.out) {
		all = append(all, shift{false, pl})
	}
	return all
}

// and is an answer with one more place.
func (a regroupAnswer) and(in bool, pl place) *regroupAnswer {
	if in {
		a.in = append(slices.Clone(a.in), pl)
	} else {
		a.out = append(slices.Clone(a.out), pl)
	}
	return &a
}

// couldRegroup lists each who may be moved, by town, in the form of an order.
func (v *View) couldRegroup(b *battle) []string {
	var lines []string
	for _, road := range v.towns[b.town].roads {
		t := v.roads[road].from(b.town)
		some := func(word string, units []unitID, order func([]place) regroupAnswer) {
			units = slices.DeleteFunc(units, func(id unitID) bool {
				a := order([]place{{id, t}})
				_, f := v.regroupFault(b, &a)
				return f != nil
			})
			if len(units) > 0 {
				lines = append(lines, v.roadLine(word, t, v.numbers.battleRoad.of(v.roads[road]), units))
			}
		}
		some("in ", v.group(t), func(in []place) regroupAnswer { return regroupAnswer{in: in} })
		some("out ", v.group(b.town), func(out []place) regroupAnswer { return regroupAnswer{out: out} })
	}
	return lines
}
