package napoleon

import (
	"math/rand/v2"
	"slices"

	"berthier/engine"
)

// senseDeploy deploys each army together: in as few towns as the limits allow, all
// near each other on good roads, so that they help one another in battle
// (NAP-13.2). The French stand where the roads take many towards a supply town
// that chance picks; the Allies leave one unit in each of theirs and stand
// between them and the border.
func senseDeploy(x *saying[*deployment], chance *rand.Rand) {
	v := x.View
	waiting := v.undeployed(v.side)
	for who := range armies {
		var ids []unitID
		for _, id := range waiting {
			if v.roster[id].army == who {
				ids = append(ids, id)
			}
		}
		if len(ids) == 0 {
			continue
		}
		v.deployArmy(func(t townID, id unitID) { stand(x, id, t) }, who, ids, chance)
	}
}

// deployArmy deploys one army.
func (v *View) deployArmy(put func(townID, unitID), who army, ids []unitID, chance *rand.Rand) {
	zone, feeds := v.deployGround(who)
	limit := v.numbers.deploy[who]
	if limit < 1 || len(zone)*limit < len(ids) {
		for _, id := range ids { // a scenario without room: as it stood in history
			put(v.roster[id].at, id)
		}
		return
	}
	var worth []int
	if who == french {
		worth = v.deployWorthFrench(zone, feeds, chance)
	} else {
		worth = v.deployWorthAllied(who, zone, feeds)
	}
	chosen := v.cluster(zone, worth, (len(ids)+limit-1)/limit, chance)
	room := make([]int, len(v.towns))
	for _, t := range chosen {
		room[t] = limit
	}
	ids = slices.Clone(ids)
	if who != french {
		ids = v.guardFeeds(put, who, ids, feeds, room)
	}
	// Corps stay together: towns are filled one after another.
	slices.SortStableFunc(ids, func(x, y unitID) int {
		if n := v.roster[x].corps - v.roster[y].corps; n != 0 {
			return n
		}
		return int(x) - int(y)
	})
	for _, id := range ids {
		for _, t := range chosen {
			if room[t] > 0 {
				room[t]--
				put(t, id)
				break
			}
		}
	}
}

// deployGround is where an army may deploy, and the supply towns that matter to
// it: the Allied ones to the French, its own to an Allied army.
func (v *View) deployGround(who army) (zone, feeds []townID) {
	for t := range v.towns {
		t := townID(t)
		if v.zone(t) == who && !v.towns[t].apart {
			zone = append(zone, t)
		}
		if v.towns[t].loss > 0 && v.zone(t) != french && (who == french || v.towns[t].supply == who) {
			feeds = append(feeds, t)
		}
	}
	return zone, feeds
}

// deployWorthFrench is what each town is worth to the French: it is near a supply
// town that chance picks, at the border where few Allies stand, and has good roads
// that lead there.
func (v *View) deployWorthFrench(zone, feeds []townID, chance *rand.Rand) []int {
	h, worth := &habits[frenchCamp], make([]int, len(v.towns))
	aim := feeds
	if len(feeds) > 0 {
		aim = []townID{feeds[chance.IntN(len(feeds))]}
	}
	far := v.roadsTo(aim)
	for _, t := range zone {
		worth[t] = -h.remote * far[t]
		for _, r := range v.towns[t].roads {
			to := v.roads[r].from(t)
			if v.zone(to) != french {
				worth[t] += h.border - v.blocks(to, alliedCamp)*h.watch/10
			}
			if far[to] < far[t] {
				worth[t] += v.numbers.road.of(v.roads[r]) * h.roads / 10
			}
		}
	}
	return worth
}

// deployWorthAllied is what each town is worth to an Allied army: it is near a
// supply town, or is one, some way from the border, and has many roads.
func (v *View) deployWorthAllied(who army, zone, feeds []townID) []int {
	h, worth := &habits[who.camp()], make([]int, len(v.towns))
	var border []townID
	for t := range v.towns {
		if v.zone(townID(t)) == french && !v.towns[t].apart {
			border = append(border, townID(t))
		}
	}
	toFrance, far := v.roadsTo(border), v.roadsTo(feeds)
	for _, t := range zone {
		worth[t] = -h.remote*far[t] + h.border*min(toFrance[t], 3) + len(v.towns[t].roads)*h.roads/10
		if v.towns[t].loss > 0 {
			worth[t] += 4
		}
	}
	return worth
}

// guardFeeds leaves the weakest to guard the supply towns where nobody else will
// stand, and gives who is left, the strongest first.
func (v *View) guardFeeds(put func(townID, unitID), who army, ids []unitID, feeds []townID, room []int) []unitID {
	ids = v.byMight(ids)
	for _, t := range feeds {
		if room[t] == 0 && len(ids) > 0 && v.zone(t) == who {
			last := len(ids) - 1
			if v.unit(ids[last]).kind == leader && last > 0 {
				ids[last], ids[last-1] = ids[last-1], ids[last]
			}
			put(t, ids[last])
			ids = ids[:last]
		}
	}
	return ids
}

