package waterloo

import (
	"cmp"
	"slices"
)

// The sensible player does what a fair club player would do. It knows what the side sees,
// and judges what is legal by the same code as order files. It looks one card ahead. It
// wants victory squares, and battles in which it is the stronger side; it avoids being
// attacked in the flank; it spends on a battle what the battle is worth. Worths are in
// hundredths of a victory point. Chance only breaks ties.

// A mind judges a game for one camp.
type mind struct {
	game  *game
	v     *View
	me    camp
	on    []unitID // by square, who stands there
	near  []int    // by square, how far the nearest enemy is
	goals []goal
	zeal  [armies]int // how much, of a hundred, an army wants to fight

	seen  []int // by pose, the least cost in the search of number run
	run   int
	queue []state
}

// A goal is a victory square.
type goal struct {
	at    square
	worth int // points that it is worth to take it, or not to lose it
	mine  bool
	crowd []int // by distance, how many of its own units are nearer
}

// newMind begins to judge a game: the view's, or a copy of it that was played on.
func newMind(v *View, g *game) *mind {
	m := &mind{game: g, v: v, me: v.camp(), on: make([]unitID, g.squares()+1)}
	for id, u := range g.everyUnit() {
		m.on[u.At] = id
	}
	far := len(g.rows) + g.columns
	m.near = make([]int, g.squares()+1)
	for q := square(1); int(q) <= g.squares(); q++ {
		m.near[q] = far
		for id, u := range g.everyUnit() {
			if g.campOf(id) != m.me {
				m.near[q] = min(m.near[q], g.distance(q, u.At))
			}
		}
	}
	m.seen = make([]int, 8*(g.squares()+1))
	for i := range g.objectives {
		if !g.marked(objectiveID(i + 1)) {
			continue
		}
		o := &g.objectives[i]
		x := goal{at: o.at, mine: g.Control[i+1] == m.me}
		if x.worth = o.points[frenchCamp] + o.points[alliedCamp]; !g.length().prussians {
			x.worth = 10
		}
		x.crowd = make([]int, far+1)
		for id, u := range g.everyUnit() {
			if g.campOf(id) == m.me {
				for n := g.distance(u.At, x.at) + 1; n <= far; n++ {
					x.crowd[n]++
				}
			}
		}
		m.goals = append(m.goals, x)
	}
	m.zeal = [armies]int{french: 100, anglo: 30, prussian: 100}
	if g.length().prussians {
		fs, fk := g.points(frenchCamp)
		as, ak := g.points(alliedCamp)
		if fs+fk >= as+ak {
			m.zeal[anglo] = 80
			if fs+fk > as+ak+5 {
				m.zeal[french] = 60
			}
		}
	} else if g.frenchWinQuick() {
		m.zeal[anglo], m.zeal[french] = 90, 50
	}
	return m
}

// goalAt is what a square is worth as a goal, 0 if it is none.
func (m *mind) goalAt(q square) (worth int, mine bool) {
	for _, x := range m.goals {
		if x.at == q {
			return x.worth, x.mine
		}
	}
	return 0, false
}

// shield is the number by which the ground of a square multiplies a defender.
func (m *mind) shield(q square) int {
	if m.game.terrain[q] == open {
		return 1
	}
	return 2
}

// bearingOf is on which side of a unit a square would lie, if the unit stood in another
// square with a facing: 1 front, 2 flank, 3 rear.
func (m *mind) bearingOf(id unitID, at square, face facing, from square) int {
	if m.game.terrain[at] == chateau && m.game.def(id).arm == infantry {
		return 1
	}
	switch side, _ := m.game.toward(at, from); side {
	case face:
		return 1
	case face.back():
		return 3
	}
	return 2
}

