package napoleon

import (
	"slices"
)

// senseTurn plays a battle turn: leave a battle that is lost; enter an empty
// enemy position; fire; help positions in danger; attack where the side's own force is
// superior, with all units that can reach the enemy; keep the rest together
// (NAP-13.1).
func (v *View) senseTurn(b *battle) turnAnswer {
	a := v.turnAnswer(b)
	a.orders.press = true
	w := v.try(b)
	t := &tactician{world: w, v: v, camp: v.camp(), answer: &a}
	for i := range w.game.units {
		if u := &w.game.units[i]; w.b.fights(u) && v.own[u.army] {
			t.own = append(t.own, u.id)
		}
	}
	if t.seize() {
		return a
	}
	if v.hopeless(b, t.camp) && t.withdraw() {
		return a
	}
	t.fall()
	t.fire()
	t.hold()
	t.fill()
	t.charge()
	t.form()
	t.forward()
	// Where fire may clear an own position, the enemy's position behind it may be empty.
	for _, f := range w.b.ownFields(t.camp) {
		if w.game.contested(w.b, f) && !w.game.held(w.b, f.opposite(), t.camp.enemy()) && t.fired {
			a.orders.again = true
		}
	}
	return a
}

// A tactician makes up the orders of a battle turn in a world of its own.
type tactician struct {
	world
	v      *View
	camp   camp
	answer *turnAnswer
	own    []unitID
	fired  bool
}

// order adds an action if it is legal now.
func (t *tactician) order(a action) bool {
	if t.game.judge(t.b, a) != nil {
		return false
	}
	t.do(a, t.spared)
	t.answer.orders.actions = append(t.answer.orders.actions, a)
	t.fired = t.fired || a.verb == doFire
	return true
}

// seize enters an enemy position that stands empty: that routs the enemy (NAP-7.4).
func (t *tactician) seize() bool {
	for _, id := range t.own {
		u := t.game.unit(id)
		var way action
		found := false
		t.game.choices(t.b, u, func(a action) bool {
			end := a.path[0]
			if a.path[1] != offBoard {
				end = a.path[1]
			}
			if a.verb == doMove && t.b.forward(end, t.camp) && !t.game.held(t.b, end, t.camp.enemy()) {
				way, found = a, true
			}
			return !found
		})
		if found {
			way.unit = id
			return t.order(way)
		}
	}
	return false
}

// withdraw takes the force off the board by the roads: all of it if the roads
// take all; otherwise first the units that no enemy can reach, and none that would leave a
// position open (NAP-13.1). It is false if there is no road.
func (t *tactician) withdraw() bool {
	exits := t.game.exits(t.b, t.camp)
	t.game.sortExits(t.camp, exits)
	if room(exits) == 0 {
		return false
	}
	all := room(exits) >= len(t.own)
	worth := func(id unitID) int {
		u := t.game.unit(id)
		k := t.game.might(u)
		if u.field == reserve {
			k += 100
		}
		if u.kind == footArtillery || u.kind == leader {
			k += 50
		}
		if t.game.inContact(t.b, u) {
			k -= 200
		}
		return k
	}
	ids := slices.Clone(t.own)
	slices.SortStableFunc(ids, func(x, y unitID) int { return worth(y) - worth(x) })
	gone := false
	for _, id := range ids {
		u := t.game.unit(id)
		if !all && u.field > reserve && (t.game.inContact(t.b, u) || t.game.count(t.b, u.field, t.camp) < 2) {
			continue
		}
		for i := range exits {
			if exits[i].free > 0 && t.order(action{verb: doRetreat, unit: id, to: exits[i].town}) {
				exits[i].free--
				gone = true
				break
			}
		}
	}
	if gone && !all {
		t.fire()
		t.fill()
	}
	return gone
}

// line gives for the units of a camp in a field their strength, and the hits that
// they score in six rounds of fire on average.
func (t *tactician) line(f field, c camp) (strength, fire int) {
	for i := range t.game.units {
		if u := &t.game.units[i]; u.field == f && t.b.fights(u) && u.army.camp() == c {
			s, k := t.weigh(u)
			strength, fire = strength+s, fire+k
		}
	}
	return strength, fire
}

