package hfg

import "slices"

// How a fair player shoots: guns and muskets together at the target where that promises most, the next
// target with what is left; foot holds its fire where the answer would be worse than the shot.

// What a fair player thinks an outcome costs who suffers it: so much for each half of an equivalent.
var pains = map[effect]int{dies: 12, tires: 8, runs: 9, hurt: 4, falls: 3, hushed: 3, hushedOrFalls: 3, recoils: 1}

// headless is what a general's loss costs besides.
const headless = 12

// pain is what an outcome costs an element.
func (g *game) pain(e elementID, what effect) int {
	n := pains[what] * g.def(e).eq()
	if what == dies && g.class(e) == staff {
		n += headless
	}
	return n
}

// promise is what a combat promises A over all 36 pairs of dice: what B would suffer, less what A would.
func (g *game) promise(b *bout) int {
	sa, so := g.seen(b, true), g.seen(b, false)
	x, y := sa.scored(0), so.scored(0)
	memo := map[[3]int]int{}
	suffers := func(s *standpoint, is result, short, who int) int {
		if s.as == 0 || s.own.Area != 0 {
			return 0
		}
		key := [3]int{who, int(is), min(max(short, 0), 2)}
		n, ok := memo[key]
		if !ok {
			n = g.pain(s.as, (&verdict{standpoint: s, is: is, short: short}).outcome().What)
			memo[key] = n
		}
		return n
	}
	sum := 0
	for d := 1; d <= dieSides; d++ {
		for o := 1; o <= dieSides; o++ {
			m, n := x.before+d, y.before+o
			m, n = m+sa.adjusts(m, n).n, n+so.adjusts(n, m).n
			sum += suffers(so, compare(n, m), m-n, 1) - suffers(sa, compare(m, n), n-m, 0)
		}
	}
	return sum
}

// A volley is what a seat may shoot at one target: guns that choose it, and foot that must take it.
type volley struct {
	at         elementID
	guns, foot []elementID
}

// volleys lists the targets of a seat's elements that may shoot.
func (w *fireWorld) volleys() []volley {
	g := w.board
	var all []volley
	of := func(at elementID) *volley {
		i := slices.IndexFunc(all, func(v volley) bool { return v.at == at })
		if i < 0 {
			all, i = append(all, volley{at: at}), len(all)
		}
		return &all[i]
	}
	for _, e := range g.standing() {
		if !w.v.owns(e) {
			continue
		}
		targets := g.targets(e)
		switch {
		case len(targets) == 0:
		case g.chooses(e):
			for _, at := range targets {
				v := of(at)
				v.guns = append(v.guns, e)
			}
		default:
			v := of(targets[0])
			v.foot = append(v.foot, e)
		}
	}
	return all
}

// combat is the combat to which a volley leads, as far as its side can know: whether the target answers.
func (w *fireWorld) combat(v *volley) *bout {
	p := &battlefield{game: w.board}
	shooters := append(slices.Clone(v.foot), v.guns...)
	b := &bout{Distant: true, B: fighter{Element: v.at}}
	lead := p.principal(b.B, shooters)
	if back := p.targets(v.at); len(back) > 0 && (p.chooses(v.at) || slices.Contains(shooters, back[0])) {
		if i := slices.IndexFunc(back, func(e elementID) bool { return slices.Contains(shooters, e) }); i >= 0 {
			lead, b.Reply = back[i], true
		}
	}
	b.A = fighter{Element: lead}
	b.Aids = slices.DeleteFunc(shooters, func(e elementID) bool { return e == lead })
	return b
}

// senseFire aims the guns of a seat, and has its foot hold what isn't worth the answer.
func senseFire[W any](x *draft[W], w *fireWorld) {
	all := w.volleys()
	for {
		best, most := -1, 0
		for i := range all {
			if len(all[i].guns) > 0 {
				if n := w.board.promise(w.combat(&all[i])); best < 0 || n > most {
					best, most = i, n
				}
			}
		}
		if best < 0 {
			break
		}
		shot := all[best].guns
		for _, e := range shot {
			x.Try("fire", fireOrder{by: e, at: all[best].at})
			for i := range all {
				all[i].guns = slices.DeleteFunc(slices.Clone(all[i].guns), func(o elementID) bool { return o == e })
			}
		}
		all[best].foot = nil // they shoot with the guns
	}
	for i := range all {
		if len(all[i].foot) == 0 || w.v.of != w.board.phasing() || w.board.promise(w.combat(&all[i])) >= 0 {
			continue
		}
		for _, e := range all[i].foot {
			x.Try("fire", fireOrder{by: e, hold: true})
		}
	}
}
