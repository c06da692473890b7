package napoleon

import (
	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// guide tells what leads a battle turn.
type guide int8

const (
	guideOpen guide = iota // not settled yet
	guidePlan              // the plan in force leads it
	guideHand              // the player leads it, to the end of the turn
)

var guideWords = []string{"", "plan", "hand"}

// holdPlan is the plan of a side without a plan, in a game that is played plans
// first.
var holdPlan = plan{column: -1, use: "hold", lines: linesOf("hold", -1)}

// mostLed is how many own battle turns of one battle may be led by plans before the
// player is asked again.
const mostLed = 30

// planFor finds a side's plan for a battle, in which plans have already fought so many
// (used) of its own battle turns. Several plans for one battle follow each other; over tells
// that all of them are at their end.
func (s *standing) planFor(b *battle, c camp, used int) (found *plan, over bool) {
	if used >= mostLed {
		return nil, true // two plans could otherwise go on for ever
	}
	turns := 0
	for pl := range play.Matching(orderMeasures, scene{world: world{b: b}, c: c}, s.plans, ofPlan) {
		if pl.turns == 0 {
			return pl, false
		}
		if turns += pl.turns; used < turns {
			return pl, false
		}
		over = true
	}
	return nil, over
}

// planActs lets a plan take the next action of the battle turn. It tells
// whether the plan went on; if not, the player is to be asked.
func (p *campaign) planActs(b *battle) bool {
	c := b.acting
	owner := p.commands(b, c)
	if b.guide == guideHand || p.Insists(owner[0], "battle-turn") {
		return false
	}
	seat := p.seatOf(owner[0])
	used := b.planned[seat]
	if b.guide == guidePlan {
		used--
	}
	pl, over := p.standing.of(seat).planFor(b, c, used)
	switch {
	case pl != nil:
	case over:
		p.Tell("", to(owner, "nap.plan-over", p.townArg("town", b.town)))
		b.guide = guideHand
		return false
	case p.options.cadence != cadencePlans:
		return false
	default:
		pl = &holdPlan
	}
	v := p.view(owner[0])
	w := world{v.game, v.boardAt(b.town)}
	if w.b == nil {
		return false
	}
	if b.guide == guideOpen {
		if why, asks := w.planAsks(pl, c); asks {
			p.Tell("", to(owner, "nap.plan-asks", p.townArg("town", b.town), phrase.Literal("why", why)))
			b.guide = guideHand
			return false
		}
		b.guide = guidePlan
		b.planned[seat]++
		p.Tell("", to(owner, "nap.plan-leads", p.townArg("town", b.town), phrase.Literal("plan", pl.title())))
	}
	actions, at := p.nextOfPlan(b, w, pl)
	if len(actions) == 0 {
		b.step = reinforceStep
		return true
	}
	do := pl.lines[at].do.node(p.scenario)
	do.Flow = true
	p.Tell("", to(owner, "nap.plan-line", p.townArg("town", b.town), phrase.Number("line", at+1),
		phrase.Literal("do", play.OneLine(do)), phrase.Name("unit", "unit", p.unitName(actions[0].unit))))
	b.orders = &battleOrders{actions: actions, press: true, again: true}
	return true
}

// commands gives the sides that give orders to a camp's units in a battle.
func (p *campaign) commands(b *battle, c camp) []engine.Side { return []engine.Side{p.hand(b, c)} }

// boardAt finds the battle of a town.
func (g *game) boardAt(t townID) *battle {
	for i := range g.battles {
		if b := &g.battles[i]; b.town == t {
			return b
		}
	}
	return nil
}

// title is what a plan is called in a report.
func (pl *plan) title() string {
	switch {
	case pl.use == "":
		return "rules"
	case pl.column >= 0:
		return pl.use + " " + placeWords[pl.column]
	}
	return pl.use
}

// planAsks tells why a plan hands the battle turn to the player.
func (w world) planAsks(pl *plan, c camp) (string, bool) {
	for i := range pl.asks {
		if askMeasures.Hold(scene{world: w, c: c}, pl.asks[i:i+1]) {
			return pl.asks[i].Text(), true
		}
	}
	return "", false
}

// hiddenWorth is the strength at which a plan counts a block that it can't see.
const hiddenWorth = 2

// strengths adds up a camp's strength on the board and what it sees of the
// enemy's, reserves included.
func (w world) strengths(c camp) (own, enemy int) {
	for i := range w.game.units {
		u := &w.game.units[i]
		switch {
		case !w.b.fights(u):
		case u.army.camp() == c:
			own += int(u.strength)
		case u.id == noUnit:
			enemy += hiddenWorth
		default:
			enemy += int(u.strength)
		}
	}
	return own, enemy
}

// routRisk tells whether in one of the camp's own contested positions all its units have
// strength 1, or have at most half of the enemy's strength that is seen there.
func (w world) routRisk(c camp) bool {
	for _, f := range w.b.ownFields(c) {
		if !w.game.contested(w.b, f) {
			continue
		}
		own, enemy, weak := 0, 0, true
		for i := range w.game.units {
			u := &w.game.units[i]
			switch {
			case u.field != f || !w.b.fights(u):
			case u.army.camp() == c:
				own += int(u.strength)
				weak = weak && u.strength == 1
			default:
				enemy += int(u.strength)
			}
		}
		if weak || 2*own <= enemy {
			return true
		}
	}
	return false
}

// nextOfPlan finds the next unit to act by a plan: the units in the order of
// the lines, then by id, each by the first line that fits it and is legal now. W is what
// the side sees of the battle.
func (p *game) nextOfPlan(b *battle, w world, pl *plan) ([]action, int) {
	var still []unitID
	for i := range pl.lines {
		l := &pl.lines[i]
		for k := range w.game.units {
			u := &w.game.units[k]
			if u.id == noUnit || !w.b.fights(u) || u.army.camp() != b.acting || !p.inHand(b, u) || u.spent || u.acted() || containsUnit(still, u.id) {
				continue
			}
			if !unitMeasures.Hold(stander{w, u}, l.when) {
				continue
			}
			if l.do.verb == "nothing" {
				still = append(still, u.id)
				continue
			}
			if list := w.actionsBy(u, &l.do, p.standing.of(p.seatOf(p.hand(b, b.acting)))); len(list) > 0 && p.judge(b, list[0]) == nil {
				return list, i
			}
		}
	}
	return nil, 0
}

// faces checks the enemies in a unit's position or, if it is not engaged, opposite,
// as far as they can be seen.
func (w world) faces(u *unit, word string) bool {
	at := u.field
	if !w.game.inContact(w.b, u) {
		at = at.opposite()
	}
	return w.among(word, func(e *unit) bool {
		return e.field == at && at > reserve && w.b.fights(e) && e.army.camp() != u.army.camp()
	})
}

// among tells whether those of some units that are seen are as a word says. What a block
// hides is of no kind.
func (w world) among(word string, some func(*unit) bool) bool {
	any, foot, horse, guns, formed := false, false, false, false, false
	for i := range w.game.units {
		e := &w.game.units[i]
		if !some(e) {
			continue
		}
		any = true
		foot = foot || e.kind == infantry
		horse = horse || e.kind.cavalry()
		guns = guns || e.kind.artillery()
		formed = formed || e.square
	}
	switch word {
	case "none":
		return !any
	case "infantry":
		return foot
	case "cavalry":
		return horse
	case "artillery":
		return guns
	case "squares":
		return formed
	case "only-cavalry":
		return horse && !foot && !guns
	}
	return !horse
}

// actionsBy turns the action of a line into an order to a unit where it stands: the first form
// of it that is legal; none if it can't be done or would have no effect.
func (w world) actionsBy(u *unit, d *planAction, s *standing) []action {
	c := u.army.camp()
	switch d.verb {
	case "fire":
		return w.shotOf(u, d.group)
	case "engage":
		return w.engageOf(u, d.column)
	case "advance":
		if w.b.own(u.field, c) && !w.game.inContact(w.b, u) {
			return w.stepOf(u, u.field.opposite())
		}
	case "disengage":
		if a, f := w.disengage(u, d.far); f == nil {
			return w.legal(u, a)
		}
	case "support":
		if u.field == reserve {
			return w.stepOf(u, w.b.ownFields(c)[d.column])
		}
	case "fill":
		return w.fillOf(u)
	case "move", "fire-move", "move-fire":
		return w.moveOf(u, d)
	case "square":
		return w.legal(u, action{verb: doForm})
	case "break":
		return w.legal(u, action{verb: doBreak})
	case "leave":
		return w.legal(u, action{verb: doLeave})
	case "shelter":
		return w.shelterOf(u, d.with)
	case "swap":
		return w.legal(u, action{verb: doSwap, with: d.with})
	case "occupy":
		what := d.what
		if what == noPiece {
			what = w.b.terrain[u.field]
		}
		return w.legal(u, action{verb: doOccupy, what: what})
	case "retreat":
		if len(d.towns) > 0 {
			return w.retreatTo(u, d.towns)
		}
		return w.retreatOf(u, s)
	case "withdraw":
		if w.withdraws(c) == u.id {
			return w.retreatOf(u, s)
		}
	}
	return nil
}

// legal gives an action of a unit if it is legal.
func (w world) legal(u *unit, a action) []action {
	a.unit = u.id
	if w.game.judge(w.b, a) != nil {
		return nil
	}
	return []action{a}
}

// stepOf is a unit's move along a path, if it is legal.
func (w world) stepOf(u *unit, path ...field) []action {
	a := action{verb: doMove}
	copy(a.path[:], path)
	return w.legal(u, a)
}

// engageOf is a move to the enemy in a column (the unit's own if none is named):
// on the camp's side of the column, or else opposite.
func (w world) engageOf(u *unit, column int) []action {
	c, at := u.army.camp(), u.field
	if column >= 0 {
		at = w.b.ownFields(c)[column]
	}
	switch {
	case w.game.inContact(w.b, u) || at <= reserve:
	case at == u.field:
		if w.game.held(w.b, at.opposite(), c.enemy()) {
			return w.stepOf(u, at.opposite())
		}
	case w.game.held(w.b, at, c.enemy()):
		return w.stepOf(u, at)
	case w.game.held(w.b, at.opposite(), c.enemy()):
		return w.stepOf(u, at, at.opposite())
	}
	return nil
}

// fillOf is a move from the reserve to the first own position where nobody
// stands.
func (w world) fillOf(u *unit) []action {
	if u.field != reserve {
		return nil
	}
	for _, f := range w.b.ownFields(u.army.camp()) {
		if !w.game.held(w.b, f, frenchCamp) && !w.game.held(w.b, f, alliedCamp) {
			if list := w.stepOf(u, f); list != nil {
				return list
			}
		}
	}
	return nil
}

// moveOf is a move along the path of a line, with a shot of horse artillery before
// or after it if the line says so.
func (w world) moveOf(u *unit, d *planAction) []action {
	a, f := along(d.path)(w, u)
	if f != nil {
		return nil
	}
	a.unit = u.id
	shot := action{verb: doFire, unit: u.id}
	switch list := w.legal(u, a); {
	case d.verb == "move":
		return list
	case u.kind != horseArtillery:
		return nil
	case d.verb == "fire-move":
		if list = w.shotOf(u, anyGroup); list != nil {
			return append(list, a)
		}
	case list != nil:
		return append(list, shot)
	}
	return nil
}

// shelterOf is shelter in a square: in that of the unit named or, if none is named, in the
// first that takes it in.
func (w world) shelterOf(u *unit, with unitID) []action {
	for i := range w.game.units {
		if o := &w.game.units[i]; o.square && o.id != noUnit && (with == noUnit || with == o.id) {
			if list := w.legal(u, action{verb: doShelter, with: o.id}); list != nil {
				return list
			}
		}
	}
	return nil
}

// shotOf is a shot that may hurt: at the group named or, if none is named, at the
// stronger one.
func (w world) shotOf(u *unit, g group) []action {
	if g == anyGroup {
		g = w.heavier(u)
	}
	t, f := w.game.aim(w.b, u, g)
	if f == faultNoGroup && g != anyGroup {
		g = anyGroup // there is only one group
		t, f = w.game.aim(w.b, u, g)
	}
	if f != nil || !w.worthIt(u, t) || w.game.judge(w.b, action{verb: doFire, unit: u.id, group: g}) != nil {
		return nil
	}
	return []action{{verb: doFire, unit: u.id, group: g}}
}

// retreatOf sends a unit where the standing order retreat-to says, or else by the
// first free road in the order of section 5.4 of the digest.
func (w world) retreatOf(u *unit, s *standing) []action {
	var towns []townID
	for _, one := range s.retreats {
		if one.at == noTown || one.at == w.b.town {
			towns = append(towns, one.towns...)
		}
	}
	exits := w.game.exits(w.b, u.army.camp())
	w.game.sortExits(u.army.camp(), exits)
	for _, e := range exits {
		towns = append(towns, e.town)
	}
	return w.retreatTo(u, towns)
}

// retreatTo sends a unit to the first of some towns that it may retreat to.
func (w world) retreatTo(u *unit, towns []townID) []action {
	for _, t := range towns {
		if list := w.legal(u, action{verb: doRetreat, to: t}); list != nil {
			return list
		}
	}
	return nil
}

// withdraws finds the unit that retreats next in a withdrawal (section 5.3 of the digest):
// first the reserve; then units that a position can spare, unengaged before engaged, from
// the position with most units; when each position has one unit left, all of them if the
// roads take all, otherwise unengaged before engaged.
func (w world) withdraws(c camp) unitID {
	exits := w.game.exits(w.b, c)
	if room(exits) == 0 {
		return noUnit
	}
	class := func(u *unit) int {
		switch {
		case u.kind.artillery():
			return 0
		case u.kind == infantry:
			return 1
		case u.kind.cavalry():
			return 2
		}
		return 3
	}
	var count [fields]int
	for i := range w.game.units {
		if u := &w.game.units[i]; w.b.fights(u) && u.army.camp() == c {
			count[u.field]++
		}
	}
	// A lower number goes earlier; -1 stays.
	turn := func(u *unit) int {
		contact := w.game.inContact(w.b, u)
		late := 0
		if contact {
			late = 1
		}
		switch {
		case u.field == reserve:
			return class(u)
		case count[u.field] > 1:
			return 100 + 10000*late + 100*(len(w.game.units)-count[u.field]) + 10*int(u.field) + class(u)
		case count[reserve] > 0:
			return -1
		}
		for f := attackerLeft; f < fields; f++ {
			if count[f] > 1 {
				return -1
			}
		}
		return 1000000 + 10*late
	}
	best, first := noUnit, 0
	for i := range w.game.units {
		u := &w.game.units[i]
		if !w.b.fights(u) || u.army.camp() != c || u.id == noUnit || u.spent || u.acted() || u.inSquares() {
			continue
		}
		n := turn(u)
		if n >= 0 && (best == noUnit || n < first) {
			best, first = u.id, n
		}
	}
	return best
}

// letPlan gives the rest of a battle turn to the plan in force; without one the
// player is asked again.
func (b *battle) letPlan(seat int) {
	if b.guide != guidePlan {
		b.guide = guidePlan
		b.planned[seat]++
	}
	b.orders = nil
}
