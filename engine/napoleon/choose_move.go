package napoleon

import (
	"slices"
	"strconv"
	"strings"

	"berthier/engine"
	"berthier/engine/play"
)

// Choices of a movement: the way of each unit, leaders who show themselves or
// permit forced marches at night, and the order of the dice of forced marches.

// wayMark stands between the towns of a way.
const wayMark = " > "

// clone is a mover that shares nothing that changes.
func (m *mover) clone() *mover {
	c := *m
	c.used, c.over, c.steps = slices.Clone(m.used), slices.Clone(m.over), slices.Clone(m.steps)
	for a := range c.groups {
		c.groups[a] = slices.Clone(m.groups[a])
	}
	c.fights = slices.Clone(m.fights)
	for i := range c.fights {
		c.fights[i].origins = slices.Clone(m.fights[i].origins)
	}
	return &c
}

// follow marches in the order in which an answer is written. It gives the mover
// after it and who was forced; false if a step may not be made.
func (v *View) follow(a *moveAnswer) (m *mover, forced []unitID, ok bool) {
	m = newMover(v.game, v.camp())
	for _, id := range a.permit {
		m.permits[v.roster[id].army] = v.unit(id).town
	}
	for _, way := range a.marches {
		for _, id := range way.units {
			if m.mayLead(origin{v.roster[id].army, way.from}) != nil {
				return m, nil, false
			}
			m.lead(origin{v.roster[id].army, way.from})
		}
		for _, id := range way.units {
			u := v.unit(id)
			if _, stop := m.march(u, way.from, way.path); stop != nil {
				return m, nil, false
			}
			if m.forced(u) {
				forced = append(forced, id)
			}
		}
	}
	return m, forced, true
}

// stepsTo counts from every town the roads to one, as far as anybody goes in a
// turn; farther is more.
func (v *View) stepsTo(goal townID) []int {
	far := make([]int, len(v.towns))
	for t := range far {
		far[t] = fastest + 2
	}
	far[goal] = 0
	for n := range fastest + 1 {
		for t := range far {
			if far[t] != n {
				continue
			}
			for _, r := range v.towns[t].roads {
				next := v.roads[r].from(townID(t))
				far[next] = min(far[next], n+1)
			}
		}
	}
	return far
}

// fastest is the highest rate of a unit (NAP-5.3).
const fastest = 2

// ways calls yes with every way that a unit may go now. If far is given, the
// steps from each town to a goal, only with those that lead there.
func (v *View) ways(m *mover, u *unit, far []int, yes func(path []townID)) {
	o := origin{u.army, u.town}
	if m.mayLead(o) != nil {
		return
	}
	var on func(m *mover, at townID, path []townID)
	on = func(m *mover, at townID, path []townID) {
		for _, r := range v.towns[at].roads {
			to := v.roads[r].from(at)
			if far != nil && far[to] > u.kind.rate()-len(path) {
				continue
			}
			if m.mayStep(u, o.town, at, to) != nil {
				continue
			}
			way := append(path[:len(path):len(path)], to)
			if far == nil || far[to] == 0 {
				yes(way)
			}
			if len(way) <= u.kind.rate() && !m.enemy[to] {
				next := m.clone()
				next.step(u, o.town, at, to)
				on(next, to, way)
			}
		}
	}
	on(m, o.town, nil)
}

// strengthen adds units to attacks of fewer than an attack needs (NAP-6.6y), none
// by force as long as another can come. It tells whether the answer is legal then.
func (v *View) strengthen(a *moveAnswer) bool {
	m, _, ok := v.follow(a)
	if !ok {
		return false
	}
	i := slices.IndexFunc(m.fights, func(f fight) bool { return f.units < v.numbers.minAttack })
	if i < 0 {
		return true
	}
	t := m.fights[i].town
	far := v.stepsTo(t)
	missing := v.numbers.minAttack - m.fights[i].units
	for _, id := range v.livingUnits() {
		if u := v.unit(id); !a.takes(id) && far[u.town] <= u.kind.rate()+1 {
			missing--
		}
	}
	if missing > 0 {
		return false
	}
	type like struct { // units of one kind in one town are as good as each other
		from townID
		army army
		rate int
		lead bool
		way  string
	}
	tried := map[like]bool{}
	for _, push := range []bool{false, true} { // by force only if nobody else can come
		for _, id := range v.livingUnits() {
			u := v.unit(id)
			if a.takes(id) {
				continue
			}
			found := false
			v.ways(m, u, far, func(path []townID) {
				if found || push != (len(path) > u.kind.rate()) {
					return
				}
				one := like{u.town, u.army, u.kind.rate(), u.kind == leader, v.wayName(path)}
				if tried[one] {
					return
				}
				tried[one] = true
				more := a.clone()
				more.add(u.town, path, id)
				if v.strengthen(&more) {
					*a, found = more, true
				}
			})
			if found {
				return true
			}
		}
	}
	return false
}

func (a *moveAnswer) clone() moveAnswer {
	c := *a
	c.marches = slices.Clone(a.marches)
	for i := range c.marches {
		c.marches[i].units = slices.Clone(c.marches[i].units)
	}
	c.forced, c.reveal, c.permit = slices.Clone(a.forced), slices.Clone(a.reveal), slices.Clone(a.permit)
	return c
}

func (v *View) wayName(path []townID) string {
	names := make([]string, len(path))
	for i, t := range path {
		names[i] = v.towns[t].name
	}
	return strings.Join(names, wayMark)
}

