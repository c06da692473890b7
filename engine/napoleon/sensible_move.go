package napoleon

import "math/rand/v2"

// senseMove tries every way of every group, keeps the one after which its camp
// stands best, and continues from there until it finds nothing better.
func senseMove(x *saying[*marching], chance *rand.Rand) {
	p := newStaff(x, chance)
	best := p.standing()
	for range 12 {
		ways, score := p.best()
		if len(ways) == 0 || score <= best {
			break
		}
		best = score
		for i := range ways {
			p.order(&ways[i])
		}
	}
	w := newWanderer(x, chance)
	w.dropWeak()
	w.show()
}

// A staff judges how a camp's units stand after a movement.
type staff struct {
	x     *saying[*marching]
	v     *View
	m     *mover
	camp  camp
	habit habit
	calm  bool  // the enemy's next turn is a night: he can't attack
	count []int // own units, by town
	own   []int // their might
	foes  []int // enemy blocks, by town
	enemy []int // their might
	prey  []int // that of armies not yet defeated
	worth []int // what holding a town to the end brings the French, in might
	moved []bool
	mean  [armies]int
	far   []int    // roads to what the camp is after: supply towns not yet held, the French in force
	feeds []townID // towns that are worth something
	ways  []sortie
	lanes [][]lane // roads out of each town
}

// A lane is a road out of a town: where it goes, how many units it brings to the
// help of a battle there in two battle turns, and how many to an attack.
type lane struct {
	to           townID
	help, attack int
}

// A sortie is some units of one group taking one path.
type sortie struct {
	from  origin
	path  []townID
	units []unitID
	might int
	cost  int // might that forced marches will cost on the mean
	luck  int
}

func newStaff(x *saying[*marching], chance *rand.Rand) *staff {
	v, n := x.View, len(x.View.towns)
	p := &staff{x: x, v: v, m: x.World.mover(), camp: v.camp(), habit: habits[v.camp()],
		count: make([]int, n), own: make([]int, n), foes: make([]int, n), enemy: make([]int, n), prey: make([]int, n),
		worth: make([]int, n), lanes: make([][]lane, n), moved: make([]bool, len(v.roster))}
	for t := range v.towns {
		for _, r := range v.towns[t].roads {
			road := v.roads[r]
			x := lane{to: road.from(townID(t)), help: 2 * v.numbers.battleRoad.of(road), attack: v.numbers.road.of(road)}
			if road.river {
				x.attack = v.numbers.river.of(road)
			}
			p.lanes[t] = append(p.lanes[t], x)
		}
	}
	for a := range armies {
		p.mean[a] = v.game.mean(a)
	}
	if next := v.turn + 1; next < len(v.turns) {
		p.calm = v.turns[next].night
	}
	for i := range v.units {
		u := &v.units[i]
		if u.dead || u.town == noTown {
			continue
		}
		if u.army.camp() == p.camp {
			p.count[u.town]++
			p.own[u.town] += v.might(u)
		} else {
			k := p.mean[u.army]
			if u.id != noUnit {
				k = v.might(u)
			}
			p.foes[u.town]++
			p.enemy[u.town] += k
			if !v.defeated[u.army] {
				p.prey[u.town] += k
			}
		}
	}
	p.prices()
	p.look()
	p.collect(chance)
	return p
}

// prices says what each town is worth: what the Allies lose by it until the end
// of the track if the French hold it from now on, but no more than their army lacks to its
// defeat (NAP-9.0); and towards the end what it adds to a victory by towns (NAP-10.3).
func (p *staff) prices() {
	v := p.v
	turns := 0
	for t := v.turn; t < len(v.turns); t++ {
		if v.turns[t].camp == frenchCamp {
			turns++
		}
	}
	if turns <= p.habit.hurry {
		p.habit.odds = p.habit.odds * 3 / 4
		p.habit.care /= 3
		p.habit.prey *= 2
	}
	for t := range v.towns {
		town := &v.towns[t]
		if town.loss > 0 && !v.defeated[town.supply] {
			lost := min(town.loss*turns, v.numbers.defeat[town.supply]-v.losses[town.supply])
			p.worth[t] = max(lost, 1) * p.mean[town.supply]
		}
		if town.city && v.numbers.cityWinNeed > 0 && turns <= 4 {
			p.worth[t] += 120 / max(turns, 1)
		}
		if p.worth[t] > 0 {
			p.feeds = append(p.feeds, townID(t))
		}
	}
}

