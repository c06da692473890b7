package napoleon

import (
	"math/rand/v2"

	"berthier/engine"
)

// sensible tries every way of every group, keeps the one after which its camp
// stands best, and goes on from there until nothing better is found.
func (moveStop) sensible(v *View, d engine.Decision, chance *rand.Rand) answer {
	a := moveAnswer{s: v.scenario}
	p := newStaff(v, chance)
	best := p.standing()
	for range 12 {
		way, score := p.best()
		if way == nil || score <= best {
			break
		}
		best = score
		p.order(&a, way)
	}
	w := &wanderer{v: v, m: p.m, chance: chance, answer: &a}
	w.dropWeak()
	w.show()
	return a
}

// A staff weighs where a camp's units stand after a movement.
type staff struct {
	v     *View
	m     *mover
	camp  camp
	calm  bool  // the enemy's next turn is a night: he can't attack
	count []int // own units, by town
	own   []int // their might
	foes  []int // enemy blocks, by town
	enemy []int // their might
	prey  []int // that of armies not yet defeated
	moved []bool
	mean  [armies]int
	far   []int    // roads to what the camp is after: supply towns not yet held, the French in force
	feeds []townID // supply towns
	odds  int      // the least force, in hundredths of the enemy's, with which to attack
	care  int      // what danger counts, in sixths
	ways  []sortie
	near  []int // help by town, for standing
	hope  []int
}

// A sortie is some units of one group taking one path.
type sortie struct {
	from  origin
	path  []townID
	units []unitID
	might int
	luck  int
}