// weigh gives a unit's strength, and its strength times its fire; a block is
// taken to have strength three and fire two.
func (t *tactician) weigh(u *unit) (strength, fire int) {
	if u.id == noUnit {
		return 3, 6
	}
	r := int(u.fire)
	if u.kind.cavalry() && t.b.terrain[u.field] == wood {
		r = 1
	}
	if u.kind == infantry && u.holds == farm {
		r++
	}
	return int(u.strength), int(u.strength) * r
}

// duel plays an average exchange of fire out, with the enemy firing first, and
// gives how much more strength than the enemy the side has at the end, in twelfths.
func duel(mine, myFire, theirs, theirFire int) int {
	if mine <= 0 || theirs <= 0 {
		return (mine - theirs) * 12
	}
	a, e := mine*12, theirs*12
	for range 6 {
		a -= e * theirFire / (6 * theirs)
		if a <= 0 {
			break
		}
		e -= a * myFire / (6 * mine)
		if e <= 0 {
			break
		}
	}
	return max(a, 0) - max(e, 0)
}

// fall breaks off fights in enemy positions that go badly.
func (t *tactician) fall() {
	for _, f := range t.b.ownFields(t.camp) {
		f := f.opposite()
		if !t.game.contested(t.b, f) {
			continue
		}
		s, k := t.line(f, t.camp)
		e, x := t.line(f, t.camp.enemy())
		if duel(s*2, k*2, e*2, x*2) > -2*s || k >= e*6 { // or the fire may clear the position now
			continue
		}
		for _, id := range t.own {
			if u := t.game.unit(id); u.field == f && !t.order(action{verb: doMove, unit: id, path: [2]field{f.opposite(), reserve}}) {
				t.order(action{verb: doMove, unit: id, path: [2]field{f.opposite()}})
			}
		}
	}
}

// fire lets all units fire that can do harm: first those in contact.
func (t *tactician) fire() {
	for _, contact := range [2]bool{true, false} {
		for _, id := range t.own {
			u := t.game.unit(id)
			if u.dead || u.spent || t.game.inContact(t.b, u) != contact {
				continue
			}
			shot := action{verb: doFire, unit: id, group: t.heavier(u)}
			if at, f := t.game.aim(t.b, u, shot.group); f == nil && t.worthIt(u, at) {
				t.order(shot)
			}
		}
	}
}

// hold brings the reserve into own positions where the enemy is the stronger.
func (t *tactician) hold() {
	for _, f := range t.b.ownFields(t.camp) {
		if !t.game.contested(t.b, f) {
			continue
		}
		for _, id := range t.byPower(func(u *unit) bool { return u.field == reserve && u.kind != leader }) {
			s, k := t.line(f, t.camp)
			e, x := t.line(f, t.camp.enemy())
			if duel(s, k, e, x) >= 24 {
				break
			}
			t.order(action{verb: doMove, unit: id, path: [2]field{f}})
		}
	}
}

// byPower lists own units, the strongest first.
func (t *tactician) byPower(fits func(*unit) bool) []unitID {
	var ids []unitID
	for _, id := range t.own {
		if u := t.game.unit(id); t.b.fights(u) && fits(u) {
			ids = append(ids, id)
		}
	}
	slices.SortStableFunc(ids, func(x, y unitID) int { return t.game.might(t.game.unit(y)) - t.game.might(t.game.unit(x)) })
	return ids
}

// fill puts units into positions that were left empty.
func (t *tactician) fill() {
	for _, f := range t.b.ownFields(t.camp) {
		if t.game.held(t.b, f, frenchCamp) || t.game.held(t.b, f, alliedCamp) {
			continue
		}
		if u := t.filler(f); u != nil {
			t.order(action{verb: doMove, unit: u.id, path: [2]field{f}})
		}
	}
}