// look measures how far each town is from what the camp wants. The French have
// a first goal, the town of worth to which their force as a whole is nearest; where
// the enemy stands in mass, the other goals seem farther away than they are.
func (p *staff) look() {
	v := p.v
	goals := p.goals()
	p.far = v.roadsTo(goals)
	if p.camp != frenchCamp || len(goals) < 2 {
		return
	}
	whole, most := 0, 0
	for t := range v.towns {
		whole += p.own[t]
		most = max(most, p.enemy[t])
	}
	if most*p.habit.fear <= whole {
		return
	}
	var first []int
	least := 0
	for _, t := range goals {
		far, sum := v.roadsTo([]townID{t}), 0
		for from, k := range p.own {
			sum += k * far[from]
		}
		if first == nil || sum < least {
			first, least = far, sum
		}
	}
	focus := max(p.habit.focus-v.numbers.groupMoves[french], 0)
	for t, n := range first {
		p.far[t] = min(p.far[t]+focus, n)
	}
}

// goals are the towns that a camp wants: for the French the towns of worth that
// they don't hold, or those with what is left of the enemy; for the Allies the French.
func (p *staff) goals() []townID {
	var goals []townID
	if p.camp == alliedCamp {
		for t, n := range p.foes {
			if n >= minBattle || n > 0 && p.worth[t] > 0 {
				goals = append(goals, townID(t))
			}
		}
		return goals
	}
	for _, t := range p.feeds {
		if p.count[t] == 0 {
			goals = append(goals, t)
		}
	}
	if len(goals) == 0 { // then hunt what is left of the enemy
		for t, k := range p.prey {
			if k > 0 {
				goals = append(goals, townID(t))
			}
		}
	}
	return goals
}

// collect lists all ways of all groups whose roads have room: as far as units
// go without a forced march, and one road more by day.
func (p *staff) collect(chance *rand.Rand) {
	v, m := p.v, p.m
	for who := range armies {
		if !v.own[who] || v.numbers.groupMoves[who] == 0 {
			continue
		}
		for t := range v.towns {
			t := townID(t)
			var all, fast []unitID
			for i := range v.units {
				if u := &v.units[i]; u.army == who && u.present(t) {
					all = append(all, u.id)
					if u.kind.rate() > 1 {
						fast = append(fast, u.id)
					}
				}
			}
			if len(all) == 0 {
				continue
			}
			o := origin{who, t}
			all, fast = v.byMight(all), v.byMight(fast)
			luck := func() int { return chance.IntN(3) }
			for _, r := range v.towns[t].roads {
				to := v.roads[r].from(t)
				p.ways = append(p.ways, sortie{from: o, path: []townID{to}, units: all, luck: luck()})
				if m.enemy[to] > 0 {
					continue
				}
				for _, s := range v.towns[to].roads {
					next := v.roads[s].from(to)
					if next == t {
						continue
					}
					if len(fast) > 0 {
						p.ways = append(p.ways, sortie{from: o, path: []townID{to, next}, units: fast, luck: luck()})
					}
					if m.night {
						continue
					}
					if len(fast) < len(all) && (p.worth[next] > 0 || m.enemy[next] > 0 || p.far[next] < p.far[to]) {
						p.ways = append(p.ways, sortie{from: o, path: []townID{to, next}, units: all, luck: luck()})
					}
					if len(fast) == 0 || m.enemy[next] > 0 {
						continue
					}
					for _, x := range v.towns[next].roads {
						if end := v.roads[x].from(next); end != to && end != t && p.worth[end] > 0 {
							p.ways = append(p.ways, sortie{from: o, path: []townID{to, next, end}, units: fast, luck: luck()})
						}
					}
				}
			}
		}
	}
}

