package mistakes

import (
	"slices"
	"strings"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// The flow of a turn (section 5.3 of the digest), from its beginning to the end of 3.3.

// A phase is where in the turn the game stands.
type phase int8

const (
	opening     phase = iota // the turn has not begun
	entering                 // black units are placed (EM-6.2)
	drawing                  // initiative: markers are drawn
	bidding                  // markers are drawn, bids are due (EM-5.3)
	returning                // substitutes are placed (EM-5.6)
	firing                   // 2. Bombardment
	assigning                // 3.1
	ordering                 // 3.2
	manoeuvring              // 3.3
	unlimbering              // the end of 3.3
	fighting                 // 3.4
	closing                  // 3.5
	over                     // the last turn has been played
	deploying                // before the first turn, where both deploy freely (EM-1.4)
)

// phaseWords are the phases as positions have them.
var phaseWords = []string{"opening", "entry", "draw", "bids", "substitutes", "fire", "assign", "orders", "manoeuvres", "unlimber", "combat", "end", "over", "deploy"}

// A mission is one bombardment as it was ordered.
type mission struct {
	Gun     unitID   `pos:"gun,required"`
	Target  unitID   `pos:"target,required"`
	Support []unitID `pos:"support,most=99,unique"`
}

// A shelling is a bombardment that has hit, and what is due to its target.
type shelling struct {
	Gun    unitID  `pos:"gun"`
	Target unitID  `pos:"target"`
	Row    fireRow `pos:"row,max=4"`
}

// Sides implements [engine.Position].
func (g *game) Sides() []engine.Side { return g.seats() }

// Owed implements [engine.Position].
func (g *game) Owed() []engine.Decision { return slices.Clone(g.owed) }

// TurnNumber implements [engine.Turned].
func (g *game) TurnNumber() int { return g.Turn }

// LastTurn implements [engine.Ending] (EM-18.3).
func (g *game) LastTurn() int { return g.last() }

// seatOf is who plays an army: red also plays black, where two play.
func (g *game) seatOf(a army) engine.Side {
	if a == black && g.players == 0 {
		a = red
	}
	return engine.Side(a.String())
}

// acting lists the armies whose share of the phase it is: those of one seat that follow each
// other directly in the order of initiative.
func (g *game) acting() []army {
	var all []army
	for _, a := range g.Order[min(g.Next, len(g.Order)):] {
		if len(all) > 0 && g.seatOf(a) != g.seatOf(all[0]) {
			break
		}
		all = append(all, a)
	}
	return all
}

// advance takes the answers to what was asked, and plays on to the next stop, or to the end of the
// game.
func (p *battlefield) advance(answers map[engine.Side]engine.Answer) error {
	if err := declared.Resolve(p, p.asking(), answers, p.adopt); err != nil {
		return err
	}
	for {
		for len(p.owed) == 0 && !p.over() {
			p.step()
			p.byOrders()
		}
		if !declared.Unasked(p, &p.Story, p.asking()) {
			return nil
		}
		if err := declared.Resolve(p, p.asking(), nil, p.adopt); err != nil { // what standing orders have said
			return err
		}
	}
}

// over says whether the game has ended: a commander-in-chief is lost whose loss ends it, or the
// last turn has been played to its end (EM-16.8, EM-18.1).
func (g *game) over() bool { return g.Phase == over || g.fallen() != noArmy }

// flights asks for the places of leaders who were met and not caught (stop EM-S23). It says whether
// there are any.
func (p *battlefield) flights() bool {
	for _, side := range p.seats() {
		if len(p.fleeing(side)) > 0 {
			p.ask(side, stopEscape, "")
		}
	}
	return len(p.owed) > 0
}

// ask opens a stop.
func (p *battlefield) ask(side engine.Side, kind, at string) {
	p.owed = append(p.owed, engine.Decision{Side: side, Kind: kind, At: at})
	slices.SortStableFunc(p.owed, func(a, b engine.Decision) int {
		return slices.Index(p.seats(), a.Side) - slices.Index(p.seats(), b.Side)
	})
}

// step goes one step further in the turn.
func (p *battlefield) step() {
	if p.flights() {
		return
	}
	switch p.Phase {
	case deploying:
		for _, a := range []army{blue, red} {
			if p.deploys(a) {
				p.ask(p.seatOf(a), stopDeploy, "")
			}
		}
		if len(p.owed) == 0 {
			p.Phase = opening
		}
	case opening:
		p.tell("EM-5.1", "em.turn", phrase.Number("turn", p.Turn), phrase.Number("last", p.last()))
		p.Entering, p.Phase = p.arrivals(), entering
	case entering:
		if len(p.Entering) > 0 {
			p.ask(p.seatOf(black), stopEntry, "")
			return
		}
		p.Phase = drawing
	case drawing:
		p.draw()
		p.Phase = bidding
	case bidding:
		if p.initiative() {
			p.Back, p.Phase = p.substitutes(), returning
		}
	case returning:
		p.replace()
	case firing, assigning, ordering, manoeuvring:
		p.share()
	case unlimbering:
		p.unlimbers()
	case fighting:
		p.fights()
	case closing:
		p.closes()
	}
}

// arrivals rolls for the entry of the black army if it may come, and lists the corps that place
// units in this turn (EM-6.1 to EM-6.4): the next one, and those of which units wait. In a game
// that begins with it, it comes without a die (EM-18.5).
func (p *battlefield) arrivals() []corpsID {
	d := p.length()
	begins := d.stands && len(p.Placed) == 0 || p.entryRoll() && p.comes()
	if !begins && len(p.Placed) == 0 {
		return nil
	}
	var all []corpsID
	for _, c := range p.Placed {
		if len(p.waiting(c)) > 0 {
			all = append(all, c)
		}
	}
	if next := p.nextStretch(); next != nil {
		all = append(all, next.corps)
	}
	return all
}

// initiative asks for bids, or settles the order when all are in. It says whether the order is
// settled.
func (p *battlefield) initiative() bool {
	switch {
	case !p.bids():
		p.firstOrder()
		return true
	case !p.bidden:
		for _, side := range p.seats() {
			if p.chooses(side) {
				p.ask(side, stopBid, "")
			}
		}
		if len(p.owed) > 0 {
			return false
		}
	}
	for _, a := range p.inPlay() {
		if low, _ := p.bidRange(a); p.bid[a] < low { // there was nothing to choose
			p.bid[a] = low
		}
	}
	p.contest(p.bid)
	p.bid, p.bidden = [armies]int{}, false
	return true
}

// bidRange is the least and the most that an army may bid (EM-5.3).
func (g *game) bidRange(a army) (low, high int) {
	high = g.Leaders[g.chief(a)].Markers
	return min(high, 1), high
}

// chooses says whether a seat can bid in more than one way.
func (g *game) chooses(side engine.Side) bool {
	return slices.ContainsFunc(g.inPlay(), func(a army) bool {
		low, high := g.bidRange(a)
		return g.seatOf(a) == side && low < high
	})
}

// replace asks for the places of substitutes; when all stand, the bombardment begins.
func (p *battlefield) replace() {
	for _, side := range p.seats() {
		if slices.ContainsFunc(p.Back, func(l leaderID) bool { return p.seatOf(p.lead(l).army) == side }) {
			p.ask(side, stopSubstitute, "")
		}
	}
	if len(p.owed) == 0 {
		p.Phase, p.Next, p.Said = firing, 0, false
	}
}

// share gives the next seat its share of a phase in which all act in the order of initiative.
func (p *battlefield) share() {
	now := p.acting()
	if len(now) == 0 {
		p.Phase, p.Next = p.Phase+1, 0
		switch p.Phase {
		case manoeuvring:
			p.loseGreen(func(f *formation) bool { return f.Kept })
			p.splitStarted()
		case unlimbering:
			p.link()
		}
		return
	}
	if p.Said {
		p.carry(now)
		return
	}
	p.Said = true
	if p.opens(now) {
		p.ask(p.seatOf(now[0]), phaseStops[p.Phase], "")
		p.Said = false
		return
	}
	if p.Phase == assigning {
		for _, a := range now {
			p.grant(a, nil) // Ney has his markers unasked (EM-8.1)
		}
	}
}

// opens says whether there is anything to decide for who acts in this phase.
func (g *game) opens(now []army) bool {
	switch g.Phase {
	case firing:
		return slices.ContainsFunc(g.standing(), func(u unitID) bool {
			return slices.Contains(now, g.def(u).army) && g.fires(u) && len(g.targets(u)) > 0
		})
	case manoeuvring:
		return slices.ContainsFunc(g.Formations, func(f formation) bool {
			return slices.Contains(now, g.army(f.Corps)) && g.readyFault(&f) == nil
		})
	case assigning:
		for l := leaderID(1); int(l) < len(g.Leaders); l++ {
			if slices.Contains(now, g.lead(l).army) && g.inField(l) {
				return true
			}
		}
		return false
	}
	w := &ordered{game: g, armies: now}
	for o := range w.next {
		if w.fault(w.whole(o)) == nil {
			return true
		}
	}
	return false
}

// carry carries out what the acting seat has said, mission by mission, and ends its share.
func (p *battlefield) carry(now []army) {
	switch {
	case p.Under.Gun != 0:
		p.ask(p.seatOf(p.def(p.Under.Target).army), stopShelled, p.def(p.Under.Target).id)
	case len(p.Missions) > 0:
		m := p.Missions[0]
		p.Missions = p.Missions[1:]
		p.fire(m)
	case p.Rush != nil:
		p.askGun()
	case len(p.Moves) > 0:
		m, not, ok := p.chosen()
		if ok {
			if by := p.interruptersOf(m); len(by) > 0 {
				p.ask(p.seatOf(by[0]), stopInterrupt, "")
				return
			}
		}
		ids := []phrase.Arg{phrase.Literals("formations", strings.Fields(p.Moves[0].Of))}
		p.Moves, p.Heard = p.Moves[1:], 0
		switch why := phrase.Phrases("why", not); {
		case !ok:
			p.tellOwn(now[0], "EM-R41", "em.manoeuvre-not-made", ids, []phrase.Arg{why})
			return
		case len(not) > 0:
			p.tellings("EM-R41", play.To([]engine.Side{p.seatOf(now[0])}, "em.else-made", append(ids, why)...))
		}
		units, _ := p.movers(m)
		p.parted(m)
		p.Rush = p.makes(units, &m.First)
	default:
		p.Next, p.Said = p.Next+len(now), false
	}
}

// movers lists the units that make a manoeuvre; false if they, or their formations, are not on the
// field any more.
func (g *game) movers(m move) ([]unitID, bool) {
	units := g.unitsOf(m)
	gone := slices.ContainsFunc(strings.Fields(m.Of), func(id string) bool { return g.formationNamed(id) == nil }) || len(units) == 0 ||
		slices.ContainsFunc(units, func(u unitID) bool { return !g.on(u) || g.of(u) == nil })
	return units, !gone
}

// makes has units make a manoeuvre as it is ordered; it has been judged. It gives the charge that
// must wait for the owner of a gun, and nil where nothing is left to do (EM-10.7, EM-10.17).
func (p *battlefield) makes(units []unitID, s *step) *manoeuvre {
	made, _ := p.resolve(units, s)
	if made.Does != charging {
		p.carryOut(made)
		return nil
	}
	whom := phrase.Arg{}
	if made.Prey != 0 {
		whom = p.leaderArg("target", made.Prey)
	} else {
		whom = p.unitArg("target", made.Target)
	}
	p.tell("EM-10.7", "em.charges", p.unitArg("unit", units[0]), whom)
	if made.Target != 0 {
		p.chargeBegins(made.Target)
	}
	if p.gunAsked(made) != notAsked {
		return made
	}
	p.chargeHome(made)
	return nil
}

// askGun asks the owner of a gun that is charged (EM-10.13, EM-10.14).
func (p *battlefield) askGun() {
	p.ask(p.seatOf(p.def(p.Rush.Target).army), decisionStops[gunDecisions[p.gunAsked(p.Rush)]], "")
}

// gunDecisions are what the owner of a gun is asked.
var gunDecisions = [...]decision{gunLimbered: askGunBack, gunUnlimbered: askGunSwap}

// rush is the charge on a gun whose owner decides: in a combat or before one.
func (g *game) rush() *manoeuvre {
	if g.Combat != nil {
		return g.Combat.Rush
	}
	return g.Rush
}

// home carries out the charge of 3.3 whose gun has been decided on.
func (p *battlefield) home() {
	if m := p.Rush; p.Combat == nil && m != nil {
		p.Rush = nil
		p.chargeHome(m)
	}
}

// fire carries out a mission up to the decision of the target's owner, if he has one. What has
// become impossible is not done (EM-R41).
func (p *battlefield) fire(m mission) {
	if !p.on(m.Gun) || !p.on(m.Target) || p.fireFault(m.Gun, m.Target, nil) != nil {
		p.tell("EM-R41", "em.fire-not-done", p.unitArg("unit", m.Gun), p.unitArg("target", m.Target))
		return
	}
	support := slices.DeleteFunc(slices.Clone(m.Support), func(u unitID) bool { return !p.on(u) || !p.supports(u, m.Gun, m.Target) })
	row := p.bombard(m.Gun, m.Target, support)
	if p.asks(m.Gun, m.Target, row) {
		p.Under = shelling{m.Gun, m.Target, row}
		return
	}
	p.shelled(m.Gun, m.Target, row, false)
}