// worthOf is what it is worth to have a unit in a square with a facing.
func (m *mind) worthOf(id unitID, at square, face facing) int {
	d := m.game.def(id)
	value := m.game.value(id)
	n := 0
	near := m.near[at]
	// Goals that are not ours attract a unit, the nearer the more; our own goals must be
	// held where the enemy is near.
	best := 0
	for _, x := range m.goals {
		far := m.game.distance(at, x.at)
		switch {
		case !x.mine:
			pull := x.worth * 100 / (2 + far)
			if d.army == anglo {
				pull = pull * (40 + m.zeal[anglo]) / 140
			}
			if x.crowd[far] >= 6 {
				pull /= 3
			}
			best = max(best, pull)
		case far == 0:
			n += x.worth * 12
			if near <= 3 {
				n += x.worth * 20 / max(near, 1)
			}
		case far == 1 && near <= 3:
			n += x.worth * 4
		}
	}
	n += best
	n += m.zeal[d.army] * 60 / (100 + 40*near)
	// This counts the enemies before the unit, and those that could attack it.
	for _, side := range facingsAll {
		e := m.on[m.game.next(at, side)]
		if e == 0 || m.game.campOf(e) == m.me || m.game.edgeOf(at, side).has(pond) {
			continue
		}
		foe, theirs := m.game.unit(e), m.game.value(e)
		if side == face || m.game.terrain[at] == chateau && d.arm == infantry {
			blow := value * m.bearingOf(e, foe.At, foe.Face, at)
			if m.game.obstacle(m.game.edgeOf(at, side)) {
				blow--
			}
			gain := min(200, 100*blow/max(1, theirs*m.shield(foe.At))) * m.game.def(e).full / 3
			if worth, mine := m.goalAt(foe.At); worth > 0 && !mine {
				gain += worth * 15
			}
			n += gain * (40 + m.zeal[d.army]) / 140
		}
		if foe.Disordered {
			continue
		}
		if back := side.back(); foe.Face == back || m.game.allRound(e) {
			blow := theirs*m.bearingOf(id, at, face, foe.At) + 2
			if m.game.obstacle(m.game.edgeOf(at, side)) {
				blow--
			}
			n -= 25 * blow * value / max(1, value*m.shield(at)+1)
		} else {
			n -= 6 * theirs * (m.bearingOf(id, at, face, foe.At) - 1)
		}
	}
	if near <= 3 && m.shield(at) > 1 {
		n += 12 * value
	}
	return n
}

// A way is a path that a unit could go, with what it is worth.
type way struct {
	move move
	cost int
	gain int
	end  square
	face facing
}

// pose is where a unit is and how it faces.
type pose struct {
	at   square
	face facing
}

// A state is a pose that a unit can reach, and how it gets there.
type state struct {
	pose
	cost int
	from int // index of the state before, -1 for the first
	pace pace
}

// ways finds the best way of a unit for so many MP, if any is worth going.
func (m *mind) ways(id unitID, mp int) (way, bool) {
	u := m.game.unit(id)
	d := m.game.def(id)
	all := m.queue[:0]
	defer func() { m.queue = all }()
	base := -150 // for a unit that is not on the board yet
	if u.At == 0 {
		for _, e := range d.entries {
			at := m.game.entries[e].at
			if m.on[at] != 0 || len(d.entries) > 1 && m.game.Entry != 0 && m.game.Entry != at {
				continue
			}
			for _, f := range [...]facing{west, north, south} {
				all = append(all, state{pose{at, f}, 1, -1, pace{}})
			}
		}
	} else {
		all = append(all, state{pose{u.At, u.Face}, 0, -1, pace{}})
		base = m.worthOf(id, u.At, u.Face)
		if x, mine := m.goalAt(u.At); mine {
			base += 10 * x
		}
	}
	m.run++
	best, gain := -1, 0
	for i := 0; i < len(all); i++ {
		s := all[i]
		mark := &m.seen[8*int(s.at)+int(s.face)]
		if *mark>>8 == m.run && *mark&255 <= s.cost {
			continue
		}
		*mark = m.run<<8 | s.cost
		if i > 0 || u.At == 0 {
			worth := m.worthOf(id, s.at, s.face) - base - 4*s.cost
			if x, mine := m.goalAt(s.at); x > 0 && !mine {
				worth += 100 * x
			}
			if worth > gain {
				best, gain = i, worth
			}
		}
		inside := m.game.terrain[s.at] == chateau
		for _, side := range facingsAll {
			if side != s.face && !(inside && d.arm == infantry) {
				if s.cost+turnCost <= mp {
					all = append(all, state{pose{s.at, side}, s.cost + turnCost, i, pace{Face: side}})
				}
				continue
			}
			cost, ok := m.game.paceCost(s.at, side)
			to := m.game.next(s.at, side)
			if !ok || s.cost+cost > mp || m.on[to] != 0 {
				continue
			}
			all = append(all, state{pose{to, side}, s.cost + cost, i, pace{To: to}})
			if inside { // WAT-10.9
				for q := 1; q < 4; q++ {
					f := side.turned(q)
					all = append(all, state{pose{to, f}, s.cost + cost, i, pace{To: to, Face: f}})
				}
			}
		}
	}
	if best < 0 {
		return way{}, false
	}
	w := way{move: move{Unit: id}, cost: all[best].cost, gain: gain, end: all[best].at, face: all[best].face}
	i := best
	for ; all[i].from >= 0; i = all[i].from {
		w.move.Path = append(w.move.Path, all[i].pace)
	}
	slices.Reverse(w.move.Path)
	if u.At == 0 {
		w.move.Enter, w.move.EnterFace = all[i].at, all[i].face
	}
	return w, true
}

