package napoleon

import (
	"slices"

	"berthier/orders/phrase"
)

// How far units can go, and what a movement lacks as a whole: attacks need enough
// units (NAP-6.6y) and a chain of groups (NAP-R07).

// ways lists every way that a unit may go now. If far is given, which holds the steps from
// each town to a goal, only those that lead there. They are added to a list.
func (m *mover) ways(all []route, u *unit, far []int) []route {
	if !m.canLead(origin{u.army, u.town}) {
		return all
	}
	return m.waysOn(all, u, far, u.town, 0, noRoute)
}

// waysOn adds those ways that begin with the steps that were made.
func (m *mover) waysOn(all []route, u *unit, far []int, at townID, made int, so route) []route {
	for _, to := range m.g.towns[at].next {
		so[made] = to
		if far != nil && far[to] > u.kind.rate()-made || m.obstacle(u, u.town, at, to) != free {
			continue
		}
		if far == nil || far[to] == 0 {
			all = append(all, so)
		}
		if made < u.kind.rate() && m.enemy[to] == 0 {
			m.step(u, u.town, at, to)
			all = m.waysOn(all, u, far, to, made+1, so)
			m.back(u, at, so[made:made+1])
		}
	}
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

// like tells whether two units are equally good for every march.
func (u *unit) like(other *unit) bool {
	return u.town == other.town && movePart{}.likeness(u) == movePart{}.likeness(other)
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

// What an attack lacks as a whole.
type want int8

const (
	nothing want = iota
	moreUnits
	joinedGroups
)

// wants judges what an attack of the side lacks as a whole: units, of which an ally might
// bring some (NAP-6.6y, NAP-R92), or groups that join the groups that attack (NAP-R07).
func (v *View) wants(m *mover, f *fight) want {
	switch {
	case !slices.ContainsFunc(f.origins, func(o origin) bool { return v.own[o.army] }):
		return nothing // the ally's
	case f.units < m.least:
		return moreUnits
	case v.options.commandControl == commandChain && !m.joined(f):
		return joinedGroups
	}
	return nothing
}

// lack tells what an attack of the side lacks; nil if it lacks nothing.
func (v *View) lack(m *mover, f *fight) *fault {
	switch v.wants(m, f) {
	case moreUnits:
		return &fault{Clause: "NAP-6.6y", Why: phrase.Say("nap.move-few", v.townArg("to", f.town), phrase.Number("n", f.units),
			phrase.Number("least", v.numbers.minAttack)), Remedy: phrase.Say("nap.move-few-remedy")}
	case joinedGroups:
		return m.noCommand(f.origins[len(f.origins)-1], f.origins[0], f.town, "nap.move-command-apart", f.origins[0].town)
	}
	return nil
}

// lacking is the first attack that lacks something; nil if there is none.
func (v *View) lacking(m *mover) *fight {
	for i := range m.fights {
		if v.wants(m, &m.fights[i]) != nothing {
			return &m.fights[i]
		}
	}
	return nil
}

// lacks tells what the first attack lacks that lacks something; nil if there is none.
func (v *View) lacks(m *mover) *fault {
	if f := v.lacking(m); f != nil {
		return v.lack(m, f)
	}
	return nil
}

// mayCome lets a mover count on all groups that could still join an attack while an answer
// is only being chosen: a chain of groups may be chosen in any order.
func (v *View) mayCome(m *mover) {
	if v.options.commandControl != commandChain {
		return
	}
	m.plans = m.plans[:0]
	for _, id := range m.mine {
		u := v.unit(id)
		for _, to := range v.towns[u.town].next {
			if m.enemy[to] > 0 && m.steps[id] == 0 && m.canLead(origin{u.army, u.town}) {
				m.plans = append(m.plans, plannedAttack{to, u.town})
			}
		}
	}
}

// completes tells whether, after a further order that may be given, the attacks can still
// be completed so that none lacks anything. What is found out is kept until the next
// order: most units of a town are equally good.
func (w *marching) completes(o movePart) bool {
	if !w.hinges(o) {
		return true
	}
	key := o.likeness(w.v.unit(o.unit))
	ok, known := w.fits[key]
	if !known {
		if w.fits == nil {
			w.fits = map[likeness]bool{}
		}
		ok = w.completed(o)
		w.fits[key] = ok
	}
	return ok
}

// hinges tells whether it is a question if the attacks can be completed after an order.
func (w *marching) hinges(o movePart) bool {
	v, m := w.v, w.mover()
	if o.does != marches || m.least <= 0 && v.options.commandControl != commandChain {
		return false
	}
	path := o.way.path()
	return v.lacking(m) != nil || m.enemy[path[len(path)-1]] > 0
}

// completed searches what completes the attacks after a march.
func (w *marching) completed(o movePart) (ok bool) {
	w.mover().try(w.v.unit(o.unit), o.from, o.way.path(), func(int) { ok = w.v.complete(w.mover(), nil) })
	return ok
}

// complete finds marches that bring what attacks lack: groups that join the others, and
// units, none by force as long as another unit can come. It tells whether there are any, and
// adds them to a list, if one is given, the last of them first.
func (v *View) complete(m *mover, more *[]movePart) bool {
	f := v.lacking(m)
	if f == nil {
		return true
	}
	far, missing := m.roadsTo(f.town), m.least-f.units
	// Who may not join the attack now may later, if a chain of groups suffices.
	chain := v.options.commandControl == commandChain
	var space [64]*unit
	units := space[:0]
	for _, id := range m.mine {
		u := v.unit(id)
		o := origin{u.army, u.town}
		if m.steps[id] == 0 && far[u.town] <= u.kind.rate()+1 && (missing > 0 || far[u.town] <= 1 && !slices.Contains(f.origins, o)) &&
			m.canLead(o) && (chain || m.mayJoin(o, f.town)) {
			units = append(units, u)
		}
	}
	if missing > len(units) {
		return false
	}
	var ways [32]route
	for _, push := range [2]bool{false, true} { // by force only if no other unit can come
		for i, u := range units {
			if slices.ContainsFunc(units[:i], u.like) || !push && far[u.town] > u.kind.rate() || chain && !m.mayJoin(origin{u.army, u.town}, f.town) {
				continue
			}
			for _, one := range m.ways(ways[:0], u, far) {
				if push != (len(one.path()) > u.kind.rate()) {
					continue
				}
				ok := false
				m.try(u, u.town, one.path(), func(int) { ok = v.complete(m, more) })
				if ok && more != nil {
					*more = append(*more, movePart{unit: u.id, from: u.town, way: one})
				}
				if ok {
					return true
				}
			}
		}
	}
	return false
}