// roadsTo counts the roads from each town to the nearest of some.
func (s *scenario) roadsTo(goals []townID) []int {
	far := make([]int, len(s.towns))
	for t := range far {
		far[t] = len(s.towns)
	}
	queue := append(make([]townID, 0, len(s.towns)), goals...)
	for _, t := range queue {
		far[t] = 0
	}
	for i := 0; i < len(queue); i++ {
		t := queue[i]
		for _, next := range s.towns[t].next {
			if far[next] > far[t]+1 {
				far[next] = far[t] + 1
				queue = append(queue, next)
			}
		}
	}
	return far
}

// cluster chooses some towns that are worth much and joined to one another: it
// grows a set from each town and takes one of the best two by chance.
func (s *scenario) cluster(zone []townID, worth []int, n int, chance *rand.Rand) []townID {
	type set struct {
		towns []townID
		worth int
	}
	var sets []set
	for _, start := range zone {
		x := set{towns: []townID{start}, worth: worth[start]}
		for len(x.towns) < n {
			best, most := noTown, 0
			for _, t := range zone {
				if slices.Contains(x.towns, t) {
					continue
				}
				k := worth[t]
				for _, o := range x.towns {
					if r, ok := s.roadBetween(t, o); ok {
						k += 4
						if s.roads[r].main {
							k += 2
						}
					}
				}
				if best == noTown || k > most {
					best, most = t, k
				}
			}
			x.towns = append(x.towns, best)
			x.worth += most
		}
		sets = append(sets, x)
	}
	slices.SortStableFunc(sets, func(x, y set) int { return y.worth - x.worth })
	return sets[chance.IntN(min(2, len(sets)))].towns
}

// senseBattle begins as the digest's default does. A defender then strengthens his
// line evenly; an attacker masses the corps of one position where the enemy is
// fewest, and keeps cavalry and what is left in reserve (NAP-13.1).
func (v *View) senseBattle(b *battle, d engine.Decision) battleDeployAnswer {
	c := v.camp()
	a := v.deployInOrder(b, c, v.of(v.side, v.byCorps(b, c)))
	if d.Kind == "deploy-defender" {
		v.even(b, &a)
		return a
	}
	main := a.own[1]
	if d.Kind == "deploy-attacker" { // where the enemy is fewest
		fewest := 1 << 10
		for _, f := range [3]field{a.own[1], a.own[2], a.own[0]} {
			n := v.count(b, f.opposite(), c.enemy()) * 2
			if b.stream(f) {
				n += 3
			}
			if what := b.terrain[f.opposite()]; what == wood || what == farm {
				n++
			}
			if n < fewest {
				main, fewest = f, n
			}
		}
	}
	behind := 0
	for _, l := range a.places {
		if l.field == reserve {
			behind++
		}
	}
	for _, f := range [3]field{main, a.own[1], a.own[0]} {
		for i := range a.places {
			l := &a.places[i]
			u := v.unit(l.unit)
			if l.field != reserve || behind <= 2 || u.kind.cavalry() || u.kind == leader || b.mayStand(u, f) != nil {
				continue
			}
			l.field = f
			here := v.alliesOn(b, f)
			for _, o := range a.places {
				if o.field == f {
					here = append(here, v.unit(o.unit))
				}
			}
			if v.corpsFault(here) != nil || f != main && len(here) > 3 {
				l.field = reserve
				continue
			}
			behind--
		}
	}
	return a
}

// even brings a defender's reserve into line, the strongest first and foot and guns
// before horse, each where the line is weakest, until a quarter of it and no less
// than two units are left: an attacker breaks what he finds weak.
func (v *View) even(b *battle, a *battleDeployAnswer) {
	line := func(f field) int {
		sum := 0
		if b.stream(f) {
			sum += 6
		}
		if b.terrain[f] == farm {
			sum += 2
		}
		for _, l := range a.places {
			if l.field == f {
				sum += v.might(v.unit(l.unit))
			}
		}
		return sum
	}
	var behind []unitID
	left := 0
	for _, l := range a.places {
		if l.field != reserve {
			continue
		}
		left++
		if v.unit(l.unit).kind != leader {
			behind = append(behind, l.unit)
		}
	}
	keep := max(2, len(a.places)/4)
	behind = v.byMight(behind)
	slices.SortStableFunc(behind, func(x, y unitID) int {
		return horse(v.unit(x)) - horse(v.unit(y))
	})
	for _, id := range behind {
		if left <= keep {
			return
		}
		u := v.unit(id)
		fields := a.own
		slices.SortStableFunc(fields[:], func(x, y field) int { return line(x) - line(y) })
		for _, f := range fields {
			if b.mayStand(u, f) != nil {
				continue
			}
			here := append(v.alliesOn(b, f), u)
			for _, l := range a.places {
				if l.field == f {
					here = append(here, v.unit(l.unit))
				}
			}
			if v.corpsFault(here) != nil {
				continue
			}
			for i := range a.places {
				if a.places[i].unit == id {
					a.places[i].field = f
				}
			}
			left--
			break
		}
	}
}

// horse is 1 for cavalry, 0 for others.
func horse(u *unit) int {
	if u.kind.cavalry() {
		return 1
	}
	return 0
}
