package hfg

import (
	"slices"

	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// What would be legal in the place of what was refused, as far as the seat can know (HFG-R121): so nobody needs a ruler to
// mend his file.

// mostOffers is for how many refusals of one file that is worked out, for each takes as long as many orders.
const mostOffers = 8

// offers says whether a refusal comes with what would be legal.
func (w *fireWorld) offers() bool {
	w.offered++
	return w.offered <= mostOffers
}

// upTo is the distance of an order that goes as far as is legal, but no further than so many paces. It stands in no file.
func upTo(n int) int { return mostFar + n }

// nearest says what of an order that is refused would be legal: the greatest distance below the one that was ordered, the
// greatest wheel, the greatest sidestep, how far short of its place it may end, how far a command may come on, or the edges of the enemy
// that may be contacted. Nothing if none is.
func (w *turnWorld) nearest(o *order) phrase.Phrase {
	one := *o
	one.Else = nil
	legal := func() (*plan, bool) {
		p, fault := w.moveFault(&one)
		return p, fault == nil && p != nil
	}
	switch {
	case o.Verb == verbEnter:
		return w.nearestEntry(&one)
	case o.Verb == verbGo && o.To != "" && len(w.board.who(o)) == 1:
		return w.nearestShort(&one)
	case o.Far > 1 && o.Far < mostFar:
		one.Far = upTo(o.Far - 1)
		if p, ok := legal(); ok && p.far > 0 {
			if one.Far = p.far; p.far < o.Far {
				if _, ok := legal(); ok { // so far it goes if it is ordered so, too
					return phrase.Say("hfg.nearest-far", phrase.Number("far", p.far))
				}
			}
		}
	case o.Far == 0 && o.Wheel != 0:
		for one.Wheel = toward0(o.Wheel, mostWheelBy); one.Wheel != 0; one.Wheel = toward0(one.Wheel, mostWheelBy) {
			if _, ok := legal(); ok {
				return phrase.Say("hfg.nearest-wheel", phrase.Number("degrees", max(one.Wheel, -one.Wheel)))
			}
		}
	case o.Far == 0 && o.Side != 0:
		for one.Side = toward0(o.Side, sideways); one.Side != 0; one.Side = toward0(one.Side, sideways) {
			if _, ok := legal(); ok {
				return phrase.Say("hfg.nearest-side", phrase.Number("far", max(one.Side, -one.Side)))
			}
		}
	case o.Verb == verbContact && o.Edge > 0:
		var edges []string
		for i, word := range edgeSides {
			if one.Edge = i + 1; one.Edge == o.Edge {
				continue
			}
			if _, ok := legal(); ok {
				edges = append(edges, word)
			}
		}
		if len(edges) > 0 {
			return phrase.Say("hfg.nearest-edge", phrase.Literal("other", o.Enemy), phrase.Keywords("edges", edges))
		}
	}
	return phrase.Phrase{}
}

// nearestShort says how far short of its place an element may end at least, if it can't get there.
func (w *turnWorld) nearestShort(o *order) phrase.Phrase {
	g, e := w.board, w.board.who(o)[0]
	to, facing, via, fault := g.sentTo(o, e)
	if fault != nil || w.barredAll(o) {
		return phrase.Phrase{}
	}
	way, short := slices.Concat([]point{g.body(e).At}, via, []point{to.At}), o.Short
	for n := paces(longOf(way)); n > 0; {
		end := geometry.Frame{At: geometry.Along(way, int64(n)*pace), Heading: facing}
		b := g.bodyAt(e, end)
		if lacks := short - paces(to.gap(&b)); lacks > 0 { // no base comes nearer by more than it goes
			n -= lacks
			continue
		}
		p := g.alone(e, end, passedOn(way, int64(n)*pace)...)
		if far, _ := g.reach(p, &p.paths[0]); p.price > far+1 && !p.overlap { // nor does its way become shorter by more
			n = min(n-1, n-(p.price-g.farthest([]elementID{e})-1))
			continue
		}
		short = max(short, paces(to.gap(&b)))
		o.Short = short + 1
		if _, fault := w.moveFault(o); fault == nil {
			return phrase.Say("hfg.nearest-short", phrase.Number("far", short))
		}
		n--
	}
	return phrase.Phrase{}
}

// barredAll says whether those who are ordered can't move at all, wherever they are sent.
func (w *turnWorld) barredAll(o *order) bool {
	g, all, how := w.board, w.board.who(o), tactical
	if o.March {
		how = march
	}
	return g.crewFault(o, all, g.payer(o)) != nil || slices.ContainsFunc(all, func(e elementID) bool { return g.moveFault(e, how) != nil })
}

// nearestEntry says how far along its road or railway a command may come on: the greatest distance below the one that was ordered, else
// the least above it, else as far as it goes.
func (w *turnWorld) nearestEntry(o *order) phrase.Phrase {
	c := w.board.commandNamed(o.Of)
	if c == 0 || o.Far == mostFar || w.board.entryFault(c) != nil {
		return phrase.Phrase{}
	}
	legal := func(far int) bool {
		one := *o
		one.Far = far
		_, fault := w.moveFault(&one)
		return fault == nil
	}
	if !legal(mostFar) {
		return phrase.Phrase{}
	}
	asked, most := o.Far, w.mostEntry(c)
	for n := min(asked-1, most); n > 0; n-- {
		if legal(n) {
			return phrase.Say("hfg.nearest-entry", phrase.Number("far", n))
		}
	}
	for n := asked + 1; n <= most; n++ {
		if legal(n) {
			return phrase.Say("hfg.nearest-entry", phrase.Number("far", n))
		}
	}
	return phrase.Say("hfg.nearest-entry-max")
}

// mostEntry is how far a command can come on at most, in paces, whatever is in its way.
func (w *turnWorld) mostEntry(c commandID) int {
	if at, ok := w.board.byRail(c); ok {
		safe, _ := w.board.safeTo(c, at)
		return safe
	}
	return w.board.farthest(w.board.coming(c)[:1])
}

// toward0 is the next smaller measure to the same side, the greatest that may be at all to begin with.
func toward0(n, most int) int {
	if n < 0 {
		return -toward0(-n, most)
	}
	return min(n-1, most)
}

// shotsInstead says of a shot that is refused how far it would go and who stands in its way, and whom the shooter may shoot at.
func (w *fireWorld) shotsInstead(o fireOrder, fault *play.Fault) phrase.Phrase {
	if o.settles() || o.turn != "" || o.hold || !w.v.owns(o.by) || !w.v.on(o.by) {
		return phrase.Phrase{}
	}
	g, aims := w.board, phrase.Say("hfg.aims-none", w.v.elementArg("element", o.by))
	if g.noShot(o.by) != nil {
		return phrase.Phrase{}
	}
	if all := g.takeable(o.by); len(all) > 0 {
		aims = phrase.Say("hfg.aims", phrase.Names("targets", "element", w.ids(all)))
	} else if c := g.class(o.by); c == artillery || c == naval {
		return phrase.Phrase{} // it may have a place or a bridge to shoot at
	}
	at := g.shotFor(o).At
	switch fault.Why.Code {
	case "hfg.shot-range":
		return phrase.Say("hfg.aims-range", phrase.Number("far", paces(g.rangeTo(o.by, at))), phrase.Number("most", g.reaches(o.by, at)), phrase.Within("aims", aims))
	case "hfg.shot-arc":
		return phrase.Say("hfg.aims-arc", phrase.Number("far", paces(g.rangeTo(o.by, at))), phrase.Number("most", g.reaches(o.by, at)), phrase.Within("aims", aims))
	case "hfg.shot-lane":
		if all := g.inLane(o.by, at); len(all) > 0 {
			return phrase.Say("hfg.aims-lane", phrase.Number("far", paces(g.rangeTo(o.by, at))), phrase.Names("others", "element", w.ids(all)), phrase.Within("aims", aims))
		}
	}
	return aims
}

// ids are elements by their names.
func (w *fireWorld) ids(all []elementID) []string {
	var ids []string
	for _, e := range all {
		ids = append(ids, w.v.def(e).id)
	}
	return ids
}

// inLane lists those without whom a shot would have a clear lane, each by himself; nobody if ground bars it, or several together
// do.
func (g *game) inLane(e elementID, at fighter) []elementID {
	b, o := g.body(e), g.bodyOf(at)
	line := geometry.Figure{P: []point{centre(&b), centre(&o)}}
	var all []elementID
	for _, x := range g.standing() {
		if x == e || x == at.Element || g.Elements[x].Holds != 0 || g.unknown(e, x) {
			continue
		}
		if c := g.body(x); !within(geometry.Distance(outlineOf(&c), line), baseWidth) {
			continue
		}
		open := g.trial()
		open.remove(x, left)
		if _, ok := open.laneTo(e, at); ok {
			all = append(all, x)
		}
	}
	slices.Sort(all)
	return all
}