// haste is the average might that a forced march costs a unit: half a point
// of strength, and all of it if it has but one (NAP-5.6).
func (p *staff) haste(u *unit, way *sortie) int {
	if len(way.path) <= u.kind.rate() || u.kind == leader && p.v.reading.hardyLeaders {
		return 0
	}
	if u.kind == leader {
		return 40
	}
	if u.strength == 1 {
		return p.mean[u.army]
	}
	return (int(u.fire)+1)/2 + 1
}

// able gives who of a sortie can go now, the strongest first, leaving some in
// the town, as many as the roads take.
func (p *staff) able(way *sortie, leave int) []unitID {
	v, m := p.v, p.m
	if !m.canLead(way.from) {
		return nil
	}
	most, at := 1<<10, way.from.town
	for _, to := range way.path {
		r, _ := v.roadBetween(at, to)
		most = min(most, m.room(r, to))
		at = to
	}
	if most <= 0 {
		return nil
	}
	if m.enemy[at] > 0 && !m.mayJoin(way.from, at) {
		return nil
	}
	most = min(most, p.count[way.from.town]-leave)
	var ids []unitID
	for _, id := range way.units {
		if len(ids) >= most {
			break
		}
		if !p.moved[id] {
			ids = append(ids, id)
		}
	}
	return ids
}

// best finds the way after which the camp stands best, or two that attack one
// town together.
func (p *staff) best() ([]sortie, int) {
	var found []sortie
	top := 0
	weigh := func(ways ...sortie) {
		score := 0
		for _, w := range ways {
			p.shift(w.from.town, w.path[len(w.path)-1], len(w.units), w.might)
			score += w.luck - w.cost*p.habit.forced/100
		}
		score += p.standing()
		for _, w := range ways {
			p.shift(w.path[len(w.path)-1], w.from.town, len(w.units), w.might)
		}
		if found == nil || score > top {
			found, top = append(found[:0:0], ways...), score
		}
	}
	var attacks []sortie
	for i := range p.ways {
		way := &p.ways[i]
		from, to := way.from.town, way.path[len(way.path)-1]
		leave := 0
		if p.worth[from] > 0 && p.foes[from] == 0 {
			leave = 1
			if p.count[from] == 1 {
				leave = 0
			}
		}
		before := 0
		for part := 1; part <= 3; part++ { // all, half, a third: the weakest
			ids := p.able(way, leave)
			if part > 1 {
				if len(ids) < part {
					continue
				}
				ids = ids[len(ids)-len(ids)/part:]
			}
			if len(ids) == 0 || len(ids) == before {
				continue
			}
			before = len(ids)
			pick := *way
			pick.units, pick.might, pick.cost = ids, 0, 0
			for _, id := range ids {
				pick.might += p.v.might(p.v.unit(id))
				pick.cost += p.haste(p.v.unit(id), way)
			}
			weigh(pick)
			if part == 1 && p.foes[to] >= minBattle && len(way.path) == 1 {
				attacks = append(attacks, pick)
			}
		}
	}
	for i := range attacks {
		for j := range i {
			x, y := &attacks[i], &attacks[j]
			if x.path[0] != y.path[0] || p.m.fight(x.path[0]) != nil || !p.together(x.from, y.from) {
				continue
			}
			weigh(*x, *y)
		}
	}
	return found, top
}

// together tells whether two groups next to a town may attack it together
// (NAP-5.2) and there are group moves for both.
func (p *staff) together(x, y origin) bool {
	if _, joined := p.v.roadBetween(x.town, y.town); !joined && x.town != y.town {
		return false
	}
	n := len(p.m.groups[x.army])
	for _, o := range [2]origin{x, y} {
		if o.army == x.army && !p.m.leads(o) {
			n++
		}
	}
	return n <= p.v.numbers.groupMoves[x.army]
}

func (p *staff) shift(from, to townID, n, might int) {
	p.count[from] -= n
	p.own[from] -= might
	p.count[to] += n
	p.own[to] += might
}

// order writes a sortie down.
func (p *staff) order(way *sortie) {
	from, to := way.from.town, way.path[len(way.path)-1]
	for _, id := range way.units {
		p.moved[id] = true
		if p.x.Try("", movePart{unit: id, from: from, way: routeOf(way.path)}) {
			p.shift(from, to, 1, p.v.might(p.v.unit(id)))
		}
	}
}

