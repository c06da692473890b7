package mistakes

import (
	"slices"
	"strconv"

	"berthier/engine/geometry"
	"berthier/engine/sheet"
	"berthier/orders/phrase"
)

// Lines of fire: who may fire at whom (EM-3.17, EM-7.1 to EM-7.8, EM-7.10), and with which
// modifiers.

// rays is by how many rays a line of fire is sampled (EM-3.17).
const rays = 30

// entries is how far ahead of a gun's front each ray of its line of fire enters something;
// -1 where it doesn't.
type entries [rays]int64

// all says whether every ray enters.
func (e *entries) all() bool { return !slices.Contains(e[:], -1) }

// any says whether some ray enters.
func (e *entries) any() bool {
	return slices.ContainsFunc(e[:], func(d int64) bool { return d >= 0 })
}

// enters says where the line of fire of a gun enters a figure (EM-3.17). Bounds are those of
// the figure: what lies far from the line is not looked at.
func (g *game) enters(gun unitID, f geometry.Figure) entries {
	b := g.gun(gun)
	var e entries
	half, step := int64(g.measures.fireWidth)/2, int64(g.measures.fireWidth)/rays
	for i := range e {
		e[i] = -1
		d, ok := b.Ray(-half+step/2+int64(i)*step, b.V1, f)
		if ok && d <= int64(g.measures.fireLength) {
			e[i] = d
		}
	}
	return e
}

// line is the whole line of fire of a gun as a figure, to leave out at once what it misses.
func (g *game) line(gun unitID) geometry.Body {
	b := g.gun(gun)
	half := int64(g.measures.fireWidth) / 2
	b.Box = geometry.Box{U0: -half, V0: b.V1, U1: half, V1: b.V1 + int64(g.measures.fireLength)}
	return geometry.NewBody(b.Piece)
}

// gunner says whether a unit bombards: foot artillery, and the horse artillery of the file
// (EM-7.2).
func (g *game) gunner(u unitID) bool {
	d := g.def(u)
	return d.arm == artillery && (d.mount == foot || slices.Contains(g.bombards, u))
}

// ready says whether a unit may fire or support: an unlimbered gun without smoke that does
// not invade the engagement area of an enemy (EM-7.1, EM-7.8).
func (g *game) ready(u unitID) bool {
	x := &g.Units[u]
	return !x.Smoke && g.trained(u)
}

// trained says whether a gun could fire if it has no smoke.
func (g *game) trained(u unitID) bool {
	if !g.on(u) || !g.gunner(u) || g.Units[u].Limber != unlimbered {
		return false
	}
	return !slices.ContainsFunc(g.standing(), func(e unitID) bool { return g.enemies(u, e) && g.invades(u, e) })
}

// fires says whether a unit may be the first of a mission: it is ready, and has neither fired
// nor supported in this turn; a gun that supported the Grand Battery for nothing still may
// (EM-7.1, EM-7.10).
func (g *game) fires(u unitID) bool { return g.ready(u) && !g.Units[u].Fired }

// targets lists the enemies at which a gun could fire where it stands (EM-7.3, EM-7.4): some
// ray enters them, and nothing that covers the whole line of fire lies before that.
func (g *game) targets(gun unitID) []unitID {
	line := g.line(gun)
	var all []unitID
	var into []entries
	var blockers []entries
	var whose []unitID
	over := g.overUnits(gun)
	for _, u := range g.standing() {
		b := g.body(u)
		if u == gun || geometry.Gap(&line, &b) > 0 {
			continue
		}
		e := g.enters(gun, geometry.Figure{P: b.Corner[:], Closed: true})
		if g.enemies(gun, u) && e.any() {
			all, into = append(all, u), append(into, e)
		}
		if !over && e.all() {
			blockers, whose = append(blockers, e), append(whose, u)
		}
	}
	var hit []unitID
	for i, u := range all {
		screens := g.groundBefore(gun, u, &line)
		for j := range blockers {
			if whose[j] != u {
				screens = append(screens, blockers[j])
			}
		}
		if reaches(&into[i], screens) {
			hit = append(hit, u)
		}
	}
	return hit
}

// reaches says whether on some ray that enters the target nothing is entered before it.
func reaches(target *entries, screens []entries) bool {
	for i, d := range target {
		if d < 0 {
			continue
		}
		if !slices.ContainsFunc(screens, func(e entries) bool { return e[i] < d }) {
			return true
		}
	}
	return false
}

// overUnits says whether a gun fires over units, for it lies entirely in a hill (EM-7.5).
func (g *game) overUnits(gun unitID) bool {
	b := g.body(gun)
	for a := areaID(1); int(a) <= len(g.areas); a++ {
		if g.area(a).kind == hill && g.inside(&b, a) {
			return true
		}
	}
	return false
}