// charge engages in the column where that leaves the most strength, if it leaves enough: an
// attacker must do more than wait (NAP-6.7), so he accepts smaller odds.
func (t *tactician) charge() {
	mine, theirs := t.v.forces(t.b, t.camp)
	h := &habits[t.camp]
	need := h.need
	if mine*4 > theirs*5 {
		need = 0
	}
	if t.camp == t.b.attacker && t.b.idle > 0 {
		need = h.bold
	}
	behind, behindFire := 0, 0
	for i := range t.game.units {
		if u := &t.game.units[i]; u.field == reserve && t.b.fights(u) && u.army.camp() != t.camp {
			s, k := t.weigh(u)
			behind, behindFire = behind+s, behindFire+k
		}
	}
	best, most := offBoard, 0
	var who []action
	for _, f := range t.b.ownFields(t.camp) {
		to := f.opposite()
		if t.game.contested(t.b, f) || !t.game.held(t.b, to, t.camp.enemy()) {
			continue
		}
		s, k := t.line(to, t.camp)
		joined := s > 0
		var able []action
		crossing := 0
		for _, id := range t.own {
			u := t.game.unit(id)
			if !t.b.fights(u) || u.kind == leader || u.kind == footArtillery || u.kind.artillery() && !joined {
				continue
			}
			a := action{verb: doMove, unit: id, path: [2]field{to}}
			if u.field == reserve {
				a.path = [2]field{f, to}
			} else if u.field != f {
				continue
			}
			if t.game.judge(t.b, a) != nil || t.b.stream(f) && crossing >= streamLimit-int(t.b.crossed[f.column()]) {
				continue
			}
			if u.strength < 2 && !joined {
				continue // the unit would only break (NAP-6.31)
			}
			crossing++
			us, uk := t.weigh(u)
			if u.kind.cavalry() && t.b.terrain[to] != wood {
				uk += us // shock
			}
			s, k = s+us, k+uk
			able = append(able, a)
		}
		if len(able) == 0 {
			continue
		}
		e, x := t.line(to, t.camp.enemy())
		if left := duel(s, k, e+behind/3, x+behindFire/3); best == offBoard || left > most {
			best, most, who = f, left, able
		}
	}
	if best == offBoard || most < need {
		return
	}
	for _, a := range who {
		t.order(a)
	}
}

// form lets infantry form square that only cavalry threatens, and break the square when
// no cavalry is near (NAP-6.5).
func (t *tactician) form() {
	for _, id := range t.own {
		u := t.game.unit(id)
		if u.kind != infantry || u.field <= reserve {
			continue
		}
		horse, foot := 0, 0
		for _, f := range [2]field{u.field, u.field.opposite()} {
			for i := range t.game.units {
				e := &t.game.units[i]
				if e.field != f || !t.b.fights(e) || e.army.camp() == t.camp {
					continue
				}
				if e.kind.cavalry() {
					horse += int(e.strength)
				} else {
					foot += 2
				}
			}
		}
		switch {
		case u.square && (horse == 0 || foot > horse):
			t.order(action{verb: doBreak, unit: id})
		case !u.square && u.strength > 1 && foot == 0 && horse >= 2*int(u.strength) && !t.game.inContact(t.b, u):
			t.order(action{verb: doForm, unit: id})
		}
	}
}

// forward brings the reserve up: artillery to positions from which it can fire, then
// infantry behind the best column to attack, but a third stays.
func (t *tactician) forward() {
	keep := len(t.own) / 4
	behind := t.byPower(func(u *unit) bool { return u.field == reserve && u.kind != leader && !u.kind.cavalry() })
	for _, id := range behind {
		if t.game.count(t.b, reserve, t.camp) <= keep {
			return
		}
		u := t.game.unit(id)
		best, most := offBoard, -1<<10
		for _, f := range t.b.ownFields(t.camp) {
			if t.game.contested(t.b, f) || t.game.judge(t.b, action{verb: doMove, unit: id, path: [2]field{f}}) != nil {
				continue
			}
			s, _ := t.line(f, t.camp)
			e, _ := t.line(f.opposite(), t.camp.enemy())
			k := s - e
			if u.kind.artillery() && t.game.held(t.b, f.opposite(), t.camp) {
				k -= 10
			}
			if t.b.stream(f) {
				k -= 3
			}
			if t.camp != t.b.attacker {
				k = e - s // a defender strengthens the weakest
			}
			if k > most {
				best, most = f, k
			}
		}
		if best != offBoard {
			t.order(action{verb: doMove, unit: id, path: [2]field{best}})
		}
	}
}
