package hfg

import (
	"slices"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// How a turn goes on (HFG-7.1; section 5.2 of the digest).

// Sides implements [engine.Position].
func (g *game) Sides() []engine.Side { return g.seats() }

// Owed implements [engine.Position].
func (g *game) Owed() []engine.Decision { return slices.Clone(g.owed) }

// TurnNumber implements [engine.Turned].
func (g *game) TurnNumber() int { return g.Turn }

// LastTurn implements [engine.Ending]: the turn at sunset, which is the next day's once a night has passed
// (HFG-17.7, HFG-20.12).
func (g *game) LastTurn() int {
	if g.Turn == 0 {
		return 0
	}
	return max(g.Turn, 2*g.lastPair())
}

// advance takes the answers to what was asked, and plays on to the next stop, or to the end of the
// battle.
func (p *battlefield) advance(answers map[engine.Side]engine.Answer) error {
	asked := p.owed
	p.owed = nil
	if err := play.Resolve(p, stops, asked, answers, p.adopt); err != nil {
		return err
	}
	switch {
	case len(asked) > 0 && p.Phase == preparing:
		p.opening().carryOn()
	case len(asked) > 0 && resultForms[asked[0].Kind] == nil: // in the middle of a phase nothing of it has begun anew
		p.Said = true
	}
	for len(p.owed) == 0 && p.Phase != over {
		p.step()
	}
	p.looksAround()
	return nil
}

// looksAround works out who sees whom, so that all views of the position need only look it up.
func (p *battlefield) looksAround() {
	for e := elementID(1); int(e) < len(p.Elements); e++ {
		p.known(p.def(e).side.enemy(), e)
		p.knowers(e)
	}
}

// step goes one step further in the turn.
func (p *battlefield) step() {
	if asks := p.asked(); len(asks) > 0 {
		p.owed = asks
		return
	}
	switch p.Phase {
	case preparing: // a dawn at which nobody is asked
		p.opening().carryOn()
	case opening:
		p.opens()
	case casting:
		p.usesDice()
		p.Phase, p.Said = moving, false
	case moving:
		p.moves()
	case shooting:
		p.shots()
	case melee:
		p.brawls()
	case dusk:
		p.nightfall()
	case reckoning:
		p.closes()
	}
}

// opens begins a turn. The PIP dice of the first are rolled now, those of all others when the
// turn before has ended.
func (p *battlefield) opens() {
	p.tell("HFG-7.1", "hfg.turn", phrase.Number("pair", p.pair()), p.sideArg("side", p.phasing()))
	if p.Turn == 1 {
		p.rollPips(p.phasing(), 1)
		p.surprises()
	}
	p.begin()
	p.Phase, p.Said = casting, false
}

// moves makes the moves that were ordered, one after the other, and ends the movement phase when
// there are none left (HFG-7.1). Before the first of them defeated allies withdraw (HFG-R129); who
// has withdrawn in this turn does not do so again.
func (p *battlefield) moves() {
	p.withdrawals()
	if len(p.Moves) > 0 {
		o := p.Moves[0]
		p.Moves = p.Moves[1:]
		p.carriesOut(&o)
		return
	}
	if p.More {
		p.More, p.Said, p.Again = false, false, true
		return
	}
	p.Again, p.Thinking = false, nil
	p.ends()
	p.discovers()
	p.Phase, p.Said = shooting, false
}

// carriesOut makes one move, if it is still legal; else what was ordered in its place (section 5.2
// of the digest). What has become illegal costs nothing, and its owner is told why.
func (p *battlefield) carriesOut(o *order) {
	if o.Verb == verbEnter {
		p.letsIn(o)
		return
	}
	all := p.who(o)
	if len(all) == 0 {
		return
	}
	seat := p.owner(all[0])
	o, plan, fault := p.judgedBy(seat).carriedOut(o)
	if fault != nil {
		p.Tell(fault.Clause, play.To([]engine.Side{seat}, "hfg.not-made", p.elementArg("element", all[0]), phrase.Within("why", fault.Why)))
		return
	}
	switch o.Verb {
	case verbRally:
		p.game.makes(o, nil)
		p.tellOf(all[0], "HFG-16.15", "hfg.rallied", p.elementArg("element", all[0]))
		return
	case verbBuild, verbWreck:
		p.game.makes(o, nil)
		p.tellFriends(all[0], "HFG-10.5", "hfg.begins-work", p.elementArg("element", all[0]))
		return
	}
	short := p.meetsUnknown(plan)
	if short == 0 {
		short = p.comesInView(plan)
	}
	if short != 0 && p.wants(seat, policyFound) {
		p.rethinks(seat) // what was found is its owner's to think about (HFG-S8)
	}
	price := plan.price
	p.game.makes(o, plan)
	p.meetsInTown(plan)
	for _, e := range plan.elements() {
		p.Elements[e].Concealed = false
	}
	p.tellMove(o, plan.elements(), price)
	if short != 0 {
		p.reveals(all[0], short)
	}
	for i := range plan.paths {
		e := plan.paths[i].element
		if !p.mined(e, &plan.paths[i]) {
			continue
		}
		p.turnAtOnce(e)
	}
	if o.Verb == verbFord && short == 0 {
		p.searches(all[0])
	}
	p.uncovers()
}

// tellMove tells of a move whoever knows any of those who made it, of those whom he knows.
func (p *battlefield) tellMove(o *order, all []elementID, price int) {
	clause, enemy := "HFG-9.1", elementID(0)
	if o.Verb == verbContact {
		clause = "HFG-11.9"
		enemy, _ = p.elementNamed(o.Enemy)
	}
	var tellings []engine.Telling
	for _, seat := range p.seats() {
		var ids []string
		for _, e := range all {
			if slices.Contains(p.knowers(e), seat) {
				ids = append(ids, p.def(e).id)
			}
		}
		if len(ids) == 0 {
			continue
		}
		args := []phrase.Arg{phrase.Names("elements", "element", ids), phrase.Number("paces", price), p.ofArg(all[0])}
		say := phrase.Say("hfg.moved", args...)
		if enemy != 0 && slices.Contains(p.knowers(enemy), seat) {
			say = phrase.Say("hfg.contacts", append(args, p.elementArg("other", enemy))...)
		}
		one := engine.Telling{To: []engine.Side{seat}, Say: say}
		if p.sideOf(seat) == p.def(all[0]).side {
			tellings = slices.Insert(tellings, 0, one) // the fullest first
		} else {
			tellings = append(tellings, one)
		}
	}
	if len(tellings) > 0 {
		p.Tell(clause, tellings...)
	}
}

// letsIn has a command come on (HFG-6.13).
func (p *battlefield) letsIn(o *order) {
	c := p.commandNamed(o.Of)
	plan, fault := p.judgedBy(p.seatOf(c)).plannedEntry(c, o.Far)
	if fault == nil {
		plan, fault = p.entersUnknown(c, plan)
	}
	if fault == nil {
		fault = p.affords(c, p.entryCosts(c, plan))
	}
	if fault != nil {
		p.Tell(fault.Clause, play.To([]engine.Side{p.seatOf(c)}, fault.Why.Code, fault.Why.Args...))
		return
	}
	p.entersBy(c, plan)
	p.tellOf(plan.paths[0].element, "HFG-6.13", "hfg.entered", p.elementArg("element", plan.paths[0].element))
	p.uncovers()
}

// turnAtOnce has those whom an element has contacted on flank or rear turn to it at once; of two the
// second stands behind the first (HFG-11.6, HFG-R127). Where it is touched by several enemies its
// owner has said which it faces, or the deadline says.
func (p *battlefield) turnAtOnce(by elementID) {
	all := p.facedAtOnce(by)
	if len(all) == 0 {
		return
	}
	q := &question{What: askFace, Of: all[0], Enemies: p.onFlanks(all[0]), None: true}
	a, ok := p.decided(q)
	if !ok || a.Enemy == 0 {
		a = p.usual(q)
	}
	if len(all) > 1 && a.Enemy == by {
		if c, ok := p.try(all[0], func(c *chain) bool { return c.facesWith(all[0], all[1], by) }); ok {
			p.retell(c)
			return
		}
	}
	if c, ok := p.try(all[0], func(c *chain) bool { return c.face(all[0], a.Enemy) }); ok {
		p.retell(c)
	}
}

// uncovers puts down concealed troops whom an enemy sees, or knows by his Aeronauts (HFG-6.10).
func (p *battlefield) uncovers() {
	defer p.veils()
	for e := elementID(1); int(e) < len(p.Elements); e++ {
		x := &p.Elements[e]
		if !x.Concealed || !p.on(e) {
			continue
		}
		for o := elementID(1); int(o) < len(p.Elements); o++ {
			unseen := x.Shot && len(x.Sniped) > 0 && !within(p.apart(e, o), unseenBeyond) // HFG-5.6
			if p.on(o) && p.enemies(e, o) && !unseen && p.sees(o, e) {
				p.putsDown(e)
				break
			}
		}
		for c := commandID(1); x.Concealed && int(c) < len(p.Commands); c++ {
			if p.lead(c).side != p.def(e).side && p.aloft(c, e) {
				p.putsDown(e)
			}
		}
	}
}

// putsDown puts a concealed element down, for an enemy sees it.
func (p *battlefield) putsDown(e elementID) {
	p.Elements[e].Concealed = false
	p.tellOf(e, "HFG-6.10", "hfg.uncovered", p.elementArg("element", e))
}

// shots fights out phase 2: the shots that were ordered, and of all others those at the nearest
// target (HFG-12.15, HFG-S13).
func (p *battlefield) shots() {
	if p.Fray.Stage == 0 {
		p.beginsFire()
	}
	if !p.worksOut() {
		return
	}
	p.discovers()
	p.Fray, p.Held = fray{}, nil
	p.Phase, p.Said = melee, false
}

// beginsFire lists the shots of phase 2: those that were ordered, those of the policies, and of all others
// those at the nearest target.
func (p *battlefield) beginsFire() {
	for _, seat := range p.seats() {
		p.firesBeforehand(seat)
	}
	all := p.atGarrisons(slices.Clone(p.Aimed))
	for i := range all {
		all[i].Ordered = true
	}
	for _, s := range p.fairShots() {
		if !slices.ContainsFunc(all, func(o shot) bool { return o.By == s.By }) && !slices.Contains(p.Held, s.By) {
			all = append(all, s)
		}
	}
	for _, e := range p.standing() {
		if p.awaitsShotsOnFoot(e) {
			p.Elements[e].OnFoot = true
		}
	}
	order := p.inTheirOrder()
	p.Aimed, p.Targets = nil, nil
	p.opensFire(all, order)
}

// brawls fights out phase 3, and lets who is touched on flank or rear turn to face (HFG-7.1,
// HFG-13.8).
func (p *battlefield) brawls() {
	if p.Fray.Stage == 0 {
		p.standsDown()
		p.opensMelee(p.inTurn())
	}
	if !p.worksOut() {
		return
	}
	if p.Fray.Stage == 1 {
		p.turnsToFace()
		if !p.worksOut() {
			return
		}
	}
	p.Fray = fray{}
	p.Phase = reckoning
}

// worksOut does jobs until there are none, or until an owner is to be asked: then it says false
// (HFG-R107).
func (p *battlefield) worksOut() bool {
	q := p.work(func(q *question) (answer, bool) {
		if q.What != askAid && p.Insists(p.owner(q.Of), p.stopFor(q)) {
			return answer{}, false
		}
		return p.decided(q)
	})
	if q != nil {
		p.asksOwner(q)
	}
	return q == nil
}

// closes ends a turn: losses, defeats, victory; then the PIP dice of the other side are rolled
// (HFG-7.1, HFG-17).
func (p *battlefield) closes() {
	p.Policies = [sides][]policyCase{} // they were for this turn
	if p.reckons().over {
		p.Phase, p.Said = over, false
		if p.renews() {
			p.Phase = dusk
		}
		return
	}
	p.passesOn()
}

// passesOn ends a turn and rolls the PIP dice of the next.
func (p *battlefield) passesOn() {
	p.toils()
	if p.periodOver() {
		p.reappear()
	}
	p.uncovers()
	p.discovers()
	p.remembers()
	if p.Surprise > 0 && p.phasing() == p.attacker() {
		p.Surprise-- // one more of his own turns is made (HFG-6.14)
	}
	p.Turn++
	p.rollPips(p.phasing(), p.Turn)
	p.Phase = opening
}

// remembers notes where each side last knew its enemies (section 7 of the digest).
func (p *battlefield) remembers() {
	for of := first; of < sides; of++ {
		if !p.byCommand() {
			p.notes(of, "", func(e elementID) bool { return p.known(of, e) })
			continue
		}
		for _, seat := range p.seatsOf(of) {
			p.notes(of, string(seat), func(e elementID) bool { return p.seatKnows(seat, e) })
		}
	}
}

// notes notes where the enemies of a side stand that are known, to a seat of it or to all of it.
func (p *battlefield) notes(of side, seat string, knows func(elementID) bool) {
	for e := elementID(1); int(e) < len(p.Elements); e++ {
		if p.def(e).side == of || p.Elements[e].Holds != 0 {
			continue
		}
		i := slices.IndexFunc(p.Seen[of], func(s sighting) bool { return s.Element == e && s.Seat == seat })
		if !p.on(e) || !knows(e) {
			continue
		}
		x := &p.Elements[e]
		s := sighting{Element: e, At: x.At, Facing: x.Facing, Turn: p.Turn, Seat: seat}
		if i >= 0 {
			p.Seen[of][i] = s
		} else {
			p.Seen[of] = append(p.Seen[of], s)
		}
	}
}
