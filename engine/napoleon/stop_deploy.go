package napoleon

import (
	"cmp"
	"iter"
	"math/rand/v2"
	"slices"
	"strconv"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A deployment is the world of the stop deploy: where each unit stands so far.
type deployment struct {
	v       *View
	waiting []unitID
	at      []townID     // by unit; noTown: not said yet
	counts  []int        // by town
	usual   *orders.Node // where the file puts the units that it does not name at their usual towns; nil: nowhere
}

// elsewhere stands for a town that is named but can't be read.
const elsewhere = noTown - 1

// full tells whether a town takes no more units (NAP-4.1, NAP-4.2).
func (w *deployment) full(t townID) bool {
	return !w.v.towns[t].apart && w.counts[t] >= w.v.numbers.deploy[w.v.zone(t)]
}

// fault tells why a unit may not be put into a town.
func (w *deployment) fault(pl place) *fault {
	v, t := w.v, pl.town
	who, zone := v.roster[pl.unit].army, v.zone(t)
	switch other := w.at[pl.unit]; {
	case other != noTown:
		return refusal("NAP-4.4", "nap.deploy-twice", v.idArg("unit", pl.unit), v.townArg("town", other))
	case zone != who:
		return refusal(deployClause(who), "nap.deploy-zone", v.idArg("unit", pl.unit), v.townArg("town", t),
			phrase.Name("army", "army", who.String()), phrase.Name("zone", "army", zone.String()))
	case w.full(t):
		f := refusal(deployClause(who), "nap.deploy-limit", v.townArg("town", t), phrase.Number("limit", v.numbers.deploy[who]))
		f.Remedy = phrase.Say("nap.deploy-limit-remedy", v.idArg("unit", pl.unit))
		return f
	}
	return nil
}

// free are the towns of an army that take another unit.
func (w *deployment) free(who army) []townID {
	var all []townID
	for t := range w.v.towns {
		if t := townID(t); w.v.zone(t) == who && !w.full(t) {
			all = append(all, t)
		}
	}
	return all
}

// deployField is the only field of deployForm: who stands in which town.
var deployField = formField[*deployment]{
	Key: "deploy", Shape: deployShape,
	Read: readDeployment,
	Write: func(x *saying[*deployment], parts []play.Part) *orders.Node {
		n := orders.Mapping()
		for _, t := range townLists.Write(x.View, placesOf(parts)).Pairs {
			n.Set(t.Key.Text, t.Value)
		}
		return n
	},
	Next: func(w *deployment) iter.Seq[any] {
		return func(yield func(any) bool) {
			for _, id := range w.waiting {
				for t := range w.v.towns {
					if w.at[id] == noTown && w.v.zone(townID(t)) == w.v.roster[id].army && !yield(place{id, townID(t)}) {
						return
					}
				}
			}
		}
	},
	May: func(w *deployment, value any) *fault { return w.fault(value.(place)) },
	Put: func(w *deployment, value any) {
		pl := value.(place)
		w.at[pl.unit] = pl.town
		w.counts[pl.town]++
	},
	Arrange: func(_ *deployment, parts []play.Part) {
		slices.SortFunc(parts, func(a, b play.Part) int {
			x, y := a.Value.(place), b.Value.(place)
			return cmp.Or(cmp.Compare(x.town, y.town), cmp.Compare(x.unit, y.unit))
		})
	},
	Say: func(v *View, value any) engine.Choice {
		pl := value.(place)
		return engine.Choice{Of: v.unitName(pl.unit), What: v.towns[pl.town].name, Shown: v.towns[pl.town].name}
	},
}

// restField is the key rest of deployForm: a unit that is not named stands where it would by
// default. The normal form names all units.
var restField = formField[*deployment]{
	Key: "rest", Optional: true, Early: true, Shape: shape.Words("default"),
	Read: func(x *saying[*deployment], r *orders.Reader, n *orders.Node) {
		x.World.usual = n
		r.Word(n, "default")
	},
	Write: func(*saying[*deployment], []play.Part) *orders.Node { return nil },
}

// deployForm is the stop deploy: where units come onto the map (NAP-4.1, NAP-4.2,
// NAP-4.4).
var deployForm = &form[*deployment]{
	Clause: "NAP-4.4",
	Begin: func(v *View, _ engine.Decision) (*deployment, bool) {
		w := &deployment{v: v, waiting: v.undeployed(v.side), at: make([]townID, len(v.roster)), counts: make([]int, len(v.towns))}
		for i := range w.at {
			w.at[i] = noTown
		}
		return w, true
	},
	Misspelt: true,
	Fields:   []formField[*deployment]{deployField, restField},
	// The units stand as in history (NAP-4.3).
	Usual: func(x *saying[*deployment]) {
		for _, id := range x.World.waiting {
			stand(x, id, x.View.roster[id].at)
		}
	},
	Fill: func(x *saying[*deployment]) {
		for _, id := range x.World.waiting {
			if x.World.at[id] != noTown {
				continue
			}
			t := x.View.roster[id].at
			if free := x.World.free(x.View.roster[id].army); x.World.full(t) && len(free) > 0 {
				t = free[0]
			}
			stand(x, id, t)
		}
	},
	// Three units of five stand at their historical places, and the others where there is
	// room.
	Chance: func(x *saying[*deployment], chance *rand.Rand) {
		for _, id := range shuffled(x.World.waiting, chance) {
			t := x.View.roster[id].at
			if chance.IntN(5) >= 3 || x.World.full(t) || x.View.towns[t].apart {
				free := slices.DeleteFunc(x.World.free(x.View.roster[id].army), func(t townID) bool { return x.View.towns[t].apart })
				if len(free) > 0 {
					t = free[chance.IntN(len(free))]
				}
			}
			stand(x, id, t)
		}
	},
	Sense:  senseDeploy,
	Stands: true,
	Note:   noteDeployment,
	Do: func(p *campaign, d engine.Decision, w *deployment) {
		for _, id := range w.waiting {
			p.units[id].town = w.at[id]
		}
		p.Tell("NAP-4.0", to(p.everyone(), "nap.deployed", whoArg("side", string(d.Side))))
	},
}

// noteDeployment writes above a template the towns of each army, and beside each
// town what stands there.
func noteDeployment(x *saying[*deployment], n *orders.Node) {
	v, blank := x.View, x.Blank().World
	var lines []string
	for _, who := range []army{french, angloDutch, prussian} {
		if v.sideOf(who) != v.side {
			continue
		}
		var names, apart []string
		for _, t := range blank.free(who) {
			if v.towns[t].apart {
				apart = append(apart, v.towns[t].name)
			} else {
				names = append(names, v.towns[t].name)
			}
		}
		lines = append(lines, who.String()+", max "+strconv.Itoa(v.numbers.deploy[who])+": "+listed(names))
		if len(apart) > 0 { // towns in which any number may stand
			lines = append(lines, who.String()+": "+listed(apart))
		}
	}
	above(n.Get("deploy"), lines)
	n.Pairs[0].Key.Spare = []string{"rest: default  # " + restDoes}
	pairs := n.Get("deploy").Pairs
	units, i := []unitID(nil), 0
	for k, p := range x.Parts {
		units = append(units, p.Value.(place).unit)
		if k+1 == len(x.Parts) || x.Parts[k+1].Value.(place).town != p.Value.(place).town {
			pairs[i].Value.Comment = v.briefs(units)
			units, i = nil, i+1
		}
	}
}

// placesOf are the values of parts.
func placesOf(parts []play.Part) []place {
	all := make([]place, len(parts))
	for i, p := range parts {
		all[i] = p.Value.(place)
	}
	return all
}

// stand puts a unit into a town, at its historical place whatever the limits say.
func stand(x *saying[*deployment], id unitID, t townID) {
	if pl := (place{id, t}); !x.Try("deploy", pl) && t == x.View.roster[id].at {
		x.Add("deploy", pl)
	}
}

// readDeployment reads {TOWN: [units], ...}. It goes on where it can: a unit that is
// named under a town that can't be read, or that may not stand where it was put, does not
// count as missing.
func readDeployment(x *saying[*deployment], r *orders.Reader, n *orders.Node) {
	v, w := x.View, x.World
	if n.Kind != orders.Map {
		r.Refuse(n, "", phrase.Say("order.want-map", phrase.Literals("keys", []string{"TOWN"})))
		return
	}
	over, said := make([]bool, len(v.towns)), make([]bool, len(v.towns))
	put := func(pl place, at *orders.Node) {
		before, since, own := w.at[pl.unit], len(r.Problems), v.zone(pl.town) == v.roster[pl.unit].army
		if before == elsewhere || before == noTown && own && over[pl.town] {
			if before == noTown { // otherwise the file was already told that the town is full
				w.at[pl.unit] = pl.town
			}
			return
		}
		x.Judge(r, at, "deploy", pl, true, since)
		if len(r.Problems) > since && before == noTown {
			w.at[pl.unit] = pl.town
			over[pl.town] = over[pl.town] || own
		}
	}
	type remainder struct {
		town townID
		at   *orders.Node
	}
	var rest []remainder
	for _, pair := range n.Pairs {
		t, known := v.pickTown(r, pair.Key)
		switch {
		case !known:
			t = elsewhere
		case said[t]:
			r.Refuse(pair.Key, "", phrase.Say("order.key-twice", phrase.Literal("key", pair.Key.Text)))
		default:
			said[t] = true
		}
		for _, item := range r.List(pair.Value) {
			if r.Is(item, "all") || r.Is(item, "rest") {
				rest = append(rest, remainder{t, item})
				continue
			}
			if known && r.Is(item, "none") {
				continue
			}
			id, ok := v.pickUnit(r, item, w.waiting)
			switch {
			case !ok:
			case known:
				put(place{id, t}, item)
			case w.at[id] == noTown:
				w.at[id] = elsewhere
			}
		}
	}
	for i, one := range rest {
		if i > 0 {
			r.Refuse(one.at, "", phrase.Say("nap.deploy-rest-twice"))
			continue
		}
		for _, id := range w.waiting {
			switch {
			case w.at[id] != noTown:
			case one.town == elsewhere:
				w.at[id] = elsewhere
			default:
				put(place{id, one.town}, one.at)
			}
		}
	}
	missing := slices.DeleteFunc(slices.Clone(w.waiting), func(id unitID) bool { return w.at[id] != noTown })
	if w.usual != nil {
		for _, id := range missing {
			put(place{id, v.roster[id].at}, w.usual)
		}
		return
	}
	if len(missing) > 0 {
		r.RefuseWith(n, "NAP-4.4", phrase.Say("nap.deploy-missing", v.unitNames("units", missing)), phrase.Say("nap.deploy-missing-remedy"))
	}
}

// restDoes tells what happens to those who are not named.
var restDoes = orders.Tongues("who is not named stands as in history", "chi non è nominato sta come nella storia")
