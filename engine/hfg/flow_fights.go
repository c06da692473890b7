package hfg

import (
	"slices"

	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// One combat: dice, scores, and the jobs that its results are.

// rollsFor rolls the dice of a combat, the phasing side's first (HFG-14.1).
func (p *battlefield) rollsFor(b *bout, later elementID, die int) (a, o int) {
	roll := func(f fighter) int {
		if f.Element != 0 && f.Element == later {
			return die // of the combat before (HFG-12.12)
		}
		return p.Dice.Roll(dieSides, phrase.Say("hfg.roll-combat", p.fighterArg("who", f)))
	}
	if p.fightsFor(b.A, b.B) == p.phasing() {
		a = roll(b.A)
		return a, roll(b.B)
	}
	o = roll(b.B)
	return roll(b.A), o
}

// rolledFor is whose luck the die of a fighter is; none of one whose die is that of the combat before (HFG-12.12).
func (p *battlefield) rolledFor(f, other fighter, later elementID) []phrase.Arg {
	if f.Element != 0 && f.Element == later {
		return nil
	}
	return []phrase.Arg{p.sideArg("army", p.fightsFor(f, other))}
}

// fightsFor is the side of a fighter; a BUA or bridge is of the side that its opponent is not.
func (g *game) fightsFor(f, other fighter) side {
	if f.Element != 0 {
		return g.def(f.Element).side
	}
	return g.def(other.Element).side.enemy()
}

// fighterArg names one of the two of a combat.
func (g *game) fighterArg(name string, f fighter) phrase.Arg {
	switch {
	case f.Bridge != "":
		return phrase.Name(name, "bridge", f.Bridge)
	case f.Element != 0:
		return elementArg(name, g.def(f.Element))
	}
	return phrase.Name(name, "area", g.area(f.Area).id)
}

// scoresOf are the scores of both, adjusted (HFG-14.1 to HFG-14.4).
func (g *game) scoresOf(b *bout, a, o int, used []int, later elementID) (x, y score, sa, so *standpoint) {
	sa, so = g.seen(b, true), g.seen(b, false)
	x, y = sa.scored(a), so.scored(o)
	if later != 0 {
		if s := &x; later == b.A.Element {
			s.without(used)
		}
	}
	adjust(sa, so, &x, &y)
	return x, y, sa, so
}

// without takes tactical factors out of a score that were used before (HFG-12.12).
func (s *score) without(used []int) {
	s.marks = slices.DeleteFunc(s.marks, func(m mark) bool {
		i := slices.IndexFunc(tactics, func(t tactic) bool { return t.code == m.code })
		drop := i >= 0 && slices.Contains(used, i)
		if drop {
			s.before -= m.n
		}
		return drop
	})
	s.total = s.before
}

// tacticsOf lists the tactical factors of a score, by their places in the table.
func (s *score) tacticsOf() []int {
	var all []int
	for i, t := range tactics {
		if slices.ContainsFunc(s.marks, func(m mark) bool { return m.code == t.code }) {
			all = append(all, i)
		}
	}
	return all
}

// combats rolls the dice of a combat (HFG-14.1). Who is not there any more fights nobody: a mine may have destroyed the ship that was
// to fight (HFG-6.11), or the fight of another who ran may have parted a runner from him.
func (p *battlefield) combats(j *job) {
	b := *j.Bout
	for _, f := range []fighter{b.A, b.B} {
		if f.Element != 0 && !p.on(f.Element) {
			return
		}
	}
	if j.Runner && !p.fronts(b.A.Element, b.B.Element) {
		return
	}
	x, y := p.rollsFor(&b, j.Later, j.Die)
	b.Dice = []int{x, y}
	settle := *j
	settle.Kind, settle.Bout, settle.Said = settling, &b, nil
	p.next(settle)
}

// settles compares the scores of a combat and lists what comes of it; of a BUA that guns shoot at
// and of its garrison apart, from one pair of dice (HFG-14, HFG-15.1, HFG-R55).
func (p *battlefield) settles(j *job) {
	b := *j.Bout
	if b.B.Area != 0 && b.B.Element != 0 {
		place := p.atItsPlace(&b)
		b.B.Area = 0
		p.settle(&b, j, true)
		p.settle(&place, j, false)
		return
	}
	p.settle(&b, j, true)
	if a := p.placeOfReply(&b); a != 0 {
		p.settle(&bout{Distant: true, A: b.B, B: fighter{Area: a}, Aids: b.Backs, Dice: []int{b.Dice[1], b.Dice[0]}}, j, false)
	}
}

// placeOfReply is the BUA or the SP at which guns or a ship have shot in reply to its garrison; 0: none (HFG-12.9).
func (p *battlefield) placeOfReply(b *bout) areaID {
	if !b.Distant || !b.Reply || b.B.Element == 0 || b.A.Element == 0 {
		return 0
	}
	return p.placeShotAt(b.B.Element, b.A.Element)
}

// verdicts are what a combat comes to for both, with their scores.
func (g *game) verdicts(b *bout, used []int, later elementID) (va, vo *verdict, x, y score) {
	x, y, sa, so := g.scoresOf(b, b.Dice[0], b.Dice[1], used, later)
	va = &verdict{standpoint: sa, is: compare(x.total, y.total), short: y.total - x.total}
	vo = &verdict{standpoint: so, is: compare(y.total, x.total), short: x.total - y.total}
	return va, vo, x, y
}

// pressedUpon is the winner of a distant combat who must decide first whether he presses forward:
// if he reaches foot or dismounted whom he has beaten, they only halt (HFG-15.10); 0: nobody. Of who shoots with the die of an
// earlier combat the factors that he used in it count no more (HFG-12.12).
func (g *game) pressedUpon(b *bout, used []int, later elementID) elementID {
	if !b.Distant || b.A.Element == 0 || b.B.Element == 0 {
		return 0
	}
	own := *b
	own.B.Area = 0 // of a place and its garrison, the garrison
	b = &own
	va, vo, _, _ := g.verdicts(b, used, later)
	for _, v := range []*verdict{va, vo} {
		w := vo
		if v == vo {
			w = va
		}
		if v.is == less && v.onFoot() && v.shot && w.outcome().What == pressing && g.willReach(w.as, v.as) {
			return w.as
		}
	}
	return 0
}

// settle compares two scores and lists what comes of it. Of dice that weren't rolled for it nobody's luck is told.
func (p *battlefield) settle(b *bout, j *job, rolled bool) {
	va, vo, x, y := p.verdicts(b, j.Used, j.Later)
	if rolled {
		x.rolled, y.rolled = p.rolledFor(b.A, b.B, j.Later), p.rolledFor(b.B, b.A, j.Later)
	}
	p.tellCombat(b, &x, &y, va.outcome().What == unharmed && vo.outcome().What == unharmed)
	asked := p.pressedUpon(b, j.Used, j.Later)
	va.press, vo.press = asked == vo.as && asked != 0 && j.Said.Yes, asked == va.as && asked != 0 && j.Said.Yes
	first, second := p.results(va, vo, j), p.results(vo, va, j)
	for _, all := range [][]job{first, second} {
		for i := range all {
			if asked != 0 && all[i].Of == asked && all[i].What == pressing {
				all[i].Said = &answer{Yes: j.Said.Yes}
			}
		}
	}
	if x.total > y.total { // the beaten one first
		first, second = second, first
	}
	all := append(first, second...)
	if b.Distant && !b.Reply && b.B.Element != 0 {
		all = append(all, job{Kind: replying, Of: b.B.Element, Die: b.Dice[1], Used: y.tacticsOf()})
	}
	p.next(all...)
}

// tellCombat tells a combat to whoever knows both, and to those of the side of one who is shot at from nobody knows
// where that he is (HFG-5.6). Its arithmetic is for the players in it alone (section 7 of the digest). One that is idle has
// no effect on either.
func (p *battlefield) tellCombat(b *bout, x, y *score, idle bool) {
	code, clause := "hfg.combat-close", "HFG-13.1"
	if b.Distant {
		code, clause = "hfg.combat-distant", "HFG-12.13"
	}
	who, other := p.fighterArg("who", b.A), p.fighterArg("other", b.B)
	scores := []phrase.Phrase{x.say(who), y.say(p.fighterArg("who", b.B))}
	var whole, part [2][]engine.Side // of those who look on, and of those in it
	for _, s := range p.seats() {
		in := 0
		if p.inCombat(s, b) {
			in = 1
		}
		switch {
		case !b.Distant && !p.byCommand() && b.B.Element != 0 || p.seatSees(s, b.A) && p.seatSees(s, b.B):
			whole[in] = append(whole[in], s)
		case b.B.Element != 0 && p.sideOf(s) == p.def(b.B.Element).side && p.seatKnows(s, b.B.Element):
			part[in] = append(part[in], s)
		}
	}
	var tellings []engine.Telling
	for in := len(whole) - 1; in >= 0; in-- { // the fullest first
		shown := scores[:len(scores)*in]
		if len(whole[in]) > 0 || in == 1 {
			tellings = append(tellings, play.To(whole[in], code, who, other, picks("place", b.B.Area != 0), picks("idle", idle), picks("shown", in == 1),
				phrase.Phrases("scores", shown)))
		}
		if len(part[in]) > 0 {
			tellings = append(tellings, play.To(part[in], "hfg.combat-unseen", other, picks("shown", in == 1), phrase.Phrases("scores", shown[in:])))
		}
	}
	p.Tell(clause, tellings...)
}

// picks picks words of a sentence.
func picks(name string, so bool) phrase.Arg {
	if so {
		return phrase.Number(name, 1)
	}
	return phrase.Number(name, 0)
}

// inCombat says whether a seat is in a combat: an element of its own fights, shoots, is shot at or aids. Where a side shares what it knows
// all its players are (HFG-R175).
func (g *game) inCombat(s engine.Side, b *bout) bool {
	own := func(e elementID) bool { return e != 0 && g.owner(e) == s }
	return !g.byCommand() || own(b.A.Element) || own(b.B.Element) || slices.ContainsFunc(b.Aids, own) || slices.ContainsFunc(b.Backs, own)
}

// seatSees says whether a seat knows one of the two of a combat.
func (g *game) seatSees(s engine.Side, f fighter) bool {
	return f.Element == 0 || g.seatKnows(s, f.Element)
}

// results lists the jobs that carry out what a combat comes to for one of the two, and those that
// follow from it.
func (p *battlefield) results(v, other *verdict, j *job) []job {
	o := v.outcome()
	presses := o.What == unharmed && v.hushes(other)
	if presses {
		o = moves("HFG-16.3", pressing, pressDistance)
	}
	if j.Runner && v.own.Element == j.Of {
		if o.What != dies && o.What != tires {
			o = moves("HFG-16.8", runs, horseRout)
		}
	} else if j.Runner && o.What != dies && o.What != tires {
		o = outcome{} // who was run into stays
	}
	if o.What == unharmed && v.own.Element == 0 {
		return nil
	}
	base := job{Kind: suffering, Of: v.as, By: v.foe.Element, At: v.own, What: o.What, Low: o.Low, High: o.High, Close: v.close(),
		Behind: v.shot && v.shotBehind(), Runner: j.Runner, Breach: v.breaches(), Hushed: presses}
	if forwardEffect(o.What) {
		base.Kind = forwards
	}
	start := place{}
	if v.own.Element != 0 {
		out := p.goesOut(v.own.Element, v.foe.Element)
		start = place(out.At)
		if p.Elements[v.own.Element].Holds != 0 && base.Kind == forwards {
			base.From, base.Looks = start, int(out.Heading)
		}
	}
	all := []job{base}
	if v.as != v.own.Element {
		all = p.withEscort(v, base)
	}
	if v.close() && v.own.Element != 0 {
		for _, f := range p.withdrawing(v.own.Element, v.foe.Element, j) {
			all = append(all, job{Kind: following, Of: f, By: v.own.Element, What: o.What, At: v.foe, Start: start})
		}
	}
	return all
}

// forwardEffect says whether an effect leads forward.
func forwardEffect(e effect) bool {
	return e == charging || e == pressing || e == pursuing || e == passing || e == boards || e == pressesOrHalts
}

// shotBehind says whether own was shot at from directly behind only.
func (v *verdict) shotBehind() bool { return v.own.Element != 0 && v.shotFromBehind() }

// hushes says whether foot or dismounted may press forward if the other is silenced, which his owner may still
// have to say (HFG-16.3, HFG-R67).
func (v *verdict) hushes(other *verdict) bool {
	if v.own.Element == 0 || v.foe.Element == 0 || !v.onFoot() {
		return false
	}
	w := other.outcome().What
	return w == hushed || w == hushedOrFalls
}

// breaches says whether guns destroy the barricade that protects own (HFG-15.10).
func (v *verdict) breaches() bool {
	return v.is == less && v.shot && v.onFoot() && v.shotByGuns()
}

// withEscort makes the jobs of a command party that fights with an element behind it (HFG-16.13).
func (p *battlefield) withEscort(v *verdict, base job) []job {
	own := base
	own.Of = v.own.Element
	switch {
	case base.What == tires:
		own.What, own.Low, own.High = falls, repulseLow, repulseTop
		return []job{base, own}
	case base.Kind == forwards:
		base.Kind, base.By, base.Start, base.Said = following, own.Of, p.Elements[own.Of].At, &answer{Yes: true}
		return []job{own, base}
	}
	return []job{base, own}
}

// withdrawing lists the friends of an element on whom it hangs what becomes of it in a combat (HFG-16.11): not those who have themselves
// run into that enemy and are yet to fight him, and nobody if it has run into a flank of his (HFG-R211).
func (p *battlefield) withdrawing(e, enemy elementID, j *job) []elementID {
	if j.Runner && e == j.Of {
		if own, foe := p.body(e), p.body(enemy); sideMet(&own, &foe) != geometry.Front {
			return nil
		}
	}
	return slices.DeleteFunc(p.helpers(e, enemy), func(f elementID) bool {
		return slices.ContainsFunc(p.Fray.Jobs, func(n job) bool { return n.Kind == fighting && n.Runner && n.Of == f })
	})
}

// helpers lists the friends of an element that have their front on a flank or the rear of an enemy whom it
// fights (HFG-16.11).
func (g *game) helpers(e, enemy elementID) []elementID {
	if enemy == 0 || g.Elements[enemy].Holds != 0 {
		return nil
	}
	return slices.DeleteFunc(g.onFlanks(enemy), func(o elementID) bool { return o == e })
}