// standing weighs the camp's place on the map, in units of might.
func (p *staff) standing() int {
	v := p.v
	score := 0
	for t := range v.towns {
		t := townID(t)
		switch n, e := p.count[t], p.foes[t]; {
		case n == 0:
		case e > 0:
			score += p.attack(t)
		default:
			score += p.stand(t)
		}
	}
	if p.camp == alliedCamp {
		for _, t := range p.feeds {
			score += p.guard(t)
		}
	}
	return score
}

// near is what may come to the help of own units in a town from the towns around
// it, at two thirds of its might.
func (p *staff) near(t townID) int {
	sum := 0
	for i := range p.lanes[t] {
		x := &p.lanes[t][i]
		if n := p.count[x.to]; n > x.help && p.foes[x.to] == 0 {
			sum += p.own[x.to] * x.help / n
		} else if n > 0 && p.foes[x.to] == 0 {
			sum += p.own[x.to]
		}
	}
	return sum * 2 / 3
}

// hope is what may come to the enemy's help, likewise.
func (p *staff) hope(t townID) int {
	sum := 0
	for i := range p.lanes[t] {
		x := &p.lanes[t][i]
		if n := p.foes[x.to]; n > 0 && p.count[x.to] == 0 {
			sum += p.enemy[x.to] * min(n, x.help) / n
		}
	}
	return sum * 2 / 3
}

// attack weighs an attack on a town.
func (p *staff) attack(t townID) int {
	n, e, mine, theirs := p.count[t], p.foes[t], p.own[t], p.enemy[t]
	prize := p.goal(t, mine) + p.worth[t]*p.habit.prize/100
	if n < p.v.numbers.minAttack { // it may not be made (NAP-6.6y)
		return -4 * mine
	}
	if n < minBattle || e < minBattle { // numbers decide (NAP-6.6d, NAP-6.6z)
		if n > e+e/3 && (mine > theirs || p.v.numbers.minAttack > 0) {
			return prize + p.prey[t]*p.habit.chase/100 + e
		}
		return -mine
	}
	a, d := mine+p.near(t), theirs+p.hope(t)
	if a*100 < d*p.habit.odds {
		return -mine - (d - a)
	}
	return prize + (d/2+min(a-d, d)/2)*(p.prey[t]+theirs/4)*p.habit.prey/(100*theirs)
}

// stand weighs units that wait in a town: on their way, together, and safe.
func (p *staff) stand(t townID) int {
	mine := p.own[t]
	near := p.near(t)
	score := p.goal(t, mine) + mine*min(mine+near/2, 80)*p.habit.mass/8000
	threat := p.threat(t)
	safe := mine + near
	if p.camp == frenchCamp && p.worth[t] > 0 {
		score += p.worth[t] * p.habit.hold / 100
	}
	if threat > safe && !p.calm {
		score -= min(threat-safe, mine) * p.habit.care / 100
	}
	return score
}

// threat is what the enemy could attack a town with from the towns around it.
func (p *staff) threat(t townID) int {
	threat := 0
	for i := range p.lanes[t] {
		x := &p.lanes[t][i]
		if n := p.foes[x.to]; n > 0 && p.count[x.to] == 0 {
			threat += p.enemy[x.to] * min(n, x.attack) / n
		}
	}
	return threat
}

// goal weighs how far units are on their way.
func (p *staff) goal(t townID, mine int) int {
	return -mine * min(p.far[t], p.habit.reach) * p.habit.pull / 100
}

// guard weighs how an own supply town is held against what could come to it.
func (p *staff) guard(t townID) int {
	threat, cover := 0, p.own[t]+p.near(t)
	for _, x := range p.lanes[t] {
		threat += p.enemy[x.to]
		for _, y := range p.lanes[x.to] {
			if y.to != t {
				threat += p.enemy[y.to] * p.habit.far / 100
				cover += p.own[y.to] * p.habit.aid / 100
			}
		}
	}
	score := 0
	if p.count[t] == 0 {
		score -= p.worth[t] * p.habit.post / 100
		if p.foes[t] > 0 {
			score -= p.worth[t] / 2
		}
	}
	if threat > cover {
		score -= min(threat-cover, 60) * p.worth[t] * p.habit.ward / 6000
	}
	return score
}