// mostMoves is how many units the sensible player moves with one card.
const mostMoves = 4

// least is what a move must be worth to be made.
const least = 15

// march finds the moves of an army for so many MP: the best move first, then what the
// rest of the MP allows. It makes the moves on the mind's own game. Spent is their cost.
func (m *mind) march(a army, mp int) (moves []move, spent, gain int) {
	var all []way
	for i := range m.game.roster {
		id := unitID(i + 1)
		d, u := m.game.def(id), m.game.unit(id)
		if d.army != a || u.Dead || u.Moved || u.Reorganised {
			continue
		}
		if u.At == 0 && (d.arrives == 0 || d.arrives > m.game.Turn || len(d.entries) == 0) {
			continue
		}
		if w, ok := m.ways(id, mp); ok && w.gain >= least {
			all = append(all, w)
		}
	}
	for len(all) > 0 && len(moves) < mostMoves {
		slices.SortStableFunc(all, func(x, y way) int { return cmp.Compare(y.gain, x.gain) })
		// The worth of the first is still right only if nothing has changed since.
		now, ok := m.ways(all[0].move.Unit, mp-spent)
		if !ok || now.gain < least {
			all = all[1:]
			continue
		}
		if len(all) > 1 && now.gain < all[1].gain {
			all[0] = now
			continue
		}
		m.make(now)
		moves = append(moves, now.move)
		gain += now.gain
		spent += now.cost
		all = all[1:]
	}
	if c := m.game.commanderOf(a); c != 0 && mp > spent {
		if x, ok := m.ride(c, mp-spent); ok {
			moves = append(moves, x)
			m.game.Commanders[c].At = x.Path[len(x.Path)-1].To
			spent += len(x.Path)
			gain += 5
		}
	}
	return moves, spent, gain
}

// make makes a move on the mind's own game.
func (m *mind) make(w way) {
	u := m.game.unit(w.move.Unit)
	if u.At != 0 {
		m.on[u.At] = 0
	} else if len(m.game.def(w.move.Unit).entries) > 1 {
		m.game.Entry = w.move.Enter
	}
	u.At, u.Face, u.Moved = w.end, w.face, true
	m.on[u.At] = w.move.Unit
	for i := range m.goals {
		if m.goals[i].at == u.At {
			m.goals[i].mine = true
		}
	}
}

// ride moves a commander with the MP that are left towards the units that fight: next
// to as many as possible, together with a unit, never alone beside an enemy.
func (m *mind) ride(c commanderID, mp int) (move, bool) {
	from := m.game.Commanders[c].At
	if from == 0 {
		return move{}, false
	}
	use := func(q square) int {
		n := 0
		for _, at := range [...]square{q, m.game.next(q, north), m.game.next(q, east), m.game.next(q, south), m.game.next(q, west)} {
			id := m.on[at]
			if at == 0 || id == 0 || m.game.campOf(id) != m.me || m.game.armyOf(id) != m.game.lead(c).army {
				continue
			}
			n += 2
			if len(m.game.beside(id)) > 0 {
				n += 6
			}
		}
		if id := m.on[q]; id == 0 {
			n -= 3
			for _, side := range facingsAll {
				if e := m.on[m.game.next(q, side)]; e != 0 && m.game.campOf(e) != m.me {
					n -= 20
				}
			}
		}
		return n
	}
	type state struct {
		at   square
		from int
	}
	all := []state{{from, -1}}
	seen := map[square]bool{from: true}
	ends := []int{1}
	best, most := 0, use(from)
	for i, level := 0, 0; i < len(all) && level < mp; level++ {
		end := ends[len(ends)-1]
		for ; i < end; i++ {
			for _, side := range facingsAll {
				to := m.game.next(all[i].at, side)
				if to == 0 || seen[to] || m.game.edgeOf(all[i].at, side).has(pond) {
					continue
				}
				if id := m.on[to]; id != 0 && m.game.campOf(id) != m.me {
					continue
				}
				seen[to] = true
				all = append(all, state{to, i})
				if n := use(to); n > most+3 {
					best, most = len(all)-1, n
				}
			}
		}
		ends = append(ends, len(all))
	}
	if best == 0 {
		return move{}, false
	}
	x := move{Commander: c}
	for i := best; all[i].from >= 0; i = all[i].from {
		x.Path = append(x.Path, pace{To: all[i].at})
	}
	slices.Reverse(x.Path)
	return x, true
}