// The words of choices that are no way.
const (
	chooseReveal = "reveal"
	choosePermit = "night-march"
	chooseForced = "forced "
)

// madeMoves is the answer that choices make, before weak attacks are
// strengthened.
func (v *View) madeMoves(made []engine.Choice) (a moveAnswer, order []unitID) {
	a = moveAnswer{s: v.scenario}
	for _, c := range made {
		id := v.unitCalled(c.Of)
		switch {
		case c.What == chooseReveal:
			a.reveal = append(a.reveal, id)
		case c.What == choosePermit:
			a.permit = append(a.permit, id)
		case strings.HasPrefix(c.What, chooseForced):
			order = append(order, id)
		default:
			var path []townID
			for _, name := range strings.Split(c.What, wayMark) {
				path = append(path, v.townCalled(name))
			}
			a.add(v.unit(id).town, path, id)
		}
	}
	return a, order
}

func (moveStop) Choices(v *View, d engine.Decision, made []engine.Choice) []engine.Choice {
	a, order := v.madeMoves(made)
	m, _, _ := v.follow(&a)
	forced := v.forcedOf(a)
	fast := v.fastGroups()
	legal := map[string]bool{}
	var list []engine.Choice
	for _, id := range v.livingUnits() {
		u, name := v.unit(id), v.unitName(id)
		if !a.takes(id) {
			v.ways(m, u, nil, func(path []townID) {
				if v.mayGoOn(&a, m, u, path, legal) {
					list = append(list, engine.Choice{Of: name, What: v.wayName(path), Shown: v.shownWay(m, u, path, fast[u.town])})
				}
			})
		}
		if u.kind == leader && !slices.Contains(a.permit, id) && !slices.Contains(a.reveal, id) {
			night := m.night && v.reading.nightMarches
			c := engine.Choice{Of: name, What: chooseReveal}
			if !night {
				c.Shown = "- reveal: " + name
			}
			list = append(list, c)
			if night {
				list = append(list, engine.Choice{Of: name, What: choosePermit, Shown: "- night-march: " + name})
			}
		}
	}
	for _, id := range forced {
		if len(forced) > 1 && !slices.Contains(order, id) {
			list = append(list, engine.Choice{Of: v.unitName(id), What: chooseForced + strconv.Itoa(len(order)+1)})
		}
	}
	return list
}

// mayGoOn tells whether a unit may take a way, once all is written in the order
// of a file and weak attacks are strengthened. What the mover allows is nearly
// always right; only attacks depend on more than what went before.
func (v *View) mayGoOn(a *moveAnswer, m *mover, u *unit, path []townID, legal map[string]bool) bool {
	if v.numbers.minAttack == 0 && v.options.commandControl != commandChain {
		return true
	}
	weak := slices.ContainsFunc(m.fights, func(f fight) bool { return f.units < v.numbers.minAttack })
	if !weak && !m.enemy[path[len(path)-1]] {
		return true
	}
	key := v.towns[u.town].name + wayMark + v.wayName(path) + u.army.String() + strconv.FormatBool(u.kind == leader) + strconv.Itoa(u.kind.rate())
	if ok, known := legal[key]; known {
		return ok
	}
	try := a.clone()
	try.add(u.town, path, u.id)
	ok := v.strengthen(&try)
	legal[key] = ok
	return ok
}

// fastGroups tells of each town whether the side has units there that go two
// towns.
func (v *View) fastGroups() []bool {
	fast := make([]bool, len(v.towns))
	for _, id := range v.livingUnits() {
		if u := v.unit(id); u.kind.rate() > 1 {
			fast[u.town] = true
		}
	}
	return fast
}

// shownWay is how the template lists the last town of a way, if it does.
func (v *View) shownWay(m *mover, u *unit, path []townID, fast bool) string {
	first, _ := v.roadBetween(u.town, path[0])
	switch {
	case len(path) > 2 || m.room(first, path[0]) == 0:
		return ""
	case len(path) == 1:
		return v.reach(m, first, path[0])
	}
	second, _ := v.roadBetween(path[0], path[1])
	if (fast || !m.night) && path[1] != u.town && m.room(second, path[1]) > 0 {
		return v.reach(m, second, path[1])
	}
	return ""
}

func (s moveStop) Compose(v *View, d engine.Decision, made []engine.Choice) play.Reply {
	if len(made) == 0 {
		return s.Fallback(v, d)
	}
	a, order := v.madeMoves(made)
	if v.numbers.minAttack > 0 {
		v.strengthen(&a)
	}
	_, forced, _ := v.follow(&a)
	a.forced = filled(order, forced)
	return a
}

// forcedOf is who is forced in an answer once its weak attacks are strengthened.
func (v *View) forcedOf(a moveAnswer) []unitID {
	a = a.clone()
	if v.numbers.minAttack > 0 {
		v.strengthen(&a)
	}
	_, forced, _ := v.follow(&a)
	return forced
}

func (moveStop) Chosen(v *View, d engine.Decision, given play.Reply) []engine.Choice {
	a := given.(moveAnswer)
	list := v.unitsChosen(a.permit, constant(choosePermit))
	for _, way := range a.marches {
		list = append(list, v.unitsChosen(way.units, constant(v.wayName(way.path)))...)
	}
	if len(a.forced) > 1 {
		list = append(list, v.unitsChosen(a.forced, func(i int) string { return chooseForced + strconv.Itoa(i+1) })...)
	}
	return append(list, v.unitsChosen(a.reveal, constant(chooseReveal))...)
}
