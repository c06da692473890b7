package waterloo

import (
	"math/rand/v2"
	"slices"

	"berthier/engine"
)

// Artillery fire (WAT-11.1) and disorder (WAT-9.45 to 9.48).

// A shot is a unit that fires, and the side of its square over which it fires.
type shot struct {
	by   unitID
	side facing // none: its front, or the only side over which it can fire
}

// A hindrance is why a unit can't fire: the clause, and the sentence, which speaks of the unit
// alone. Nothing hinders it if the hindrance is empty. It costs nothing to ask for one, since the
// sentence is made only for who reads it.
type hindrance struct{ clause, code string }

// of is the fault that a hindrance is; nil if nothing hinders the unit.
func (h hindrance) of(g *game, id unitID) *fault {
	if h == (hindrance{}) {
		return nil
	}
	return refusal(h.clause, h.code, g.unitArg("unit", id))
}

// gun tells why a unit can't fire artillery at all (WAT-11.1, WAT-9.45).
func (g *game) gun(id unitID) hindrance {
	switch {
	case g.unit(id).At == 0:
		return hindrance{"WAT-11.1", "wat.not-on-board"}
	case g.def(id).arm != infantry:
		return hindrance{"WAT-11.1", "wat.gun-cavalry"}
	case g.unit(id).Disordered:
		return hindrance{"WAT-9.45", "wat.gun-disordered"}
	}
	return hindrance{}
}

// aimed gives the unit that a shot hits: the enemy in the front square of the firing
// unit or, if it fires out of a chateau, over the side named (WAT-11.1, WAT-10.10). It
// also gives the shot with its side filled in.
func (g *game) aimed(s shot) (unitID, shot, *fault) {
	if f := g.gun(s.by).of(g, s.by); f != nil {
		return 0, s, f
	}
	face := g.unit(s.by).Face
	switch {
	case g.allRound(s.by) && s.side == noFacing:
		for _, side := range facingsAll {
			if _, why := g.over(s.by, side); why == (hindrance{}) {
				if s.side != noFacing {
					return 0, s, refusal("WAT-10.10", "wat.gun-side", g.unitArg("unit", s.by))
				}
				s.side = side
			}
		}
		if s.side == noFacing {
			return 0, s, refusal("WAT-11.1", "wat.gun-nobody", g.unitArg("unit", s.by))
		}
	case s.side == noFacing:
		s.side = face
	case s.side != face && !g.allRound(s.by):
		return 0, s, refusal("WAT-11.1", "wat.gun-front", g.unitArg("unit", s.by), facingArg("face", face))
	}
	target, why := g.over(s.by, s.side)
	return target, s, why.of(g, s.by)
}

// over finds the enemy over a side of a unit's square, or tells why the unit can't fire at it.
func (g *game) over(id unitID, side facing) (unitID, hindrance) {
	at := g.unit(id).At
	target := g.unitAt(g.next(at, side))
	switch {
	case target == 0 || !g.hostile(id, target):
		return 0, hindrance{"WAT-11.1", "wat.gun-nobody"}
	case g.edgeOf(at, side).has(pond) && g.options.acrossPond == no:
		return 0, hindrance{"WAT-R18", "wat.gun-pond"}
	}
	return target, hindrance{}
}

// shots lists every shot that an army can fire now, in the order of its units.
func (g *game) shots(a army) []shot {
	var list []shot
	for id, u := range g.everyUnit() {
		if g.armyOf(id) != a || g.gun(id) != (hindrance{}) {
			continue
		}
		for _, side := range facingsAll {
			if side != u.Face && !g.allRound(id) {
				continue
			}
			if _, why := g.over(id, side); why == (hindrance{}) {
				list = append(list, shot{id, side})
			}
		}
	}
	return list
}

// sheltered tells whether fire has no effect on a unit because the unit stands in a
// chateau (WAT-10.7, WAT-R20).
func (g *game) sheltered(id unitID) bool {
	return g.inChateau(id) && (g.def(id).arm == infantry || g.options.cavalryImmune == yes)
}

// hurts tells whether fire at a unit would do anything (WAT-9.47, WAT-10.7).
func (g *game) hurts(id unitID) bool {
	return !g.sheltered(id) && (!g.unit(id).Disordered || g.whole(id))
}

// shell plays a card as artillery (WAT-11.1): a unit in good order becomes disordered; a
// disordered one is reduced and in good order again; no unit is eliminated (WAT-9.46,
// WAT-9.47). It gives the unit that was shot at.
func (p *battlefield) shell(c cardID, s shot) unitID {
	target, s, f := p.aimed(s)
	if f != nil { // a committed shot: an earlier shot can't have changed it, but the edit of a position may have
		p.announce("WAT-R19", "wat.fire-nobody", p.cardArg("card", c), p.unitArg("unit", s.by))
		return 0
	}
	u := p.unit(target)
	clause, code := "WAT-11.1", "wat.fire-disorders"
	switch {
	case p.sheltered(target):
		clause, code = "WAT-10.7", "wat.fire-chateau"
	case !u.Disordered:
		u.Disordered = true
	case !p.whole(target):
		clause, code = "WAT-9.47", "wat.fire-nothing"
	default:
		clause, code = "WAT-9.46", "wat.fire-reduces"
		u.Reduced, u.Disordered = true, false
	}
	p.announce(clause, code, p.cardArg("card", c), p.unitArg("unit", s.by), p.unitArg("target", target), p.squareArg("square", u.At))
	return target
}

