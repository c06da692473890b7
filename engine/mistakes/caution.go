package mistakes

import (
	"slices"

	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

var _ engine.Cautious = Ruleset{}

// Kinds of orders that are legal but odd, by the sentences that tell them.
const (
	oddCharge = "em.odd-charge-poor" // the dice of a charge stand three to one against it
	oddGun    = "em.odd-gun-alone"   // a gun is left without contact where an enemy can charge it
	oddFlank  = "em.odd-flank-open"  // a unit ends where an enemy can charge its flank or rear
)

// oddHolds are the kinds at which a player had better look again.
var oddHolds = []string{oddCharge, oddGun}

// Cautions implements [engine.Cautious]. What is odd is judged on the field as it is when all that
// was ordered has gone as it is written: manoeuvres, redeployments, what is done out of sequence, a reinforcement.
func (r Ruleset) Cautions(view engine.View, d engine.Decision, given engine.Answer) []engine.Caution {
	v, reply := view.(*View), given.(play.Answer).Reply
	if given.Orders().Encode() == r.Default(view, d).Orders().Encode() {
		return nil
	}
	if w, ok := play.World[*View, *moving](reply); ok {
		return append(w.board.oddCharges(v.onsets(w)), v.oddStands(w.board, w.now)...)
	}
	if w, ok := play.World[*View, *ordered](reply); ok && slices.ContainsFunc(w.done, func(o order) bool { return o.does == redeploys }) {
		return v.oddStands(w.game, w.armies)
	}
	if w, ok := play.World[*View, *reacting](reply); ok && w.said != (reaction{}) {
		board, all := v.reacted(w.said)
		return append(board.oddCharges(all), v.oddStands(board, w.armies)...)
	}
	if w, ok := play.World[*View, *duel[relief]](reply); ok && w.said.formation != "" {
		board, all := v.relieved(w.said)
		return board.oddCharges(all)
	}
	return nil
}

// oddStands warns of what a field that has been changed by orders lays open.
func (v *View) oddStands(board *game, now []army) []engine.Caution {
	return append(v.oddGuns(board, now), v.oddFlanks(board, now)...)
}

// reacted is the field after an action out of sequence, with its charge, if it is one.
func (v *View) reacted(x reaction) (*game, []onset) {
	board, units := v.aside(x), x.units.list()
	if x.anew != nil {
		moves, _ := board.relocations(x.anew.spots)
		board.redeploy(moves, x.anew.groups, board.makeRoom)
		return board, nil
	}
	made, fault := board.resolve(units, &x.does)
	if fault != nil {
		return board, nil
	}
	return board, board.rides(made)
}

// relieved is the field after a reinforcement has charged, with its charge.
func (v *View) relieved(x relief) (*game, []onset) {
	board := v.trial()
	return board, board.rides(&manoeuvre{Units: v.unitsIn(x.formation), Does: charging, Turn: v.reliefTurn(v.reserved(), x), Target: x.charge})
}

// rides moves units as a manoeuvre does, and gives it as a charge if it strikes somebody.
func (g *game) rides(m *manoeuvre) []onset {
	o := g.look(m)
	if !o.moves {
		return nil
	}
	var by []unitID
	if m.Target != 0 {
		by = g.strikers(m, &o, m.Target)
	}
	for _, u := range m.Units {
		g.limberUp(u)
	}
	g.stand(m.Units, shifted(o.bodies, o.heading, o.far))
	if len(by) == 0 {
		return nil
	}
	(&battlefield{game: g}).chargeBegins(m.Target)
	return []onset{{by: by[0], on: m.Target, units: m.Units, how: o}}
}

// An onset is a charge as it is written: who strikes whom, and how he comes there.
type onset struct {
	by, on unitID
	units  []unitID // who charge
	how    outcome  // of the way
}

// onsets lists the charges of an answer that reach their targets, in the order of the answer.
func (v *View) onsets(w *moving) []onset {
	var all []onset
	board := v.trial()
	for _, m := range w.list {
		units := board.unitsOf(m)
		made, fault := board.resolve(units, &m.First)
		if fault == nil && made.Target != 0 && board.manoeuvreFault(made) == nil {
			if o := board.look(made); o.moves {
				if by := board.strikers(made, &o, made.Target); len(by) > 0 {
					all = append(all, onset{by: by[0], on: made.Target, units: units, how: o})
				}
			}
		}
		board.tries(m)
	}
	return all
}

// oddCharges warns of charges that win their melee with a quarter of the throws at most
// (EM-11.6, EM-11.8). A gun that is struck is captured without a melee (EM-10.13).
func (g *game) oddCharges(all []onset) []engine.Caution {
	var list []engine.Caution
	for _, c := range all {
		if g.def(c.on).arm == artillery || !g.on(c.on) || !g.contact(c.by, c.on) {
			continue
		}
		if won := g.throwsWon(c); 4*won <= dieSides*dieSides {
			list = append(list, play.Odd(oddHolds, oddCharge, "EM-11.8", g.unitArg("unit", c.by), g.unitArg("other", c.on), phrase.Number("n", won), phrase.Number("all", dieSides*dieSides)))
		}
	}
	return list
}

// throwsWon counts the throws of both dice with which a charge wins its melee, if on both sides
// everybody supports who may. Where it strikes a corner, the defender chooses his front.
func (g *game) throwsWon(c onset) int {
	board := g.trial()
	board.Combat = nil
	bonus, shaken := board.chargeTerrain(c.how.bodies[slices.Index(c.units, c.by)], c.how.heading, c.how.far)
	for _, u := range c.units {
		board.Units[u].Bridged = board.Units[u].Bridged || shaken
	}
	p := &battlefield{game: board}
	p.Combat = &combat{Attacker: c.by, Defender: c.on, Step: attack}
	if g.Combat != nil { // in which who has backed off has told
		p.Combat.Backed, p.Combat.Barred = g.Combat.Backed, g.Combat.Barred
	}
	m := &melee{Attacker: c.by, Defender: c.on, Charged: true, Charge: length(c.how.far), Forded: bonus != 0}
	p.clash(m)
	if first, second, ok := board.struck(c.on, c.by); ok && !board.def(c.on).garrison() && first != geometry.Front && second != geometry.Front {
		m.strike(first)
	}
	m.Support = [2][]unitID{board.mayBack(0), board.mayBack(1)}
	ahead, won := sum(board.meleeModifiers(0))-sum(board.meleeModifiers(1)), 0
	for mine := 1; mine <= dieSides; mine++ {
		for his := 1; his <= dieSides; his++ {
			if mine+ahead > his {
				won++
			}
		}
	}
	return won
}

// oddGuns warns of guns that touched infantry or cavalry of their side before the orders and touch
// none after them, where an enemy is near enough to charge.
func (v *View) oddGuns(board *game, now []army) []engine.Caution {
	var list []engine.Caution
	for _, u := range board.standing() {
		if d := board.def(u); d.arm != artillery || !slices.Contains(now, d.army) || !v.guarded(u) || board.guarded(u) {
			continue
		}
		if e := board.threat(u); e != 0 {
			list = append(list, play.Odd(oddHolds, oddGun, "EM-10.14", v.unitArg("unit", u), v.unitArg("other", e)))
		}
	}
	return list
}

// guarded says whether infantry or cavalry of its side touches a unit.
func (g *game) guarded(u unitID) bool {
	return slices.ContainsFunc(g.standing(), func(o unitID) bool {
		return o != u && !g.enemies(u, o) && g.def(o).arm != artillery && g.contact(u, o)
	})
}

// threat is the enemy who is nearest to a unit, if one of his formations is near enough to charge
// it; 0 if none is.
func (g *game) threat(u unitID) unitID {
	best, least := unitID(0), int64(0)
	for i := range g.Formations {
		f := &g.Formations[i]
		if g.onlyGuns(f.Units) || !g.enemies(f.Units[0], u) {
			continue
		}
		far := int64(g.factor(f.Units))*int64(g.segment()) + int64(g.measures.tile)
		for _, e := range f.Units {
			d := geometry.Dist2(geometry.Point(g.Units[e].At), geometry.Point(g.Units[u].At))
			if d <= far*far && (best == 0 || d < least) {
				best, least = e, d
			}
		}
	}
	return best
}

// oddFlanks warns of units that the orders have moved to where an enemy formation can charge their
// flank or rear, one warning a formation of the player's (EM-3.8, EM-11.3).
func (v *View) oddFlanks(board *game, now []army) []engine.Caution {
	var list []engine.Caution
	var told []*formation
	for i := range board.Formations {
		f := &board.Formations[i]
		if slices.ContainsFunc(now, func(a army) bool { return board.army(f.Corps).allied(a) }) {
			continue
		}
		for _, offer := range board.chargesOf(f.Units) {
			u, own := offer.target, board.of(offer.target)
			if own == nil || slices.Contains(told, own) || !slices.Contains(now, board.def(u).army) || v.Units[u].At == board.Units[u].At && v.Units[u].Heading == board.Units[u].Heading {
				continue
			}
			if board.strikesAside(f.Units, offer) {
				told = append(told, own)
				list = append(list, play.Odd(oddHolds, oddFlank, "EM-11.3", v.unitArg("unit", u), v.unitArg("other", f.Units[0])))
			}
		}
	}
	return list
}

// strikesAside says whether a charge, with the least turn with which it is legal, strikes a flank or
// the rear, so that the defender can't choose his front.
func (g *game) strikesAside(units []unitID, offer chargeOffer) bool {
	m := &manoeuvre{Units: units, Does: charging, Target: offer.target, Turn: offer.least}
	o := g.look(m)
	by := g.strikers(m, &o, offer.target)
	if len(by) == 0 {
		return false
	}
	board := g.trial()
	board.stand(units, shifted(o.bodies, o.heading, o.far))
	first, second, ok := board.struck(offer.target, by[0])
	return ok && first != geometry.Front && second != geometry.Front
}
