package hfg

import (
	"math/rand/v2"
	"slices"
	"strings"

	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/orders"
)

// The policy fire (section 5.3 of the digest): at whom those shoot, or whether they do, for whom no shot
// was ordered. It is worked out on what the seat sees, and a shot that couldn't be ordered at the stop
// fire is none.

// firing reads what the policy fire answers: a word, a target, targets by preference, classes by
// preference, or the enemy's guns.
func (c *caseReader) firing(said policyCase, n *orders.Node) (policyCase, bool) {
	if n.Kind == orders.Map {
		key, value := c.r.Only(n, "prefer", "counter-battery")
		switch said.Do = key; key {
		case "prefer":
			said.Prefer = c.words(value, classWords[1:])
			return said, said.Prefer != ""
		case "counter-battery":
			_, ok := c.r.Word(value, "yes")
			return said, ok
		}
		return said, false
	}
	words := c.plain(policyFire)
	if n.Kind == orders.List {
		words = []string{"rest"}
	}
	list := c.w.v.aimable()
	for _, w := range words { // so that a slip in one of them is told with the word that was meant
		list = append(list, orders.Choice{ID: w})
	}
	var all []string
	for _, item := range c.r.List(n) {
		id := ""
		for _, w := range words {
			if c.r.Is(item, w) {
				id = w
			}
		}
		if id == "" {
			var ok bool
			if id, ok = c.r.Pick(item, "target", list); !ok {
				return said, false
			}
		}
		all = append(all, id)
	}
	if said.Do = strings.Join(all, " "); said.Do == "rest" {
		said.Do = "nearest"
	}
	return said, said.Do != ""
}

// plain are the words that a policy may answer.
func (c *caseReader) plain(k policyKey) []string {
	words := append([]string{"default"}, policyAnswers[k]...)
	if !c.asked {
		words = append(words, "ask")
	}
	return words
}

// keeps says whether a seat wants to be asked in its own turn at the stop fire, by one of the policies about
// shots. That hangs on what it has said, and on nothing that happens.
func (g *game) keeps(seat engine.Side, k policyKey) bool {
	all := g.casesOf(seat, k)
	for i := range all {
		if all[i].Do == "ask" {
			return true
		}
		if all[i].bare() {
			return false
		}
	}
	return false
}

// firesBeforehand takes the shots that a seat's policy orders, and tells it which cases did.
func (p *battlefield) firesBeforehand(seat engine.Side) {
	cases := p.casesOf(seat, policyFire)
	if !slices.ContainsFunc(cases, func(c policyCase) bool { return !slices.Contains([]string{"ask", "default", "nearest"}, c.Do) }) {
		return
	}
	v := p.view(seat)
	w := &fireWorld{v: v, board: v.game}
	var used []policyCase
	for _, e := range v.standing() {
		if !v.owns(e) || v.noShot(e) != nil || slices.Contains(v.Held, e) || slices.ContainsFunc(v.Aimed, func(s shot) bool { return s.By == e }) {
			continue
		}
		o, by, ok := w.preset(e, cases)
		if !ok {
			continue
		}
		p.keeps([]fireOrder{o})
		if !slices.Contains(used, by) {
			used = append(used, by)
			p.creditsSaid(seat, stopFire, by)
		}
	}
}

// preset is the shot of an element by the first case that fits, and that case; false: it shoots as it
// would without.
func (w *fireWorld) preset(e elementID, cases []policyCase) (fireOrder, policyCase, bool) {
	for i := range cases {
		c := &cases[i]
		if !w.board.suits(c, e) {
			continue
		}
		at, ok := w.firstMark(e, c)
		switch c.Do {
		case "ask", "default", "nearest":
			if ok || !c.looksAtTarget() {
				return fireOrder{}, *c, false
			}
		case "hold":
			if ok || !c.looksAtTarget() {
				return fireOrder{by: e, hold: true}, *c, true
			}
		default:
			if ok {
				return at, *c, true
			}
		}
	}
	return fireOrder{}, policyCase{}, false
}