// price is what a card is worth if it is not used now.
func (m *mind) price(c cardID) int {
	d := m.game.card(c)
	n := 6 + 5*d.bp
	switch d.action {
	case artilleryFire:
		n += 18
	case eliteBonus, commandBonus:
		n += 10
	case reorganise, cavalryCharge, mustCharge:
		n += 6
	}
	return n
}

// additions are the points that a role may add with cards that nobody sees, all equally
// likely: few cards, few points.
func (m *mind) additions(b *battleFrame, r role) []int {
	hand := len(m.game.Decks[m.game.fighting(b, r)].Hand)
	if !m.game.mayCommit(b, r) {
		return []int{0}
	}
	if b.Charge {
		return []int{0, 0, m.game.value(b.Target)}
	}
	list := []int{0, 0, 2, 3, 4, 5, 6, 8}
	if hand == 1 {
		list = []int{0, 0, 2, 3}
	}
	return list
}

// A stake is what depends on the outcome of a battle, whatever the totals are.
type stake struct {
	full, worth, cdp, strongest int
	whole, room                 bool
}

func (m *mind) stakeOf(b *battleFrame) stake {
	s := stake{full: m.game.def(b.Target).full, whole: m.game.whole(b.Target), cdp: m.game.absorbing(b)}
	s.worth, _ = m.goalAt(b.Square)
	var from []square
	for _, id := range b.still() {
		from = append(from, m.game.unit(id).At)
		s.strongest = max(s.strongest, m.game.def(id).full)
	}
	s.room = len(m.game.retreats(b.Target, from)) > 0
	return s
}

// result is what given totals are worth to the attacker.
func (s *stake) result(attack, defence int) int {
	switch {
	case attack > 2*defence:
		switch {
		case s.cdp >= 2:
			return 60 + 6*s.worth
		case s.cdp == 1:
			return 40*s.full + 10*s.worth
		case !s.whole || !s.room:
			return 100*s.full + 70*s.worth
		}
		return 60*s.full + 70*s.worth
	case attack > defence:
		switch {
		case s.cdp > 0:
			return 30 + 6*s.worth
		case !s.whole && !s.room:
			return 100*s.full + 70*s.worth
		case !s.whole:
			return 45*s.full + 60*s.worth
		}
		return 35*s.full + 25*s.worth
	case defence > 2*attack:
		return -45 * s.strongest
	}
	return 0
}

// hope is what a battle is worth to the attacker with the cards that he has
// chosen, while the defender's cards are not known.
func (m *mind) hope(b *battleFrame) int {
	attack, defence := m.game.totals(b)
	s := m.stakeOf(b)
	sum := 0
	adds := m.additions(b, defending)
	for _, x := range adds {
		sum += s.result(attack, defence+x)
	}
	return sum / len(adds)
}

// dread is what a battle is worth to the defender with the cards that he has chosen,
// while the attacker's are not known. Shots among his cards take attackers out.
func (m *mind) dread(b *battleFrame) int {
	kept := b.Attackers
	defer func() { b.Attackers = kept }()
	b.Attackers = slices.Clone(kept)
	shots := 0
	for _, c := range b.Defence.Cards {
		if c.As != asArtillery {
			continue
		}
		target, _, _ := m.game.aimed(shot{c.By, c.Side})
		for i := range b.Attackers {
			if b.Attackers[i].Unit == target && m.game.hurts(target) {
				b.Attackers[i].Out = true
				shots += 20 * m.game.value(target)
			}
		}
	}
	if len(b.still()) == 0 {
		return shots
	}
	attack, defence := m.game.totals(b)
	s := m.stakeOf(b)
	sum := 0
	adds := m.additions(b, attacking)
	for _, x := range adds {
		sum += s.result(attack+x, defence)
	}
	return shots - sum/len(adds)
}

// arm chooses the cards of a role in a battle, at most so many, each only if it earns
// more than it costs. Hope tells what the battle is worth with the cards of the frame.
func (m *mind) arm(b *battleFrame, r role, most int, hope func() int) ([]commit, int) {
	own := m.game.fighting(b, r)
	party := b.of(r)
	kept := party.Cards
	defer func() { party.Cards = kept }()
	party.Cards = nil
	best := hope()
	start := best
	for len(party.Cards) < most {
		chosen, value := commit{}, best
		for _, c := range m.game.Decks[own].Hand {
			if c == 0 {
				continue
			}
			for _, one := range m.purposes(b, r, c) {
				if m.game.commitFault(b, r, party.Cards, one) != nil {
					continue
				}
				party.Cards = append(party.Cards, one)
				n := hope() - m.price(c)
				party.Cards = party.Cards[:len(party.Cards)-1]
				if n > value {
					chosen, value = one, n
				}
			}
		}
		if chosen.Card == 0 {
			// One card may not be enough where two are: the strongest is tried together with
			// the next one.
			pair := m.pair(b, r, best, most, hope)
			if pair == nil {
				break
			}
			party.Cards = append(party.Cards, pair...)
			best = hope() - m.prices(party.Cards)
			break
		}
		party.Cards = append(party.Cards, chosen)
		best = value
	}
	cards := slices.Clone(party.Cards)
	party.Cards = nil
	return cards, max(best, start)
}