func newStaff(v *View, chance *rand.Rand) *staff {
	n := len(v.towns)
	p := &staff{v: v, m: newMover(v.game, v.camp()), camp: v.camp(),
		count: make([]int, n), own: make([]int, n), foes: make([]int, n), enemy: make([]int, n), prey: make([]int, n),
		near: make([]int, n), hope: make([]int, n), moved: make([]bool, len(v.roster))}
	for a := range armies {
		p.mean[a] = v.game.mean(a)
	}
	if p.odds, p.care = 120, 4; p.camp == frenchCamp { // time is against them
		p.odds, p.care = 105, 2
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
	var goals []townID
	for t := range v.towns {
		if v.towns[t].loss == 0 || v.defeated[v.towns[t].supply] {
			continue
		}
		p.feeds = append(p.feeds, townID(t))
		if p.camp == frenchCamp && p.count[t] > 0 {
			continue
		}
		goals = append(goals, townID(t))
	}
	if p.camp == frenchCamp && len(goals) == 0 { // hunt what is left
		for i := range v.units {
			if u := &v.units[i]; !u.dead && u.town != noTown && u.army.camp() != p.camp && !v.defeated[u.army] {
				goals = append(goals, u.town)
			}
		}
	}
	if p.camp == alliedCamp {
		goals = goals[:0]
		for t, n := range p.foes {
			if n >= minBattle || n > 0 && v.towns[t].loss > 0 {
				goals = append(goals, townID(t))
			}
		}
	}
	p.far = v.roadsTo(goals)
	p.collect(chance)
	return p
}

// collect lists all ways of all groups whose roads have room.
func (p *staff) collect(chance *rand.Rand) {
	v, m := p.v, p.m
	for who := range armies {
		if !v.own[who] || v.numbers.groupMoves[who] == 0 {
			continue
		}
		for t := range v.towns {
			t := townID(t)
			var slow, fast []unitID
			for i := range v.units {
				if u := &v.units[i]; u.army == who && u.present(t) {
					slow = append(slow, u.id)
					if u.kind.rate() > 1 {
						fast = append(fast, u.id)
					}
				}
			}
			if len(slow) == 0 {
				continue
			}
			o := origin{who, t}
			slow, fast = v.byMight(slow), v.byMight(fast)
			for _, r := range v.towns[t].roads {
				to := v.roads[r].from(t)
				p.ways = append(p.ways, sortie{from: o, path: []townID{to}, units: slow, luck: chance.IntN(3)})
				if m.enemy[to] || len(fast) == 0 {
					continue
				}
				for _, s := range v.towns[to].roads {
					if next := v.roads[s].from(to); next != t {
						p.ways = append(p.ways, sortie{from: o, path: []townID{to, next}, units: fast, luck: chance.IntN(3)})
					}
				}
			}
		}
	}
}

// able gives who of a sortie can go now, the strongest first, leaving some in
// the town, as many as the roads take.
func (p *staff) able(way *sortie, leave int) []unitID {
	v, m := p.v, p.m
	if m.mayLead(way.from) != nil {
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
	if m.enemy[at] && m.mayAttack(way.from, at) != nil {
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

// best finds the way after which the camp stands best.
func (p *staff) best() (*sortie, int) {
	var found *sortie
	top := 0
	for i := range p.ways {
		way := &p.ways[i]
		from, to := way.from.town, way.path[len(way.path)-1]
		for _, leave := range [2]int{0, 1} {
			if leave == 0 && p.v.towns[from].loss > 0 && p.count[from] > 1 {
				continue
			}
			if leave == 1 && p.v.towns[from].loss == 0 {
				continue
			}
			for _, part := range [2]int{1, 3} { // all, or a third
				ids := p.able(way, leave)
				if part > 1 {
					if len(ids) < part {
						continue
					}
					ids = ids[len(ids)-len(ids)/part:]
				}
				if len(ids) == 0 {
					continue
				}
				k := 0
				for _, id := range ids {
					k += p.v.might(p.v.unit(id))
				}
				p.shift(from, to, len(ids), k)
				score := p.standing() + way.luck
				p.shift(to, from, len(ids), k)
				if found == nil || score > top {
					pick := *way
					pick.units, pick.might = ids, k
					found, top = &pick, score
				}
			}
		}
	}
	return found, top
}

func (p *staff) shift(from, to townID, n, might int) {
	p.count[from] -= n
	p.own[from] -= might
	p.count[to] += n
	p.own[to] += might
}

// order writes a sortie down and notes it with the mover.
func (p *staff) order(a *moveAnswer, way *sortie) {
	from, to := way.from.town, way.path[len(way.path)-1]
	for _, id := range way.units {
		u := p.v.unit(id)
		p.moved[id] = true
		stop := p.m.mayLead(way.from)
		at := from
		if stop == nil {
			trial := p.m.steps[id]
			for _, next := range way.path {
				if stop = p.m.mayStep(u, from, at, next); stop != nil {
					break
				}
				p.m.steps[id]++
				at = next
			}
			p.m.steps[id] = trial
		}
		if stop != nil {
			continue
		}
		p.m.lead(way.from)
		p.m.march(u, from, way.path)
		a.add(from, way.path, id)
		p.shift(from, to, 1, p.v.might(u))
	}
}

// standing weighs the camp's place on the map, in units of might.
func (p *staff) standing() int {
	v := p.v
	score := 0
	for t := range v.towns { // what may come to the help of each side in a town
		near, hope := 0, 0
		for _, r := range v.towns[t].roads {
			from := v.roads[r].from(townID(t))
			most := 2 * v.numbers.battleRoad.of(v.roads[r])
			if n := p.count[from]; n > 0 && p.foes[from] == 0 {
				near += p.own[from] * min(n, most) / n
			}
			if n := p.foes[from]; n > 0 && p.count[from] == 0 {
				hope += p.enemy[from] * min(n, most) / n
			}
		}
		p.near[t], p.hope[t] = near*2/3, hope*2/3
	}
	for t := range v.towns {
		t := townID(t)
		switch n, e := p.count[t], p.foes[t]; {
		case n > 0 && e > 0:
			score += p.attack(t)
		case n > 0:
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

// attack weighs an attack on a town.
func (p *staff) attack(t townID) int {
	n, e, mine, theirs := p.count[t], p.foes[t], p.own[t], p.enemy[t]
	prize := p.goal(t, mine)
	if loss := p.v.towns[t].loss; loss > 0 {
		prize += 25 * loss
	}
	if n < p.v.numbers.minAttack { // it may not be made (NAP-6.6y)
		return -4 * mine
	}
	if n < minBattle || e < minBattle { // a skirmish: numbers decide (NAP-6.6d)
		if n > e+e/3 && mine > theirs {
			return prize + p.prey[t]*5/4 + e
		}
		return -mine
	}
	a, d := mine+p.near[t], theirs+p.hope[t]
	if a*100 < d*p.odds {
		return -mine - (d - a)
	}
	return prize + (d/2+min(a-d, d)/2)*(p.prey[t]+theirs/4)*4/(5*theirs)
}

// stand weighs units that wait in a town: on their way, together, and safe.
func (p *staff) stand(t townID) int {
	v := p.v
	mine := p.own[t]
	score := p.goal(t, mine) + mine*min(mine+p.near[t]/2, 80)/320
	if p.camp == frenchCamp && v.towns[t].loss > 0 && !v.defeated[v.towns[t].supply] {
		score += 60 * v.towns[t].loss
	}
	if p.calm {
		return score
	}
	threat := 0
	for _, r := range v.towns[t].roads {
		from := v.roads[r].from(t)
		n := p.foes[from]
		if n == 0 || p.count[from] > 0 {
			continue
		}
		limit := v.numbers.road.of(v.roads[r])
		if v.roads[r].river {
			limit = v.numbers.river.of(v.roads[r])
		}
		threat += p.enemy[from] * min(n, limit) / n
	}
	if safe := mine + p.near[t]; threat > safe {
		score -= min(threat-safe, mine) * p.care / 6
	}
	return score
}

// goal weighs how far units are on their way: the French to the supply towns,
// the Allies to the French.
func (p *staff) goal(t townID, mine int) int {
	if p.camp == frenchCamp {
		return -mine * p.far[t] / 2
	}
	return -mine * min(p.far[t], 8) / 6
}

// guard weighs how an own supply town is held against what could come to it.
func (p *staff) guard(t townID) int {
	v := p.v
	threat, cover := 0, p.own[t]+p.near[t]
	for _, r := range v.towns[t].roads {
		from := v.roads[r].from(t)
		threat += p.enemy[from]
		for _, s := range v.towns[from].roads {
			if far := v.roads[s].from(from); far != t {
				threat += p.enemy[far] / 3
				cover += p.own[far] / 8
			}
		}
	}
	score := 0
	if p.count[t] == 0 {
		score -= 15 * v.towns[t].loss
	}
	if threat > cover {
		score -= (threat - cover) * v.towns[t].loss / 2
	}
	if p.foes[t] > 0 && p.count[t] == 0 {
		score -= 30 * v.towns[t].loss
	}
	return score
}
