package napoleon

import (
	"slices"

	"berthier/orders/phrase"
)

// How far units can go, and what a movement lacks as a whole: attacks need enough
// units (NAP-6.6y) and a chain of groups (NAP-R07).

// ways lists every way that a unit may go now. If far is given, which holds the steps from
// each town to a goal, only those that lead there.
func (v *View) ways(m *mover, u *unit, far []int) []route {
	if !m.canLead(origin{u.army, u.town}) {
		return nil
	}
	var all []route
	var on func(at townID, made int, so route)
	on = func(at townID, made int, so route) {
		for _, r := range v.towns[at].roads {
			to := v.roads[r].from(at)
			so[made] = to
			if far != nil && far[to] > u.kind.rate()-made || m.mayMarch(u, u.town, so.path()) != nil {
				continue
			}
			if far == nil || far[to] == 0 {
				all = append(all, so)
			}
			if made < u.kind.rate() && !m.enemy[to] {
				on(to, made+1, so)
			}
		}
	}
	on(u.town, 0, noRoute)
	return all
}

// A likeness holds what must be the same for units to be equally good for a march.
type likeness struct {
	from townID
	army army
	rate int
	lead bool
	way  route
}

func (o movePart) likeness(u *unit) likeness {
	return likeness{o.from, u.army, u.kind.rate(), u.kind == leader, o.way}
}

// joined tells whether roads join all groups that attack a town, by towns of such
// groups (NAP-R07).
func (m *mover) joined(f *fight) bool {
	reached := f.origins[:1:1]
	for i := 0; i < len(reached); i++ {
		for _, o := range f.origins {
			_, road := m.g.roadBetween(reached[i].town, o.town)
			if (road || o.town == reached[i].town) && !slices.Contains(reached, o) {
				reached = append(reached, o)
			}
		}
	}
	return len(reached) == len(f.origins)
}

// lack tells what an attack of the side lacks as a whole: units, of which an ally might
// bring some (NAP-6.6y, NAP-R92), or groups that join the groups that attack (NAP-R07).
func (v *View) lack(m *mover, f *fight) *fault {
	i := slices.IndexFunc(f.origins, func(o origin) bool { return v.own[o.army] })
	switch {
	case i < 0:
		return nil // the ally's
	case f.units < m.least:
		return &fault{Clause: "NAP-6.6y", Why: phrase.Say("nap.move-few", v.townArg("to", f.town), phrase.Number("n", f.units),
			phrase.Number("least", v.numbers.minAttack)), Remedy: phrase.Say("nap.move-few-remedy")}
	case v.options.commandControl == commandChain && !m.joined(f):
		return m.noCommand(f.origins[len(f.origins)-1], f.origins[0], f.town, "nap.move-command-apart", f.origins[0].town)
	}
	return nil
}

// lacking is the first attack that lacks something, with what; nil if there is none.
func (v *View) lacking(m *mover) (*fight, *fault) {
	for i := range m.fights {
		if lack := v.lack(m, &m.fights[i]); lack != nil {
			return &m.fights[i], lack
		}
	}
	return nil, nil
}

// mayCome lets a mover count on all groups that could still join an attack while an answer
// is only being chosen: a chain of groups may be chosen in any order.
func (v *View) mayCome(m *mover) {
	if v.options.commandControl != commandChain {
		return
	}
	m.plans = m.plans[:0]
	for _, id := range v.livingUnits() {
		u := v.unit(id)
		for _, r := range v.towns[u.town].roads {
			if to := v.roads[r].from(u.town); m.enemy[to] && m.steps[id] == 0 && m.canLead(origin{u.army, u.town}) {
				m.plans = append(m.plans, plannedAttack{to, u.town})
			}
		}
	}
}

// completes tells whether, after a further order that may be given, the attacks can still
// be completed so that none lacks anything. What is found out is kept until the next
// order: most units of a town are equally good.
func (w *marching) completes(o movePart) bool {
	v, m := w.v, w.mover()
	if o.does != marches || m.least <= 0 && v.options.commandControl != commandChain {
		return true
	}
	path := o.way.path()
	if f, _ := v.lacking(m); f == nil && !m.enemy[path[len(path)-1]] {
		return true
	}
	u := v.unit(o.unit)
	key := o.likeness(u)
	ok, known := w.fits[key]
	if !known {
		if w.fits == nil {
			w.fits = map[likeness]bool{}
		}
		m.try(u, o.from, path, func(*fault) { _, ok = v.complete(m) })
		w.fits[key] = ok
	}
	return ok
}

// complete finds marches that bring what attacks lack: groups that join the others, and
// units, none by force as long as another unit can come. It tells whether there are any.
func (v *View) complete(m *mover) ([]movePart, bool) {
	f, _ := v.lacking(m)
	if f == nil {
		return nil, true
	}
	far, missing := v.roadsTo([]townID{f.town}), m.least-f.units
	units := slices.DeleteFunc(v.livingUnits(), func(id unitID) bool {
		u := v.unit(id)
		return m.steps[id] > 0 || far[u.town] > u.kind.rate()+1 || missing <= 0 && (far[u.town] > 1 || slices.Contains(f.origins, origin{u.army, u.town}))
	})
	if missing > len(units) {
		return nil, false
	}
	tried := map[likeness]bool{}
	for _, push := range [2]bool{false, true} { // by force only if no other unit can come
		for _, id := range units {
			u := v.unit(id)
			for _, one := range v.ways(m, u, far) {
				o := movePart{unit: id, from: u.town, way: one}
				if push != (len(one.path()) > u.kind.rate()) || tried[o.likeness(u)] {
					continue
				}
				tried[o.likeness(u)] = true
				var more []movePart
				var ok bool
				m.try(u, u.town, one.path(), func(*fault) { more, ok = v.complete(m) })
				if ok {
					return append([]movePart{o}, more...), true
				}
			}
		}
	}
	return nil, false
}
