package waterloo

import (
	"iter"
	"math/rand/v2"
	"slices"
	"strings"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// The stops of a battle: WAT-S7 to S10.

// A filing is the world of the stop commit: the cards for the battle so far.
type filing struct {
	v     *View
	b     *battleFrame
	who   role
	cards []commit
}

// commits are cards with their uses.
var commits = kind[commit]{
	Shape: commitShape,
	Read: func(v *View, r *orders.Reader, n *orders.Node) (commit, bool) {
		b := under[*battleFrame](v.game)
		return v.readCommit(r, n, b, v.roleIn(b))
	},
	Write: func(v *View, c commit) *orders.Node { return v.commitNode(c) },
}

// commitForm is the stop commit: cards for the battle under way (WAT-S7).
var commitForm = &form[*filing]{
	Begin: func(v *View, _ engine.Decision) (*filing, bool) {
		b := under[*battleFrame](v.game)
		if b == nil {
			return nil, false
		}
		return &filing{v: v, b: b, who: v.roleIn(b)}, true
	},
	Fields: []field[*filing]{play.List("cards", "none", commits, rule[*filing, commit]{
		Next:   func(w *filing) iter.Seq[commit] { return w.v.usesOfHand(w.b, w.who) },
		Many:   func(w *filing, n int) *fault { return w.v.limitFault(w.b, w.who, n) },
		Settle: func(w *filing, c commit) commit { return w.v.settled(c) },
		May:    func(w *filing, c commit) *fault { return w.v.commitFault(w.b, w.who, w.cards, c) },
		Place:  func(c commit, _ *fault) []string { return placesOfCommit[c.As] },
		Put:    func(w *filing, c commit) { w.cards = append(w.cards, c) },
		Say:    (*View).commitChoice,
	})},
	Chance: func(x *saying[*filing], chance *rand.Rand) {
		for _, c := range x.View.randomCommits(x.World.b, x.World.who, chance) {
			x.Try("cards", c)
		}
	},
	Sense: func(x *saying[*filing], _ *rand.Rand) {
		for _, c := range senseCommit(x.View, x.World.b) {
			x.Try("cards", c)
		}
	},
	Stands: true,
	Note: func(x *saying[*filing], n *orders.Node) {
		options := play.Offers[commit](x.Blank(), "cards")
		overText(n.Pairs[0].Key, x.View.handComment(usesOf(options, commit.use)), x.View.commitComment(x.World.b, x.World.who, options))
		n.Pairs[0].Value = closed(spareOf(options, func(c commit) string { return x.View.commitNode(c).OneLine() }))
	},
	Do: func(p *battlefield, d engine.Decision, w *filing) {
		b := under[*battleFrame](p.game)
		if b == nil || b.Stage != battleCommitting {
			return
		}
		for r := attacking; r <= defending; r++ {
			if p.seatOf(p.fighting(b, r)) == d.Side {
				*b.of(r) = party{Filed: true, Cards: slices.Clone(w.cards)}
			}
		}
	},
}

type lossReply = *reply[loss]

// lossForm is the stop loss: how the defender takes a defeat (WAT-S8). Its answer is
// one of a list of ways, which three keys narrow down.
var lossForm = &form[lossReply]{
	Clause: "WAT-9.32",
	Begin:  inBattle[loss],
	Fields: []field[lossReply]{lossField()},
	Usual:  func(x *saying[lossReply]) { x.Try("", x.View.usualLoss(x.World.b)) },
	Chance: func(x *saying[lossReply], chance *rand.Rand) {
		list := x.View.losses(x.World.b)
		l := list[chance.IntN(len(list))]
		if l.to != 0 {
			l.face = facing(chance.IntN(5))
		}
		x.Try("", l)
	},
	Sense: func(x *saying[lossReply], _ *rand.Rand) { x.Try("", senseLoss(x.View, x.World.b)) },
	Shows: func(_ lossReply, value any) bool { return value.(loss).face == noFacing },
	Besides: func(x *saying[lossReply]) []string { // a retreat that turns
		for _, l := range x.View.losses(x.World.b) {
			if l.to != 0 {
				l.face = faces[1]
				return []string{x.View.lossNode(l, x.World.b).OneLine()}
			}
		}
		return nil
	},
	Note: func(x *saying[lossReply], n *orders.Node) { // every legal way, a line each
		v, b := x.View, x.World.b
		var lines []string
		last := ""
		for _, l := range play.Offers[loss](x.Blank(), "") {
			if l.face != noFacing {
				continue
			}
			line := "loss: " + v.lossText(l, b)
			if l.to != 0 {
				if line == last { // another square of the same way
					lines[len(lines)-1] += " | " + v.squareID(l.to)
					continue
				}
				last = line
				line += ", to: " + v.squareID(l.to)
			}
			lines = append(lines, line)
		}
		overText(n.Pairs[0].Key, append(lines, "face: "+faceList)...)
	},
	Do: func(p *battlefield, _ engine.Decision, w lossReply) {
		if b, ok := p.top().(*battleFrame); ok && b.Stage == battleJudged {
			b.lose(p, w.is)
		}
	},
}

// lossField is the whole answer: {loss, to, face}.
func lossField() field[lossReply] {
	f := play.One("", kind[loss]{Write: func(v *View, l loss) *orders.Node { return v.lossNode(l, under[*battleFrame](v.game)) }}, rule[lossReply, loss]{
		Next: func(w lossReply) iter.Seq[loss] {
			return func(yield func(loss) bool) {
				for _, l := range w.v.losses(w.b) {
					turns := faces[:1]
					if l.to != 0 {
						turns = faces[:]
					}
					for _, l.face = range turns {
						if !yield(l) {
							return
						}
					}
				}
			}
		},
		Ways:  func(w lossReply, l loss) *fault { return w.v.noRetreat(w.b, l) },
		Place: func(loss, *fault) []string { return []string{"to"} },
		Put:   lossReply.put,
		Say: func(v *View, l loss) engine.Choice {
			how := v.lossText(l, under[*battleFrame](v.game))
			c := engine.Choice{What: "loss " + how, Shown: "loss: " + how}
			if l.to != 0 {
				c.What += " to " + v.squareID(l.to) + faceText(l.face)
			}
			return c
		},
	})
	f.Read, f.Shape = readLossBody, lossShape
	return f
}

// lossNode writes how a defeat is taken.
func (v *View) lossNode(l loss, b *battleFrame) *orders.Node {
	n := orders.Mapping()
	switch {
	case l.cdp > 0 && !b.crushed():
		n.Set("loss", orders.Text("cdp"))
	case l.cdp > 0:
		m := orders.Inline().Set("cdp", orders.Number(int(l.cdp)))
		if l.cdp == 1 {
			what := "retreat"
			if l.to != 0 {
				what = "reduction"
			}
			m.Set("for", orders.Text(what))
		}
		n.Set("loss", m)
	case l.to != 0:
		n.Set("loss", orders.Text("retreat"))
	default:
		n.Set("loss", orders.Text("reduce"))
	}
	if l.to != 0 {
		n.Set("to", orders.Text(v.squareID(l.to)))
		faceNode(n, l.face)
	}
	return n
}

// lossText is the value of the key loss.
func (v *View) lossText(l loss, b *battleFrame) string {
	return strings.TrimSpace(v.lossNode(l, b).Get("loss").Encode())
}

// readLossBody reads {loss, to, face}: the key loss leaves some of the legal ways,
// and of these only the square is open.
func readLossBody(x *saying[lossReply], r *orders.Reader, body *orders.Node) {
	v, b, since := x.View, x.World.b, len(r.Problems)
	f := r.Fields(body, "loss", "to", "face")
	how := r.Require(f, "loss")
	if how == nil {
		return
	}
	list := v.losses(b)
	l, ok := v.readLoss(r, how, b, list)
	if !ok {
		return
	}
	squares := retreatsOf(list, l)
	at := f.Get("to")
	whole := true
	switch {
	case l.to == 0:
		for _, n := range []*orders.Node{at, f.Get("face")} {
			if n != nil {
				r.Refuse(n, "WAT-9.37", phrase.Say("wat.loss-no-retreat"))
			}
		}
	case at == nil:
		r.RefuseWith(how, "WAT-9.37", phrase.Say("order.missing-key", phrase.Literal("key", "to")), phrase.Say("wat.retreat-squares", v.squareArgs("squares", squares)))
		return
	default:
		l.to, whole = v.nameSquare(r, at)
		l.face = readFace(r, f.Get("face"))
	}
	x.Judge(r, body, "", l, whole, since)
}

// retreatsOf are the squares to which a unit may go that takes its defeat in a way;
// none if that is no retreat.
func retreatsOf(list []loss, way loss) []square {
	var squares []square
	for _, o := range list {
		if o.to != 0 && way.to != 0 && o.cdp == way.cdp && o.reduces == way.reduces {
			squares = append(squares, o.to)
		}
	}
	return squares
}

// noRetreat tells that a unit may not retreat to a square, and to which it may.
func (v *View) noRetreat(b *battleFrame, l loss) *fault {
	f := refusal("WAT-9.37", "wat.retreat-not", v.unitArg("unit", b.Target), v.squareArg("square", l.to))
	f.Remedy = phrase.Say("wat.retreat-squares", v.squareArgs("squares", retreatsOf(v.losses(b), l)))
	return f
}

// readLoss reads how a defeat is taken. A retreat comes back with any of its
// squares.
func (v *View) readLoss(r *orders.Reader, n *orders.Node, b *battleFrame, list []loss) (loss, bool) {
	pick := func(fits func(l loss) bool) (loss, bool) {
		i := slices.IndexFunc(list, fits)
		if i < 0 {
			return loss{}, false
		}
		return list[i], true
	}
	have := v.absorbing(b)
	if n.Kind == orders.Map {
		f := r.Fields(n, "cdp", "for")
		count := r.Require(f, "cdp")
		k, ok := r.Int(count, 1, 2)
		if !ok {
			return loss{}, false
		}
		word := ""
		if m := f.Get("for"); m != nil {
			if word, ok = r.Word(m, "retreat", "reduction"); !ok {
				return loss{}, false
			}
		}
		switch {
		case k > have:
			v.refuseCDP(r, count, b, have)
			return loss{}, false
		case !b.crushed() && k > 1:
			r.Refuse(count, "WAT-10.4", phrase.Say("wat.cdp-one"))
			return loss{}, false
		case !b.crushed() || k == 2:
			return pick(func(l loss) bool { return int(l.cdp) == k })
		case word == "reduction":
			if l, ok := pick(func(l loss) bool { return l.cdp == 1 && l.to != 0 }); ok {
				return l, true
			}
			return pick(func(l loss) bool { return l.cdp == 1 }) // nowhere to go: reduced instead (WAT-9.38)
		case word == "retreat":
			return pick(func(l loss) bool { return l.cdp == 1 && l.to == 0 })
		}
		return v.usualOne(b, list), true
	}
	word, ok := r.Word(n, "cdp", "retreat", "reduce")
	if !ok {
		return loss{}, false
	}
	switch word {
	case "cdp":
		if have == 0 {
			v.refuseCDP(r, n, b, have)
			return loss{}, false
		}
		if b.crushed() && have == 1 {
			return v.usualOne(b, list), true
		}
		return list[0], true
	case "retreat":
		if l, ok := pick(func(l loss) bool { return l.cdp == 0 && l.to != 0 }); ok {
			return l, true
		}
		return pick(func(l loss) bool { return l.cdp == 0 }) // nowhere to go: reduced instead (WAT-9.38)
	}
	if l, ok := pick(func(l loss) bool { return l.cdp == 0 && l.to == 0 }); ok {
		return l, true
	}
	r.RefuseWith(n, "WAT-9.33", phrase.Say("wat.loss-both", v.unitArg("unit", b.Target)), phrase.Say("wat.loss-both-remedy"))
	return loss{}, false
}

// usualOne is what a single chateau destruction point absorbs if it is not said.
func (g *game) usualOne(b *battleFrame, list []loss) loss {
	l := g.usualLoss(b)
	if l.cdp == 1 {
		return l
	}
	i := slices.IndexFunc(list, func(l loss) bool { return l.cdp == 1 && (l.to == 0) == g.whole(b.Target) })
	return list[max(i, 0)]
}

// refuseCDP says why chateau destruction points can't be spent.
func (v *View) refuseCDP(r *orders.Reader, n *orders.Node, b *battleFrame, have int) {
	if !v.allRound(b.Target) {
		r.Refuse(n, "WAT-10.3", phrase.Say("wat.cdp-nobody", v.unitArg("unit", b.Target)))
		return
	}
	r.Refuse(n, "WAT-10.5", phrase.Say("wat.cdp-left", phrase.Number("left", have), v.squareArg("square", b.Square)))
}

type lossesReply = *reply[unitID]

// attackerLossForm is the stop attacker-loss: which of the strongest attackers is
// reduced (WAT-S9).
var attackerLossForm = &form[lossesReply]{
	Clause: "WAT-9.35",
	Begin:  ofAttackers[unitID],
	Fields: []field[lossesReply]{play.One("reduce", units, rule[lossesReply, unitID]{
		Next: func(w lossesReply) iter.Seq[unitID] { return slices.Values(w.v.strongest(w.b)) },
		Ways: func(w lossesReply, id unitID) *fault {
			f := refusal("WAT-9.35", "wat.attacker-loss-not", w.v.unitArg("unit", id))
			f.Remedy = phrase.Say("wat.one-of-units", w.v.unitsArg("units", w.v.strongest(w.b)))
			return f
		},
		Put: lossesReply.put,
		Say: func(v *View, id unitID) engine.Choice {
			return engine.Choice{Of: v.def(id).id, What: "reduce", Shown: v.def(id).id}
		},
	})},
	// A unit with a reduced side, then the lowest full value, then the first.
	Usual: func(x *saying[lossesReply]) {
		v, tied := x.View, x.World.v.strongest(x.World.b)
		best := tied[0]
		for _, id := range tied[1:] {
			if v.whole(id) != v.whole(best) {
				if v.whole(id) {
					best = id
				}
			} else if v.def(id).full < v.def(best).full {
				best = id
			}
		}
		x.Try("reduce", best)
	},
	Note: func(x *saying[lossesReply], n *orders.Node) {
		var lines []string
		for _, id := range play.Offers[unitID](x.Blank(), "reduce") {
			lines = append(lines, x.View.unitLine(id))
		}
		overText(n.Pairs[0].Key, lines...)
	},
	Do: func(p *battlefield, _ engine.Decision, w lossesReply) {
		if b, ok := p.top().(*battleFrame); ok && b.Stage == battleJudged && slices.Contains(p.strongest(b), w.is) {
			b.loseAttacker(p, w.is)
		}
	},
}

type advanceReply = *reply[advanceOrder]

// advances are orders to advance. A unit that is left out is 0.
var advances = kind[advanceOrder]{
	Shape: advanceShape,
	Read: func(v *View, r *orders.Reader, n *orders.Node) (advanceOrder, bool) {
		since := len(r.Problems)
		o := v.readAdvance(r, n, nil)
		return o, len(r.Problems) == since
	},
	Write: func(v *View, o advanceOrder) *orders.Node { return v.advanceNode(o) },
}

// advanceForm is the stop advance: which attacker takes the square (WAT-S10).
var advanceForm = &form[advanceReply]{
	Clause: "WAT-9.39",
	Begin:  ofAttackers[advanceOrder],
	Fields: []field[advanceReply]{play.One("advance", advances, rule[advanceReply, advanceOrder]{
		Next: func(w advanceReply) iter.Seq[advanceOrder] {
			return func(yield func(advanceOrder) bool) {
				for _, id := range w.v.candidates(w.b) {
					for _, f := range faces {
						if !yield(advanceOrder{id, f, true}) {
							return
						}
					}
				}
			}
		},
		Settle: func(w advanceReply, o advanceOrder) advanceOrder {
			if able := w.v.candidates(w.b); o.Unit == 0 && len(able) == 1 {
				o.Unit = able[0]
			}
			return o
		},
		Ways: func(w advanceReply, o advanceOrder) *fault {
			v, able := w.v, w.v.candidates(w.b)
			var f *fault
			switch {
			case o.Unit == 0:
				f = &fault{Clause: "WAT-9.39", Why: phrase.Say("order.missing-key", phrase.Literal("key", "unit"))}
			case slices.Contains(w.b.still(), o.Unit):
				f = refusal("WAT-9.39", "wat.advance-elite", v.unitArg("unit", o.Unit), v.unitsArg("units", able))
			default:
				f = refusal("WAT-9.39", "wat.advance-attacker", v.unitArg("unit", o.Unit))
			}
			f.Remedy = phrase.Say("wat.one-of-units", v.unitsArg("units", able))
			return f
		},
		Put: advanceReply.put,
		Say: func(v *View, o advanceOrder) engine.Choice {
			c := v.advanceChoice(o)
			c.Shown = c.Of
			return c
		},
	})},
	// The unit with most battle points, facing kept.
	Usual: func(x *saying[advanceReply]) {
		x.Try("advance", advanceOrder{Unit: x.World.b.firmest(x.View.candidates(x.World.b)), Said: true})
	},
	Chance: func(x *saying[advanceReply], chance *rand.Rand) {
		able := x.View.candidates(x.World.b)
		x.Try("advance", advanceOrder{Unit: able[chance.IntN(len(able))], Face: facing(chance.IntN(5)), Said: true})
	},
	Sense: func(x *saying[advanceReply], _ *rand.Rand) {
		x.Try("advance", newMind(x.View, x.View.trial()).followers(x.World.b.Square, x.View.candidates(x.World.b)))
	},
	Shows: func(_ advanceReply, value any) bool { return value.(advanceOrder).Face == noFacing },
	Besides: func(x *saying[advanceReply]) []string { // who advances and turns
		o := advanceOrder{Unit: x.World.b.firmest(x.View.candidates(x.World.b)), Face: faces[1], Said: true}
		return []string{"advance: " + x.View.advanceNode(o).OneLine()}
	},
	Note: func(x *saying[advanceReply], n *orders.Node) {
		var lines []string
		for _, o := range play.Offers[advanceOrder](x.Blank(), "advance") {
			if o.Face == noFacing {
				lines = append(lines, x.View.unitLine(o.Unit))
			}
		}
		overText(n.Pairs[0].Key, append(lines, "face: "+faceList)...)
	},
	Do: func(p *battlefield, _ engine.Decision, w advanceReply) {
		if b, ok := p.top().(*battleFrame); ok && b.Stage == battleAdvancing && slices.Contains(p.candidates(b), w.is.Unit) {
			b.follow(p, w.is.Unit, w.is.Face)
		}
	},
}

// firmest is the one of those who may advance with most battle points.
func (b *battleFrame) firmest(able []unitID) unitID {
	best, most := able[0], -1
	for _, f := range b.Attackers {
		if slices.Contains(able, f.Unit) && f.Points > most {
			best, most = f.Unit, f.Points
		}
	}
	return best
}

// usesOfHand are the cards of the army that fights in a role with all their uses.
func (v *View) usesOfHand(b *battleFrame, who role) iter.Seq[commit] {
	return func(yield func(commit) bool) {
		own := v.fighting(b, who)
		if !v.own[own] {
			return
		}
		for _, c := range v.Decks[own].Hand {
			if c == 0 {
				continue
			}
			if !yield(commit{Card: c}) {
				return
			}
			switch v.card(c).action {
			case commandBonus:
				if !yield(commit{Card: c, As: asCommand}) {
					return
				}
			case eliteBonus:
				for _, id := range v.eliteUnits(b, who) {
					if !yield(commit{Card: c, As: asElite, Unit: id}) {
						return
					}
				}
			case artilleryFire:
				if who == b.phasing() {
					continue
				}
				for _, s := range v.shots(own) {
					if !yield(commit{Card: c, As: asArtillery, By: s.by, Side: s.side}) {
						return
					}
				}
			}
		}
	}
}

// commitChoice is a card with its use.
func (v *View) commitChoice(c commit) engine.Choice {
	what := useWords[c.As]
	switch c.As {
	case asElite:
		what += " " + v.def(c.Unit).id
	case asArtillery:
		what = shot{c.By, c.Side}.text(v.game)
	}
	id := v.card(c.Card).id
	return engine.Choice{Of: id, What: what, Shown: id}
}

// advanceChoice is who advances.
func (v *View) advanceChoice(o advanceOrder) engine.Choice {
	c := engine.Choice{What: "advance" + faceText(o.Face)}
	if o.Unit != 0 {
		c.Of = v.def(o.Unit).id
	}
	return c
}