func (m *mind) prices(cards []commit) int {
	n := 0
	for _, c := range cards {
		n += m.price(c.Card)
	}
	return n
}

// pair finds two cards that are worth their price together, if no card alone is.
func (m *mind) pair(b *battleFrame, r role, best, most int, hope func() int) []commit {
	party := b.of(r)
	if len(party.Cards)+2 > most {
		return nil
	}
	hand := slices.Clone(m.game.Decks[m.game.fighting(b, r)].Hand)
	slices.SortStableFunc(hand, func(x, y cardID) int {
		if x == 0 || y == 0 {
			return cmp.Compare(y, x)
		}
		return cmp.Compare(m.game.card(y).bp, m.game.card(x).bp)
	})
	var two []commit
	for _, c := range hand {
		if c == 0 {
			break
		}
		one := commit{Card: c}
		if m.game.commitFault(b, r, append(slices.Clone(party.Cards), two...), one) == nil {
			if two = append(two, one); len(two) == 2 {
				break
			}
		}
	}
	if len(two) < 2 {
		return nil
	}
	kept := party.Cards
	party.Cards = append(slices.Clone(kept), two...)
	n := hope() - m.prices(two)
	party.Cards = kept
	if n <= best {
		return nil
	}
	return two
}

// purposes lists the ways in which a card may be committed.
func (m *mind) purposes(b *battleFrame, r role, c cardID) []commit {
	all := []commit{{Card: c}}
	switch m.game.card(c).action {
	case commandBonus:
		all = append(all, commit{Card: c, As: asCommand})
	case eliteBonus:
		for _, id := range m.game.eliteUnits(b, r) {
			all = append(all, commit{Card: c, As: asElite, Unit: id})
		}
	case artilleryFire:
		if r != b.phasing() {
			for _, s := range m.game.shots(m.game.card(c).army) {
				if target, _, f := m.game.aimed(s); f == nil && slices.ContainsFunc(b.Attackers, func(x fighter) bool { return x.Unit == target && !x.Out }) {
					all = append(all, commit{Card: c, As: asArtillery, By: s.by, Side: s.side})
				}
			}
		}
	}
	return all
}

// assault finds the best attack that the active army could make now, with its
// cards, if one is worth making. Most is how many cards it may take.
func (m *mind) assault(a army, most int) (*attack, int) {
	var best *attack
	gain := 0
	for target := range m.game.everyUnit() {
		if m.game.campOf(target) == m.me {
			continue
		}
		with := m.game.attackersOf(a, target)
		if len(with) == 0 {
			continue
		}
		b := m.game.expected(target, with, false, false)
		cards, n := m.arm(b, attacking, most, func() int { return m.hope(b) })
		if n <= gain {
			continue
		}
		gain = n
		best = &attack{Target: target, With: with, Cards: cards, Filed: true, Advance: m.follow(b, cards)}
	}
	return best, gain
}

// follow says who advances into the square that is won: an elite unit that must,
// or the one that is worth most there (WAT-9.39).
func (m *mind) follow(b *battleFrame, cards []commit) advanceOrder {
	who := b.still()
	var must []unitID
	for _, c := range cards {
		if c.As == asElite {
			must = append(must, c.Unit)
		}
	}
	if len(must) > 0 {
		who = must
	}
	return m.followers(b.Square, who)
}

// followers picks among some units the one that is worth most in a square, and the
// facing that it takes there.
func (m *mind) followers(to square, who []unitID) advanceOrder {
	o := advanceOrder{Said: true}
	best := -1 << 30
	kept := m.on[to]
	m.on[to] = 0
	for _, id := range who {
		at := m.game.unit(id).At
		stay := m.worthOf(id, at, m.game.unit(id).Face)
		m.on[at] = 0
		for _, f := range facingsAll {
			n := m.worthOf(id, to, f) - stay
			if m.game.def(id).arm == infantry && m.game.terrain[to] == chateau {
				n += 40
			}
			if n > best {
				best, o.Unit, o.Face = n, id, f
			}
		}
		m.on[at] = id
	}
	m.on[to] = kept
	return o
}