// A windowFrame is a moment of an enemy round at which artillery may be fired
// (section 5.1 of the digest). It stays open until nobody fires any more.
type windowFrame struct {
	Window window
	Unit   unitID       // the unit that has entered, in the window atEntered
	Held   [armies]bool // armies that have not fired since the last shot

	replies []windowReply // of one stop
}

// A windowReply is what a seat answered; card 0 means that it does not fire.
type windowReply struct {
	seat engine.Side
	card cardID
	shot shot
}

// openWindow opens an artillery window for the side whose round it is not. The window
// closes again at once if, by public facts, nobody could fire, or if nobody wants to.
func (p *battlefield) openWindow(w window) { p.push(&windowFrame{Window: w}) }

// openEntered opens the window after a unit has entered the front square of
// enemy infantry.
func (p *battlefield) openEntered(id unitID) { p.push(&windowFrame{Window: atEntered, Unit: id}) }

// seenBy implements [frame]: only a seat that is asked knows of the window.
func (w *windowFrame) seenBy(g *game, side engine.Side) frame {
	for _, d := range g.asks {
		if d.Side == side && (d.Kind == stopArtillery || d.Kind == stopRevealed) {
			return &windowFrame{Window: w.Window, Unit: w.Unit}
		}
	}
	return nil
}

// run implements [frame].
func (w *windowFrame) run(p *battlefield) {
	r := p.roundNow()
	if r == nil {
		p.pop()
		return
	}
	fired := false
	for _, a := range w.replies {
		if a.card == 0 {
			for _, of := range p.armiesOf(a.seat) {
				w.Held[of] = true
			}
			continue
		}
		if f := p.barred(a.card); f != nil { // the other Allied seat has fired first (WAT-6.6)
			p.whisper(a.seat, "WAT-6.6", "wat.fire-barred", p.cardArg("card", a.card))
			continue
		}
		w.fire(p, a.card, a.shot)
		fired = true
	}
	w.replies = nil
	if fired {
		w.Held = [armies]bool{}
		return
	}
	asked := false
	for _, a := range p.armiesIn(r.Camp.enemy()) {
		if w.Held[a] || !w.opens(p.game, a) {
			continue
		}
		seat := p.seatOf(a)
		if !asked && !p.Insists(seat, w.stop()) {
			if c, s, ok := p.standingShot(w, a); ok {
				p.useStanding(seat, w.stop(), "artillery")
				w.fire(p, c, s)
				w.Held = [armies]bool{}
				return
			}
		}
		if p.Insists(seat, w.stop()) || !w.holds(p.game, seat) {
			if !asked || p.asks[len(p.asks)-1].Side != seat {
				p.ask(seat, w.stop(), w.Window.String())
			}
			asked = true
		}
	}
	if !asked {
		p.pop()
	}
}

// stop is the kind of decision that a window asks for.
func (w *windowFrame) stop() string {
	if w.Window == atRevealed {
		return stopRevealed
	}
	return stopArtillery
}

// opens tells whether a window opens for an army, from public facts alone: fire of some
// of its infantry can reach an enemy before it (in the window atEntered, the unit that
// entered); its hand is not empty; and its cards may be used in this round (section 5.1).
func (w *windowFrame) opens(g *game, a army) bool {
	if lock := g.lock(); len(g.Decks[a].Hand) == 0 || a != french && lock != noArmy && lock != a {
		return false
	}
	return slices.ContainsFunc(g.shots(a), func(s shot) bool {
		target, _, f := g.aimed(s)
		return f == nil && !g.sheltered(target) && (w.Window != atEntered || target == w.Unit)
	})
}

// fire uses a card as artillery in a window. A battle under way loses an attacker
// whom the fire disorders; a movement under way is checked again.
func (w *windowFrame) fire(p *battlefield, c cardID, s shot) {
	p.use(c)
	p.count(c)
	hit := p.shell(c, s)
	if b := under[*battleFrame](p.game); b != nil && w.Window == atRevealed {
		b.dropOut(p, hit)
	}
	if m := under[*moveFrame](p.game); m != nil {
		m.Changed = true
	}
}

// randomShot is a legal shot of a card, if there is one.
func (v *View) randomShot(c cardID, chance *rand.Rand) (shot, bool) {
	all := v.shots(v.card(c).army)
	if v.card(c).action != artilleryFire || len(all) == 0 {
		return shot{}, false
	}
	return all[chance.IntN(len(all))], true
}

// sound tells whether a position may hold the frame.
func (w *windowFrame) sound(g *game, depth int) bool {
	if depth < 2 || w.Window < atRoundStart || w.Window > atRevealed || (w.Window == atEntered) != (w.Unit != 0) {
		return false
	}
	_, battle := g.Flow[depth-1].(*battleFrame)
	return (w.Window == atRevealed) == battle
}

// asks implements asker.
func (w *windowFrame) asks(g *game, d engine.Decision) bool {
	r := g.roundNow()
	return r != nil && d.Kind == w.stop() && d.At == w.Window.String() && campOfSeat(d.Side) == r.Camp.enemy()
}

// text is how a shot is listed.
func (s shot) text(g *game) string {
	return "artillery by " + g.def(s.by).id + " side " + s.side.String()
}
