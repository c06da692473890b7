package mistakes

import (
	"cmp"
	"slices"

	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// What standing orders answer at a stop, from what the seat sees. They fill the form of the stop.

// instruction is a standing order that answers stops.
type instruction = play.Instruction[*View]

// instruct is a standing order for the stops of a kind: say fills the form with what it says, and tells
// whether that settles the stop.
func instruct[W any](kind string, f *form[W], say func(*draft[W], *said) bool) instruction {
	return play.Prefer(kind, f, func(x *draft[W]) bool {
		s := x.View.says(kind)
		switch {
		case s == nil || s.word == "ask":
			return false
		case s.word == "default":
			return usual(f)(x, s)
		}
		return say(x, s)
	}, kind)
}

// usual fills the form as the deadline does.
func usual[W any](f *form[W]) func(*draft[W], *said) bool {
	return func(x *draft[W], _ *said) bool {
		if f.Usual != nil {
			f.Usual(x)
		}
		return true
	}
}

// instructions are the standing orders that answer stops.
var instructions = []instruction{
	instruct(stopBid, bidForm, preferBid),
	instruct(stopReroll, rerollForm, preferReroll),
	instruct(stopEntry, entryForm, usual(entryForm)),
	instruct(stopShelled, shelledForm, func(x *draft[*stand], s *said) bool { return x.Try("", s.word == "stand") }),
	instruct(stopOrders, ordersForm, preferKeep),
	instruct(stopInterrupt, interruptForm, preferReaction),
	instruct(stopLimberedGun, limberedGunForm, func(x *draft[*duel[bool]], s *said) bool { return x.Try("", s.word == "back") }),
	instruct(stopUnlimberedGun, unlimberedGunForm, preferSwap),
	instruct(stopSide, sideForm, preferSide),
	instruct(stopUnlimber, unlimberForm, func(x *draft[*duel[[]unitID]], s *said) bool {
		return preferUnits(x, "unlimber", s, x.View.unlimbering(x.View.acting()))
	}),
	instruct(stopSupport, supportForm, func(x *draft[*duel[[]unitID]], s *said) bool {
		return preferUnits(x, "support", s, x.View.mayBack(x.View.inMelee(x.World.army)))
	}),
	instruct(stopPursue, pursueForm, preferPursuit),
	instruct(stopCounter, counterForm, preferCounter),
	instruct(stopReinforce, reinforceForm, preferRelief),
	instruct(stopOutcome, outcomeForm, preferOutcome),
	instruct(stopWithdrawLoss, withdrawLossForm, preferPayers),
	instruct(stopEscape, escapeForm, usual(escapeForm)),
	instruct(stopSubstitute, substituteForm, preferBeside),
	instruct(stopFire, fireForm, preferVolleys),
	instruct(stopAssign, assignForm, preferGrants),
	instruct(stopManoeuvres, manoeuvresForm, preferMarches),
	instruct(stopCombat, combatForm, preferCombat),
	instruct(stopLosses, lossesForm, preferLosses),
}

// preferBid keeps some of what was drawn, or bids a number.
func preferBid(x *draft[*bids], s *said) bool {
	for _, a := range x.World.armies {
		n := s.bids[noArmy]
		if n == 0 {
			n = s.bids[a]
		}
		low, high := x.View.bidRange(a)
		bid := n
		if n < 0 {
			bid = high + n
		}
		if n == 0 || !x.Try("bid", armyBid{a, min(max(bid, low), high)}) {
			return false
		}
	}
	return true
}

// preferReroll rolls again where the side is so far behind.
func preferReroll(x *draft[*duel[bool]], s *said) bool {
	i := x.View.inMelee(x.World.army)
	total := func(i int) int { return x.View.Combat.Melee.Dice[i] + sum(x.View.meleeModifiers(i)) }
	return x.Try("reroll", total(1-i)-total(i) >= s.n)
}

// preferKeep keeps every moving formation moving, the cheapest first, while points last.
func preferKeep(x *draft[*ordered], _ *said) bool {
	var all []order
	for o := range x.World.next {
		if o.does == keepsMoving {
			all = append(all, x.World.whole(o))
		}
	}
	price := func(o order) int { return x.World.game.price(x.World.game.formationNamed(o.of), o) }
	slices.SortStableFunc(all, func(a, b order) int { return price(a) - price(b) })
	for _, o := range all {
		x.Try("", o)
	}
	return true
}

// preferSide takes the side that is named if it is offered, else the front, else a flank.
func preferSide(x *draft[*duel[string]], s *said) bool {
	return slices.ContainsFunc(append([]string{s.word}, sideWords...), func(side string) bool { return x.Try("side", side) })
}

// preferUnits names all units that may be named, none, or those that are listed.
func preferUnits(x *draft[*duel[[]unitID]], key string, s *said, units []unitID) bool {
	for _, u := range units {
		if s.word == "all" || slices.Contains(s.units, u) {
			x.Try(key, u)
		}
	}
	return true
}

// preferSwap lets the first of the listed units that can stand in for the gun, or nobody.
func preferSwap(x *draft[*duel[unitID]], s *said) bool {
	if s.word == "stand" {
		return x.Try("", unitID(0))
	}
	return slices.ContainsFunc(s.units, func(u unitID) bool { return x.Try("", u) })
}

// preferPursuit puts the signs up for the arms that are to pursue, and down for others; cavalry
// comes first.
func preferPursuit(x *draft[*duel[hunt]], s *said) bool {
	left := slices.Clone(x.View.Combat.Chase.Left)
	slices.SortFunc(left, func(a, b arm) int { return int(b) - int(a) })
	for _, of := range left {
		sign := -1
		if s.word == "always" || s.word == armWords[of] {
			sign = 1
		}
		if x.Try("", hunt{kind: of, target: sign, general: sign}) {
			return true
		}
	}
	return false
}

// preferCounter counterattacks with the pair of the best balance, always, or if that is no less than so much;
// else not at all.
func preferCounter(x *draft[*duel[blow]], s *said) bool {
	best, most := x.View.bestCounter()
	if s.word == "never" || s.least && most < s.n {
		best = blow{}
	}
	return x.Try("", best)
}

// preferRelief brings the first of the listed formations that has a legal charge, or none.
func preferRelief(x *draft[*duel[relief]], s *said) bool {
	if s.word == "none" {
		return x.Try("reinforce", relief{})
	}
	return slices.ContainsFunc(s.names, func(id string) bool {
		return slices.ContainsFunc(x.View.reserved(), func(one reserve) bool {
			return one.formation == id && x.Try("reinforce", relief{formation: id, charge: one.target})
		})
	})
}

// preferOutcome keeps the lowest or the highest die; the level of a leader is subtracted.
func preferOutcome(x *draft[*duel[tally]], s *said) bool {
	role := x.View.roleOf(x.World.army)
	k := x.View.usualKeep(role)
	if s.word == "highest" {
		k.Die = slices.Max(x.View.Combat.Dice[role])
	}
	return x.Try("", tally{k.Die, k.Sign, k.Leader})
}

// preferPayers lets the listed units take the losses of their formations; where none of a formation is
// listed, whoever the deadline takes.
func preferPayers(x *draft[*payroll], s *said) bool {
	for _, one := range x.World.view.Combat.Withdrew {
		for _, u := range s.units {
			if slices.Contains(x.World.view.present(one.Gone), u) && x.Try("loss", payment{one.ID, u}) {
				break
			}
		}
	}
	withdrawLossForm.Usual(x)
	return true
}

// preferCombat fights the listed units' combats first, then by number.
func preferCombat(x *draft[*duel[blow]], s *said) bool {
	all := blows(x.World.view.openings(x.World.army))
	for _, u := range s.units {
		if slices.ContainsFunc(all, func(b blow) bool { return b.unit == u && x.Try("", b) }) {
			return true
		}
	}
	return x.Try("", all[0])
}

// preferLosses gives the listed units as many losses as they may take, the first of them first.
func preferLosses(x *draft[*duel[shares]], s *said) bool {
	best, most := shares{}, []int(nil)
	for _, so := range x.World.view.sharings(x.World.view.inMelee(x.World.army)) {
		var has []int
		for _, u := range s.units {
			n := 0
			for _, one := range so {
				if one.Unit == u {
					n += one.N
				}
			}
			has = append(has, n)
		}
		if most == nil || slices.Compare(has, most) > 0 {
			best, most = sharesOf(so), has
		}
	}
	return len(most) > 0 && slices.Max(most) > 0 && x.Try("losses", best)
}

// preferBeside puts each leader who comes on the first free place about a unit.
func preferBeside(x *draft[*staff], s *said) bool {
	w := x.World
	for _, l := range w.back {
		i := slices.IndexFunc(s.beside, func(b beside) bool { return b.leader == l })
		if i < 0 || !w.board.on(s.beside[i].unit) {
			return false
		}
		at, ok := geometry.Rings(geometry.Point(w.board.Units[s.beside[i].unit].At), ringStep, substituteReach*int64(w.board.segment()),
			func(at geometry.Point) bool { return w.board.standsFault(l, at) == nil })
		if !ok || !x.Try("place", posting{leader: l, does: goes, at: place(at)}) {
			return false
		}
	}
	return true
}

// preferVolleys has each gun fire at the first listed target, else at the nearest, if that is wanted, where
// its modifiers are good enough. Guns with the same target support the first of them, where they may.
func preferVolleys(x *draft[*salvo], s *said) bool {
	w := x.World
	var all []volley
	for _, gun := range w.guns() {
		target := w.preferred(gun, s)
		if target == 0 {
			continue
		}
		first := slices.IndexFunc(all, func(m volley) bool { return m.target == target && slices.Contains(w.helpers(m.gun, target), gun) })
		if first >= 0 {
			all[first].support = setOf(append(all[first].support.list(), gun))
		} else if !s.least || sum(w.board.fireModifiers(gun, target, 0)) >= s.n {
			all = append(all, volley{gun: gun, target: target})
		}
	}
	for _, m := range all {
		x.Try("", m)
	}
	return true
}

// preferred is the target of a gun by a standing order; 0 if it has none.
func (w *salvo) preferred(gun unitID, s *said) unitID {
	legal := w.targets(gun)
	for _, u := range s.units {
		if slices.Contains(legal, u) {
			return u
		}
	}
	if !s.nearest || len(legal) == 0 {
		return 0
	}
	far := func(u unitID) int64 {
		return geometry.Dist2(geometry.Point(w.board.Units[gun].At), geometry.Point(w.board.Units[u].At))
	}
	return slices.MinFunc(legal, func(a, b unitID) int { return cmp.Or(cmp.Compare(far(a), far(b)), cmp.Compare(a, b)) })
}

// preferGrants gives the leaders what is listed while the box lasts, in the order in which they are listed.
func preferGrants(x *draft[*staff], s *said) bool {
	for _, one := range s.grants {
		for n := one.n; n > 0 && !x.Try("assign", grant{one.to, n}); n-- {
		}
	}
	return true
}

// preferMarches has each formation that moves do what is said for it. A formation of which nothing is said,
// or of which that has ended, leaves the stop to the side.
func preferMarches(x *draft[*moving], s *said) bool {
	for _, id := range x.World.ready() {
		i := slices.IndexFunc(s.marches, func(m marching) bool { return m.formation == id })
		if i < 0 || s.marches[i].ended(x.World.board) {
			return false
		}
		m, ok := readMove(x.World, orders.NewReader(vocabulary), s.marches[i].does)
		if !ok || !x.Try("", m) {
			return false
		}
	}
	return true
}

// ended says whether a formation no longer does what is said for it: it is in an engagement area, or the
// turn is past.
func (m *marching) ended(g *game) bool {
	f := g.formationNamed(m.formation)
	return m.last > 0 && g.Turn > m.last || m.area && slices.ContainsFunc(f.Units, func(u unitID) bool {
		return slices.ContainsFunc(g.standing(), func(e unitID) bool { return g.enemies(u, e) && g.invades(u, e) })
	})
}

// preferReaction does out of sequence what is said, if it can be done and costs no more than it may.
func preferReaction(x *draft[*reacting], s *said) bool {
	if s.word == "none" {
		return x.Try("react", reaction{})
	}
	for _, does := range x.World.meant(s.reacts) {
		one, ok := reactionTexts.Read(x.View, orders.NewReader(vocabulary), does)
		if units := one.units.list(); ok && one.by == 0 && len(units) > 0 && x.World.view.of(units[0]) != nil {
			one.by = x.World.view.payer(x.World.view.of(units[0]), units, one.keep)
		}
		if !ok || one.by == 0 || s.most > 0 && x.World.view.earlyPrice(one.by, one.units.list()) > s.most {
			continue
		}
		if x.Try("react", one) {
			return true
		}
	}
	return false
}

// meant lists what may be meant by what is said: charger is each of the units of the manoeuvre that is
// declared, in their order.
func (w *reacting) meant(says *orders.Node) []*orders.Node {
	r := orders.NewReader(vocabulary)
	if at := r.Under(says, "charge"); at == nil || !r.Is(at, "charger") {
		return []*orders.Node{says}
	}
	m, ok := w.view.declared()
	if !ok {
		return nil
	}
	var all []*orders.Node
	for _, u := range w.view.unitsOf(m) {
		one := orders.Inline()
		for _, pair := range says.Pairs {
			if r.Is(pair.Value, "charger") {
				pair.Value = orders.Text(w.view.def(u).id)
			}
			one.Pairs = append(one.Pairs, pair)
		}
		all = append(all, one)
	}
	return all
}

// standingArgs name the stop, and the standing order that has answered it.
func standingArgs(kind, key string) []phrase.Arg {
	return []phrase.Arg{phrase.Name("stop", "stop", kind), phrase.Literal("order", key)}
}