// groundBefore gives the terrain that blocks the line of fire of a gun at a target (EM-7.4):
// what every ray enters, but for what the target is on; the hill that the gun is on, and a
// wood or town that does not hold it entirely (EM-7.5).
func (g *game) groundBefore(gun, target unitID, line *geometry.Body) []entries {
	from, to := g.body(gun), g.body(target)
	var all []entries
	for a := areaID(1); int(a) <= len(g.areas); a++ {
		if !g.blocks(a) || !geometry.On(line, g.outline(a), 0) || g.onArea(&to, a) {
			continue
		}
		if g.onArea(&from, a) && (g.area(a).kind == hill || !g.inside(&from, a)) {
			continue
		}
		if e := g.enters(gun, geometry.Figure{P: g.outline(a).P, Closed: true}); e.all() {
			all = append(all, e)
		}
	}
	for l := range g.lines {
		if g.lines[l].kind != sunkenRoad || g.onLine(&to, lineID(l+1)) {
			continue
		}
		if e := g.enters(gun, geometry.Figure{P: g.lines[l].points}); e.all() {
			all = append(all, e)
		}
	}
	return all
}

// supports says whether a gun may support the fire of another at a target (EM-7.8): it is of
// the same army, ready, could fire at the target itself, and has neither fired nor supported;
// in contact with a gun of the Grand Battery it supports for nothing, and again (EM-7.10), by option
// even with smoke (EM-R18).
func (g *game) supports(gun, lead, target unitID) bool {
	smoked := g.smokedSupport != 0 && g.free(gun, lead) && g.trained(gun)
	if gun == lead || g.def(gun).army != g.def(lead).army || !g.ready(gun) && !smoked || !slices.Contains(g.targets(gun), target) {
		return false
	}
	return g.free(gun, lead) || !g.Units[gun].Fired
}

// free says whether a gun supports another without smoke: that one is of the Grand Battery,
// and they touch (EM-7.10).
func (g *game) free(gun, lead unitID) bool {
	f := g.of(lead)
	return f != nil && g.battery(f) && slices.Contains(g.scenario.battery.units, lead) && g.contact(gun, lead)
}

// onRear says whether a gun fires on the rear of a target (EM-7.7): it stands in the quadrant
// behind it. A garrison has no rear.
func (g *game) onRear(gun, target unitID) bool {
	if g.def(target).garrison() {
		return false
	}
	b := g.body(target)
	p := b.Local(geometry.Point(g.Units[gun].At))
	return p.Y < b.V0 && max(p.X, -p.X) <= -p.Y
}

// A modifier is a number with its reason, the code of a phrase.
type modifier struct {
	why string
	n   int
}

// fireModifiers are those of a bombardment, which count from a natural 6 (EM-7.6).
func (g *game) fireModifiers(lead, target unitID, supporters int) []modifier {
	b := g.body(target)
	var all []modifier
	add := func(is bool, why string, n int) {
		if is {
			all = append(all, modifier{why, n})
		}
	}
	in := func(kind ground) bool {
		for a := areaID(1); int(a) <= len(g.areas); a++ {
			if g.area(a).kind == kind && g.inside(&b, a) {
				return true
			}
		}
		return false
	}
	add(g.Units[lead].Yellow > 0, "em.fire-shaken", -1)
	add(in(wood), "em.fire-wood", -1)
	add(in(town), "em.fire-town", -2)
	if n := g.combatTerrain(target, true); g.coverFromFire != 0 {
		add(n > 0, "em.fire-cover", -n) // EM-R15
	}
	add(len(g.column(target)) > 0, "em.fire-column", 1)
	add(g.onRear(lead, target), "em.fire-rear", 1)
	add(supporters > 0, "em.fire-support", supporters)
	return all
}

// explained tells what was added to dice, and why, at the place why of an event.
func explained(all []modifier) phrase.Arg {
	list := make([]phrase.Value, len(all))
	for i, m := range all {
		sign := ""
		if m.n > 0 {
			sign = "+"
		}
		list[i] = sheet.Phrase("em.modifier", sheet.Filled("why", sheet.Phrase(m.why)), phrase.Literal("n", sign+strconv.Itoa(m.n)))
	}
	return sheet.Filled("why", sheet.List(list...))
}

// sum adds modifiers up.
func sum(all []modifier) int {
	n := 0
	for _, m := range all {
		n += m.n
	}
	return n
}

// A fireRow is a row of the table of effects of a bombardment.
type fireRow int

const (
	fireBackfires fireRow = iota // 2: the gun is shaken
	fireNothing                  // 3 to 5
	fireDamage                   // 6 and 7: 1 damage
	fireHeavy                    // 8 to 10: 2 damage, and back off or be shaken
	fireRetreat                  // 11 and more: 2 damage, 1 loss, retreat
)

// fireEffects are the rows as reports tell them.
var fireEffects = [...]string{fireBackfires: "em.fire-backfires", fireNothing: "em.fire-nothing", fireDamage: "em.fire-damage",
	fireHeavy: "em.fire-heavy", fireRetreat: "em.fire-retreat"}

// modified is the least natural total to which modifiers are added (EM-7.6).
const modified = 6

// fireEffect reads the table with the total of two dice and the modifiers (EM-7.6). Only a
// natural 2 harms the gun.
func fireEffect(natural, bonus int) fireRow {
	total := natural
	if natural >= modified {
		total += bonus
	}
	switch {
	case natural == 2:
		return fireBackfires
	case total <= 5:
		return fireNothing
	case total <= 7:
		return fireDamage
	case total <= 10:
		return fireHeavy
	}
	return fireRetreat
}