// looksAtTarget says whether a case asks about the target.
func (c *policyCase) looksAtTarget() bool { return c.Target+c.Range+c.Odds != "" }

// firstMark is the first target that a case names, or would leave the element to, at which the element
// may shoot and of which what the case asks is true.
func (w *fireWorld) firstMark(e elementID, c *policyCase) (fireOrder, bool) {
	for _, o := range w.marked(e, c) {
		if w.fault(o) == nil && w.meets(&o, c) {
			return o, true
		}
	}
	return fireOrder{}, false
}

// marked lists the targets of a case for an element, the first to be tried first.
func (w *fireWorld) marked(e elementID, c *policyCase) []fireOrder {
	near := w.board.targets(e)
	var all []fireOrder
	take := func(fits func(at elementID) bool) {
		for _, at := range near {
			if fits(at) {
				all = append(all, fireOrder{by: e, at: at})
			}
		}
	}
	class := func(word string) { take(func(at elementID) bool { return classWords[w.board.class(at)] == word }) }
	switch c.Do {
	case "prefer":
		for _, word := range strings.Fields(c.Prefer) {
			class(word)
		}
	case "counter-battery":
		class(classWords[artillery])
	case "ask", "default", "nearest", "hold":
		near = near[:min(len(near), 1)]
		take(func(elementID) bool { return true })
	default:
		for _, id := range strings.Fields(c.Do) {
			if id == "rest" {
				take(func(elementID) bool { return true })
			} else if slices.ContainsFunc(w.v.aimable(), func(x orders.Choice) bool { return x.ID == id }) {
				all = append(all, w.v.shotAt(e, id))
			}
		}
	}
	return all
}

// meets says whether what a case asks about the target is true of a shot.
func (w *fireWorld) meets(o *fireOrder, c *policyCase) bool {
	at := w.board.shotFor(*o).At
	if c.Target != "" && (at.Element == 0 || !w.board.among(at.Element, c.Target)) {
		return false
	}
	return holds(c.Range, func() int { return paces(w.board.rangeTo(o.by, at)) }) && holds(c.Odds, func() int {
		own, foe := w.board.before(&bout{Distant: true, A: fighter{Element: o.by}, B: at})
		return own - foe
	})
}

// beside is how near an enemy must be to threaten a flank, in paces: within one base width.
const beside = baseWidth

// exposesFlank says whether an element that presses forward would end with an enemy whom its seat knows
// beside a flank that no friend covers: within 400 paces, and all of him beyond the line of that flank.
func (g *game) exposesFlank(q *question) bool {
	seen := g.trial()
	for _, o := range g.standing() {
		if g.enemies(q.Of, o) && (g.Elements[o].Concealed || !g.seatKnows(g.owner(q.Of), o)) {
			seen.Elements[o] = element{Fate: left}
		}
	}
	if g.Elements[q.Of].Holds != 0 {
		return false
	}
	start := g.body(q.Of)
	way := seen.run(seen.pressing(q.Of))
	end := seen.along(&way, &start, way.went)
	for _, flank := range []geometry.Flank{geometry.Left, geometry.Right} {
		threatened, covered := false, false
		for _, o := range seen.standing() {
			x := seen.body(o)
			switch {
			case o == q.Of || !beyond(&x, &end, flank):
			case g.enemies(q.Of, o):
				threatened = threatened || within(between(&end, &x), beside)
			default:
				covered = covered || touch(&end, &x)
			}
		}
		if threatened && !covered {
			return true
		}
	}
	return false
}

// chanceFire says at times by chance what the policy fire says.
func chanceFire[W any](x *draft[W], chance *rand.Rand) {
	if chance.IntN(4) > 0 {
		return
	}
	all := []policyCase{{Do: "nearest"}, {Do: "hold", Odds: "<0"}, {Do: "prefer", Prefer: "artillery foot"}, {Do: "counter-battery", Range: "<=1200"}, {Do: "ask"}}
	said := all[chance.IntN(len(all))]
	said.Key = policyFire
	x.Try("fire", fireOrder{said: said})
}
